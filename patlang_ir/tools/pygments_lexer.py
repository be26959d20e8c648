"""PatLang for Pygments, which colours source text in terminals and on pages."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import (
    RegexLexer,
    bygroups,  # pyright: ignore[reportUnknownVariableType]
    words,
)
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
)

from patlang_ir.kernel_language import BLOCK_FUNCTIONS, IMPLICIT, INTRINSICS, STATEMENTS
from patlang_ir.stdlib import HOST_FUNCTIONS

BUILTINS = sorted(
    {name for name in HOST_FUNCTIONS if "." not in name}
    | {*INTRINSICS, *BLOCK_FUNCTIONS, *STATEMENTS}
)
IMPLICIT_NAMES = sorted({name for names in IMPLICIT.values() for name in names} - {"M", "N", "K"})


class PatLangLexer(RegexLexer):
    """Colours PatLang. Words that are keywords by their position only are coloured there."""

    name = "PatLang"
    aliases: ClassVar = ["patlang"]
    filenames: ClassVar = ["*.patlang"]
    url = ""
    version_added = ""

    tokens: ClassVar = {
        "root": [
            (r"\s+", Whitespace),
            (r"#[ \t]*@gpu\w*.*$", Comment.Special),
            (r"#.*$", Comment.Single),
            (r"^(include)([ \t]+)([^\n=].*)$", bygroups(Keyword.Namespace, Whitespace, String)),
            (r'"', String.Double, "string"),
            (r"[0-9]+\.[0-9]+", Number.Float),
            (r"[0-9]+", Number.Integer),
            (
                r"(make)([ \t]+)(?:(a)([ \t]+))?(function)(?:([ \t]+)(called))?([ \t]+)(\w+)",
                bygroups(
                    *(Keyword.Declaration, Whitespace, Keyword.Declaration, Whitespace),
                    *(Keyword.Declaration, Whitespace, Keyword.Declaration, Whitespace),
                    Name.Function,
                ),
            ),
            (r"(fn)(\s+)(\w+)", bygroups(Keyword.Declaration, Whitespace, Name.Function)),
            (
                r"(class)([ \t]+)(\w+)",
                bygroups(Keyword.Declaration, Whitespace, Name.Class),
            ),
            (r"(when)([ \t]+)(\w+)", bygroups(Keyword, Whitespace, Name.Label)),
            (r"(takes|returns)(?=[ \t]+\w)", Keyword.Declaration),
            (r"(let)(\s+)(mut)(?=\s+\w)", bygroups(Keyword, Whitespace, Keyword)),
            (words(("true", "false"), suffix=r"\b"), Keyword.Constant),
            (
                words(
                    ("and", "or", "not", "band", "bor", "bxor", "bnot", "shl", "shr"),
                    suffix=r"\b",
                ),
                Operator.Word,
            ),
            (
                words(("let", "fn", "return", "if", "while", "else", "elif"), suffix=r"\b"),
                Keyword,
            ),
            (r"(then|do|begin|end)\b(?!\s*[=(.])", Keyword),
            (r"(require|ensure|assert)(?=[ \t]+[\w(\"])", Keyword),
            (words(BUILTINS, suffix=r"(?=\s*\()", prefix=r"\b"), Name.Builtin),
            (r"\w+(?=\()", Name.Function),
            (words(IMPLICIT_NAMES, suffix=r"\b"), Name.Builtin.Pseudo),
            (r"\w+", Name),
            (r"[=!<>]=|[-+*/%=<>]", Operator),
            (r"[()\[\]{},.;:|]", Punctuation),
        ],
        "string": [
            (r'[^"\\]+', String.Double),
            (r'\\[ntr"\\]', String.Escape),
            (r"\\.", String.Double),
            (r'"', String.Double, "#pop"),
        ],
    }
