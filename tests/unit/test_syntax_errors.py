"""What is no program: each mistake is reported once, at its place."""

from __future__ import annotations

import random

import pytest

from patlang_ir.diagnostics import CompileError
from patlang_ir.frontend import parse
from patlang_ir.verify import verify


def errors(text: str) -> list[str]:
    with pytest.raises(CompileError) as caught:
        parse(text)
    return [
        f"{problem.code} {problem.place.line}:{problem.place.column}"
        for problem in caught.value.diagnostics
        if problem.place
    ]


MISTAKES: dict[str, tuple[str, ...]] = {
    # values and signs
    "let a = 1 +\nlet b = 2": ("P110 1:11",),
    "let a = @\nlet b = 2 $ 3": ("P104 1:9", "P104 2:11"),
    "let a = b && c": ("P104 1:11",),
    "let é = 3": ("P104 1:5",),
    "if a || b then\n print(1)\nend": ("P110 1:6",),
    "x += 1": ("P110 1:3",),
    "let x = a ** b": ("P110 1:11",),
    "let x = 1e3": ("P110 1:9",),
    "print(2 * 1e-5, 3)": ("P110 1:11",),
    "print(1, 0xff)\nprint(0x10)": ("P110 1:10", "P110 2:7"),
    "let x = [1.5f]": ("P110 1:10",),
    "let x = 3 4": ("P110 1:11",),
    "print x\nprint(1)": ("P110 1:7",),
    '"text"': ("P110 1:1",),
    "let a = 1\nand b": ("P110 2:1",),
    "let xs = [1, 2,]": ("P110 1:15",),
    "print(1,)": ("P110 1:8",),
    "let a = 1" + "0" * 4300: ("P106 1:9",),
    "let a = 1" + "0" * 309 + ".0": ("P106 1:9",),
    # assignments
    "if x = 1 then\n print(1)\nend": ("P110 1:6",),
    "let a = b = c": ("P110 1:11",),
    "print(a = 1)": ("P110 1:9",),
    "let a == 3": ("P110 1:7",),
    "let x\nlet y = 3": ("P110 1:5",),
    "let if = 3": ("P110 1:5",),
    "let xs = [1]\nxs[0] = 9": ("P116 2:1",),
    "let xs = [1]\nlet xs[0][1] = 9": ("P116 2:5",),
    "print(y) = 3": ("P110 1:10",),
    # brackets and strings
    'print("abc)\nprint("x")': ("P105 1:7",),
    "print(1\nprint(2)": ("P112 1:6",),
    "print([1, 2)\nprint(2)": ("P112 1:7",),
    "let y = (x[offs] / store(out, offs, y)\nprint(1)": ("P112 1:9",),
    "foo(a b,\n    c, d)\nprint(1)": ("P110 1:7",),
    "foo(a\n    b)\nprint(1)": ("P110 1:5",),
    "foo(a,\nlet b = 3": ("P112 1:4",),
    "let xs = ys\n[0]": ("P110 2:1",),
    "print(xs[1, 2])\nprint(a % )": ("P110 1:11", "P110 2:11"),
    "if f(x then\n print(1)\nend": ("P112 1:5",),
    "let b = ]\nlet c = )": ("P110 1:9", "P110 2:9"),
    "let x = 1 }": ("P110 1:11",),
    # blocks
    "if x\n print(1)\nend": ("P110 1:4",),
    "if x\n print(1)\nelse\n print(3)\nend\nwhile true\n print(3)\nend": ("P110 1:4", "P110 6:7"),
    "while a < 3 do\n print(a\n a = a + 1\nend": ("P112 2:7",),
    "end\nprint(1)": ("P110 1:1",),
    "print(1) end": ("P110 1:10",),
    "else\nprint(1)": ("P110 1:1",),
    "if x then\n print(1)\n}": ("P110 3:1",),
    "if x {\n print(1)\nend\nprint(1)": ("P110 3:1",),
    "if x {\n if y then\n  print(1)\n}\nprint(1)": ("P111 2:2",),
    "if x {\n print(1)": ("P111 1:6",),
    "fn f(x) {\n if x then\n  print(1)\n }\n": ("P111 2:2",),
    "fn f(x)\n if x then\n print(1)\nend\nend": ("P110 1:7",),
    "if 1 then\n print(1)\nelse if 2 then\n print(2)\nend": ("P113 3:6",),
    "if 1 then\nelse if 2 then\nelse if 3 then\nend\nprint(4)": ("P113 3:6",),
    # functions
    "make function called main takes x\nend\nmake function called if\nend": (
        "P117 1:22",
        "P117 3:22",
    ),
    "make function called f takes x, x\nend": ("P209 1:33",),
    "fn f(x, y, x) { }": ("P209 1:12",),
    "make function f(x)\n print(1)\nend": ("P110 1:16",),
    "fn f(x { return 3 }\nprint(1)": ("P112 1:5",),
    "fn f(x) return x\nprint(1)": ("P110 1:9",),
    "fn (x) { return x }": ("P110 1:4",),
    "if 1 then\n make function called f takes x\n  return x\n end\nend": ("P115 2:2",),
    "fn f() {\n fn g() { }\n}": ("P115 2:2",),
    "function f takes x\n return 3\nend\nlet b = )": ("P110 1:1", "P110 4:9"),
    "make f takes x\n return 3\nend": ("P110 1:1",),
    "a function called f\n return 3\nend": ("P110 1:1",),
    # a word is missing
    "i < 3 do\n print(i)\nend\nlet b = )": ("P110 1:7", "P110 4:9"),
    "i < 3 then\n print(i)\nelse\n print(2)\nend": ("P110 1:7",),
    "while i < 3 let i = 4 end": ("P110 1:13",),
    "let = -3\n - 4\nlet b = )": ("P110 1:5", "P110 3:9"),
    "let a -3\n - 4\nlet b = )": ("P110 1:7", "P110 3:9"),
    "let a []": ("P110 1:7",),
    "f(rep], im[p])": ("P110 1:6",),
    # closures
    "let f = |x { return 3 }\nlet b = )": ("P110 1:12", "P110 2:9"),
    "let f = |x, x| { }": ("P209 1:13",),
    "let f = |x, 3| { }\nlet b = )": ("P110 1:13", "P110 2:9"),
    "let f = |if| { }": ("P110 1:10",),
    "let f = |x| x + 1\nlet b = )": ("P110 1:13", "P110 2:9"),
    "let f = |x|\nlet b = )": ("P110 1:11", "P110 2:9"),
    "let f = |x| {\n let a = )\n let b = ]\n}\nlet c = )": (
        "P110 2:10",
        "P110 3:10",
        "P110 5:9",
    ),
    "print(map(|x| {\n let a = )\n return x\n}, 3), 4)\nlet c = )": ("P110 2:10", "P110 5:9"),
    "print(map(|x| do\n return x +\n end, 3), 4)\nlet c = )": ("P110 2:11", "P110 4:9"),
    "print(|x| { return x\nfn g() { }": ("P111 1:11",),
    "print(|x| do\n return x\n": ("P111 1:11",),
    "print([|x| { return (x }])\nlet c = )": ("P112 1:21", "P110 2:9"),
    "let f = {\n fn g() { }\n}": ("P115 2:2",),
    'let m = {"a": 1, b: 2}\nlet b = )': ("P110 1:9", "P110 2:9"),
    "let m = { a: 1 }": ("P110 1:9",),
    "|x| { return x }": ("P110 1:1",),
    "{ print(1) }": ("P110 1:1",),
    "if { print(1) }\nlet b = )": ("P110 1:4", "P110 2:9"),
    "while do\n print(1)\nend": ("P110 1:7",),
    "let x = a | b": ("P110 1:11",),
    "let f = fn(x) {\n return x\n}\nlet b = )": ("P110 1:9", "P110 4:9"),
    "let f = fn\nlet b = )": ("P110 1:9", "P110 2:9"),
    "let f = function(x) {\n return x\n}\nlet b = )": ("P110 1:21", "P110 4:9"),
    "xs.each |x| {\n print(x)\n}\nlet b = )": ("P110 1:9", "P110 4:9"),
    # words of other languages
    "for x in xs do\n print(x)\nend\nlet b = )": ("P110 1:1", "P110 4:9"),
    "var x = 1\nlet b = )": ("P110 1:1", "P110 2:9"),
    "switch x {\n case 1\n}\nlet b = )": ("P110 1:1", "P110 4:9"),
    "on tick do\n print(1)\nend\nlet b = )": ("P110 1:4", "P110 4:9"),
    "let y = x |> f\nlet b = )": ("P110 1:11", "P110 2:9"),
    "let y = x ? 1 : 2\nlet b = )": ("P104 1:11", "P110 2:9"),
    "let a = new A()\nlet b = )": ("P110 1:9", "P110 2:9"),
    # members
    "let a.b = 3\nlet b = )": ("P110 1:5", "P110 2:9"),
    "a.length = 3\nlet b = )": ("P116 1:1", "P110 2:9"),
    "print(xs.length())": ("P110 1:10",),
    "a.b = = 3": ("P110 1:7",),
    "a.b = c = 3": ("P110 1:9",),
    "a.\nb = 3": ("P110 1:2",),
    "-a.b = 3": ("P110 1:1",),
    "a.m() = 3": ("P110 1:7",),
    # events
    "when tick\n print(1)\nend\nlet b = )": ("P110 1:6", "P110 4:9"),
    "when tick do\n print(\nend\nlet b = )": ("P112 2:7", "P110 4:9"),
    "when tick do\n print(1)": ("P111 1:1",),
    'when "tick" do\n print(1)\nend\nlet b = )': ("P110 1:6", "P110 4:9"),
    "if 1 then\n when tick do end\nend": ("P115 2:2",),
    "fn f() {\n class A { field x = 1 }\n}": ("P115 2:2",),
    "let f = { when tick do end }": ("P115 1:11",),
    # classes
    "class A inherits {\n field x = 1\n}": ("P110 1:18",),
    "class A inherits if {\n field x = 1\n}\nlet b = )": ("P110 1:18", "P110 4:9"),
    "class A\n field x = 1\nend\nlet b = )": ("P110 1:7", "P110 4:9"),
    "class A {\n field x\n field y = 1\n}": ("P110 2:8",),
    "class A extends B {\n field x = 1\n}\nlet b = )": ("P110 1:9", "P110 4:9"),
    "class A(B) {\n field x = 1\n}\nlet b = )": ("P110 1:8", "P110 4:9"),
    "class A {\n def m(x) {\n  return x\n }\n fn n() { }\n}\nlet b = )": ("P110 2:2", "P110 7:9"),
    "class A {\n field x = 1\n field x = 2\n}": ("P209 3:8",),
    "class A {\n field length = 1\n}": ("P116 2:8",),
    "class A {\n fn m(self, x) { }\n}": ("P209 2:7",),
    "class A {\n x = 1\n let y = 2\n print(3)\n}\nlet b = )": (
        "P110 2:2",
        "P110 3:2",
        "P110 4:2",
        "P110 6:9",
    ),
    "class A {\n if x then\n  print(1)\n end\n}\nlet b = )": ("P110 2:2", "P110 6:9"),
    "class A {\n 3\n}": ("P110 2:2",),
    "class A {\n traits B,\n}": ("P110 2:10",),
    "class A {\n # @gpu_kernel\n fn m(x) { }\n}": ("P115 3:2",),
    "class A {\n fn m(x) { return ) }\n field f = ]\n}": ("P110 2:19", "P110 3:12"),
    "class A do\n field x = 1\n": ("P111 1:1",),
    "class A {\n make function called m\n  print(1)\n}\n": ("P111 2:2",),
    # what is not closed ends where the next thing of the top level starts
    "class A {\n field x = 1\nlet y = 2\nprint(y)\nclass B { }": ("P111 1:9",),
    "class A {\n fn m() {\n  print(1)\n }\nwhen tick do\nend\nlet b = )": ("P111 1:9", "P110 7:9"),
    "when tick do\n if 1 then\nclass A { }\nlet b = )": ("P111 2:2", "P110 4:9"),
    "let f = |x| {\n return x\nclass A { }\nfn g() { }": ("P111 1:13",),
    "let xs = [1,\n  [2, 3]],\n  [4, 5],\n  [6, 7]\n]\nlet b = )": ("P110 2:10", "P110 6:9"),
    # nothing at all
    "": ("P103 1:1",),
    "# only a comment\n": ("P103 2:1",),
}


