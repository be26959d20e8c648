"""The IR is complete in its text: from any stage, printed and read again, comes the same Triton."""

from __future__ import annotations

from pathlib import Path

import pytest
from run_lines import run_tool

from patlang_ir.passes.pipelines import PIPELINES

STEPS = PIPELINES["patlang-kernel-to-triton"]

KERNELS = {
    "elementwise": """
# @gpu_kernel
make a function called axpy takes x, y, out, s
  let a = x[offs] * s + y[offs]
  if s > 0.0 then
    let a = a + 1.0
  end
  store(out, offs, select(a > 0.0, exp(a), 0.0))
end
""",
    "loops": """
# @gpu_kernel
make a function called iterate takes x, out, steps
  let v = x[offs]
  let i = 0
  while i < 10 do
    let v = v * 0.5 + 1.0
    let i = i + 1
  end
  let w = 1.0
  while w < steps do
    let w = w * 2.0
  end
  store(out, offs, v + w)
end
""",
    "reduction": """
# @gpu_kernel
make a function called total takes x, out
  store(out, 0, sum(x[offs]))
end
""",
    "rows": """
# @gpu_kernel_2d
make a function called softmax takes x, out
  let v = x[offs]
  let e = exp(v - max(v, 1))
  store(out, offs, e / sum(e, 1))
end
""",
}


def opt(*arguments: str, data: str = "") -> str:
    status, output, errors = run_tool("patlang-opt", arguments, data)
    assert status == 0, errors
    return output


@pytest.mark.parametrize("name", KERNELS)
def test_every_stage_gives_the_same_triton(name: str, tmp_path: Path):
    program = tmp_path / "k.patlang"
    program.write_text(KERNELS[name])
    expected = opt(str(program), "-p", ",".join(STEPS), "-t", "triton")
    assert "tl.store" in expected
    text = opt(str(program))
    for position, step in enumerate(STEPS):
        rest = ",".join(STEPS[position:])
        assert opt("-p", rest, "-t", "triton", data=text) == expected, f"from before {step}"
        text = opt("-p", step, data=text)
        assert opt(data=text) == text, f"read again after {step}"
    assert opt("-t", "triton", data=text) == expected


ROOT = Path(__file__).parent
FILES = [
    *sorted((ROOT / "programs" / "kernels").glob("*.patlang")),
    *sorted((ROOT.parent / "examples").glob("*.patlang")),
]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_nothing_that_matters_is_outside_the_text(file: Path):
    """A chain of texts, one for each pass, ends in the Triton of one run of all passes."""
    options = '{signature="high=i32,low=i32"}'
    steps = [f"{step}{options}" if step == "tile-specialize" else step for step in STEPS]
    expected = opt(str(file), "-p", ",".join(steps), "-t", "triton")
    assert "tl.store(" in expected
    text = opt(str(file))
    for step in steps:
        text = opt("-p", step, data=text)
    assert opt("-t", "triton", data=text) == expected
