"""What the synchronization of a program costs by the machine's table (machine/costs.py).

An additive table, with one regard for what stands around a command: the pipeline runs empty behind the work that a wait waits for,
and every work that was started since hides a part of that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from fencepost.machine.tables import Machine
from fencepost.stream.command import (
    Command,
    EndOfPipe,
    EndOfShader,
    PartialFlush,
    SurfaceSync,
    WaitIdle,
    WaitMemory,
    Work,
    WorkKind,
)
from fencepost.stream.program import Program, Queue

DRAW, DISPATCH = "draw", "dispatch"
STAGES = {"vs": (DRAW,), "ps": (DRAW,), "cs": (DISPATCH,)}
BOTH = (DRAW, DISPATCH)


class CostTable:
    """The machine's costs by name, in cycles."""

    def __init__(self, machine: Machine) -> None:
        self._cycles = {row.name: row.value for row in machine.costs}
        self.drain = self._cycles.get("drain", 0)
        self.overlap = self._cycles.get("overlap", 0)

    def command(self, command: Command) -> int:
        """A command alone, without what it waits for."""
        name = type(command).__name__
        if getattr(command, "engine", "me") == "pfp":
            name += " pfp"
        cycles = self._cycles.get(name, 0)
        for operation in getattr(command, "operations", ()):
            cycles += self._cycles.get(f"operation {operation.cache}", 0)
        if isinstance(command, SurfaceSync):
            cycles += len(command.coherency) * self._cycles.get("coherency", 0)
        return cycles

    def stall(self, works_since: int) -> int:
        """A wait behind whose work so many others have been started."""
        return max(0, self.drain - self.overlap * works_since)


@dataclass(slots=True)
class _Walk:
    """How far a queue has been walked: number of works, the last one of each kind, and how far each kind is known to be drained."""

    works: int = 0
    last: dict[str, int] = field(default_factory=dict)
    drained: dict[str, int] = field(default_factory=dict)
    signals: dict[tuple[str, int], dict[str, int]] = field(default_factory=dict)

    def waits_for(self, command: Command) -> dict[str, int]:
        """For each kind of work the number of the last one that the command waits for."""
        if isinstance(command, WaitMemory):
            return self.signals.get((command.label.name, command.reference), {})
        kinds: Iterable[str] = ()
        if isinstance(command, PartialFlush):
            kinds = STAGES[command.stage]
        elif isinstance(command, WaitIdle):
            kinds = BOTH
        elif isinstance(command, SurfaceSync) and command.coherency:
            kinds = (DRAW,)
        return {kind: self.last[kind] for kind in kinds if kind in self.last}

    def signal(self, command: EndOfPipe | EndOfShader) -> None:
        """What a value in memory says."""
        if command.label is not None:
            kinds = STAGES[command.stage] if isinstance(command, EndOfShader) else BOTH
            seen = {kind: self.last[kind] for kind in kinds if kind in self.last}
            self.signals[command.label.name, command.value] = seen


def cost(program: Program, machine: Machine) -> int:
    """Cycles of all synchronization of a program."""
    table = CostTable(machine)
    return sum(_queue_cost(queue, table) for queue in program.queues)


def _queue_cost(queue: Queue, table: CostTable) -> int:
    walk, cycles = _Walk(), 0
    for command in queue.commands:
        if isinstance(command, Work):
            if command.kind in (WorkKind.DRAW, WorkKind.DISPATCH):
                walk.works += 1
                walk.last[str(command.kind)] = walk.works
            continue
        if isinstance(command, EndOfPipe | EndOfShader):
            walk.signal(command)
        cycles += table.command(command) + _stall(command, walk, table)
    return cycles


def _stall(command: Command, walk: _Walk, table: CostTable) -> int:
    """The longest stall behind a work that is not known to be drained already."""
    waited = walk.waits_for(command)
    stalls = [
        table.stall(walk.works - last)
        for kind, last in waited.items()
        if last > walk.drained.get(kind, 0)
    ]
    for kind, last in waited.items():
        walk.drained[kind] = max(last, walk.drained.get(kind, 0))
    return max(stalls, default=0)
