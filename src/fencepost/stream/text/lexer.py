"""Tokens of one line, and a cursor that walks them."""

from __future__ import annotations

import json
import re

from fencepost.errors import SyntaxProblem
from fencepost.place import Place
from fencepost.stream.words import is_word

TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*"'  # a quoted name
    r"|`(?:[^`\\]|\\.)*`"  # a name that is no plain word
    r"|[A-Za-z0-9_.%/-]+"  # words, numbers, sizes, dotted uses
    r"|[=!<>]=|[=<>&;,@:+\[\]]"
    r"|#.*"  # a comment
    r"|\S"  # anything else is a mistake
)
_ESCAPED = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "b": "\b",
    "f": "\f",
    **{char: char for char in '"\\/`'},
}
END = ""
"""What the cursor shows behind the last token."""


def tokens_of(line: str) -> list[str]:
    """The tokens of a line without its comment."""
    tokens: list[str] = TOKEN.findall(line)
    if tokens and tokens[-1][0] == "#":
        tokens.pop()
    return tokens


def comment_of(line: str) -> str:
    """What the comment of a line says, "" if it has none."""
    tokens: list[str] = TOKEN.findall(line)
    return tokens[-1].lstrip("#").strip() if tokens and tokens[-1][0] == "#" else ""


class Cursor:
    """Walks the tokens of one line; problems name the column of the token at hand."""

    __slots__ = ("file", "index", "line", "number", "tokens")

    def __init__(self, line: str, tokens: list[str], file: str, number: int) -> None:
        self.line = line
        self.tokens = [*tokens, END]
        self.index = 0
        self.file = file
        self.number = number

    def peek(self) -> str:
        """The token at hand, `END` behind the last."""
        return self.tokens[self.index]

    def take(self) -> str:
        """The token at hand; the cursor goes on, but not beyond the end."""
        token = self.tokens[self.index]
        if token is not END:
            self.index += 1
        return token

    def accept(self, token: str) -> bool:
        """Whether that token is at hand; if so, the cursor goes on."""
        if self.tokens[self.index] != token:
            return False
        self.index += 1
        return True

    def expect(self, token: str) -> None:
        """Go on behind that token; raises `SyntaxProblem` if another is at hand."""
        if not self.accept(token):
            raise self.unexpected(f"'{token}'")

    def is_word(self) -> bool:
        """Whether a word (not a symbol, a quoted name or the end) is at hand."""
        return is_word(self.tokens[self.index])

    def word(self, expected: str) -> str:
        """The word at hand; raises `SyntaxProblem` that says what was expected."""
        if not self.is_word():
            raise self.unexpected(expected)
        return self.take()

    def finish(self) -> None:
        """Raises `SyntaxProblem` unless the line is used up."""
        if self.tokens[self.index] is not END:
            raise self.unexpected("the end of the line")

    def unexpected(self, expected: str) -> SyntaxProblem:
        """The problem that the token at hand is not what was expected."""
        token = self.tokens[self.index]
        if token is END:
            problem = "the line ends here"
        elif token in ('"', "`"):
            problem = f"{token} without its end"
        else:
            problem = f"unexpected {shown(token)}"
        return SyntaxProblem(problem, self.place(), expected)

    def place(self, index: int | None = None) -> Place:
        """Where a token stands (by default the one at hand)."""
        wanted = self.index if index is None else index
        column = len(self.line.rstrip()) + 1
        for position, match in enumerate(TOKEN.finditer(self.line)):
            if position == wanted:
                column = match.start() + 1
        return Place(self.file, self.number, column)


def shown(token: str) -> str:
    """A token as messages quote it: short, and printable."""
    cut = token if len(token) <= 40 else token[:37] + "..."
    return (
        "'" + "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in cut) + "'"
    )


def unquote(token: str) -> str | None:
    r"""The text of a quoted token, escapes as in JSON and \`; None where an escape is wrong."""
    body = token[1:-1]
    if "\\" not in body:
        return body
    try:
        text = _ESCAPED.sub(_unescape, body)
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except (KeyError, UnicodeDecodeError):
        return None


def _unescape(match: re.Match[str]) -> str:
    return chr(int(match[1][1:], 16)) if len(match[1]) == 5 else _ESCAPES[match[1]]


def quote(text: str, mark: str = '"') -> str:
    """The token that `unquote` turns into that text."""
    return mark + "".join(_escape(char, mark) for char in text) + mark


def _escape(char: str, mark: str) -> str:
    if char in (mark, "\\"):
        return "\\" + char
    return char if char.isprintable() else json.dumps(char)[1:-1]
