"""Finding and reading the files of a program."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from patlang_ir.diagnostics import Diagnostic, Place
from patlang_ir.stdlib.libraries import GPU_LIBRARIES, LIBRARIES

PathMap: TypeAlias = Sequence[tuple[str, str]]
"""Pairs (old, new): a path that begins with `old` is looked for with `new` in its place."""

TAIL = re.compile(r"(?:^|[/\\])((?:lib|examples)[/\\]([^/\\]+))$")


def bundled_library(path: str, includer: str, path_map: PathMap = ()) -> str:
    """The bundled library that `include PATH` in `includer` means; empty if it means a file.

    A file that stands where the path says comes first, except for the GPU libraries in a folder
    `lib`.
    """
    *folders, file = re.split(r"[/\\]", path)
    name = file.removesuffix(".patlang")
    if name not in LIBRARIES:
        return ""
    if name in GPU_LIBRARIES and folders[-1:] == ["lib"]:
        return name
    written = _as_written(path, os.path.dirname(includer), path_map)
    return "" if any(map(os.path.isfile, written)) else name


def find_include(path: str, includer: str, path_map: PathMap = ()) -> str | Diagnostic:
    """The file that `include PATH` in `includer` means, or why there is none."""
    tried = list(dict.fromkeys(_candidates(path, os.path.dirname(includer), path_map)))
    found = next(filter(os.path.isfile, tried), None)
    if found is not None:
        return found
    return Diagnostic(
        "P107",
        f"{includer} includes '{path}', which does not exist",
        help=f"looked for {', '.join(tried)}; --path-map OLD=NEW maps a folder to another",
    )


def _candidates(path: str, folder: str, path_map: PathMap) -> Iterator[str]:
    """Where a path may be: as mapped, as written, or by its tail beside the includer."""
    yield from _as_written(path, folder, path_map)
    tail = TAIL.search(path)
    if tail is None:
        return
    yield _beside(folder, tail[1].replace("\\", "/"))
    yield _beside(folder, tail[2])
    yield _beside(folder, "../" + tail[1].replace("\\", "/"))


def _as_written(path: str, folder: str, path_map: PathMap) -> Iterator[str]:
    for old, new in path_map:
        if path.startswith(old):
            yield _beside(folder, (new + path[len(old) :]).replace("\\", "/"))
    yield _beside(folder, path)
    if "\\" in path:
        yield _beside(folder, path.replace("\\", "/"))


def _beside(folder: str, path: str) -> str:
    return os.path.normpath(os.path.join(folder, path))


def read_source(path: str | os.PathLike[str]) -> str | Diagnostic:
    """The text of a file, or why it cannot be read."""
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return Diagnostic("P101", f"cannot read '{os.fspath(path)}': {reason}")
    return decode(data, os.fspath(path))


def decode(data: bytes, name: str) -> str | Diagnostic:
    """The text of UTF-8 bytes, or where they are something else."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        return Diagnostic(
            "P102",
            f"the byte 0x{data[error.start]:02x} is not UTF-8",
            Place(name, line, column),
            help="save the file as UTF-8",
        )
