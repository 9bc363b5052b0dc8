"""What is due and when: a heap of times, in the order of planning where they are the same."""

from __future__ import annotations

from fencepost.errors import ProgramProblem
from fencepost.timing.record import FURTHEST
from fencepost.timing.room import doubled, few

ENGINE, READY, TAIL, OPERATED, VALUE, ACTED, KICKED_OFF, FLIPPED, LOOK = range(9)
"""Kinds of what may be due: an engine goes on; a work may launch; its last waves are through; a
fork's operations are finished; its value is in memory; an unconfirmed action is finished; a kickoff
has arrived; a flip is over; a queue has something to settle."""

KINDS = 16
"""There are fewer kinds of things that may be due."""


class Agenda:
    """Entries are a time, a turn (their number in the order of planning), and what is due.

    `time`, `kind` and `argument` are those of the entry that was taken last.
    """

    def __init__(self) -> None:
        self.times = few()
        self.turns = few()
        self.whats = few()
        self.room = len(self.times)
        self.count = 0
        self.turn = 0
        self.time = 0
        self.kind = 0
        self.argument = 0

    def next_turn(self) -> int:
        """The number of what is planned now."""
        self.turn += 1
        return self.turn

    def push(self, time: int, kind: int, argument: int) -> None:
        """Something is due at that time; raises `ProgramProblem` if nobody can wait for it."""
        check_time(time)
        if self.count == self.room:
            self._grow()
        at = self.count
        self.count += 1
        while at > 0:
            above = (at - 1) >> 1
            if self.times[above] <= time:
                break
            self._move(above, at)
            at = above
        self.turn += 1
        self._set(at, time, self.turn, argument * KINDS + kind)

    def comes_before(self, time: int, turn: int) -> bool:
        """Is something due before what is planned elsewhere (at a time below 0: nothing is)?"""
        if not self.count:
            return False
        if time < 0 or self.times[0] < time:
            return True
        return self.times[0] == time and self.turns[0] < turn

    def pop(self) -> None:
        """Take the entry that is due first."""
        what = self.whats[0]
        self.time, self.kind, self.argument = self.times[0], what % KINDS, what // KINDS
        self.count -= 1
        if self.count:
            self._sink(self.times[self.count], self.turns[self.count], self.whats[self.count])

    def _sink(self, time: int, turn: int, what: int) -> None:
        """Put an entry at the top, and let it sink to its place."""
        at, below = 0, 1
        while below < self.count:
            if below + 1 < self.count and self._before(below + 1, below):
                below += 1
            if self.times[below] > time or (self.times[below] == time and self.turns[below] > turn):
                break
            self._move(below, at)
            at = below
            below = 2 * at + 1
        self._set(at, time, turn, what)

    def _before(self, one: int, two: int) -> bool:
        if self.times[one] == self.times[two]:
            return self.turns[one] < self.turns[two]
        return self.times[one] < self.times[two]

    def _move(self, source: int, target: int) -> None:
        self.times[target] = self.times[source]
        self.turns[target] = self.turns[source]
        self.whats[target] = self.whats[source]

    def _set(self, at: int, time: int, turn: int, what: int) -> None:
        self.times[at] = time
        self.turns[at] = turn
        self.whats[at] = what

    def _grow(self) -> None:
        self.times = doubled(self.times)
        self.turns = doubled(self.turns)
        self.whats = doubled(self.whats)
        self.room *= 2


def check_time(time: int) -> None:
    """Raises `ProgramProblem` for a time that no run gets to."""
    if time > FURTHEST:
        raise ProgramProblem("the run takes longer than 46 days", expected="less work in a stream")
