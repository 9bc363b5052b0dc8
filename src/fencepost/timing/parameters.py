"""The parameters of a run: the machine's rows, with what the caller sets otherwise.

Every conversion rounds up, so that nothing takes less than it should.
"""

from __future__ import annotations

from collections.abc import Mapping

from fencepost.errors import UsageProblem
from fencepost.machine.tables import Machine, Parameter
from fencepost.machine.timing import UNITS, UnitRow, find_timing
from fencepost.stream.words import hint

SECOND = 10**12
"""Picoseconds."""

WHOLE = 1_000_000
"""A whole unit, or all wave slots, in parts per million."""

LARGEST = 10**15
"""No parameter is larger."""

MAY_BE_ZERO = ("cycles",)
"""Units of parameters that may be switched off."""


THROUGH_TCC = ("tcp", "k", "i")
"""Caches whose lines come from TCC."""


def divided(amount: int, by: int) -> int:
    """The quotient, rounded up."""
    return -(-amount // by)


class Parameters:
    """Values by name; raises `UsageProblem` for a name or a value that makes no sense."""

    def __init__(self, machine: Machine, changed: Mapping[str, int] | None = None) -> None:
        self.machine = machine
        self.rows: dict[str, Parameter] = {row.name: row for row in find_timing(machine.name)}
        self.values: dict[str, int] = {name: row.value for name, row in self.rows.items()}
        for name, value in (changed or {}).items():
            self._change(name, value)
        self._check_spans()
        self.units: tuple[UnitRow, ...] = tuple(
            row for row in UNITS if f"{row.name} rate" in self.rows
        )

    def _change(self, name: str, value: int) -> None:
        row = self.rows.get(name)
        if row is None:
            raise UsageProblem(
                f"machine '{self.machine.name}' has no parameter '{name}'{hint(name, self.rows)}",
                expected="one of docs/calibration.md",
            )
        least = 0 if row.unit in MAY_BE_ZERO else 1
        most = WHOLE if row.unit == "ppm" else LARGEST
        if not least <= value <= most:
            raise UsageProblem(
                f"parameter '{name}' is {value}", expected=f"{least} to {most} ({row.unit})"
            )
        self.values[name] = value

    def _check_spans(self) -> None:
        """Nothing that a machine does by itself takes longer than a second."""
        spans = [
            (name, self.cycles(name)) for name, row in self.rows.items() if row.unit == "cycles"
        ]
        for name in self.rows:
            cache = name.removeprefix("capacity ")
            if cache != name:
                rates = ("l2 rate", "memory rate") if cache in THROUGH_TCC else ("memory rate",)
                spans += [(f"{name}' at '{rate}", self.span(rate, self[name])) for rate in rates]
        for what, span in spans:
            if span > SECOND:
                raise UsageProblem(
                    f"parameter '{what}' takes {divided(span, SECOND):,} s", expected="up to 1 s"
                )

    def __getitem__(self, name: str) -> int:
        return self.values[name]

    def cycles(self, name: str) -> int:
        """A parameter in cycles, as picoseconds."""
        return self.of_cycles(self.values[name])

    def of_cycles(self, cycles: int) -> int:
        """GPU cycles as picoseconds."""
        return divided(cycles * SECOND, self.values["GPU clock"])

    def span(self, rate: str, count: int) -> int:
        """How long `count` takes at that rate, in picoseconds."""
        return self._at_rate(rate, count * SECOND)

    def amount(self, rate: str, count: int) -> int:
        """The same, in parts per million times picoseconds of the whole unit."""
        return self._at_rate(rate, count * SECOND * WHOLE)

    def _at_rate(self, rate: str, dividend: int) -> int:
        each = self.values[rate]
        if not self.rows[rate].unit.endswith("/s"):
            each *= self.values["GPU clock"]
        return divided(dividend, each)

    def unit(self, name: str) -> UnitRow | None:
        """The unit of that name; None if this machine lacks it."""
        return next((row for row in self.units if row.name == name), None)
