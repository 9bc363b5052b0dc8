"""What speaks for a limit: sums over windows of a capture's presents (presentation.md 2.4).

Every figure is a plain ratio that a reader can check against the capture. GPU idle time is what
the frames' GPU busy times leave of the time: the gap between the end of one frame's GPU work and
the start of the next misses the waits inside a frame (docs/deviations.md, presentation).
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import sub

from fencepost.present.observed import UNKNOWN_INTERVAL, Observed, filled, missing_places
from fencepost.present.refresh import OFF_GRID, find_grid, grid_of, multiples
from fencepost.present.spread import Spread
from fencepost.present.thresholds import (
    BLOCKED,
    GPU_FULL,
    LEAST_FRAMES,
    MOST_WINDOWS,
    NEIGHBOURS,
    PACE,
    WINDOW,
)
from fencepost.present.units import PICOSECONDS

RANKED = 128
"""Of longer windows so many frame times, evenly spread, are put in order."""

PERCENT = 10**9
"""Utilisation is counted in 10^-9 percent, as the table of captures does."""

VARIABLE = 0
"""In place of a refresh that is known to be variable."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One window, or all of a chain; None where the capture does not say.

    `start`, `end`: picoseconds. `blocked`: part of the time inside Present. `cpu`: the rest, a
    frame, in picoseconds: CPU work and waits elsewhere. `gpu_busy`: part of the time; `gpu`: a
    frame. `gpu_behind`: how many frames after its Present the GPU ends one. `utilisation`: percent.
    `never_shown`: part of the frames. `refresh`, `on_grid`: the display's refresh and the part of
    the display intervals that are multiples of it; `refreshes`: how many one lasts, in the mean;
    `shown`: display changes. `queued`: frames between Present and screen. `interval`: the sync
    interval. `composed`, `tearing`: part of the presents. `steadiness`: 10th to 90th percentile of
    the frame times, by their median; `pace`: the same of what 8 frames last, where Present does not
    wait and the GPU idles. `generated`: others put frames between those of the application.
    `drift`: by how much the mean frame times of the windows around it differ, None without any.
    """

    start: int
    end: int
    frames: int
    frame_time: int
    blocked: float | None
    cpu: int | None
    gpu_busy: float | None
    gpu: int | None
    gpu_behind: float | None
    utilisation: float | None
    never_shown: float | None
    shown: int
    refresh: int | None
    on_grid: float | None
    refreshes: float | None
    queued: float | None
    interval: int | None
    composed: float
    tearing: float
    steadiness: float
    pace: float | None = None
    generated: bool = False
    drift: float | None = None

    @property
    def blocked_a_frame(self) -> int | None:
        """The mean time inside Present, in picoseconds."""
        return None if self.blocked is None else round(self.blocked * self.frame_time)


class Columns:
    """A chain's presents with what all windows need, each gone through once."""

    def __init__(self, observed: Observed, refresh: int | None = None) -> None:
        self.observed = observed
        called = observed.called
        self.frame_times = list(map(sub, called[1:], called))
        self.display_times = list(map(sub, observed.displays[1:], observed.displays))
        self.display_spread = Spread(self.display_times)
        spread = self.display_spread
        self.grid = find_grid(self.display_times) if refresh is None else None
        if refresh:
            self.grid = grid_of(spread, refresh)
        self.on_grid = b""
        if self.grid is not None:
            self.on_grid = multiples(self.display_times, spread, self.grid.refresh)
        self.in_present = _filled(observed.in_present)
        self.gpu_busy = _filled(observed.gpu_busy)
        self.until_gpu_end = _Partial(observed.until_gpu_end)
        self.until_shown = _Partial(observed.until_shown)
        self.utilisation = _Partial(observed.utilisation)

    def window(self, first: int, last: int) -> Evidence:
        """Presents [first, last]: as many frame times as presents less one."""
        observed = self.observed
        start, end = observed.called[first], observed.called[last]
        frames, time = last - first, end - start
        presents = last - first + 1
        blocked = _sum(self.in_present, first, last)
        busy = _sum(self.gpu_busy, first + 1, last + 1)
        frame_time = time // frames if frames else 0
        shown = self.until_shown.count(first, last + 1)
        begin = bisect_left(observed.displays, start)
        finish = bisect_right(observed.displays, end)
        return Evidence(
            start=start,
            end=end,
            frames=frames,
            frame_time=frame_time,
            blocked=_ratio(blocked, time),
            cpu=None if blocked is None or not frames else max(0, time - blocked) // frames,
            gpu_busy=_ratio(busy, time),
            gpu=None if busy is None or not frames else busy // frames,
            gpu_behind=_ratio(self.until_gpu_end.mean(first, last + 1), frame_time),
            utilisation=_ratio(self.utilisation.mean(first, last + 1), PERCENT),
            never_shown=None if shown is None else 1 - shown / presents,
            shown=finish - begin,
            queued=_ratio(self.until_shown.mean(first, last + 1), frame_time),
            interval=_usual(observed.intervals[first : last + 1]),
            composed=1 - observed.composed.count(0, first, last + 1) / presents,
            tearing=observed.tearing.count(1, first, last + 1) / presents,
            steadiness=_steadiness(self.frame_times[first:last]),
            pace=self._pace(first, last) if _idles(blocked, busy, time) else None,
            refresh=None if self.grid is None else self.grid.refresh,
            on_grid=self._on_grid(begin, finish),
            refreshes=self._refreshes(begin, finish),
            generated=observed.generated > 0,
        )

    def _pace(self, first: int, last: int) -> float | None:
        called, step = self.observed.called, int(PACE.value)
        if last - first < 2 * step:
            return None
        apart = (last - first) // RANKED + 1
        ends = called[first + step : last + 1 : apart]
        return _steadiness(list(map(sub, ends, called[first:last:apart])))

    def _on_grid(self, begin: int, finish: int) -> float | None:
        """The part of the intervals between displays [begin, finish) that are whole refreshes."""
        intervals = finish - begin - 1
        if self.grid is None or intervals < 1:
            return None
        return 1 - self.on_grid.count(OFF_GRID, begin, finish - 1) / intervals

    def _refreshes(self, begin: int, finish: int) -> float | None:
        """How many refreshes one of them lasts in the mean."""
        if self.grid is None or finish - begin < 2:
            return None
        length = self.observed.displays[finish - 1] - self.observed.displays[begin]
        return length / (finish - begin - 1) / self.grid.refresh

    def whole(self) -> Evidence:
        """All presents as one window."""
        return self.window(0, len(self.observed) - 1)

    def windows(self) -> Iterator[tuple[int, int]]:
        """First and last present of windows of a second or more.

        Neighbours share a present, so that no time is left out.
        """
        called = self.observed.called
        last = len(called) - 1
        length = max(
            int(WINDOW.value) * PICOSECONDS,
            -(-(called[last] - called[0]) // int(MOST_WINDOWS.value)),
        )
        first = 0
        while first < last:
            until = bisect_left(called, called[first] + length, first + 1, last)
            until = min(max(until, first + int(LEAST_FRAMES.value)), last)
            if last - until < LEAST_FRAMES.value:
                until = last
            yield first, until
            first = until


def with_drift(windows: Sequence[Evidence]) -> list[Evidence]:
    """Windows that know by how much the mean frame times around each differ."""
    reach = int(NEIGHBOURS.value)
    times = [it.frame_time for it in windows]
    found = []
    for at, window in enumerate(windows):
        near = times[max(at - reach, 0) : at + reach + 1]
        drift = (max(near) - min(near)) / times[at] if len(near) > reach and times[at] else None
        found.append(replace(window, drift=drift))
    return found


class _Partial:
    """A column in which some rows are missing: means over those that are not."""

    def __init__(self, column: array[int] | None) -> None:
        self.missing = [] if column is None else missing_places(column)
        self.column = None if column is None else filled(column, self.missing)

    def count(self, first: int, end: int) -> int | None:
        """How many of rows [first, end) are known; None of no column."""
        if self.column is None:
            return None
        missing = self.missing
        return end - first - bisect_left(missing, end) + bisect_left(missing, first)

    def mean(self, first: int, end: int) -> float | None:
        count = self.count(first, end)
        if self.column is None or not count:
            return None
        return sum(self.column[first:end]) / count


def _filled(column: array[int] | None) -> array[int] | None:
    """The column with 0 in place of what is missing."""
    return None if column is None else filled(column, missing_places(column))


def _sum(column: array[int] | None, first: int, end: int) -> int | None:
    return None if column is None else sum(column[first:end])


def _ratio(part: float | None, whole: int) -> float | None:
    return None if part is None or whole <= 0 else part / whole


def _idles(blocked: int | None, busy: int | None, time: int) -> bool:
    """Whether a limiter may be at work: nothing else is known to hold the frames back."""
    waits = blocked is None or blocked >= BLOCKED.value * time
    return not waits and (busy is None or busy < GPU_FULL.value * time)


def _usual(intervals: bytes) -> int | None:
    """The sync interval of most presents; None where it is not known."""
    if not intervals:
        return None
    most = intervals[0]
    if intervals.count(most) < len(intervals):
        most = max(sorted(set(intervals)), key=intervals.count)
    return None if most == UNKNOWN_INTERVAL else most


def _steadiness(times: Sequence[int]) -> float:
    ranked = sorted(times[:: len(times) // RANKED + 1])
    size = len(ranked)
    if not size or ranked[size // 2] <= 0:
        return 0.0
    return (ranked[size * 9 // 10] - ranked[size // 10]) / ranked[size // 2]
