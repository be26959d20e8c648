"""Loading printed Triton: wrong arguments and Triton's own errors are diagnostics."""

from __future__ import annotations

import ast
import os

import pytest
from evaluator_kernels import linear
from triton_modules import printed

from patlang_ir.backends.triton import TritonText
from patlang_ir.diagnostics import LaunchError, Place

pytest.importorskip("torch")
pytest.importorskip("triton")

import torch

from patlang_ir.runtime.triton_errors import explained
from patlang_ir.runtime.triton_module import load_functions, load_triton
from patlang_ir.runtime.triton_places import places_of_lines

COPY = linear(
    {"x": "f32[]", "out": "f32[]"},
    """%offs = tile.index offs : T<i64>
    %v = tile.load %x[%offs] : (B<f32>, T<i64>) -> T<f32>
    tile.store %v, %out[%offs] : T<f32>, B<f32>, T<i64>""",
)
TEXT = TritonText("", {3: Place("a.patlang", 7, 2), 5: Place("a.patlang", 9, 4)}, {})


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((1, 2), "P502", "x: expected a tensor, got int"),
        ((torch.zeros(3), torch.zeros(3)), "P501", "x: expected a tensor on a GPU"),
        ((torch.zeros(3, dtype=torch.int32), torch.zeros(3)), "P502", "x: expected torch.float32"),
    ],
)
def test_arguments_that_do_not_fit(arguments: tuple[object, ...], code: str, message: str) -> None:
    launch = load_triton(printed(COPY), "k")
    with pytest.raises(LaunchError) as caught:
        launch(*arguments)
    assert caught.value.diagnostic.code == code
    assert message in caught.value.diagnostic.message


def test_a_text_is_loaded_once() -> None:
    text = printed(COPY)
    assert load_functions(text)[1] is load_functions(printed(COPY))[1]
    other = TritonText(text.text, {1: Place("other", 1, 1)}, text.names)
    assert load_functions(other)[1] is not load_functions(text)[1]


def test_the_reason_on_standard_error_is_heard(capfd: pytest.CaptureFixture[str]) -> None:
    def again() -> None:
        os.write(2, b"a.patlang:9:4: error: operand #0 must be a tensor\nmore\n")
        raise RuntimeError("PassManager::run failed")

    (diagnostic,) = explained(RuntimeError("PassManager::run failed"), TEXT, again).diagnostics
    assert diagnostic.code == "P504"
    assert "operand #0 must be a tensor" in diagnostic.message
    assert diagnostic.place == Place("a.patlang", 7, 2)
    assert capfd.readouterr().err == ""


def test_the_innermost_place_is_shown() -> None:
    class AtNode(Exception):
        def __init__(self, line: int, message: str):
            super().__init__(message)
            self.node = ast.Pass(lineno=line, col_offset=3)
            self.error_message = message

    outer = AtNode(7, "outer")
    outer.__cause__ = AtNode(9, "inner")
    (diagnostic,) = explained(outer, TEXT, lambda: None).diagnostics
    assert diagnostic.place == Place("a.patlang", 9, 4)
    assert diagnostic.message == "Triton says: inner"


def test_a_line_without_a_place_has_that_of_the_line_before() -> None:
    assert {line: place.line for line, place in places_of_lines(TEXT, 2, 6).items()} == {
        2: 7,
        3: 7,
        4: 7,
        5: 9,
        6: 9,
    }
    assert places_of_lines(TEXT, 10, 12) == {}
