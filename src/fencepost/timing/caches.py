"""What is dirty in each cache, and what a flush of it takes (docs/timing.md 6).

Bytes are dirty from the moment when their work is handed over. On one queue that is program order:
what a flush finds does not depend on how fast the works before it are.
"""

from __future__ import annotations

from fencepost.timing.code import Code, FlushRow
from fencepost.timing.parameters import Parameters
from fencepost.timing.record import Record
from fencepost.timing.refills import Refills
from fencepost.timing.room import zeros

Span = tuple[int, int]


class Caches:
    """Dirty bytes by cache: footprints that were written, and what is left of some.

    `dirty`: 1 for each footprint that is among `whole` of its cache.
    """

    def __init__(
        self, code: Code, record: Record, parameters: Parameters, refills: Refills | None
    ) -> None:
        works = code.works
        self.parameters = parameters
        self.works = works
        self.first_print = works.first_print
        self.print_cache = works.print_cache
        self.print_writes = works.print_writes
        self.print_same = works.print_same
        self.capacity = [parameters[f"capacity {name}"] for name in code.caches]
        self.dirty = zeros(len(works.print_cache))
        self.whole: list[list[int]] = [[] for _ in code.caches]
        self.rests: list[dict[Span, None]] = [{} for _ in code.caches]
        self.trip = parameters.cycles("memory round trip")
        self.operations = record.operations
        self.refills = refills

    def write(self, work: int) -> None:
        """A work has been handed over: what it writes is dirty from now on."""
        for at in range(self.first_print[work], self.first_print[work + 1]):
            if self.print_writes[at] and not self.dirty[self.print_same[at]]:
                self.dirty[self.print_same[at]] = 1
                self.whole[self.print_cache[at]].append(self.print_same[at])

    def take(self, cache: int, start: int, end: int) -> int:
        """Write back what is dirty in [start, end); returns its bytes."""
        spans = self._spans(cache)
        taken = [span for span in spans if span[0] < end and start < span[1]]
        for span in taken:
            del spans[span]
            for rest in ((span[0], start), (end, span[1])):
                if rest[0] < rest[1]:
                    spans[rest] = None
        if taken:
            self._keep(cache, spans)
        found = covered([(max(a, start), min(b, end)) for a, b in taken])
        return min(found, self.capacity[cache])

    def _spans(self, cache: int) -> dict[Span, None]:
        """All dirty spans."""
        works = self.works
        whole = ((works.print_start[at], works.print_end[at]) for at in self.whole[cache])
        return {**dict.fromkeys(whole), **self.rests[cache]}

    def _keep(self, cache: int, spans: dict[Span, None]) -> None:
        """From now on these are dirty."""
        for at in self.whole[cache]:
            self.dirty[at] = 0
        self.whole[cache] = []
        self.rests[cache] = spans

    def flush(self, row: FlushRow) -> list[tuple[int, int, int]]:
        """Carry out a command's operations: cache, span and bytes of each, one after the other.

        The write-confirms come behind the last cache that is written back.
        """
        done = []
        last = max((at for at, writes in enumerate(row.writes_back) if writes), default=-1)
        for at, cache in enumerate(row.caches):
            size = 0
            span = row.spans[at]
            if row.writes_back[at]:
                size = self.take(cache, row.starts[at], row.ends[at])
                span += self.parameters.span("memory rate", size)
            done.append((cache, span + (self.trip if at == last else 0), size))
        return done

    def begin(
        self,
        row: FlushRow,
        planned: list[tuple[int, int, int]],
        start: int,
        queue: int,
        position: int,
    ) -> int:
        """The operations of a command begin, one after the other; returns when the last is over.

        Works whose waves run bring back what is invalidated, unless caches do not get cold.
        """
        if self.refills is not None:
            self.refills.refill(row)
        for cache, span, size in planned:
            self.operations.append((queue, position, cache, start, start + span, size))
            start += span
        return start


def covered(spans: list[Span]) -> int:
    """How many bytes these ranges cover together."""
    total, reached = 0, -1
    for start, end in sorted(spans):
        first = max(start, reached)
        if end > first:
            total += end - first
            reached = end
    return total
