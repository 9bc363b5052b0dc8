"""What is not hidden: times in which no work runs, and which command is why (docs/timing.md 7)."""

from __future__ import annotations

from bisect import bisect_left

from fencepost.timing.code import BEHIND_PFP, WORKING, Code
from fencepost.timing.record import LOG, Record

Interval = tuple[int, int]
Spot = tuple[int, int]


def merged(intervals: list[Interval]) -> list[Interval]:
    """The union, as disjoint intervals in order."""
    found: list[Interval] = []
    for start, end in sorted(intervals):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def running(record: Record) -> list[Interval]:
    """When each work has waves, or a unit of its back end, at work; the union, in order.

    Waiting for the one before it to retire is no work, nor is the fixed time of the back end.
    """
    found = []
    for work, start in enumerate(record.launched):
        end = record.shader_ready[work]
        if end < 0 or record.ended_by[work] >= 0:
            end = record.end_done[work] if end < 0 else record.end_ready[work]
        found.append((start, end))
    return merged(found)


def gaps(intervals: list[Interval], end: int) -> list[Interval]:
    """What is left of [0, end) between disjoint intervals in order."""
    found, reached = [], 0
    for first, last in intervals:
        if first > reached:
            found.append((reached, min(first, end)))
        reached = max(reached, last)
    if reached < end:
        found.append((reached, end))
    return found


class Idle:
    """The times in which no work runs; asks how much of an interval lies in them."""

    def __init__(self, idle: list[Interval]) -> None:
        self.starts = [start for start, _ in idle]
        self.ends = [end for _, end in idle]
        self.before = [0]
        for start, end in idle:
            self.before.append(self.before[-1] + end - start)

    def until(self, time: int) -> int:
        """Idle time before that moment."""
        at = bisect_left(self.ends, time)
        inside = max(0, time - self.starts[at]) if at < len(self.starts) else 0
        return self.before[at] + inside

    def within(self, start: int, end: int) -> int:
        """Idle time in [start, end)."""
        return self.until(end) - self.until(start)


class Blame:
    """Divides idle times among the synchronization commands that are why.

    An idle time ends with the launch of a work. What its engine did meanwhile, up to handing that
    work over, belongs to the commands that it did it for; the rest to the last synchronization
    between that work and the one before it, if there is any.
    """

    def __init__(self, record: Record, synchronizes: list[list[bool]]) -> None:
        self.record = record
        self.code: Code = record.code
        self.synchronizes = synchronizes
        self.exposed: dict[Spot, int] = {}
        self.starts = [log[0::LOG] for log in record.log]

    def divide(self, idle: list[Interval]) -> None:
        """Divide all idle times."""
        first: dict[int, int] = {}
        for work, launched in enumerate(self.record.launched):
            first.setdefault(launched, work)
        for start, end in idle:
            if end in first:
                self._before_a_work(first[end], start, end)
            else:
                self._at_the_end(start, end)

    def _before_a_work(self, work: int, start: int, end: int) -> None:
        works = self.code.works
        queue, position = works.queue[work], works.position[work]
        engines = self.code.pfp_of if works.by_pfp[work] else self.code.me_of
        rest = end - start - self._pieces(engines[queue], start, self.record.handed[work])
        if start and position and self.synchronizes[queue][position - 1]:
            self._add((queue, position - 1), rest)

    def _at_the_end(self, start: int, end: int) -> None:
        """No work follows: the engine that came last is why."""
        last = [log[-LOG + 1] if log else 0 for log in self.record.log]
        self._pieces(last.index(max(last)), start, end)

    def _add(self, spot: Spot, span: int) -> None:
        self.exposed[spot] = self.exposed.get(spot, 0) + span

    def _pieces(self, engine: int, start: int, end: int) -> int:
        """Note what an engine did for synchronization in [start, end); returns its sum.

        Where ME stands behind PFP, what PFP stood for counts; its packets it would take anyway.
        """
        log, queue = self.record.log[engine], self.code.engines[engine].queue
        at = max(0, bisect_left(self.starts[engine], start + 1) - 1) * LOG
        total = 0
        while at < len(log) and log[at] < end:
            first, until = max(log[at], start), min(log[at + 1], end)
            if first < until and log[at + 3] == BEHIND_PFP:
                total += self._pieces(log[at + 5], first, until)
            elif first < until and self._counts(engine, log[at + 2], log[at + 3]):
                self._add((queue, log[at + 2]), until - first)
                total += until - first
            at += LOG
        return total

    def _counts(self, engine: int, position: int, reason: int) -> bool:
        queue = self.code.engines[engine].queue
        packet_of_pfp = engine == self.code.pfp_of[queue] and reason == WORKING
        return self.synchronizes[queue][position] and not packet_of_pfp
