"""Pairs of streams that differ in one thing: one is clean, the other has the hazards that it names.

A `.pairs` file holds sections. A section starts with `== NAME`; header lines `key: value` follow,
then a blank line, then a `.fence` text in which a line that starts with

    +   stands in the clean stream only
    -   stands in the failing stream only
    !   names a hazard of the failing stream at the line above: `! RULE [CACHE]`

Header keys: `rows` (what the pair shows, separated by `;`), `says` (the fact in one sentence) and
any number of `each WORDS: values; values`: one pair for each combination, `{WORD}` replaced
everywhere (`_` in a value is a space). An indented header line continues the one above. Without a
line `machine` the machine is `xbox-one`. Line numbers of both streams are those of the file.
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fencepost.stream.text.lexer import tokens_of

HERE = Path(__file__).parent
MARKS = ("+", "-", "!")


@dataclass(frozen=True, slots=True)
class Hazard:
    """A hazard: rule, line, and for stale lines the cache."""

    rule: str
    line: int
    cache: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """One pair: the lines of its section, templates filled in, the first at line `first`."""

    name: str
    section: str
    file: str
    first: int
    rows: tuple[str, ...]
    fact: str
    lines: tuple[str, ...]

    def text(self, without: str) -> str:
        """The stream without the lines that start with `without` (or name hazards)."""
        kept = [self._keep(line, without) for line in self.lines]
        if not any(line.startswith("machine ") for line in kept):
            kept[0] = "machine xbox-one"
        return "\n" * (self.first - 1) + "\n".join(kept) + "\n"

    @staticmethod
    def _keep(line: str, without: str) -> str:
        if line[:1] not in MARKS:
            return line
        return "" if line[0] in (without, "!") else line[1:].lstrip()

    @property
    def clean(self) -> str:
        return self.text("-")

    @property
    def failing(self) -> str:
        return self.text("+")

    @property
    def hazards(self) -> tuple[Hazard, ...]:
        """What the failing stream has, in the order of the lines."""
        found = []
        at = 0
        for number, line in enumerate(self.lines, self.first):
            if line[:1] == "!":
                rule, _, cache = line[1:].strip().partition(" ")
                found.append(Hazard(rule, at, cache))
            elif line.strip():
                at = number
        return tuple(found)

    @property
    def difference(self) -> str:
        """What the two differ in: `added`, `replaced`, `changed`, `moved`; "" if not one thing."""
        ours = [line[1:].strip() for line in self.lines if line[:1] == "+"]
        others = [line[1:].strip() for line in self.lines if line[:1] == "-"]
        if len(ours) + len(others) == 1:
            return "added"
        if len(ours) != 1 or len(others) != 1:
            return ""
        if ours == others:
            return "moved"
        if ours[0].split()[0] != others[0].split()[0]:
            return "replaced"
        return "changed" if _changes(ours[0], others[0]) == 1 else ""


def _changes(one: str, other: str) -> int:
    """How many runs of words differ."""
    match = difflib.SequenceMatcher(None, tokens_of(one), tokens_of(other), autojunk=False)
    return sum(tag != "equal" for tag, *_ in match.get_opcodes())


def all_pairs() -> list[Pair]:
    """Every pair of every file, templates expanded."""
    return [pair for path in sorted(HERE.glob("*.pairs")) for pair in read_pairs(path)]


def read_pairs(path: Path) -> Iterator[Pair]:
    """The pairs of one file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("== ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield from _expand(path.name, start + 1, lines[start:end])


def _expand(file: str, first: int, lines: list[str]) -> Iterator[Pair]:
    body = lines.index("")
    header = [line.partition(": ") for line in _whole(lines[1:body])]
    choices = [
        [dict(zip(key.split()[1:], value.split(), strict=True)) for value in values.split("; ")]
        for key, _, values in header
        if key.startswith("each ")
    ]
    known = {key: value for key, _, value in header}
    section = lines[0][3:]
    for chosen in itertools.product(*choices):
        words = {key: value for choice in chosen for key, value in choice.items()}
        yield Pair(
            name="-".join([section, *words.values()]),
            section=section,
            file=file,
            first=first,
            rows=tuple(_fill(row, words) for row in known["rows"].split("; ")),
            fact=known["says"],
            lines=("", *([""] * (body - 1)), *(_fill(line, words) for line in lines[body:])),
        )


def _whole(lines: list[str]) -> list[str]:
    """Header lines; one that is indented goes on where the line above ends."""
    found: list[str] = []
    for line in lines:
        if line.startswith(" "):
            found[-1] += " " + line.strip()
        else:
            found.append(line)
    return found


def _fill(text: str, words: dict[str, str]) -> str:
    for word, value in words.items():
        text = text.replace(f"{{{word}}}", value.replace("_", " "))
    return text
