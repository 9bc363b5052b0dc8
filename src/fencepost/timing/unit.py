"""A unit that works share: served at the rates that a rule gives (docs/timing.md 4.3)."""

from __future__ import annotations

from fencepost.timing.record import NEVER
from fencepost.timing.room import doubled, few
from fencepost.timing.sharing import Parts, Rule


class Unit(Parts):
    """The parts that works have on one unit, oldest first.

    `caps` and `rates` in parts per million; `left` in parts per million times picoseconds; `tails`
    is the amount behind the last launch of a wave, served after `left`, the body. `bodies` and
    `finished`: the works whose body, and whose whole part, `advance` has just served.
    """

    def __init__(self, rule: Rule) -> None:
        super().__init__()
        self.rule = rule
        self.works = few()
        self.left = few()
        self.tails = few()
        self.in_body = few()
        self.bodies = few()
        self.finished = few()
        self.bodies_count = 0
        self.finished_count = 0
        self.last = 0

    def add(self, work: int, queue: int, cap: int, body: int, tail: int) -> None:
        """A part of a work."""
        self.put(queue, cap)
        at = self.count - 1
        self.works[at] = work
        self.left[at] = body
        self.tails[at] = tail
        self.in_body[at] = 1

    def grow(self) -> None:
        """Room for more."""
        Parts.grow(self)
        self.works = doubled(self.works)
        self.left = doubled(self.left)
        self.tails = doubled(self.tails)
        self.in_body = doubled(self.in_body)
        self.bodies = doubled(self.bodies)
        self.finished = doubled(self.finished)

    def advance(self, now: int) -> None:
        """Serve until now."""
        span = now - self.last
        self.last = now
        self.bodies_count = self.finished_count = 0
        if not span:
            return
        for at in range(self.count):
            self.left[at] -= self.rates[at] * span
            if self.left[at] <= 0:
                self._served(at)
        if self.finished_count:
            self._drop_finished()

    def _served(self, at: int) -> None:
        """The body, or the tail, of a part is done."""
        if self.in_body[at]:
            self.bodies[self.bodies_count] = self.works[at]
            self.bodies_count += 1
            self.in_body[at] = 0
        if self.tails[at]:
            self.left[at] = self.tails[at]
            self.tails[at] = 0
        else:
            self.finished[self.finished_count] = self.works[at]
            self.finished_count += 1

    def _drop_finished(self) -> None:
        kept = 0
        for at in range(self.count):
            if self.left[at] > 0:
                if kept < at:
                    self._move(at, kept)
                kept += 1
        self.count = kept

    def _move(self, source: int, target: int) -> None:
        self.works[target] = self.works[source]
        self.queues[target] = self.queues[source]
        self.caps[target] = self.caps[source]
        self.left[target] = self.left[source]
        self.tails[target] = self.tails[source]
        self.in_body[target] = self.in_body[source]
        self.rates[target] = self.rates[source]

    def share(self) -> None:
        """Divide the unit anew."""
        self.rule.divide(self)

    def next(self) -> int:
        """When the next part is done; `NEVER` if none is."""
        first = NEVER
        for at in range(self.count):
            rate = self.rates[at]
            if rate:
                then = self.last + (self.left[at] + rate - 1) // rate
                if first < 0 or then < first:
                    first = then
        return first
