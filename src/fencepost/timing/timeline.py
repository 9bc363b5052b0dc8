"""What a simulation hands on: spans, stalls, works, operations, values, costs, the critical path.

Times are picoseconds from the start of the run. A command is named by the number of its queue and
its position in it (`Program.queues[queue].commands[position]`).
"""

from __future__ import annotations

from dataclasses import dataclass

Spot = tuple[int, int]
"""A command: queue and position."""


@dataclass(frozen=True, slots=True)
class Span:
    """An engine is busy with a command in [start, end).

    `engine`: `pfp`, `me`, `dma`, `vs`, `ps`, `cs`, `back-end`, `memory` (cache operations), `copy`,
    `cpu`, `display`. Spans of `pfp`, `me` and `cpu` never overlap; works on the others may.
    """

    queue: int
    engine: str
    start: int
    end: int
    position: int


@dataclass(frozen=True, slots=True)
class Stall:
    """An engine, or a work that wants wave slots, stands in [start, end).

    `position`: the command that stands; `reason`: one of `REASONS`; `cause`: the command whose end
    it was waiting for, None for a way to memory and back, or time that an operation takes itself.
    `exposed`: picoseconds of it in which no work ran.
    """

    queue: int
    engine: str
    start: int
    end: int
    position: int
    reason: str
    cause: Spot | None
    exposed: int


REASONS: dict[str, str] = {
    "partial-flush": "a partial flush waits for a stage to drain",
    "fence": "a wait on memory, at least its read",
    "idle": "a wait until idle",
    "contexts": "a surface sync waits for draws on its range",
    "events": "pipelined events, or operations of an EOP, must be in memory",
    "cache-operation": "cache operations at the top of pipe take their time",
    "context-roll": "no graphics context is free",
    "pfp": "ME has to wait for PFP",
    "me": "PFP waits for ME",
    "dma": "the CP DMA is not idle",
    "kickoff": "nothing has been kicked off yet",
    "flip": "a back buffer is visible",
    "flush-in-flight": "another partial flush is in flight",
    "label-write": "a value on its way to memory",
    "slots": "a work waits for wave slots, or for the one before it to be launched",
    "copy": "a copy queue waits for its copy",
}
"""Why something stands."""


@dataclass(frozen=True, slots=True)
class WorkTimes:
    """A draw, dispatch, CP DMA or copy.

    `handed` over by its engine, `ready` to launch, first wave `launched`; `vertex` stage drained
    (of draws; else as `launched`); `shader`: last wave retired (PS or CS; a transfer is through);
    `end` of pipe. `alone`: what it takes from launch to its last wave where nothing else runs.
    """

    queue: int
    position: int
    kind: str
    handed: int
    ready: int
    launched: int
    vertex: int
    shader: int
    end: int
    alone: int


@dataclass(frozen=True, slots=True)
class Operation:
    """A cache operation acts in [start, end), write-confirms included.

    `action`: `wb`, `inv`, `wbinv`, or `drop` (a frame: clean lines are gone). `size`: bytes that it
    wrote back.
    """

    queue: int
    position: int
    cache: str
    action: str
    start: int
    end: int
    size: int


@dataclass(frozen=True, slots=True)
class LabelWrite:
    """A label has a new value from `time` on; without a label: a timestamp.

    `sent`: when the value was on its way.
    """

    queue: int
    position: int
    label: str
    value: int
    sent: int
    time: int


@dataclass(frozen=True, slots=True)
class Signal:
    """A value in memory, or a kickoff, that an engine has seen.

    `signal` wrote it, and it was there at `time` (`label` "": kicked off at `time`); `wait` went on
    at `until`.
    """

    label: str
    signal: Spot
    time: int
    wait: Spot
    until: int


@dataclass(frozen=True, slots=True)
class SyncCost:
    """A synchronization command.

    `stalled`: how long its engine stood at it; `exposed`: how long no work ran because of it
    (docs/timing.md 7), its cost that is not hidden under other work.
    """

    queue: int
    position: int
    stalled: int
    exposed: int


@dataclass(frozen=True, slots=True)
class Step:
    """A piece of the critical path: what time passed with in [start, end).

    `what`: an engine or a stage as in `Span`, a reason as in `Stall`, a unit, or a latency
    (`launch`, `signal`, `travel`, `write`).
    """

    queue: int
    position: int
    what: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums of a run, in picoseconds.

    `working`: some work runs. `engines`: busy time by queue and engine. `stalls`: by reason.
    `units`: what the works took of each unit, as time of the whole unit. `exposed`: all of
    `SyncCost.exposed`.
    """

    time: int
    working: int
    engines: dict[tuple[int, str], int]
    stalls: dict[str, int]
    units: dict[str, int]
    exposed: int


@dataclass(frozen=True, slots=True)
class Timeline:
    """The result of a simulation; every list in the order of time, then of queue and position.

    `path`: the critical path from 0 to the end, without a gap.
    """

    machine: str
    queues: tuple[str, ...]
    totals: Totals
    spans: tuple[Span, ...]
    stalls: tuple[Stall, ...]
    works: tuple[WorkTimes, ...]
    operations: tuple[Operation, ...]
    writes: tuple[LabelWrite, ...]
    signals: tuple[Signal, ...]
    costs: tuple[SyncCost, ...]
    path: tuple[Step, ...]
