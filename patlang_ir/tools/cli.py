"""`patlang`: one program, one subcommand for each file in `tools/commands`.

A command is a module with `HELP` (a literal), `add_arguments(parser)` and `run(args) -> int`. Only
the module of the command that was asked for is imported.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from patlang_ir.tools.process import guarded, usage_error

if TYPE_CHECKING:
    from patlang_ir.diagnostics import CompileError

COMMANDS = Path(__file__).parent / "commands"


class Command(Protocol):
    """What the module of a command exports."""

    HELP: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


def command_names() -> tuple[str, ...]:
    """The commands that exist, by their files."""
    return tuple(sorted(path.stem for path in COMMANDS.glob("[!_]*.py")))


def load_command(name: str) -> Command:
    """The module of a command."""
    return cast(Command, import_module(f"patlang_ir.tools.commands.{name}"))


def help_of(name: str) -> str:
    """The `HELP` of a command, read from its text: a list must not cost all their imports."""
    tree = ast.parse((COMMANDS / f"{name}.py").read_text(encoding="utf-8"))
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name("HELP")], value=ast.Constant(str(text))):
                return text
            case _:
                continue
    return ""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    return guarded(lambda: _dispatch(arguments))


def _dispatch(arguments: list[str]) -> int:
    match arguments:
        case ["-h" | "--help", *_]:
            print(_usage())
            return 0
        case ["-V" | "--version", *_]:
            from importlib.metadata import version

            print(f"patlang {version('patlang-ir')}")
            return 0
        case [name, *rest] if name in command_names():
            return _run_command(name, rest)
        case [name, *_]:
            raise _unknown_command(name)
        case _:
            print(_usage(), file=sys.stderr)
            return 1


def _run_command(name: str, arguments: list[str]) -> int:
    command = load_command(name)
    parser = argparse.ArgumentParser(prog=f"patlang {name}", description=command.HELP)
    parser.error = usage_error
    command.add_arguments(parser)
    return command.run(parser.parse_args(arguments))


def _usage() -> str:
    names = command_names()
    width = max(map(len, names), default=0)
    listed = [f"  {name:<{width}}  {help_of(name)}" for name in names]
    head = ["usage: patlang COMMAND ...", "       patlang COMMAND --help", "", "commands:"]
    return "\n".join([*head, *listed])


def _unknown_command(name: str) -> CompileError:
    from difflib import get_close_matches

    from patlang_ir.diagnostics import refuse

    names = command_names()
    similar = get_close_matches(name, names, n=1)
    help = f"did you mean '{similar[0]}'?" if similar else f"the commands are: {', '.join(names)}"
    if Path(name).is_file():
        help = f"to run a program, write: patlang run {name}"
    return refuse(None, "P905", f"unknown command '{name}'", help=help)


if __name__ == "__main__":
    sys.exit(main())
