"""What a printed launcher of a matmul kernel refuses, before anything is written."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from itertools import product as combinations
from pathlib import Path
from typing import Any, TypeGuard

import pytest
from matmul_runs import printed

from patlang_ir.backends.triton.matmul_helpers import CHECK_SEPARATE, SOLVE_SIZES

sys.path.insert(0, str(Path(__file__).parents[1] / "gpu"))

from matmul_kernels import product

torch = pytest.importorskip("torch")
pytest.importorskip("triton")

REFUSED = {
    "a, b[:5], c": "ValueError: b has 5 rows, but a has 6 columns; both are K",
    "a, b, c[:3]": "ValueError: c has 3 rows, but a has 4 rows; both are M",
    "a, b, c.T": "ValueError: c has 8 rows, but a has 4 rows; both are M",
    "a[0], b, c": "ValueError: a: expected a matrix, got the shape (6,)",
    "a.double(), b, c": "TypeError: a: expected torch.float32, got torch.float64",
    "a.numpy(), b, c": "TypeError: a: expected a tensor, got ndarray",
    "a, torch._neg_view(b), c": (
        "ValueError: b: is the negative of what it lies in; pass its resolve_neg()"
    ),
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


def helper(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(text, names)
    return names


def test_sizes_that_are_given_and_vectors() -> None:
    solve = helper(SOLVE_SIZES.text)["solve_sizes"]
    a, b, v = torch.zeros(4, 16), torch.zeros(16, 7), torch.zeros(7)
    rows = (("a", a, ("M", 16)), ("b", b, (16, "N")), ("v", v, (1, "N")))
    assert solve(("M", "N"), *rows) == [4, 7]
    assert solve(("N",), ("v", v, ("N", 1))) == [7]
    with pytest.raises(ValueError, match=r"^a has 4 rows, not 16$"):
        solve(("M",), ("a", a, (16, "M")))
    with pytest.raises(ValueError, match=r"^b has 16 rows, but a has 4 rows; both are M$"):
        solve(("M",), ("a", a, ("M", 16)), ("b", b, ("M", 7)))
    with pytest.raises(ValueError, match=r"^v: expected a matrix, got the shape \(7,\)$"):
        solve(("M",), ("v", v, ("M", 7)))


def test_nothing_that_shares_memory_is_taken() -> None:
    """Against the places of all elements, for all small views of one piece of memory."""
    check = helper(CHECK_SEPARATE.text)["check_separate"]
    memory = torch.zeros(40)
    views = [
        memory.as_strided(shape, strides, offset)
        for shape in combinations(range(4), repeat=2)
        for strides in ((0, 1), (1, 0), (1, 1), (3, 1), (1, 3), (2, 2), (4, 2), (3, 2))
        for offset in (0, 5, 12)
    ]
    places = [torch.arange(40).as_strided(v.shape, v.stride(), v.storage_offset()) for v in views]
    taken = 0
    for one, its in zip(views[::3], places[::3], strict=True):
        for other, others in zip(views, places, strict=True):
            try:
                check(("one", one, True), ("other", other, False))
            except ValueError:
                continue
            taken += one.numel() > 0 < other.numel()
            own, read = its.flatten().tolist(), others.flatten().tolist()
            assert len(own) == len(set(own)) and not set(own) & set(read)
    assert taken > 100


def test_columns_of_one_matrix_are_apart() -> None:
    """Each of two written matrices is compared with all others."""
    check = helper(CHECK_SEPARATE.text)["check_separate"]
    memory = torch.zeros(8, 8)
    check(("top", memory[:4], True), ("low", memory[4:], True))
    check(("turned", memory.T, True), ("none", memory[:0], False))
    for rows in (
        (("a", memory[:4], True), ("b", memory[3:], False)),
        (("a", memory[:4], False), ("b", memory[3:], True)),
    ):
        with pytest.raises(ValueError, match="is written, but shares memory with"):
            check(*rows)


OWN = ("_", "plan", "chosen", "cores", "programs", "a_in", "describe", "contextlib", "numbers")
"""Names that launchers have for themselves."""


@pytest.mark.parametrize("place", ["a", "b", "c"])
def test_parameters_may_have_the_names_of_what_a_launcher_uses(place: str) -> None:
    for name in OWN:
        text = product("f16", "f16").replace(f'"{place}"', f'"{name}"')
        tree = ast.parse(printed(text).text)
        (launcher,) = (f for f in tree.body if getattr(f, "name", "") == "matmul")
        assert isinstance(launcher, ast.FunctionDef)
        own = {node.id for node in ast.walk(launcher) if is_assigned(node)}
        assert not own & {argument.arg for argument in launcher.args.args}


def is_assigned(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def test_a_result_without_elements_may_have_any_strides() -> None:
    functions: dict[str, Any] = {"torch": torch}
    exec(CHECK_SEPARATE.text, functions)
    for shape, strides in (((5, 0), (0, 1)), ((0, 4), (1, 0)), ((0, 0), (0, 0))):
        empty = torch.empty(8).as_strided(shape, strides)
        functions["check_separate"](("a", torch.ones(5, 4), False), ("c", empty, True))
