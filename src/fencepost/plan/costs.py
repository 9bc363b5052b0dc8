"""What the synchronization of a program costs by the machine's table (machine/costs.py).

An additive table, with one regard for what stands around a command: the pipeline runs empty behind
the work that a wait waits for. Every work that was started since, and every cycle that the engine
has stood since, hides a part of that.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fencepost.coherence.fences import satisfies
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
from fencepost.stream.resource import WHOLE_END

DRAW, DISPATCH = "draw", "dispatch"
STAGES = {"vs": (DRAW,), "ps": (DRAW,), "cs": (DISPATCH,)}
BOTH = (DRAW, DISPATCH)
Starts = dict[str, int]
"""For each kind of work when the last one of it was started."""


class CostTable:
    """The machine's costs by name, in cycles."""

    def __init__(self, machine: Machine) -> None:
        self._cycles = {row.name: row.value for row in machine.costs}
        self.drain = self._cycles.get("drain", 0)
        self.overlap = self._cycles.get("overlap", 0)

    def cycles(self, name: str) -> int:
        """The cost of that name; 0 if the table has none."""
        return self._cycles.get(name, 0)

    def command(self, command: Command) -> int:
        """A command alone, without what it waits for."""
        name = type(command).__name__
        if getattr(command, "engine", "me") == "pfp":
            name += " pfp"
        cycles = self.cycles(name)
        for operation in getattr(command, "operations", ()):
            cycles += self.cycles(f"operation {operation.cache}")
        if isinstance(command, SurfaceSync) and command.coherency:
            cycles += len(command.coherency) * self.cycles("coherency")
            if command.start == 0 and command.end >= WHOLE_END:
                cycles += self.cycles("whole range")
        return cycles

    def stall(self, age: int) -> int:
        """A wait for work of that age: what is left of the time that the pipeline runs empty."""
        return max(0, self.drain - age)


@dataclass(slots=True)
class Signal:
    """A value that a queue writes.

    When the works whose end it tells were started, and how many ends of pipe with operations it
    comes behind.
    """

    value: int
    starts: Starts
    operations: int


@dataclass(slots=True)
class Walk:
    """How far a queue has been walked. `now` rises with each work, and while the engine stands.

    `operations`: how many ends of pipe had cache operations, `confirmed`: how many of them are
    known to be in memory, `operated`: when the works before the last one were started.
    """

    table: CostTable
    now: int = 0
    starts: Starts = field(default_factory=dict)
    operated: Starts = field(default_factory=dict)
    operations: int = 0
    confirmed: int = 0
    signals: dict[str, list[Signal]] = field(default_factory=dict)

    def step(self, command: Command) -> int:
        """Walk over a command; its cycles (works are free)."""
        if isinstance(command, Work):
            if command.kind in (WorkKind.DRAW, WorkKind.DISPATCH):
                self.now += self.table.overlap
                self.starts[str(command.kind)] = self.now
            return 0
        if isinstance(command, EndOfPipe | EndOfShader):
            self._note_value(command)
        stall = self.stall(self.waits_for(command))
        self.now += stall
        return self.table.command(command) + self._confirm(command) + stall

    def _note_value(self, command: EndOfPipe | EndOfShader) -> None:
        starts = self._told_by(command)
        if isinstance(command, EndOfPipe) and command.operations:
            self.operated = starts
            self.operations += 1
        if command.label is not None:
            values = self.signals.setdefault(command.label.name, [])
            values.append(Signal(command.value, starts, self.operations))

    def _confirm(self, command: Command) -> int:
        """What it costs to hear of operations that nobody has heard of yet."""
        before = self.confirmed
        if isinstance(command, WaitMemory):
            signal = self._signalled(command)
            self.confirmed = max(before, signal.operations if signal else 0)
        elif isinstance(command, WaitIdle):
            self.confirmed = self.operations
        elif isinstance(command, PartialFlush) and confirms_operations(command):
            self.confirmed = self.operations
            return self.table.cycles("confirm") if before < self.operations else 0
        return 0

    def stall(self, starts: Starts) -> int:
        """How long a wait for these works takes."""
        return max((self.table.stall(self.now - start) for start in starts.values()), default=0)

    def waits_for(self, command: Command) -> Starts:
        """When the works that the command waits for were started."""
        if isinstance(command, WaitMemory):
            signal = self._signalled(command)
            return signal.starts if signal else {}
        if isinstance(command, EndOfPipe | EndOfShader):
            return {}
        return self._told_by(command)

    def _told_by(self, command: Command) -> Starts:
        """When the works were started that are over once the command is."""
        starts = {kind: self.starts[kind] for kind in waited_kinds(command) if kind in self.starts}
        if confirms_operations(command):
            for kind, start in self.operated.items():
                starts[kind] = max(start, starts.get(kind, start))
        return starts

    def _signalled(self, wait: WaitMemory) -> Signal | None:
        """Of the latest values that satisfy the wait, without a break, the oldest."""
        found = None
        for signal in reversed(self.signals.get(wait.label.name, ())):
            if not satisfies(signal.value, wait.comparison, wait.reference, wait.mask):
                break
            found = signal
        return found


def waited_kinds(command: Command) -> tuple[str, ...]:
    """The kinds of work that a command waits for, or whose end its value tells."""
    match command:
        case PartialFlush() | EndOfShader():
            return STAGES[command.stage]
        case WaitIdle() | EndOfPipe():
            return BOTH
        case SurfaceSync() if command.coherency:
            return (DRAW,)
        case _:
            return ()


def confirms_operations(command: Command) -> bool:
    """Does it wait for the operations of ends of pipe too (design 4.5)?"""
    return isinstance(command, PartialFlush | EndOfShader) and command.stage != "vs"


def cost(program: Program, machine: Machine) -> int:
    """Cycles of all synchronization of a program; the queues add up."""
    table = CostTable(machine)
    return sum(queue_cost(queue, table) for queue in program.queues)


def queue_cost(queue: Queue, table: CostTable) -> int:
    """Cycles of the synchronization of one queue."""
    walk = Walk(table)
    return sum(walk.step(command) for command in queue.commands)
