"""Families of programs of two queues: what one does, what the other does, and how they meet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product

from fencepost.stream.program import Program, Queue, QueueKind
from verify.alphabet import NAMED, Item, read

Items = tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One queue: its kind, and for each place in it what may stand there."""

    name: str
    kind: QueueKind
    places: tuple[Items, ...]

    def sequences(self) -> Iterator[Items]:
        """Every choice; a place may stay empty if nothing stands first in it."""
        for chosen in product(*self.places):
            yield tuple(item for item in chosen if item is not NOTHING)


@dataclass(frozen=True, slots=True)
class QueueFamily:
    """Two queues; what the first one does is the head."""

    name: str
    sides: tuple[Side, Side]

    def heads(self) -> Iterator[Items]:
        """What the first queue does."""
        return self.sides[0].sequences()

    def programs(
        self, head: Items, machine: str, stride: int = 1, start: int = 0
    ) -> Iterator[Program]:
        """Every `stride`-th program with that first queue."""
        first, second = self.sides
        for other in islice(second.sequences(), start, None, stride):
            queues = (queue_of(first, head), queue_of(second, other))
            yield Program(machine, NAMED, queues)


def queue_of(side: Side, items: Items) -> Queue:
    """A queue of these commands."""
    return Queue(side.name, side.kind, tuple(item.command for item in items))


NOTHING = read("flush ps")[0]
"""Stands for an empty place."""


def maybe(items: Items) -> Items:
    """A place that may stay empty."""
    return (NOTHING, *items)


GRAPHICS, COMPUTE, COPY, CPU = QueueKind

DRAWS = read(
    """
draw ps.texture buf
draw ps.uav-write buf
draw cb0.write color
draw cb0.blend color
draw db.write depth
dispatch cs.uav-write buf
dispatch cs.constant buf
draw pfp.args buf
copy as dma dma.write buf
"""
)
DISPATCHES = read(
    """
dispatch cs.texture buf
dispatch cs.uav-write buf
dispatch cs.atomic buf
dispatch cs.constant buf
dispatch cs.uav-write buf[0:32]
dispatch pfp.args buf
copy as dma sync dma.write buf
""",
    kind="compute",
)
AFTER = read(
    """
event cb.pixels.wbinv
event db.pixels.wbinv
flush ps
flush cs
dma wait me
eop with tcc.wbinv tcp.wbinv
sync me tcc.wbinv tcp.wbinv coherent cb0 color
"""
)
SIGNALS = read(
    """
eop label = 1
eop label = 1 with tcc.wbinv tcp.wbinv
eop label = 1 with tcc.wbinv
eos ps label = 1
eos cs label = 1
set me label = 1
"""
)
COMPUTE_SIGNALS = read(
    """
eop label = 1
eop label = 1 with tcc.wbinv tcp.wbinv
eop label = 1 with tcp.wbinv
eos cs label = 1
set me label = 1
""",
    kind="compute",
)
WAITS = read("wait me label == 1\nwait pfp label == 1")
COMPUTE_WAITS = read("wait me label == 1", kind="compute")
BEFORE = read(
    """
sync me tcc.wbinv tcp.wbinv
sync me tcp.wbinv
sync me k.inv
event cb.pixels.wbinv
pfp-sync-me
"""
)
COMPUTE_BEFORE = read(
    "sync me tcc.wbinv tcp.wbinv\nsync me tcp.wbinv\nsync me k.inv\nsync me tcc.wbinv k.inv",
    kind="compute",
)
VALUES = read(
    """
wait me label == 1
wait me label >= 1
wait pfp label == 2
"""
)
SETS = read("set me label = 1\neop label = 2\nset pfp label = 1")
COMPUTE_VALUES = read("wait me label == 1\nwait me label != 0\nwait me label == 2", kind="compute")
COMPUTE_SETS = read("set me label = 2\neop label = 1\neos cs label = 1", kind="compute")
COPIES = read("copy as copy copy.read buf\ncopy as copy copy.write buf", kind="copy")
COPY_WAIT = read("wait label == 1", kind="copy")
COPY_SET = read("set label = 1", kind="copy")
CPU_WORKS = read("read buf\nwrite buf\nwrite-combined buf", kind="cpu")
MARK = read("kickoff")
KICKOFF = read("kickoff gfx", kind="cpu")

