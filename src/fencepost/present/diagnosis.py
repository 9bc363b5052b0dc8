"""What limits a chain's frame rate, as a whole and over time, with the figures that say so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from fencepost.present.captures.table import MISSING
from fencepost.present.causes import UNDECIDED, Cause, Verdict, behind, cause_of
from fencepost.present.evidence import Columns, Evidence, with_drift
from fencepost.present.observed import Observed
from fencepost.present.rates import SECOND
from fencepost.present.refresh import OFF_GRID
from fencepost.present.spread import Spread
from fencepost.present.thresholds import MOSTLY, STUTTER, STUTTER_WINDOW

CHUNK = 256
"""Frames that are looked through together for stutters."""


class Window(NamedTuple):
    """Presents [first, last], what is seen of them, and why."""

    first: int
    last: int
    evidence: Evidence
    cause: Cause


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of time with one cause: presents [first, last], [start, end) in picoseconds."""

    first: int
    last: int
    start: int
    end: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A chain's verdict.

    `cause` has the most time, `share` of it, and its evidence is that of all presents; `presents`
    is what limits the presents where the verdict is about those that are shown. `shares`: verdict
    to its part of the time. `stutters`: frames far over the moving average; `late`: display
    intervals of more refreshes than the sync interval asks for, None where that is not known.
    """

    columns: Columns
    evidence: Evidence
    cause: Cause
    share: float
    presents: Cause | None
    shares: dict[Verdict, float]
    segments: tuple[Segment, ...]
    frame_times: Spread
    display_times: Spread
    until_shown: Spread
    stutters: int
    late: int | None

    @property
    def observed(self) -> Observed:
        """The presents."""
        return self.columns.observed

    def evidence_of(self, segment: Segment) -> Evidence:
        """What is seen in a segment."""
        if len(self.segments) == 1:
            return self.evidence
        return self.columns.window(segment.first, segment.last)

    @property
    def shown_rate(self) -> float | None:
        """Pictures a second, those of generated frames too; None where nothing was shown."""
        length = self.display_times.total
        return self.display_times.count * SECOND / length if length > 0 else None


def diagnose(observed: Observed, refresh: int | None = None) -> Diagnosis:
    """The verdict on a chain; `refresh`: picoseconds where it is known, `VARIABLE` (0) if none is.

    A chain without presents is `unknown`, as is one that changes so often that no verdict has half
    of the time.
    """
    columns = Columns(observed, refresh)
    whole = columns.whole()
    windows = _windows(columns)
    cause, share = _headline(whole, windows)
    return Diagnosis(
        columns=columns,
        evidence=whole,
        cause=cause,
        share=share,
        presents=behind(whole) if cause.verdict is Verdict.COMPOSITOR else None,
        shares=_shares(windows),
        segments=tuple(_segments(windows)),
        frame_times=Spread(columns.frame_times),
        display_times=columns.display_spread,
        until_shown=_until_shown(observed),
        stutters=count_stutters(columns.frame_times),
        late=_late(columns, whole),
    )


def _windows(columns: Columns) -> list[Window]:
    places = list(columns.windows())
    seen = with_drift([columns.window(first, last) for first, last in places])
    return [
        Window(first, last, evidence, cause_of(evidence))
        for (first, last), evidence in zip(places, seen, strict=True)
    ]


def _headline(whole: Evidence, windows: Sequence[Window]) -> tuple[Cause, float]:
    """The cause with the most time, and its verdict's part of all time."""
    if not windows or whole.end <= whole.start:
        return cause_of(whole), 1.0
    shares = _shares(windows)
    verdict = max(shares, key=lambda item: shares[item])
    if shares[verdict] < MOSTLY.value:
        return UNDECIDED._replace(meaning=_changing(shares)), shares[verdict]
    times: Counter[str] = Counter()
    for window in windows:
        times[window.cause.id] += window.evidence.end - window.evidence.start
    causes = [window.cause for window in windows if window.cause.verdict is verdict]
    return max(causes, key=lambda cause: times[cause.id]), shares[verdict]


def _changing(shares: dict[Verdict, float]) -> str:
    parts = [f"{verdict.value} {100 * share:.0f} %" for verdict, share in shares.items()]
    return f"it changes over time: {', '.join(parts)}"


def _shares(windows: Iterable[Window]) -> dict[Verdict, float]:
    """Each verdict's part of the time, the largest first."""
    times: Counter[Verdict] = Counter()
    for window in windows:
        times[window.cause.verdict] += window.evidence.end - window.evidence.start
    total = sum(times.values())
    return {verdict: time / total for verdict, time in times.most_common()} if total else {}


def _segments(windows: Iterable[Window]) -> Iterator[Segment]:
    for _, group in groupby(windows, key=lambda window: window.cause.id):
        rows = list(group)
        first, last = rows[0], rows[-1]
        start, end = first.evidence.start, last.evidence.end
        yield Segment(first.first, last.last, start, end, first.cause)


def _until_shown(observed: Observed) -> Spread:
    until = observed.until_shown
    if until is None:
        return Spread(())
    if until.count(MISSING):
        return Spread([time for time in until if time != MISSING])
    return Spread(until)


def count_stutters(times: Sequence[int]) -> int:
    """Frames that last over 2.5 times the moving average around them (thresholds `stutter`)."""
    around = int(STUTTER_WINDOW.value)
    before = around // 2
    found = 0
    for first in range(before, len(times) - before, CHUNK):
        end = min(first + CHUNK, len(times) - before)
        near = times[first - before : end + before]
        limit = STUTTER.value * min(near)
        if max(near) <= limit:
            continue  # nothing is that much longer than anything around it
        for at in [at for at, time in enumerate(near[before:-before]) if time > limit]:
            total = sum(near[at : at + around])
            found += around * near[at + before] > STUTTER.value * total
    return found


def _late(columns: Columns, whole: Evidence) -> int | None:
    if columns.grid is None or not whole.interval:
        return None
    found = columns.on_grid
    on_time = sum(found.count(times) for times in range(whole.interval + 1))
    return len(found) - found.count(OFF_GRID) - on_time
