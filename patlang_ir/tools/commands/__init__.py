"""The subcommands of `patlang`, one file each."""
