"""What the engines know when a work starts, for programs that do not show all accesses.

A work whose accesses are not shown may need anything that an engine knows about what came before.
So there a change is harmless only if every engine knows as much with it: each point of its clock
says the same of every earlier work that concerns that point.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable

from fencepost.coherence.checking import Examination
from fencepost.coherence.issue import accesses_of
from fencepost.coherence.layout import Clock
from fencepost.coherence.queues import QueueState
from fencepost.coherence.replay import Replay
from fencepost.stream.command import Access, Command, Work, WorkKind

ANY_DRAW = ""
"""The group of points that are about no group: some draw, whatever its accesses."""

Moment = tuple[int, int, int]
"""Queue and position of a command, and which of its clocks."""

Uses = dict[tuple[int, str], list[int]]
"""The positions, by queue and group, of the commands that concern that group."""

Tell = Callable[[int, int, Iterable[Clock]], None]


class Listening(Replay):
    """A replay that tells with which clocks accesses start."""

    tell: Tell | None = None

    def step(self, state: QueueState, command: Command) -> None:
        """Carry out the command; if it is work, tell what is known before."""
        if self.tell is not None and isinstance(command, Work):
            self.tell(state.number, state.position, state.clocks.values())
        super().step(state, command)

    def perform(self, state: QueueState, access: Access, clock: Clock) -> None:
        """An access of a synchronization command."""
        if self.tell is not None:
            self.tell(state.number, state.position, (clock,))
        super().perform(state, access, clock)


def listening(examination: Examination, tell: Tell | None) -> Listening:
    """A replay of that program, which has not run yet."""
    replay = Listening(
        examination.program,
        examination.machine,
        examination.guarantees,
        examination.fences,
        examination.layout,
        examination.ways,
    )
    replay.tell = tell
    return replay


class Knowledge:
    """What the engines know in one program, to compare others that have the same positions."""

    def __init__(self, examination: Examination) -> None:
        self.program = examination.program
        self.stride = examination.layout.stride
        self.every: Uses = {}
        self.unknown: Uses = {}
        self._groups = _groups_of_points(examination)
        self._clocks: dict[Moment, Clock] = {}
        self._find_uses(examination)
        listening(examination, self._note).run()

    def _find_uses(self, examination: Examination) -> None:
        find = examination.ways.find
        for number, queue in enumerate(self.program.queues):
            for position, command in enumerate(queue.commands):
                engine = getattr(command, "engine", "me")
                hidden = set(getattr(command, "unknown", ()))
                shown = {find(access, engine).group for access in accesses_of(command)}
                if isinstance(command, Work) and command.kind is WorkKind.DRAW:
                    shown.add(ANY_DRAW)
                    hidden |= {ANY_DRAW} if hidden else set()
                for group in shown | hidden:
                    self.every.setdefault((number, group), []).append(position)
                for group in hidden:
                    self.unknown.setdefault((number, group), []).append(position)

    def _note(self, queue: int, position: int, clocks: Iterable[Clock]) -> None:
        for number, clock in enumerate(clocks):
            self._clocks[queue, position, number] = list(clock)

    def is_more(self, queue: int, position: int, clocks: Iterable[Clock]) -> bool:
        """Did some engine know more here than these clocks do?"""
        return any(
            clock != before and self._is_less(clock, before, queue, position)
            for number, clock in enumerate(clocks)
            if (before := self._clocks[queue, position, number])
        )

    def _is_less(self, clock: Clock, before: Clock, queue: int, position: int) -> bool:
        """Does `clock` miss an earlier access that `before` says something of?

        What is shown of both commands is judged by the hazards: one of the two must be unknown.
        """
        command = self.program.queues[queue].commands[position]
        uses = self.every if getattr(command, "unknown", ()) else self.unknown
        return any(
            now < then and self._is_between(uses, point, now, then)
            for point, (now, then) in enumerate(zip(clock, before, strict=True))
        )

    def _is_between(self, uses: Uses, point: int, start: int, end: int) -> bool:
        queue, offset = divmod(point, self.stride)
        positions = uses.get((queue, self._groups.get(offset, ANY_DRAW)), [])
        index = bisect_left(positions, start)
        return index < len(positions) and positions[index] < end


def _groups_of_points(examination: Examination) -> dict[int, str]:
    """For each point of a queue the group of the accesses that it speaks of."""
    layout = examination.layout
    found = {point: group for group, point in layout.done.items()}
    found |= {point: group for (_, group), point in (*layout.wb.items(), *layout.inv.items())}
    found |= {point: group for (_, (group, _)), point in layout.clean.items()}
    return found
