"""Percentiles and slowest frames by counting values, against the plain way."""

from __future__ import annotations

from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fencepost.present.spread
from fencepost.present.rates import DEFINITIONS, Definition
from fencepost.present.spread import Spread

MS = 10**9
TIMES = st.lists(st.integers(-3, 40) | st.integers(0, 10**12), min_size=1, max_size=60)
RATE = {row.key: row for row in DEFINITIONS}


@given(TIMES, st.sampled_from([0.1, 1, 3, 5, 50, 95, 97, 99, 99.9, 100]))
def test_percentiles_are_the_nearest_rank(times: list[int], percent: float) -> None:
    rank = max(1, ceil(round(percent * 1000) * len(times) / 100_000))
    assert Spread(times).percentile(percent) == sorted(times)[rank - 1]


@given(TIMES, st.integers(-2, 50))
def test_counts_and_sums(times: list[int], limit: int) -> None:
    spread = Spread(times)
    assert (spread.count, spread.total) == (len(times), sum(times))
    assert spread.mean == sum(times) // len(times)
    assert spread.above(limit) == len([time for time in times if time > limit])


@given(TIMES, st.integers(1, 60))
def test_the_slowest_frames(times: list[int], frames: int) -> None:
    assert Spread(times).slowest(frames) == sum(sorted(times)[-frames:])


@given(st.lists(st.integers(1, 100), min_size=1, max_size=40), st.integers(1, 3000))
def test_the_slowest_until_a_time_is_reached(times: list[int], limit: int) -> None:
    total = 0
    for time in sorted(times, reverse=True):
        total += time
        if total >= limit:
            break
    expected = time if total >= limit else min(times)
    assert Spread(times).slowest_until(limit) == expected


@given(TIMES, st.integers(1, 12))
def test_bins_hold_every_value_once(times: list[int], count: int) -> None:
    bins = Spread(times).bins(count)
    assert sum(inside for _, _, inside in bins) == len(times)
    assert len(bins) <= count + 1
    for start, end, inside in bins:
        assert inside == len([time for time in times if start <= time < end])
    assert [end for _, end, _ in bins[:-1]] == [start for start, _, _ in bins[1:]]


def test_three_definitions_of_one_low_differ() -> None:
    """P49: 999 frames of 8 ms and one of 200 ms."""
    times = Spread([8 * MS] * 999 + [200 * MS])
    assert RATE["p1"].rate(times) == 125
    assert RATE["low-1-average"].rate(times) == pytest.approx(36.76, abs=0.01)
    assert RATE["low-1-integral"].rate(times) == pytest.approx(5.0)
    assert RATE["low-0.1-average"].rate(times) == pytest.approx(5.0)


def test_the_average_is_frames_by_time() -> None:
    """10 and 30 ms are 50 FPS, although the mean of their rates is 66.7."""
    assert RATE["average"].rate(Spread([10 * MS, 30 * MS])) == 50


def test_97_percent_is_the_fast_end() -> None:
    """P50: a few frames in a menu set it, whatever the cap."""
    times = Spread([16 * MS] * 960 + [MS] * 40)
    assert RATE["p97"].rate(times) == 1000
    assert RATE["p1"].rate(times) == 62.5


@pytest.mark.parametrize("row", DEFINITIONS, ids=lambda row: row.key)
def test_times_of_nothing_are_no_rate(row: Definition) -> None:
    assert row.rate(Spread([0] * 1000)) == 0


@pytest.mark.parametrize("row", DEFINITIONS, ids=lambda row: row.key)
def test_too_few_frames_are_no_rate(row: Definition) -> None:
    assert row.rate(Spread([10 * MS] * row.least)) == pytest.approx(100)
    assert row.rate(Spread([10 * MS] * (row.least - 1))) is None


def test_definitions_are_named_once() -> None:
    assert len({row.name for row in DEFINITIONS}) == len(DEFINITIONS) == len(RATE)
    assert all(row.used_by and row.meaning for row in DEFINITIONS)


@given(st.lists(st.integers(0, 60), min_size=2, max_size=60, unique=True) | TIMES)
def test_times_that_hardly_repeat_are_treated_alike(times: list[int]) -> None:
    """Counted, or put in order as they are: the same answers."""
    counted = Spread(times)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fencepost.present.spread, "_hardly_repeat", lambda _: True)
        ordered = Spread(times)
    assert list(ordered.counts) == [1] * len(times)
    for percent in (0.1, 1, 50, 95, 100):
        assert counted.percentile(percent) == ordered.percentile(percent)
    for limit in (-1, 0, 7, 30):
        assert counted.above(limit) == ordered.above(limit)
    for frames in (1, 3, 60):
        assert counted.slowest(frames) == ordered.slowest(frames)
    assert counted.bins(5) == ordered.bins(5)
    assert counted.slowest_until(sum(times) // 2) == ordered.slowest_until(sum(times) // 2)


def test_what_hardly_repeats() -> None:
    assert not fencepost.present.spread._hardly_repeat(range(20_000))  # few: counting is as quick
    assert fencepost.present.spread._hardly_repeat(range(100_000))
    assert not fencepost.present.spread._hardly_repeat([n % 1000 for n in range(100_000)])
