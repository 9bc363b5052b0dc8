"""What the writers of a plan get."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fencepost.coherence.finding import Spot
from fencepost.plan.pieces import Woven
from fencepost.plan.serving import Service
from fencepost.report.plan_stream import BEHIND
from fencepost.stream.command import Command
from fencepost.stream.program import Program


@dataclass(frozen=True, slots=True)
class Simulated:
    """Simulated time in picoseconds, of the program and of the plan that costs least.

    `tried`: so many plans were looked at; `complete`: all those near it (False: there were too
    many).
    """

    time: int
    lightest: int
    tried: int
    complete: bool


@dataclass(frozen=True, slots=True)
class Planned:
    """A program that is right.

    `before`: as it was read; `woven`: with what was inserted; `services`: what that is for.
    `right`: it was right before. `cycles`, `own_cycles`: what the synchronization costs, and what
    it cost as it was read. `unknown`: how many accesses the input does not show. `simulated`: of a
    plan that was chosen by simulation.
    """

    before: Program
    woven: Woven
    services: tuple[Service, ...]
    guarantees: str
    right: bool
    cycles: int
    own_cycles: int
    unknown: int
    simulated: Simulated | None = None

    @property
    def program(self) -> Program:
        """The program with its synchronization."""
        return self.woven.program

    @property
    def inserted(self) -> int:
        """How many commands were inserted."""
        return sum(piece is not None for pieces in self.woven.pieces for piece in pieces)

    def command(self, number: int, position: int) -> Command:
        """A command of the planned program."""
        return self.program.queues[number].commands[position]

    def beside(self, number: int, position: int) -> tuple[str, Spot | None]:
        """Where an inserted command stands: `behind` or `before` one that was there."""
        behind = next(self._kept(number, range(position - 1, -1, -1)), None)
        before = next(self._kept(number, range(position + 1, self._length(number))), None)
        if before is None or (
            behind is not None and isinstance(self.command(number, position), BEHIND)
        ):
            return "behind", behind
        return "before", before

    def _length(self, number: int) -> int:
        return len(self.program.queues[number].commands)

    def _kept(self, number: int, positions: range) -> Iterator[Spot]:
        name = self.program.queues[number].name
        for at in positions:
            if self.woven.pieces[number][at] is None:
                yield Spot(name, at, self.command(number, at))
