"""The inputs as they were read, and where in a line a command does what a finding speaks of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from fencepost.coherence.finding import Spot
from fencepost.place import Place

COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|(#)')


@dataclass(frozen=True, slots=True)
class Region:
    """Columns [start, end) of a line, counted from 0."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sources:
    """The text of each input, by the name under which places name it.

    `pasteable`: those in which the lines of a fix can be pasted (`.fence` text).
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    pasteable: frozenset[str] = frozenset()
    _lines: dict[str, list[str]] = field(default_factory=dict, init=False)

    def line(self, place: Place) -> str | None:
        """The line of that place; None for a packet and for a program made in Python."""
        if place.offset is not None or place.file not in self.texts:
            return None
        if place.file not in self._lines:
            self._lines[place.file] = self.texts[place.file].split("\n")
        lines = self._lines[place.file]
        if not 1 <= place.line <= len(lines):
            return None
        return lines[place.line - 1].rstrip("\r")

    def region(self, spot: Spot) -> Region | None:
        """Where the line of a command says what the command does there."""
        line = self.line(spot.place)
        return None if line is None else locate(line, spot.does, spot.place.column - 1)


def locate(line: str, does: str, column: int) -> Region:
    """Where `does` (`ps.texture X[0:16]`) stands in `line`, the whole command if it does not.

    Tried in turn: the words as they are, with a range behind; the words without their range; the
    access up to the next one; the last word, which is the resource.
    """
    command = code_region(line, column)
    for pattern in _patterns(does):
        match = re.compile(pattern).search(line, command.start, command.end)
        if match:
            return Region(match.start(), match.end())
    return command


def code_region(line: str, column: int) -> Region:
    """From `column` to the comment, without the space at both ends."""
    end = next((match.start() for match in COMMENT.finditer(line) if match[1]), len(line))
    start = column if 0 <= column < end else 0
    text = line[start:end]
    start += len(text) - len(text.lstrip())
    return Region(start, max(start + len(text.strip()), start))


def _patterns(does: str) -> list[str]:
    words = does.split()
    bare = does.partition("[")[0].split()
    if not words:
        return []
    before, after, ranged = r"(?<![\w.-])", r"(?![\w-])", r"(?:\[[^\]\s]*\])?"
    joined = [r"\s+".join(map(re.escape, part)) for part in (words, bare) if part]
    return [
        *(f"{before}{text}{ranged}{after}" for text in joined),
        rf"{before}{re.escape(words[0])}\s[^;#@]*[^;#@\s]",
        f"{before}{re.escape(bare[-1])}{ranged}{after}" if bare else r"(?!)",
    ]
