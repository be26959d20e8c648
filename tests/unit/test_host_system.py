"""Host functions that reach outside or call back: faults, state, and what is left behind."""

from __future__ import annotations

import contextlib
import io
import math
import sys
import threading
import time
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from host_model import resolved
from test_host_errors import fails, shown
from test_host_functions import call

from patlang_ir.runtime.host import NoKernels, run_program
from patlang_ir.runtime.host_machine import Machine
from patlang_ir.runtime.launcher import ListRunner
from patlang_ir.runtime.values import Fault
from patlang_ir.stdlib.registry import HOST_FUNCTIONS


@pytest.fixture
def machine() -> Any:
    made = Machine(out=io.StringIO())
    yield made
    made.close()


def refused(machine: Machine, name: str, *arguments: Any) -> str:
    with pytest.raises(Fault) as caught:
        call(name, *arguments, machine=machine)
    assert caught.value.code == "P603"
    return caught.value.message


def output(text: str) -> str:
    out = io.StringIO()
    run_program(resolved(text), launcher=NoKernels(), out=out)
    return out.getvalue()


# --- bits ---


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("bit_get", (1, 64)),
        ("bit_get", (1, -1)),
        ("bit_get", (1.0, 0)),
        ("bit_get", (2**63, 0)),
        ("bit_set", (1, 0, 2)),
        ("bit_set", (1, 0, "1")),
        ("bit_slice", (1, 0, 0)),
        ("bit_slice", (1, 60, 5)),
        ("bit_set_slice", (1, 0, 65, 0)),
        ("bit_set_slice", (1, 0, 4, 1.5)),
    ],
)
def test_bits_outside_are_refused(machine: Machine, name: str, arguments: tuple[Any, ...]):
    assert refused(machine, name, *arguments).startswith(name)


def test_slices_agree_with_single_bits():
    n = -6_148_914_691_236_517_206
    for start in range(64):
        width = min(7, 64 - start)
        want = sum(call("bit_get", n, start + i) << i for i in range(width))
        assert call("bit_slice", n, start, width) == want
        assert call("bit_set_slice", n, start, width, want) == n


# --- handles ---


def test_handles_of_strings(machine: Machine):
    one = call("str_intern", "ab", machine=machine)
    assert call("str_intern", "ab", machine=machine) == one
    assert call("str_intern", "ba", machine=machine) != one
    for name in ("sc_char", "sc_code"):
        assert "no string with handle 9" in refused(machine, name, 9, 0)
    assert "no string" in refused(machine, "sc_len", "ab")


def test_files_in_memory(machine: Machine):
    assert "no file 'x' in memory" in refused(machine, "vfs_read", "x")
    assert refused(machine, "vfs_write", 1, "")


# --- input ---


def test_lines_of_the_input(machine: Machine, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("one\r\n\ntwo"))
    assert [call("read_line", machine=machine) for _ in range(4)] == ["one", "", "two", ""]


# --- processes ---


def test_processes_that_cannot_start(machine: Machine):
    for name in ("exec_capture", "spawn"):
        assert "cannot start '/no/such/program'" in refused(machine, name, "/no/such/program")
        assert refused(machine, name, 5)


def test_processes_that_are_not_known(machine: Machine):
    assert "spawned no process 1" in refused(machine, "wait", 1)
    assert call("is_alive", 1, machine=machine) is False
    assert call("kill", "x", machine=machine) is False


def test_a_process_may_be_waited_for_twice(machine: Machine):
    pid = call("spawn", "sh", "-c", "exit 5", machine=machine)
    assert [call("wait", pid, machine=machine) for _ in range(2)] == [5, 5]


def test_output_that_is_not_text(machine: Machine):
    assert call("exec_capture", "printf", "\\377x", machine=machine) == "\ufffdx"


# --- connections ---


def test_ports(machine: Machine):
    port = call("tcp_listen", 0, machine=machine)
    assert f"tcp_listen: port {port}: " in refused(machine, "tcp_listen", port)
    assert call("tcp_try_listen", port, machine=machine) == -1
    assert "a port is 0 to 65535" in refused(machine, "tcp_listen", 65536)
    assert "nothing listens" in refused(machine, "tcp_accept", 0)
    free = call("tcp_listen", 0, machine=machine)
    machine.network.close_all()
    assert "tcp_connect: 127.0.0.1 port" in refused(machine, "tcp_connect", "127.0.0.1", free)


def test_a_connection_that_is_closed(machine: Machine):
    port = call("tcp_listen", 0, machine=machine)
    one = call("tcp_connect", "127.0.0.1", port, machine=machine)
    call("tcp_close", one, machine=machine)
    assert "no open connection" in refused(machine, "tcp_read", one)
    assert "no open connection" in refused(machine, "tcp_write", one, "x")
    assert call("tcp_read_or_empty", one, machine=machine) == ""
    assert call("tcp_close", one, machine=machine) is None


