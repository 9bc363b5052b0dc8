"""When each access of a program happens in a run (model 2.4): in pieces, from `first` to `last`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fencepost.coherence.issue import own_access
from fencepost.machine.tables import Machine, WayRow
from fencepost.stream.command import Access, Command, Kickoff, Policy, Work, WorkKind
from fencepost.stream.program import Program, QueueKind
from fencepost.timing.scene import ME, PFP, engine_name
from fencepost.timing.timeline import Operation, Span, Spot, Stall, Timeline, WorkTimes

ENDLESS = 1 << 62
"""Something does not end within the run."""

POSTED = "wc"
"""The group of accesses that only a kickoff completes."""


@dataclass(frozen=True, slots=True)
class Window:
    """An access, its way, and the time in which its pieces happen."""

    spot: Spot
    access: Access
    way: WayRow
    first: int
    last: int

    @property
    def policy(self) -> Policy | None:
        """The L1 policy: the access's own, or that of its way."""
        return self.access.policy or (Policy(self.way.policy) if self.way.policy else None)


class Progress:
    """How far each engine of each queue was, and when: from its spans and stalls."""

    def __init__(self, program: Program, timeline: Timeline) -> None:
        lengths = [len(queue.commands) for queue in program.queues]
        self._passed: dict[tuple[int, str], list[int]] = {}
        rows: tuple[Span | Stall, ...] = (*timeline.spans, *timeline.stalls)
        for row in rows:
            if row.engine in (PFP, ME, "cpu", "copy"):
                key = (row.queue, row.engine)
                times = self._passed.setdefault(key, [0] * lengths[row.queue])
                times[row.position] = max(times[row.position], row.end)
        for times in self._passed.values():
            for position in range(1, len(times)):
                times[position] = max(times[position], times[position - 1])

    def passed(self, queue: int, engine: str, position: int) -> int:
        """When that engine left the command behind."""
        times = self._passed.get((queue, engine))
        return times[position] if times and position >= 0 else 0

    def reached(self, queue: int, engine: str, position: int) -> int:
        """When it came to the command; ME comes to it behind PFP."""
        came = self.passed(queue, engine, position - 1)
        return max(came, self.passed(queue, PFP, position)) if engine == ME else came


def windows(program: Program, machine: Machine, timeline: Timeline) -> list[Window]:
    """The windows of all accesses that are shown, by queue and position."""
    return list(_Windows(program, machine, timeline).all())


class _Windows:
    def __init__(self, program: Program, machine: Machine, timeline: Timeline) -> None:
        self.program = program
        self.machine = machine
        self.progress = Progress(program, timeline)
        self.works: dict[Spot, WorkTimes] = {(w.queue, w.position): w for w in timeline.works}
        self.stamps = {(w.queue, w.position): w.time for w in timeline.writes if not w.label}
        self.flips = {
            (s.queue, s.position): (s.start, s.end) for s in timeline.spans if s.engine == "display"
        }
        self.pipelined = _pipelined(program, timeline)

    def all(self) -> Iterator[Window]:
        for number, queue in enumerate(self.program.queues):
            for position, command in enumerate(queue.commands):
                spot = (number, position)
                if isinstance(command, Work):
                    for access in command.accesses:
                        yield self._work(spot, command, access)
                elif (own := own_access(command)) is not None:
                    yield self._own(spot, own)

    def _own(self, spot: Spot, access: Access) -> Window:
        """A timestamp, a scan-out."""
        first, last = self.flips.get(spot, (0, 0))
        if spot in self.stamps:
            first = last = self.stamps[spot]
        return Window(spot, access, self._way(access), first, last)

    def _way(self, access: Access) -> WayRow:
        way = self.machine.way(access.block, access.use, access.part)
        if way is None:  # legality has refused it
            raise KeyError((access.block, access.use, access.part))
        return way

    def _work(self, spot: Spot, work: Work, access: Access) -> Window:
        way = self._way(access)
        first, last = self._span(spot, work, access, way)
        return Window(spot, access, way, first, last)

    def _span(self, spot: Spot, work: Work, access: Access, way: WayRow) -> tuple[int, int]:
        queue, position = spot
        times = self.works.get(spot)
        if way.engine == PFP:
            graphics = self.program.queues[queue].kind is QueueKind.GRAPHICS
            engine = PFP if graphics else ME
            reached = self.progress.reached(queue, engine, position)
            if way.group == PFP or times is None:
                return reached, self.progress.passed(queue, engine, position)
            return reached, times.vertex
        if times is None:  # an engine itself makes the access
            return self._by_engine(spot, way)
        if work.kind in (WorkKind.DMA, WorkKind.COPY):
            return times.launched, times.end
        group = way.group or access.block.rstrip("0123456789")
        last = {"vs": times.vertex, "ps": times.shader, "cs": times.shader}.get(group, times.end)
        behind = self.pipelined.get((queue, group), [])
        acted = max((end for at, end in behind if at < position), default=0)
        return max(times.launched, acted), last

    def _by_engine(self, spot: Spot, way: WayRow) -> tuple[int, int]:
        queue, position = spot
        engine = engine_name(self.program.queues[queue].kind)
        first = self.progress.reached(queue, engine, position)
        if way.group != POSTED:
            return first, self.progress.passed(queue, engine, position)
        commands = self.program.queues[queue].commands
        later = range(position + 1, len(commands))
        sent = next((at for at in later if isinstance(commands[at], Kickoff)), -1)
        return first, self.progress.passed(queue, engine, sent) if sent >= 0 else ENDLESS


def _pipelined(program: Program, timeline: Timeline) -> dict[tuple[int, str], list[Spot]]:
    """For each queue and block: position and end of the operations that its accesses follow."""
    found: dict[tuple[int, str], list[tuple[int, int]]] = {}
    for row in timeline.operations:
        if row.cache[:3] in ("cb.", "db.") and is_pipelined(program, row):
            found.setdefault((row.queue, row.cache[:2]), []).append((row.position, row.end))
    return found


def is_pipelined(program: Program, row: Operation) -> bool:
    """Whether an operation acts at the end of pipe, in order with its block's accesses."""
    command: Command = program.queues[row.queue].commands[row.position]
    return type(command).__name__ in ("PipelinedEvent", "EndOfPipe")
