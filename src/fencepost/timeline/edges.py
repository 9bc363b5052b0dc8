"""Every start and end of every span, by time, as traces want them: nested, signals before waits."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fencepost.timeline.table import Edge, Timeline


@dataclass(frozen=True, slots=True)
class Edges:
    """Columns of edges, track by track; `begins` is 1 for a start, and `order` is that of time.

    In `order` the edges of a track stay as they are: a span ends before the next one starts, and
    the two edges of a span without length follow each other. Edges of one instant on several
    tracks come by track, unless a flow ends at one that would come before its signal.
    """

    times: list[int] = field(default_factory=list)
    spans: array[int] = field(default_factory=lambda: array("q"))
    tracks: array[int] = field(default_factory=lambda: array("i"))
    begins: array[int] = field(default_factory=lambda: array("b"))
    order: list[int] = field(default_factory=list)

    def add(self, time: int, span: int, track: int, begins: bool) -> None:
        """One more edge."""
        self.times.append(time)
        self.spans.append(span)
        self.tracks.append(track)
        self.begins.append(begins)


def edges_of(timeline: Timeline) -> Edges:
    """The edges of all spans; the same order for the same timeline."""
    edges = Edges()
    for track in range(len(timeline.tracks)):
        _add_track(edges, timeline, track)
    edges.order.extend(sorted(range(len(edges.times)), key=edges.times.__getitem__))
    _put_signals_first(edges, timeline)
    return edges


def _add_track(edges: Edges, timeline: Timeline, track: int) -> None:
    starts, ends = timeline.starts, timeline.ends
    opened: list[int] = []
    for span in timeline.on_track(track):
        start = starts[span]
        while opened and ends[opened[-1]] <= start:
            edges.add(ends[opened[-1]], opened.pop(), track, begins=False)
        edges.add(start, span, track, begins=True)
        if ends[span] == start:
            edges.add(start, span, track, begins=False)
        else:
            opened.append(span)
    for span in reversed(opened):
        edges.add(ends[span], span, track, begins=False)


def _put_signals_first(edges: Edges, timeline: Timeline) -> None:
    """Reorder the instants at which a wait would come before the signal that ends it."""
    places = _places(edges, timeline)
    late: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    instants: set[int] = set()
    for flow in timeline.flows:
        signal = places[flow.signal, flow.signal_edge]
        wait = places[flow.wait, flow.wait_edge]
        time = edges.times[wait]
        if edges.times[signal] == time and signal != wait:
            late[time][wait].add(signal)
            if signal > wait:
                instants.add(time)
    for time in sorted(instants):
        low = bisect_left(edges.order, time, key=edges.times.__getitem__)
        high = bisect_right(edges.order, time, key=edges.times.__getitem__)
        edges.order[low:high] = _untangled(edges.order[low:high], edges.tracks, late[time])


def _places(edges: Edges, timeline: Timeline) -> dict[tuple[int, Edge], int]:
    """Where the edges are that flows are tied to."""
    tied = {flow.signal for flow in timeline.flows} | {flow.wait for flow in timeline.flows}
    if not tied:
        return {}
    return {
        (span, Edge.START if begins else Edge.END): at
        for at, (span, begins) in enumerate(zip(edges.spans, edges.begins, strict=True))
        if span in tied
    }


def _untangled(
    group: Sequence[int], tracks: Sequence[int], signals: Mapping[int, set[int]]
) -> list[int]:
    """Edges of one instant, each behind its signals and those before it on its track.

    Where flows go round in a circle, the upper track comes first.
    """
    waiting: dict[int, list[int]] = {}
    for edge in reversed(group):
        waiting.setdefault(tracks[edge], []).append(edge)
    done: list[int] = []
    passed: set[int] = set()
    while waiting:
        heads = {track: waiting[track][-1] for track in sorted(waiting)}
        free = (track for track, edge in heads.items() if signals.get(edge, passed) <= passed)
        track = next(free, min(heads))
        done.append(waiting[track].pop())
        passed.add(done[-1])
        if not waiting[track]:
            del waiting[track]
    return done
