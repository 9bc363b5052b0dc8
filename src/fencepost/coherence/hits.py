"""Raw results of the replay: who conflicts with whom and why, in integers. Wording is elsewhere."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Actor:
    """One access of one command.

    Queue, position, number of its way (-1: some access of the command).
    """

    queue: int
    position: int
    way: int


@dataclass(frozen=True, slots=True)
class Fact:
    """A clock point that must be above `at` for an access to be right; whether it is (model 5.3).

    `question`: `ordered`, `available`, `visible`, or `in order` (no point needed). `bringer`: who
    may have left an old copy in `cache`.
    """

    question: str
    point: int
    at: int
    holds: bool
    cache: int = -1
    bringer: Actor | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A hazard between two accesses on the bytes [start, end), with the facts between them.

    The fact that does not hold is the last one. Stale lines name the cache and who brought the
    line in.
    """

    rule: str
    later: Actor
    earlier: Actor
    start: int
    end: int
    facts: tuple[Fact, ...]

    @property
    def broken(self) -> Fact:
        """The fact that does not hold."""
        return self.facts[-1]

    @property
    def cache(self) -> int:
        """The cache with the old copy, or -1."""
        return self.broken.cache if self.broken.bringer is not None else -1
