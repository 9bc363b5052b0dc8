"""The entry points: check a program, explain a command."""

from __future__ import annotations

from fencepost.coherence.fences import Fences
from fencepost.coherence.issue import ranged_operations, used_ways
from fencepost.coherence.labelling import find_fences
from fencepost.coherence.layout import make_layout
from fencepost.coherence.replay import Outcome, Replay, Watcher
from fencepost.coherence.ways import Ways
from fencepost.machine.tables import Machine
from fencepost.stream.program import Program

MOST_PASSES = 16
"""Passes over the waits alone, to find out which writes can satisfy them; each pass knows at least what the last one did."""


class Examination:
    """A program on a machine, with its waits resolved; it can be replayed as often as needed."""

    def __init__(self, program: Program, machine: Machine, guarantees: str) -> None:
        self.program = program
        self.machine = machine
        self.guarantees = guarantees
        self.layout = make_layout(
            machine, used_ways(program, machine), ranged_operations(program, machine)
        )
        self.ways = Ways(machine, self.layout)
        self.fences: Fences = find_fences(program, machine, self.layout)
        self._resolve_waits()

    def _resolve_waits(self) -> None:
        if not self.fences.waits:
            return
        self.fences.resolve()
        for _ in range(MOST_PASSES):
            self.replay(accesses=False)
            if not self.fences.resolve():
                return

    def replay(self, watch: Watcher | None = None, accesses: bool = True) -> Outcome:
        """One pass over all queues."""
        return Replay(
            self.program,
            self.machine,
            self.guarantees,
            self.fences,
            self.layout,
            self.ways,
            watch,
            accesses,
        ).run()
