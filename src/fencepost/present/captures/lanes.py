"""Arithmetic on whole columns: one long integer holds a column, 64 bits a value.

A capture of a million rows has ten million times in it. Python adds one long integer of a million
lanes to another about as fast as it adds a hundred thousand small ones, so columns are added,
subtracted and compared in such integers. Nothing flows from one lane into the next: each function
says why. `array("q")` goes in and comes out.
"""

from __future__ import annotations

import sys
from array import array
from functools import lru_cache

LANE = 8
"""Bytes of a value."""

SEGMENT = 8192
"""Values that are done at once: 64 KB, which stay in the cache and in memory that is used again."""

_SIGN = 1 << 63
_MASK = (1 << 64) - 1


@lru_cache(maxsize=4)
def ones(count: int) -> int:
    """1 in each of `count` lanes; times a constant of 64 bits, that constant in each."""
    return int.from_bytes((1).to_bytes(LANE, "little") * count, "little")


def packed(values: array[int]) -> int:
    """The bits of a column as one integer."""
    return int.from_bytes(values.tobytes(), sys.byteorder)


def unpacked(lanes: int, count: int) -> array[int]:
    """The column of `count` values whose bits these are."""
    values = array("q")
    values.frombytes(lanes.to_bytes(count * LANE, sys.byteorder))
    return values


def difference(first: array[int], second: array[int]) -> array[int]:
    """Each of `first` less that of `second`, modulo 2**64."""
    made = array("q")
    for start in range(0, len(first), SEGMENT):
        part = slice(start, start + SEGMENT)
        made.extend(_less(first[part], second[part]))
    return made


def total(first: array[int], second: array[int]) -> array[int]:
    """The sums of `first` and `second`, modulo 2**64."""
    made = array("q")
    for start in range(0, len(first), SEGMENT):
        part = slice(start, start + SEGMENT)
        made.extend(_more(first[part], second[part]))
    return made


def moved(values: array[int], first: int, factor: int) -> array[int] | None:
    """Each value less `first`, times `factor`; None where one would be below 0 or 2**63 or more."""
    room = 63 - factor.bit_length()
    high = _MASK >> room << room
    made = array("q")
    for start in range(0, len(values), SEGMENT):
        segment = values[start : start + SEGMENT]
        count = len(segment)
        lanes = packed(_less(segment, array("q", [first]) * count))
        if lanes & ones(count) * high:
            return None
        made.extend(unpacked(lanes * factor, count))
    return made


def any_below_zero(values: array[int]) -> bool:
    """Whether a top bit is set."""
    return any(
        packed(segment) & ones(len(segment)) * _SIGN
        for start in range(0, len(values), SEGMENT)
        if (segment := values[start : start + SEGMENT])
    )


def all_within(values: array[int], bits: int) -> bool:
    """Whether each value is at least -2**bits and less than 2**bits."""
    high = _MASK >> bits + 1 << bits + 1
    for start in range(0, len(values), SEGMENT):
        segment = values[start : start + SEGMENT]
        count = len(segment)
        if packed(_more(segment, array("q", [1 << bits]) * count)) & ones(count) * high:
            return False
    return True


def _less(first: array[int], second: array[int]) -> array[int]:
    """A difference at once.

    With its top bit set a lane of `first` is never smaller than one of `second` without, so no lane
    borrows; the top bits follow from those that were there.
    """
    count = len(first)
    a, b, top = packed(first), packed(second), ones(count) * _SIGN
    return unpacked((a | top) - (b & ~top) ^ (a ^ b) & top ^ top, count)


def _more(first: array[int], second: array[int]) -> array[int]:
    """A sum at once; without its top bit no lane carries."""
    count = len(first)
    a, b, top = packed(first), packed(second), ones(count) * _SIGN
    return unpacked((a & ~top) + (b & ~top) ^ (a ^ b) & top, count)


def places_of(value: int, values: array[int]) -> list[int]:
    """The rows in which a value stands."""
    needle = array("q", [value]).tobytes()
    places: list[int] = []
    for start in range(0, len(values), SEGMENT):
        data = values[start : start + SEGMENT].tobytes()
        at = data.find(needle)
        while at >= 0:
            row, off = divmod(at, LANE)
            if off == 0:
                places.append(start + row)
            at = data.find(needle, at + (1 if off else LANE))
    return places
