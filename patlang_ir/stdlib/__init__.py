"""The standard library: importing it registers every host function."""

from patlang_ir.stdlib import (
    bits,
    files,
    lists,
    memory_files,
    network,
    numbers,
    png,
    processes,
    records,
    strings,
    system,
    tables,
    tasks,
)
from patlang_ir.stdlib.registry import HOST_FUNCTIONS, HostFunction, host

__all__ = [
    "HOST_FUNCTIONS",
    "HostFunction",
    "bits",
    "files",
    "host",
    "lists",
    "memory_files",
    "network",
    "numbers",
    "png",
    "processes",
    "records",
    "strings",
    "system",
    "tables",
    "tasks",
]
