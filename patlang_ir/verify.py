"""Verification that names the operation at fault, with its place in the source."""

from __future__ import annotations

from collections.abc import Hashable

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from patlang_ir.diagnostics import Report
from patlang_ir.dialects.plain_op import PlainOp
from patlang_ir.traversal import walk


def verify(module: ModuleOp) -> None:
    """Check the rules of every operation, and that values are defined before they are used."""
    try:
        _check_rules(module)
    except VerifyException as error:
        _report_faults(module, error)
    with Report() as report:
        _check_region(module.body, set(), report)


def _check_rules(module: ModuleOp) -> None:
    """Check each operation; of plain ones that are alike to their rules, the first."""
    seen: set[Hashable] = set()
    for op in walk(module):
        if isinstance(op, PlainOp) and not op.regions and op.next_op is not None:
            look = (type(op), op.operand_types, op.result_types, *op.properties.items())
            if look in seen:
                continue
            seen.add(look)
        op.verify(verify_nested_ops=False)
        for block in (block for region in op.regions for block in region.blocks):
            if block.is_empty:
                block.verify()


def _report_faults(module: ModuleOp, first: VerifyException) -> None:
    """Find each operation at fault; done only after the quick check has failed."""
    with Report() as report:
        for op in walk(module):
            try:
                op.verify(verify_nested_ops=False)
            except VerifyException as error:
                report.error(op, "P901", f"'{op.name}': {_sentence(error)}")
        if not report.diagnostics:
            report.error(module, "P901", _sentence(first))


def _sentence(error: VerifyException) -> str:
    """xDSL's reason, which may run over several lines, as one."""
    return " ".join(str(error).split())


def _check_region(region: Region, defined: set[SSAValue], report: Report) -> None:
    """Check a region in which the values in `defined` can be used; leave `defined` as it was.

    Blocks that jump to each other may stand in any order, so where there are several, all their
    values count as defined.
    """
    several = region.blocks.first is not region.blocks.last
    own: list[SSAValue] = []
    for block in region.blocks:
        own.extend(block.args)
        if several:
            own.extend(result for op in block.ops for result in op.results)
    defined.update(own)
    for block in region.blocks:
        own.extend(_check_block(block, defined, report))
    defined.difference_update(own)


def _check_block(block: Block, defined: set[SSAValue], report: Report) -> list[SSAValue]:
    results: list[SSAValue] = []
    for op in block.ops:
        for position, operand in enumerate(op.operands):
            if operand not in defined:
                _report_use(op, position, report)
        for region in op.regions:
            _check_region(region, defined, report)
        defined.update(op.results)
        results.extend(op.results)
    return results


def _report_use(op: Operation, position: int, report: Report) -> None:
    hint = op.operands[position].name_hint
    value = f"%{hint}" if hint else f"operand {position + 1}"
    report.error(op, "P901", f"'{op.name}' uses {value} before it is defined")
