"""Programs that use kernels by name, on a GPU: `run_programs.py [--interpret] [NAME...]`.

Runs the programs of tests/programs/gpu and compares what they print with what was written by hand;
ends with status 1 if one differs. With `--interpret` Triton's interpreter stands for the GPU.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import redirect_stdout
from difflib import unified_diff
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS.parent)]
FOLDER = TESTS / "programs" / "gpu"


def main() -> int:
    names = [word for word in sys.argv[1:] if not word.startswith("--")]
    if "--interpret" in sys.argv:
        os.environ["TRITON_INTERPRET"] = "1"
        _interpret()
    programs = [FOLDER / f"{name}.patlang" for name in names] or sorted(FOLDER.glob("*.patlang"))
    return 1 if [program for program in programs if not _passes(program)] else 0


def _interpret() -> None:
    """Let tensors on the CPU pass for such on a GPU."""
    import torch

    from patlang_ir.runtime import launcher

    torch.Tensor.cuda = lambda self: self.clone()
    torch.cuda.synchronize = lambda: None
    launcher.choose_device = lambda wanted: wanted
    launcher.describe = lambda device: "Triton's interpreter"


def _passes(program: Path) -> bool:
    from patlang_ir.tools.cli import main as patlang

    printed = io.StringIO()
    with redirect_stdout(printed):
        status = patlang(["run", str(program), "--device", "cuda"])
    want = program.with_suffix(".out").read_text().splitlines()
    difference = [*unified_diff(want, printed.getvalue().splitlines(), lineterm="")]
    print(f"{program.stem:16} {'differs' if difference or status else 'agrees'}")
    print("\n".join(difference), end="\n" if difference else "")
    return not difference and status == 0


if __name__ == "__main__":
    sys.exit(main())
