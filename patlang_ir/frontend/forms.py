"""The forms of PatLang that are not supported yet: how they are recognized and passed over."""

from __future__ import annotations

from patlang_ir.frontend.cursor import OPENING, Cursor
from patlang_ir.frontend.lexer import Token

FORMS = {
    "rule": "the logic rule 'rule'",
    "goal": "'goal'",
    "pursue": "'pursue'",
    "activate": "'activate'",
    "syntax": "'syntax'",
    "budgeted": "'budgeted'",
    "case": "'case'",
    "relationship": "'relationship'",
    "reasoning": "'reasoning'",
    "constrain": "'constrain'",
    "fact": "'fact' without parentheses",
    "query": "'query' without parentheses",
    "function": "'function' without 'make'",
}
"""The words that open such a form, where another name follows on their line."""

FOREIGN_WORDS = {
    "for": "write let i = 0  while i < xs.length do ... let i = i + 1 end",
    "foreach": "write let i = 0  while i < xs.length do ... let i = i + 1 end",
    "unless": "write if not",
    "until": "write while not",
    "switch": "write if ... elif ... end",
    "match": "write if ... elif ... end",
    "def": "write make a function called NAME takes a, b ... end",
    "func": "write make a function called NAME takes a, b ... end",
    "var": "write let",
    "const": "write let",
    "import": 'write include "file"',
}
"""Words of other languages that open a statement, and what PatLang has in their place."""

INSTEAD = {
    "case": "write if ... elif ... end",
    "function": "write make function called NAME takes a, b ... end",
}


class Nesting:
    """How many brackets and word blocks are open after the tokens seen so far."""

    def __init__(self, words: int = 0):
        self.words = words
        self.brackets = 0
        self._in_header = False

    @property
    def closed(self) -> bool:
        return self.words <= 0 and self.brackets <= 0

    def see(self, token: Token, following: Token) -> None:
        if token.kind in OPENING:
            if token.kind == "{" and self._in_header and not self.brackets:
                self.words -= 1
                self._in_header = False
            self.brackets += 1
        elif token.kind in OPENING.values():
            self.brackets -= 1
        elif self.brackets:
            return
        elif token.kind in ("if", "while", "fn") or is_function_header(token, following):
            self.words += 1
            self._in_header = True
        elif token.text in ("then", "do", "begin"):
            if not self._in_header and token.text != "then":
                self.words += 1
            self._in_header = False
        elif token.text == "end" and following.kind != "=":
            self.words -= 1


def is_function_header(token: Token, following: Token) -> bool:
    """Whether `make a function` or `make function` starts here."""
    return token.text == "make" and following.text in ("a", "function")


class FormReader(Cursor):
    """A cursor that can pass over whole forms."""

    def refuse_form(self) -> bool:
        """Report and pass over the unsupported form that starts here, if one does."""
        token, following = self.token, self.following
        if following.first:
            return False
        if following.kind == ":" and token.text != "else":
            self.error(token, "P114", f"the form '{token.text}: ...' is not supported yet")
            self.advance()
            self.skip_line()
            return True
        word = token.text
        if word in FOREIGN_WORDS and following.kind == "name":
            self.error(token, "P110", f"PatLang has no '{word}'", FOREIGN_WORDS[word])
            self.skip_form()
            return True
        if word not in FORMS:
            return False
        budgeted = word == "budgeted" and following.kind == "(" and self._is_budgeted_block()
        if not budgeted and following.kind != "name":
            return False
        self.error(token, "P114", f"{FORMS[word]} is not supported yet", INSTEAD.get(word, ""))
        if word == "syntax":
            # It changes how the rest is to be read.
            while self.token.kind != "eof":
                self.advance()
        self.skip_form(word_blocks=word == "case")
        return True

    def is_broken_header(self) -> bool:
        """Whether this looks like the header of a function that lacks `make` or `function`."""
        word, following = self.token.text, self.following
        if following.first:
            return False
        if word == "a":
            return following.text == "function"
        after = self.tokens[min(self.position + 2, len(self.tokens) - 1)]
        return following.kind == "name" and (
            word == "make" or (word == "function" and after.kind != "(")
        )

    def _is_budgeted_block(self) -> bool:
        """Whether a brace follows the arguments."""
        position = self.position + 2
        depth = 1
        while depth and self.tokens[position].kind != "eof":
            depth += {"(": 1, ")": -1}.get(self.tokens[position].kind, 0)
            position += 1
        return self.tokens[position].kind == "{"

    def skip_form(self, word_blocks: int = 0) -> None:
        """Pass over this line and the blocks that open on it; `word_blocks` are open already."""
        nesting = Nesting(word_blocks)
        start = self.position
        while self.token.kind != "eof":
            token = self.token
            if nesting.closed and self.position > start:
                goes_on = self.previous.kind in (",", ":-")
                if token.first and not goes_on:
                    return
                if token.kind in ("}", "else", "elif") or self.ends_word_block():
                    return
            nesting.see(token, self.following)
            self.advance()

    def skip_block(self) -> None:
        """Pass over `{ ... }` or `do ... end`."""
        nesting = Nesting()
        while self.token.kind != "eof":
            nesting.see(self.token, self.following)
            self.advance()
            if nesting.closed:
                return
