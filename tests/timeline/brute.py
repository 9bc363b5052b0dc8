"""The figures by looking at every instant: slow, and written to share nothing with the package."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from fencepost.timeline import Timeline

Stretch = tuple[int, int]


@dataclass(frozen=True)
class Sampled:
    """Instants (of one picosecond each) that were seen in each state."""

    running: Counter[int]
    busy: Counter[int]
    alone: Counter[int]
    together: Counter[tuple[int, int]]
    bubbles: Counter[int]
    others: Counter[int]
    edges: Counter[int]


def sampled(timeline: Timeline, start: int, end: int) -> Sampled:
    """Every picosecond of [start, end), one after the other."""
    found = Sampled(*(Counter() for _ in range(7)))
    runs = {track: working(timeline, track) for track in range(len(timeline.tracks))}
    held = [track for track in runs if timeline.on_track(track)]
    for now in range(start, end):
        active = [track for track in held if now in runs[track]]
        found.running[len(active)] += 1
        found.busy.update(active)
        found.together.update(combinations(active, 2))
        if len(active) == 1:
            found.alone[active[0]] += 1
        for track in held:
            if track in active or not runs[track]:
                continue
            if min(runs[track]) < now < max(runs[track]):
                found.bubbles[track] += 1
                found.others[track] += bool(active)
            else:
                found.edges[track] += 1
    return found


def working(timeline: Timeline, track: int) -> set[int]:
    """The picoseconds in which a span that does not wait covers a track."""
    return {
        now
        for place in timeline.on_track(track)
        if not timeline.activity_of(place).waits
        for now in range(timeline.starts[place], timeline.ends[place])
    }


def overlap_by_depth(stretches: Iterable[Sequence[Stretch]]) -> tuple[int, int]:
    """Time with at least one and with at least two tracks, by a running depth over sorted edges.

    The stretches of one track are apart from each other.
    """
    changes = sorted(
        (time, change)
        for track in stretches
        for start, end in track
        for time, change in ((start, 1), (end, -1))
    )
    some = more = depth = 0
    for (time, change), (following, _) in pairwise(changes):
        depth += change
        some += (following - time) * (depth >= 1)
        more += (following - time) * (depth >= 2)
    return some, more
