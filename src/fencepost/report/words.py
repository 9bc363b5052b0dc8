"""How findings, commands and counts are called in every report."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.coherence.finding import Finding, Kind, Spot
from fencepost.coherence.rules import BY_ID
from fencepost.stream.program import Program
from fencepost.stream.resource import GDS_BASE


def plural(count: int, one: str, many: str = "") -> str:
    """`1 hazard`, `2 hazards`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def headline(findings: Sequence[Finding]) -> str:
    """All three lists in one line, the empty ones too (design 6)."""
    hazards, unknown, waste = (
        sum(finding.kind is kind for finding in findings)
        for kind in (Kind.HAZARD, Kind.UNKNOWN, Kind.WASTE)
    )
    return "; ".join(
        (
            f"{plural(hazards, 'hazard')} found" if hazards else "no hazard found",
            f"{plural(unknown, 'access', 'accesses')} unknown" if unknown else "no access unknown",
            f"{plural(waste, 'barrier')} heavier than needed"
            if waste
            else "no barrier heavier than needed",
        )
    )


def missing_label(finding: Finding) -> str:
    """What `missing` is called: waste lacks nothing, it says what to do."""
    return "mend" if finding.kind is Kind.WASTE else "missing"


def title(rule: str) -> str:
    """What a rule is called in words."""
    return BY_ID[rule].title if rule in BY_ID else rule


def frame_of(program: Program, spot: Spot) -> int:
    """The frame of a command in a program that `stream.repeat` has repeated, from 1."""
    if program.frames == 1:
        return 1
    for queue in program.queues:
        if queue.name == spot.queue:
            return spot.position // max(len(queue.commands) // program.frames, 1) + 1
    return 1


def where(spot: Spot) -> str:
    """A command's line, or its offset in a binary stream."""
    line, offset = spot.place.line, spot.place.offset
    if offset is not None:
        return f"line {line} (offset {offset:#x})" if line else f"offset {offset:#x}"
    return f"line {line}" if line else f"command {spot.position}"


def byte_range(start: int, end: int) -> str:
    """Addresses as people read them; empty where a finding is about no bytes."""
    if start >= end:
        return ""
    base, space = (GDS_BASE, "GDS ") if start >= GDS_BASE else (0, "")
    size = plural(end - start, "byte")
    return f"{space}{start - base:#x} to {end - base:#x}, {size}"
