"""Graphics contexts: which draw is in which, which a surface sync stalls on (model 4.6, 4.7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fencepost.machine.tables import Machine
from fencepost.stream.command import Access, Command, SurfaceSync, Work
from fencepost.stream.resource import WHOLE_END, WHOLE_START


@dataclass(slots=True)
class Contexts:
    """The context of each draw so far: (context, position)."""

    current: int = 0
    holds_draw: bool = False
    draws: list[tuple[int, int]] = field(default_factory=list)
    targets: frozenset[tuple[str, str]] | None = None

    def draw(self, position: int) -> None:
        """A draw in the current context."""
        self.draws.append((self.current, position))
        self.holds_draw = True

    def roll(self, contexts: int) -> int:
        """Roll unless drawless; the position behind the last draw that must be over (0: none)."""
        if not self.holds_draw:
            return 0
        self.current += 1
        self.holds_draw = False
        over = [at for context, at in self.draws if context <= self.current - contexts]
        return max(over, default=-1) + 1


def stalled_draws(
    contexts: Contexts, commands: Sequence[Command], sync: SurfaceSync, machine: Machine
) -> list[tuple[int, int]]:
    """Context and position of the draws on the range through a named surface.

    The range is widened to the machine's grain; an empty one names nothing, the whole one all.
    """
    if not sync.coherency or sync.start == sync.end:
        return []
    if (sync.start, sync.end) == (WHOLE_START, WHOLE_END):
        return list(contexts.draws)
    grain = machine.sync_granularity
    start, end = sync.start // grain * grain, -(-sync.end // grain) * grain
    found: list[tuple[int, int]] = []
    for context, position in contexts.draws:
        work = commands[position]
        assert isinstance(work, Work)
        if any(named(one, sync) and one.start < end and start < one.end for one in work.accesses):
            found.append((context, position))
    return found


def named(access: Access, sync: SurfaceSync) -> bool:
    """Whether coherency bits name the surface of this access."""
    if access.block == "so":
        return any(name.startswith("base") for name in sync.coherency)
    return access.block in sync.coherency
