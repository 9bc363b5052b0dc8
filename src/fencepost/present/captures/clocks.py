"""When Present was called: from a clock column, whatever its unit, or from the intervals.

A clock that counts ticks, or whose unit depends on the version that wrote it, is measured against
the intervals beside it. One that is coarser than the intervals only anchors them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import NamedTuple

from fencepost.present.captures.lanes import all_within, any_below_zero, difference, moved
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

ENDS = 100
"""Rows at either end of a capture that say how fine its clock is."""

COARSE = SECOND // 10_000
"""A clock whose steps are this long, 0.1 ms, or longer only anchors the intervals; assumed."""

LATE_BITS = 30
"""Rows are missing where clock and interval are 2**30 ps, about 1 ms, apart, or more; assumed."""

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
        first, per_second = self.origin, self.per_second
        factor, rest = divmod(SECOND, per_second)
        if rest == 0 and (made := moved(values, first, factor)) is not None:
            return made
        half = per_second // 2
        return array(
            "q",
            [
                value if value == MISSING else ((value - first) * SECOND + half) // per_second
                for value in values
            ],
        )


def scale_of(clock: Clock, chains: Iterable[Columns]) -> Scale | None:
    """The scale of a clock; None where it says nothing, or has no unit that fits."""
    columns = [chain for chain in chains if clock.quantity in chain]
    first = [_lowest(chain[clock.quantity]) for chain in columns]
    known = [value for value in first if value != MISSING]
    if not known:
        return None
    longest = max(columns, key=lambda chain: len(chain[clock.quantity]))
    measured = _measured(longest, clock.quantity)
    per_second = _PER_SECOND.get(clock.unit) or _unit(clock, measured)
    if per_second == 0:
        return None
    return Scale(per_second, min(known), _said(clock, per_second, measured))


def _lowest(values: array[int]) -> int:
    """The smallest of a column, mostly its first; `MISSING` where there is none."""
    if values[0] != MISSING and moved(values, values[0], 1) is not None:
        return values[0]
    return min((value for value in values if value != MISSING), default=MISSING)


def _said(clock: Clock, per_second: int, measured: int) -> str:
    """What is to be noted about a clock."""
    if clock.unit in _PER_SECOND:
        if measured and abs(measured - per_second) * 50 > per_second:
            return f"{clock.title} and the intervals of most rows differ: rows are missing between"
        return ""
    if clock.whole and per_second not in (1, 1_000):
        why = "as the intervals say" if measured else "assumed: there are no intervals beside it"
        if not measured or per_second != TICKS:
            return f"{clock.title} counts {per_second:,} ticks a second, {why}"
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
    first = {name: values[: PAIRS + 1] for name, values in chain.items()}
    between, clock = intervals(first, quantity), first[quantity]
    if between is None:
        return 0
    pairs = [
        (after - before, step)
        for before, after, step in zip(clock, clock[1:], between[1:], strict=False)
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


def steps(moments: array[int]) -> array[int]:
    """The time from each moment to the next, as a column of the later one."""
    made = array("q", [MISSING])
    made.extend(difference(moments[1:], moments[:-1]))
    return made


def summed(between: array[int]) -> array[int]:
    """Moments from intervals alone, the first one at 0; an unknown interval adds nothing."""
    return array("q", accumulate([0, *(max(step, 0) for step in between[1:])]))


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


def step_of(shown: array[int]) -> int:
    """The power of ten that what a clock shows is a multiple of: how fine it is, at its worst.

    One that is written with four digits gets coarser as time goes on.
    """
    return max(_step(shown[:ENDS]), _step(shown[-ENDS:]))


def _step(shown: array[int]) -> int:
    known = [value for value in shown if value != MISSING]
    step = SECOND
    while step > 1 and any(value % step for value in known):
        step //= 10
    return step if len(known) > 2 and any(known) else 1


def breaks(moments: array[int], between: array[int]) -> int:
    """Before how many rows others are missing: the clock went on by more than the interval."""
    if len(moments) < 2:
        return 0
    apart = difference(difference(moments[1:], moments[:-1]), between[1:])
    if all_within(apart, LATE_BITS):
        return 0
    both = zip(apart, between[1:], strict=True)
    return sum(interval != MISSING and abs(off) >= 1 << LATE_BITS for off, interval in both)


def in_order(moments: array[int]) -> bool:
    """Whether no moment is before the one above it."""
    return len(moments) < 2 or not any_below_zero(difference(moments[1:], moments[:-1]))