QUEUE_FAMILIES: tuple[QueueFamily, ...] = (
    QueueFamily(
        "graphics to compute",
        (
            Side("gfx", GRAPHICS, (DRAWS, maybe(AFTER), maybe(SIGNALS))),
            Side("async", COMPUTE, (maybe(COMPUTE_WAITS), maybe(COMPUTE_BEFORE), DISPATCHES)),
        ),
    ),
    QueueFamily(
        "compute to graphics",
        (
            Side("async", COMPUTE, (DISPATCHES, maybe(COMPUTE_SIGNALS))),
            Side("gfx", GRAPHICS, (maybe(WAITS), maybe(BEFORE), maybe(BEFORE), DRAWS)),
        ),
    ),
    QueueFamily(
        "old lines on the other queue",
        (
            Side("async", COMPUTE, (DISPATCHES[:4], COMPUTE_SIGNALS)),
            Side(
                "gfx",
                GRAPHICS,
                (
                    read("draw ps.texture buf\ndispatch cs.constant buf\ndraw cb0.blend color"),
                    maybe(read("event cb.pixels.wb\nflush ps\nwait idle")),
                    WAITS,
                    maybe(BEFORE),
                    maybe(BEFORE),
                    DRAWS,
                ),
            ),
        ),
    ),
    QueueFamily(
        "CPU to graphics",
        (
            Side("cpu", CPU, (CPU_WORKS, KICKOFF, maybe(CPU_WORKS), maybe(KICKOFF))),
            Side("gfx", GRAPHICS, (MARK, DRAWS, maybe(MARK), maybe(BEFORE), maybe(BEFORE), DRAWS)),
        ),
    ),
    QueueFamily(
        "graphics to CPU",
        (
            Side("gfx", GRAPHICS, (DRAWS, maybe(AFTER), maybe(AFTER), maybe(SIGNALS))),
            Side("cpu", CPU, (maybe(read("wait label == 1", kind="cpu")), CPU_WORKS)),
        ),
    ),
    QueueFamily(
        "values both ways",
        (
            Side("gfx", GRAPHICS, (maybe(VALUES), DRAWS[1:2], maybe(SETS), maybe(VALUES))),
            Side(
                "async",
                COMPUTE,
                (
                    maybe(COMPUTE_SETS),
                    maybe(COMPUTE_VALUES),
                    DISPATCHES[:2],
                    maybe(COMPUTE_SETS),
                    maybe(COMPUTE_VALUES),
                ),
            ),
        ),
    ),
    QueueFamily(
        "CPU to compute",
        (
            Side("cpu", CPU, (CPU_WORKS, KICKOFF, maybe(CPU_WORKS), maybe(KICKOFF))),
            Side(
                "gfx",
                COMPUTE,
                (
                    read("kickoff", kind="compute"),
                    DISPATCHES,
                    maybe(read("kickoff", kind="compute")),
                    maybe(COMPUTE_BEFORE),
                    DISPATCHES,
                ),
            ),
        ),
    ),
    QueueFamily(
        "copy queue to graphics",
        (
            Side("sdma", COPY, (COPIES, maybe(COPIES), maybe(COPY_SET))),
            Side("gfx", GRAPHICS, (DRAWS, maybe(WAITS), maybe(BEFORE), DRAWS)),
        ),
    ),
    QueueFamily(
        "graphics to copy queue",
        (
            Side("gfx", GRAPHICS, (DRAWS, maybe(AFTER), maybe(AFTER), maybe(SIGNALS))),
            Side("sdma", COPY, (maybe(COPY_WAIT), COPIES, maybe(COPIES))),
        ),
    ),
)
