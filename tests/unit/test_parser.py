"""The grammar: what programs are read as."""

from __future__ import annotations

import random

import pytest
from xdsl.dialects.builtin import FileLineColLoc, ModuleOp, StringAttr

from patlang_ir.diagnostics import CompileError, place_of
from patlang_ir.dialects import pat
from patlang_ir.dialects.literals import python_number
from patlang_ir.frontend import Program, parse

ORDER = {
    **{"or": 1, "and": 2, "eq": 3, "ne": 3, "lt": 4, "le": 4, "gt": 4, "ge": 4},
    **{"band": 5, "bor": 5, "bxor": 5, "add": 6, "sub": 6, "shl": 7, "shr": 7},
    **{"mul": 8, "div": 8, "rem": 8},
}


def shape(text: str) -> str:
    """An expression with every operation in parentheses."""
    module = parse(f"let it = {text}").module
    (let,) = (op for op in module.walk() if isinstance(op, pat.LetOp))
    return written(let.value.owner)


def written(op: object) -> str:
    match op:
        case pat.ConstantOp():
            literal = op.value
            return literal.data if isinstance(literal, StringAttr) else str(python_number(literal))
        case pat.NameOp():
            return op.variable.data
        case pat.UnaryOp():
            return f"({op.kind.data} {written(op.operand.owner)})"
        case pat.BinaryOp():
            return f"({written(op.lhs.owner)} {op.kind.data} {written(op.rhs.owner)})"
        case pat.LogicalOp():
            given = op.rhs.block.last_op
            assert isinstance(given, pat.YieldOp)
            return f"({written(op.lhs.owner)} {op.kind.data} {written(given.value.owner)})"
        case pat.IndexOp():
            return f"{written(op.base.owner)}[{written(op.index.owner)}]"
        case pat.MemberOp():
            return f"{written(op.base.owner)}.{op.member.data}"
        case pat.ApplyOp():
            return f"{op.callee.data}({', '.join(written(arg.owner) for arg in op.args)})"
        case pat.CallValueOp():
            args = ", ".join(written(arg.owner) for arg in op.args)
            return f"<{written(op.callee.owner)}>({args})"
        case pat.ListOp():
            return f"[{', '.join(written(item.owner) for item in op.items)}]"
        case pat.SendOp():
            args = ", ".join(written(arg.owner) for arg in op.args)
            return f"{written(op.base.owner)}.{op.method.data}({args})"
        case pat.ClosureOp():
            returned = op.body.block.last_op
            inside = _outline(op.body.block)
            if isinstance(returned, pat.ReturnOp) and returned.value is not None:
                inside = inside.removesuffix("return it") + written(returned.value.owner)
            return f"|{' '.join(op.param_names)}|{{{inside}}}"
        case _:
            raise AssertionError(op)


def outline(program: Program) -> str:
    """The statements of the top level by their names, blocks in parentheses."""
    (body,) = (op for op in program.module.ops if isinstance(op, pat.ProgramOp))
    return _outline(body.body.block)


def _outline(block: object) -> str:
    assert hasattr(block, "ops")
    found: list[str] = []
    for op in block.ops:
        match op:
            case pat.LetOp():
                found.append(("mut " if op.mutable else "") + op.variable.data)
            case pat.AssignOp():
                found.append(f"={op.variable.data}")
            case pat.ReturnOp():
                found.append("return" if op.value is None else "return it")
            case pat.ContractOp():
                found.append(str(op.kind.data))
            case pat.ApplyOp():
                found.append(f"{op.callee.data}()")
            case pat.IfOp():
                bodies = [body for _, body in op.branches]
                bodies += [op.otherwise] if op.otherwise else []
                found.append("if" + "".join(f"({_outline(body.block)})" for body in bodies))
            case pat.WhileOp():
                found.append(f"while({_outline(op.body.block)})")
            case pat.SetMemberOp():
                found.append(f".{op.member.data}=")
            case pat.WhenOp(event=event):
                found.append(f"when {event.data} {written(op.handler.owner)}")
            case pat.ClassOp():
                found.append(_class(op))
            case _:
                pass
    return " ".join(found)


