"""How a unit's throughput is divided among the works that want it at a moment.

A rule divides among parts, in the order in which the works came to the unit: of each it is told
the queue and the most that it can take (parts per million), and writes what it gets. It may be
replaced by another one.
"""

from __future__ import annotations

from fencepost.timing.parameters import WHOLE
from fencepost.timing.room import doubled, few

OPEN = -1


class Parts:
    """Who wants a unit: a row of `queues`, `caps` and `rates` each; the sum of rates is `WHOLE`."""

    def __init__(self) -> None:
        self.queues = few()
        self.caps = few()
        self.rates = few()
        self.room = len(self.queues)
        self.count = 0

    def put(self, queue: int, cap: int) -> None:
        """One more; it gets nothing as yet."""
        if self.count == self.room:
            self.grow()
        self.queues[self.count] = queue
        self.caps[self.count] = cap
        self.rates[self.count] = 0
        self.count += 1

    def rate(self, at: int) -> int:
        """What somebody gets."""
        return self.rates[at]

    def grow(self) -> None:
        """Room for more."""
        self.queues = doubled(self.queues)
        self.caps = doubled(self.caps)
        self.rates = doubled(self.rates)
        self.room *= 2


class Rule:
    """Divides a unit."""

    def divide(self, parts: Parts) -> None:
        """Write the rates of all parts."""
        raise NotImplementedError


class OldestFirst(Rule):
    """Whoever came first takes what it can, whichever queue it is of."""

    def divide(self, parts: Parts) -> None:
        """Write the rates of all parts."""
        left = WHOLE
        for at in range(parts.count):
            got = min(parts.caps[at], left)
            parts.rates[at] = got
            left -= got


class MaxMin(Rule):
    """Max-min fair shares, rounded down: of those who want, who wants less than its part gets that.

    `names`, `wanted` and `shares` of each; `wanting` are so many.
    """

    def __init__(self) -> None:
        self.names = few()
        self.wanted = few()
        self.shares = few()
        self.room = len(self.names)
        self.wanting = 0
        self.left = 0

    def want(self, name: int, cap: int) -> None:
        """Somebody new wants that much."""
        if self.wanting == self.room:
            self._grow()
        self.names[self.wanting] = name
        self.wanted[self.wanting] = cap
        self.wanting += 1

    def level(self) -> None:
        """Fill everybody up to one level."""
        for at in range(self.wanting):
            self.shares[at] = OPEN
        self.left = WHOLE
        still_open = self.wanting
        while still_open:
            fair = self.left // still_open
            modest = self._give_modest(fair)
            if not modest:
                self._give_all(fair)
                return
            still_open -= modest

    def _give_modest(self, fair: int) -> int:
        """Who wants no more than that gets it; returns how many they are."""
        modest = 0
        for at in range(self.wanting):
            if self.shares[at] == OPEN and self.wanted[at] <= fair:
                self.shares[at] = self.wanted[at]
                self.left -= self.wanted[at]
                modest += 1
        return modest

    def _give_all(self, share: int) -> None:
        for at in range(self.wanting):
            if self.shares[at] == OPEN:
                self.shares[at] = share

    def _grow(self) -> None:
        self.names = doubled(self.names)
        self.wanted = doubled(self.wanted)
        self.shares = doubled(self.shares)
        self.room *= 2


class FairQueues(MaxMin):
    """Max-min fair between queues; within a queue older works go first.

    A later work of a queue never slows an earlier one down, so that to make it wait can not speed
    the queue up (docs/timing.md 4.3).
    """

    def divide(self, parts: Parts) -> None:
        """Write the rates of all parts."""
        self.wanting = 0
        for at in range(parts.count):
            found = self._of(parts.queues[at])
            if found < 0:
                self.want(parts.queues[at], parts.caps[at])
            else:
                self.wanted[found] = min(WHOLE, self.wanted[found] + parts.caps[at])
        self.level()
        for at in range(parts.count):
            found = self._of(parts.queues[at])
            got = min(parts.caps[at], self.shares[found])
            parts.rates[at] = got
            self.shares[found] -= got

    def _of(self, queue: int) -> int:
        """Where a queue stands among those who want; below 0 if it does not."""
        for at in range(self.wanting):
            if self.names[at] == queue:
                return at
        return -1


class FairWorks(MaxMin):
    """Max-min fair between works, whichever queue they are of."""

    def divide(self, parts: Parts) -> None:
        """Write the rates of all parts."""
        self.wanting = 0
        for at in range(parts.count):
            self.want(at, parts.caps[at])
        self.level()
        for at in range(parts.count):
            parts.rates[at] = self.shares[at]


RULES: dict[str, type[Rule]] = {
    "fair-queues": FairQueues,
    "fair-works": FairWorks,
    "oldest-first": OldestFirst,
}
"""By name; the first is the default."""
