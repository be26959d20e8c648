"""The command-line programs `patlang` and `patlang-opt`."""
