"""The standard library: importing it registers every host function."""

from patlang_ir.stdlib import files, lists, numbers, png, records, strings, system, tables
from patlang_ir.stdlib.registry import HOST_FUNCTIONS, HostFunction, host

__all__ = [
    "HOST_FUNCTIONS",
    "HostFunction",
    "files",
    "host",
    "lists",
    "numbers",
    "png",
    "records",
    "strings",
    "system",
    "tables",
]
