"""Collects what a program does with labels; kickoffs are labels that count up (model 4.8, 6)."""

from __future__ import annotations

from fencepost.coherence.fences import Fences, Label, LabelWrite, Wait
from fencepost.coherence.issue import engine_of, release_group
from fencepost.coherence.layout import Layout
from fencepost.coherence.queues import OWN_GROUP, PFP
from fencepost.machine.tables import Machine
from fencepost.stream.command import Command, Comparison, Kickoff, WaitMemory
from fencepost.stream.program import Program, Queue, QueueKind

EVERY_BIT = (1 << 64) - 1


def kickoff_label(queue: str) -> str:
    """The label that stands for the kickoffs of a queue; no resource can be called so."""
    return f"kickoff {queue}"


def find_fences(program: Program, machine: Machine, layout: Layout) -> Fences:
    """All label writes and waits of a program."""
    fences = Fences({r.name: Label(r.value) for r in program.resources if r.kind == "label"})
    fences.labels |= {kickoff_label(name): Label(0) for name in _kicked(program)}
    for number, queue in enumerate(program.queues):
        _Collector(fences, machine, layout, number, queue).collect()
    return fences


def _kicked(program: Program) -> list[str]:
    """The queues that the CPU kicks off; the others start by themselves."""
    names = {
        command.queue
        for queue in program.queues
        if queue.kind is QueueKind.CPU
        for command in queue.commands
        if isinstance(command, Kickoff)
    }
    return sorted(names)


class _Collector:
    """Walks one queue."""

    def __init__(
        self, fences: Fences, machine: Machine, layout: Layout, number: int, queue: Queue
    ) -> None:
        self.fences = fences
        self.machine = machine
        self.layout = layout
        self.number = number
        self.queue = queue
        self.kickoffs: dict[str, int] = {}

    def collect(self) -> None:
        for position, command in enumerate(self.queue.commands):
            if isinstance(command, Kickoff):
                self._kickoff(position, command)
            elif isinstance(command, WaitMemory):
                self._wait(
                    position,
                    command,
                    command.label.name,
                    command.comparison,
                    command.reference,
                    command.mask,
                )
            elif (label := getattr(command, "label", None)) is not None:
                self._write(position, command, label.name, int(getattr(command, "value", 0)))

    def _kickoff(self, position: int, command: Kickoff) -> None:
        """The CPU's n-th kickoff of a queue writes n; that queue's n-th mark waits for n."""
        name = command.queue or self.queue.name
        if kickoff_label(name) not in self.fences.labels:
            return
        count = self.kickoffs[name] = self.kickoffs.get(name, 0) + 1
        if self.queue.kind is QueueKind.CPU:
            self._write(position, command, kickoff_label(name), count)
        else:
            self._wait(
                position, command, kickoff_label(name), Comparison.GREATER_EQUAL, count, EVERY_BIT
            )

    def _write(self, position: int, command: Command, label: str, value: int) -> None:
        group = release_group(command, self.queue.kind, self.machine)
        point = self.number * self.layout.stride + self.layout.done[group]
        by_pfp = self.queue.kind is QueueKind.GRAPHICS and group == PFP
        self.fences.add_write(label, LabelWrite(self.number, position, value, point, by_pfp))

    def _wait(
        self,
        position: int,
        command: Command,
        label: str,
        comparison: Comparison,
        reference: int,
        mask: int,
    ) -> None:
        group = OWN_GROUP[engine_of(command, self.queue.kind)]
        if self.queue.kind is QueueKind.COMPUTE and group == PFP:
            group = "me"
        passed = self.number * self.layout.stride + self.layout.done[group]
        self.fences.waits[self.number, position] = Wait(
            self.number,
            position,
            label,
            comparison,
            reference,
            mask,
            passed,
            on_me=self.queue.kind is QueueKind.GRAPHICS and group != PFP,
        )
