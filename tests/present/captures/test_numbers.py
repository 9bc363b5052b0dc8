"""Text to integers: every way gives the integer nearest to what is written."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fencepost.present.captures.numbers import (
    MOST,
    NotANumber,
    clock_numbers,
    decimal,
    numbers,
    whole_numbers,
)
from fencepost.present.captures.table import MISSING

EXACT = Context(prec=200, rounding=ROUND_HALF_EVEN)


def nearest(text: str, digits: int) -> int:
    """By the standard library's decimal numbers."""
    scaled = EXACT.multiply(EXACT.create_decimal(text), Decimal(10) ** digits)
    return int(EXACT.to_integral_value(scaled))


def written(number: int, digits: int) -> str:
    sign = "-" if number < 0 else ""
    text = str(abs(number)).rjust(digits + 1, "0")
    return f"{sign}{text[:-digits]}.{text[-digits:]}" if digits else f"{sign}{text}"


TEXTS = st.builds(written, st.integers(-(10**16), 10**16), st.integers(0, 16))
FLOATS = st.floats(-1e6, 1e6).map(repr)


@given(st.lists(TEXTS | FLOATS, min_size=1))
@example(["388.19550000000004", "0.37890000000000", "-1.5", "0"])
@example(["0.0000000005", "0.0000000015", "-0.0000000005", "4503599.6273704965"])
@example(["9007199.254740991", "-9007199.254740991"])
@example(["9007199.254740992", "9007199.2547409925"])
def test_milliseconds_are_exact(texts: list[str]) -> None:
    wanted = [nearest(text, 9) for text in texts]
    found = numbers(texts, 9)
    assert list(found.values) == [value if abs(value) <= MOST else MISSING for value in wanted]
    assert found.impossible == sum(abs(value) > MOST for value in wanted)
    assert found.negative or all(value >= 0 for value in wanted)


@given(st.lists(TEXTS | FLOATS, min_size=1))
@example(["2371.410221", "2371.443958", "86400.1234567"])
def test_clocks_are_exact(texts: list[str]) -> None:
    wanted = [nearest(text, 9) for text in texts]
    found = clock_numbers(texts)
    assert list(found.values) == [value if abs(value) <= 1 << 62 else MISSING for value in wanted]


@given(st.lists(st.integers(-(10**18), 10**18), min_size=1))
def test_whole_numbers_are_exact(values: list[int]) -> None:
    assert list(whole_numbers([str(value) for value in values]).values) == values


@given(st.lists(TEXTS, min_size=1), st.data())
def test_missing_values_stay_where_they_are(texts: list[str], data: st.DataObject) -> None:
    words = st.sampled_from(["NA", "", "n/a", " NA", "null"])
    places = data.draw(st.sets(st.integers(0, len(texts) - 1)))
    mixed = [data.draw(words) if at in places else text for at, text in enumerate(texts)]
    for at, (value, plain) in enumerate(
        zip(numbers(mixed, 9).values, numbers(texts, 9).values, strict=True)
    ):
        assert value == (MISSING if at in places else plain)


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["1e3", "1E-3", "+2", ".5", "5."], [10**12, 10**6, 2 * 10**9, 5 * 10**8, 5 * 10**9]),
        ([" 12.5", "12.5 ", "\t1"], [12_500_000_000, 12_500_000_000, 10**9]),
        (["007.5", "-0"], [7_500_000_000, 0]),
        (["0.00000000049", "0.00000000051"], [0, 1]),
    ],
)
def test_all_ways_to_write_a_number(texts: list[str], values: list[int]) -> None:
    assert list(numbers(texts, 9).values) == values


@pytest.mark.parametrize("text", ["nan", "NaN", "-inf", "Infinity", "1e400", "18446744073709551"])
def test_what_is_no_measurement_is_missing_and_counted(text: str) -> None:
    found = numbers(["1.5", text, "2.5"], 9)
    assert list(found.values) == [1_500_000_000, MISSING, 2_500_000_000]
    assert (found.impossible, found.row) == (1, 1)


@pytest.mark.parametrize(
    "text", ["x", "1,5", "1.2.3", "--1", "0x10", "1 2", "1_000", ".", "e5", "1" * 65, "]", "[1"]
)
def test_what_is_no_number_is_named_by_its_row(text: str) -> None:
    for read in (lambda texts: numbers(texts, 9), clock_numbers, whole_numbers):
        with pytest.raises(NotANumber) as caught:
            read(["1", "NA", text, "y"])
        assert caught.value.row == 2


@given(st.text(max_size=8))
def test_a_single_text_is_a_number_or_none(text: str) -> None:
    try:
        value = decimal(text, 9)
    except ValueError:
        return
    assert value == nearest(text, 9)
