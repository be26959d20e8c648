"""The code blocks of a documentation page, and what they do when they are run.

The word after a fence says what a block is: `patlang` a program, `python` a script, `console` a
session with `$` before each command, `text` what the block above it prints, and anything else a
file to read. `fails` after the word marks what is meant to fail; `file=NAME` names the file that a
block is written to.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from run_lines import TOOLS, run_tool

from patlang_ir.diagnostics import CompileError, LaunchError, RunError

FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAM = "example.patlang"
DEVICE_LINE = re.compile(r"^kernels run on .*\n", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page, and what the page says that it prints, if it does."""

    kind: str
    words: tuple[str, ...]
    body: str
    output: str | None = None

    @property
    def fails(self) -> bool:
        return "fails" in self.words

    @property
    def file(self) -> str:
        """The file that the block is written to."""
        named = [word.removeprefix("file=") for word in self.words if word.startswith("file=")]
        return named[0] if named else PROGRAM


def blocks_of(text: str) -> list[Block]:
    """The blocks of a page, each `text` block as the output of the one above it."""
    found: list[Block] = []
    for fence in FENCE.finditer(text):
        kind, *words = fence["info"].split() or [""]
        if kind == "text" and found:
            above = found.pop()
            found.append(Block(above.kind, above.words, above.body, fence["body"]))
        else:
            found.append(Block(kind, tuple(words), fence["body"]))
    return found


def write(block: Block, folder: Path) -> None:
    (folder / block.file).write_text(block.body, encoding="utf-8")


def patlang(*arguments: str) -> tuple[int, str]:
    """The status of `patlang`, and all that it prints but the line that names the device."""
    status, output, _ = run_tool("patlang", arguments, joined=True)
    return status, DEVICE_LINE.sub("", output)


def run_python(script: str) -> tuple[int, str]:
    """Whether a script ends with an error of ours, and what it prints, the error included."""
    output = StringIO()
    try:
        with redirect_stdout(output):
            exec(compile(script, "<page>", "exec"), {"__name__": "__page__"})
    except (CompileError, LaunchError, RunError) as error:
        return 1, f"{output.getvalue()}{error}\n"
    return 0, output.getvalue()


def run_console(session: str, folder: Path) -> tuple[int, str]:
    """The last status of a session, and the session with the output that its commands give."""
    status, shown = 0, ""
    for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        command = part.splitlines()[0]
        status, output = _run_command(command, folder)
        shown += f"$ {command}\n{output}"
    return status, shown


def _run_command(command: str, folder: Path) -> tuple[int, str]:
    scripts = os.path.dirname(sys.executable)
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    words = command.split()
    if words[0] in TOOLS and not set(command) & set("'\"|<>{"):
        status, output, _ = run_tool(words[0], words[1:], joined=True)
    else:
        result = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        status, output = result.returncode, result.stdout
    return status, DEVICE_LINE.sub("", output)


def codes_in(output: str) -> set[str]:
    """The codes of the diagnostics in a printed text."""
    return set(re.findall(r"(?:error|warning)\[(P\d+)\]", output))


def named(blocks: Sequence[Block], *kinds: str) -> list[Block]:
    """The blocks of these kinds."""
    return [block for block in blocks if block.kind in kinds]
