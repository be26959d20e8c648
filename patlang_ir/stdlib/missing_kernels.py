"""The functions on kernels that are not supported yet: they say so in their own way."""

from __future__ import annotations

from patlang_ir.runtime.host_kinds import ANY, TEXT, list_of
from patlang_ir.runtime.values import Fault, Value
from patlang_ir.stdlib.registry import host


def _err(name: str) -> list[Value]:
    return ["Err", f"{name}: not supported yet"]


def _gives_result(name: str, count: int, text: bool = False) -> None:
    def answer(*_: Value) -> list[Value]:
        return ["" if text else [], _err(name)]

    empty = '""' if text else "[]"
    answer.__doc__ = f"Not supported yet; gives `[{empty}, Err]`."
    host(name, count, pure=False, fresh=True, gives=list_of(ANY))(answer)


_gives_result("triton_run_matmul", 5)
_gives_result("triton_run_matmul_from_source", 10)
_gives_result("triton_lower_kernel_source_matmul", 2, text=True)


@host("triton_matmul_kernel_source", 7, pure=False, gives=TEXT)
def triton_matmul_kernel_source(*_: Value) -> str:
    """Not supported yet; stops the program."""
    raise Fault("P603", "triton_matmul_kernel_source: not supported yet")
