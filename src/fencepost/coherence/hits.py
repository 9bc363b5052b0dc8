"""Raw results of the replay: who conflicts with whom and why, in integers. Wording is elsewhere."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Actor:
    """One access of one command: queue, position, index of the access in the command's list."""

    queue: int
    position: int
    way: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A hazard on the bytes [start, end). `point`: the clock point that is too low (an absolute index), `need` what it lacks.

    `bringer`: who left the old copy in `cache` (stale lines only).
    """

    rule: str
    later: Actor
    earlier: Actor
    start: int
    end: int
    point: int = -1
    bringer: Actor | None = None
    cache: int = -1
