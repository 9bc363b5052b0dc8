"""docs/calibration.md is up to date, and no parameter is dead."""

from __future__ import annotations

import pytest

from fencepost.machine.tables import Parameter
from fencepost.machine.timing import TIMINGS
from fencepost.timing import Options, simulate
from fencepost.timing.parameters import LARGEST, MAY_BE_ZERO, WHOLE
from tests.timing.calibration import MACHINE, ROOT, cases, change, page, variants

ROWS = TIMINGS[MACHINE]
PROGRAMS = [program for _, programs in cases() for program in programs]
PLAIN = [simulate(program) for program in PROGRAMS]


def test_the_page_is_up_to_date() -> None:
    written = (ROOT / "docs" / "calibration.md").read_bytes().decode("utf-8")
    assert written == page(), "run: python -m tests.timing.calibration > docs/calibration.md"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_parameter_moves_something(row: Parameter) -> None:
    least = 0 if row.unit in MAY_BE_ZERO else max(1, row.value // 1000)
    most = WHOLE if row.unit == "ppm" else min(row.value * 20, LARGEST)
    assert any(
        simulate(program, Options({row.name: value})) != plain
        for value in (least, most)
        if value != row.value
        for program, plain in zip(PROGRAMS, PLAIN, strict=True)
    )


def test_half_and_double() -> None:
    assert variants(Parameter("a", 3, "cycles", "")) == (1, 6)
    assert variants(Parameter("a", 1, "cycles", "")) == (0, 2)
    assert variants(Parameter("a", 1, "flushes", "")) == (None, 2)
    assert variants(Parameter("a", WHOLE, "ppm", "")) == (WHOLE // 2, None)


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [(100, 100, "0"), (10**6, 10**6 + 99, "~0"), (100, 150, "+50.00"), (3, 2, "-33.33")],
)
def test_changes_in_percent(before: int, after: int, text: str) -> None:
    assert change(before, after) == text
