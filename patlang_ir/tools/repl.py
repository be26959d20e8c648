"""Reading inputs for a session, from a person or from a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from patlang_ir.diagnostics import CompileError, LaunchError, RunError
from patlang_ir.diagnostics.render import render_text
from patlang_ir.tools.commands.run import explain
from patlang_ir.tools.session import Session

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

PROMPT = "patlang> "
GREETING = "PatLang. A value alone is printed. Ctrl-C clears the input, Ctrl-D leaves."


def run_input(session: Session, text: str, errors: TextIO) -> bool:
    """Run one input; what is wrong is shown with its place. Whether all went well."""
    color = errors.isatty()
    try:
        warnings = session.run(text)
    except CompileError as error:
        print(render_text(error.diagnostics, session.sources, color), file=errors)
    except LaunchError as error:
        print(render_text([error.diagnostic], session.sources, color), file=errors)
    except RunError as error:
        print(explain(error, session.sources, color), file=errors)
    except KeyboardInterrupt:
        print("interrupted", file=errors)
    else:
        if warnings:
            print(render_text(warnings, session.sources, color), file=errors)
        return True
    return False


def run_lines(session: Session, lines: Iterable[str], errors: TextIO) -> bool:
    """Run the inputs that lines hold, each as soon as it is complete. Whether all went well."""
    fine, pending = True, ""
    for line in lines:
        pending += line
        if session.is_complete(pending):
            fine &= run_input(session, pending, errors)
            pending = ""
    return run_input(session, pending, errors) and fine if pending.strip() else fine


def run_interactively(session: Session, read: Callable[[], str], errors: TextIO) -> None:
    """Run what a person types, up to the end of the input."""
    while True:
        try:
            text = read()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        if text.strip():
            run_input(session, text, errors)


def prompt_session(session: Session, **terminal: Any) -> PromptSession[str]:
    """A prompt with colours, history and several lines; `terminal` may be an input and an output
    in place of the real ones."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter
    from prompt_toolkit.lexers import PygmentsLexer

    from patlang_ir.tools.pygments_lexer import BUILTINS, PatLangLexer

    return PromptSession(
        PROMPT,
        multiline=True,
        prompt_continuation=lambda width, line, wrapped: "." * (width - 1) + " ",
        lexer=PygmentsLexer(PatLangLexer),
        completer=WordCompleter(lambda: [*BUILTINS, *session.names]),
        complete_while_typing=False,
        history=_history(terminal),
        key_bindings=_keys(session),
        **terminal,
    )


def _keys(session: Session) -> KeyBindings:
    """Enter runs an input that is complete, and begins a new line in any other."""
    from prompt_toolkit.key_binding import KeyBindings

    keys = KeyBindings()

    def enter(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        at_end = buffer.document.is_cursor_at_the_end or "\n" not in buffer.text
        if at_end and session.is_complete(buffer.text):
            buffer.validate_and_handle()
        else:
            buffer.newline(copy_margin=True)

    keys.add("enter")(enter)
    return keys


def _history(terminal: dict[str, Any]) -> Any:
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    folder = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state", "patlang")
    if terminal:
        return InMemoryHistory()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return FileHistory(str(folder / "history"))
    except OSError:
        return InMemoryHistory()


def run_repl(session: Session) -> int:
    """Serve the standard input until it ends; the exit status."""
    try:
        if not sys.stdin.isatty():
            return 0 if run_lines(session, sys.stdin, sys.stderr) else 1
        print(GREETING)
        run_interactively(session, prompt_session(session).prompt, sys.stderr)
        return 0
    finally:
        session.close()
