"""What the kernel adds around submissions: waits and fences (docs/pm4.md "Submissions")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fencepost.capture.pm4.buffers import Submission, SyncPoint
from fencepost.capture.pm4.events import BACK_END
from fencepost.stream.assembly import Assembly
from fencepost.stream.command import CacheOperation, Command, Comparison, EndOfPipe, WaitMemory
from fencepost.stream.layout import Declaration
from fencepost.stream.resource import Resource, ResourceKind

READ_CACHES = (CacheOperation("tcc", "wbinv"), CacheOperation("tcp", "wbinv"))
FENCE_OPERATIONS = {"graphics": BACK_END + READ_CACHES, "compute": READ_CACHES}
"""Cache operations of the fence that Linux puts behind every submission (LNX cik.c
cik_fence_gfx_ring_emit, cik_fence_compute_ring_emit): CACHE_FLUSH_AND_INV_TS_EVENT with the TCL1
and TC actions."""


@dataclass(slots=True)
class SyncObjects:
    """The synchronization objects that one submission signals and a later one waits for, as labels.

    A binary object (point 0) counts its signals. A wait for a point that no earlier submission of
    the input signals was satisfied from outside: it orders nothing here.
    """

    waits: list[list[tuple[int, int, SyncPoint]]] = field(default_factory=list)
    signals: list[list[tuple[int, int, SyncPoint]]] = field(default_factory=list)
    labels: dict[int, Resource] = field(default_factory=dict)
    carried: tuple[str, ...] = ()
    """The caches that an end of pipe of the machine operates on."""

    @classmethod
    def of(cls, submissions: Sequence[Submission], assembly: Assembly) -> SyncObjects:
        """Find them and declare their labels."""
        objects = cls(carried=assembly.machine.eop_caches)
        reached: Counter[int] = Counter()
        for submission in submissions:
            objects.waits.append(list(_waits(submission, reached)))
            objects.signals.append(list(_signals(submission, reached)))
        for handle in sorted({wait[0] for waits in objects.waits for wait in waits}):
            name = f"syncobj-{handle}"
            objects.labels[handle] = assembly.declare(Declaration(name, ResourceKind.LABEL))
        return objects

    def before(self, number: int, graphics: bool) -> Iterator[Command]:
        """What submission `number` waits for: CP reads nothing of it before."""
        for handle, value, point in self.waits[number]:
            yield WaitMemory(
                name=f"kernel wait {point.handle}@{point.point}",
                place=point.place,
                engine="pfp" if graphics else "me",
                label=self.labels[handle],
                comparison=Comparison.GREATER_EQUAL,
                reference=value,
            )

    def after(self, number: int, submission: Submission) -> Iterator[Command]:
        """The fence behind submission `number`; the first of its end-of-pipe packets flushes."""
        operations = tuple(
            row for row in FENCE_OPERATIONS[submission.ring.kind] if row.cache in self.carried
        )
        for handle, value, point in self.signals[number]:
            if handle in self.labels:
                yield EndOfPipe(
                    name=f"kernel signal {point.handle}@{point.point}",
                    place=point.place,
                    label=self.labels[handle],
                    value=value,
                    operations=operations,
                )
                operations = ()
        if operations:
            yield EndOfPipe(name="kernel fence", place=submission.place, operations=operations)


def _waits(submission: Submission, reached: Counter[int]) -> Iterator[tuple[int, int, SyncPoint]]:
    for point in submission.waits:
        value = point.point or reached[point.handle]
        if 0 < value <= reached[point.handle]:
            yield point.handle, value, point


def _signals(submission: Submission, reached: Counter[int]) -> Iterator[tuple[int, int, SyncPoint]]:
    for point in submission.signals:
        value = point.point or reached[point.handle] + 1
        reached[point.handle] = max(value, reached[point.handle])
        yield point.handle, value, point
