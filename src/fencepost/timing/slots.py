"""Wave slots: works take them in the order of their arrival (docs/timing.md 4.2)."""

from __future__ import annotations

from fencepost.timing.parameters import WHOLE
from fencepost.timing.record import NEVER
from fencepost.timing.room import doubled, few


class Slots:
    """The `count` works that hold or want slots, oldest first; parts per million of all slots.

    A work's own progress is `rate` of its `want`; `left` is what is still to be served, in parts
    per million times picoseconds. `through`: those that `advance` has just served.
    """

    def __init__(self, wave: int) -> None:
        self.wave = wave
        self.works = few()
        self.want = few()
        self.left = few()
        self.rate = few()
        self.through = few()
        self.room = len(self.works)
        self.count = 0
        self.last = 0

    def enter(self, work: int, want: int, amount: int) -> None:
        """A work that wants slots."""
        if self.count == self.room:
            self._grow()
        at = self.count
        self.works[at] = work
        self.want[at] = want
        self.left[at] = amount
        self.rate[at] = 0
        self.count = at + 1

    def leave(self, work: int) -> None:
        """Its slots are free again."""
        at = 0
        while self.works[at] != work:
            at += 1
        self.count -= 1
        while at < self.count:
            self.works[at] = self.works[at + 1]
            self.want[at] = self.want[at + 1]
            self.left[at] = self.left[at + 1]
            self.rate[at] = self.rate[at + 1]
            at += 1

    def advance(self, now: int) -> int:
        """Serve until now; returns how many works have just been served."""
        span = now - self.last
        self.last = now
        served = 0
        if not span:
            return 0
        for at in range(self.count):
            left = self.left[at]
            if left > 0 and self.rate[at]:
                left -= self.rate[at] * span
                if left <= 0:
                    left = 0
                    self.through[served] = self.works[at]
                    served += 1
                self.left[at] = left
        return served

    def share(self) -> None:
        """Give each what is left by the older ones; no one gets less than a wave."""
        left = WHOLE
        for at in range(self.count):
            want = self.want[at]
            got = min(left, want)
            if got < want and got < self.wave:
                got = 0
            self.rate[at] = got
            left = left - got if got == want else 0

    def next(self) -> int:
        """When the next work has been served; `NEVER` if none is."""
        first = NEVER
        for at in range(self.count):
            rate, left = self.rate[at], self.left[at]
            if left > 0 and rate:
                then = self.last + (left + rate - 1) // rate
                if first < 0 or then < first:
                    first = then
        return first

    def _grow(self) -> None:
        self.works = doubled(self.works)
        self.want = doubled(self.want)
        self.left = doubled(self.left)
        self.rate = doubled(self.rate)
        self.through = doubled(self.through)
        self.room *= 2
