"""When Present was called: from a clock column, whatever its unit, or from the intervals.

A clock that counts ticks, or whose unit depends on the version that wrote it, is measured against
the intervals beside it. One that is coarser than the intervals only anchors them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from itertools import accumulate
from operator import sub
from typing import NamedTuple

from fencepost.present.captures.table import MISSING

SECOND = 10**12
"""Picoseconds."""

TICKS = 10_000_000
"""Ticks a second of the performance counter where nothing else is seen: Windows 10 and later."""

NOMINAL = (TICKS, 24_000_000, 19_200_000, 14_318_180, 3_579_545)
"""Frequencies of the hardware behind performance counters; a measured one this close is one."""

CLOSE = 10_000
"""One part in this many is close to a nominal frequency."""

PAIRS = 2_000
"""Rows that a clock is measured on."""

COARSE = SECOND // 10_000
"""A clock whose steps are this long, 0.1 ms, or longer only anchors the intervals; assumed."""

LATE = SECOND // 1_000
"""Rows are missing where the clock and the interval differ by more than this, 1 ms; assumed."""

_PER_SECOND = {"s": 10**9, "ms": 10**12, "ns": 10**9, "date": 10**9}

Columns = Mapping[str, "array[int]"]


class Clock(NamedTuple):
    """A clock column: its title, quantity and unit; `whole` if it was written without decimals."""

    title: str
    quantity: str
    unit: str
    whole: bool = False


class Scale(NamedTuple):
    """How many units of a clock make a second, its earliest moment, and what is to be noted."""

    per_second: int
    origin: int
    note: str = ""

    def moments(self, values: array[int]) -> array[int]:
        """Picoseconds since the earliest moment; whole numbers, the nearest ones."""
        first, (factor, rest) = self.origin, divmod(SECOND, self.per_second)
        if rest == 0:
            if MISSING not in values:
                return array("q", [(value - first) * factor for value in values])
            return array(
                "q", [value if value == MISSING else (value - first) * factor for value in values]
            )
        half = self.per_second // 2
        return array(
            "q",
            [
                value if value == MISSING else ((value - first) * SECOND + half) // self.per_second
                for value in values
            ],
        )


def scale_of(clock: Clock, chains: Iterable[Columns]) -> Scale | None:
    """The scale of a clock; None where it says nothing, or has no unit that fits."""
    columns = [chain for chain in chains if clock.quantity in chain]
    first = [
        min((v for v in it[clock.quantity] if v != MISSING), default=MISSING) for it in columns
    ]
    known = [value for value in first if value != MISSING]
    if not known:
        return None
    longest = max(columns, key=lambda chain: len(chain[clock.quantity]))
    measured = _measured(longest, clock.quantity)
    per_second = _PER_SECOND.get(clock.unit) or _unit(clock, measured)
    if per_second == 0:
        return None
    return Scale(per_second, min(known), _said(clock, per_second, measured))


def _said(clock: Clock, per_second: int, measured: int) -> str:
    """What is to be noted about a clock."""
    if clock.unit in _PER_SECOND:
        if measured and abs(measured - per_second) * 50 > per_second:
            return f"{clock.title} and the intervals of most rows differ: rows are missing between"
        return ""
    if clock.whole and per_second not in (1, 1_000):
        taken = "measured on" if measured else "assumed without"
        if not measured or per_second != TICKS:
            return f"{clock.title} counts {per_second:,} ticks a second, {taken} the intervals"
    return ""


def _unit(clock: Clock, measured: int) -> int:
    """Units a second of a clock that does not say, 0 for none that fits."""
    known = (1, 1_000) if clock.whole and clock.unit == "?" else (10**9, 10**12)
    for unit in known if clock.unit == "?" else ():
        if abs(measured - unit) * 100 <= unit:
            return unit
    if not (clock.whole or clock.unit == "ticks"):
        return 0
    close = (nominal for nominal in NOMINAL if abs(measured - nominal) * CLOSE <= nominal)
    return next(close, measured) or TICKS


def _measured(chain: Columns, quantity: str) -> int:
    """Units a second as the intervals say: over the rows that agree with the median; 0 of none."""
    steps = intervals(chain, quantity)
    if steps is None:
        return 0
    clock = chain[quantity]
    pairs = [
        (after - before, step)
        for before, after, step in zip(clock, clock[1 : PAIRS + 1], steps[1:], strict=False)
        if step > 0 and MISSING not in (before, after) and after > before
    ]
    rates = sorted(units * SECOND // step for units, step in pairs)
    if not rates:
        return 0
    middle = rates[len(rates) // 2]
    alike = [pair for pair in pairs if abs(pair[0] * SECOND // pair[1] - middle) * 100 <= middle]
    units, time = sum(pair[0] for pair in alike), sum(pair[1] for pair in alike)
    return (units * SECOND + time // 2) // time


def intervals(chain: Columns, quantity: str) -> array[int] | None:
    """The time from the row before to each row on a clock, as other columns say; or None."""
    if quantity == "present":
        return chain.get("between_presents")
    busy = chain.get("cpu_busy")
    wait = chain.get("in_present", chain.get("cpu_wait"))
    if busy is None or wait is None:
        return None
    both = [MISSING if MISSING in pair else sum(pair) for pair in zip(busy, wait, strict=True)]
    return array("q", [MISSING, *both[:-1]])


def summed(between: array[int]) -> array[int]:
    """Moments from intervals alone, the first one at 0; an unknown interval adds nothing."""
    steps = [0, *(max(step, 0) for step in between[1:])]
    return array("q", accumulate(steps))


def anchored(clock: array[int], between: array[int], step: int) -> array[int]:
    """Moments of a coarse clock, finer: intervals are added up as long as they stay near it."""
    moments = array("q")
    now = MISSING
    for coarse, interval in zip(clock, between, strict=True):
        if coarse == MISSING:
            now = MISSING
        elif MISSING in (now, interval) or abs(now + interval - coarse) > step:
            now = coarse
        else:
            now += interval
        moments.append(now)
    return moments


def step_of(moments: array[int]) -> int:
    """The power of ten that the first moments are multiples of: how fine a clock is."""
    known = [moment for moment in moments[:PAIRS] if moment != MISSING]
    step = SECOND
    while step > 1 and any(moment % step for moment in known):
        step //= 10
    return step if len(known) > 2 and any(known) else 1


def breaks(moments: array[int], between: array[int], allowed: int) -> list[int]:
    """The rows before which others are missing: the clock went on by more than the interval."""
    if len(moments) < 2 or len(between) != len(moments):
        return []
    steps = list(map(sub, moments[1:], moments))
    apart = list(map(sub, steps, between[1:]))
    if max(apart) <= allowed and min(apart) >= -allowed:
        return []
    return [
        row
        for row, (off, interval) in enumerate(zip(apart, between[1:], strict=True), start=1)
        if interval != MISSING and abs(off) > allowed
    ]
