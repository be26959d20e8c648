"""The library `json`. A JSON value is a list that starts with its tag:

    ["obj", [[key, value], ...]]   ["arr", [value, ...]]   ["str", text]   ["num", number]
    ["bool", truth]   ["null"]

Nothing here is recursive, since the text may nest deeply.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from json.encoder import encode_basestring
from typing import NoReturn

from patlang_ir.runtime.host_kinds import ANY, NUMBERS, TEXT
from patlang_ir.runtime.values import Fault, Value, describe, is_list, text
from patlang_ir.stdlib.arguments import list_or_unit, string, wrong
from patlang_ir.stdlib.registry import host

TOKEN = re.compile(
    r"""[ \t\r\n]*
    (?: "(?P<string>[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*)"
      | (?P<number>-?(?:0|[1-9][0-9]*)(?P<fraction>\.[0-9]+)?(?P<exponent>[eE][+-]?[0-9]+)?)
      | (?P<word>true|false|null)
      | (?P<sign>[\[\]{}:,])
      | (?P<end>\Z)
    )""",
    re.VERBOSE,
)
ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u(.{4})|(.))"
)
ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\", "/": "/"}
WORDS: dict[str, list[Value]] = {"true": ["bool", True], "false": ["bool", False], "null": ["null"]}


class _Reader:
    """Reads one JSON text."""

    def __init__(self, source: str):
        self.source = source
        self.position = 0
        self.kind = self.word = ""
        self.start = 0
        self.advance()

    def advance(self) -> None:
        found = TOKEN.match(self.source, self.position)
        if found is None:
            blank = re.compile(r"[ \t\r\n]*").match(self.source, self.position)
            self.start = blank.end() if blank else self.position
            self.fail("this is no JSON")
        self.kind = found.lastgroup or ""
        if self.kind in ("fraction", "exponent"):
            self.kind = "number"
        self.word, self.position = found[self.kind], found.end()
        self.start = found.start(self.kind) - (self.kind == "string")

    def fail(self, message: str) -> NoReturn:
        line = self.source.count("\n", 0, self.start) + 1
        column = self.start - self.source.rfind("\n", 0, self.start)
        raise Fault("P603", f"json_parse: line {line}, column {column}: {message}")

    def sign(self, wanted: str) -> bool:
        """Whether this sign stands here; it is passed then."""
        if self.kind != "sign" or self.word != wanted:
            return False
        self.advance()
        return True

    def text(self) -> Value:
        """The value of the whole text."""
        open_values: list[list[Value]] = []
        while True:
            value = self.value()
            if value[0] in ("obj", "arr") and not self.sign("}" if value[0] == "obj" else "]"):
                open_values.append(value)
                if value[0] == "obj":
                    self.key(value)
                continue
            while open_values:
                outer = open_values[-1]
                self.add(outer, value)
                if self.sign(","):
                    if outer[0] == "obj":
                        self.key(outer)
                    break
                closing = "}" if outer[0] == "obj" else "]"
                if not self.sign(closing):
                    self.fail(f"',' or '{closing}' is missing")
                value = open_values.pop()
            else:
                if self.kind != "end":
                    self.fail("something follows the value")
                return value

    def value(self) -> list[Value]:
        """A value; of an object or an array only its beginning."""
        kind, word = self.kind, self.word
        match kind, word:
            case "string", _:
                result: list[Value] = ["str", self.unescaped(word)]
            case "number", _:
                result = ["num", self.number(word)]
            case "word", _:
                result = WORDS[word].copy()
            case _, "{":
                result = ["obj", []]
            case _, "[":
                result = ["arr", []]
            case _:
                self.fail("a value is missing")
        self.advance()
        return result

    def key(self, outer: list[Value]) -> None:
        """The name of a member, which waits for its value as a pair with one element."""
        if self.kind != "string":
            self.fail("the name of a member is missing")
        outer[1].append([self.unescaped(self.word)])
        self.advance()
        if not self.sign(":"):
            self.fail("':' is missing")

    def add(self, outer: list[Value], value: Value) -> None:
        (outer[1][-1] if outer[0] == "obj" else outer[1]).append(value)

    def number(self, word: str) -> int | float:
        return float(word) if re.search("[.eE]", word) else int(word)

    def unescaped(self, word: str) -> str:
        return ESCAPE.sub(self._escape, word) if "\\" in word else word

    def _escape(self, found: re.Match[str]) -> str:
        high, low, code, letter = found.groups()
        if high is not None:
            return chr(0x10000 + ((int(high, 16) & 0x3FF) << 10 | int(low, 16) & 0x3FF))
        if code is not None and re.fullmatch("[0-9a-fA-F]{4}", code):
            number = int(code, 16)
            return "\ufffd" if 0xD800 <= number < 0xE000 else chr(number)
        if letter in ESCAPES:
            return ESCAPES[letter]
        self.fail(f"the escape {found[0]} is not known")


@host("json_parse", 1, fresh=True)
def json_parse(s: Value) -> Value:
    """The tagged value that a JSON text means. What is no JSON stops the program."""
    return _Reader(string("json_parse", 1, s)).text()


def _tag(value: Value) -> str:
    return value[0] if is_list(value) and value and type(value[0]) is str else ""


def _content(name: str, value: Value, tag: str, absent: Value) -> Value:
    """What a tagged value holds; `absent` for null and unit."""
    if value is None or _tag(value) == "null":
        return absent
    if _tag(value) == tag and len(value) == 2:
        return value[1]
    found = f"a JSON value with the tag '{_tag(value)}'" if _tag(value) else describe(value)
    raise Fault("P603", f'{name}: argument 1 must be ["{tag}", ...], not {found}')


@host("json_get", 2, retains=(0,), gives=ANY)
def json_get(value: Value, key: Value) -> Value:
    """The tagged value of a member of an object; unit if there is none."""
    name = string("json_get", 2, key)
    pairs = list_or_unit("json_get", 1, _content("json_get", value, "obj", []))
    return next((pair[1] for pair in reversed(pairs) if _is_pair(pair) and pair[0] == name), None)


def _is_pair(pair: Value) -> bool:
    return is_list(pair) and len(pair) == 2


@host("json_str", 1, gives=TEXT)
def json_str(value: Value) -> str:
    """The string in `["str", s]`; empty for null and unit."""
    return string("json_str", 1, _content("json_str", value, "str", ""))


@host("json_num", 1, gives=NUMBERS)
def json_num(value: Value) -> Value:
    """The number in `["num", n]`; 0 for null and unit."""
    number = _content("json_num", value, "num", 0)
    if type(number) in (int, float, Fraction, complex):
        return number
    raise wrong("json_num", 1, "a tagged number", value)


@host("json_arr", 1, retains=(0,))
def json_arr(value: Value) -> list[Value]:
    """The tagged values in `["arr", items]`; an empty list for null and unit."""
    return list_or_unit("json_arr", 1, _content("json_arr", value, "arr", []))


@host("json_quote", 1, gives=TEXT)
def json_quote(x: Value) -> str:
    """The text form of `x` as a JSON string, with its quotes."""
    return encode_basestring(text(x))


@host("json_stringify", 1, gives=TEXT)
def json_stringify(value: Value) -> str:
    """The JSON text of a tagged value."""
    parts: list[str] = []
    work: list[Value] = [value]
    while work:
        item = work.pop()
        if type(item) is _Text:
            parts.append(item.text)
            continue
        match item:
            case ["obj", [*pairs]] if all(map(_is_pair, pairs)):
                named = [[_Text(f"{json_quote(key)}:"), member] for key, member in pairs]
                _push(work, "{", named, "}")
            case ["arr", [*items]]:
                _push(work, "[", [[member] for member in items], "]")
            case ["str", str(s)]:
                parts.append(json_quote(s))
            case ["num", n]:
                parts.append(_number_text(n))
            case ["bool", bool(truth)]:
                parts.append("true" if truth else "false")
            case ["null"]:
                parts.append("null")
            case _:
                raise wrong("json_stringify", 1, "a tagged JSON value", item)
    return "".join(parts)


class _Text:
    """A piece of the result that is ready."""

    def __init__(self, text: str):
        self.text = text


def _push(work: list[Value], opening: str, members: list[list[Value]], closing: str) -> None:
    work.append(_Text(closing))
    for position in range(len(members) - 1, -1, -1):
        work += reversed(members[position])
        if position:
            work.append(_Text(","))
    work.append(_Text(opening))


def _number_text(number: Value) -> str:
    if type(number) is Fraction:
        number = float(number)
    if type(number) is float and not math.isfinite(number):
        raise Fault("P603", f"json_stringify: JSON has no {text(number)}")
    if type(number) not in (int, float):
        raise wrong("json_stringify", 1, "a real number in num", number)
    return text(number)


@host("json_make_obj", 0, 1, retains=(0,), fresh=True)
def json_make_obj(pairs: Value = None) -> list[Value]:
    """The tagged value of an object with these pairs of a name and a tagged value."""
    members = list_or_unit("json_make_obj", 1, pairs)
    if not all(map(_is_pair, members)):
        raise wrong("json_make_obj", 1, "a list of pairs", pairs)
    return ["obj", members]


@host("json_make_arr", 0, 1, retains=(0,), fresh=True)
def json_make_arr(items: Value = None) -> list[Value]:
    """The tagged value of an array of tagged values."""
    return ["arr", list_or_unit("json_make_arr", 1, items)]


@host("json_make_str", 1, fresh=True)
def json_make_str(x: Value) -> list[Value]:
    """The tagged value of a string, from the text form of `x`."""
    return ["str", text(x)]


@host("json_make_num", 1, fresh=True)
def json_make_num(x: Value) -> list[Value]:
    """The tagged value of a number."""
    return ["num", x]


@host("json_make_bool", 1, fresh=True)
def json_make_bool(x: Value) -> list[Value]:
    """The tagged value of a truth value."""
    return ["bool", bool(x)]


@host("json_make_null", 0, fresh=True)
def json_make_null() -> list[Value]:
    """The tagged value of null."""
    return ["null"]