@pytest.mark.parametrize("text", MISTAKES)
def test_each_mistake_is_reported_once(text: str):
    assert tuple(errors(text)) == MISTAKES[text]


OTHER_NUMBERS = {
    "1e3": "1000",
    "1.5e+3": "1500",
    "2e-5": "0.00002",
    "1E-3": "0.001",
    "0xFF": "255",
    "0b101": "5",
    "1.5f": "1.5",
    "7L": "7",
}


@pytest.mark.parametrize("text", OTHER_NUMBERS)
def test_a_number_of_another_language_is_written_out(text: str):
    with pytest.raises(CompileError) as caught:
        parse(f"print(2 * {text} + 1)")
    (problem,) = caught.value.diagnostics
    assert problem.message == f"'{text}' is not a number"
    assert problem.help == f"write {OTHER_NUMBERS[text]}"


@pytest.mark.parametrize("text", ["3x", "1e", "1e-", "1e999", "0xyz", "5px"])
def test_what_is_no_number_anywhere(text: str):
    with pytest.raises(CompileError) as caught:
        parse(f"let y = {text}")
    assert caught.value.diagnostics[0].message == f"'{text}' is not a number"
    assert "digits" in caught.value.diagnostics[0].help


BLOCK_MISTAKES = {
    "make function called f takes x\n  if x then\n    print(1)\nend\n{g}": "P111 2:3",
    "make function called f takes x\n  while x do\n    print(1)\n  return x\nend\n{g}": "P111 2:3",
    "make function called f takes x\n  if x then\n    print(1)\n  end\n{g}": "P111 1:1",
    "make function called f takes x\n  if x then\n  else if x then\n  end\nend\n{g}": "P113 3:8",
    "fn f(x) {{\n  if x {{\n    print(1)\n}}\n{g}": "P111 2:8",
}