def test_a_character_is_never_cut(machine: Machine):
    port = call("tcp_listen", 0, machine=machine)
    one = call("tcp_connect", "127.0.0.1", port, machine=machine)
    other = call("tcp_accept", port, machine=machine)
    text = "é" * 100_000
    writer = threading.Thread(target=lambda: call("tcp_write", one, "x" + text, machine=machine))
    writer.start()
    got = ""
    while len(got) < len(text) + 1:
        got += call("tcp_read", other, machine=machine)
    writer.join()
    assert got == "x" + text


def test_a_run_closes_its_ports():
    text = "let port = tcp_listen({})\nreturn port"
    port = run_program(resolved(text.format(0)), launcher=NoKernels())
    assert run_program(resolved(text.format(port)), launcher=NoKernels()) == port


# --- fibres ---

FIBRE = 'fn f(x) {\n  let y = fiber_yield(x)\n  return y - 1\n}\nlet h = fiber_new("f")\n'


def test_an_error_in_a_fibre_has_its_place_and_its_calls():
    error, _ = fails(FIBRE + 'fiber_resume(h, 1)\nfiber_resume(h, "s")')
    assert shown(error) == ("P601", "3:12", "'-' does not take the string \"s\" and the integer 1")
    assert [name for name, _ in error.stack] == ["the program", "f"]


def test_a_fibre_that_has_ended():
    error, _ = fails(FIBRE + "fiber_resume(h, 1)\nfiber_resume(h, 1)\nfiber_resume(h, 1)")
    assert shown(error) == ("P603", "8:1", "fiber_resume: fibre 1 has come to its end")


def test_a_fibre_with_an_error_has_ended():
    text = FIBRE.replace("return y - 1", "return 1 / 0")
    error, _ = fails(text + "fiber_resume(h, 1)\nfiber_resume(h, 1)")
    assert error.diagnostic.code == "P602"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fiber_yield(1)", "fiber_yield: no fibre is running here"),
        ("fiber_resume(3, 1)", "fiber_resume: there is no fibre 3"),
        ('fiber_alive("x")', 'fiber_alive: there is no fibre "x"'),
        ('fiber_new("g")', "fiber_new: the program has no function 'g'"),
        ('fn f(x) { fiber_resume(1, 0) }\nfiber_resume(fiber_new("f"), 0)', "running already"),
    ],
)
def test_faults_of_fibres(text: str, message: str):
    error, _ = fails(text)
    assert error.diagnostic.code == "P603"
    assert message in error.diagnostic.message


def test_fibres_that_never_end_leave_no_thread():
    before = threading.active_count()
    text = FIBRE.replace("return y - 1", "while true do fiber_yield(0) end")
    output(
        text
        + 'fiber_resume(h, 1)\nlet g = fiber_new("f")\nfiber_resume(g, 1)\nlet n = fiber_new("f")'
    )
    end = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < end:
        time.sleep(0.01)
    assert threading.active_count() == before


def test_many_fibres_and_many_turns():
    text = """
fn numbers(n) {
  while true do
    let n = fiber_yield(n)
  end
}
let fibres = []
let i = 0
while i < 200 do
  let fibres = list_push(fibres, fiber_new("numbers"))
  let i = i + 1
end
let total = 0
let turn = 0
while turn < 5 do
  let i = 0
  while i < 200 do
    let total = total + fiber_resume(fibres[i], i + turn)
    let i = i + 1
  end
  let turn = turn + 1
end
print(total)
"""
    assert output(text) == f"{sum(i + turn for i in range(200) for turn in range(5))}\n"


# --- side by side ---


def test_calls_side_by_side_have_state_of_their_own():
    text = """
fn work(x) {
  vec_push(vec_new(), x)
  sb_push(sb_new(), x)
  set_var("last", x)
  vfs_write("f", x)
  return [vec_new(), sb_new(), get("__vars", "last"), vfs_list(""), get("__vars", "outer")]
}
set_var("outer", 1)
vfs_write("outer", 1)
print(parallel_map([5, 6], "work"))
print([vfs_list(""), vec_new()])
"""
    assert output(text) == "[[2, 2, 5, [f], ], [2, 2, 6, [f], ]]\n[[outer], 1]\n"


def test_an_error_side_by_side_has_its_place():
    text = 'fn f(x) {\n  return 1 / x\n}\nprint(parallel_map([1, 0, 2], "f"))'
    error, _ = fails(text)
    assert shown(error) == ("P602", "2:12", "'/' by an integer zero")
    assert [name for name, _ in error.stack] == ["the program", "f"]


def test_side_by_side_is_faster_than_one_after_the_other():
    text = 'fn f(x) { sleep_ms(200) }\nparallel_map([1, 2, 3, 4, 5, 6, 7, 8], "f")'
    start = time.monotonic()
    output(text)
    assert time.monotonic() - start < 1.2


