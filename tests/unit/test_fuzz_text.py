"""Broken programs and broken IR get diagnostics with a place, and never another exception."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "fuzz"))

from text_fuzz import Broken, ir_of, outcome, outcome_of_ir, patience, text_of

SLICES = [range(start, start + 50) for start in range(0, 350, 50)]


@pytest.mark.parametrize("seeds", SLICES, ids=lambda seeds: str(seeds.start))
def test_broken_programs(seeds: range):
    for seed in seeds:
        with patience():
            assert outcome(text_of(seed)) in ("compiled", "refused"), seed


@pytest.mark.parametrize("seeds", SLICES[:3], ids=lambda seeds: str(seeds.start))
def test_broken_ir(seeds: range):
    for seed in seeds:
        with patience():
            assert outcome_of_ir(*ir_of(seed)) in ("compiled", "refused"), seed


def test_a_place_is_asked_for(monkeypatch: pytest.MonkeyPatch):
    from text_fuzz import compile_all

    from patlang_ir.diagnostics import refuse

    def fail(text: str) -> None:
        raise refuse(None, "P301", "nowhere")

    assert callable(compile_all)
    monkeypatch.setattr("text_fuzz.compile_all", fail)
    with pytest.raises(Broken, match="no place"):
        outcome("")
