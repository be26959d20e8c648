"""`patlang check`: what it finds, what it prints, how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from run_lines import run_tool

GOOD = """
# @gpu_kernel
make a function called scale takes x, gain, out
  store(out, offs, x[offs] * gain)
end
let xs = [1, 2]
let out = [0, 0]
scale(xs, 2.0, out)
print(out)
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "good.patlang": GOOD,
        "syntax.patlang": "print(1\nlet b = )\n",
        "names.patlang": "print(a)\nprnt(1)\n",
        "warning.patlang": "# @gpu_kernel\nprint(1)\n",
    }.items():
        Path(name).write_text(text)


def check(*arguments: str) -> tuple[int, str]:
    status, output, errors = run_tool("patlang", ("check", *arguments))
    assert errors == ""
    return status, output


def test_a_good_program():
    assert check("good.patlang") == (0, "good.patlang: no problems found\n")


def test_errors_of_syntax():
    status, output = check("syntax.patlang")
    assert status == 1
    assert output == (
        "syntax.patlang:1:6: error[P112]: '(' is not closed\n"
        " 1 | print(1\n"
        "   |      ^\n"
        "  help: add ')'\n"
        "syntax.patlang:2:9: error[P110]: a value was expected here, not ')'\n"
        " 2 | let b = )\n"
        "   |         ^\n"
    )


def test_errors_of_names():
    status, output = check("names.patlang")
    assert status == 1
    assert "names.patlang:1:7: error[P201]: 'a' is not bound" in output
    assert "names.patlang:2:1: error[P202]" in output
    assert "did you mean 'print'?" in output


def test_a_warning_is_no_failure():
    Path("twice.patlang").write_text("fn f() { return 1 }\nfn f() { return 2 }\nprint(f())\n")
    status, output = check("twice.patlang")
    assert status == 0
    assert output.startswith("twice.patlang:2:4: warning[P121]")


def test_a_marker_without_a_function_is_a_failure():
    status, output = check("warning.patlang")
    assert status == 1
    assert output.startswith("warning.patlang:1:1: warning[P119]: this marker marks no function")


def test_warnings_come_with_the_errors():
    Path("both.patlang").write_text("let a = )\n# @gpu_kernel\nlet b = 1")
    status, output = check("both.patlang", "--format", "json")
    assert status == 1
    assert [(item["code"], item["line"]) for item in json.loads(output)] == [
        ("P110", 1),
        ("P119", 2),
    ]


def test_one_bad_file_does_not_stop_the_others():
    Path("bytes.patlang").write_bytes(b'print("\xff")')
    files = ("bytes.patlang", "missing.patlang", "syntax.patlang", ".", "good.patlang")
    status, output = check(*files)
    assert status == 1
    assert "bytes.patlang:1:8: error[P102]" in output
    assert "error[P101]: cannot read 'missing.patlang'" in output
    assert "syntax.patlang:1:6: error[P112]" in output
    assert "error[P101]: cannot read '.'" in output
    assert output.endswith("good.patlang: no problems found\n")


def test_json_lists_the_files_in_their_order():
    status, output = check("--format", "json", "names.patlang", "good.patlang", "syntax.patlang")
    assert status == 1
    assert [(item["file"], item["line"], item["code"]) for item in json.loads(output)] == [
        ("names.patlang", 1, "P201"),
        ("names.patlang", 2, "P202"),
        ("syntax.patlang", 1, "P112"),
        ("syntax.patlang", 2, "P110"),
    ]
    assert check("--format", "json", "good.patlang") == (0, "[]\n")


def test_every_kernel_is_checked():
    Path("kernels.patlang").write_text(
        """
# @gpu_kernel
make a function called one takes x, out
  let i = 0
  while i < 3 do
    store(out, offs, x[offs])
  end
end
# @gpu_kernel
make a function called two takes x, out
  if x[offs] > 0.0 then
    store(out, offs, 1.0)
  end
end
"""
    )
    status, output = check("kernels.patlang", "--format", "json")
    assert status == 1
    assert [(item["code"], item["line"]) for item in json.loads(output)] == [
        ("P401", 5),
        ("P302", 11),
    ]


def test_included_files_are_found_by_a_path_map():
    Path("main.patlang").write_text('include "/nowhere/lib2/b.patlang"\nprint(f(1))')
    Path("b.patlang").write_text("fn f(x) { return y }")
    status, output = check("main.patlang")
    assert status == 1 and "main.patlang:1:1: error[P107]" in output
    status, output = check("main.patlang", "--path-map", "/nowhere/lib2=.")
    assert status == 1 and output.startswith("b.patlang:1:18: error[P201]: 'y' is not bound\n")


def test_wrong_arguments():
    status, _, errors = run_tool("patlang", ("check", "good.patlang", "--path-map", "x"))
    assert status == 1 and errors.startswith("error[P905]: 'x' maps no path")
    status, _, errors = run_tool("patlang", ("check",))
    assert status == 1 and errors.startswith("error[P905]")
