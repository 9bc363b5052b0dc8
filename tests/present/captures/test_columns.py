"""The tables of columns hold together, and the page has them."""

from __future__ import annotations

from fencepost.present.captures.columns import COLUMN_ROWS, OWN, OWN_ROWS, Kind, means, passed
from fencepost.present.captures.quantities import WAYS
from fencepost.present.captures.table import NAMES
from fencepost.present.captures.words import Key
from fencepost.present.captures.writing import TITLES, WHOSE
from tests.present.captures.columns_page import columns_table, names_table
from tests.present.captures.recorder import HEADERS, NONE, cell, rows
from tests.project.repository import ROOT


def test_the_page_has_both_tables() -> None:
    page = (ROOT / "docs" / "present-captures.md").read_text(encoding="utf-8")
    assert columns_table() in page
    assert names_table() in page


def test_every_quantity_ends_up_in_the_table() -> None:
    needed = {need for way in WAYS for need in way.needs}
    for row in COLUMN_ROWS:
        assert row.quantity in {*NAMES, *Key._fields, *needed, "cpu_start"}, row
    assert {way.column for way in WAYS} <= set(NAMES)


def test_every_row_has_a_source_and_a_name_of_its_own() -> None:
    found = [(row.name.lower(), row.family) for row in (*COLUMN_ROWS, *OWN_ROWS)]
    assert len(found) == len(set(found))
    assert all(row.source for row in COLUMN_ROWS)
    assert all(bool(row.unit) == (row.kind is Kind.CLOCK) for row in COLUMN_ROWS)


def test_what_we_write_is_what_we_read() -> None:
    assert {row.name for row in OWN_ROWS} == {*WHOSE, *TITLES}
    assert means("present_ps", OWN) is not None
    assert means("present_ps", "presentmon") is None
    assert means("msinpresentapi", OWN) is None


def test_every_column_of_every_format_is_known() -> None:
    for header in HEADERS.values():
        for name in header.lower().split(","):
            known = means(name, "presentmon") or means(name, "mangohud") or passed(name)
            assert known, name


def test_unknown_names_are_unknown() -> None:
    for name in ("", "phase of the moon", "msunknown", "frame time", "cpu busy"):
        assert means(name, "presentmon") is None
        assert not passed(name)


def test_the_recorder_writes_something_in_most_columns() -> None:
    """Or the formats would agree because none says anything."""
    for form, header in HEADERS.items():
        written = [cell(name, rows()[0]) for name in header.split(",")]
        assert sum(text != NONE for text in written) >= 4, form
