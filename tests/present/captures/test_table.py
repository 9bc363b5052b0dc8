"""The normalized table: its columns are those that are documented, and rows can be taken out."""

from __future__ import annotations

from array import array
from dataclasses import fields

import pytest

from fencepost.present.captures import COLUMNS, MISSING, Chain, Frames


def frames(count: int) -> Frames:
    """Rows whose values tell row and column."""
    return Frames(
        *(array("q", [100 * row + at for row in range(count)]) for at in range(len(COLUMNS)))
    )


def test_the_documented_columns_are_those_of_the_table() -> None:
    assert [column.name for column in COLUMNS] == [item.name for item in fields(Frames)]
    assert all(column.unit and column.meaning and column.missing for column in COLUMNS)


def test_rows_come_in_the_order_of_the_columns() -> None:
    assert list(frames(2).rows())[1] == tuple(100 + at for at in range(len(COLUMNS)))


@pytest.mark.parametrize("places", [[], [2], [3, 1], [0, 1, 2, 3]])
def test_rows_are_taken(places: list[int]) -> None:
    table = frames(4)
    rows = list(table.rows())
    assert list(table.take(places).rows()) == [rows[place] for place in places]


def test_a_column_has_values_or_not() -> None:
    table = Frames(present=array("q", [0, 1]), gpu_busy=array("q", [MISSING, MISSING]))
    assert table.has("present")
    assert table.count("present") == 2
    assert not table.has("gpu_busy")
    assert not table.has("mode")


def test_a_chain_is_named_without_its_path() -> None:
    assert Chain("", None, None, "", Frames()).label == "(unnamed)"
    assert Chain("a.exe", 12, 0x1F, "DXGI", Frames()).label == "a.exe 12 0x1f DXGI"
