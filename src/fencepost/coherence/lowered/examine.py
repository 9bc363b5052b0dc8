"""Is a program clean? Answered by walks over integers; the replay is asked where it is not."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from fencepost.coherence.fences import STARTING, Fences
from fencepost.coherence.finding import Counts
from fencepost.coherence.issue import ranged_operations, used_ways
from fencepost.coherence.labelling import find_fences
from fencepost.coherence.layout import make_layout
from fencepost.coherence.lowered.codes import CLEAN, HAZARD, UNDECIDED
from fencepost.coherence.lowered.columns import Columns
from fencepost.coherence.lowered.operations import Operations
from fencepost.coherence.lowered.shapes import Shapes, Unsupported
from fencepost.coherence.lowered.tables import (
    ByteTables,
    ShapeTables,
    SurfaceTables,
    WayTables,
    narrow,
)
from fencepost.coherence.lowered.walk import Fates, Stream, Walk
from fencepost.coherence.ways import Ways
from fencepost.machine.tables import Machine
from fencepost.stream.command import Command, Work, WorkKind
from fencepost.stream.program import Program, Queue

MOST_PASSES = 16
"""As `checking.MOST_PASSES`: passes over the waits alone."""


class Lowered:
    """A program as columns, to be examined at either level of guarantees.

    Raises `Unsupported` where the integers have no place for it.
    """

    def __init__(self, program: Program, machine: Machine) -> None:
        if not program.queues:
            raise Unsupported
        self.program = program
        self.machine = machine
        self.shapes = Shapes(machine, program.queues)
        self.columns = Columns(self.shapes)
        try:
            for queue in program.queues:
                self.columns.queue(queue.commands)
        except OverflowError:
            raise Unsupported from None
        self.columns.finish()
        sample = _sample(program, self.shapes)
        self.layout = make_layout(
            machine, used_ways(sample, machine), ranged_operations(sample, machine)
        )
        self.ways = Ways(machine, self.layout)
        self.way_tables = WayTables(self.columns, self.ways, self.layout)
        self.bytes = ByteTables(self.columns, machine.line)
        self.surfaces = SurfaceTables(self.columns, used=self.shapes.ranged_stall)
        self.stream = self._stream()

    def counts(self) -> Counts:
        """How much there is."""
        commands, works = self.columns.queue_firsts[-1], self.columns.works
        return Counts(
            queues=len(self.program.queues),
            commands=commands,
            works=works,
            accesses=self.columns.work_accesses,
            synchronizations=commands - works,
        )

    def _stream(self) -> Stream:
        columns = self.columns
        return Stream(
            narrow(columns.queue_firsts),
            columns.shapes.done(),
            columns.firsts.done(),
            columns.retired.done(),
            columns.access_shapes.done(),
            columns.access_spans.done(),
        )


def _sample(program: Program, shapes: Shapes) -> Program:
    """A small program that uses all that the program uses."""
    accesses = tuple(access for access, _ in shapes.accesses)
    every = Work(kind=WorkKind.DRAW, verb="draw", accesses=accesses)
    commands: list[Command] = [command for _, command in shapes.commands]
    queue = Queue("", program.queues[0].kind, [*commands, every])
    return Program(program.machine, program.resources, (queue,))


def examine(program: Program, machine: Machine, guarantees: str) -> tuple[Lowered, bool] | None:
    """A program that is clean and whose cache operations all find something to do; else None.

    With it, whether its verdict leans on what only `documented` gives: it is not clean without.
    None says only that the replay has to be asked.
    """
    try:
        lowered = Lowered(program, machine)
        found = Examined(lowered, guarantees, repeats=True)
    except Unsupported:
        return None
    if found.status != CLEAN:
        return None
    return lowered, found.leaned and Examined(lowered, "strict").status != CLEAN


class Examined:
    """What walks at one level say of a program.

    `status` is CLEAN, HAZARD (the first access that is not right is of the command at `position` of
    `queue`; -1: a wait that may hang) or UNDECIDED. `leaned`: on what only `documented` gives.
    """

    def __init__(self, lowered: Lowered, guarantees: str, *, repeats: bool = False) -> None:
        self.lowered = lowered
        self.layout = lowered.layout
        self.size = len(lowered.program.queues) * lowered.layout.stride
        out = Operations(lowered.machine, lowered.layout, lowered.program.queues, guarantees)
        self.table = ShapeTables(lowered.columns, out, lowered.surfaces)
        self.fences = Fences()
        if lowered.columns.labelled:
            self.fences = find_fences(lowered.program, lowered.machine, lowered.layout)
        self.queue = self.position = -1
        self.leaned = False
        self.status = self._resolve_waits()
        if self.status == CLEAN:
            self.status = self._walk(accesses=True, repeats=repeats)
        if self.status == CLEAN and any(self._hanging()):
            self.status = HAZARD

    def _resolve_waits(self) -> int:
        """Which writes can satisfy each wait, as `checking.Examination` finds it."""
        if not self.fences.waits:
            return CLEAN
        self.fences.resolve()
        for _ in range(MOST_PASSES):
            if self._walk(accesses=False, repeats=False) == UNDECIDED:
                return UNDECIDED
            if not self.fences.resolve():
                return CLEAN
        return CLEAN

    def _hanging(self) -> Iterator[bool]:
        for wait in self.fences.waits.values():
            if wait.sources:
                yield self.fences.may_hang(wait) is not None

    def _walk(self, *, accesses: bool, repeats: bool) -> int:
        lowered = self.lowered
        fates = self._fates()
        walk = Walk(
            lowered.stream,
            lowered.way_tables,
            self.table,
            lowered.surfaces,
            lowered.bytes,
            fates,
            lowered.layout.stride,
        )
        status = walk.run(accesses, repeats)
        self.queue, self.position, self.leaned = walk.hit_queue, walk.hit_position, walk.leaned
        if status == CLEAN:
            self._take_clocks(fates)
        return status

    def _fates(self) -> Fates:
        writes, waits = self.fences.writes, self.fences.waits
        firsts = self.lowered.columns.queue_firsts
        numbers = array("i", [-1]) * firsts[-1]
        known = {key: number for number, key in enumerate(writes)}
        for number, (queue, position) in enumerate((*writes, *waits)):
            numbers[firsts[queue] + position] = number
        first, sources = [0], []
        for wait in waits.values():
            sources += [
                -1 if source == (STARTING, STARTING) else known[source] for source in wait.sources
            ]
            first.append(len(sources))
        return Fates(
            numbers,
            narrow(write.point for write in writes.values()),
            narrow(write.queue for write in writes.values()),
            narrow(write.position for write in writes.values()),
            narrow(first),
            narrow(sources),
            self.size,
        )

    def _take_clocks(self, fates: Fates) -> None:
        """What the walk has found out about waits."""
        size = self.size
        for number, write in enumerate(self.fences.writes.values()):
            write.clock = fates.write_clocks[number * size : (number + 1) * size].tolist()
        for number, wait in enumerate(self.fences.waits.values()):
            wait.before = fates.wait_clocks[number * size : (number + 1) * size].tolist()
