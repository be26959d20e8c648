"""Tokens, their places, and the comments that mark kernels."""

from __future__ import annotations

import pytest

from patlang_ir.frontend.lexer import Lexer, lex


def kinds(text: str) -> list[str]:
    return [token.kind for token in lex(text)]


def texts(text: str) -> list[str]:
    return [token.text for token in lex(text)[:-1]]


def test_an_exponent_is_a_name_of_its_own():
    assert kinds("1e3") == ["int", "name", "eof"]


def test_a_float_needs_a_digit_on_both_sides():
    assert kinds("1.5 3.name .5 2.") == [
        *("float", "int", ".", "name", ".", "int", "int", "."),
        "eof",
    ]


def test_two_character_signs_come_before_their_parts():
    assert texts("a:-b==c!=d<=e>=f=g<h") == [
        *("a", ":-", "b", "==", "c", "!=", "d", "<=", "e", ">=", "f", "=", "g", "<", "h"),
    ]


def test_reserved_words_are_their_own_kind_and_others_are_names():
    assert kinds("let end fact not nothing") == ["let", "name", "name", "not", "name", "eof"]


def test_comments_end_with_the_line_and_strings_hide_the_hash():
    assert texts('a # b "c"\n"d # e" f') == ["a", '"d # e"', "f"]


def test_strings_may_hold_escapes_and_line_ends():
    assert texts('"a\\"b" "c\nd" "\\\\" e') == ['"a\\"b"', '"c\nd"', '"\\\\"', "e"]


def test_places_count_from_one_and_go_on_after_a_string_of_two_lines():
    places = [(token.text, token.line, token.column) for token in lex('x\n\t y "a\nb" z')]
    assert places == [("x", 1, 1), ("y", 2, 3), ('"a\nb"', 2, 5), ("z", 3, 4), ("", 3, 5)]


def test_the_first_token_of_each_line_is_known():
    assert [token.first for token in lex("a b\n\n  c d")] == [True, False, True, False, True]


def test_a_byte_order_mark_and_windows_line_ends_do_not_show():
    tokens = lex('\ufeffa\r\n"b\r\nc"')
    assert [(token.text, token.line, token.column) for token in tokens[:-1]] == [
        ("a", 1, 1),
        ('"b\nc"', 2, 1),
    ]


def test_characters_that_start_no_token_are_one_token_together():
    assert [token.text for token in lex("a && é b") if token.kind == "unknown"] == ["&&", "é"]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('print("abc', 1, 7),
        ('let a = "x"\nprint("abc)\nprint("d")\nprint("e", "f")', 2, 7),
        ('"\n" "\n', 1, 1),
    ],
)
def test_an_unclosed_string_ends_with_the_line_where_the_quotes_fall_out_of_step(
    text: str, line: int, column: int
):
    unclosed = [token for token in lex(text) if token.kind == "unclosed"]
    assert [(token.line, token.column) for token in unclosed] == [(line, column)]


def test_text_after_an_unclosed_string_is_read_again():
    assert texts('print("abc)\nprint("d")') == ["print", "(", '"abc)', "print", "(", '"d"', ")"]


def test_markers_know_the_token_that_follows_them():
    lexer = Lexer()
    lexer.lex("a\n# @gpu_kernel\n\n# more\nb # @gpu_kernel\n#@gpu_kernel_2d\nc", "f")
    assert [(marker.text, marker.position, marker.place.line) for marker in lexer.markers] == [
        ("# @gpu_kernel", 1, 2),
        ("#@gpu_kernel_2d", 2, 6),
    ]


def test_a_long_program_takes_linear_time():
    tokens = lex("let a = b + 1\n" * 20_000)
    assert len(tokens) == 6 * 20_000 + 1
    assert tokens[-1].line == 20_001
