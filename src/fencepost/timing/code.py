"""A lowered program: what the engines execute, as integers (docs/timing.md 2).

An operation is five integers, `code, a, b, c, d`. Commands have been resolved in program order:
contexts, which draws a surface sync names, how many works of each kind come before. What is left
for the run is time.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

from fencepost.coherence.contexts import Contexts
from fencepost.stream.command import Comparison

WIDTH = 5
"""Integers of an operation."""

(
    BUSY,
    STAND,
    PASS,
    PASSED,
    MEET,
    HANDOVER,
    CHAIN,
    SEEN,
    COHERENT,
    ISSUE,
    FORK,
    FLUSH,
    DROP,
    SET,
    WAIT,
    KICK,
    KICKED,
    TAKE,
    GIVE,
) = range(19)
"""Codes of operations:

BUSY span: the engine works. STAND span, reason: it stands for a fixed time. PASS: PFP has passed
the command. PASSED: ME until PFP has. MEET: ME has come to a PFP_SYNC_ME. HANDOVER latency: PFP
until it has. CHAIN chain, count, latency, reason: until `count` entries of that chain are done.
SEEN chain, -, latency, reason: the same for all that ME has handed over by now. COHERENT sync,
latency: the contexts and events of a surface sync on PFP. ISSUE work. FORK fork. FLUSH flush. DROP
flush. SET label, value. WAIT wait, latency. KICK queue, latency. KICKED count. TAKE and GIVE token:
of a partial flush.
"""

(
    VS,
    PS,
    END,
    CS,
    DMA,
    DMA_PFP,
    EVENT,
    EOP_DONE,
    EOP,
    EOS_PS,
    EOS_CS,
    EOS_PS_SENT,
    EOS_CS_SENT,
    ACTION,
    FLIP,
    COPY,
) = range(16)
CHAINS = 16
"""Chains of a queue: monotone positions, as the replay's points (design 2).