def _class(op: pat.ClassOp) -> str:
    name = op.class_name.data + (f" < {op.inherits.data}" if op.inherits is not None else "")
    traits = "".join(f" +{trait.data}" for trait in op.class_traits)
    parts = [
        f" {part.data}={written(value.owner)}"
        for part, value in zip((*op.fields, *op.methods), (*op.defaults, *op.closures), strict=True)
    ]
    return f"<{name}{traits}{''.join(parts)}>"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a + b * c - d", "((a add (b mul c)) sub d)"),
        ("a - b - c", "((a sub b) sub c)"),
        ("6 band 3 bor 8", "((6 band 3) bor 8)"),
        ("a + b shl c * d", "(a add (b shl (c mul d)))"),
        ("a band b + c", "(a band (b add c))"),
        ("a < b == c < d", "((a lt b) eq (c lt d))"),
        ("not a == b", "((not a) eq b)"),
        ("-a * b", "((neg a) mul b)"),
        ("not - bnot a", "(not (neg (bnot a)))"),
        ("-xs[1]", "(neg xs[1])"),
        ("a or b and c or d", "((a or (b and c)) or d)"),
        ("(a or b) and c", "((a or b) and c)"),
        ("xs[0](5)[i + 1].length", "<xs[0]>(5)[(i add 1)].length"),
        ("f(a, [b, [], 1.5])(2)", "<f(a, [b, [], 1.5])>(2)"),
        ("3.name", "3.name"),
        ("007", "7"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("9007199254740993", "9007199254740993"),
        (r'"a\n\t\"\\\q"', 'a\n\t"\\\\q'),
        ("a +\n\n b", "(a add b)"),
        ("a\n + b\n # note\n\n == c", "((a add b) eq c)"),
        ("a\n-3", "(a sub 3)"),
        ("f(\n a,\n b)", "f(a, b)"),
        ("(a\n and b)", "(a and b)"),
        ("a and\n b", "(a and b)"),
        ("|x| { return x + 1 }", "|x|{(x add 1)}"),
        ("|x, y| do return x end", "|x y|{x}"),
        ("|| { }", "||{}"),
        ("{ }", "||{}"),
        ("{ return 3 }()", "<||{3}>()"),
        ("f(|x| { return x }, {\n a = 1\n b = 2\n}, c)", "f(|x|{x}, ||{=a =b}, c)"),
        ("[|x| do return x end, 3]", "[|x|{x}, 3]"),
        ("|x,\n y|\n{ return |z| { return z } }(1)", "<|x y|{|z|{z}}>(1)"),
        ("|end| { return end + 1 } + 2", "(|end|{(end add 1)} add 2)"),
        ("a.b(1).c.d(e, [f])(2)", "<a.b(1).c.d(e, [f])>(2)"),
        ("-a.b() * 2", "((neg a.b()) mul 2)"),
        ("a.end(1)", "a.end(1)"),
    ],
)
def test_expressions(text: str, expected: str):
    assert shape(text) == expected


def test_random_expressions_agree_with_a_parser_of_another_kind():
    """Operators in a row, grouped by splitting at the last one of the loosest kind."""
    choose = random.Random(7)
    signs = {
        **{"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="},
        **{"add": "+", "sub": "-", "mul": "*", "div": "/", "rem": "%"},
    }

    def group(names: list[str], kinds: list[str]) -> str:
        if not kinds:
            return names[0]
        loosest = min(ORDER[kind] for kind in kinds)
        last = max(at for at, kind in enumerate(kinds) if ORDER[kind] == loosest)
        left = group(names[: last + 1], kinds[:last])
        return f"({left} {kinds[last]} {group(names[last + 1 :], kinds[last + 1 :])})"

    for _ in range(200):
        kinds = choose.choices(list(ORDER), k=choose.randint(1, 12))
        names = [f"v{number}" for number in range(len(kinds) + 1)]
        text = names[0]
        for kind, name in zip(kinds, names[1:], strict=True):
            text += f" {signs.get(kind, kind)} {name}"
        assert shape(text) == group(names, kinds)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("let a = 1 let b = 2 print(a + b)", "a b print()"),
        ("let mut n = 0; n = n + 1; let mut = 3", "mut n =n mut"),
        ("if a then x = 1 elif b then x = 2 else x = 3 end y = 1", "if(=x)(=x)(=x) =y"),
        ("if a { x = 1 } elif b { x = 2 }\nelse { x = 3 } y = 1", "if(=x)(=x)(=x) =y"),
        ("if a { x = 1 } else\n y = 2 end z = 3", "if(=x)(=y) =z"),
        ("if a then x = 1 else { y = 2 } z = 3", "if(=x)(=y) =z"),
        ("if a then x = 1 else if b then x = 2 end end y = 1", "if(=x)(if(=x)) =y"),
        ("while a do x = 1 end while b begin end while c { x = 2 }", "while(=x) while() while(=x)"),
        ("if a then return end print(1)", "if(return) print()"),
        ("let end = 3 if end > 2 then return end end print(end)", "end if(return it) print()"),
        ("let end = 3 while end > 1 do end = end - 1 end", "end while(=end)"),
        ("let begin = 1 let do = 2 let x = begin + do", "begin do x"),
        ("return\nprint(1)", "return print()"),
        ("return; print(1)", "return print()"),
        ("return f(1)", "f() return it"),
        ("require a > 3 ensure (b) assert not c", "require ensure assert"),
        ("let require = 1 require = 2 print(require)", "require =require print()"),
        ("let a = f\n(b)", "a"),
        ("a.b = 1 a[0].c = 2 f(x).d.e = a.b", ".b= .c= f() .e="),
        ("a.b\n = 1", ".b="),
        ("when tick do x = 1 end", "when tick |event_name event_data|{=x}"),
        ("when tick begin x = 1 end y = 2", "when tick |event_name event_data|{=x} =y"),
        ("when tick\n{ if a { x = 1 } }", "when tick |event_name event_data|{if(=x)}"),
        ("let class = 1 class = 2 class.when = 3 when(4)", "class =class .when= when()"),
        ("class A { }", "<A>"),
        ("class A inherits B do end x = 1", "<A < B> =x"),
        (
            "class A { traits B, C; field x = f(1) fn m() { return self } traits D }",
            "f() <A +B +C +D x=f(1) m=|self|{self}>",
        ),
        (
            "class A do\n make a function called m takes a, b returns r\n  let r = a\n end\n"
            " field y = |x| { return x }\n field field = 2\nend",
            "<A y=|x|{x} field=2 m=|self a b|{r}>",
        ),
        ("class A do\nfn m() {\n}\nend\nx = 1", "<A m=|self|{}> =x"),
        ("class A { fn m() { x = 1 } fn m(y) { x = 2 } }", "<A m=|self y|{=x}>"),
    ],
)
def test_statements(text: str, expected: str):
    assert outline(parse(text)) == expected


