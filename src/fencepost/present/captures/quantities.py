"""The normalized columns out of those that a format has: a table of ways, walked by one function.

Source of every way: the identities of presentation.md 2.2, and which quantity is which in 2.3.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from fencepost.present.captures.lanes import any_below_zero, difference, places_of, total
from fencepost.present.captures.table import APPLICATION, MISSING

Columns = dict[str, "array[int]"]


class Way(NamedTuple):
    """How a column follows from others; the first way whose needs are there is taken."""

    column: str
    needs: tuple[str, ...]
    make: Callable[..., array[int]]
    source: str


def plus(first: array[int], second: array[int]) -> array[int]:
    """The sums of two columns, `MISSING` where either is."""
    return _known(total(first, second), first, second)


def minus(first: array[int], second: array[int]) -> array[int]:
    """The differences of two columns, `MISSING` where either is."""
    return _known(difference(first, second), first, second)


def _known(made: array[int], *columns: array[int]) -> array[int]:
    for column in columns:
        for row in places_of(MISSING, column):
            made[row] = MISSING
    return made


def _before(values: array[int]) -> array[int]:
    """Of each row, the value of the one before."""
    made = array("q", [MISSING])
    made.extend(values[:-1])
    return made


def _since_return(between: array[int], inside: array[int]) -> array[int]:
    """From the return of the Present before to this call."""
    return minus(between, _before(inside))


def _call_to_call(busy: array[int], inside: array[int]) -> array[int]:
    return plus(busy, _before(inside))


def _same(values: array[int]) -> array[int]:
    return values


def _unclamped(latency: array[int]) -> array[int]:
    """A latency of 0 is one that was cut off: the GPU began before the CPU frame did."""
    return _without(0, latency)


def _gpu_end(latency: array[int], time: array[int], busy: array[int]) -> array[int]:
    return minus(plus(_unclamped(latency), time), busy)


def _shown_before(stayed: array[int], until: array[int]) -> array[int]:
    """How long the frame stayed that was shown before: the time from its flip to this one."""
    made = array("q")
    last = MISSING
    for time, shown in zip(stayed, until, strict=True):
        made.append(MISSING if shown == MISSING else last)
        last = last if shown == MISSING else time
    return made


def _without(value: int, values: array[int]) -> array[int]:
    """The column with `MISSING` in place of a value; the same one where that does not occur."""
    places = places_of(value, values)
    return _with(values, places) if places else values


def _with(values: array[int], places: list[int]) -> array[int]:
    """The column with `MISSING` in some rows."""
    made = values[:]
    for row in places:
        made[row] = MISSING
    return made


def _not_shown(until: array[int]) -> array[int]:
    made = array("q", [0]) * len(until)
    for row in places_of(MISSING, until):
        made[row] = 1
    return made


_IDENTITIES = "presentation.md 2.2"

WAYS: tuple[Way, ...] = (
    Way("in_present", ("cpu_wait",), _same, _IDENTITIES),
    Way("between_presents", ("cpu_busy", "in_present"), _call_to_call, _IDENTITIES),
    Way("cpu_busy", ("between_presents", "in_present"), _since_return, _IDENTITIES),
    Way("until_gpu_end", ("gpu_latency", "gpu_time", "cpu_busy"), _gpu_end, _IDENTITIES),
    Way("until_gpu_start", ("until_gpu_end", "gpu_time"), minus, _IDENTITIES),
    Way("until_displayed", ("display_latency", "cpu_busy"), minus, _IDENTITIES),
    Way("between_displays", ("displayed_time", "until_displayed"), _shown_before, _IDENTITIES),
    Way("dropped", ("until_displayed",), _not_shown, "presentation.md 2.1: v2 writes NA"),
)
"""In this order: a column that one of them makes is there for the next."""

ZEROS = (
    "until_gpu_start",
    "until_gpu_end",
    "gpu_busy",
    "gpu_time",
    "until_displayed",
    "pc_latency",
    "click_latency",
)
"""Columns in which an exact 0 says that nothing was recorded (presentation.md 2.1)."""

SIGNED = frozenset({"until_gpu_start", "until_gpu_end", "animation_error"})
"""Columns of picoseconds that may be negative."""

SHOWN = ("until_displayed", "between_displays", "pc_latency", "click_latency")
"""Columns that a frame which was never shown has no value in; version 1 writes 0, 2.4 some."""

NOT_INSTRUMENTED = "other"
"""The runtime of OpenGL and Vulkan: Present is not instrumented (presentation.md 2.1)."""


def without_zeros(columns: Columns) -> None:
    """Put `MISSING` in place of zeros that mean it, of the GPU and the display."""
    for name in ZEROS:
        if name in columns:
            columns[name] = _without(0, columns[name])


def shown_only(columns: Columns) -> None:
    """Put `MISSING` in what frames that were never shown, or first, have of the display."""
    lost = places_of(1, columns["dropped"]) if "dropped" in columns else []
    for name in SHOWN:
        if lost and name in columns:
            columns[name] = _with(columns[name], lost)
    changes = columns.get("between_displays", array("q"))
    first = next((row for row, time in enumerate(changes) if time != MISSING), -1)
    if first >= 0 and changes[first] == 0:
        columns["between_displays"] = _with(changes, [first])


def not_instrumented(columns: Columns, runtime: str) -> None:
    """Put `MISSING` in place of the time in Present, and apart from it, where it is always 0."""
    inside = columns.get("in_present")
    if inside is None:
        return
    if runtime.lower() == NOT_INSTRUMENTED or len(inside) == inside.count(0):
        columns["in_present"] = array("q", [MISSING]) * len(inside)
        columns["cpu_busy"] = columns["in_present"][:]


def complete(columns: Columns) -> Iterator[str]:
    """Add the columns that follow from those that are there, and name them."""
    for way in WAYS:
        if way.column not in columns and all(need in columns for need in way.needs):
            columns[way.column] = way.make(*(columns[need] for need in way.needs))
            yield way.column


def lost_below(columns: Columns, derived: Sequence[str]) -> int:
    """Put `MISSING` in place of derived times below 0 that cannot be; how many rows have one."""
    lost: set[int] = set()
    for name in derived:
        values = columns[name]
        if name not in SIGNED and any_below_zero(values):
            rows = [row for row, value in enumerate(values) if MISSING < value < 0]
            columns[name] = _with(values, rows)
            lost.update(rows)
    return len(lost)


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
    return array("q", [value]) * count if found is None else found
