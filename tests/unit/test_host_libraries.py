"""The bundled libraries: when their functions are there, and what they give."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from host_model import resolved
from test_host_functions import call, check
from xdsl.context import Context

from patlang_ir.diagnostics import CompileError, Diagnostic
from patlang_ir.frontend import parse
from patlang_ir.module import load, loads
from patlang_ir.passes.pat_resolve_names import PatResolveNames
from patlang_ir.runtime.values import Fault
from patlang_ir.stdlib import HOST_FUNCTIONS
from patlang_ir.stdlib.libraries import LIBRARIES, library_of
from patlang_ir.stdlib.reference import PAGE, page
from patlang_ir.stdlib.unsupported import UNSUPPORTED
from patlang_ir.tools.cli import main

ROOT = Path(__file__).parents[2]
GPU_PROGRAMS = sorted((ROOT / "tests" / "programs" / "gpu").glob("*.patlang"))


def problems(text: str, name: str = "<text>") -> list[Diagnostic]:
    with pytest.raises(CompileError) as caught:
        resolved(text) if name == "<text>" else PatResolveNames().apply(
            Context(), parse(text, name).module
        )
    return list(caught.value.diagnostics)


# --- the tables ---


def test_the_page_on_host_functions_is_up_to_date():
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    assert text == page(), "python -m patlang_ir.stdlib.reference > docs/host-functions.md"


def test_the_libraries_have_functions_that_exist():
    listed = {function for functions in LIBRARIES.values() for function in functions}
    assert listed <= HOST_FUNCTIONS.keys()
    assert not listed & UNSUPPORTED.keys()


def test_no_supported_function_is_refused_by_name():
    assert not UNSUPPORTED.keys() & HOST_FUNCTIONS.keys()


ALWAYS = """
    print list_len list_push list_set list_get to_num get set_var sb_new sb_push sb_str chr substr
    now_ms char_code sleep_ms write_file read_file fiber_new fiber_resume fiber_yield fiber_alive
    argv sqrt min max abs floor ceil round trunc tcp_read tcp_close tcp_write tcp_listen tcp_accept
    tcp_accept_timeout tcp_connect tcp_try_connect tcp_read_or_empty tcp_try_listen file_exists
    bit_set_slice bit_slice bit_set bit_get cos sin exec_capture parallel_map vfs_exists vfs_write
    vfs_delete vfs_list vfs_read vfs_append apply vec_new vec_push vec_get vec_set vec_len sc_char
    sc_code sc_len str_intern wait numeric_kind is_alive spawn read_line kill vec_to_list type_of
    hash_string byte_length pow tan asin acos atan atan2 log exp to_fixed getenv list_dir
    rename_file copy_file remove_file read_file_bytes read_file_b64
