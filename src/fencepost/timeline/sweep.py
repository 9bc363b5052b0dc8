"""One pass over the instants at which some track starts or stops to run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fencepost.timeline.busy import Busy

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Swept:
    """Sums over a window, in picoseconds.

    `running[n]` is how long exactly n tracks run; `alone[track]` how long only that one does;
    `together[a, b]` (a < b) how long both do, where they do at all; `gaps[track][k]` for how much
    of the gap behind the track's stretch k others run.
    """

    running: tuple[int, ...]
    alone: tuple[int, ...]
    together: dict[Pair, int]
    gaps: tuple[tuple[int, ...], ...]


class _Sweep:
    """The tracks that run now, and what has been summed up to now."""

    def __init__(self, count: int, start: int) -> None:
        self.now = start
        self.some = 0  # for how long something ran, up to now
        self.active: list[int] = []
        self.running = [0] * (count + 1)
        self.alone = [0] * count
        self.together: dict[Pair, int] = {}
        self.stopped: list[int | None] = [None] * count
        self.gaps: list[list[int]] = [[] for _ in range(count)]

    def advance(self, time: int) -> None:
        """Let time pass."""
        passed = time - self.now
        active = self.active
        self.running[len(active)] += passed
        if active:
            self.some += passed
        if len(active) == 1:
            self.alone[active[0]] += passed
        self.now = time

    def begin(self, track: int) -> None:
        """The track runs from now on. A pair runs from when the later of them begins."""
        before = self.stopped[track]
        if before is not None:
            self.gaps[track].append(self.some - before)
        self._pair(track, -self.now)
        self.active.append(track)

    def end(self, track: int) -> None:
        """The track runs no more. A pair runs until the earlier of them ends."""
        self.active.remove(track)
        self._pair(track, self.now)
        self.stopped[track] = self.some

    def _pair(self, track: int, time: int) -> None:
        for other in self.active:
            pair = (track, other) if track < other else (other, track)
            self.together[pair] = self.together.get(pair, 0) + time


def sweep(tracks: Sequence[Busy], window: tuple[int, int]) -> Swept:
    """Sums over the window, which holds every stretch.

    Takes time in proportion to the stretches times the tracks that run at once.
    """
    start, end = window
    state = _Sweep(len(tracks), start)
    for code in _instants(tracks):
        rest, track = divmod(code, len(tracks))
        time, begins = divmod(rest, 2)
        if time > state.now:
            state.advance(time)
        if begins:
            state.begin(track)
        else:
            state.end(track)
    state.advance(end)
    return Swept(
        running=tuple(state.running),
        alone=tuple(state.alone),
        together={pair: time for pair, time in sorted(state.together.items()) if time},
        gaps=tuple(map(tuple, state.gaps)),
    )


def _instants(tracks: Sequence[Busy]) -> Iterable[int]:
    """Every start and end as one number that sorts by time, ends first, then by track."""
    count = len(tracks)
    codes: list[int] = []
    for track, busy in enumerate(tracks):  # sorted pieces, which sorting as a whole merges
        codes += [2 * count * time + track for time in busy.ends]
        codes += [2 * count * time + count + track for time in busy.starts]
    codes.sort()
    return codes
