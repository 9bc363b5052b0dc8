from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.timeline.times import (
    UNITS,
    exact,
    is_time,
    parse_time,
    percent,
    picoseconds,
    shown,
    unit_for,
)


@pytest.mark.parametrize(
    ("value", "unit", "time"),
    [
        (3, "us", 3_000_000),
        (Decimal("4203669604595.407"), "us", 4203669604595407000),
        (Decimal("1661203463029566.0005"), "us", 1661203463029566000500),
        (Decimal("0.0000004"), "us", 0),
        (Decimal("0.0000016"), "us", 2),
        (Decimal("-1.5"), "ms", -1_500_000_000),
        (Decimal("1E+3"), "ns", 1_000_000),
    ],
)
def test_numbers_become_picoseconds_without_loss(
    value: int | Decimal, unit: str, time: int
) -> None:
    assert picoseconds(value, UNITS[unit]) == time


@pytest.mark.parametrize("text", ["NaN", "sNaN", "Infinity", "-Infinity", "1E+24", "1E+999999999"])
def test_what_is_no_time(text: str) -> None:
    assert not is_time(Decimal(text))


def test_what_is_a_time() -> None:
    decimals = [Decimal(0), Decimal("1E-999"), Decimal("9E+23")]
    assert all(map(is_time, decimals))
    assert all(map(is_time, [0, -1, 10**24 - 1]))
    assert not is_time(10**24)
    assert not is_time(-(10**24))


@pytest.mark.parametrize(
    ("time", "text"),
    [
        (0, "0 ps"),
        (999, "999 ps"),
        (1000, "1.000 ns"),
        (1500, "1.500 ns"),
        (388_587_000_000, "388.587 ms"),
        (1_234_567_890_123_456, "1,234.568 s"),
        (-1500, "-1.500 ns"),
        (1_000_500, "1.001 us"),
    ],
)
def test_times_are_shown_in_the_unit_that_fits(time: int, text: str) -> None:
    assert shown(time) == text


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [(0, 0, "-"), (0, 5, "0.00 %"), (1, 3, "33.33 %"), (2, 3, "66.67 %"), (5, 5, "100.00 %")],
)
def test_percentages(part: int, whole: int, text: str) -> None:
    assert percent(part, whole) == text


@pytest.mark.parametrize(
    ("text", "time"),
    [("1us", 10**6), (" 2.5 ns", 2500), ("0s", 0), ("1", None), ("-1us", None), ("us", None)],
)
def test_a_time_is_read_with_its_unit(text: str, time: int | None) -> None:
    assert parse_time(text) == time


@pytest.mark.parametrize(
    ("time", "unit"),
    [(0, "ns"), (10**7 - 1, "ns"), (10**7, "us"), (10**10, "ms"), (10**14, "s")],
)
def test_a_table_has_the_unit_of_its_longest_time(time: int, unit: str) -> None:
    assert unit_for(time) == unit


@given(st.integers(-(10**20), 10**20), st.sampled_from(list(UNITS)))
def test_exact_loses_nothing(time: int, unit: str) -> None:
    text = exact(time, unit)
    assert Fraction(text) * UNITS[unit] == time
    assert "." not in text or not text.endswith(("0", "."))
