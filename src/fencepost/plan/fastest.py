"""The plan that is fastest in simulated time, of those near the lightest one (design 7).

The table cannot see what runs beside a stall. So the lightest plan is simulated, and so are plans
that differ from it by one command, fence or gap (`changes`); what is right and faster is kept, and
changed again, until nothing near is faster or so much has been tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from fencepost.machine.tables import Machine
from fencepost.plan.changes import MOST_MOVED, Change, Changes, Ladder, Place, Unit
from fencepost.plan.edits import edited
from fencepost.plan.judge import Judge, Judged, Pieces
from fencepost.plan.planning import Plan, plan
from fencepost.plan.serving import Service
from fencepost.plan.strip import strip
from fencepost.stream.program import Program
from fencepost.timing import Options, simulate

MOST_JUDGED = 400_000
"""So many commands are replayed or simulated."""


@dataclass(frozen=True, slots=True)
class Fastest:
    """A plan with its simulated time in picoseconds, and those of the lightest plan.

    `tried`: how many plans were judged; `complete`: nothing near it is faster (False: there was too
    much to try).
    """

    plan: Plan
    time: int
    lightest: Plan
    lightest_time: int
    tried: int
    complete: bool


def fastest(program: Program, machine: Machine, guarantees: str = "") -> Fastest:
    """The synchronization for a program that is fastest by simulation; its own is ignored.

    Raises `NoPlan`, and what `simulate` does.
    """
    level = guarantees or program.guarantees or machine.guarantees
    return hasten(strip(program), plan(program, machine, level), machine, level)


def hasten(program: Program, lightest: Plan, machine: Machine, guarantees: str) -> Fastest:
    """A plan of that program made faster. Raises what `simulate` does."""
    judge = Judge(program, machine, guarantees, MOST_JUDGED)
    first = judge.judged(lightest.pieces)
    climb = Climb(judge, Changes(program, machine), first)
    complete = climb.run(judge.bare_time())
    best = climb.best
    pieces = tuple(sorted(best.pieces, key=lambda piece: piece.order))
    found = Plan(best.woven, pieces, best.score[1])
    return Fastest(
        lightest if best is first else found,
        best.score[0],
        lightest,
        first.score[0],
        judge.tried,
        complete,
    )


def time_of(program: Program, machine: Machine, guarantees: str) -> int:
    """Its simulated time in picoseconds. Raises what `simulate` does."""
    return simulate(program, Options(guarantees=guarantees), machine).totals.time


def with_savings(
    services: Iterable[Service], program: Program, machine: Machine, guarantees: str
) -> list[Service]:
    """What inserted commands save in time that no pair of accesses needs.

    Where nothing breaks without a write-back, it may have been put there to be done sooner.
    """
    time = time_of(program, machine, guarantees)
    found = []
    for service in services:
        saves = 0
        if service.explained and not service.serves:
            without = edited(program, dict.fromkeys(service.places, ())).program
            saves = max(0, time_of(without, machine, guarantees) - time)
        found.append(replace(service, saves=saves))
    return found


class Climb:
    """Goes from a plan to a better one near it, as long as there is one."""

    def __init__(self, judge: Judge, changes: Changes, best: Judged) -> None:
        self.judge, self.changes, self.best = judge, changes, best
        self._settled: dict[Place, Pieces] = {}

    def run(self, least: int) -> bool:
        """Climb; False if there was too much to try. `least`: less is not hoped for."""
        while self.best.score[0] > least:
            before = self.best
            for place, units in self._places():
                near = self._near(place)
                if self._settled.get(place) == near:
                    continue
                if not self._try(units):
                    return False
                self._settled[place] = near
            if self.best is before:
                return True
        return True

    def _places(self) -> list[tuple[Place, list[Unit]]]:
        """Where the engines stand longest comes first."""
        stalls = self.best.stalls
        return sorted(
            self.changes.places(self.best.pieces).items(),
            key=lambda row: -sum(stalls[piece] for unit in row[1] for piece in unit),
        )

    def _near(self, place: Place) -> Pieces:
        """The pieces around a place: while they stay, there is nothing new to try."""
        queue, gap = place
        return frozenset(
            piece
            for piece in self.best.pieces
            if piece.queue == queue and abs(piece.gap - gap) <= 2 * MOST_MOVED
        )

    def _try(self, units: Sequence[Unit]) -> bool:
        """Try all changes of a gap; False if there was too much."""
        right: dict[tuple[str, ...], list[frozenset[str]]] = {}
        for ladder in self.changes.ladders(units, self.best.pieces):
            lighter = right.setdefault(ladder.kind, [])
            if ladder.kind and any(waits < ladder.waits for waits in lighter):
                continue
            if not all(self.best.pieces.issuperset(change.old) for change in ladder.changes):
                continue
            if self.judge.left <= 0:
                return False
            if self._down(ladder):
                lighter.append(ladder.waits)
        return True

    def _down(self, ladder: Ladder) -> bool:
        """Try the rungs of a ladder, each from where it stands. Is the first one right?"""
        rungs = [self._changed(change) for change in ladder.changes]
        if not rungs or not self.judge.is_right(rungs[0]):
            return False
        for pieces in [self._last_right(rungs)] if ladder.sooner else rungs:
            if not self.judge.is_right(pieces):
                break
            time, cycles = self.best.score
            self.best = self.judge.better(pieces, (time - ladder.saves, cycles)) or self.best
        return True

    def _last_right(self, rungs: Sequence[Pieces]) -> Pieces:
        """The last one that is right; the first one is."""
        low, high = 0, len(rungs) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self.judge.is_right(rungs[middle]):
                low = middle
            else:
                high = middle - 1
        return rungs[low]

    def _changed(self, change: Change) -> Pieces:
        return self.best.pieces.difference(change.old).union(change.new)
