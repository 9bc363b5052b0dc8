"""The normalized columns out of those that a format has: a table of ways, walked by one function.

Source of every way: the identities of presentation.md 2.2, and which quantity is which in 2.3.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from itertools import repeat
from operator import add, sub
from typing import NamedTuple

from fencepost.present.captures.table import APPLICATION, MISSING

Columns = dict[str, "array[int]"]


class Way(NamedTuple):
    """How a column follows from others; the first way whose needs are there is taken."""

    column: str
    needs: tuple[str, ...]
    make: Callable[..., array[int]]
    exact: bool
    source: str


def _plus(first: array[int], second: array[int]) -> array[int]:
    return _each(add, first, second)


def _minus(first: array[int], second: array[int]) -> array[int]:
    return _each(sub, first, second)


def _each(
    operation: Callable[[int, int], int], first: array[int], second: array[int]
) -> array[int]:
    if MISSING not in first and MISSING not in second:
        return array("q", map(operation, first, second))
    return array(
        "q",
        [
            MISSING if MISSING in (a, b) else operation(a, b)
            for a, b in zip(first, second, strict=True)
        ],
    )


def _before(values: array[int]) -> array[int]:
    """Of each row, the value of the one before."""
    return array("q", [MISSING, *values[:-1]])


def _since_return(between: array[int], inside: array[int]) -> array[int]:
    """From the return of the Present before to this call."""
    return _minus(between, _before(inside))


def _call_to_call(busy: array[int], inside: array[int]) -> array[int]:
    return _plus(busy, _before(inside))


def _same(values: array[int]) -> array[int]:
    return values


def _unclamped(latency: array[int]) -> array[int]:
    """A latency of 0 is one that was cut off: the GPU began before the CPU frame did."""
    return array("q", [MISSING if value == 0 else value for value in latency])


def _gpu_end(latency: array[int], time: array[int], busy: array[int]) -> array[int]:
    return _minus(_plus(_unclamped(latency), time), busy)


def _shown_before(displayed: array[int]) -> array[int]:
    """How long the frame that was shown before stayed: the time from its flip to this one."""
    made = array("q")
    last = MISSING
    for time in displayed:
        made.append(MISSING if time == MISSING else last)
        last = last if time == MISSING else time
    return made


def _not_shown(until: array[int]) -> array[int]:
    return array("q", [int(time == MISSING) for time in until])


_IDENTITIES = "presentation.md 2.2"

WAYS: tuple[Way, ...] = (
    Way("in_present", ("cpu_wait",), _same, True, _IDENTITIES),
    Way("between_presents", ("cpu_busy", "in_present"), _call_to_call, True, _IDENTITIES),
    Way("cpu_busy", ("between_presents", "in_present"), _since_return, True, _IDENTITIES),
    Way("until_gpu_end", ("gpu_latency", "gpu_time", "cpu_busy"), _gpu_end, True, _IDENTITIES),
    Way("until_gpu_start", ("until_gpu_end", "gpu_time"), _minus, True, _IDENTITIES),
    Way("until_displayed", ("display_latency", "cpu_busy"), _minus, True, _IDENTITIES),
    Way("between_displays", ("displayed_time",), _shown_before, True, _IDENTITIES),
    Way("dropped", ("until_displayed",), _not_shown, True, "presentation.md 2.1: v2 writes NA"),
)
"""In this order: a column that one of them makes is there for the next."""

ZEROS = ("until_gpu_start", "until_gpu_end", "gpu_busy", "gpu_time", "pc_latency", "click_latency")
"""Columns in which an exact 0 says that nothing was recorded (presentation.md 2.1)."""

SHOWN = ("until_displayed", "between_displays", "pc_latency", "click_latency")
"""Columns that a frame which was never shown has no value in; version 1 writes 0."""

MADE_BY_CPU = ("cpu_busy",)
"""Columns in which a 0 of a generated frame says that it has none."""


def without_zeros(columns: Columns, runtime: str) -> None:
    """Put `MISSING` in place of zeros that mean it."""
    for name in ZEROS:
        _unless(columns, name, None)
    if runtime.lower() == "other":  # OpenGL and Vulkan: Present is not instrumented
        for name in ("in_present", "cpu_wait"):
            _unless(columns, name, None)
    for name in ("in_present", "cpu_wait", "until_displayed"):
        values = columns.get(name)
        if values is not None and len(values) == values.count(0):
            _unless(columns, name, None)
    dropped = columns.get("dropped")
    if dropped is not None and 1 in dropped:
        for name in SHOWN:
            _unless(columns, name, dropped)
    _unless(columns, "until_displayed", None)


def _unless(columns: Columns, name: str, where: array[int] | None) -> None:
    """`MISSING` for 0 in a column; with `where`, for whatever stands in rows that it marks 1."""
    values = columns.get(name)
    if values is None:
        return
    if where is not None:
        columns[name] = array(
            "q",
            [MISSING if mark == 1 else value for value, mark in zip(values, where, strict=True)],
        )
    elif 0 in values:
        columns[name] = array("q", [value or MISSING for value in values])


def complete(columns: Columns) -> Iterator[str]:
    """Add the columns that follow from those that are there, and name them."""
    for way in WAYS:
        if way.column not in columns and all(need in columns for need in way.needs):
            columns[way.column] = way.make(*(columns[need] for need in way.needs))
            yield way.column


def clamped(columns: Columns) -> int:
    """Rows whose GPU latency was cut off at 0."""
    return columns["gpu_latency"].count(0) if "gpu_latency" in columns else 0


def generated_rows(columns: Columns) -> list[int]:
    """The rows of frames that the application did not draw."""
    types = columns.get("frame_type")
    if types is None or types.count(APPLICATION) == len(types):
        return []
    return [row for row, kind in enumerate(types) if kind != APPLICATION]


def filled(columns: Columns, name: str, count: int, value: int = MISSING) -> array[int]:
    """A column, or one that has only `value`."""
    found = columns.get(name)
    return array("q", repeat(value, count)) if found is None else found
