"""The host functions, against the table of the language reference."""

from __future__ import annotations

import io
import math
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from patlang_ir.runtime.host_machine import Machine
from patlang_ir.runtime.values import Fault
from patlang_ir.stdlib.registry import HOST_FUNCTIONS, host


def call(name: str, *arguments: Any, machine: Machine | None = None) -> Any:
    function = HOST_FUNCTIONS[name]
    first = (machine or Machine(out=io.StringIO()),) if function.stateful else ()
    return function.implementation(*first, *arguments)


def check(name: str, arguments: tuple[Any, ...], want: Any) -> None:
    got = call(name, *arguments)
    assert type(got) is type(want), got
    if isinstance(want, float) and math.isnan(want):
        assert math.isnan(got)
    else:
        assert got == want, got
        if isinstance(want, float):
            assert math.copysign(1, got) == math.copysign(1, want)


@pytest.mark.parametrize(
    ("name", "arguments", "want"),
    [
        ("to_num", (Fraction(1, 2),), Fraction(1, 2)),
        ("to_num", (" 42 ",), 42),
        ("to_num", ("-7",), -7),
        ("to_num", ("1e3",), 1000.0),
        ("to_num", ("2.50",), 2.5),
        ("to_num", ("inf",), math.inf),
        ("to_num", ("nan",), math.nan),
        ("to_num", ("abc",), 0.0),
        ("to_num", ("",), 0.0),
        ("to_num", ("1_000",), 0.0),
        ("to_num", ("0x10",), 0.0),
        ("to_num", ("9" * 30,), int("9" * 30)),
        ("to_num", (True,), 1),
        ("to_num", ([1],), 0),
        ("to_num", (None,), 0),
        ("list_len", ([1, 2],), "2"),
        ("list_len", (None,), "0"),
        ("list_push", ([1], 2), [1, 2]),
        ("list_push", (None, 2), [2]),
        ("list_set", ([1, 2], 1.0, 9), [1, 9]),
        ("list_get", ([1, 2], 5), None),
        ("list_get", ("ab", 1), "b"),
        ("substr", ("hello", 1, 3), "ell"),
        ("substr", ("hello", -2, 3), "hel"),
        ("substr", ("hello", 3, 9), "lo"),
        ("substr", ("hello", 9, 1), ""),
        ("substr", ("hello", 1, -1), ""),
        ("chr", (65,), "A"),
        ("chr", (0xD800,), ""),
        ("chr", (-1,), ""),
        ("chr", (0x110000,), ""),
        ("char_code", ("aB", 1), 66),
        ("char_code", ("aB", 2), -1),
        ("char_code", ("aB", -1), -1),
        ("sqrt", (16,), 4),
        ("sqrt", (Fraction(9, 4),), Fraction(3, 2)),
        ("sqrt", (10**40,), 10**20),
        ("sqrt", (2,), math.sqrt(2)),
        ("sqrt", (4.0,), 2.0),
        ("sqrt", (-0.0,), -0.0),
        ("sqrt", (math.nan,), math.nan),
        ("sqrt", (-4,), 2j),
        ("sqrt", (-2.25,), 1.5j),
        ("abs", (-3,), 3),
        ("abs", (-0.5,), 0.5),
        ("abs", (Fraction(-1, 2),), Fraction(1, 2)),
        ("min", (1, 2), 1.0),
        ("max", (1, 2), 2.0),
        ("max", (0.0, -0.0), 0.0),
        ("max", (-0.0, 0.0), 0.0),
        ("min", (0.0, -0.0), -0.0),
        ("min", (math.nan, 1), math.nan),
        ("max", (1, math.nan), math.nan),
        ("floor", (Fraction(-7, 2),), -4),
        ("floor", (2.7,), 2.0),
        ("floor", (-0.5,), -1.0),
        ("floor", (3,), 3),
        ("ceil", (-0.5,), -0.0),
        ("ceil", (Fraction(7, 2),), 4),
        ("trunc", (-2.7,), -2.0),
        ("round", (2.5,), 3.0),
        ("round", (-2.5,), -3.0),
        ("round", (0.49999999999999994,), 0.0),
        ("round", (Fraction(-5, 2),), -3),
        ("round", (1e300,), 1e300),
        ("round", (math.inf,), math.inf),
        ("pow", (2, 100), 2**100),
        ("pow", (2, -2), Fraction(1, 4)),
        ("pow", (Fraction(1, 2), 2), Fraction(1, 4)),
        ("pow", (Fraction(1, 2), -2), 4),
        ("pow", (2, 0.5), math.sqrt(2)),
        ("pow", (-8.0, Fraction(1, 3)), math.nan),
        ("pow", (-10.0, 401), -math.inf),
        ("pow", (10.0, 400), math.inf),
        ("pow", (0.0, -1), math.inf),
        ("sin", (math.inf,), math.nan),
        ("cos", (0,), 1.0),
        ("acos", (2,), math.nan),
        ("atan2", (1, 1), math.pi / 4),
        ("log", (0,), -math.inf),
        ("log", (-1,), math.nan),
        ("log", (1,), 0.0),
        ("exp", (1000,), math.inf),
        ("exp", (0,), 1.0),
        ("to_fixed", (2.345, 1), "2.3"),
        ("to_fixed", (2, 3), "2.000"),
        ("to_fixed", (math.inf, 3), "inf"),
        ("type_of", (None,), "unit"),
        ("type_of", (True,), "bool"),
        ("type_of", (2**63 - 1,), "int"),
        ("type_of", (2**63,), "bigint"),
        ("type_of", (0.5,), "float"),
        ("type_of", (Fraction(1, 2),), "rational"),
        ("type_of", (1j,), "complex"),
        ("type_of", ("",), "string"),
        ("type_of", ([],), "list"),
        ("numeric_kind", (2**63,), "bigint"),
        ("numeric_kind", (True,), "other"),
        ("hash_string", ("",), "cbf29ce484222325"),
        ("hash_string", ("a",), "af63dc4c8601ec8c"),
        ("hash_string", ("foobar",), "85944171f73967e8"),
    ],
)
def test_results(name: str, arguments: tuple[Any, ...], want: Any) -> None:
    check(name, arguments, want)


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("list_push", (5, 1), "P603"),
        ("list_set", ([1], 1, 0), "P603"),
        ("list_set", ([1], -1, 0), "P603"),
        ("list_set", (None, 0, 0), "P603"),
        ("substr", (5, 0, 1), "P603"),
        ("chr", ("a",), "P603"),
        ("chr", (math.nan,), "P603"),
        ("sin", (True,), "P603"),
        ("sqrt", ("4",), "P603"),
        ("min", (1, 1j), "P603"),
        ("pow", (0, -1), "P602"),
        ("to_fixed", (1, -1), "P603"),
        ("sb_push", (7, "x"), "P603"),
        ("vec_get", (0, 0), "P603"),
        ("read_file", ("/no/such/file",), "P603"),
        ("write_file", ("/dev/null/x", "y"), "P603"),
        ("apply", ("f",), "P603"),
        ("sleep_ms", (math.inf,), "P603"),
    ],
)
def test_refusals(name: str, arguments: tuple[Any, ...], code: str) -> None:
    with pytest.raises(Fault) as caught:
        call(name, *arguments)
    assert caught.value.code == code
    assert name in caught.value.message or name[:2] in ("sb", "ve")