def test_hundreds_of_clients_may_wait_for_one_server():
    text = """
fn part(job) {
  let left = job[0]
  if left == "client" then
    let c = tcp_connect("127.0.0.1", job[1])
    let got = tcp_read(c)
    tcp_close(c)
    return got
  end
  while left > 0 do
    let c = tcp_accept(job[1])
    tcp_write(c, "served")
    tcp_close(c)
    let left = left - 1
  end
  return "done"
}
let port = tcp_listen(0)
let jobs = []
while jobs.length < 200 do
  let jobs = list_push(jobs, ["client", port])
end
let found = parallel_map(list_push(jobs, [200, port]), "part")
print(found[0] + found[199] + found[200])
"""
    assert output(text) == "servedserveddone\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('parallel_map([1], "g")', "the program has no function 'g'"),
        ("parallel_map([1], 5)", "a function is called by its name, not by the integer 5"),
    ],
)
def test_side_by_side_needs_a_function(text: str, message: str):
    error, _ = fails(text)
    assert error.diagnostic.message == f"parallel_map: {message}"


# --- files ---


def test_files_that_cannot_be_used(machine: Machine, tmp_path: Path):
    nothing = str(tmp_path / "nothing")
    for name in ("read_file_bytes", "read_file_b64", "list_dir", "remove_file"):
        message = refused(machine, name, nothing)
        assert message == f"{name}: {nothing}: No such file or directory"
    for name in ("rename_file", "copy_file"):
        assert f"{name}: {nothing} to x: " in refused(machine, name, nothing, "x")


# --- any argument ---

WAITING = (
    *("sleep_ms", "wait", "tcp_accept", "tcp_accept_timeout", "read_line", "spawn", "exec_capture"),
    *("write_file", "rename_file", "copy_file", "remove_file", "png_write", "tcp_connect"),
    *("tcp_try_connect", "apply", "emit", "send", "fiber_new", "fiber_resume", "parallel_map"),
    *("pow", "str_repeat", "list_range"),
)
"""What would wait, write, call back, or take very long."""

ANYTHING = (
    *(None, True, 0, 1, -1, 64, 2**63, 10**30, 0.5, -0.0, math.nan, math.inf, Fraction(1, 3), 2j),
    *("", "a", "12", "é", "\ud800", "[1", "a\0b", [], [1, 2], [[1.0], [2]], ["num", 1], ["Ok", ""]),
    *(["obj", [["a", ["num", 1]]]], [["k", "1d", "source"]], lambda *_: None),
    *("make a function called k takes x\nstore(x, offs, 1.0)\nend", "k"),
)


def test_no_argument_is_more_than_refused(machine: Machine):
    """Whatever a program passes, it gets a value or a fault."""
    random = Random(1)
    runner = ListRunner("cpu", "", False)
    machine.runner = lambda: runner
    called = [it for name, it in HOST_FUNCTIONS.items() if "." not in name and name not in WAITING]
    assert len(called) > 120
    for function in called:
        least, most = function.arity
        for _ in range(60):
            count = random.randint(least, least + 2 if most is None else most)
            arguments = [random.choice(ANYTHING) for _ in range(count)]
            with contextlib.suppress(Fault, OverflowError):
                call(function.name, *arguments, machine=machine)


# --- time: nothing is worse than linear ---

GROWING = {
    "sb_push": 'let b = sb_new()\nlet i = 0\nwhile i < N do sb_push(b, "xy") let i = i + 1 end\n'
    "print(sb_str(b).length)",
    "vec_push": "let v = vec_new()\nlet i = 0\nwhile i < N do vec_push(v, i) let i = i + 1 end\n"
    "print(vec_to_list(v).length)",
    "vfs_append": 'let i = 0\nwhile i < N do vfs_append("f", "xy") let i = i + 1 end\n'
    'print(vfs_read("f").length)',
    "sc_char": 'include "text"\nlet h = str_intern(str_repeat("ab", N))\nlet i = 0\n'
    'while sc_char(h, i) != "" do let i = i + 1 end\nprint(i)',
    "json": 'include "json"\ninclude "text"\n'
    'print(json_stringify(json_parse("[" + str_repeat("[1, {\\"a\\": null}],", N) + "0]")).length)',
}


@pytest.mark.parametrize("name", GROWING)
def test_ten_times_as_much_takes_ten_times_as_long(name: str):
    def seconds(size: int) -> float:
        module = resolved(GROWING[name].replace("N", str(size)))
        best = float("inf")
        for _ in range(3):
            start = time.perf_counter()
            run_program(module, launcher=NoKernels(), out=io.StringIO())
            best = min(best, time.perf_counter() - start)
        return best

    assert seconds(10_000) < 40 * max(seconds(1_000), 0.001)
