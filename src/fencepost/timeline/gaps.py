"""The longest bubbles, and what ended them."""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fencepost.timeline.busy import Busy
from fencepost.timeline.sweep import Swept
from fencepost.timeline.table import Edge, Flow, Timeline


@dataclass(frozen=True, slots=True)
class Gap:
    """A bubble: a track does not run in [start, end), but did before and does after.

    `before` and `after` are the spans around it, `others` the picoseconds of it in which other
    tracks run. `waits_for` is the flow that ends at the start of `after`, the one signalled last if
    there are several (its signal may be long before); `last_end` is the span of another track that
    ended last within the gap.
    """

    track: int
    start: int
    end: int
    others: int
    before: int
    after: int
    waits_for: Flow | None = None
    last_end: int | None = None

    @property
    def length(self) -> int:
        """Picoseconds."""
        return self.end - self.start


def longest_gaps(
    timeline: Timeline, tracks: Mapping[int, Busy], swept: Swept, count: int
) -> tuple[Gap, ...]:
    """The `count` longest bubbles, longest first; of equal ones the earliest, then by track."""
    order = list(tracks.items())
    gaps = (
        gap for at, (track, busy) in enumerate(order) for gap in _gaps(track, busy, swept.gaps[at])
    )
    longest = heapq.nsmallest(count, gaps, key=lambda gap: (-gap[0], gap[1], gap[2]))
    signals = _signals(timeline)
    return tuple(_gap(tracks, signals, track, at, others) for _, _, track, at, others in longest)


def _gaps(
    track: int, busy: Busy, others: Sequence[int]
) -> Iterator[tuple[int, int, int, int, int]]:
    """Length, start, track, number of the stretch before it and time that others run."""
    for at, (start, end) in enumerate(zip(busy.ends, busy.starts[1:], strict=False)):
        yield end - start, start, track, at, others[at]


def _signals(timeline: Timeline) -> dict[int, Flow]:
    """For each span at whose start a wait ends, the flow whose signal came last."""
    found: dict[int, Flow] = {}
    for flow in timeline.flows:
        if flow.wait_edge is not Edge.START:
            continue
        known = found.get(flow.wait)
        if known is None or _signalled(timeline, known) < _signalled(timeline, flow):
            found[flow.wait] = flow
    return found


def _signalled(timeline: Timeline, flow: Flow) -> int:
    return timeline.instant(flow.signal, flow.signal_edge)


def _gap(
    tracks: Mapping[int, Busy], signals: Mapping[int, Flow], track: int, at: int, others: int
) -> Gap:
    busy = tracks[track]
    start, end, after = busy.ends[at], busy.starts[at + 1], busy.first[at + 1]
    return Gap(
        track=track,
        start=start,
        end=end,
        others=others,
        before=busy.last[at],
        after=after,
        waits_for=signals.get(after),
        last_end=_last_end(tracks, track, start, end),
    )


def _last_end(tracks: Mapping[int, Busy], track: int, start: int, end: int) -> int | None:
    """The span of another track whose stretch ended last in (start, end]."""
    best, span = start, None
    for other, busy in tracks.items():
        at = bisect_right(busy.ends, end) - 1
        if other != track and at >= 0 and busy.ends[at] > best:
            best, span = busy.ends[at], busy.last[at]
    return span
