"""Decimal text to integers, exactly: a column at a time where it can be, else a value at a time.

A column of text is decoded to doubles at once, scaled, and rounded to quarters of the unit that is
wanted. Where all of them are whole, each is the integer nearest to what was written (see `_whole`);
where any is not, or is large, the column is done again digit by digit. So both ways give the same.
"""

from __future__ import annotations

import re
import sys
from array import array
from functools import lru_cache
from typing import NamedTuple

import msgspec

from fencepost.present.captures.table import MISSING

ABSENT = frozenset({"", "na", "n/a", "null", "none", "-", "nan(ind)", "-nan(ind)"})
"""What stands for no value, in any case."""

MOST = 10**16
"""Units of 10**-9 beyond which a value is no measurement: 10000 s where the unit is ps."""

LONGEST_TEXT = 64
"""Characters that a number may have."""

_DECIMAL = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,3}))?")
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
_FINER = re.compile(r"\.[0-9]{7}0*+[1-9]|[eE]")
"""A number with more than seven decimals, or with an exponent."""

_FLOATS = msgspec.json.Decoder(list[float])
_INTEGERS = msgspec.json.Decoder(list[int])


class NotANumber(ValueError):
    """A text that is no number; `row` is its place in the column."""

    def __init__(self, row: int) -> None:
        super().__init__(row)
        self.row = row


class Numbers(NamedTuple):
    """A column of integers, `MISSING` where there is no value.

    `impossible` says how many were not finite or far too large, which are missing too, and `row`
    where the first one stands; `negative` whether any may be below 0.
    """

    values: array[int]
    negative: bool = False
    impossible: int = 0
    row: int = -1


def numbers(texts: list[str], digits: int) -> Numbers:
    """Every text times 10**digits, as the nearest integer; raises `NotANumber`."""
    found = _at_once(texts, 4.0 * 10**digits)
    return _one_by_one(texts, digits) if found is None else found


def whole_numbers(texts: list[str]) -> Numbers:
    """Texts that are integers, of up to 18 digits; raises `NotANumber`."""
    try:
        values = array("q", _INTEGERS.decode(f"[{','.join(texts)}]"))
    except (msgspec.DecodeError, OverflowError):
        return _one_by_one(texts, 0, 10**18)
    if len(values) != len(texts):
        return _one_by_one(texts, 0, 10**18)
    return Numbers(values, negative=True)


def clock_numbers(texts: list[str]) -> Numbers:
    """Times of a clock in 10**-9 of its unit, which may be large; raises `NotANumber`."""
    if not _FINER.search(",".join(texts)):
        found = _at_once(texts, 4.0e7)
        if found is not None and MISSING not in found.values:
            return Numbers(array("q", [value * 100 for value in found.values]), found.negative)
    found = _at_once(texts, 4.0e9)
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


def _at_once(texts: list[str], scale: float) -> Numbers | None:
    """The whole column through doubles, or None where that is not sure to be exact."""
    count = len(texts)
    absent = texts.count("NA")
    if absent == count:
        return Numbers(array("q", [MISSING]) * count)
    places: list[int] = []
    if absent:
        places = [row for row, text in enumerate(texts) if text == "NA"]
        texts = ["0" if text == "NA" else text for text in texts]
    try:
        found = _FLOATS.decode(f"[{','.join(texts)}]")
    except msgspec.DecodeError:
        return None
    made = _whole(found, scale) if len(found) == count else None
    if made is not None:
        for row in places:
            made.values[row] = MISSING
    return made


# A double of 2**52 + 2**51 + n, with n from -2**51 on and below 2**51, has 2**51 + n in its low 52
# bits and always the same above.
_MAGIC = float(3 << 51)
_LANE = 64
_EXPONENT = 0xFFF << 52
_CONSTANT = 0x433 << 52
_SIGN = 1 << 49
_ABOVE = (1 << 64) - (1 << 50)


class _Lanes(NamedTuple):
    """Constants repeated once for every 64-bit lane of one long integer."""

    exponent: int
    constant: int
    quarters: int
    sign: int
    one: int


@lru_cache(maxsize=8)
def _lanes(count: int) -> _Lanes:
    ones = int.from_bytes((1).to_bytes(8, "little") * count, "little")
    return _Lanes(ones * _EXPONENT, ones * _CONSTANT, ones * 3, ones * _SIGN, ones)


def _whole(found: list[float], scale: float) -> Numbers | None:
    """Each number times a quarter of `scale`, or None where one is large or not near an integer.

    The text's value v is read with a relative error of 2**-53, and so is made its product with
    `scale`: below 2**51 that is off by about 0.5 at most, and by about 1 once it is rounded to an
    integer. Where that integer is 4 k, v is about a quarter of a unit from k: k is the nearest.

    All lanes are done at once in one long integer: the bits of the sum with `_MAGIC` are that
    integer, and of a column that is good nothing flows from one lane into another.
    """
    count = len(found)
    lanes = _lanes(count)
    doubles = array("d", [number * scale + _MAGIC for number in found])
    bits = int.from_bytes(doubles.tobytes(), sys.byteorder)
    if bits & lanes.exponent != lanes.constant or bits & lanes.quarters:
        return None
    biased = (bits ^ lanes.constant) >> 2  # 2**49 + k
    below = ((biased >> 49) & lanes.one) ^ lanes.one  # 1 where k < 0
    made = (biased ^ lanes.sign) | below * _ABOVE  # the sign, in all bits above
    values = array("q")
    values.frombytes(made.to_bytes(count * _LANE // 8, sys.byteorder))
    return Numbers(values, bool(below))
