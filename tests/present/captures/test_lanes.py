"""Whole columns at once, against one value at a time."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.present.captures import lanes
from fencepost.present.captures.lanes import (
    all_within,
    any_below_zero,
    difference,
    moved,
    places_of,
    total,
)

LOW, HIGH = -(1 << 63), (1 << 63) - 1
EDGES = st.sampled_from([LOW, LOW + 1, -1, 0, 1, 255, 256, 1 << 40, HIGH - 1, HIGH])
VALUES = EDGES | st.integers(LOW, HIGH) | st.integers(-300, 300)
COLUMNS = st.lists(VALUES, min_size=1, max_size=30)
PAIRS = st.lists(st.tuples(VALUES, VALUES), max_size=30)


@pytest.fixture(autouse=True)
def small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a column of thirty has several."""
    monkeypatch.setattr(lanes, "SEGMENT", 7)


def wrapped(value: int) -> int:
    return (value - LOW) % (1 << 64) + LOW


@given(PAIRS)
def test_differences_and_sums_wrap(pairs: list[tuple[int, int]]) -> None:
    first, second = (array("q", [pair[side] for pair in pairs]) for side in (0, 1))
    assert list(difference(first, second)) == [wrapped(a - b) for a, b in pairs]
    assert list(total(first, second)) == [wrapped(a + b) for a, b in pairs]


@given(COLUMNS)
def test_signs_are_seen(values: list[int]) -> None:
    assert any_below_zero(array("q", values)) == any(value < 0 for value in values)


@given(COLUMNS, st.integers(0, 61))
def test_bounds_are_exact(values: list[int], bits: int) -> None:
    small = [value % (1 << 62) * (-1) ** (value % 2) for value in values]
    assert all_within(array("q", small), bits) == all(
        -(1 << bits) <= it < 1 << bits for it in small
    )


@given(COLUMNS, st.data(), st.sampled_from([1, 100, 1000, 100_000]))
def test_moved_is_exact_or_refused(values: list[int], data: st.DataObject, factor: int) -> None:
    times = [value % (1 << 62) for value in values]
    first = data.draw(st.sampled_from(times))
    found = moved(array("q", times), first, factor)
    wanted = [(time - first) * factor for time in times]
    if found is None:
        assert not all(0 <= value < 1 << 62 for value in wanted)
    else:
        assert list(found) == wanted


@given(st.lists(st.sampled_from([0, 1, LOW, 1 << 32, 1 << 56, -1]) | VALUES, max_size=40), VALUES)
def test_places_are_found(values: list[int], other: int) -> None:
    for value in (0, LOW, other):
        wanted = [at for at, it in enumerate(values) if it == value]
        assert places_of(value, array("q", values)) == wanted
