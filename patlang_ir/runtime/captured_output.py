"""What compiled code writes to the standard error output, as text."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def captured_errors() -> Generator[list[str]]:
    """Collect what is written to file descriptor 2 inside the block; the list holds it after."""
    collected: list[str] = []
    kept = os.dup(2)
    with tempfile.TemporaryFile(mode="w+", errors="replace") as file:
        os.dup2(file.fileno(), 2)
        try:
            yield collected
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            file.seek(0)
            collected.append(file.read())
