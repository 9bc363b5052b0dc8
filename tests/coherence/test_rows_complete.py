"""No row without a pair, unless it cannot change a verdict; docs/rows.md lists them all."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencepost.machine import MACHINES
from tests.coherence.rows.design import CANNOT, STATEMENTS
from tests.coherence.rows.machine_rows import machine_rows
from tests.coherence.rows.page import page
from tests.coherence.rows.pairs import all_pairs

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rows.md"
NAMED = {row for pair in all_pairs() for row in pair.rows}
ROWS = [*STATEMENTS, *(row for rows in machine_rows(MACHINES["xbox-one"]).values() for row in rows)]


@pytest.mark.parametrize("row", ROWS)
def test_a_row_is_shown_or_cannot_be(row: str) -> None:
    assert (row in NAMED) != (row in CANNOT)


def test_pairs_name_rows_that_exist() -> None:
    assert set(ROWS) >= NAMED
    assert set(ROWS) >= set(CANNOT)


@pytest.mark.parametrize("machine", MACHINES)
def test_machines_have_the_same_rows(machine: str) -> None:
    assert machine_rows(MACHINES[machine]) == machine_rows(MACHINES["xbox-one"])


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()
