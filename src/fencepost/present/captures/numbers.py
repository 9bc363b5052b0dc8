"""Decimal text to integers, exactly: a column at a time where it can be, else a value at a time.

Three ways, the fast one first; all give the integer nearest to what is written.

- `12.3456` and `e9` behind it is decoded as an integer, all of a column at once. The decoder makes
  the double that is nearest to the text and takes it if it is whole. Below 2**53 every integer is a
  double, so a whole one is the nearest integer too.
- What is not whole, like 388.19550000000004, is rounded if it is near an integer: below 2**50 a
  double is at most 1/16 from the text.
- All else is read digit by digit.
"""

from __future__ import annotations

import re
from array import array
from functools import lru_cache
from operator import sub
from typing import Annotated, NamedTuple

import msgspec

from fencepost.present.captures.table import MISSING

ABSENT = frozenset({"", "na", "n/a", "null", "none", "-", "nan(ind)", "-nan(ind)"})
"""What stands for no value, in any case."""

MOST = (1 << 53) - 1
"""Units beyond which a value is no measurement: 9007 s where the unit is ps."""

LONGEST_TEXT = 64
"""Characters that a number may have."""

_DECIMAL = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,3}))?")
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)

_NEAR, _ROUNDED_BELOW = 0.25, 1 << 50

_FLOATS = msgspec.json.Decoder(list[float])
_INTEGERS = msgspec.json.Decoder(
    list[Annotated[int, msgspec.Meta(ge=-MOST, le=MOST)]], strict=False
)


class NotANumber(ValueError):
    """A text that is no number; `row` is its place in the column."""

    def __init__(self, row: int) -> None:
        super().__init__(row)
        self.row = row


class Numbers(NamedTuple):
    """A column of integers, `MISSING` where there is no value.

    `impossible` says how many were not finite or far too large, which are missing too, and `row`
    where the first one stands; `negative` whether any may be below 0, `constant` whether all are
    the same and not to be changed.
    """

    values: array[int]
    negative: bool = False
    impossible: int = 0
    row: int = -1
    constant: bool = False


@lru_cache(maxsize=64)
def constant(value: int, count: int) -> array[int]:
    """A column of one value; the same one every time, so it is not to be changed."""
    return array("q", [value]) * count


def numbers(texts: list[str], digits: int) -> Numbers:
    """Every text times 10**digits, as the nearest integer; raises `NotANumber`."""
    found = _at_once(texts, f"e{digits}")
    return _one_by_one(texts, digits) if found is None else found


def whole_numbers(texts: list[str]) -> Numbers:
    """Texts that are integers, of up to 18 digits; raises `NotANumber`."""
    found = _at_once(texts, "")
    return _one_by_one(texts, 0, 10**18) if found is None else found


def clock_numbers(texts: list[str]) -> Numbers:
    """Times of a clock in 10**-9 of its unit, which may be large; raises `NotANumber`."""
    found = _at_once(texts, "e9")
    return _one_by_one(texts, 9, 1 << 62) if found is None else found


def decimal(text: str, digits: int) -> int:
    """A decimal number times 10**digits, rounded half to even; raises `ValueError` for others."""
    match = _DECIMAL.fullmatch(text) if len(text) <= LONGEST_TEXT else None
    if match is None or not (match[2] or match[3]):
        raise ValueError(text)
    fraction = match[3] or ""
    number = int(match[2] + fraction)
    shift = digits + int(match[4] or 0) - len(fraction)
    if shift >= 0:
        number *= _power(shift)
    else:
        number, rest = divmod(number, _power(-shift))
        half = 2 * rest - _power(-shift)
        number += half > 0 or (half == 0 and number % 2 == 1)
    return -number if match[1] == "-" else number


def _power(exponent: int) -> int:
    return int(10**exponent)


def _one_by_one(texts: list[str], digits: int, most: int = MOST) -> Numbers:
    values = array("q")
    impossible, first = 0, -1
    for row, text in enumerate(texts):
        bare = text.strip()
        value = MISSING
        if bare.lower() not in ABSENT:
            if not _NOT_FINITE.fullmatch(bare):
                try:
                    value = decimal(bare, digits)
                except ValueError:
                    raise NotANumber(row) from None
            if abs(value) > most:
                value = MISSING
                impossible += 1
                first = row if first < 0 else first
        values.append(value)
    return Numbers(values, True, impossible, first)


def _at_once(texts: list[str], exponent: str) -> Numbers | None:
    """The whole column decoded at once, or None where that is not sure to be exact."""
    comma = f"{exponent},"
    joined = comma.join(texts)
    places: list[int] = []
    if "N" in joined:
        absent = texts.count("NA")
        if absent == len(texts):
            return Numbers(constant(MISSING, absent), constant=True)
        places = [row for row, text in enumerate(texts) if text == "NA"]
        joined = comma.join(["0" if text == "NA" else text for text in texts])
    values = _decoded(f"[{joined}{exponent}]")
    if values is None or len(values) != len(texts):
        return None
    for row in places:
        values[row] = MISSING
    return Numbers(values, "-" in joined)


def _decoded(text: str) -> array[int] | None:
    try:
        return array("q", _INTEGERS.decode(text))
    except msgspec.DecodeError:
        pass
    try:
        found = _FLOATS.decode(text)
    except msgspec.DecodeError:
        return None
    if not -_ROUNDED_BELOW < min(found) <= max(found) < _ROUNDED_BELOW:
        return None
    values = list(map(round, found))
    off = list(map(sub, found, values))
    return array("q", values) if -_NEAR < min(off) <= max(off) < _NEAR else None
