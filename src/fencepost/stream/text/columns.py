"""Layout of `.fence` text: indentation, columns, comments. What the lines say is not looked at.

Lines that stand together (no blank line and no queue header between them) share their columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fencepost.stream.text.declarations import DECLARATIONS
from fencepost.stream.text.lexer import TOKEN
from fencepost.stream.text.parser import parse_text

INDENT = "  "
WIDEST_HEAD = 32
"""Columns; a longer head does not push the others out."""
WIDEST_CODE = 72
"""Columns; behind a longer line a comment stands alone, without pushing the others out."""

_TIGHT_BEFORE = frozenset({";", ",", "]", "[", ":", "+"})
_TIGHT_AFTER = frozenset({"[", "+"})
_OUTER = frozenset({"machine", "guarantees", "queue", *DECLARATIONS})
_TITLED = frozenset({"draw", "dispatch"})


@dataclass(slots=True)
class Line:
    """A line: its first columns, what follows them, its comment. No `word`: no code."""

    word: str
    head: list[str]
    tail: str
    comment: str
    indent: str = ""

    @property
    def family(self) -> str:
        """Lines of one family share the widths of their columns."""
        return "declaration" if self.word in DECLARATIONS else "work"

    def code(self, widths: dict[tuple[str, int], int]) -> str:
        """The line without its comment; widths are by family and column."""
        columns = [text.ljust(widths[self.family, index]) for index, text in enumerate(self.head)]
        return (self.indent + " ".join([*columns, self.tail])).rstrip()


def format_text(text: str, file: str = "<text>") -> str:
    """A `.fence` text laid out, its comments and blank lines kept; raises as `parse_text`."""
    parse_text(text, file)
    return lay_out(text)


def lay_out(text: str) -> str:
    """The text with its lines laid out; every token and comment stays."""
    lines = [_split(line) for line in text.split("\n")]
    _indent(lines)
    out: list[str] = []
    for block in _blocks(lines):
        out += _block(block)
        if not block and out and out[-1]:
            out.append("")
    return "\n".join(out).strip("\n") + "\n"


def _split(line: str) -> Line:
    tokens = TOKEN.findall(line)
    comment = tokens.pop().rstrip() if tokens and tokens[-1][0] == "#" else ""
    if not tokens:
        return Line("", [], "", comment)
    cut = _head_tokens(tokens)
    head = [_join(tokens[first:last]) for first, last in cut]
    rest = tokens[cut[-1][1] :] if cut else tokens
    return Line(tokens[0], head, _join(rest), comment)


def _head_tokens(tokens: list[str]) -> list[tuple[int, int]]:
    """Which tokens make up the columns: kind and name of a resource, a draw with its title."""
    word = tokens[0]
    if word == "label":
        return [(0, 1)]
    if word in DECLARATIONS:
        return [(0, 1), (1, 2)]
    if word in _TITLED:
        return [(0, 2 if tokens[1:] and tokens[1][0] == '"' else 1)]
    return []


def _join(tokens: list[str]) -> str:
    """The tokens with a space where one belongs."""
    text = ""
    before = ""
    in_cost = False
    for word in tokens:
        in_cost = in_cost or word == "@"
        if before and not _is_tight(before, word, in_cost, tokens[0]):
            text += " "
        text += word
        before = word
    return text


def _is_tight(before: str, word: str, in_cost: bool, first: str) -> bool:
    """Whether the two tokens stand together without a space."""
    if before == ":":
        return first != "queue"
    if in_cost and "=" in (before, word):
        return True
    if before[0] == "`" and word[0] == ".":
        return True
    return word in _TIGHT_BEFORE or before in _TIGHT_AFTER


def _indent(lines: list[Line]) -> None:
    """Commands stand under their queue, a comment like the code that it precedes."""
    in_queue = False
    below = ""
    for line in lines:
        in_queue = in_queue or line.word == "queue"
        line.indent = "" if line.word in _OUTER or not in_queue else INDENT
        below = line.indent if line.word else below
    for line in reversed(lines):
        if line.word:
            below = line.indent
        else:
            line.indent = below


def _blocks(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Lines that share columns; a blank line is an empty block, several are one."""
    block: list[Line] = []
    for line in lines:
        blank = not line.word and not line.comment
        if blank or line.word == "queue":
            if block:
                yield block
            block = []
        if blank:
            yield []
        elif line.word == "queue":
            yield [line]
        else:
            block.append(line)
    if block:
        yield block


def _block(lines: list[Line]) -> list[str]:
    """The text of each line of one block."""
    widths: dict[tuple[str, int], int] = {}
    for line in lines:
        for index, text in enumerate(line.head):
            key = (line.family, index)
            wide = len(text) if len(text) <= WIDEST_HEAD else 0
            widths[key] = max(widths.get(key, 0), wide)
    codes = [line.code(widths) for line in lines]
    commented = [len(code) for code, line in zip(codes, lines, strict=True) if line.comment]
    column = max((length for length in commented if length <= WIDEST_CODE), default=0) + 2
    return [_with_comment(code, line, column) for code, line in zip(codes, lines, strict=True)]


def _with_comment(code: str, line: Line, column: int) -> str:
    if not line.comment:
        return code
    if not code:
        return line.indent + line.comment
    return max(code.ljust(column), code + "  ", key=len) + line.comment