Vertex stage, pixel stage, end of pipe (draws and CB/DB events), compute stage, CP DMA by engine,
events in memory, operations of EOPs finished, values written by EOP, PS_DONE, CS_DONE, values on
their way from PS_DONE, CS_DONE, unconfirmed actions of surface syncs, flips over, works of a copy
queue.
"""

CHAIN_OF_GROUP = {
    "vs": VS,
    "ps": PS,
    "cs": CS,
    "cb": END,
    "db": END,
    "so": END,
    "dma": DMA,
    "dma.pfp": DMA_PFP,
    "eop": EOP,
    "eos.ps": EOS_PS,
    "eos.cs": EOS_CS,
    "flip": FLIP,
}
"""Completion groups of the machine, and the chain that says how far they are."""

SENT = {EOS_PS: EOS_PS_SENT, EOS_CS: EOS_CS_SENT}
"""What follows values down the pipe follows them on their way: they arrive in order."""

CHAIN_OF_KIND = {"event": EVENT, "eop": EOP_DONE, "action": ACTION, "fmask": EVENT}
"""Kinds of confirms."""

REASONS = (
    "",
    "partial-flush",
    "fence",
    "idle",
    "contexts",
    "events",
    "cache-operation",
    "context-roll",
    "pfp",
    "me",
    "dma",
    "kickoff",
    "flip",
    "flush-in-flight",
    "label-write",
    "slots",
    "copy",
)
(
    WORKING,
    PARTIAL_FLUSH,
    FENCE,
    IDLE,
    CONTEXTS,
    EVENTS,
    OPERATION,
    ROLL,
    BEHIND_PFP,
    BEHIND_ME,
    DMA_IDLE,
    KICKOFF,
    VISIBLE,
    FLUSH_IN_FLIGHT,
    LABEL_WRITE,
    SLOTS,
    COPYING,
) = range(17)
"""Why an engine stands; 0: it works."""

DRAW, DISPATCH, TRANSFER, COPIED = range(4)
"""Kinds of works here: draws, dispatches, CP DMA, works of a copy queue."""


VERTEX, SHADER, BACK = range(3)
"""Stages of a work that something holds back: units, its own time, the stage before."""

STAGE_OF = {"vs": VERTEX, "shader": SHADER, "end": BACK}
"""As the rows of units name them."""


@dataclass(slots=True)
class WaitRow:
    """A wait on memory."""

    label: int
    comparison: Comparison
    reference: int
    mask: int


@dataclass(slots=True)
class CoherentRow:
    """The stall of a surface sync, where it depends on how far ME has come (PFP)."""

    contexts: Contexts
    bits: tuple[str, ...]
    start: int
    end: int
    whole: bool
    ends: dict[int, int]
    events: dict[str, list[tuple[int, int]]]

    def counts(self, before: int) -> tuple[int, int]:
        """Entries of END and of EVENT to wait for, among the commands below `before`."""
        if self.whole:
            last, after = self.contexts.every(before)
        else:
            last, after = self.contexts.stalled(self.bits, self.start, self.end, before)
        if last < 0:
            return 0, 0
        blocks = {bit.rstrip("0123456789") for bit in self.bits}
        confirmed = (
            count
            for block, rows in self.events.items()
            if block in blocks
            for position, count in rows
            if position < after
        )
        return self.ends[last], max(confirmed, default=0)


@dataclass(slots=True)
class FlushRow:
    """Cache operations of one command, far to near.

    A row of each list: the cache, whether it is written back and invalidated, what that takes
    beside the bytes, and the bytes [start, end) that it is limited to. `unconfirmed`: the engine
    does not wait for them.
    """

    caches: list[int] = field(default_factory=list)
    writes_back: list[bool] = field(default_factory=list)
    invalidates: list[bool] = field(default_factory=list)
    spans: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    unconfirmed: bool = False


@dataclass(slots=True)
class ForkRow:
    """What a command does down the pipe.

    It gets there no sooner than `travel` behind its issue. First `needs` (chain, count), then its
    operations, then `then`, then a value: `label` -1 has none. `line`: which in-order line it
    stands in; `done`: the chain that its finished operations extend, `valued`: the chain that its
    value extends (-1: none). `holds`: draws behind it pass the end of pipe behind its operations,
    because they are on CB or DB.
    """

    queue: int
    position: int
    line: int
    travel: int = 0
    needs: list[tuple[int, int]] = field(default_factory=list)
    flush: FlushRow | None = None
    then: list[tuple[int, int]] = field(default_factory=list)
    label: int = -1
    value: int = 0
    done: int = -1
    valued: int = -1
    holds: bool = False


EOP_LINE, EOS_PS_LINE, EOS_CS_LINE, FLIP_LINE, EVENT_LINE = range(5)
LINES = 4
"""In-order lines of a queue; events stand in the chain of the end of pipe instead."""


def column() -> array[int]:
    """An empty column of integers of 64 bits."""
    return array("q")


def firsts() -> array[int]:
    """Where the rows of each begin; one more for the end."""
    return array("q", [0])


@dataclass(slots=True)
class Works:
    """All works, a row a column; jobs and footprints of work `i` are rows `first[i]:first[i + 1]`.

    Spans in picoseconds, amounts and caps as in `demand.Job`. `print_same`: the first footprint on
    the same bytes of the same cache.
    """

    queue: array[int] = field(default_factory=column)
    position: array[int] = field(default_factory=column)
    kind: array[int] = field(default_factory=column)
    time: array[int] = field(default_factory=column)
    tail: array[int] = field(default_factory=column)
    vertex: array[int] = field(default_factory=column)
    residency: array[int] = field(default_factory=column)
    lines_up: array[int] = field(default_factory=column)
    by_pfp: array[int] = field(default_factory=column)
    in_turn: array[int] = field(default_factory=column)
    first_job: array[int] = field(default_factory=firsts)
    job_unit: array[int] = field(default_factory=column)
    job_cap: array[int] = field(default_factory=column)
    job_body: array[int] = field(default_factory=column)
    job_tail: array[int] = field(default_factory=column)
    first_print: array[int] = field(default_factory=firsts)
    print_cache: array[int] = field(default_factory=column)
    print_start: array[int] = field(default_factory=column)
    print_end: array[int] = field(default_factory=column)
    print_writes: array[int] = field(default_factory=column)
    print_same: array[int] = field(default_factory=column)
    _prints: dict[tuple[int, int, int], int] = field(default_factory=dict)

    def put_print(self, cache: int, start: int, end: int, writes: bool) -> None:
        """One more footprint of the last work."""
        row = len(self.print_cache)
        self.print_cache.append(cache)
        self.print_start.append(start)
        self.print_end.append(end)
        self.print_writes.append(writes)
        self.print_same.append(self._prints.setdefault((cache, start, end), row))


@dataclass(slots=True)
class EngineCode:
    """What one engine executes: operations, and where those of each command start."""

    queue: int
    name: str
    ops: array[int] = field(default_factory=column)
    starts: array[int] = field(default_factory=column)

    def put(self, code: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0) -> None:
        """Append an operation."""
        self.ops.extend((code, a, b, c, d))


@dataclass(slots=True)
class Code:
    """A whole program; `chain_sizes`: entries of each chain, queue by queue."""

    engines: list[EngineCode]
    pfp_of: list[int]
    me_of: list[int]
    works: Works
    forks: list[ForkRow]
    flushes: list[FlushRow]
    waits: list[WaitRow]
    coherent: list[CoherentRow]
    labels: list[str]
    values: list[int]
    units: list[str]
    caches: list[str]
    chain_sizes: list[int] = field(default_factory=list)
