"""Colours of PatLang text."""

from __future__ import annotations

from pathlib import Path

import pytest
from pygments.token import Token

from patlang_ir.tools.pygments_lexer import PatLangLexer

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted(
    path
    for folder in ("tests/programs", "examples")
    for path in (ROOT / folder).rglob("*.patlang")
    if not path.with_suffix(".err").exists()  # what is refused may hold signs that do not exist
)


def kinds(text: str) -> list[tuple[str, str]]:
    """Each piece of a text but white space, with the last part of its kind."""
    found = PatLangLexer().get_tokens(text)
    return [(str(kind).rpartition(".")[2], piece) for kind, piece in found if piece.strip()]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_every_program_can_be_coloured(program: Path):
    text = program.read_text(encoding="utf-8")
    pieces = list(PatLangLexer().get_tokens(text))
    assert "".join(piece for _, piece in pieces) == text.strip("\n") + "\n"
    assert not [piece for kind, piece in pieces if kind in Token.Error]


def test_a_function():
    assert kinds("make a function called f takes x returns y\n  return x\nend") == [
        ("Declaration", "make"),
        ("Declaration", "a"),
        ("Declaration", "function"),
        ("Declaration", "called"),
        ("Function", "f"),
        ("Declaration", "takes"),
        ("Name", "x"),
        ("Declaration", "returns"),
        ("Name", "y"),
        ("Keyword", "return"),
        ("Name", "x"),
        ("Keyword", "end"),
    ]


def test_words_are_names_where_they_are_used_as_such():
    assert kinds("let end = a") == [
        ("Keyword", "let"),
        ("Name", "end"),
        ("Operator", "="),
        ("Name", "a"),
    ]


def test_calls_markers_and_strings():
    assert kinds("# @gpu_kernel(math=fast)") == [("Special", "# @gpu_kernel(math=fast)")]
    assert kinds("# a note") == [("Single", "# a note")]
    assert kinds('print(f("a\\n"))') == [
        ("Builtin", "print"),
        ("Punctuation", "("),
        ("Function", "f"),
        ("Punctuation", "("),
        ("Double", '"'),
        ("Double", "a"),
        ("Escape", "\\n"),
        ("Double", '"'),
        ("Punctuation", ")"),
        ("Punctuation", ")"),
    ]
    assert kinds("include lib/a.patlang") == [("Namespace", "include"), ("String", "lib/a.patlang")]


def test_pygments_finds_it():
    from pygments.lexers import get_lexer_by_name

    assert isinstance(get_lexer_by_name("patlang"), PatLangLexer)
