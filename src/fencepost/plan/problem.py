"""A program to be planned: its commands in an order that works, and what each of them needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from fencepost.coherence.checking import Examination
from fencepost.coherence.fences import STARTING, satisfies
from fencepost.coherence.issue import ranged_operations, sync_span, used_ways
from fencepost.coherence.layout import Layout, make_layout
from fencepost.coherence.queues import QueueState
from fencepost.coherence.replay import Replay
from fencepost.coherence.ways import Ways
from fencepost.machine.tables import Machine
from fencepost.plan.costs import CostTable
from fencepost.plan.effects import Effects
from fencepost.plan.needs import Need, Place, find_needs
from fencepost.plan.packets import Packets
from fencepost.plan.points import Points
from fencepost.plan.tracks import Track, track
from fencepost.stream.command import (
    Command,
    Comparison,
    EndOfPipe,
    EndOfShader,
    PipelinedEvent,
    SetLabel,
    SurfaceSync,
    WaitMemory,
)
from fencepost.stream.program import Program
from fencepost.stream.resource import Resource

MOST_RANGES = 8
"""Depth targets by whose range a surface sync may be limited; with more of them none is."""


@dataclass(slots=True)
class Stop:
    """A command, and the gap before it.

    `command` is None at the end of a queue, and where other queues go on before this one does.

    `sources`: the program's own values that a wait may have seen (None: nothing can be taken for
    granted); `told`: the one whose works its costs count from. `stuck`: nothing ends this wait.
    """

    queue: int
    position: int
    command: Command | None
    needs: tuple[Need, ...] = ()
    sources: tuple[Place, ...] | None = ()
    told: Place | None = None
    stuck: bool = False


class Problem:
    """A program on a machine. `careful`: lines that come along with others are taken to be old."""

    def __init__(
        self, program: Program, machine: Machine, guarantees: str, careful: bool = False
    ) -> None:
        self.program, self.machine, self.guarantees = program, machine, guarantees
        self.documented = guarantees != "strict"
        self.table = CostTable(machine)
        self.packets = Packets(self.table, machine, self.documented)
        self.tracks: list[Track] = [track(queue) for queue in program.queues]
        self.layout = self._layout()
        ways = Ways(machine, self.layout)
        examination = Examination(program, machine, guarantees)
        recorder = _recorded(examination)
        self.stuck = {(one.queue, one.position) for one in recorder.outcome.stuck if not one.others}
        needs = find_needs(
            program,
            machine,
            ways,
            self.layout,
            recorder.order,
            careful=careful,
            events=guarantees == "documented" and _has_events(program),
        )
        every = [need for found in needs.values() for need in found]
        self.points = Points(self.layout, machine, len(program.queues), every)
        self.effects = Effects(machine, self.documented, self.points, self.tracks)
        self.stops = [
            self._stop(place, examination, needs.get(place, ()))
            for place in _stops(recorder.order, program)
        ]
        self.readable = readable_values(program, recorder.order)

    def _layout(self) -> Layout:
        ranges = ranged_operations(self.program, self.machine)
        return make_layout(
            self.machine, used_ways(self.program, self.machine), ranges + self._depth_ranges()
        )

    def _depth_ranges(self) -> list[tuple[str, tuple[int, int]]]:
        spans = {
            sync_span(self.machine, SurfaceSync(engine="me", start=start, end=end))
            for found in self.tracks
            for block, start, end in found.surfaces
            if block == "db"
        }
        ranged = {row.cache for row in self.machine.operations if row.ranged}
        caches = [row.name for row in self.machine.caches if row.operated_as in ranged]
        if len(spans) > MOST_RANGES:
            return []
        return [(cache, span) for cache in caches for span in sorted(spans)]

    def _stop(self, place: Place, examination: Examination, needs: tuple[Need, ...]) -> Stop:
        queue, position = place
        commands = self.program.queues[queue].commands
        if position < 0 or position >= len(commands):
            return Stop(queue, position if position >= 0 else -position - 1, None)
        command = commands[position]
        found = Stop(queue, position, command, tuple(self.points.need(need) for need in needs))
        wait = examination.fences.waits.get(place)
        if wait is not None:
            sources = tuple(wait.sources)
            known = sources and (STARTING, STARTING) not in sources
            found.sources = sources if known else None
            found.stuck = place in self.stuck
            found.told = self._told(queue, position, command)
        return found

    def _told(self, queue: int, position: int, command: Command) -> Place | None:
        """The value of the same queue that `costs.Walk` takes a wait to have seen."""
        found = None
        if not isinstance(command, WaitMemory):
            return None
        commands = self.program.queues[queue].commands
        for at in range(position - 1, -1, -1):
            other = commands[at]
            if isinstance(other, EndOfPipe | EndOfShader) and other.label is not None:
                if other.label.name != command.label.name:
                    continue
                if not satisfies(other.value, command.comparison, command.reference, command.mask):
                    break
                found = (queue, at)
        return found


def _has_events(program: Program) -> bool:
    """Has it operations of its own on CB or DB that act in their block's order?"""
    return any(
        isinstance(command, EndOfPipe | PipelinedEvent) and bool(command.operations)
        for queue in program.queues
        for command in queue.commands
    )


def readable_values(program: Program, order: Iterable[Place]) -> dict[Place, WaitMemory]:
    """The program's own values that a wait can be sure of, each with that wait.

    Either the values of a label rise from its starting value on, or it is the last one and new.
    """
    writes: dict[str, list[tuple[Place, Resource, int]]] = {}
    for queue, position in order:
        command = program.queues[queue].commands[position]
        label = getattr(command, "label", None)
        if isinstance(command, EndOfPipe | EndOfShader | SetLabel) and label is not None:
            writes.setdefault(label.name, []).append(((queue, position), label, command.value))
    found = {}
    for rows in writes.values():
        values = [rows[0][1].value, *[value for _, _, value in rows]]
        rising = all(low < high for low, high in pairwise(values))
        compare = Comparison.GREATER_EQUAL if rising else Comparison.EQUAL
        for place, label, value in rows if rising else rows[-1:]:
            if rising or values.count(value) == 1:
                found[place] = WaitMemory(
                    engine="me", label=label, comparison=compare, reference=value
                )
    return found


def satisfying(wait: WaitMemory) -> int | None:
    """The first value near its reference that satisfies a wait; None if none does."""
    near = (wait.reference & wait.mask, wait.reference + 1, wait.reference - 1)
    for value in near:
        if value >= 0 and satisfies(value, wait.comparison, wait.reference, wait.mask):
            return value
    return None


class _Recorder(Replay):
    """Writes down in which order the commands are carried out."""

    order: list[Place]

    def step(self, state: QueueState, command: Command) -> None:
        self.order.append((state.number, state.position))
        super().step(state, command)


def _recorded(examination: Examination) -> _Recorder:
    recorder = _Recorder(
        examination.program,
        examination.machine,
        examination.guarantees,
        examination.fences,
        examination.layout,
        examination.ways,
        accesses=False,
    )
    recorder.order = []
    recorder.run()
    return recorder


def _stops(order: list[Place], program: Program) -> Iterator[Place]:
    """The order with a stop at the end of each queue, and where it has to wait for another one.

    The latter have negative positions: `-1 - position`.
    """
    lengths = [len(queue.commands) for queue in program.queues]
    for number, length in enumerate(lengths):
        if not length:
            yield number, 0
    for at, (queue, position) in enumerate(order):
        yield queue, position
        following = order[at + 1][0] if at + 1 < len(order) else -1
        if position + 1 == lengths[queue]:
            yield queue, position + 1
        elif following != queue:
            yield queue, -2 - position
