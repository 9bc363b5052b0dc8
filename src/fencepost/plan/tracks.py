"""What a queue's own commands say before anything is planned: draws, targets, contexts, works."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field

from fencepost.coherence.replay import TARGET_BLOCKS
from fencepost.stream.command import Work, WorkKind
from fencepost.stream.program import Queue, QueueKind

Surface = tuple[str, int, int]
"""A block (`cb0`, `db`, `so`) and the bytes that a draw accesses through it."""


@dataclass(slots=True)
class Track:
    """One queue. `rolls`: the draws whose targets differ from those of the draw before them.

    `works`: the draws and dispatches; `surfaces`: the draws to each target; `targets`: those of
    each draw. `named`: the draws that a surface sync names, kept once asked for.
    """

    queue: Queue
    draws: list[int] = field(default_factory=list)
    rolls: set[int] = field(default_factory=set)
    works: list[int] = field(default_factory=list)
    surfaces: dict[Surface, list[int]] = field(default_factory=dict)
    targets: dict[int, tuple[Surface, ...]] = field(default_factory=dict)
    named: dict[tuple[tuple[str, ...], int, int], list[int]] = field(default_factory=dict)

    @property
    def pfp(self) -> bool:
        """Is PFP an engine of its own?"""
        return self.queue.kind is QueueKind.GRAPHICS

    def draw_below(self, position: int) -> int:
        """The last draw below a position, or -1."""
        index = bisect_left(self.draws, position)
        return self.draws[index - 1] if index else -1

    def surfaces_of(self, draws: Iterable[int], before: int) -> tuple[Surface, ...]:
        """The targets of those draws; for one without any, those of the next draw with some."""
        found: dict[Surface, None] = {}
        for draw in draws:
            index = bisect_left(self.draws, draw)
            later = self.draws[index : bisect_left(self.draws, before)]
            found |= dict.fromkeys(next((t for d in later if (t := self.targets[d])), ()))
        return tuple(found)

    def stalled(self, bits: tuple[str, ...], start: int, end: int, before: int) -> int:
        """The last draw below `before` that a surface sync on [start, end) names, or -1."""
        key = bits, start, end
        positions = self.named.get(key)
        if positions is None:
            names = {"so" if bit.startswith("base") else bit for bit in bits}
            positions = self.named[key] = sorted(
                {
                    position
                    for (block, first, stop), found in self.surfaces.items()
                    if block in names and first < end and start < stop
                    for position in found
                }
            )
        index = bisect_left(positions, before)
        return positions[index - 1] if index else -1

    def whole_context(self, starts: tuple[int, ...], draw: int, before: int) -> tuple[int, int]:
        """The last draw of that draw's context, below `before`; the number of that context."""
        context = bisect_right(starts, draw)
        after = starts[context] if context < len(starts) else before
        return self.draw_below(min(after, before)), context

    def works_below(self, position: int) -> int:
        """How many draws and dispatches stand below a position."""
        return bisect_left(self.works, position)


def track(queue: Queue) -> Track:
    """Reads a queue."""
    found = Track(queue)
    targets: frozenset[tuple[str, str]] = frozenset()
    for position, command in enumerate(queue.commands):
        if not isinstance(command, Work):
            continue
        if command.kind in (WorkKind.DRAW, WorkKind.DISPATCH):
            found.works.append(position)
        if command.kind is WorkKind.DRAW:
            drawn = [access for access in command.accesses if access.block[:2] in TARGET_BLOCKS]
            named = frozenset((access.block, access.resource.name) for access in drawn)
            if named != targets:
                found.rolls.add(position)
            targets = named
            found.draws.append(position)
            surfaces = dict.fromkeys((one.block, one.start, one.end) for one in drawn)
            found.targets[position] = tuple(surfaces)
            for surface in surfaces:
                found.surfaces.setdefault(surface, []).append(position)
    return found
