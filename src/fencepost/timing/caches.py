"""What is dirty in each cache, and what a flush of it takes (docs/timing.md 6).

Bytes are dirty from the moment when their work is handed over. On one queue that is program order:
what a flush finds does not depend on how fast the works before it are.
"""

from __future__ import annotations

from fencepost.timing.code import Code, FlushRow
from fencepost.timing.parameters import Parameters

Span = tuple[int, int]


class Caches:
    """Dirty bytes by cache, as ranges."""

    def __init__(self, code: Code, parameters: Parameters) -> None:
        self.parameters = parameters
        self.works = code.works
        self.capacity = [parameters[f"capacity {name}"] for name in code.caches]
        self.dirty: list[dict[Span, None]] = [{} for _ in code.caches]
        self.trip = parameters.cycles("memory round trip")

    def write(self, work: int) -> None:
        """A work has been handed over: what it writes is dirty from now on."""
        works = self.works
        for at in range(works.first_print[work], works.first_print[work + 1]):
            if works.print_writes[at]:
                span = (works.print_start[at], works.print_end[at])
                self.dirty[works.print_cache[at]][span] = None

    def take(self, cache: int, start: int, end: int) -> int:
        """Write back what is dirty in [start, end); returns its bytes."""
        dirty = self.dirty[cache]
        taken = [span for span in dirty if span[0] < end and start < span[1]]
        for span in taken:
            del dirty[span]
            for rest in ((span[0], start), (end, span[1])):
                if rest[0] < rest[1]:
                    dirty[rest] = None
        found = covered([(max(a, start), min(b, end)) for a, b in taken])
        return min(found, self.capacity[cache])

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


def covered(spans: list[Span]) -> int:
    """How many bytes these ranges cover together."""
    total, reached = 0, -1
    for start, end in sorted(spans):
        first = max(start, reached)
        if end > first:
            total += end - first
            reached = end
    return total
