"""What checker and explorer say of a stream."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from fencepost.coherence import Finding, Kind, check
from fencepost.machine import find_machine
from fencepost.stream.program import Program
from fencepost.stream.text import parse_text
from verify.explore import Tally, explore

CLEAN = "clean"


@dataclass(frozen=True, slots=True)
class Hazard:
    """A hazard without its place: the rule and, for an old line, the cache."""

    rule: str
    cache: str = ""

    def __str__(self) -> str:
        return f"{self.rule} {self.cache}" if self.cache else self.rule


def hazards_of(program: Program, guarantees: str = "") -> frozenset[Hazard]:
    """The hazards of a program on its own machine."""
    report = check(program, find_machine(program.machine), guarantees)
    return frozenset(_hazard(finding) for finding in report.of(Kind.HAZARD))


def verdict_of(program: Program, guarantees: str = "") -> str:
    """`clean`, or the hazards in one line."""
    return ", ".join(sorted(map(str, hazards_of(program, guarantees)))) or CLEAN


def _hazard(finding: Finding) -> Hazard:
    return Hazard(finding.rule, dict(finding.properties).get("cache", ""))


@cache
def hazards_of_text(text: str) -> frozenset[Hazard]:
    """The hazards of a stream."""
    return hazards_of(parse_text(text, "driver"))


def explored_clean(program: Program, guarantees: str = "") -> bool:
    """Is every execution right? Asks the explorer, which shares no logic with the checker."""
    machine = find_machine(program.machine)
    level = guarantees or program.guarantees or machine.guarantees
    return explore(program, machine, level, Tally()).clean