@pytest.mark.parametrize("text", BLOCK_MISTAKES)
@pytest.mark.parametrize("after", ["", "make function called g\n  print(2)\nend\nprint(3)\n"])
def test_a_block_without_its_end_is_found_by_the_indentation(text: str, after: str):
    assert errors(text.format(g=after)) == [BLOCK_MISTAKES[text]]


UNSUPPORTED = {
    "rule head(X) :- goal(X, Y), other(Y).": "1:1",
    "rule head(X) :-\n goal(X, Y),\n other(Y).": "1:1",
    "rule fact(a, b).": "1:1",
    "goal win { at(home),\n has(x) }": "1:1",
    "let p = pursue win": "1:9",
    "pursue win": "1:1",
    "activate p": "1:1",
    "budgeted(3, h(1)) {\n print(1)\n}": "1:1",
    "case x\n 1 foo\nend": "1:1",
    "relationship a b": "1:1",
    "fact a b": "1:1",
    "function f(x) { return 3 }": "1:1",
    "name: rest of (line": "1:1",
}


@pytest.mark.parametrize("text", UNSUPPORTED)
def test_forms_that_come_later_are_named_and_passed_over(text: str):
    assert errors(f"{text}\nlet y = )") == [
        f"P114 {UNSUPPORTED[text]}",
        f"P110 {text.count(chr(10)) + 2}:9",
    ]
    indented = text.replace("\n", "\n ")
    nested = errors(f"if a then\n {indented}\nend\nlet z = )")
    assert [error[:4] for error in nested] == ["P114", "P110"]