def test_pushing_leaves_the_old_list() -> None:
    xs = [1]
    call("list_push", xs, 2)
    call("list_set", xs, 0, 9)
    assert xs == [1]


def test_print_takes_the_first_argument_only() -> None:
    machine = Machine(out=io.StringIO())
    for arguments in ((), (1.0, 2), ([None, True],)):
        assert call("print", *arguments, machine=machine) is None
    assert machine.out.getvalue() == "\n1\n[, true]\n"


def test_buffers_stay_usable() -> None:
    machine = Machine()
    one, other = call("sb_new", machine=machine), call("sb_new", machine=machine)
    call("sb_push", one, 1.0, machine=machine)
    assert call("sb_str", one, machine=machine) == "1"
    call("sb_push", one, "x", machine=machine)
    assert call("sb_str", one, machine=machine) == "1x"
    assert call("sb_str", other, machine=machine) == ""


def test_vectors_are_shared_by_their_handle() -> None:
    machine = Machine()
    v = call("vec_new", 10, machine=machine)
    call("vec_push", v, "a", machine=machine)
    call("vec_push", v, "b", machine=machine)
    call("vec_set", v, 0, "z", machine=machine)
    assert call("vec_len", v, machine=machine) == 2
    assert [call("vec_get", v, i, machine=machine) for i in (0, 1, 2, -1)] == ["z", "b", None, None]
    with pytest.raises(Fault):
        call("vec_set", v, 2, "c", machine=machine)


def test_shared_variables() -> None:
    machine = Machine()
    call("set_var", "k", 1, machine=machine)
    call("set_var", "r", "k", 2, machine=machine)
    assert call("get", "__vars", "k", machine=machine) == 1
    assert call("get", "r", "k", machine=machine) == 2
    assert call("get", "r", "none", machine=machine) is None


def test_files(tmp_path: Path) -> None:
    path = str(tmp_path / "new" / "file.txt")
    assert call("file_exists", path) == "0"
    assert call("write_file", path, "aä\r\n") is True
    assert call("file_exists", path) == "1"
    assert call("read_file", path) == "aä\r\n"
    Path(path).write_bytes(b"\xff")
    with pytest.raises(Fault):
        call("read_file", path)


def test_every_function_is_documented() -> None:
    assert all(function.doc for function in HOST_FUNCTIONS.values())


def test_a_name_is_registered_once() -> None:
    with pytest.raises(AssertionError):
        host("print", 0)(lambda: None)


def test_the_registry_loads_fast() -> None:
    heavy = "print([m for m in ('torch', 'numpy', 'rich', 'xdsl') if m in sys.modules])"
    code = f"import sys, patlang_ir.stdlib.registry; {heavy}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
