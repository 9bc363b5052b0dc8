"""The critical path: from the end of the run back to its start (docs/timing.md 8)."""

from __future__ import annotations

from bisect import bisect_left

from fencepost.timing.code import (
    ACTION,
    CHAINS,
    COPIED,
    COPY,
    CS,
    DMA,
    DMA_PFP,
    DRAW,
    END,
    EOP_DONE,
    EOS_CS_SENT,
    EOS_PS_SENT,
    EVENT,
    EVENT_LINE,
    FLIP,
    OPERATION,
    PS,
    REASONS,
    TRANSFER,
    VS,
    WORKING,
)
from fencepost.timing.pipe import Pipe
from fencepost.timing.record import BY_CHAIN, BY_ENGINE, BY_KICK, BY_VALUE, LOG, NEVER, Record
from fencepost.timing.timeline import Step

Node = tuple[str, int, int]
"""Where the path is: a kind, and two numbers that name the thing."""

SIGNAL, TRAVEL, WRITE, LAUNCH = "signal", "travel", "write", "launch"


class CriticalPath:
    """Walks back; every method returns the node before, after it has noted a step."""

    def __init__(self, record: Record, pipe: Pipe) -> None:
        self.record = record
        self.code = record.code
        self.pipe = pipe
        self.steps: list[Step] = []
        self.time = record.last
        self.ends = [log[1::LOG] for log in record.log]
        self._back = {
            "engine": self._engine,
            "chain": self._chain,
            "work": self._work,
            "launch": self._launch,
            "release": self._release,
            "value": self._value,
            "sent": self._sent,
            "operated": self._operated,
            "began": self._began,
        }

    def find(self) -> tuple[Step, ...]:
        """The path, from 0 to the end of the run."""
        node: Node | None = self._last()
        seen: set[tuple[int, Node]] = set()
        while node is not None and self.time > 0 and (self.time, node) not in seen:
            seen.add((self.time, node))
            kind, first, second = node
            node = self._back[kind](first, second)
        return tuple(reversed(self.steps))

    def _step(self, start: int, queue: int, position: int, what: str) -> None:
        if start < self.time:
            self.steps.append(Step(queue, position, what, start, self.time))
            self.time = start

    def _last(self) -> Node | None:
        """What ends last."""
        record = self.record
        for engine, ends in enumerate(self.ends):
            if ends and ends[-1] == self.time:
                return "engine", engine, self.time
        for at, done in enumerate(record.done):
            if done and record.time(at, done - 1) == self.time and at % CHAINS != FLIP:
                return "chain", at, done - 1
        return None

    # -- engines

    def _engine(self, engine: int, time: int) -> Node | None:
        """What the engine did up to that time."""
        ends = self.ends[engine]
        at = bisect_left(ends, time)
        if at == len(ends):
            return None
        log = self.record.log[engine][at * LOG : at * LOG + LOG]
        start, _, position, reason, cause, first, second = log
        queue = self.code.engines[engine].queue
        before = self._before(cause, first, second)
        if reason == WORKING or before is None or before[1] <= start:
            what = self.code.engines[engine].name if reason == WORKING else REASONS[reason]
            self._step(start, queue, position, what)
            return "engine", engine, start
        node, then = before
        self._step(then, queue, position, SIGNAL if cause == BY_CHAIN else REASONS[reason])
        return node

    def _before(self, cause: int, first: int, second: int) -> tuple[Node, int] | None:
        """What ended a stall, and when."""
        if cause == BY_CHAIN:
            return ("chain", first, second), self.record.time(first, second)
        if cause == BY_VALUE:
            return ("value", first, NEVER), self.record.written[first][2]
        if cause == BY_ENGINE:
            return ("engine", first, second), second
        if cause == BY_KICK:
            _, kicker, _, sent = self.record.kickoffs[first]
            return ("engine", kicker, sent), sent
        return None

    # -- chains

    def _chain(self, at: int, number: int) -> Node | None:
        chain, entry = at % CHAINS, self.record.entry(at, number)
        if chain in {VS, PS, END, CS} and entry >= 0:
            return self._in_order(at, number, entry, chain)
        if chain == ACTION:
            _, _, engine, began = self.record.actions[entry]
            return self._acted(engine, began)
        if chain in {DMA, DMA_PFP, COPY}:
            return "work", entry, END
        if chain == END and self.record.operated[~entry] < self.time:
            return "chain", at, number - 1
        return self._piped(chain, ~entry)

    def _piped(self, chain: int, fork: int) -> Node:
        if chain in {END, EVENT, EOP_DONE}:
            return "operated", fork, NEVER
        if chain in {FLIP, EOS_PS_SENT, EOS_CS_SENT}:
            return "sent", fork, NEVER
        return self._written(fork)

    def _in_order(self, at: int, number: int, work: int, chain: int) -> Node | None:
        """A stage is done when it is ready and the one before it is done."""
        ready = {VS: self.record.vertex_ready, END: self.record.end_ready}
        if ready.get(chain, self.record.shader_ready)[work] < self.time and number:
            return "chain", at, number - 1
        return "work", work, chain

    def _acted(self, engine: int, began: int) -> Node | None:
        code = self.code.engines[engine]
        self._step(began, code.queue, self._position(engine, began), REASONS[OPERATION])
        return "engine", engine, began

    def _position(self, engine: int, time: int) -> int:
        at = min(bisect_left(self.ends[engine], time), len(self.ends[engine]) - 1)
        return self.record.log[engine][at * LOG + 2]

    def _written(self, fork: int) -> Node:
        row = self.code.forks[fork]
        self._step(self.record.sent[fork], row.queue, row.position, WRITE)
        return "sent", fork, NEVER

    # -- works

    def _work(self, work: int, chain: int) -> Node | None:
        """What held a stage of a work: the stage before it, or its time since its launch."""
        record, works = self.record, self.code.works
        queue, position, kind = works.queue[work], works.position[work], works.kind[work]
        if kind in {TRANSFER, COPIED}:
            self._step(record.launched[work], queue, position, ["dma", "copy"][kind == COPIED])
            return "launch", work, NEVER
        if chain == END and kind == DRAW and record.ended_by[work] == NEVER:
            self._step(record.shader_done[work], queue, position, "back-end")
            return self._stage(work, PS)
        if chain == PS and record.shader_ready[work] == record.vertex_done[work]:
            return self._stage(work, VS)
        by = {VS: NEVER, END: record.ended_by[work]}.get(chain, record.shaded_by[work])
        stage = {VS: "vs", PS: "ps", CS: "cs"}.get(chain, "back-end")
        self._step(
            record.launched[work], queue, position, self.code.units[by] if by >= 0 else stage
        )
        return "launch", work, NEVER

    def _stage(self, work: int, chain: int) -> Node:
        at = self.code.works.queue[work] * CHAINS + chain
        return "chain", at, self.record.rank[work]

    def _launch(self, work: int, _second: int) -> Node | None:
        """What let its first wave run: its engine, or another work that made room."""
        record, works = self.record, self.code.works
        by = record.launched_by[work]
        queue, position = works.queue[work], works.position[work]
        if by >= 0 and self.time > record.ready[work]:
            if record.released[by] == self.time:
                return "release", by, NEVER
            if record.launched[by] == self.time:
                return "launch", by, NEVER
            if record.end_done[by] == self.time:
                return "work", by, END
        self._step(record.handed[work], queue, position, LAUNCH)
        engines = self.code.pfp_of if works.by_pfp[work] else self.code.me_of
        return "engine", engines[queue], record.handed[work]

    def _release(self, work: int, _second: int) -> Node:
        """It ran until it had no more waves to launch."""
        works = self.code.works
        stage = {DRAW: "ps", TRANSFER: "dma"}.get(works.kind[work], "cs")
        self._step(self.record.launched[work], works.queue[work], works.position[work], stage)
        return "launch", work, NEVER

    # -- what goes down the pipe

    def _value(self, write: int, _second: int) -> Node | None:
        *_, fork = self.record.written[write]
        if fork >= 0:
            return self._written(fork)
        return "engine", ~fork, self.time

    def _sent(self, fork: int, _second: int) -> Node | None:
        """A value is sent behind its operations, what it has to wait for, and the one before."""
        row, record = self.code.forks[fork], self.record
        self._step(record.sent[fork], row.queue, row.position, "flip")
        if record.operated[fork] == self.time:
            return "operated", fork, NEVER
        for chain, count in row.then:
            at = row.queue * CHAINS + chain
            if record.time(at, count - 1) == self.time:
                return "chain", at, count - 1
        return "sent", self.pipe.before_in_line(fork), NEVER

    def _operated(self, fork: int, _second: int) -> Node:
        row = self.code.forks[fork]
        self._step(self.record.operated_from[fork], row.queue, row.position, REASONS[OPERATION])
        return "began", fork, NEVER

    def _began(self, fork: int, _second: int) -> Node | None:
        """It began when it was there, and what it needs was done."""
        row, record = self.code.forks[fork], self.record
        if record.arrived[fork] == self.time:
            self._step(record.issued[fork], row.queue, row.position, TRAVEL)
            return "engine", self.code.me_of[row.queue], record.issued[fork]
        for chain, count in row.needs:
            at = row.queue * CHAINS + chain
            if record.time(at, count - 1) == self.time:
                return "chain", at, count - 1
        if row.line == EVENT_LINE:
            return "chain", row.queue * CHAINS + END, record.fork_end_rank[fork] - 1
        return "sent", self.pipe.before_in_line(fork), NEVER
