"""Reads `waste.cases`: streams, and the waste that each has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fencepost.stream.program import Program
from fencepost.stream.text import parse_text

CASES = Path(__file__).with_name("waste.cases")


@dataclass(frozen=True, slots=True)
class Case:
    """A stream behind the preamble, and its waste: line of the section, rule, what to do."""

    name: str
    preamble: str
    body: tuple[str, ...]
    waste: tuple[tuple[int, str, str], ...]

    def program(self) -> Program:
        """The stream; its lines count from 1 behind the preamble."""
        text = self.preamble + "\n".join(self.body) + "\n"
        return parse_text(text, "waste")

    def line(self, line: int) -> int:
        """A line of the text as a line of the section."""
        return line - self.preamble.count("\n")


def cases() -> Iterator[Case]:
    """All sections of the file."""
    preamble, *sections = _sections(CASES.read_text(encoding="utf-8"))
    for section in sections:
        yield _case(section[0].removeprefix("== "), "\n".join(preamble[1:]) + "\n", section[1:])


def _sections(text: str) -> list[list[str]]:
    found: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith(("== ", "-- ")):
            found.append([])
        if found and line and not line.startswith("#"):
            found[-1].append(line)
    return found


def _case(name: str, preamble: str, lines: list[str]) -> Case:
    body: list[str] = []
    waste: list[tuple[int, str, str]] = []
    for line in lines:
        if line.startswith("! "):
            rule, mend = line.removeprefix("! ").split(": ", 1)
            waste.append((len(body), rule, mend))
        else:
            body.append(line)
    return Case(name, preamble, tuple(body), tuple(waste))
