"""Times as integer picoseconds: exact from decimal numbers, and as people read them."""

from __future__ import annotations

import re
from decimal import Decimal

UNITS: dict[str, int] = {"ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9, "s": 10**12}
"""Unit -> picoseconds."""

LONGEST = (1 << 63) - 1
"""Picoseconds of a timeline from its first instant to its last: 106 days."""

DIGITS = 24
"""Digits before the point that a number of units may have."""

_SUITS = {"ns": 10 * UNITS["us"], "us": 10 * UNITS["ms"], "ms": 100 * UNITS["s"]}
_TOO_LARGE: int = 10**DIGITS
_TIME = re.compile(r"([0-9]{1,20}(?:\.[0-9]{1,20})?)\s*(ps|ns|us|ms|s)")


def is_time(value: int | Decimal) -> bool:
    """Whether a number is finite and small enough to be counted in picoseconds."""
    if isinstance(value, Decimal):
        return value.is_finite() and value.adjusted() < DIGITS
    return abs(value) < _TOO_LARGE


def picoseconds(value: int | Decimal, unit: int) -> int:
    """`value` units of `unit` picoseconds; what lies between two picoseconds is rounded to even."""
    return round(value * unit)


def exact(time: int, unit: str) -> str:
    """A time in `unit`, with all its digits and no zeros behind them: `-1.5` for -1500 in ns."""
    whole, rest = divmod(abs(time), UNITS[unit])
    digits = len(str(UNITS[unit])) - 1
    fraction = f".{rest:0{digits}d}".rstrip("0").rstrip(".") if rest else ""
    return f"{'-' if time < 0 else ''}{whole}{fraction}"


def parse_time(text: str) -> int | None:
    """The picoseconds of a number with its unit, like `12.5us`; None for anything else."""
    match = _TIME.fullmatch(text.strip())
    return round(Decimal(match[1]) * UNITS[match[2]]) if match else None


def unit_for(time: int) -> str:
    """The unit that suits a table whose longest time this is."""
    return next((unit for unit, below in _SUITS.items() if time < below), "s")


def in_unit(time: int, unit: str) -> str:
    """A time with three decimals in `unit`, which is not named; rounded half up."""
    thousandths = (abs(time) * 1000 + UNITS[unit] // 2) // UNITS[unit]
    return f"{'-' if time < 0 else ''}{thousandths // 1000:,}.{thousandths % 1000:03d}"


def shown(time: int) -> str:
    """A time with three decimals in the unit that fits it: `388.587 ms`; rounded half up."""
    unit = next((name for name in ("s", "ms", "us", "ns") if abs(time) >= UNITS[name]), "ps")
    if unit == "ps":
        return f"{time} ps"
    return f"{in_unit(time, unit)} {unit}"


def percent(part: int, whole: int) -> str:
    """`26.77 %`, rounded half up; `-` of nothing."""
    if not whole:
        return "-"
    hundredths = (part * 20_000 + whole) // (2 * whole)
    return f"{hundredths // 100}.{hundredths % 100:02d} %"
