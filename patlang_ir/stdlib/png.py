"""Pictures: a PNG file from a list of numbers."""

from __future__ import annotations

import contextlib
import math
import os
import struct
import tempfile
import zlib
from fractions import Fraction
from pathlib import Path

from patlang_ir.runtime.host_kinds import TEXT, list_of
from patlang_ir.runtime.values import Value, describe, is_list, text
from patlang_ir.stdlib.registry import host

_LARGEST = 2**31 - 1
_GREY, _RGB = 0, 2


class _PictureError(Exception):
    """Why the arguments are no picture."""


@host("png_write", 4, pure=False, fresh=True, gives=list_of(TEXT))
def png_write(path: Value, rows: Value, cols: Value, values: Value) -> list[Value]:
    """Write a picture of `rows` times `cols` pixels. `values` holds one number of 0 to 255 for a
    pixel in grey, or three for one in red, green and blue; they are rounded and clamped. Gives
    `["Ok", ""]` or `["Err", message]`; on an error no file is left behind."""
    try:
        if type(path) is not str or not path:
            raise _PictureError(f"the path must be a string, not {describe(path)}")
        height, width = _size("rows", rows), _size("cols", cols)
        channels = _channels(height, width, values)
        colour = _GREY if channels == 1 else _RGB
        _replace(Path(path), _encode(height, width, colour, _levels(values)))
    except _PictureError as error:
        return ["Err", f"png_write: {error}"]
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return ["Err", f"png_write: {path}: {reason}"]
    return ["Ok", ""]


def _size(name: str, value: Value) -> int:
    if type(value) is float and value.is_integer():
        value = int(value)
    if type(value) is not int:
        raise _PictureError(f"{name} must be a whole number, not {describe(value)}")
    if not 1 <= value <= _LARGEST:
        raise _PictureError(f"{name} must be 1 to {_LARGEST}, not {value}")
    return value


def _channels(rows: int, cols: int, values: Value) -> int:
    if not is_list(values):
        raise _PictureError(f"the values must be a list, not {describe(values)}")
    for channels in (1, 3):
        if len(values) == rows * cols * channels:
            return channels
    raise _PictureError(
        f"{rows} x {cols} pixels need {rows * cols} or {3 * rows * cols} values, "
        f"and there are {len(values)}"
    )


def _levels(values: list[Value]) -> bytes:
    levels = bytearray(len(values))
    for position, value in enumerate(values):
        if type(value) is not float and type(value) is not int and type(value) is not Fraction:
            raise _PictureError(f"value {position} must be a real number, not {describe(value)}")
        if type(value) is float and not math.isfinite(value):
            raise _PictureError(f"value {position} is {text(value)}")
        levels[position] = 0 if value <= 0 else 255 if value >= 255 else math.floor(value + 0.5)
    return bytes(levels)


def _encode(rows: int, cols: int, colour: int, levels: bytes) -> bytes:
    stride = len(levels) // rows
    lines = b"".join(
        b"\0" + levels[start : start + stride] for start in range(0, len(levels), stride)
    )
    header = struct.pack(">IIBBBBB", cols, rows, 8, colour, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", header)
        + _chunk(b"IDAT", zlib.compress(lines, 9))
        + _chunk(b"IEND", b"")
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _replace(path: Path, data: bytes) -> None:
    """Put `data` in the place of `path` in one step."""
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, 0o666 & ~_creation_mask())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _creation_mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
