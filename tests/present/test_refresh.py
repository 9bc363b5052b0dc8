"""The refresh of a display out of display intervals."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.present.refresh import (
    OFF_GRID,
    exact_refresh,
    find_grid,
    grid_of,
    multiple,
    multiples,
)
from fencepost.present.spread import Spread

MS = 10**9


def vsynced(refresh: int, steps: list[int], jitter: int, seed: int) -> list[int]:
    """Moments on a grid, each with jitter of its own."""
    random, at, moments = Random(seed), 0, []
    for step in steps:
        at += step
        moments.append(at * refresh + random.randint(-jitter, jitter))
    return moments


def intervals(moments: list[int]) -> list[int]:
    return [later - now for now, later in pairwise(moments)]


@given(
    st.sampled_from([60, 59.94, 75, 120, 144, 165, 240, 360]),
    st.lists(st.sampled_from([1, 1, 1, 2, 3]), min_size=30, max_size=80),
    st.integers(0, 9),
)
def test_the_refresh_is_found(rate: float, steps: list[int], seed: int) -> None:
    refresh = round(1e12 / rate)
    moments = vsynced(refresh, [1, 1, 1, *steps], refresh // 200, seed)
    grid = find_grid(intervals(moments))
    assert grid is not None
    assert grid.refresh == pytest.approx(refresh, rel=0.01)
    assert grid.share > 0.95


def test_the_refresh_is_exact_over_a_long_time() -> None:
    refresh = 16_680_600_000
    moments = vsynced(refresh, [1] * 6000, 50_000_000, 1)
    grid = find_grid(intervals(moments))
    assert grid is not None
    found, phase = exact_refresh(moments, grid.refresh)
    assert found == pytest.approx(refresh, abs=2000)
    assert phase == pytest.approx(refresh, abs=10_000_000)


@pytest.mark.parametrize("seed", range(5))
def test_frames_that_come_at_any_time_have_no_refresh(seed: int) -> None:
    random = Random(seed)
    assert find_grid([random.randint(5 * MS, 12 * MS) for _ in range(1000)]) is None


@pytest.mark.parametrize(("rate", "found"), [(30, 60), (24, 48), (20, 60), (60, 60), (48, 48)])
def test_slow_pictures_are_several_refreshes(rate: int, found: int) -> None:
    period = round(1e12 / rate)
    grid = find_grid([period] * 50)
    assert grid is not None
    assert grid.refresh == pytest.approx(1e12 / found, rel=1e-6)


@pytest.mark.parametrize(("rate", "found"), [(12, True), (11, False), (2, False)])
def test_very_slow_pictures_say_nothing(rate: int, found: bool) -> None:
    assert (find_grid([round(1e12 / rate)] * 50) is not None) is found


def test_few_intervals_say_nothing() -> None:
    assert find_grid([16 * MS] * 7) is None
    assert find_grid([16 * MS] * 8) is not None
    assert find_grid([]) is None


def test_a_known_refresh_is_taken() -> None:
    grid = grid_of(Spread([10 * MS, 20 * MS, 25 * MS, 30 * MS]), 10 * MS)
    assert (grid.refresh, grid.share) == (10 * MS, 0.75)
    assert grid_of(Spread([]), 10 * MS).share == 0


@pytest.mark.parametrize(
    ("interval", "times"),
    [(100, 1), (104, 1), (105, OFF_GRID), (96, 1), (95, OFF_GRID), (204, 2), (40, OFF_GRID)],
)
def test_multiples_have_a_width(interval: int, times: int) -> None:
    assert multiple(interval, 100) == times


def test_multiples_of_many() -> None:
    values = [100, 200, 150, -100, 0, 100 * 999]
    codes = multiples(values, Spread(values), 100)
    assert list(codes) == [1, 2, OFF_GRID, OFF_GRID, OFF_GRID, 254]
