"""What a timeline comes to: busy, idle, overlap, bubbles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fencepost.errors import TimelineProblem
from fencepost.place import Place
from fencepost.timeline.busy import Busy, busy_of
from fencepost.timeline.gaps import Gap, longest_gaps
from fencepost.timeline.sweep import Pair, Swept, sweep
from fencepost.timeline.table import Timeline

GAPS = 10
"""Longest bubbles that are looked at unless asked otherwise."""


@dataclass(frozen=True, slots=True)
class TrackFigures:
    """One track, in picoseconds of the window, which is `busy + before + bubbles + after`.

    `before` its first work, `bubbles` between its work (`gaps` of them), `after` its last; of the
    bubbles, other tracks run in `others_run` and none does in `all_idle`. `alone`: only it runs.
    """

    track: int
    spans: int
    busy: int
    alone: int
    before: int
    after: int
    gaps: int
    bubbles: int
    others_run: int

    @property
    def all_idle(self) -> int:
        """The part of the bubbles in which nothing runs."""
        return self.bubbles - self.others_run


@dataclass(frozen=True, slots=True)
class Figures:
    """A timeline's figures over the window from the first start to the last end, in picoseconds.

    A track is busy while a span on it is open that does not wait. `running[n]` is how long exactly
    n tracks run, `together[a, b]` how long both do (pairs that never do are left out). `backward`
    counts the flows whose wait ends before their signal.
    """

    start: int
    end: int
    tracks: tuple[TrackFigures, ...]
    running: tuple[int, ...]
    together: dict[Pair, int]
    gaps: tuple[Gap, ...]
    backward: int

    @property
    def window(self) -> int:
        """From the first start to the last end."""
        return self.end - self.start

    @property
    def busy(self) -> int:
        """How long at least one track runs."""
        return sum(self.running[1:])

    @property
    def overlapped(self) -> int:
        """How long two or more tracks run."""
        return sum(self.running[2:])

    @property
    def idle(self) -> int:
        """How long no track runs."""
        return self.running[0]

    @property
    def overlap_share(self) -> float:
        """The share of busy time in which two or more tracks run; 0 where nothing runs."""
        return self.overlapped / self.busy if self.busy else 0.0


def figures(timeline: Timeline, tracks: Sequence[int] | None = None, gaps: int = GAPS) -> Figures:
    """The figures of these tracks (of all that hold spans, unless given) and the longest bubbles.

    Raises `TimelineProblem` where these tracks hold no span.
    """
    chosen = range(len(timeline.tracks)) if tracks is None else tracks
    held = [track for track in chosen if timeline.on_track(track)]
    if not held:
        raise TimelineProblem("no slices to look at", Place(timeline.file, 0), "at least one")
    busy = {track: busy_of(timeline, track) for track in held}
    start = min(timeline.starts[timeline.bounds[track]] for track in held)
    end = max(max(timeline.ends[place] for place in timeline.on_track(track)) for track in held)
    swept = sweep(list(busy.values()), (start, end))
    return Figures(
        start=start,
        end=end,
        tracks=tuple(
            _track(timeline, track, busy[track], swept, at, (start, end))
            for at, track in enumerate(held)
        ),
        running=swept.running,
        together={(held[a], held[b]): time for (a, b), time in swept.together.items()},
        gaps=longest_gaps(timeline, busy, swept, gaps),
        backward=_backward(timeline),
    )


def _track(
    timeline: Timeline, track: int, busy: Busy, swept: Swept, at: int, window: tuple[int, int]
) -> TrackFigures:
    start, end = window
    first, last = (busy.starts[0], busy.ends[-1]) if busy.starts else (end, end)
    return TrackFigures(
        track=track,
        spans=len(timeline.on_track(track)),
        busy=busy.total,
        alone=swept.alone[at],
        before=first - start,
        after=end - last,
        gaps=len(swept.gaps[at]),
        bubbles=last - first - busy.total,
        others_run=sum(swept.gaps[at]),
    )


def _backward(timeline: Timeline) -> int:
    return sum(
        timeline.instant(flow.wait, flow.wait_edge)
        < timeline.instant(flow.signal, flow.signal_edge)
        for flow in timeline.flows
    )
