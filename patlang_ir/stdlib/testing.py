"""The library `test`: checks that are counted."""

from __future__ import annotations

from patlang_ir.runtime.host_kinds import BOOL, UNIT
from patlang_ir.runtime.host_machine import Machine
from patlang_ir.runtime.values import Value, eq, text
from patlang_ir.stdlib.registry import host
from patlang_ir.stdlib.system import print_line


@host("t_init", 0, pure=False, gives=UNIT, stateful=True)
def t_init(machine: Machine) -> None:
    """Start to count checks."""
    machine.passed = machine.failed = 0


@host("check", 3, pure=False, gives=BOOL, stateful=True)
def check(machine: Machine, label: Value, got: Value, want: Value) -> bool:
    """Compare with `==`, print how that went under a label, and count it; whether they are
    equal."""
    if eq(got, want):
        machine.passed += 1
        print_line(machine, f"  ok: {text(label)}")
        return True
    machine.failed += 1
    print_line(machine, f"  FAIL: {text(label)} (got {text(got)}, want {text(want)})")
    return False


@host("t_report", 0, pure=False, gives=BOOL, stateful=True)
def t_report(machine: Machine) -> bool:
    """Print how many checks passed and failed; whether none failed."""
    print_line(machine, f"tests: {machine.passed} passed, {machine.failed} failed")
    print_line(machine, "TESTS FAILED" if machine.failed else "ALL TESTS PASSED")
    return not machine.failed
