"""Evidence out of columns, against the plain way: one present after the other."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.present.captures.table import MISSING
from fencepost.present.evidence import Columns, Evidence, with_drift
from fencepost.present.observed import UNKNOWN_INTERVAL, Observed, filled, missing_places
from tests.present.observe import MS, PLAIN, presents

ROWS = st.lists(
    st.tuples(
        st.integers(1, 40 * MS),  # since the present before
        st.integers(0, 20 * MS) | st.just(MISSING),  # in Present
        st.integers(0, 40 * MS) | st.just(MISSING),  # GPU busy
        st.integers(-5 * MS, 40 * MS) | st.just(MISSING),  # until GPU end
        st.integers(0, 60 * MS) | st.just(MISSING),  # until shown
        st.sampled_from([0, 1, 2, UNKNOWN_INTERVAL]),
        st.sampled_from([0, 1, 2]),
        st.sampled_from([0, 1]),
    ),
    min_size=3,
    max_size=60,
)


def observed_of(rows: list[tuple[int, ...]]) -> Observed:
    made = presents([row[0] for row in rows[1:]], busy=0, until_gpu_end=0)
    columns = [type(made.called)("q", [row[at] for row in rows]) for at in range(1, 5)]
    times = zip(made.called, columns[3], strict=True)
    return replace(
        made,
        in_present=columns[0],
        gpu_busy=columns[1],
        until_gpu_end=columns[2],
        until_shown=columns[3],
        displays=sorted(called + until for called, until in times if until != MISSING),
        intervals=bytes(row[5] for row in rows),
        composed=bytes(row[6] for row in rows),
        tearing=bytes(row[7] for row in rows),
    )


def known(values: list[int]) -> list[int]:
    return [value for value in values if value != MISSING]


def mean(values: list[int]) -> float | None:
    found = known(values)
    return sum(found) / len(found) if found else None


def near(found: float | None, expected: float | None) -> bool:
    return found == pytest.approx(expected) if expected is not None else found is None


def check(found: Evidence, rows: list[tuple[int, ...]]) -> None:
    """All of a window that does not depend on the refresh; `rows` are its presents."""
    time = sum(row[0] for row in rows[1:])
    assert (found.frames, found.end - found.start) == (len(rows) - 1, time)
    assert near(found.blocked, sum(known([row[1] for row in rows[:-1]])) / time)
    assert near(found.gpu_busy, sum(known([row[2] for row in rows[1:]])) / time)
    frame = time // (len(rows) - 1)
    for at, value in ((3, found.gpu_behind), (4, found.queued)):
        expected = mean([row[at] for row in rows])
        assert near(value, None if expected is None else expected / frame)
    lost = [row for row in rows if row[4] == MISSING]
    assert near(found.never_shown, len(lost) / len(rows))
    assert near(found.composed, len([row for row in rows if row[6]]) / len(rows))
    assert near(found.tearing, len([row for row in rows if row[7]]) / len(rows))
    votes = Counter(row[5] for row in rows)
    most = max(votes.values())
    usual = {None if it == UNKNOWN_INTERVAL else it for it, votes in votes.items() if votes == most}
    assert found.interval in usual


@given(ROWS)
def test_all_presents(rows: list[tuple[int, ...]]) -> None:
    check(Columns(observed_of(rows)).whole(), rows)


@given(ROWS, st.data())
def test_any_window(rows: list[tuple[int, ...]], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(rows) - 2))
    last = data.draw(st.integers(first + 1, len(rows) - 1))
    check(Columns(observed_of(rows)).window(first, last), rows[first : last + 1])


@given(ROWS, st.sampled_from([5 * MS, 16 * MS]))
def test_display_intervals_against_a_known_refresh(
    rows: list[tuple[int, ...]], refresh: int
) -> None:
    observed = observed_of(rows)
    found = Columns(observed, refresh).whole()
    start, end = observed.called[0], observed.called[-1]
    inside = [moment for moment in observed.displays if start <= moment <= end]
    assert found.shown == len(inside)
    times = [later - now for now, later in pairwise(inside)]
    if not times:
        assert found.on_grid is found.refreshes is None
        return
    good = [time for time in times if time >= refresh / 2 and _off(time, refresh) <= refresh / 25]
    assert found.on_grid == pytest.approx(len(good) / len(times))
    assert found.refreshes == pytest.approx(sum(times) / len(times) / refresh)


def _off(time: int, refresh: int) -> int:
    return min(time % refresh, refresh - time % refresh)


@given(st.lists(st.integers(0, 3).map(lambda it: it or MISSING), max_size=300))
def test_missing_places(values: list[int]) -> None:
    column = presents([]).called[:0]
    column.extend(values)
    places = missing_places(column)
    assert places == [at for at, value in enumerate(values) if value == MISSING]
    assert list(filled(column, places)) == [0 if it == MISSING else it for it in values]


def test_windows_last_a_second_and_share_a_present() -> None:
    columns = Columns(presents([10 * MS] * 1000))
    windows = list(columns.windows())
    assert windows[0] == (0, 100)
    assert [last for _, last in windows[:-1]] == [first for first, _ in windows[1:]]
    assert windows[-1][1] == 1000
    assert len(windows) == 10


def test_drift_is_that_of_the_windows_around() -> None:
    times = [10, 10, 10, 10, 20, 10, 10, 10]
    windows = [replace(PLAIN, frame_time=time * MS) for time in times]
    found = [window.drift for window in with_drift(windows)]
    assert found == [0, 0, 1, 1, 0.5, 1, 1, 0]
    assert [window.drift for window in with_drift(windows[:2])] == [None, None]


def test_slow_frames_make_longer_windows() -> None:
    windows = list(Columns(presents([500 * MS] * 100)).windows())
    assert all(last - first >= 12 for first, last in windows)


def test_long_captures_have_longer_windows() -> None:
    windows = list(Columns(presents([500 * MS] * 20_000)).windows())
    assert 900 <= len(windows) <= 1000
