"""One pass over the instants at which some track starts or stops to run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


def sweep(tracks: Sequence[Busy], window: tuple[int, int]) -> Swept:
    """Sums over the window, which holds every stretch.

    Takes time in proportion to the stretches times the tracks that run at once.
    """
    count, (start, end) = len(tracks), window
    running, alone = [0] * (count + 1), [0] * count
    pairs = [[0] * count for _ in tracks]
    stopped: list[int | None] = [None] * count  # for how long something had run by then
    gaps: list[list[int]] = [[] for _ in tracks]
    active: list[int] = []
    now = start
    for time, begins, track in _instants(tracks):
        if time > now:
            running[len(active)] += time - now
            if len(active) == 1:
                alone[active[0]] += time - now
            now = time
        row = pairs[track]
        if begins:  # a pair runs from when the later begins until the earlier ends
            before = stopped[track]
            if before is not None:
                gaps[track].append(now - start - running[0] - before)
            for other in active:
                row[other] -= now
            active.append(track)
        else:
            active.remove(track)
            for other in active:
                row[other] += now
            stopped[track] = now - start - running[0]
    running[0] += end - now
    return Swept(tuple(running), tuple(alone), _together(pairs), tuple(map(tuple, gaps)))


def _together(pairs: Sequence[Sequence[int]]) -> dict[Pair, int]:
    """How long each pair ran, from what was taken at its begins and given at its ends."""
    times = {(a, b): pairs[a][b] + pairs[b][a] for b in range(len(pairs)) for a in range(b)}
    return {pair: time for pair, time in sorted(times.items()) if time}


def _instants(tracks: Sequence[Busy]) -> Iterator[tuple[int, int, int]]:
    """Time, 1 at a begin, and track of every begin and end: by time, ends first, then by track."""
    count = len(tracks)
    codes: list[int] = []
    for track, busy in enumerate(tracks):  # sorted pieces, which sorting as a whole merges
        codes += [2 * count * time + track for time in busy.ends]
        codes += [2 * count * time + count + track for time in busy.starts]
    codes.sort()
    for code in codes:
        rest, track = divmod(code, count)
        yield rest >> 1, rest & 1, track
