"""Short ways to simulate a text and to look at what came of it."""

from __future__ import annotations

from dataclasses import dataclass

from fencepost.stream.program import Program
from fencepost.stream.text import parse_text
from fencepost.timing import Options, Timeline, simulate
from fencepost.timing.timeline import LabelWrite, Operation, Stall, SyncCost, WorkTimes

HEAD = """
machine gcn2-hawaii
buffer a 64K
buffer b 64K
buffer big 4M
color  t 256x256 rgba8
color  u 256x256 rgba8
depth  z 256x256 d32f
label  l = 0, m = 0, n = 0
"""
"""One GPU cycle of this machine is 1,000 ps."""

CYCLE = 1000
US = 1_000_000


def read(commands: str, head: str = HEAD, queue: str = "queue gfx: graphics") -> Program:
    """A program; commands of the graphics queue first."""
    return parse_text(f"{head}{queue}\n{commands}\n", "scene.fence")


def run(commands: str, options: Options | None = None, head: str = HEAD) -> Scene:
    """Simulate commands of a graphics queue."""
    program = read(commands, head)
    return Scene(program, simulate(program, options))


@dataclass
class Scene:
    """A program and its timeline, by the names of commands."""

    program: Program
    timeline: Timeline

    @property
    def time(self) -> int:
        return self.timeline.totals.time

    def spot(self, name: str) -> tuple[int, int]:
        (found,) = [
            (number, position)
            for number, queue in enumerate(self.program.queues)
            for position, command in enumerate(queue.commands)
            if command.name == name
        ]
        return found

    def work(self, name: str) -> WorkTimes:
        (found,) = [w for w in self.timeline.works if (w.queue, w.position) == self.spot(name)]
        return found

    def stall(self, reason: str) -> Stall:
        (found,) = self.stalls(reason)
        return found

    def stalls(self, reason: str) -> list[Stall]:
        return [stall for stall in self.timeline.stalls if stall.reason == reason]

    def written(self, label: str) -> LabelWrite:
        (found,) = [write for write in self.timeline.writes if write.label == label]
        return found

    def operation(self, cache: str) -> Operation:
        (found,) = [row for row in self.timeline.operations if row.cache == cache]
        return found

    def cost(self, name: str) -> SyncCost:
        (found,) = [c for c in self.timeline.costs if (c.queue, c.position) == self.spot(name)]
        return found


def only(**parameters: int) -> Options:
    """Options with parameters: `launch=0` (underscores are blanks)."""
    return Options({name.replace("_", " "): value for name, value in parameters.items()})
