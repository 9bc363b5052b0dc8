"""How text meets its reader: colour, what the output can print, how wide a line may be."""

from __future__ import annotations

import textwrap
import unicodedata
from dataclasses import dataclass

TONES = {
    "hazard": "1;31",
    "unknown": "1;33",
    "waste": "1;36",
    "good": "1;32",
    "strong": "1",
    "frame": "34",
}
"""Tone of a piece of text -> its SGR code."""


@dataclass(frozen=True, slots=True)
class Style:
    """What the output can show. The marks that fencepost itself draws are ASCII everywhere."""

    color: bool = False
    encoding: str = "utf-8"
    width: int = 100

    def paint(self, text: str, tone: str) -> str:
        """`text` in that tone, unchanged where there is no colour."""
        return f"\033[{TONES[tone]}m{text}\033[0m" if self.color and text else text

    def clean(self, text: str) -> str:
        """`text` of an input so that it can be shown.

        Tabs become spaces; whatever steers a terminal or is not in the encoding becomes `?`.
        """
        if text.isascii() and text.isprintable():
            return text
        shown = "".join(_shown(character) for character in text)
        return shown.encode(self.encoding, "replace").decode(self.encoding)

    def wrap(self, first: str, text: str) -> list[str]:
        """`text` after the heading `first`, later lines indented to stand under its start."""
        return textwrap.wrap(
            self.clean(text),
            max(self.width, len(first) + 30),
            initial_indent=first,
            subsequent_indent=" " * len(first),
            break_long_words=False,
            break_on_hyphens=False,
        ) or [first.rstrip()]


def _shown(character: str) -> str:
    if character == "\t":
        return " "
    if unicodedata.category(character).startswith("C"):
        return "?"
    return character


def cells(text: str) -> int:
    """How many terminal columns `text` takes."""
    return sum(_cells(character) for character in text)


def _cells(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
