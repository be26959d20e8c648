"""How a tool ends: an exit status and at most one text on stderr, never a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import NoReturn


def guarded(run: Callable[[], int]) -> int:
    """The exit status of a tool, whatever happens in it."""
    _replace_closed_streams()
    try:
        status = run()
        sys.stdout.flush()
        return status
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _forget_stdout()
        return 1
    except BaseException as error:  # xDSL's ArgSpecParseError is no Exception
        from patlang_ir.diagnostics.render import render_text
        from patlang_ir.diagnostics.sources import Sources
        from patlang_ir.tools.faults import diagnostics_of, reraise_if_debugging

        reraise_if_debugging(error)
        found = diagnostics_of(error, "starting")
        print(render_text(found, Sources(), sys.stderr.isatty()), file=sys.stderr)
        return 1


def _replace_closed_streams() -> None:
    """What a tool was started without, Python has as None."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))


def _forget_stdout() -> None:
    """Nobody reads any more: keep the interpreter from trying again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def usage_error(message: str) -> NoReturn:
    """The `error` of an argument parser: wrong arguments are a diagnostic like any other."""
    from patlang_ir.diagnostics import refuse

    raise refuse(None, "P905", message, help="--help lists what can be given")
