"""What a program does to one byte, as it is collected command by command (model 2-4)."""

from __future__ import annotations

from fencepost.machine.tables import Machine, WayRow
from fencepost.stream.command import Access, Policy
from fencepost.stream.program import Program
from fencepost.stream.resource import ResourceKind
from verify.machine import ByteProgram, Step, Touch
from verify.values import writing_positions

STREAMS = ("cb", "db", "so")
"""Blocks whose accesses come in draw order (model 2.5)."""

MISSES = (Policy.MISS_LRU, Policy.MISS_EVICT)
EVICTS = (Policy.HIT_EVICT, Policy.MISS_EVICT)


class Unsupported(Exception):
    """The explorer does not know this command or access; it never guesses."""


class Collector:
    """Engines with their steps, steps down the pipe, touches of the byte, labels."""

    def __init__(self, program: Program, machine: Machine, documented: bool, byte: int) -> None:
        self.program, self.machine, self.documented = program, machine, documented
        self.byte = byte
        self.line = range(
            byte // machine.line * machine.line, (byte // machine.line + 1) * machine.line
        )
        self.engines: list[list[Step]] = []
        self.pipe: list[Step] = []
        self.touches: list[Touch] = []
        self.starts: list[tuple[int, int]] = []
        self.holds: dict[int, tuple[int, int]] = {}
        self.blocks: list[str] = []
        self.labels: dict[str, int] = {}
        self.values: list[int] = []
        self.submits: dict[str, list[tuple[int, int]]] = {}
        self.marks: dict[str, list[Step]] = {}
        self._bits = 0
        for resource in program.resources:
            if resource.kind is ResourceKind.LABEL:
                self.labels[resource.name] = len(self.values)
                self.values.append(resource.value)

    def bit(self) -> int:
        """A new bit that something down the pipe can act with."""
        self._bits += 1
        return 1 << (self._bits - 1)

    def add_engine(self) -> int:
        """A new engine's number."""
        self.engines.append([])
        return len(self.engines) - 1

    def count(self, engine: int) -> int:
        """How many steps an engine has so far."""
        return len(self.engines[engine])

    def touch(
        self, queue: int, position: int, access: Access, start: tuple[int, int]
    ) -> Touch | None:
        """An access that starts once an engine stands before that step; None off the line."""
        way = self.machine.way(access.block, access.use, access.part)
        if way is None:
            raise Unsupported(f"{access.block}.{access.use} {access.part}")
        if not (access.start < self.line.stop and self.line.start < access.end):
            return None
        policy = access.policy or (Policy(way.policy) if way.policy else None)
        block = access.block.rstrip("0123456789")
        group = way.group or block
        touch = Touch(
            bit=1 << len(self.touches),
            queue=queue,
            position=position,
            group="dma" if group == "dma.pfp" else group,
            path=first_level(way, policy),
            fills=way.caches,
            target=access.start <= self.byte < access.end,
            reads=way.reads,
            writes=way.writes,
            atomic=way.safe_with.endswith("atomic"),
            evicts=policy in EVICTS,
            stream=block if block in STREAMS else "",
        )
        self.blocks += [
            name
            for name in way.caches
            if self.machine.cache(name).in_order and name not in self.blocks
        ]
        self.touches.append(touch)
        self.starts.append(start)
        return touch

    def closing(self, queue: int, before: int, groups: tuple[str, ...]) -> int:
        """Touches of these groups by the queue's works before that position."""
        found = 0
        for touch in self.touches:
            if touch.queue == queue and touch.position < before and touch.group in groups:
                found |= touch.bit
        return found

    def writes(self, touches: int) -> int:
        """Of these touches the writes of the byte: they happen before their window closes."""
        return sum(t.bit for t in self.touches if t.bit & touches and t.writes and t.target)

    def finish(self) -> ByteProgram:
        """Everything together, when all queues have been walked."""
        self._connect_kickoffs()
        self._mark_alone()
        return ByteProgram(
            self.engines,
            self.pipe,
            self.touches,
            self._opens(),
            self.blocks,
            tuple(self.values),
            writing_positions(self.touches),
            self.holds,
        )

    def _opens(self) -> list[list[int]]:
        """Per engine and step index, the touches that are started."""
        table = [[0] * (len(steps) + 1) for steps in self.engines]
        for touch, (engine, index) in zip(self.touches, self.starts, strict=True):
            for later in range(index, len(table[engine])):
                table[engine][later] |= touch.bit
        return table

    def _connect_kickoffs(self) -> None:
        """The n-th mark of a queue waits for the CPU's n-th kickoff of it (model 4.8)."""
        for queue, marks in self.marks.items():
            submits = self.submits.get(queue, [])
            for number, step in enumerate(marks):
                never = (0, len(self.engines[0]) + 1)
                step.after = (*step.after, submits[number] if number < len(submits) else never)

    def _mark_alone(self) -> None:
        """Label writes and waits may be taken at once if no wait that is satisfied can be spoilt.

        So there is one write at most, and what the starting value satisfies it satisfies too.
        """
        steps = [step for steps in (*self.engines, self.pipe) for step in steps]
        for index, start in enumerate(self.values):
            writes = [step.label[1] for step in steps if step.label and step.label[0] == index]
            tests = [step.test[1] for step in steps if step.test and step.test[0] == index]
            alone = len(writes) < 2 and not any(
                test(start) and not test(value) for test in tests for value in writes
            )
            for step in steps:
                if index in (step.label and step.label[0], step.test and step.test[0]):
                    step.alone = alone


def first_level(way: WayRow, policy: Policy | None) -> str:
    """Where an access looks first: `MISS_*` and atomics never hit the TCP (model 3.5)."""
    if not way.caches:
        return "memory"
    if way.caches[0] == "tcp" and policy in MISSES:
        return "tcc"
    return way.caches[0]
