"""The plan is never costlier than a driver's form that checks clean (design 7)."""

from __future__ import annotations

import pytest

from fencepost.plan.costs import cost
from fencepost.plan.planning import plan
from tests.drivers.costs import DRIVERS, MACHINE, CostRow, cost_rows
from tests.drivers.judge import hazards_of
from tests.drivers.rows import DATA, read_rows, row_forms

ROWS = {row.transition: row for row in cost_rows()}
SAMPLE = 61
"""Of so many programs of RADV's rows one is planned."""


@pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: row.transition)
def test_no_form_of_a_transition_is_cheaper(row: CostRow) -> None:
    assert set(row.forms) <= set(DRIVERS)
    assert row.planned <= min(row.forms.values())


def test_some_form_of_each_driver_is_costlier() -> None:
    for driver in DRIVERS:
        assert any(row.planned < row.forms.get(driver, 0) for row in ROWS.values()), driver


@pytest.mark.skipif(not DATA, reason="FENCEPOST_DATA is not set")
def test_no_row_of_radv_is_cheaper() -> None:
    """A sample: all of them take minutes (docs/drivers.md has the result)."""
    forms = list(row_forms(read_rows(), SAMPLE))
    clean = [form for form in forms if not hazards_of(form.synchronized_program)]
    assert len(clean) > len(forms) / 2
    for form in clean:
        planned = plan(form.program_without_synchronization, MACHINE).cycles
        assert planned <= cost(form.synchronized_program, MACHINE), form.name
