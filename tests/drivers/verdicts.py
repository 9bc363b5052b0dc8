"""Rows that are not simply clean: hazards that the model finds in them, and rows without works."""

from __future__ import annotations

from dataclasses import dataclass

from tests.drivers.judge import Hazard
from tests.drivers.rows import Pair, Row


@dataclass(frozen=True, slots=True)
class Found:
    """Pairs of works in rows of these words that have a hazard.

    `consumers`: () means all. `old`: only where caches hold old lines.
    `why`: the section of docs/drivers.md.
    """

    sources: tuple[str, ...]
    destinations: tuple[str, ...]
    producers: tuple[str, ...]
    hazard: Hazard
    why: str
    consumers: tuple[str, ...] = ()
    old: bool = False

    def names(self, row: Row, pair: Pair, old: bool) -> bool:
        """Is it one of these?"""
        return (
            row.source in self.sources
            and row.destination in self.destinations
            and pair.producer in self.producers
            and (pair.consumer in self.consumers or not self.consumers)
            and (old or not self.old)
        )


FOUND = (
    Found(
        ("color write",),
        ("compute uniform", "indirect"),
        ("draw cb0.write c", "draw cb0.blend c"),
        Hazard("stale-cache-line", "tcc"),
        "A target that is read as constants",
        consumers=("dispatch cs.constant b",),
        old=True,
    ),
    Found(
        ("depth write",),
        ("compute uniform", "indirect"),
        ("draw db.write d", "draw db.clear d"),
        Hazard("stale-cache-line", "tcc"),
        "A target that is read as constants",
        consumers=("dispatch cs.constant b",),
        old=True,
    ),
)
"""Every pair of works that has a hazard behind a shipped sequence."""


def expected(row: Row, pair: Pair, old: bool) -> frozenset[Hazard]:
    """The hazards of that pair in that row."""
    return frozenset(found.hazard for found in FOUND if found.names(row, pair, old))


@dataclass(frozen=True, slots=True)
class Unmapped:
    """Rows that order no two works, and why. `*` stands for any word."""

    kind: str
    source: str
    destination: str
    reason: str

    def names(self, row: Row) -> bool:
        """Is it one of these?"""
        words = ((self.source, row.source), (self.destination, row.destination))
        return self.kind == row.kind and all(ours in ("*", theirs) for ours, theirs in words)


BARRIER = "pipeline barrier"
READS_ALONE = "both sides only read"
UNMAPPED = (
    Unmapped(BARRIER, "*", "bottom", "nothing comes behind the bottom of the pipe"),
    Unmapped("set event", "*", "", "no wait; the row with the wait is mapped"),
    Unmapped("set+wait event", "top", "*", "no stage, so no work, comes before it"),
    Unmapped(BARRIER, "none/top", "compute exec", "no access on either side"),
    Unmapped(BARRIER, "host write", "compute exec", "no access behind it, and the host reads none"),
    *(
        Unmapped(BARRIER, source, destination, READS_ALONE)
        for source in ("compute exec", "vertex shader exec", "fragment exec", "indirect read")
        for destination in ("host read", "predication")
    ),
)


def reason(row: Row) -> str:
    """Why the row is not mapped; "" if nothing says so."""
    return next((unmapped.reason for unmapped in UNMAPPED if unmapped.names(row)), "")
