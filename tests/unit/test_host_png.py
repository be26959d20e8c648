"""Pictures are read back by an independent decoder."""

from __future__ import annotations

import math
import os
import struct
import zlib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from patlang_ir.stdlib.png import png_write


def decode(path: Path) -> tuple[int, int, int, list[int]]:
    """Rows, columns, channels and values; every checksum is verified."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    position, packed, header = 8, b"", b""
    while position < len(data):
        (size,) = struct.unpack_from(">I", data, position)
        kind, body = data[position + 4 : position + 8], data[position + 8 : position + 8 + size]
        (checksum,) = struct.unpack_from(">I", data, position + 8 + size)
        assert checksum == zlib.crc32(kind + body)
        header = body if kind == b"IHDR" else header
        packed += body if kind == b"IDAT" else b""
        position += 12 + size
    assert kind == b"IEND"
    cols, rows, depth, colour, *rest = struct.unpack(">IIBBBBB", header)
    assert (depth, rest) == (8, [0, 0, 0])
    channels = {0: 1, 2: 3}[colour]
    raw, stride = zlib.decompress(packed), 1 + cols * channels
    assert len(raw) == rows * stride
    lines = [raw[start : start + stride] for start in range(0, len(raw), stride)]
    assert all(line[0] == 0 for line in lines)
    return rows, cols, channels, [level for line in lines for level in line[1:]]


def test_grey(tmp_path: Path) -> None:
    path = tmp_path / "grey.png"
    values = [0, 255, -5, 300.0, 1.5, Fraction(5, 2)]
    assert png_write(str(path), 2, 3, values) == ["Ok", ""]
    assert decode(path) == (2, 3, 1, [0, 255, 0, 255, 2, 3])


def test_colour(tmp_path: Path) -> None:
    path = tmp_path / "colour.png"
    values = [float(value) for value in range(12)]
    assert png_write(str(path), 1.0, 4, values) == ["Ok", ""]
    assert decode(path) == (1, 4, 3, list(range(12)))


def test_an_old_picture_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_text("old")
    assert png_write(str(path), 1, 1, [7]) == ["Ok", ""]
    assert decode(path) == (1, 1, 1, [7])
    assert os.listdir(tmp_path) == ["a.png"]


def test_the_file_is_as_readable_as_others(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    png_write(str(tmp_path / "a.png"), 1, 1, [7])
    modes = {(tmp_path / name).stat().st_mode for name in ("plain", "a.png")}
    assert len(modes) == 1


@pytest.mark.parametrize(
    ("rows", "cols", "values", "named"),
    [
        (2, 2, [1, 2, 3], "4 or 12 values, and there are 3"),
        (2, 2, [], "there are 0"),
        (0, 2, [], "rows must be 1 to"),
        (1, -1, [1], "cols must be 1 to"),
        (1.5, 2, [1, 2, 3], "rows must be a whole number, not the float 1.5"),
        (math.nan, 2, [1], "rows must be a whole number"),
        (True, 1, [1], "rows must be a whole number, not the boolean true"),
        (1, "2", [1, 2], "cols must be a whole number, not the string"),
        (1, 1, "x", "the values must be a list, not the string"),
        (1, 2, [1, math.nan], "value 1 is NaN"),
        (1, 2, [math.inf, 1], "value 0 is inf"),
        (1, 2, [1, "2"], "value 1 must be a real number, not the string"),
        (1, 2, [True, 2], "value 0 must be a real number, not the boolean true"),
        (1, 2, [1, None], "value 1 must be a real number, not unit"),
        (1, 2, [1j, 1], "value 0 must be a real number, not the complex number"),
    ],
)
def test_what_is_no_picture(tmp_path: Path, rows: Any, cols: Any, values: Any, named: str) -> None:
    status, message = png_write(str(tmp_path / "a.png"), rows, cols, values)
    assert status == "Err"
    assert named in message
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("path", ["", 5, None, "/no/such/folder/a.png", "a\0b.png"])
def test_paths_that_cannot_be_written(path: Any) -> None:
    status, message = png_write(path, 1, 1, [1])
    assert status == "Err"
    assert message.startswith("png_write: ")


def test_a_folder_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "a.png").mkdir()
    status, _ = png_write(str(tmp_path / "a.png"), 1, 1, [1])
    assert status == "Err"
    assert os.listdir(tmp_path) == ["a.png"]


def test_a_failing_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.png"
    path.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert png_write(str(path), 1, 1, [1]) == [
        "Err",
        f"png_write: {path}: No space left on device",
    ]
    assert os.listdir(tmp_path) == ["a.png"]
    assert path.read_text() == "old"
