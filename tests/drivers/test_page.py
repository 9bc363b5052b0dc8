"""docs/drivers.md has the tables that the tests hold."""

from __future__ import annotations

import re

import pytest

from tests.drivers.page import PAGE, TABLES, page
from tests.drivers.verdicts import FOUND
from tests.project.tables import BLOCK

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_tables_are_current() -> None:
    """But for the costs: planning all of them takes minutes."""
    assert page(TEXT, frozenset({"costs"})) == TEXT, "python -m tests.drivers.page renews them"


def test_every_table_stands_once() -> None:
    assert sorted(BLOCK.findall(TEXT)) == sorted(TABLES)


def test_every_hazard_has_its_section() -> None:
    assert {found.why for found in FOUND} <= set(re.findall(r"^### (.*)$", TEXT, re.MULTILINE))


def test_an_old_table_is_renewed_and_the_rest_is_kept() -> None:
    stale = "before\n<!-- table unmapped -->\nold\n<!-- end -->\nbehind\n"
    fresh = page(stale)
    assert "old" not in fresh
    assert fresh.startswith("before\n<!-- table unmapped -->\n")
    assert fresh.endswith("<!-- end -->\nbehind\n")
    assert page(fresh) == fresh


def test_an_unknown_table_is_an_error() -> None:
    with pytest.raises(KeyError):
        page("<!-- table nobody -->\n<!-- end -->\n")