"""


def test_the_functions_of_the_language_need_no_include():
    wanted = set(ALWAYS.split())
    assert wanted <= HOST_FUNCTIONS.keys()
    assert not [name for name in wanted if library_of(name)]


# --- when they are there ---


def test_without_its_include_a_function_is_unknown_and_the_help_names_the_library():
    (problem,) = problems("check(1, 2, 3)")
    assert (problem.code, problem.message) == ("P202", "there is no function 'check'")
    assert problem.help == "it comes from the library 'test': write include \"test\" above"


@pytest.mark.parametrize(
    "path",
    [
        "test",
        '"test"',
        "test.patlang",
        '"lib/test.patlang"',
        '"../lib/test.patlang"',
        '"/home/someone/pat/lib/test.patlang"',
        '"C:\\Users\\someone\\pat\\lib\\test.patlang"',
        '"C:/Users/someone/pat/lib/test.patlang"',
    ],
)
def test_a_library_is_known_by_the_last_part_of_its_path(path: str):
    resolved(f"include {path}\ncheck(1, 2, 3)")


def test_another_library_does_not_help():
    (problem,) = problems('include "json"\ncheck(1, 2, 3)')
    assert problem.code == "P202"


def test_a_function_of_the_program_comes_first(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    path = tmp_path / "a.patlang"
    path.write_text('include "test"\nfn check(a) { return "mine " + a }\nprint(check(1))\n')
    assert main(["run", str(path)]) == 0
    assert capsys.readouterr().out == "mine 1\n"


def test_a_wrong_count_is_an_error_before_the_run():
    (problem,) = problems('include "test"\ncheck(1, 2)')
    assert (problem.code, problem.message) == ("P203", "'check' takes 3 arguments, not 2")


def test_a_misspelt_name_is_compared_with_what_is_included():
    (problem,) = problems("t_repot()")
    assert "t_report" not in problem.help
    (problem,) = problems('include "test"\nt_repot()')
    assert problem.help == "did you mean 't_report'?"


@pytest.mark.parametrize("name", [*UNSUPPORTED, "rt_alloc", "mem_read", "bool_array_new"])
def test_what_is_not_supported_is_refused_by_name(name: str):
    (problem,) = problems(f"let r = {name}(1)")
    assert (problem.code, problem.message) == ("P114", f"'{name}' is not supported")
    assert problem.help


# --- files beside the program ---


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("lib").mkdir()
    return tmp_path


def test_a_file_where_the_path_says_is_read(folder: Path):
    Path("lib/math.patlang").write_text("fn mine() { return 1 }")
    module = parse("include lib/math.patlang\nprint(mine())", "main.patlang").module
    PatResolveNames().apply(Context(), module)
    (problem,) = problems('include "C:\\x\\lib\\math.patlang"\nprint(mine())', "main.patlang")
    assert problem.code == "P202"


def test_a_mapped_path_is_read(folder: Path):
    Path("lib/math.patlang").write_text("fn mine() { return 1 }")
    text = 'include "C:\\x\\lib\\math.patlang"\nprint(mine())'
    module = parse(text, "main.patlang", path_map=[("C:\\x", ".")]).module
    PatResolveNames().apply(Context(), module)


def test_the_libraries_on_kernels_are_never_read_from_a_folder_lib(folder: Path):
    Path("lib/triton.patlang").write_text("fn triton_vector_add(a, b) { return 1 ")
    module = parse("include lib/triton.patlang\ntriton_vector_add([], [])", "main.patlang").module
    PatResolveNames().apply(Context(), module)
    Path("triton.patlang").write_text("fn mine() { return 1 }")
    parse("include triton.patlang\nmine()", "main.patlang")


# --- JSON ---


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("0", ["num", 0]),
        (" -12 ", ["num", -12]),
        ("1.0", ["num", 1.0]),
        ("-1.5E-2", ["num", -0.015]),
        ("9007199254740993", ["num", 9007199254740993]),
        ('""', ["str", ""]),
        (r'"\u00e9\ud83d\ude00\/\b"', ["str", "é😀/\b"]),
        (r'"\ud83d x"', ["str", "\ufffd x"]),
        ("[]", ["arr", []]),
        ("[ 1 , [ ] ]", ["arr", [["num", 1], ["arr", []]]]),
        ('{"a": {}, "a": 1}', ["obj", [["a", ["obj", []]], ["a", ["num", 1]]]]),
    ],
)
def test_json_texts(text: str, want: object):
    check("json_parse", (text,), want)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "line 1, column 1"),
        ("[1,]", "line 1, column 4"),
        ("[1\n 2]", "line 2, column 2"),
        ('{"a" 1}', "line 1, column 6"),
        ('{"a": 1,}', "line 1, column 9"),
        ("{1: 2}", "line 1, column 2"),
        ('"open', "line 1, column 1"),
        ('"a\nb"', "line 1, column 1"),
        (r'"\x"', "line 1, column 1"),
        (r'"\u12"', "line 1, column 1"),
        ("01", "line 1, column 2"),
        ("1 2", "line 1, column 3"),
        ("[1}", "line 1, column 3"),
        ("nul", "line 1, column 1"),
        ("[", "line 1, column 2"),
    ],
)
def test_what_is_no_json_stops_with_its_place(text: str, place: str):
    with pytest.raises(Fault) as caught:
        call("json_parse", text)
    assert caught.value.code == "P603"
    assert f"json_parse: {place}: " in caught.value.message


def test_json_may_nest_deeply():
    text = "[" * 50_000 + "]" * 50_000
    value = call("json_parse", text)
    assert call("json_stringify", value) == text


def test_of_two_members_with_one_name_the_later_counts():
    value = call("json_parse", '{"a": 1, "b": 2, "a": 3}')
    assert call("json_get", value, "a") == ["num", 3]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("json_get", (["arr", []], "a")),
        ("json_str", (["num", 1],)),
        ("json_num", (["str", "1"],)),
        ("json_num", (["num", "1"],)),
        ("json_arr", ("x",)),
        ("json_stringify", (["what", 1],)),
        ("json_stringify", (["num", float("nan")],)),
        ("json_stringify", (["obj", [["a"]]],)),
        ("json_make_obj", ([1],)),
    ],
)
def test_json_of_another_kind_is_refused(name: str, arguments: tuple[object, ...]):
    with pytest.raises(Fault) as caught:
        call(name, *arguments)
    assert caught.value.message.startswith(name)


# --- what fails in the libraries on kernels ends in a status ---

GPU = 'include "gpu_kernels"\n'
NO_PROGRAM = (
    '"# @gpu_kernel\\nmake a function called k takes x, out\\n  store(out, offs, x[)\\nend"'
)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (f"gpu_extract_marked_kernels({NO_PROGRAM})", "<text>:3:22: a value was expected here"),
        ("gpu_extract_marked_kernels(5)", "argument 1 must be a string, not the integer 5"),
        ('gpu_load_own_kernels("/no/such/file.patlang")', "cannot read '/no/such/file.patlang'"),
        ("gpu_load_own_kernels([])", "argument 1 must be a string, not the list []"),
        ('triton_vector_add([1, 2], ["a", 2])', "element 0 of 'b' is a string, not a number"),
        ("triton_vector_add([1, 2], [3])", "'b' has 1 element and 'a' has 2"),
        ("triton_vector_add(1, [3])", "'a' is a buffer: pass a list for it"),
    ],
)
def test_a_call_without_a_status_gives_err_alone(
    call: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "a.patlang"
    path.write_text(f"{GPU}let r = {call}\nprint(r.length + r[0])\nprint(r[1])\n")
    assert main(["run", str(path), "--device", "cpu"]) == 0
    kind, message = capsys.readouterr().out.splitlines()
    assert kind == "2Err"
    assert said in message


def test_the_cause_of_a_registry_that_failed_reaches_its_calls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "a.patlang"
    lines = [
        f"let r = gpu_extract_marked_kernels({NO_PROGRAM})",
        'print(gpu_kernel_lookup(r, "k"))',
        'print(gpu_call_1d(r, "k", [[1], [0]])[1])',
    ]
    path.write_text(GPU + "\n".join(lines))
    assert main(["run", str(path), "--device", "cpu"]) == 0
    looked_up, status = capsys.readouterr().out.splitlines()
    assert looked_up == "[]"
    assert status.startswith("[Err, the kernels were not loaded: <text>:3:22: a value was expected")


# --- paths of another machine ---

OWN = """# @gpu_kernel
make a function called k takes x, out
  store(out, offs, x[offs] + 1.0)
