"""The guides are true: programs do what they show, and tables are those of the compiler."""

from __future__ import annotations

import math
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from doc_blocks import Block, blocks_of, patlang, run_console, run_python, write
from doc_tables import code_in, numbers, table_with
from xdsl.context import Context

import patlang_ir as pl
from patlang_ir.diagnostics import CODES
from patlang_ir.dialects import tile
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.dialects.scalars import SCALARS, scalar_name
from patlang_ir.frontend.markers import KINDS, OPTIONS
from patlang_ir.kernel_language import (
    BLOCK_FUNCTIONS,
    BLOCK_NAMES,
    IMPLICIT,
    INTRINSICS,
    STATEMENTS,
)
from patlang_ir.passes.pipelines import HOST, KERNEL_TO_TILE, PIPELINES, TILE_TO_TRITON
from patlang_ir.pipeline import parse_pipeline
from patlang_ir.runtime.arguments import DTYPES, NUMPY_TYPES
from patlang_ir.universe import DIALECTS, pass_stems

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GUIDES = ("language", "kernel-language", "types", "numbers", "architecture")
"""The pages whose programs and tables are run here; first-pass.md has a test of its own."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to run a page in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def guide(name: str) -> str:
    return DOCS.joinpath(f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", GUIDES)
def test_the_programs_of_a_guide_do_what_it_shows(name: str, folder: Path):
    for block in blocks_of(guide(name)):
        match block.kind:
            case "patlang":
                write(block, folder)
                check_program(block)
            case "python":
                status, shown = run_python(block.body)
                assert bool(status) == block.fails, shown
                assert shown == (block.output or "")
            case "console":
                _, shown = run_console(block.body, folder)
                assert shown == block.body
            case "mlir":
                write(block, folder)
            case _:
                pass


def check_program(block: Block) -> None:
    """A program has no problem and prints what is shown, or else the problem that is shown."""
    _, checked = patlang("check", block.file)
    if block.fails:
        assert checked == block.output
        return
    assert checked == f"{block.file}: no problems found\n"
    if block.output is not None:
        assert patlang("run", block.file) == (0, block.output)


@pytest.mark.parametrize("name", GUIDES)
def test_the_expressions_of_a_guide_have_the_values_that_it_shows(name: str):
    for row in table_with(guide(name), "expression", "type of x", "x", "result"):
        (expression,) = code_in(row["expression"])
        given, expected = numbers(row["x"]), numbers(row["result"])
        found = evaluate(expression, given, row["type of x"], type(expected[0]))
        assert list(map(repr, found)) == list(map(repr, expected)), row


def evaluate(expression: str, given: object, element: str, result: type) -> list[object]:
    """The values of an expression over the buffer x."""
    text = f"# @gpu_kernel\nfn k(x, out) {{ store(out, offs, {expression}) }}\n"
    x = np.array(given, NUMPY_TYPES[element])
    out = np.zeros(x.shape, result)
    pl.loads(text)["k"](x, out)
    return out.tolist()


# --- the kernel language ---

KERNELS = "kernel-language"


def test_every_function_of_kernels_is_listed_once():
    rows = table_with(guide(KERNELS), "function", "gives", "accuracy")
    listed = [
        (shown[0].partition("(")[0], tuple(form.count(",") + 1 for form in shown))
        for shown in (code_in(row["function"]) for row in rows)
    ]
    arities = [(name, intrinsic.arity) for name, intrinsic in INTRINSICS.items()]
    assert sorted(listed) == sorted(arities)


def test_every_statement_function_is_listed():
    rows = table_with(guide(KERNELS), "statement", "means")
    shown = [form for row in rows for form in code_in(row["statement"])]
    calls = {form.partition("(")[0]: form.count(",") + 1 for form in shown if "(" in form}
    del calls["f"]
    assert calls == {name: max(arity) for name, arity in STATEMENTS.items()}


def test_the_implicit_names_are_listed_by_kind():
    rows = table_with(guide(KERNELS), "name", "1-D", "2-D", "stands for")
    for column, kind in (("1-D", KernelKind.LINEAR), ("2-D", KernelKind.GRID)):
        listed = {name for row in rows if row[column] for name in code_in(row["name"])}
        assert listed == set(IMPLICIT[kind])
    assert all(f"`{name}`" in guide(KERNELS) for name in BLOCK_NAMES)
    rows = table_with(guide(KERNELS), "name of a matmul kernel", "stands for")
    listed = {name for row in rows for name in code_in(row["name of a matmul kernel"])}
    assert listed == set(IMPLICIT[KernelKind.MATMUL])


def test_every_function_of_blocks_is_listed_with_its_arguments():
    rows = table_with(guide(KERNELS), "function of blocks", "gives")
    shown = [form for row in rows for form in code_in(row["function of blocks"])]
    calls = {form.partition("(")[0]: (form.count(",") + 1,) for form in shown}
    assert calls == {name: function.arity for name, function in BLOCK_FUNCTIONS.items()}


def test_the_markers_and_their_options_are_listed():
    text = guide(KERNELS)
    markers = table_with(text, "marker", "kind", "the input is")
    assert [code_in(row["marker"])[0] for row in markers] == [f"# @{word}" for word in KINDS]
    rows = table_with(text, "option", "values", "means")
    listed = {code_in(row["option"])[0]: code_in(row["values"]) for row in rows}
    assert set(listed) == set(OPTIONS)
    for option in ("types", "math", "precision", "deterministic"):
        described, _ = OPTIONS[option]
        assert listed[option] == described.split(" or ")


def test_the_refusals_of_kernels_are_listed_with_their_titles():
    text = guide(KERNELS)
    listed = {row["code"]: row["what"] for row in table_with(text, "code", "what")}
    shown = {re.findall(r"P\d+", code)[0]: what for code, what in listed.items()}
    assert set(shown) == {code for code in re.findall(r"P\d{3}", text)}
    assert all(CODES[code] == what for code, what in shown.items())
    kernel_codes = {code for code in CODES if "P300" < code < "P500"}
    assert kernel_codes <= set(shown)


REFERENCES = {
    "exp": np.exp,
    "exp2": np.exp2,
    "log": np.log,
    "log2": np.log2,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "tanh": np.tanh,
    "erf": np.vectorize(math.erf),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
}
"""What f32 results are measured against, in f64."""


@pytest.mark.parametrize("name", REFERENCES)
def test_the_evaluator_keeps_the_accuracy_that_is_stated(name: str):
    rows = table_with(guide(KERNELS), "function", "gives", "accuracy")
    (bound,) = (float(r["accuracy"]) for r in rows if r["function"].startswith(f"`{name}("))
    random = np.random.default_rng(7)
    x = random.uniform(-80, 80, 1 << 14).astype(np.float32)
    if name.startswith("log"):
        x = np.abs(x)
    out = np.zeros_like(x)
    pl.loads(f"# @gpu_kernel\nfn k(x, out) {{ store(out, offs, {name}(x[offs])) }}")["k"](x, out)
    exact = REFERENCES[name](x.astype(np.float64))
    step = np.spacing(np.abs(exact).astype(np.float32)).astype(np.float64)
    assert np.max(np.abs(out - exact) / step) <= bound


# --- types ---

TYPED = (
    "pat-inline-helpers,pat-resolve-names,pat-isolate-kernels,pat-to-tile,"
    'tile-specialize{{signature="x={x},y={y},out=bool"}},tile-infer-shapes'
)


def type_of(expression: str, x: str, y: str = "") -> str:
    """The element type of an expression over the buffers x and y."""
    text = f"# @gpu_kernel\nfn k(x, y, out) {{ store(out, offs, {expression}) }}\n"
    module = pl.loads(text).program.module.clone()
    for step in parse_pipeline(TYPED.format(x=x, y=y or "bool")):
        step.apply(Context(), module)
    (store,) = (op for op in module.walk() if isinstance(op, tile.StoreOp))
    value = store.value
    while isinstance(value.owner, tile.CastOp | tile.BroadcastOp):
        value = value.owner.operands[0]
    return scalar_name(tile.element_of(value.type))


def test_numbers_of_two_types_meet_as_the_page_says():
    types = ("f16", "bf16", "f32", "f64", "i8", "u8", "i16", "i32", "i64")
    assert {*types, "bool"} == set(SCALARS)
    rows = table_with(guide("types"), "x + y", *types)
    assert tuple(row["x + y"] for row in rows) == types
    for row in rows:
        for other in types:
            assert row[other] == type_of("x[offs] + y[offs]", row["x + y"], other)


def test_expressions_have_the_types_that_the_page_says():
    rows = table_with(guide("types"), "expression", "x", "y", "type of the result")
    assert len(rows) > 20
    for row in rows:
        (expression,) = code_in(row["expression"])
        assert row["type of the result"] == type_of(expression, row["x"], row["y"]), row


def test_the_element_types_are_listed():
    rows = table_with(guide("types"), "type", "NumPy and PyTorch", "holds")
    listed = {
        theirs: ours
        for row in rows
        for ours, theirs in zip(
            code_in(row["type"]), code_in(row["NumPy and PyTorch"]), strict=True
        )
    }
    assert listed == DTYPES


# --- architecture ---


def test_the_passes_are_listed_in_their_order_with_their_reasons():
    text = (ROOT / "patlang_ir/passes/pipelines.py").read_text(encoding="utf-8")
    written = re.findall(r'^    "([a-z0-9-]+)",  # (.+)$', text, re.MULTILINE)
    assert [name for name, _ in written] == [*KERNEL_TO_TILE, *TILE_TO_TRITON, *HOST]
    rows = table_with(guide("architecture"), "pass", "does")
    listed = [(code_in(row["pass"])[0], row["does"]) for row in rows]
    assert listed == written, "docs/architecture.md lists the lines of passes/pipelines.py"
    assert all(f"`{name}`" in guide("architecture") for name in PIPELINES)


def test_every_pass_and_every_folder_is_named():
    text = guide("architecture")
    passes = {stem.replace("_", "-") for stem in pass_stems()}
    assert {name for name in passes if f"`{name}`" not in text} == set()
    package = ROOT / "patlang_ir"
    folders = {p.parent.name for p in package.glob("*/*.py")} | {"backends"}
    rows = table_with(text, "folder of `patlang_ir`", "holds")
    assert {code_in(row["folder of `patlang_ir`"])[0] for row in rows} == folders
    files = {p.name for p in package.glob("*.py")} - {"__init__.py"}
    assert {name for name in files if f"`{name}`" not in text} == set()


def test_the_picture_shows_the_levels_and_the_backends():
    root = ElementTree.parse(DOCS / "architecture.svg").getroot()
    shown = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
    backends = {f"backends/{p.parent.name}" for p in ROOT.glob("patlang_ir/backends/*/__init__.py")}
    pipelines = set(PIPELINES) - {"patlang-kernel-to-triton"}
    assert {"program.patlang", "frontend", *DIALECTS, *backends, *pipelines} <= shown