WORDS = "end fact case rule class goal query traits step text a mut when make do begin called takes"


@pytest.mark.parametrize(
    "word", [*WORDS.split(), "function", "include", "syntax", "returns", "then"]
)
def test_words_that_matter_by_position_are_names(word: str):
    text = f"let {word} = 1\n{word} = {word} + 1\nif {word} == 2 then\n print({word})\nend"
    assert outline(parse(text)) == f"{word} ={word} if(print())"


@pytest.mark.parametrize("word", ["goal", "rule", "class", "case", "fact", "query", "when"])
def test_words_before_parentheses_are_calls(word: str):
    assert outline(parse(f'{word}("p", 1)')) == f"{word}()"


@pytest.mark.parametrize(
    ("text", "params", "returns"),
    [
        ("make a function called f takes x, y returns r\nlet r = 1\nend", "xy", "r"),
        ("make function f\nprint(1)\nend", "", None),
        ("make function called f takes x\ny = x\nend", "x", None),
        ("make function called f takes x,\n y\nreturn y\nend", "xy", None),
        ("make function called f takes x { return x }", "x", None),
        ("make function called f { }", "", None),
        ("fn f(x,\n y) { return x }", "xy", None),
        ("fn f()\n{\n}", "", None),
    ],
)
def test_functions(text: str, params: str, returns: str | None):
    program, function = parse(text).module.ops
    assert isinstance(program, pat.ProgramOp) and not program.body.block.ops
    assert isinstance(function, pat.FuncOp)
    assert function.sym_name.data == "f"
    assert function.param_names == tuple(params)
    assert (function.result_name.data if function.result_name else None) == returns
    assert function.kernel is None


def kernel(text: str) -> pat.FuncOp:
    *_, function = parse(text + "\nfn k(x) { store(x, offs, 1) }").module.ops
    assert isinstance(function, pat.FuncOp)
    return function


@pytest.mark.parametrize(
    ("marker", "kind", "options"),
    [
        ("# @gpu_kernel", "linear", None),
        ("#@gpu_kernel_2d", "grid", None),
        ("#   @gpu_kernel_matmul(precision=tf32)  # note", "matmul", '{precision = "tf32"}'),
        (
            "# @gpu_kernel(autotune=[256, 512], math=fast, deterministic=false)\n\n# more",
            "linear",
            '{autotune = [256 : i64, 512 : i64], math = "fast", deterministic = false}',
        ),
        ("# @gpu_kernel (types=f32)", "linear", '{types = "f32"}'),
        ("# @gpu_kernel_matmul(autotune=[[16, 16], [32]])", "matmul", None),
    ],
)
def test_markers(marker: str, kind: str, options: str | None):
    function = kernel(marker)
    assert function.kernel is not None and function.kernel.data == kind
    if options is not None:
        assert str(function.options) == options