end
include "/home/author/pat/tools/shared.patlang"
include "gpu_kernels"
let kernels = gpu_load_own_kernels("/home/author/pat/%s")
return [gpu_call_1d(kernels, "k", [[1, 2], [0, 0]]), shared()]
"""


@pytest.mark.parametrize("path", ["main.patlang", "moved/main.patlang", "elsewhere/x.patlang"])
def test_a_program_finds_its_own_files_by_a_path_map(path: str, tmp_path: Path):
    (tmp_path / "here").mkdir()
    main_file = tmp_path / Path(path).name
    main_file.write_text(OWN % path)
    (tmp_path / "here" / "shared.patlang").write_text("fn shared() { return 5 }")
    path_map = [
        ("/home/author/pat/tools", str(tmp_path / "here")),
        ("/home/author/pat/moved", str(tmp_path)),
        ("/home/author/pat/", f"{tmp_path}/"),
    ]
    want = [[[2.0, 3.0], ["Ok", ""]], 5]
    assert load(main_file, path_map=path_map).run(device="cpu") == want
    module = loads(OWN % path, str(main_file), path_map=path_map[:1])
    assert module.run(device="cpu", path_map=path_map) == want


# --- programs that use kernels by name ---


@pytest.mark.parametrize("program", GPU_PROGRAMS, ids=lambda path: path.stem)
def test_programs_on_kernels(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["run", str(program), "--device", "cpu"])
    assert capsys.readouterr().out == program.with_suffix(".out").read_text()
    assert status == 0


def test_there_are_six_of_them():
    assert len(GPU_PROGRAMS) >= 6


def test_programs_on_kernels_agree_in_the_interpreter_of_triton():
    """What lists go through on their way to printed Triton and back."""
    pytest.importorskip("triton")
    script = ROOT / "tests" / "gpu" / "run_programs.py"
    command = [sys.executable, str(script), "--interpret", "elementwise", "two_dimensions"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("agrees") == 2
