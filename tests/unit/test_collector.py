"""The collector is paused while a program is read, and afterwards as it was."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Generator

import pytest

from patlang_ir.collector import paused_collector
from patlang_ir.diagnostics import CompileError
from patlang_ir.frontend import parse


@pytest.fixture(autouse=True)
def collecting() -> Generator[None]:
    was_enabled = gc.isenabled()
    yield
    gc.enable() if was_enabled else gc.disable()


@pytest.mark.parametrize("enabled", [True, False])
@pytest.mark.parametrize("text", ["let x = 1", "let = 1"])
def test_parsing_leaves_the_collector_as_it_was(text: str, enabled: bool):
    gc.enable() if enabled else gc.disable()
    try:
        parse(text)
    except CompileError:
        assert text == "let = 1"
    assert gc.isenabled() == enabled


def test_pauses_may_nest():
    gc.enable()
    with paused_collector():
        with paused_collector():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_what_was_made_is_old_afterwards_and_still_collected():
    class Node:
        other: Node

    gc.enable()
    gc.collect()
    with paused_collector():
        one, other = Node(), Node()
        one.other, other.other = other, one
        gone = weakref.ref(one)
        del one, other
    assert gc.get_freeze_count() == 0
    gc.collect(0)
    assert gone() is not None
    gc.collect()
    assert gone() is None
