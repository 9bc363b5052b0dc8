"""Times of the presentation queue: integer picoseconds, made from milliseconds and rates."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from fencepost.errors import UsageProblem

PICOSECONDS = 1_000_000_000
"""In a millisecond."""

LONGEST = 1_000_000 * PICOSECONDS
"""No single time is longer than 1000 seconds: sums of them stay within 64 bits."""

PARTS = 1_000_000
"""A fraction of a frame is counted in millionths."""

Amount = int | float | str | Decimal


def shown(value: object) -> str:
    """A bad value as messages show it: on one line, and not endless."""
    text = str(value)
    text = text if text.isprintable() else repr(text)
    return text if len(text) <= 40 else f"{text[:37]}..."


def milliseconds(value: Amount, name: str = "time") -> int:
    """A time in picoseconds; raises `UsageProblem` unless it is 0 to 1000000 milliseconds."""
    number = decimal_of(value, name)
    if not 0 <= number <= LONGEST // PICOSECONDS:
        raise UsageProblem(f"{name} is {shown(value)} ms", expected="0 to 1000000 ms")
    return round(number * PICOSECONDS)


def period_of(rate: Amount, name: str = "rate") -> int:
    """The picoseconds between two of `rate` a second; raises `UsageProblem` outside 1 to 10000."""
    number = decimal_of(rate, name)
    if not 1 <= number <= 10_000:
        raise UsageProblem(f"{name} is {shown(rate)} a second", expected="1 to 10000")
    return round(1000 * PICOSECONDS / number)


def parts_of(fraction: Amount, name: str = "fraction") -> int:
    """A fraction of a frame in millionths; raises `UsageProblem` unless it is 0 to 1."""
    number = decimal_of(fraction, name)
    if not 0 <= number <= 1:
        raise UsageProblem(f"{name} is {shown(fraction)}", expected="0 to 1")
    return round(number * PARTS)


def decimal_of(value: Amount, name: str) -> Decimal:
    """The number as it is written; raises `UsageProblem` for anything else, NaN and infinity."""
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite():
        raise UsageProblem(f"{name} is {shown(value)}", expected="a finite number")
    return number


def in_milliseconds(time: int) -> float:
    """Picoseconds as milliseconds, for people."""
    return time / PICOSECONDS


def require_range(name: str, value: object, low: int, high: int) -> None:
    """Raises `UsageProblem` unless the value is an integer from `low` to `high`."""
    if not isinstance(value, int) or not low <= value <= high:
        raise UsageProblem(f"{name} is {shown(value)}", expected=f"an integer, {low} to {high}")
