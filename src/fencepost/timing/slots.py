"""Wave slots: works take them in the order of their arrival (docs/timing.md 4.2)."""

from __future__ import annotations

from fencepost.timing.parameters import WHOLE

NEVER = -1


class Slots:
    """The works that hold or want slots, oldest first; parts per million of all slots.

    A work's own progress is `rate` of its `want`; `left` is what is still to be served, in parts
    per million times picoseconds.
    """

    def __init__(self, wave: int) -> None:
        self.wave = wave
        self.works: list[int] = []
        self.want: list[int] = []
        self.left: list[int] = []
        self.rate: list[int] = []
        self.last = 0

    def enter(self, work: int, want: int, amount: int) -> None:
        """A work that wants slots."""
        self.works.append(work)
        self.want.append(want)
        self.left.append(amount)
        self.rate.append(0)

    def leave(self, work: int) -> None:
        """Its slots are free again."""
        at = self.works.index(work)
        del self.works[at], self.want[at], self.left[at], self.rate[at]

    def advance(self, now: int) -> list[int]:
        """Serve until now; returns the works that have just been served."""
        span = now - self.last
        self.last = now
        served: list[int] = []
        if span:
            for at in range(len(self.works)):
                left = self.left[at]
                if left > 0 and self.rate[at]:
                    left -= self.rate[at] * span
                    if left <= 0:
                        left = 0
                        served.append(self.works[at])
                    self.left[at] = left
        return served

    def share(self) -> None:
        """Give each what is left by the older ones; no one gets less than a wave."""
        left = WHOLE
        for at in range(len(self.works)):
            want = self.want[at]
            got = min(left, want)
            if got < want and got < self.wave:
                got = 0
            self.rate[at] = got
            left = left - got if got == want else 0

    def next(self) -> int:
        """When the next work has been served; `NEVER` if none is."""
        first = NEVER
        for at in range(len(self.works)):
            rate, left = self.rate[at], self.left[at]
            if left > 0 and rate:
                then = self.last - (-left // rate)
                if first < 0 or then < first:
                    first = then
        return first
