"""Flow events `s`, `t`, `f`: which slices they tie together.

Source: "Trace Event Format", section "Flow Events": an event belongs to the slice that encloses it
on its thread; an `f` without `"bp": "e"` to the next one that begins.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from fencepost.capture.traces.threads import Thread
from fencepost.timeline.table import Flow, Timeline

ORDER = {"s": 0, "t": 1, "f": 2}
"""Phases of one instant, in the order in which they are tied."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """A flow event; equal keys belong together. `next_slice`: it means the one that begins next."""

    phase: str
    key: Hashable
    name: str
    thread: Thread
    time: int
    next_slice: bool = False


def bind(
    timeline: Timeline, tracks: Mapping[Thread, int], arrows: Iterable[Arrow]
) -> tuple[list[Flow], int]:
    """The flows between slices, and how many ends were found without their beginning or slice.

    `tracks` says which track holds the slices of a thread; times count from the timeline's origin.
    """
    parents = _parents(timeline)
    signals: dict[Hashable, int | None] = {}
    flows: list[Flow] = []
    loose = 0
    for arrow in sorted(arrows, key=lambda arrow: (arrow.time, ORDER[arrow.phase])):
        span = _slice(timeline, parents, tracks.get(arrow.thread), arrow)
        if arrow.phase != "s":
            signal = signals.get(arrow.key)
            if signal is None or span is None:
                loose += 1
            else:
                flows.append(Flow(signal, span, name=arrow.name))
        if arrow.phase != "f":
            signals[arrow.key] = span
    return flows, loose


def _slice(timeline: Timeline, parents: array[int], track: int | None, arrow: Arrow) -> int | None:
    if track is None:
        return None
    places = timeline.on_track(track)
    starts, ends = timeline.starts, timeline.ends
    if arrow.next_slice:
        place = bisect_left(starts, arrow.time, places.start, places.stop)
        return place if place < places.stop else None
    place = bisect_right(starts, arrow.time, places.start, places.stop) - 1
    if place < places.start:
        return None
    while place >= 0 and not (ends[place] > arrow.time or starts[place] == arrow.time):
        place = parents[place]
    return place if place >= 0 else None


def _parents(timeline: Timeline) -> array[int]:
    """For each span the one around it, or -1."""
    parents = array("q")
    around: list[int] = []
    for place, depth in enumerate(timeline.depths):
        del around[depth:]
        parents.append(around[-1] if around else -1)
        around.append(place)
    return parents
