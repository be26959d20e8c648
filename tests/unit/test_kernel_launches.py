"""Calls of kernels that must fail, and leave everything as it was; calls from PatLang programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import patlang_ir as pl
from patlang_ir.diagnostics import CompileError, Diagnostic, LaunchError, RunError

COPY = "store(out, offs, x[offs])"


def text_of(body: str, params: str = "x, out", kind: str = "gpu_kernel") -> str:
    return f"# @{kind}\nmake a function called k takes {params}\n{body}\nend\n"


def kernel(body: str, params: str = "x, out", kind: str = "gpu_kernel") -> pl.Kernel:
    return pl.loads(text_of(body, params, kind))["k"]


def refusal(call: Callable[..., Any], *args: Any) -> Diagnostic:
    """The one error of a call, after which the arguments are what they were."""
    before = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    with pytest.raises(LaunchError) as caught:
        call(*args)
    for now, then in zip(args, before, strict=True):
        if isinstance(now, np.ndarray):
            np.testing.assert_array_equal(now, then)
    return caught.value.diagnostic


def floats(*values: float) -> Any:
    return np.array(values, np.float32)


X = floats(1, 2, 3)

REFUSED: dict[str, tuple[pl.Kernel, tuple[Any, ...], str, str]] = {
    "one too few": (kernel(COPY), (X,), "P203", "takes 2 arguments (x, out), not 1"),
    "one too many": (kernel(COPY), (X, X, 3), "P203", "takes 2 arguments (x, out), not 3"),
    "too long": (kernel(COPY), (X, floats(0, 0, 0, 0)), "P501", "has 4 elements and 'x' has 3"),
    "too short": (kernel(COPY), (X, floats(0)), "P501", "'out' has 1 element and 'x' has 3"),
    "empty": (kernel(COPY), (X, floats()), "P501", "'out' has 0 elements"),
    "complex": (kernel(COPY), (X, np.zeros(3, np.complex64)), "P502", "complex64"),
    "unsigned": (kernel(COPY), (X, np.zeros(3, np.uint32)), "P502", "uint32"),
    "objects": (kernel(COPY), (np.array([1, "a", None]), X.copy()), "P502", "object"),
    "text": (kernel(COPY), (np.array(["a"]), X.copy()), "P502", "'x'"),
    "other byte order": (kernel(COPY), (X.astype(">f4"), X.copy()), "P502", "'x'"),
    "a list": (kernel(COPY), ([1.0, 2.0], X.copy()), "P502", "'x' is a buffer, and list"),
    "a number for a buffer": (kernel(COPY), (2.0, X.copy()), "P502", "'x' is a buffer, and float"),
    "nothing": (kernel(COPY), (X, None), "P502", "'out' is a buffer"),
    "not contiguous": (kernel(COPY), (np.zeros(6, np.float32)[::2], X.copy()), "P506", "'x'"),
    "reversed": (kernel(COPY), (X[::-1], X.copy()), "P506", "'x' is not contiguous"),
    "an array for a number": (
        kernel("store(out, offs, x[offs] * s)", "x, out, s"), (X, X.copy(), X), "P502",
        "'s' is used as a single number",
    ),
    "a text for a number": (
        kernel("store(out, offs, x[offs] * s)", "x, out, s"), (X, X.copy(), "3"), "P502",
        "'s' is used as a single number, and a string was given",
    ),
    "a number without end": (
        kernel("store(out, offs, x[offs] * s)", "x, out, s"), (X, X.copy(), 10**400), "P502",
        "'s' is too large",
    ),
    "one axis for two": (
        kernel(COPY, kind="gpu_kernel_2d"), (X, X.copy()), "P501", "'x' has 1 dimension,",
    ),
    "three axes for two": (
        kernel(COPY, kind="gpu_kernel_2d"), (np.zeros((1, 1, 1)), X.copy()), "P501",
        "'x' has 3 dimensions",
    ),
    "two shapes": (
        kernel(COPY, kind="gpu_kernel_2d"), (np.zeros((2, 3)), np.zeros((2, 2))), "P501",
        "'out' has 4 elements and 'x' has 6",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_arguments_that_do_not_fit(name: str) -> None:
    called, args, code, message = REFUSED[name]
    found = refusal(called, *args)
    assert found.code == code and message in found.message
    assert "'k'" in found.message


def test_a_buffer_that_may_not_be_written() -> None:
    out = X.copy()
    out.flags.writeable = False
    assert "read-only" in refusal(kernel(COPY), X, out).message
    kernel(COPY)(out, X.copy())


# --- overlap ---


def test_arguments_that_overlap() -> None:
    memory = np.arange(8, dtype=np.float32)
    copy, shifted = kernel(COPY), kernel("store(out, offs, x[offs - 1])")
    for x, out in [(memory[:6], memory[2:]), (memory[1:5], memory[:4]), (memory[:4], memory[3:7])]:
        found = refusal(copy, x, out)
        assert found.code == "P503" and "'out'" in found.message and "'x'" in found.message
    assert refusal(shifted, memory, memory).code == "P503"
    assert refusal(copy, memory.reshape(2, 4), memory).code == "P503"
    copy(memory[:4], memory[4:])
    assert memory.tolist() == [0, 1, 2, 3] * 2
    kernel("store(out, offs, x[offs] + 1.0)")(memory, memory)
    assert memory.tolist() == [1, 2, 3, 4] * 2


def test_an_array_without_axes_is_no_number() -> None:
    scale = kernel("store(out, offs, x[offs] * s)", "x, s, out")
    assert refusal(scale, X, np.array(2.0), X.copy()).help == "pass s.item(), which is a number"
    assert "s[offs]" in refusal(scale, X, np.array([2.0]), X.copy()).help


def test_inputs_may_overlap() -> None:
    memory, out = np.arange(5.0), np.zeros(4)
    kernel("store(out, offs, x[offs] + y[offs - 1])", "x, y, out")(memory[1:], memory[:4], out)
    assert out.tolist() == [1, 2, 4, 6]


def test_two_outputs_may_be_one_where_each_lane_keeps_to_itself() -> None:
    body = "store(a, offs, x[offs]) store(b, {}, x[offs] * 2.0)"
    memory = np.zeros(4)
    kernel(body.format("offs"), "x, a, b")(np.ones(4), memory, memory)
    assert memory.tolist() == [2] * 4
    found = refusal(kernel(body.format("n - 1 - offs"), "x, a, b"), np.ones(4), memory, memory)
    assert found.code == "P503"


def test_empty_arrays() -> None:
    empty = floats()
    kernel(COPY)(empty, empty.copy())
    total = floats(7)
    kernel("store(out, 0, sum(x[offs]))")(empty, total)
    assert total.tolist() == [0]
    grid = np.zeros((0, 3), np.float32)
    kernel(COPY, kind="gpu_kernel_2d")(grid, grid.copy())


def test_shapes_that_fit() -> None:
    x = np.arange(6, dtype=np.float32)
    out = np.zeros((2, 3), np.float32)
    kernel(COPY)(x, out)
    assert out.tolist() == [[0, 1, 2], [3, 4, 5]]
    flat = np.zeros(6, np.float32)
    kernel("store(out, offs, row * 10 + col + x[offs])", kind="gpu_kernel_2d")(out, flat)
    assert flat.tolist() == [0, 2, 4, 13, 15, 17]
    one = np.array(5.0)
    kernel("store(x, offs, x[offs] + 1.0)", "x")(one)
    assert one == 6


def test_an_unused_parameter_takes_anything() -> None:
    for unused in (X, 3, None, "text", [1]):
        out = np.zeros(3, np.float32)
        kernel(COPY, "x, unused, out")(X, unused, out)
        assert out.tolist() == [1, 2, 3]


def test_a_kernel_is_compiled_for_its_types() -> None:
    add = kernel("store(out, offs, x[offs] + 1)")
    for dtype in (np.float32, np.int8, np.float64, np.uint8, np.int64, np.float16):
        out = np.zeros(2, dtype)
        add(np.array([1, 2], dtype), out)
        assert out.tolist() == [2, 3]


def test_types_that_do_not_meet_are_a_compile_error() -> None:
    with pytest.raises(CompileError) as caught:
        kernel("store(out, offs, x[offs] + 1)")(np.zeros(2, np.bool_), np.zeros(2))
    assert [d.code for d in caught.value.diagnostics] == ["P305"]


# --- calls from PatLang ---


def program(call: str, body: str, params: str = "x, out", kind: str = "gpu_kernel") -> Any:
    return pl.loads(f"{text_of(body, params, kind)}{call}").run(device="cpu")


def test_a_call_binds_the_variable_of_the_caller_alone() -> None:
    call = """
