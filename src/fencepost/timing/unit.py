"""A unit that works share: served at the rates that a rule gives (docs/timing.md 4.3)."""

from __future__ import annotations

from fencepost.timing.sharing import Rule

NEVER = -1


class Unit:
    """The parts that works have on one unit, oldest first.

    `caps` and `rates` in parts per million; `left` in parts per million times picoseconds; `tails`
    is the amount behind the last launch of a wave, served after `left`, the body.
    """

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.works: list[int] = []
        self.queues: list[int] = []
        self.caps: list[int] = []
        self.left: list[int] = []
        self.tails: list[int] = []
        self.in_body: list[bool] = []
        self.rates: list[int] = []
        self.last = 0

    def add(self, work: int, queue: int, cap: int, body: int, tail: int) -> None:
        """A part of a work."""
        self.works.append(work)
        self.queues.append(queue)
        self.caps.append(cap)
        self.left.append(body)
        self.tails.append(tail)
        self.in_body.append(True)
        self.rates.append(0)

    def advance(self, now: int) -> tuple[list[int], list[int]]:
        """Serve until now; returns the works whose body, and whose whole part, is done."""
        span = now - self.last
        self.last = now
        bodies: list[int] = []
        done: list[int] = []
        if not span or not self.works:
            return bodies, done
        for at in range(len(self.works)):
            self.left[at] -= self.rates[at] * span
            if self.left[at] <= 0:
                if self.in_body[at]:
                    bodies.append(self.works[at])
                    self.in_body[at] = False
                if self.tails[at]:
                    self.left[at], self.tails[at] = self.tails[at], 0
                else:
                    done.append(self.works[at])
        if done:
            self._drop_done()
        return bodies, done

    def _drop_done(self) -> None:
        kept = [at for at in range(len(self.works)) if self.left[at] > 0]
        self.works = [self.works[at] for at in kept]
        self.queues = [self.queues[at] for at in kept]
        self.caps = [self.caps[at] for at in kept]
        self.left = [self.left[at] for at in kept]
        self.tails = [self.tails[at] for at in kept]
        self.in_body = [self.in_body[at] for at in kept]
        self.rates = [self.rates[at] for at in kept]

    def share(self) -> None:
        """Divide the unit anew."""
        self.rule(self.queues, self.caps, self.rates)

    def next(self) -> int:
        """When the next part is done; `NEVER` if none is."""
        first = NEVER
        for at in range(len(self.works)):
            rate = self.rates[at]
            if rate:
                then = self.last - (-self.left[at] // rate)
                if first < 0 or then < first:
                    first = then
        return first
