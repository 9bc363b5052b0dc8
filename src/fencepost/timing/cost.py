"""Reads what stands behind `@`: a duration, loads, counts, residency (docs/timing.md 3)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NoReturn

from fencepost.errors import ProgramProblem
from fencepost.machine.timing import UNITS
from fencepost.stream.command import Work, WorkKind
from fencepost.stream.units import UNITS as SIZES
from fencepost.stream.words import hint
from fencepost.timing.parameters import SECOND, WHOLE, Parameters

LONGEST = SECOND
"""No work takes longer than a second: a GPU that is busy for so long is reset."""

LARGEST_COUNT = 10**12
"""No work has more vertices, pixels, threads, bytes, operations or rays."""

_DECIMAL = re.compile(r"([0-9]{1,20})(?:\.([0-9]{1,20}))?")
_DURATION = re.compile(r"([0-9.]+)(ps|ns|us|ms|s)")
_COUNT = re.compile(r"([0-9]{1,20})([KMGB]?)")
PICOSECONDS = {"ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9, "s": SECOND}


@dataclass(slots=True)
class Cost:
    """What a work says about itself; None and missing keys: it says nothing.

    `time` in picoseconds; `loads`, `residency` and `vertex_part` in parts per million.
    """

    time: int | None = None
    residency: int | None = None
    waves: int | None = None
    vertex_part: int | None = None
    loads: dict[str, int] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)


def scaled(text: str, scale: int) -> int | None:
    """A decimal number times a scale, rounded down; None if it is no number."""
    match = _DECIMAL.fullmatch(text)
    if match is None:
        return None
    fraction = match[2] or ""
    return int(match[1] + fraction) * scale // int(f"1{'0' * len(fraction)}")


def _duration(text: str) -> int | None:
    match = _DURATION.fullmatch(text)
    return None if match is None else scaled(match[1], PICOSECONDS[match[2]])


def _fraction(text: str) -> int | None:
    """Parts per million of a number up to 1 or a percentage."""
    if text.endswith("%"):
        return scaled(text[:-1], WHOLE // 100)
    return scaled(text, WHOLE)


def _count(text: str) -> int | None:
    match = _COUNT.fullmatch(text)
    return None if match is None else int(match[1]) * SIZES[match[2]]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A kind of value: how it is read, its largest value, what was expected in words."""

    read: Callable[[str], int | None]
    most: int
    expected: str


TIME = Quantity(_duration, LONGEST, "a duration above 0 and up to 1s, like 1.5ms")
FRACTION = Quantity(_fraction, WHOLE, "a part above 0 and up to 1, or a percentage")
COUNT = Quantity(_count, LARGEST_COUNT, "a whole number above 0 and up to 10^12")

DRAW, DISPATCH = WorkKind.DRAW, WorkKind.DISPATCH
SHADED = (DRAW, DISPATCH)
EVERY = tuple(WorkKind)

KEYS: dict[str, tuple[Quantity, tuple[WorkKind, ...]]] = {
    "time": (TIME, EVERY),
    "cycles": (COUNT, EVERY),
    "residency": (FRACTION, SHADED),
    "vs": (FRACTION, (DRAW,)),
    "waves": (COUNT, SHADED),
    "vertices": (COUNT, (DRAW,)),
    "pixels": (COUNT, (DRAW,)),
    "threads": (COUNT, (DISPATCH,)),
    "operations": (COUNT, SHADED),
    "bytes": (COUNT, EVERY),
    "rays": (COUNT, SHADED),
}
"""What a cost may say beside the loads of units, and of which works. `vs`: the part of its time
after which the vertex stage has drained."""

COUNTS = ("vertices", "pixels", "threads", "operations", "bytes", "rays")


def read_cost(work: Work, parameters: Parameters) -> Cost:
    """The cost of a work; raises `ProgramProblem` with its place for what makes no sense."""
    cost = Cost()
    for key, text in work.cost:
        value = _read(work, key, text, parameters)
        if key in {"time", "cycles"}:
            _set_time(work, cost, key, value, parameters)
        elif key == "vs":
            cost.vertex_part = value
        elif key in {"residency", "waves"}:
            setattr(cost, key, value)
        elif key in COUNTS:
            cost.counts[key] = value
        else:
            cost.loads[key] = value
    if cost.loads and cost.time is None:
        _refuse(work, "loads without a time", "a duration beside them, like @ 1ms sm=0.8")
    return cost


def _set_time(work: Work, cost: Cost, key: str, value: int, parameters: Parameters) -> None:
    if cost.time is not None:
        _refuse(work, f"a second time, '{key}'", "one of time and cycles")
    cost.time = value if key == "time" else parameters.of_cycles(value)
    if cost.time > LONGEST:
        _refuse(work, f"'{key}' is {cost.time} ps", TIME.expected)


def _read(work: Work, key: str, text: str, parameters: Parameters) -> int:
    quantity, kinds = _key(work, key, parameters)
    shown = f"'{key}={text}'"
    if work.kind not in kinds:
        _refuse(work, f"{shown} on a {work.kind}", f"it on a {' or '.join(kinds)}")
    value = quantity.read(text)
    if value is None:
        _refuse(work, f"{shown} is no value", quantity.expected)
    if not 0 < value <= quantity.most:
        what = "zero or too small" if value == 0 else "too large"
        _refuse(work, f"{shown} is {what}", quantity.expected)
    return value


def _key(work: Work, key: str, parameters: Parameters) -> tuple[Quantity, tuple[WorkKind, ...]]:
    if key in KEYS:
        if key == "rays":
            _need_unit(work, "rt", key, parameters)
        return KEYS[key]
    known = [*(row.name for row in parameters.units), *KEYS]
    row = next((row for row in UNITS if row.name == key), None)
    if row is None:
        _refuse(work, f"no cost '{key}'{hint(key, known)}", ", ".join(known))
    _need_unit(work, row.name, key, parameters)
    return FRACTION, tuple(kind for kind in WorkKind if kind in row.works)


def _need_unit(work: Work, unit: str, key: str, parameters: Parameters) -> None:
    if parameters.unit(unit) is None:
        units = ", ".join(row.name for row in parameters.units)
        machine = parameters.machine.name
        _refuse(work, f"'{key}': machine '{machine}' has no unit '{unit}'", f"one of {units}")


def _refuse(work: Work, problem: str, expected: str) -> NoReturn:
    raise ProgramProblem(f"cost: {problem}", work.place, expected)
