"""Labels: which writes could satisfy a wait, and what such a wait guarantees (model 6)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from operator import eq, ge, gt, le, lt, ne

from fencepost.coherence.layout import Clock
from fencepost.stream.command import Comparison

STARTING = -1
"""The number of a label's starting value among the sources of a wait."""


def satisfies(value: int, comparison: Comparison, reference: int, mask: int) -> bool:
    """`(value & mask) comparison (reference & mask)`, unsigned [hardware.md 1.3 WAIT_REG_MEM]."""
    return _HOLDS[comparison](value & mask, reference & mask)


_HOLDS: dict[Comparison, Callable[[int, int], bool]] = {
    Comparison.ALWAYS: lambda _left, _right: True,
    Comparison.LESS: lt,
    Comparison.LESS_EQUAL: le,
    Comparison.EQUAL: eq,
    Comparison.NOT_EQUAL: ne,
    Comparison.GREATER_EQUAL: ge,
    Comparison.GREATER: gt,
}


@dataclass(slots=True)
class LabelWrite:
    """One write of a label.

    `point`: the clock point (absolute) that says it has been written; `clock`: what it guarantees.
    """

    queue: int
    position: int
    value: int
    point: int
    by_pfp: bool = False
    clock: Clock | None = None


@dataclass(slots=True)
class Wait:
    """One wait.

    `passed`: the clock point of its engine; `before`: that engine's clock when it starts to wait.
    """

    queue: int
    position: int
    label: str
    comparison: Comparison
    reference: int
    mask: int
    passed: int
    on_me: bool = False
    sources: list[tuple[int, int]] = field(default_factory=list)
    before: Clock | None = None

    def takes(self, value: int) -> bool:
        """Does this value end the wait?"""
        return satisfies(value, self.comparison, self.reference, self.mask)


@dataclass(slots=True)
class Label:
    """A label's starting value and its writes: for each (queue, point) a list in queue order.

    Writes of one list happen in order (EOPs in order, an engine's own stores in order).
    """

    start: int
    writes: dict[tuple[int, int], list[LabelWrite]] = field(default_factory=dict)

    def lists(self) -> Iterator[list[LabelWrite]]:
        """The in-order lists."""
        return iter(self.writes.values())


@dataclass(slots=True)
class Fences:
    """Everything that a program does with labels."""

    labels: dict[str, Label] = field(default_factory=dict)
    writes: dict[tuple[int, int], LabelWrite] = field(default_factory=dict)
    waits: dict[tuple[int, int], Wait] = field(default_factory=dict)

    def add_write(self, label: str, write: LabelWrite) -> None:
        """Register a write, in queue order."""
        self.writes[write.queue, write.position] = write
        lists = self.labels[label].writes
        lists.setdefault((write.queue, write.point), []).append(write)

    def resolve(self) -> bool:
        """Find the sources of every wait from what is known so far; True if any changed."""
        changed = False
        for wait in self.waits.values():
            sources = list(self._sources(wait))
            changed |= sources != wait.sources
            wait.sources = sources
        return changed

    def _sources(self, wait: Wait) -> Iterator[tuple[int, int]]:
        """The writes that could satisfy a wait.

        Of each in-order list the first is enough, it guarantees least.
        """
        label = self.labels[wait.label]
        if wait.takes(label.start) and not self._starting_value_gone(label, wait):
            yield STARTING, STARTING
        for writes in label.lists():
            for write in writes[self._first_alive(label, writes, wait) :]:
                if self._comes_after(write, wait):
                    break
                if wait.takes(write.value):
                    yield write.queue, write.position
                    break

    @staticmethod
    def _comes_after(write: LabelWrite, wait: Wait) -> bool:
        """Is the write known to come after the wait? A wait on ME does not hold PFP's stores."""
        behind = write.queue == wait.queue and write.position > wait.position
        if behind and not (write.by_pfp and wait.on_me):
            return True
        return write.clock is not None and write.clock[wait.passed] > wait.position

    @staticmethod
    def _known(write: LabelWrite, clock: Clock | None) -> bool:
        return clock is not None and clock[write.point] > write.position

    def _starting_value_gone(self, label: Label, wait: Wait) -> bool:
        return any(self._known(writes[0], wait.before) for writes in label.lists())

    def _first_alive(self, label: Label, writes: list[LabelWrite], wait: Wait) -> int:
        """How many of these writes are known to be overwritten before the wait."""
        if wait.before is None:
            return 0
        point = writes[0].point
        dead = max(bisect_left(writes, wait.before[point], key=lambda w: w.position) - 1, 0)
        for others in label.lists():
            if others is writes:
                continue
            known = bisect_left(others, wait.before[others[0].point], key=lambda w: w.position)
            over = others[known - 1].clock if known else None
            if over is not None:
                dead = max(dead, bisect_left(writes, over[point], key=lambda w: w.position))
        return dead

    def may_hang(self, wait: Wait) -> LabelWrite | None:
        """A write that may replace the value that the wait needs before it is seen.

        None if there is none.
        """
        label = self.labels[wait.label]
        good = [self.writes[source] for source in wait.sources if source[0] != STARTING]
        for writes in label.lists():
            spoiler = self._last_spoiler(writes, wait)
            if spoiler is None:
                continue
            seen = any(self._known(spoiler, write.clock) or spoiler is write for write in good)
            if not seen and not self._is_mended(spoiler, label, wait):
                return spoiler
        return None

    def _is_mended(self, spoiler: LabelWrite, label: Label, wait: Wait) -> bool:
        """Is a later write, one that ends the wait and may come before it, known to replace it?"""
        return any(
            self._known(spoiler, write.clock)
            for writes in label.lists()
            for write in writes
            if wait.takes(write.value) and not self._comes_after(write, wait)
        )

    def _last_spoiler(self, writes: list[LabelWrite], wait: Wait) -> LabelWrite | None:
        """The last write of a list that may come before the wait ends, if it does not end it."""
        low, high = 0, len(writes)
        while low < high:
            middle = (low + high) // 2
            if self._comes_after(writes[middle], wait):
                high = middle
            else:
                low = middle + 1
        if low == 0 or wait.takes(writes[low - 1].value):
            return None
        return writes[low - 1]
