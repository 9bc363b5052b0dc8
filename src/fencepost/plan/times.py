"""The walk over a queue that costs come from, as `costs.Walk`, for states that many can share."""

from __future__ import annotations

from dataclasses import dataclass

from fencepost.plan.costs import DISPATCH, DRAW, CostTable, confirms_operations, waited_kinds
from fencepost.stream.command import (
    Command,
    EndOfPipe,
    EndOfShader,
    PartialFlush,
    WaitIdle,
    WaitMemory,
    Work,
    WorkKind,
)

NEVER = -(1 << 62)

Starts = tuple[int, int]
"""When the last draw and the last dispatch were started."""

NO_STARTS: Starts = (NEVER, NEVER)


@dataclass(slots=True, eq=False)
class Told:
    """What a value tells.

    When the works were started that are over, how many ends of pipe with operations it comes
    behind.
    """

    starts: Starts = NO_STARTS
    operations: int = 0


@dataclass(slots=True, eq=False)
class Times:
    """How far a queue has been walked (`costs.Walk`).

    `recent`: position and start of the works that a wait may still stand for.
    """

    now: int = 0
    starts: Starts = NO_STARTS
    operated: Starts = NO_STARTS
    operations: int = 0
    confirmed: int = 0
    recent: tuple[tuple[int, int], ...] = ()

    def started(self, work: Work, position: int, table: CostTable) -> Times:
        """Behind a work."""
        if work.kind not in (WorkKind.DRAW, WorkKind.DISPATCH):
            return self
        now = self.now + table.overlap
        draw, dispatch = self.starts
        starts = (now, dispatch) if work.kind is WorkKind.DRAW else (draw, now)
        young = [one for one in self.recent if table.stall(now - one[1])]
        recent = (*young, (position, now))
        return Times(now, starts, self.operated, self.operations, self.confirmed, recent)

    def age(self, position: int, table: CostTable) -> int:
        """The cycles since that work was started; `drain`, if they make no difference."""
        found = (self.now - start for other, start in self.recent if other == position)
        return next(found, table.drain)

    def told(self, command: Command) -> Told:
        """What a value tells, or what a wait has seen the end of."""
        kinds = waited_kinds(command)
        draw = self.starts[0] if DRAW in kinds else NEVER
        dispatch = self.starts[1] if DISPATCH in kinds else NEVER
        if confirms_operations(command):
            draw, dispatch = max(draw, self.operated[0]), max(dispatch, self.operated[1])
        own = isinstance(command, EndOfPipe) and bool(command.operations)
        return Told((draw, dispatch), self.operations + own)

    def walked(self, command: Command, table: CostTable, seen: Told | None) -> tuple[Times, int]:
        """Behind a synchronization command, and its cycles. `seen`: what a wait on memory sees."""
        told = self.told(command)
        operated, operations, confirmed = self.operated, self.operations, self.confirmed
        waited, extra = told.starts, 0
        if isinstance(command, EndOfPipe | EndOfShader):
            waited = NO_STARTS
            if told.operations > operations:
                operated, operations = told.starts, told.operations
        elif isinstance(command, WaitMemory):
            seen = seen or Told()
            waited, confirmed = seen.starts, max(confirmed, seen.operations)
        elif isinstance(command, WaitIdle):
            confirmed = operations
        elif isinstance(command, PartialFlush) and confirms_operations(command):
            extra = table.cycles("confirm") if confirmed < operations else 0
            confirmed = operations
        stall = table.stall(self.now - max(waited))
        now = self.now + stall
        times = Times(now, self.starts, operated, operations, confirmed, self.recent)
        return times, table.command(command) + extra + stall

    def ages(self, drain: int) -> tuple[int, ...]:
        """What is better the higher it is.

        Works that are older than `drain` are as good as over.
        """
        every = (*self.starts, *self.operated)
        return (
            *[min(self.now - start, drain) for start in every],
            self.confirmed - self.operations,
        )
