"""What PatLang IR adds to every xDSL tool: dialects, passes, targets and a frontend.

Every entry is a function that imports its module when it is called, so that a tool loads only what
it uses. Passes are found by their file names: `passes/tile_simplify.py` holds the class
`TileSimplify`, whose pass name is `tile-simplify`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from xdsl.universe import Universe

DIALECTS = ("pat", "tile", "tl")
PASSES = Path(__file__).parent / "passes"


def _lazy(module: str, name: str) -> Callable[[], Any]:
    return lambda: getattr(import_module(f"patlang_ir.{module}"), name)


def _camel_case(stem: str) -> str:
    return "".join(word.capitalize() for word in stem.split("_"))


def pass_stems() -> tuple[str, ...]:
    """The file names, without their ending, of the passes; nothing is imported."""
    return tuple(
        sorted(
            path.stem
            for path in PASSES.glob("*.py")
            if path.stem.partition("_")[0] in DIALECTS and "_" in path.stem
        )
    )


PATLANG_UNIVERSE = Universe(
    all_dialects={name: _lazy(f"dialects.{name}", name.capitalize()) for name in DIALECTS},
    all_passes={
        stem.replace("_", "-"): _lazy(f"passes.{stem}", _camel_case(stem)) for stem in pass_stems()
    },
    all_targets={
        "triton": _lazy("backends.triton", "TritonTarget"),
        "python": _lazy("backends.python", "PythonTarget"),
    },
    all_frontends={"patlang": _lazy("tools.patlang_frontend", "PatLangFrontend")},
)
