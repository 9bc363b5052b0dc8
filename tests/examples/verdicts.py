"""What is expected of each example: `expected.txt`, one section an example.

A section starts with the example's name. `strict` is followed by the hazards under `strict`;
every other line says what goes wrong, under `documented`, when one piece is left out:
`LINE: PIECE`, two spaces or more, then `rule@line`, several with commas, or `clean`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from fencepost.coherence import Kind, check
from fencepost.machine import find_machine
from fencepost.stream.program import Program
from fencepost.stream.text import parse_text

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "xbox-one"
EXPECTED = Path(__file__).with_name("expected.txt")


@dataclass(slots=True)
class Expected:
    """One section of the table."""

    strict: str = ""
    dropped: dict[str, str] = field(default_factory=dict)


def expected() -> dict[str, Expected]:
    """The whole table, by example."""
    found: dict[str, Expected] = {}
    section = Expected()
    for line in EXPECTED.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if not line.startswith(" "):
            section = found[line] = Expected()
            continue
        piece, verdict = re.split(r" {2,}", line.strip(), maxsplit=1)
        if piece == "strict":
            section.strict = verdict
        else:
            section.dropped[piece] = verdict
    return found


def names(ending: str = "") -> list[str]:
    """The examples whose names end so, in order."""
    return sorted(path.stem for path in EXAMPLES.glob(f"*{ending}.fence"))


def text_of(name: str) -> str:
    """The text of an example."""
    return (EXAMPLES / f"{name}.fence").read_text(encoding="utf-8")


def load(name: str) -> Program:
    """The program of an example."""
    return parse_text(text_of(name), f"{name}.fence")


def hazards(program: Program, guarantees: str = "documented") -> list[str]:
    """`rule@line` of each hazard, in the order of the stream, each once."""
    report = check(program, find_machine(program.machine), guarantees)
    found = [f"{finding.rule}@{finding.later.place.line}" for finding in report.of(Kind.HAZARD)]
    return list(dict.fromkeys(found))


def verdict(program: Program, guarantees: str = "documented") -> str:
    """The hazards as the table writes them."""
    return ", ".join(hazards(program, guarantees)) or "clean"
