"""`patlang-opt`: flags, pipelines, and what it says when something is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from run_lines import run_tool
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException
from xdsl.utils.target import Target

from patlang_ir.diagnostics import CompileError, refuse
from patlang_ir.dialects import pat
from patlang_ir.pipeline import parse_pipeline
from patlang_ir.universe import PATLANG_UNIVERSE

TEXT = """\
pat.program {
  %0 = pat.constant 1
  pat.let "x", %0
}
"""


@dataclass(frozen=True)
class TileTestRename(ModulePass):
    """Give every variable one name."""

    name = "tile-test-rename"

    to: str = field(default="y", metadata={"help": "the new name"})
    times: int = field(default=1, metadata={"help": "how often"})

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            if isinstance(inner, pat.LetOp):
                inner.properties["variable"] = StringAttr(self.to * self.times)


@dataclass(frozen=True)
class TileTestRefuse(ModulePass):
    """Refuse every variable."""

    name = "tile-test-refuse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in op.walk():
            if isinstance(inner, pat.LetOp):
                raise refuse(inner, "P201", "no variables, please", help="take none")


@dataclass(frozen=True)
class TileTestCrash(ModulePass):
    """Fail as a defect of the compiler would."""

    name = "tile-test-crash"

    to: str = "y"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise KeyError("oops")


@dataclass(frozen=True)
class TileTestGiveUp(ModulePass):
    """Fail as the passes of xDSL do."""

    name = "tile-test-give-up"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise PassFailedException("too hard")


@dataclass(frozen=True)
class TileTestBreak(ModulePass):
    """Leave IR that does not verify."""

    name = "tile-test-break"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        let = next(inner for inner in op.walk() if isinstance(inner, pat.LetOp))
        let.detach()
        program = op.body.block.first_op
        assert program is not None and program.regions[0].block.first_op is not None
        program.regions[0].block.insert_op_before(let, program.regions[0].block.first_op)


PASSES = (TileTestRename, TileTestRefuse, TileTestCrash, TileTestGiveUp, TileTestBreak)


@pytest.fixture(autouse=True)
def _passes(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore
    for cls in PASSES:
        factory: Callable[[], type[ModulePass]] = lambda cls=cls: cls  # noqa: E731
        monkeypatch.setitem(PATLANG_UNIVERSE.all_passes, cls.name, factory)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "in.mlir"
    path.write_text(TEXT)
    return path


def opt(*arguments: object, data: str = "") -> tuple[int, str, str]:
    return run_tool("patlang-opt", [str(argument) for argument in arguments], data)


def error(*arguments: object, data: str = "") -> str:
    """The text on stderr of a run that must fail without a traceback and without output."""
    status, output, errors = opt(*arguments, data=data)
    assert status == 1
    assert output == ""
    assert "Traceback" not in errors
    return errors


# --- pipelines ---


@pytest.mark.parametrize(
    "pipeline",
    [
        "tile-test-rename{to=z}",
        "builtin.module(tile-test-rename{to=z})",
        " builtin.module( tile-test-rename{to=q} , tile-test-rename{to=z} ) ",
        'tile-test-rename{to="z"},',
    ],
)
def test_pipelines(file: Path, pipeline: str):
    for flag in ("-p", "--passes", "--pass-pipeline"):
        assert 'pat.let "z", %0' in opt(file, flag, pipeline)[1]


def test_a_pass_prints_as_its_pipeline():
    text = 'tile-test-rename{to="z" times=2},tile-test-crash'
    passes = parse_pipeline(text, PATLANG_UNIVERSE.all_passes)
    assert ",".join(map(str, passes)) == text
    assert parse_pipeline(",".join(map(str, passes)), PATLANG_UNIVERSE.all_passes) == passes


def test_an_option_of_a_named_pipeline_goes_to_the_passes_that_have_it():
    pipelines = {"both": ("tile-test-rename", "tile-test-crash", "tile-test-give-up")}
    passes = parse_pipeline("both{to=z}", PATLANG_UNIVERSE.all_passes, pipelines)
    assert passes == (TileTestRename(to="z"), TileTestCrash(to="z"), TileTestGiveUp())
    passes = parse_pipeline("both{times=3}", PATLANG_UNIVERSE.all_passes, pipelines)
    assert passes == (TileTestRename(times=3), TileTestCrash(), TileTestGiveUp())


def test_an_option_that_no_pass_of_a_pipeline_has():
    with pytest.raises(CompileError) as caught:
        parse_pipeline("both{tmes=3}", PATLANG_UNIVERSE.all_passes, {"both": ("tile-test-rename",)})
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "P905"
    assert diagnostic.message == "'both' has no option 'tmes'"
    assert diagnostic.help == "its options are: times, to"


def test_the_named_pipelines_hold_known_passes():
    from patlang_ir.passes.pipelines import PIPELINES

    for name in PIPELINES:
        assert parse_pipeline(name)


@pytest.mark.parametrize(
    ("pipeline", "said"),
    [
        ("tile-test-renam", "P903]: unknown pass 'tile-test-renam'\n  help: did you mean 'tile-te"),
        ("zzz", "P903]: unknown pass 'zzz'\n  help: --list-passes"),
        ("cse{x=1}", "P905]: 'cse' has no option 'x'\n  help: it has no options"),
        ("tile-test-rename{too=1}", "has no option 'too'\n  help: its options are: times, to"),
        ("tile-test-rename{times=many}", "P905]: 'tile-test-rename{times=\"many\"}'"),
        ("cse{", "P905]: the pass pipeline 'cse{' cannot be read"),
        ("cse;dce", "P905]: the pass pipeline 'cse;dce' cannot be read"),
    ],
)
def test_wrong_pipelines(file: Path, pipeline: str, said: str):
    assert said in error(file, "-p", pipeline)


# --- reading and writing ---


def test_stdin(file: Path):
    expected = opt(file)[1]
    assert 'pat.let "x"' in expected
    assert opt("-", data=TEXT)[1] == expected
    assert opt(data=TEXT)[1] == expected


def test_output_file(file: Path, tmp_path: Path):
    output = tmp_path / "out.mlir"
    assert opt(file, "-o", output) == (0, "", "")
    assert output.read_text() == opt(file)[1]


def test_a_failed_run_leaves_the_output_file_alone(file: Path, tmp_path: Path):
    output = tmp_path / "out.mlir"
    output.write_text("old")
    error(file, "-p", "tile-test-refuse", "-o", output)
    assert output.read_text() == "old"


def test_the_frontend_can_be_named(tmp_path: Path):
    path = tmp_path / "in.txt"
    path.write_text(TEXT)
    assert "pat.let" in opt(path, "-f", "mlir")[1]
    assert "P905]: the ending of" in error(path)
    assert "unknown frontend 'mlr'\n  help: did you mean 'mlir'?" in error(path, "-f", "mlr")


def test_missing_and_unreadable_files(tmp_path: Path):
    assert "P101]: No such file or directory: 'nope.mlir'" in error("nope.mlir")
    assert "P101]: Is a directory" in error(tmp_path)
    path = tmp_path / "bad.mlir"
    path.write_bytes("é\nxé".encode() + b"\xff")
    assert f"{path}:2:3: error[P102]: the byte 0xff is not UTF-8" in error(path)


def test_generic_format(file: Path):
    assert '"pat.let"(%0)' in opt(file, "--print-op-generic")[1]


def test_unknown_operations_can_be_allowed():
    assert "P906]" in error(data='"foo.bar"() : () -> ()')
    assert '"foo.bar"()' in opt("--allow-unregistered-dialect", data='"foo.bar"() : () -> ()')[1]


def test_an_unclosed_string_is_found_at_once():
    assert "<stdin>:1:9: error[P906]" in error(data='pat.let "' + "x" * 10_000)


def test_a_type_without_its_parameters():
    assert "<stdin>:2:1: error[P906]: this operation cannot be read" in error(
        data='%0 = "test.op"() : () -> i1\n%1 = "test.op"(%0) : (i1) -> !tile.buffer'
    )


def test_deep_nesting():
    depth = 3_000
    said = error(data="pat.while {\n" * depth + "} do {\n}\n" * depth)
    assert "P120" in said or "P906" in said


CHUNKS = [
    "\n".join(line for line in chunk.splitlines() if not line.startswith("//"))
    for file in sorted((Path(__file__).parents[1] / "filecheck" / "dialects").glob("*.mlir"))
    for chunk in file.read_text(encoding="utf-8").split("// -----")
]


@settings(max_examples=100, deadline=None)
@given(text=st.sampled_from(CHUNKS), data=st.data())
def test_damaged_text_is_read_or_refused_with_a_place(text: str, data: st.DataObject):
    start = data.draw(st.integers(0, len(text)))
    end = start + data.draw(st.integers(0, 12))
    inserted = data.draw(st.sampled_from(["", "{", "}", '"', "%0", "loc(", "!tile.", "é", "-1"]))
    status, _, errors = opt(data=text[:start] + inserted + text[end:])
    assert status in (0, 1)
    if status == 1:
        assert re.match(r"<stdin>:\d+:\d+: error\[P90[16]\]: ", errors), errors


# --- looking at stages ---


def test_print_ir_after_all(file: Path):
    _, output, errors = opt(
        file, "-p", "tile-test-rename{to=a},tile-test-rename{to=b}", "--print-ir-after-all"
    )
    assert 'pat.let "b"' in output and 'pat.let "a"' not in output
    first, second = re.split(r"^// after ", errors, flags=re.MULTILINE)[1:]
    assert first.startswith('tile-test-rename{to="a"}\n') and 'pat.let "a"' in first
    assert second.startswith('tile-test-rename{to="b"}\n') and 'pat.let "b"' in second


def test_time_passes(file: Path):
    _, output, errors = opt(file, "-p", "cse,tile-test-rename", "--time-passes")
    assert output == opt(file, "-p", "cse,tile-test-rename")[1]
    rows = [line.split("%  ") for line in errors.splitlines()]
    assert [name for _, name in rows] == [
        "reading",
        "cse",
        "tile-test-rename",
        "writing mlir",
        "total",
    ]
    seconds = [float(row.split()[0]) for row, _ in rows]
    assert sum(seconds[:-1]) == pytest.approx(seconds[-1], abs=0.001)


def test_list_passes():
    status, output, _ = opt("--list-passes")
    assert status == 0
    assert "tile-test-rename\n  Give every variable one name." in output
    assert "    to: str = 'y'  the new name\n    times: int = 1  how often\n" in output
    assert "patlang-kernel-to-triton\n  = pat-" in output


def test_version_and_help():
    assert re.fullmatch(r"patlang-opt \S+ \(xDSL \S+\)\n", opt("--version")[1])
    status, output, _ = opt("--help")
    assert status == 0 and "--pass-pipeline" in output and "patlang-kernel-to-triton" in output


# --- what goes wrong in a pass ---


def test_a_refusal(file: Path):
    assert error(file, "-p", "tile-test-refuse") == (
        f"{file}:3:3: error[P201]: no variables, please\n"
        ' 3 |   pat.let "x", %0\n'
        "   |   ^\n"
        "  help: take none\n"
    )


def test_a_defect_of_the_compiler(file: Path, monkeypatch: pytest.MonkeyPatch):
    said = error(file, "-p", "tile-test-crash")
    assert said.startswith("error[P999]: tile-test-crash: KeyError: 'oops'\n  help: ")
    assert "PATLANG_DEBUG=1" in said
    monkeypatch.setenv("PATLANG_DEBUG", "1")
    with pytest.raises(KeyError):
        opt(file, "-p", "tile-test-crash")


def test_a_pass_of_xdsl_that_gives_up(file: Path):
    assert "error[P908]: tile-test-give-up: too hard" in error(file, "-p", "tile-test-give-up")


def test_ir_that_a_pass_leaves_broken(file: Path):
    assert "in.mlir:3:3: error[P901]: 'pat.let' uses operand 1 before" in error(
        file, "-p", "tile-test-break"
    )
    assert opt(file, "-p", "tile-test-break", "--disable-verify")[0] == 0


def test_switching_verification_off_does_not_reach_other_runs(file: Path):
    from xdsl.dialects.builtin import IntegerType
    from xdsl.utils.exceptions import VerifyException

    opt(file, "--disable-verify")
    with pytest.raises(VerifyException):
        IntegerType(-3)


@pytest.mark.parametrize("name", ["tile-test-refuse", "tile-test-crash", "tile-test-break"])
def test_the_reproducer_reproduces(file: Path, tmp_path: Path, name: str):
    reproducer = tmp_path / "again.mlir"
    first = error(
        file, "-p", f"tile-test-rename{{to=z}},{name},cse", "--crash-reproducer", reproducer
    )
    command, _, text = reproducer.read_text().partition("\n")
    assert command == f"// RUN: patlang-opt --pass-pipeline='{name}' %s"
    assert 'pat.let "z"' in text
    second = error(reproducer, f"--pass-pipeline={name}")
    assert (
        second.partition("error[")[2].splitlines()[0]
        == (first.partition("error[")[2].splitlines()[0])
    )


def test_no_reproducer_without_a_failure(file: Path, tmp_path: Path):
    opt(file, "-p", "cse", "--crash-reproducer", tmp_path / "again.mlir")
    assert not (tmp_path / "again.mlir").exists()


# --- expected errors ---


def test_expected_errors_of_a_pass(tmp_path: Path):
    path = tmp_path / "in.mlir"
    path.write_text(TEXT.replace('"x", %0', '"x", %0 // expected-error {{P201: no variables}}'))
    assert opt(path, "-p", "tile-test-refuse", "--verify-diagnostics") == (0, "", "")
    said = error(path, "-p", "tile-test-give-up", "--verify-diagnostics")
    assert "P908" in said and "P904" in said


def test_expected_errors_without_a_place(tmp_path: Path):
    path = tmp_path / "in.mlir"
    path.write_text("// expected-error@unknown {{tile-test-give-up: too hard}}\n" + TEXT)
    assert opt(path, "-p", "tile-test-give-up", "--verify-diagnostics")[0] == 0


def test_one_comment_stands_for_one_error(tmp_path: Path):
    path = tmp_path / "in.mlir"
    path.write_text(
        "pat.program { // expected-error@+1 {{before}}\n"
        '  pat.let "x", %a // expected-error {{before}}\n'
        "  %a = pat.constant 1\n}\n"
    )
    status, _, errors = opt(path, "--verify-diagnostics")
    assert status == 1 and errors.count("P904") == 1 and "P901" not in errors


def test_all_chunks_are_tried_and_the_good_ones_printed(file: Path):
    file.write_text(TEXT + '// -----\npat.let "x", %z\n// -----\n' + TEXT.replace("x", "y"))
    status, output, errors = opt(file, "--split-input-file")
    assert status == 1
    assert 'pat.let "x"' in output and 'pat.let "y"' in output
    assert f"{file}:6:14: error[P906]: %z is used but not defined" in errors


# --- arguments and targets ---


def test_wrong_arguments(file: Path):
    assert "P905]: unrecognized arguments: --frob" in error(file, "--frob")
    assert "P903]: unknown target 'tritn'\n  help: did you mean 'triton'?" in error(
        file, "-t", "tritn"
    )
    assert "P905]: 'wgsl{x=1}'" in error(file, "-t", "wgsl{x=1}")


@dataclass(frozen=True)
class RefusingTarget(Target):
    """Refuses every variable."""

    name = "refusing"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write("half of the text")
        for op in module.walk():
            if isinstance(op, pat.LetOp):
                raise refuse(op, "P902", "a variable cannot be written")


def test_errors_while_writing_a_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(PATLANG_UNIVERSE.all_targets, "refusing", lambda: RefusingTarget)
    path = tmp_path / "in.mlir"
    path.write_text(TEXT.replace('"x", %0', '"x", %0 // expected-error {{P902: a variable}}'))
    assert f"{path}:3:3: error[P902]: a variable cannot be" in error(path, "-t", "refusing")
    assert opt(path, "-t", "refusing", "--verify-diagnostics") == (0, "", "")


def test_unwritable_output(file: Path, tmp_path: Path):
    assert "P101]" in error(file, "-o", tmp_path / "no" / "out.mlir")