def test_after_a_syntax_block_nothing_can_be_read():
    assert errors("syntax q { trigger ' }\nq { ' ' }\nend end") == ["P114 1:1"]


DEEP = {
    "parentheses": lambda n: f"let x = {'(' * n}1{')' * n}",
    "lists": lambda n: f"let x = {'[' * n}{']' * n}",
    "calls": lambda n: f"let x = {'f(' * n}{')' * n}",
    "indices": lambda n: f"let x = a{'[b' * n}{']' * n}",
    "word blocks": lambda n: "if a then\n" * n + "end\n" * n,
    "brace blocks": lambda n: "while a {\n" * n + "}\n" * n,
    "else if": lambda n: "if a then\nelse " * n + "end\n" * n,
    "unclosed": lambda n: f"let x = {'(' * n}",
}


@pytest.mark.parametrize("form", DEEP)
def test_deep_nesting_is_one_error(form: str):
    verify(parse(DEEP[form](40)).module) if form != "unclosed" else None
    assert [error[:4] for error in errors(DEEP[form](10_000))] == ["P120"]


@pytest.mark.parametrize(
    "text",
    [
        "let x = 1" + " + 1" * 10_000,
        "let x = " + "- " * 10_000 + "1",
        "let x = a" + "[1]" * 10_000,
        "if a then\n" + "elif b then\n" * 3_000 + "end",
        "let x = a" + " and b" * 3_000,
    ],
)
def test_long_is_not_deep(text: str):
    parse(text)


PIECES = [
    *("let", "if", "then", "else", "elif", "end", "while", "do", "{", "}", "(", ")", "[", "]"),
    *("=", "==", "+", "-", "and", "not", "x", "y", "f(", "1", "2.5", '"s"', '"', ",", ";", ":"),
    *("make function called g", "takes", "returns", "fn", "return", "|", ".", "#", "\n", "\n"),
    *("# @gpu_kernel\n", "when", "class", "rule", "é", "@", "\\", ":-", "true", "require", "mut"),
]


def test_any_text_is_a_program_or_an_error_with_a_place():
    choose = random.Random(11)
    programs = 0
    for _ in range(1500):
        text = " ".join(choose.choices(PIECES, k=choose.randint(1, 25)))
        try:
            verify(parse(text).module)
            programs += 1
        except CompileError as error:
            lines = text.split("\n")
            for problem in error.diagnostics:
                assert problem.place is not None, text
                assert problem.place.column <= len(lines[problem.place.line - 1]) + 1, text
    assert programs > 10