let a = [1, 2.5, 1/2]
let out = [0, 0, 0]
let other = out
let held = [out, 7]
let result = k(a, out)
return [out, other, held, a, result]
"""
    out, other, held, a, result = program(call, "store(out, offs, x[offs] * 2)")
    assert out == [2.0, 5.0, 1.0] and all(type(v) is float for v in out)
    assert other == [0, 0, 0] and held == [[0, 0, 0], 7] and a[0] == 1
    assert result is None


def test_a_list_in_two_places() -> None:
    call = "let a = [1, 2, 3]\nk(a, a)\nreturn a\n"
    assert program(call, "store(out, offs, x[offs] + 1)") == [2, 3, 4]
    shifted = "let a = [1, 2, 3]\nk(a, a)\nreturn a\n"
    assert program(shifted, "store(out, offs, x[offs - 1])") == [0, 1, 2]


def test_lists_of_indices() -> None:
    call = "let out = [0, 0, 0]\nk([5, 6, 7], [2, 0, 9], out)\nreturn out\n"
    assert program(call, "store(out, offs, x[at[offs]])", "x, at, out") == [7, 5, 0]
    call = call.replace("[2, 0, 9]", "[4/2, 0.0, 1]")
    assert program(call, "store(out, offs, x[at[offs]])", "x, at, out") == [7, 5, 6]


LISTS = {
    "a fraction": ("[1/2, 0, 1]", "'at' must hold whole numbers"),
    "a float": ("[0.5, 0, 1]", "'at' must hold whole numbers"),
    "a large number": ("[9223372036854775808, 0, 1]", "'at' must hold whole numbers"),
    "a string": ('[0, "1", 2]', "element 1 of 'at' is a string"),
    "a truth value": ("[0, 1, true]", "element 2 of 'at' is a truth value"),
    "a list": ("[[0], 1, 2]", "element 0 of 'at' is a list"),
    "a number": ("3", "'at' is a buffer"),
    "another length": ("[0, 1]", "'at' has 2 elements and 'x' has 3"),
}


@pytest.mark.parametrize("name", LISTS)
def test_lists_that_do_not_fit(name: str) -> None:
    value, message = LISTS[name]
    call = f"let out = [0, 0, 0]\nk([5, 6, 7], {value}, out)\nreturn out\n"
    with pytest.raises(RunError, match=message):
        program(call, "store(out, offs, x[at[offs]])", "x, at, out")


def test_numbers_that_floats_hold_and_others() -> None:
    call = "let out = [0]\nk([{}], out)\nreturn out\n"
    big = 2**70
    assert program(call.format(big), COPY) == [float(big)]
    assert program(call.format("1/3"), COPY) == [1 / 3]
    with pytest.raises(RunError, match="'x' must hold numbers that a float can hold"):
        program(call.format(10**400), COPY)


@pytest.mark.parametrize(
    ("scalar", "expected"),
    [("3", 6.0), ("2.5", 5.0), ("1/4", 0.5), ("0 - 3", -6.0), (str(2**70), 2.0**71)],
)
def test_scalars(scalar: str, expected: float) -> None:
    call = f"let out = [0]\nk([2], out, {scalar})\nreturn out\n"
    assert program(call, "store(out, offs, x[offs] * s)", "x, out, s") == [expected]


@pytest.mark.parametrize("scalar", ['"3"', "[3]", str(10**400)])
def test_scalars_that_are_none(scalar: str) -> None:
    call = f"let out = [0]\nk([2], out, {scalar})\nreturn out\n"
    with pytest.raises(RunError, match="'s' is"):
        program(call, "store(out, offs, x[offs] * s)", "x, out, s")


def test_a_truth_value_is_a_condition_and_no_number() -> None:
    call = "let out = [0]\nk([2], out, {})\nreturn out\n"
    body = "if s then store(out, offs, x[offs]) end"
    assert program(call.format("true"), body, "x, out, s") == [2]
    assert program(call.format("1 < 0"), body, "x, out, s") == [0]
    with pytest.raises(CompileError):
        program(call.format("true"), "store(out, offs, x[offs] * s)", "x, out, s")


# --- checked runs ---


def checked(body: str, s: int) -> list[float]:
    out = np.zeros(3)
    kernel(body, "x, out, s")(np.array([1.0, 2.0, 3.0]), out, s, checked=True)
    return out.tolist()


@pytest.mark.parametrize(
    ("risk", "message"),
    [
        ("x[9]", "index 9 is outside 'x'"),
        ("7 % (s - s)", "divided by 0"),
        ("7 % 0", "divided by 0"),
    ],
)
def test_what_never_runs_is_no_error(risk: str, message: str) -> None:
    body = f"""
let a = 0
let i = 0
while i < s do
  let a = a + {risk}
  let i = i + 1
end
if s == 5 then
  let a = {risk}
end
store(out, offs, x[offs] + a)
"""
    assert checked(body, 0) == [1, 2, 3]
    for turns in (1, 5):
        with pytest.raises(RunError, match=message):
            checked(body, turns)


def test_a_negated_view_is_refused_on_the_cpu_too() -> None:
    torch = pytest.importorskip("torch")
    x, out = torch._neg_view(torch.ones(3)), torch.full((3,), 7.0)
    with pytest.raises(LaunchError, match="is the negative of what it lies in"):
        kernel("store(out, offs, x[offs])")(x, out)
    assert (out == 7).all()
