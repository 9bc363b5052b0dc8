"""What limits a chain's frame rate, as a whole and over time, with the figures that say so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from fencepost.present.captures.table import MISSING
from fencepost.present.causes import UNDECIDED, Cause, Verdict, behind, cause_of
from fencepost.present.evidence import Columns, Evidence
from fencepost.present.observed import Observed
from fencepost.present.rates import SECOND
from fencepost.present.refresh import OFF_GRID
from fencepost.present.spread import Spread
from fencepost.present.thresholds import MOSTLY, STUTTER, STUTTER_WINDOW

CHUNK = 256
"""Frames that are looked through together for stutters."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of time with one cause; `evidence` is that of its windows together."""

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

    observed: Observed
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
    windows = [(window, cause_of(window)) for window in columns.windows()]
    cause, share = _headline(whole, windows)
    return Diagnosis(
        observed=observed,
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


def _headline(whole: Evidence, windows: Sequence[tuple[Evidence, Cause]]) -> tuple[Cause, float]:
    """The cause with the most time, and its verdict's part of all time."""
    total = whole.end - whole.start
    if not windows or total <= 0:
        return cause_of(whole), 1.0
    times: Counter[str] = Counter()
    for window, cause in windows:
        times[cause.id] += window.end - window.start
    shares = _shares(windows)
    verdict = max(shares, key=lambda item: shares[item])
    if shares[verdict] < MOSTLY.value:
        return UNDECIDED._replace(meaning=_changing(shares)), shares[verdict]
    causes = [cause for _, cause in windows if cause.verdict is verdict]
    return max(causes, key=lambda cause: times[cause.id]), shares[verdict]


def _changing(shares: dict[Verdict, float]) -> str:
    parts = [f"{verdict.value} {100 * share:.0f} %" for verdict, share in shares.items()]
    return f"it changes over time: {', '.join(parts)}"


def _shares(windows: Iterable[tuple[Evidence, Cause]]) -> dict[Verdict, float]:
    """Each verdict's part of the time, the largest first."""
    times: Counter[Verdict] = Counter()
    for window, cause in windows:
        times[cause.verdict] += window.end - window.start
    total = sum(times.values())
    return {verdict: time / total for verdict, time in times.most_common()} if total else {}


def _segments(windows: Iterable[tuple[Evidence, Cause]]) -> Iterable[Segment]:
    for _, group in groupby(windows, key=lambda row: row[1].id):
        rows = list(group)
        yield Segment(rows[0][0].start, rows[-1][0].end, rows[0][1])


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
    for first in range(0, len(times), CHUNK):
        near = times[max(first - before, 0) : first + CHUNK + before]
        if len(near) < around or max(near) <= STUTTER.value * min(near):
            continue  # nothing is that much longer than anything around it
        sums = list(accumulate(near, initial=0))
        rows = zip(near[before : len(near) - before], sums[around:], sums, strict=False)
        found += sum([around * time > STUTTER.value * (end - start) for time, end, start in rows])
    return found


def _late(columns: Columns, whole: Evidence) -> int | None:
    if columns.grid is None or not whole.interval:
        return None
    found = columns.on_grid
    on_time = sum(found.count(times) for times in range(whole.interval + 1))
    return len(found) - found.count(OFF_GRID) - on_time
