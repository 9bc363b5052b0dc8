"""How the clocks of the engines rose: which command first made a fact true."""

from __future__ import annotations

from bisect import bisect_right

from fencepost.coherence.layout import Clock


class History:
    """For every engine of every queue, its clock after each synchronization."""

    def __init__(self) -> None:
        self._positions: dict[tuple[int, str], list[int]] = {}
        self._clocks: dict[tuple[int, str], list[Clock]] = {}

    def note(self, queue: int, engine: str, position: int, clock: Clock) -> None:
        """The clock of that engine after the command at `position`."""
        self._positions.setdefault((queue, engine), []).append(position)
        self._clocks.setdefault((queue, engine), []).append(list(clock))

    def witness(self, queue: int, engine: str, point: int, at: int) -> int | None:
        """The position of the first command after which that point was above `at`.

        None if none was.
        """
        clocks = self._clocks.get((queue, engine), [])
        index = bisect_right(clocks, at, key=lambda clock: clock[point])
        return self._positions[queue, engine][index] if index < len(clocks) else None
