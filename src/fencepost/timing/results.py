"""Turns what a run has noted into a timeline."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator

from fencepost.stream.command import CacheOperation, Frame, WaitMemory, Work
from fencepost.stream.program import Program
from fencepost.timing.code import (
    ACTION,
    CHAINS,
    COPIED,
    DISPATCH,
    DRAW,
    EOP,
    FENCE,
    FLIP,
    REASONS,
    TRANSFER,
    WORKING,
)
from fencepost.timing.critical import CriticalPath
from fencepost.timing.exposure import Blame, Idle, gaps, merged, running
from fencepost.timing.parameters import WHOLE
from fencepost.timing.record import BY_CHAIN, BY_ENGINE, BY_KICK, BY_VALUE, LOG, Record
from fencepost.timing.run import Run
from fencepost.timing.timeline import (
    LabelWrite,
    Operation,
    Signal,
    Span,
    Spot,
    Stall,
    Step,
    SyncCost,
    Timeline,
    Totals,
    WorkTimes,
)

KINDS = {DRAW: "draw", DISPATCH: "dispatch", TRANSFER: "dma", COPIED: "copy"}
LogEntry = tuple[int, int, int, int, int, int, int]


class Results:
    """The records of one run."""

    def __init__(self, program: Program, run: Run) -> None:
        self.program = program
        self.run = run
        self.record: Record = run.record
        self.code = run.code
        self.working = running(self.record)
        self.bubbles = gaps(self.working, self.record.last)
        self.idle = Idle(self.bubbles)
        self.label_writes = self._label_writes()

    def timeline(self) -> Timeline:
        """Everything."""
        spans = sorted(self._spans(), key=lambda s: (s.start, s.queue, s.position, s.engine))
        stalls = sorted(self._stalls(), key=lambda s: (s.start, s.queue, s.position, s.engine))
        works = sorted(self._works(), key=lambda w: (w.launched, w.queue, w.position))
        costs = list(self._costs(stalls))
        return Timeline(
            machine=self.run.parameters.machine.name,
            queues=tuple(queue.name for queue in self.program.queues),
            totals=self._totals(spans, stalls, costs),
            spans=tuple(spans),
            stalls=tuple(stalls),
            works=tuple(works),
            operations=tuple(self._operations()),
            writes=tuple(sorted(self._writes(), key=lambda w: w.time)),
            signals=tuple(sorted(self._signals(), key=lambda s: (s.until, s.wait, s.signal))),
            costs=tuple(costs),
            path=self._path(),
        )

    # -- engines

    def _entries(self) -> Iterator[tuple[int, LogEntry]]:
        for engine, log in enumerate(self.record.log):
            for at in range(0, len(log), LOG):
                a, b, c, d, e, f, g = log[at : at + LOG]
                yield engine, (a, b, c, d, e, f, g)

    def _spans(self) -> Iterator[Span]:
        for engine, (start, end, position, reason, *_) in self._entries():
            if reason == WORKING:
                own = self.code.engines[engine]
                yield Span(own.queue, own.name, start, end, position)
        yield from self._work_spans()
        for operation in self._operations():
            if operation.end > operation.start:
                queue, position = operation.queue, operation.position
                yield Span(queue, "memory", operation.start, operation.end, position)
        yield from self._flips()

    def _flips(self) -> Iterator[Span]:
        record = self.record
        for chain in range(FLIP, len(record.done), CHAINS):
            for number in range(record.done[chain]):
                fork = ~record.entry(chain, number)
                row, start = self.code.forks[fork], record.arrived_value[fork]
                yield Span(row.queue, "display", start, record.time(chain, number), row.position)

    def _work_spans(self) -> Iterator[Span]:
        record, works = self.record, self.code.works
        for work, kind in enumerate(works.kind):
            queue, position, start = works.queue[work], works.position[work], record.launched[work]
            stages = [(KINDS[kind], start, record.end_done[work])]
            if kind == DRAW:
                stages = [
                    ("vs", start, record.vertex_done[work]),
                    ("ps", start, record.shader_done[work]),
                    ("back-end", record.shader_done[work], record.end_done[work]),
                ]
            elif kind == DISPATCH:
                stages = [("cs", start, record.end_done[work])]
            for name, first, last in stages:
                if last > first:
                    yield Span(queue, name, first, last, position)

    def _stalls(self) -> Iterator[Stall]:
        pending: Stall | None = None
        for engine, (start, end, position, reason, cause, first, second) in self._entries():
            if reason == WORKING:
                continue
            own = self.code.engines[engine]
            spot = self._cause(cause, first, second)
            exposed = self.idle.within(start, end)
            stall = Stall(own.queue, own.name, start, end, position, REASONS[reason], spot, exposed)
            if pending is not None and _continues(pending, stall):
                stall = _joined(pending, stall)
            elif pending is not None:
                yield pending
            pending = stall
        if pending is not None:
            yield pending
        yield from self._slot_stalls()

    def _slot_stalls(self) -> Iterator[Stall]:
        """Works that were there before they could launch."""
        record, works = self.record, self.code.works
        for work, kind in enumerate(works.kind):
            start, end, by = record.ready[work], record.launched[work], record.launched_by[work]
            if end > start and kind in {DRAW, DISPATCH}:
                spot = (works.queue[by], works.position[by]) if by >= 0 else None
                name = "vs" if kind == DRAW else "cs"
                exposed = self.idle.within(start, end)
                queue, position = works.queue[work], works.position[work]
                yield Stall(queue, name, start, end, position, "slots", spot, exposed)

    def _cause(self, cause: int, first: int, second: int) -> Spot | None:
        """The command behind what ended a stall."""
        if cause == BY_CHAIN:
            return self._entry(first, self.record.entry(first, second))
        if cause == BY_VALUE:
            _, _, _, queue, position, _ = self.record.written[first]
            return queue, position
        if cause == BY_KICK:
            _, kicker, position, _ = self.record.kickoffs[first]
            return self.code.engines[kicker].queue, position
        if cause == BY_ENGINE:
            log, queue = self.record.log[first], self.code.engines[first].queue
            at = self._at(log, second)
            return (queue, log[at + 2]) if at >= 0 else None
        return None

    @staticmethod
    def _at(log: array[int], time: int) -> int:
        """The entry of a log that ends at that time or is under way then; -1: none."""
        low, high = 0, len(log) // LOG
        while low < high:
            middle = (low + high) // 2
            if log[middle * LOG + 1] < time:
                low = middle + 1
            else:
                high = middle
        return low * LOG if low * LOG < len(log) else len(log) - LOG

    def _entry(self, at: int, entry: int) -> Spot:
        works = self.code.works
        if at % CHAINS == ACTION:
            queue, position, *_ = self.record.actions[entry]
            return queue, position
        if entry < 0:
            return self.code.forks[~entry].queue, self.code.forks[~entry].position
        return works.queue[entry], works.position[entry]

    # -- works, caches, labels

    def _works(self) -> Iterator[WorkTimes]:
        record, works = self.record, self.code.works
        for work, kind in enumerate(works.kind):
            vertex = record.vertex_done[work] if kind == DRAW else record.launched[work]
            yield WorkTimes(
                works.queue[work],
                works.position[work],
                KINDS[kind],
                record.handed[work],
                record.ready[work],
                record.launched[work],
                vertex,
                record.shader_done[work],
                record.end_done[work],
                works.time[work],
            )

    def _operations(self) -> Iterator[Operation]:
        for queue, position, cache, start, end, size in sorted(
            self.record.operations, key=lambda row: (row[3], row[0], row[1])
        ):
            name = self.code.caches[cache]
            action = self._action(queue, position, name)
            yield Operation(queue, position, name, action, start, end, size)

    def _action(self, queue: int, position: int, cache: str) -> str:
        """What a command does to a cache; a frame and a kickoff do it unasked."""
        command = self.program.queues[queue].commands[position]
        if isinstance(command, Frame):
            return "drop"
        operations: tuple[CacheOperation, ...] = getattr(command, "operations", ())
        return next((row.action for row in operations if row.cache == cache), "wbinv")

    def _writes(self) -> Iterator[LabelWrite]:
        for label, value, time, queue, position, fork in self.record.written:
            sent = self.record.sent[fork] if fork >= 0 else time
            yield LabelWrite(queue, position, self.code.labels[label], value, sent, time)
        for fork, row in enumerate(self.code.forks):
            if row.valued == EOP and row.label < 0:
                time = self.record.arrived_value[fork]
                sent = self.record.sent[fork]
                yield LabelWrite(row.queue, row.position, "", time, sent, time)

    def _signals(self) -> Iterator[Signal]:
        """What ended each wait on memory, or for a kickoff; starting values are nobody's."""
        for engine, (start, end, position, reason, cause, first, _) in self._entries():
            wait = (self.code.engines[engine].queue, position)
            if cause == BY_KICK:
                _, kicker, kickoff, sent = self.record.kickoffs[first]
                yield Signal("", (self.code.engines[kicker].queue, kickoff), sent, wait, end)
            elif reason == FENCE:
                write = first if cause == BY_VALUE else self._written(wait, start)
                if write >= 0:
                    label, _, time, queue, writer, _ = self.record.written[write]
                    yield Signal(self.code.labels[label], (queue, writer), time, wait, end)

    def _written(self, wait: Spot, time: int) -> int:
        """The last write of the label that a command waits for, until then; -1: none."""
        command = self.program.queues[wait[0]].commands[wait[1]]
        if not isinstance(command, WaitMemory):
            return -1
        times, numbers = self.label_writes[self.code.labels.index(command.label.name)]
        at = bisect_right(times, time)
        return numbers[at - 1] if at else -1

    def _label_writes(self) -> list[tuple[list[int], list[int]]]:
        """For each label when it was written, and the numbers of the writes."""
        found: list[tuple[list[int], list[int]]] = [([], []) for _ in self.code.labels]
        for number, (label, _, time, *_) in enumerate(self.record.written):
            found[label][0].append(time)
            found[label][1].append(number)
        return found

    def _path(self) -> tuple[Step, ...]:
        return CriticalPath(self.record, self.run.pipe).find()

    # -- sums

    def _costs(self, stalls: list[Stall]) -> Iterator[SyncCost]:
        synchronizes = [
            [not isinstance(command, Work) for command in queue.commands]
            for queue in self.program.queues
        ]
        blame = Blame(self.record, synchronizes)
        blame.divide(self.bubbles)
        stood: dict[Spot, int] = {}
        for stall in stalls:
            if stall.reason not in {"pfp", "slots"}:
                spot = (stall.queue, stall.position)
                stood[spot] = stood.get(spot, 0) + stall.end - stall.start
        for queue, row in enumerate(synchronizes):
            for position, synchronization in enumerate(row):
                if synchronization:
                    spot = (queue, position)
                    yield SyncCost(queue, position, stood.get(spot, 0), blame.exposed.get(spot, 0))

    def _totals(self, spans: list[Span], stalls: list[Stall], costs: list[SyncCost]) -> Totals:
        works: dict[tuple[int, str], list[tuple[int, int]]] = {}
        for span in spans:
            works.setdefault((span.queue, span.engine), []).append((span.start, span.end))
        engines = {key: _length(merged(found)) for key, found in sorted(works.items())}
        reasons: dict[str, int] = {}
        for stall in stalls:
            reasons[stall.reason] = reasons.get(stall.reason, 0) + stall.end - stall.start
        return Totals(
            time=self.record.last,
            working=_length(self.working),
            engines=engines,
            stalls=dict(sorted(reasons.items())),
            units=self._units(),
            exposed=sum(cost.exposed for cost in costs),
        )

    def _units(self) -> dict[str, int]:
        works = self.code.works
        sums = [0] * len(self.code.units)
        for at, unit in enumerate(works.job_unit):
            sums[unit] += works.job_body[at] + works.job_tail[at]
        return {name: sums[at] // WHOLE for at, name in enumerate(self.code.units)}


def _continues(stall: Stall, other: Stall) -> bool:
    """Does an engine stand on, at the same command and for the same reason?"""
    return (stall.queue, stall.engine, stall.position, stall.reason, stall.end) == (
        other.queue,
        other.engine,
        other.position,
        other.reason,
        other.start,
    )


def _joined(stall: Stall, other: Stall) -> Stall:
    return Stall(
        stall.queue,
        stall.engine,
        stall.start,
        other.end,
        stall.position,
        stall.reason,
        other.cause or stall.cause,
        stall.exposed + other.exposed,
    )


def _length(intervals: list[tuple[int, int]]) -> int:
    return sum(end - start for start, end in intervals)
