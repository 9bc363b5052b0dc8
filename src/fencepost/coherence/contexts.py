"""Graphics contexts.

Which draws share one, which a surface sync waits for, when an old one is free again (model 4.6,
4.7).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from fencepost.coherence.clocks import join
from fencepost.coherence.layout import Clock

Surface = tuple[str, int, int]
"""A block (`cb0`, `db`, `so`) and the bytes that a draw accesses through it."""


class Contexts:
    """The contexts of one queue, and its CB/DB events with what is known once each is confirmed."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.starts: list[int] = [0]
        self.draws: list[int] = []
        self.surfaces: dict[Surface, list[int]] = {}
        self.targets: frozenset[tuple[str, str]] = frozenset()
        self.events: dict[str, tuple[list[int], list[Clock]]] = {"cb": ([], []), "db": ([], [])}

    def roll(self, position: int) -> int:
        """Roll unless the current context holds no draw.

        The position of the last draw that has retired by then, or -1.
        """
        if not self.draws or self.draws[-1] < self.starts[-1]:
            return -1
        self.starts.append(position)
        kept = len(self.starts) - self.limit
        return self._draw_below(self.starts[kept]) if kept > 0 else -1

    def draw(self, position: int, surfaces: list[Surface]) -> None:
        """A draw in the current context."""
        self.draws.append(position)
        for surface in surfaces:
            self.surfaces.setdefault(surface, []).append(position)

    def _draw_below(self, position: int) -> int:
        index = bisect_left(self.draws, position)
        return self.draws[index - 1] if index else -1

    def stalled(self, bits: tuple[str, ...], start: int, end: int, before: int) -> tuple[int, int]:
        """What a surface sync on [start, end) waits for among the draws below `before`.

        Returns the last draw of the last context that holds one on the range through a named
        surface (-1: none), and the position up
        to which events belong to that context or an older one.
        """
        names = {"so" if bit.startswith("base") else bit for bit in bits}
        last = -1
        for (block, first, stop), positions in self.surfaces.items():
            if block in names and first < end and start < stop:
                index = bisect_left(positions, before)
                last = max(last, positions[index - 1] if index else -1)
        return self._whole_context(last, before)

    def every(self, before: int) -> tuple[int, int]:
        """As `stalled`, for the whole range: every draw below `before`."""
        return self._whole_context(self._draw_below(before), before)

    def _whole_context(self, draw: int, before: int) -> tuple[int, int]:
        if draw < 0:
            return -1, 0
        context = bisect_right(self.starts, draw)
        after = self.starts[context] if context < len(self.starts) else before
        after = min(after, before)
        return self._draw_below(after), after

    def event(self, block: str, position: int, clock: Clock) -> None:
        """A pipelined event on that block; `clock` is what holds once it is in memory."""
        positions, clocks = self.events[block]
        if clocks:
            join(clock, clocks[-1])
        positions.append(position)
        clocks.append(clock)

    def confirmed(self, block: str, before: int) -> Clock | None:
        """What the events of that block below `before` guarantee once confirmed."""
        positions, clocks = self.events[block]
        index = bisect_left(positions, before)
        return clocks[index - 1] if index else None
