"""Programs of several files."""

from __future__ import annotations

from pathlib import Path

import pytest

from patlang_ir.diagnostics import CompileError, Diagnostic
from patlang_ir.dialects import pat
from patlang_ir.frontend import Program, parse, parse_file
from patlang_ir.frontend.lexer import DEEPEST_INCLUDE


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, text: str | bytes) -> str:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return name


def problems(name: str) -> list[Diagnostic]:
    with pytest.raises(CompileError) as caught:
        parse_file(name)
    return list(caught.value.diagnostics)


def functions(program: Program) -> list[str]:
    return [op.sym_name.data for op in program.module.ops if isinstance(op, pat.FuncOp)]


def places(program: Program) -> list[str]:
    """Where each call of the top level stands."""
    calls = [op for op in program.module.walk() if isinstance(op, pat.ApplyOp)]
    return [f"{op.callee.data} {op.location.filename.data}:{op.location.line.data}" for op in calls]


def test_a_file_stands_where_its_include_line_was():
    write("main.patlang", 'one()\n  include "lib/b.patlang"  # the rest\nthree()\n')
    write("lib/b.patlang", "\ntwo()")
    program = parse_file("main.patlang")
    assert places(program) == ["one main.patlang:1", "two lib/b.patlang:2", "three main.patlang:3"]
    assert dict(program.sources)["lib/b.patlang"] == "\ntwo()"


def test_paths_are_relative_to_the_including_file():
    write("main.patlang", "include lib/b.patlang")
    write("lib/b.patlang", "include ../other/c.patlang")
    write("other/c.patlang", "c()")
    assert places(parse_file("main.patlang")) == ["c other/c.patlang:1"]


def test_a_text_includes_beside_its_name():
    write("lib/b.patlang", "b()")
    assert places(parse("include b.patlang", "lib/text")) == ["b lib/b.patlang:1"]


def test_an_include_line_in_a_string_is_text():
    program = parse('print("\ninclude nothing\n")\nlet include = 1\ninclude = 2')
    constants = [op.value for op in program.module.walk() if isinstance(op, pat.ConstantOp)]
    assert [getattr(value, "data", None) for value in constants] == ["\ninclude nothing\n", 1, 2]


def test_a_library_may_be_included_twice():
    write("main.patlang", "include b.patlang\ninclude b.patlang")
    write("b.patlang", "fn f(x) { return x }")
    program = parse_file("main.patlang")
    assert functions(program) == ["f"]
    assert program.warnings == ()


def test_a_block_may_go_on_in_another_file():
    write("main.patlang", "if true then\ninclude b.patlang\nprint(2)")
    write("b.patlang", "print(1)\nend")
    assert places(parse_file("main.patlang")) == ["print b.patlang:1", "print main.patlang:3"]


@pytest.mark.parametrize(
    "path", ["C:\\Users\\me\\pat\\lib\\b.patlang", "/home/me/pat/lib/b.patlang"]
)
@pytest.mark.parametrize("place", ["lib/b.patlang", "b.patlang", "../lib/b.patlang"])
def test_a_foreign_path_is_found_by_its_tail(path: str, place: str):
    write("demo/main.patlang", f'include "{path}"')
    write(f"demo/{place}", "b()")
    found = str(Path("demo", place)).replace("demo/../", "")
    assert places(parse_file("demo/main.patlang")) == [f"b {found}:1"]


def test_a_path_map_replaces_a_prefix():
    write("main.patlang", 'include "/nowhere/x/b.patlang"')
    write("here/b.patlang", "b()")
    program = parse_file("main.patlang", path_map=[("/nowhere/x", "here")])
    assert places(program) == ["b here/b.patlang:1"]


def test_a_missing_file_is_reported_at_its_include_line():
    write("main.patlang", "print(1)\n  include b.patlang\nprint(2")
    missing, bracket = problems("main.patlang")
    assert (missing.code, str(missing.place)) == ("P107", "main.patlang:2:3")
    assert missing.message == "main.patlang includes 'b.patlang', which does not exist"
    assert (bracket.code, str(bracket.place)) == ("P112", "main.patlang:3:6")


def test_a_circle_is_reported_with_its_chain():
    write("a.patlang", "include b.patlang")
    write("b.patlang", "\ninclude c.patlang")
    write("c.patlang", "include a.patlang")
    (problem,) = problems("a.patlang")
    assert (problem.code, str(problem.place)) == ("P107", "c.patlang:1:1")
    assert "a.patlang -> b.patlang -> c.patlang -> a.patlang" in problem.message


def test_includes_nest_sixteen_deep():
    for level in range(DEEPEST_INCLUDE + 1):
        write(f"{level}.patlang", f"include {level + 1}.patlang")
    write(f"{DEEPEST_INCLUDE - 1}.patlang", "print(1)")
    assert len(places(parse_file("0.patlang"))) == 1
    write(f"{DEEPEST_INCLUDE - 1}.patlang", f"include {DEEPEST_INCLUDE}.patlang")
    (problem,) = problems("0.patlang")
    assert (problem.code, str(problem.place)) == ("P107", f"{DEEPEST_INCLUDE - 1}.patlang:1:1")


def test_an_error_in_an_included_file_has_its_place():
    write("main.patlang", "include lib/b.patlang")
    write("lib/b.patlang", "\nlet x = )")
    (problem,) = problems("main.patlang")
    assert str(problem.place) == "lib/b.patlang:2:9"


def test_a_file_that_cannot_be_read():
    (missing,) = problems("nothing.patlang")
    assert (missing.code, missing.place) == ("P101", None)
    Path("folder").mkdir()
    (directory,) = problems("folder")
    assert directory.code == "P101"


def test_bytes_that_are_not_utf_8_have_a_place():
    write("latin.patlang", "let a = 1\nlet ä = ".encode() + b'"\xe4"')
    (problem,) = problems("latin.patlang")
    assert (problem.code, str(problem.place)) == ("P102", "latin.patlang:2:10")
    write("main.patlang", "include latin.patlang")
    assert problems("main.patlang") == [problem]


def test_half_a_surrogate_pair_is_refused():
    with pytest.raises(CompileError, match=r"<text>:2:8: error\[P102\]"):
        parse('let a = 1\nprint("\ud800")')


def test_a_byte_order_mark_is_no_error():
    write("main.patlang", b"\xef\xbb\xbfprint(1)")
    assert places(parse_file("main.patlang")) == ["print main.patlang:1"]
