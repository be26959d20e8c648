"""What a printed launcher of a matmul kernel refuses, before anything is written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from matmul_runs import printed

sys.path.insert(0, str(Path(__file__).parents[1] / "gpu"))

from matmul_kernels import product

pytest.importorskip("torch")
pytest.importorskip("triton")

REFUSED = {
    "a, b[:5], c": "ValueError: b has 5 rows, but a has 6 columns; both are K",
    "a, b, c[:3]": "ValueError: c has 3 rows, but a has 4 rows; both are M",
    "a, b, c.T": "ValueError: c has 8 rows, but a has 4 rows; both are M",
    "a[0], b, c": "ValueError: a: expected a matrix, got the shape (6,)",
    "a.double(), b, c": "TypeError: a: expected torch.float32, got torch.float64",
    "a.numpy(), b, c": "TypeError: a: expected a tensor, got ndarray",
    "c[:, :6], b, c": "ValueError: c: is written, but shares memory with a",
    "a, b, c[:1].expand(4, 8)": "ValueError: c: is written, but two of its elements share memory",
    "a, b, torch.zeros(20).as_strided((4, 8), (2, 1))": (
        "ValueError: c: is written, but two of its elements share memory"
    ),
}
SCRIPT = """
for arguments in REFUSED:
    a, b, c = torch.ones(4, 6), torch.ones(6, 8), torch.full((4, 8), 7.0)
    try:
        matmul(*eval(f"({arguments},)"))
        print("nothing")
    except Exception as error:
        print(f"{type(error).__name__}: {error}", bool((c == 7).all()))
"""


def test_refusals(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text(f"{printed(product('f32')).text}\nREFUSED = {list(REFUSED)!r}\n{SCRIPT}")
    run = subprocess.run(
        [sys.executable, "-W", "ignore", str(file)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "TRITON_INTERPRET": "1"},
    )
    assert run.stdout.splitlines() == [f"{message} True" for message in REFUSED.values()]