def test_a_marker_counts_for_one_function():
    program = parse("# @gpu_kernel\nfn k(x) { }\nfn g(x) { }").module
    kinds = [op.kernel for op in program.ops if isinstance(op, pat.FuncOp)]
    assert [kind is None for kind in kinds] == [False, True]


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("# @gpu_kernel(autotun=[1])", 15, "'autotun'"),
        ("# @gpu_kernel(math=fast, math=fast)", 26, "given twice"),
        ("# @gpu_kernel(math=quick)", 20, "strict or fast"),
        ("# @gpu_kernel(math=)", 20, "a value is missing"),
        ("# @gpu_kernel(autotune=[])", 24, "list of block sizes"),
        ("# @gpu_kernel(autotune=[1.5])", 24, "list of block sizes"),
        ("# @gpu_kernel(autotune=[1", 26, "the list ends with ]"),
        ("# @gpu_kernel(deterministic=1)", 29, "true or false"),
        ("# @gpu_kernel(math=fast", 24, "the end of the line"),
        ("# @gpu_kernel(math=fast) x", 26, "'x'"),
        ("# @gpu_kernel for two", 15, "'('"),
        ("# @gpu_kernel()", 15, "an option is missing"),
        ("# @gpu_kernel\n# @gpu_kernel_2d", 1, "two markers"),
    ],
)
def test_wrong_markers(text: str, column: int, words: str):
    with pytest.raises(CompileError) as caught:
        kernel(text)
    (problem,) = caught.value.diagnostics
    assert problem.code == "P118" and problem.place is not None
    assert problem.place.column == column
    assert words in problem.message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# @gpu_kernel\nlet a = 1", "marks no function"),
        ("fn f() { }\n# @gpu_kernel", "marks no function"),
        ("# @gpu_kernle\nfn f() { }", "known"),
    ],
)
def test_stray_markers_are_warnings(text: str, words: str):
    (warning,) = parse(text).warnings
    assert (warning.code, warning.severity) == ("P119", "warning")
    assert words in warning.message


def test_of_two_functions_with_one_name_the_later_counts():
    program = parse("fn f(a) { }\nfn g() { }\nfn f(b) { }")
    functions = [op for op in program.module.ops if isinstance(op, pat.FuncOp)]
    assert [(op.sym_name.data, op.param_names) for op in functions] == [("g", ()), ("f", ("b",))]
    (warning,) = program.warnings
    assert (warning.code, str(warning.place)) == ("P121", "<text>:3:4")
    assert "<text>:1:4" in warning.message


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("class A {\n fn m() { }\n fn m() { }\n}", "3:5", "the one at <text>:2:5 is not used"),
        ("class A { }\nclass A { }", "2:7", "the class 'A' is defined twice"),
    ],
)
def test_what_a_class_has_twice_is_a_warning(text: str, place: str, words: str):
    (warning,) = parse(text).warnings
    assert (warning.code, str(warning.place)) == ("P121", f"<text>:{place}")
    assert words in warning.message


def test_forms_have_their_places():
    text = (
        "let f = |x| {\n  return x\n}\na.b.c = f(1)\nwhen e do\n  x.m(2)\nend\n"
        "class A {\n  field g = 3\n  make function h\n  end\n}"
    )
    module = parse(text).module
    found: dict[str, list[str]] = {}
    for op in module.walk():
        place = str(place_of(op.location)).removeprefix("<text>:")
        found.setdefault(op.name, []).append(place)
    assert found["pat.closure"] == ["1:9", "5:1", "10:17"]
    assert found["pat.set_member"] == ["4:5"]
    assert found["pat.member"] == ["4:3"]
    assert found["pat.when"] == ["5:1"]
    assert found["pat.send"] == ["6:5"]
    assert found["pat.class"] == ["8:1"]


def test_every_operation_has_its_place():
    text = "let a = b +\n  f(1)[2]\nwhile a do\n  a = not a.length\nend\nfn g(x) {\n  return x\n}"
    module = parse(text, "dir/a.patlang").module
    found: dict[str, str] = {}
    for op in module.walk():
        if isinstance(op, ModuleOp):
            continue
        assert isinstance(op.location, FileLineColLoc), op
        assert op.location.filename.data == "dir/a.patlang"
        found.setdefault(op.name, str(place_of(op.location)).removeprefix("dir/a.patlang:"))
    assert found == {
        "pat.program": "1:1",
        "pat.name": "1:9",
        "pat.constant": "2:5",
        "pat.apply": "2:3",
        "pat.index": "2:3",
        "pat.binary": "1:11",
        "pat.let": "1:5",
        "pat.while": "3:1",
        "pat.yield": "3:7",
        "pat.member": "4:13",
        "pat.unary": "4:7",
        "pat.assign": "4:3",
        "pat.func": "6:4",
        "pat.return": "7:3",
    }


def test_the_end_of_an_inner_if_leaves_else_to_the_outer_one():
    text = "let a = 1\nif a then\nif a then\na = 2\nend\nelse\na = 3\nend"
    program = next(op for op in parse(text).module.ops if isinstance(op, pat.ProgramOp))
    outer = program.body.block.last_op
    assert isinstance(outer, pat.IfOp) and outer.otherwise is not None
    inner = outer.branches[0][1].block.first_op
    assert isinstance(inner, pat.IfOp) and inner.otherwise is None
