"""docs/drivers.md has the tables that the tests hold."""

from __future__ import annotations

import re

import pytest

from tests.drivers.forms import transitions
from tests.drivers.judge import CLEAN
from tests.drivers.page import PAGE, TABLES, page
from tests.drivers.verdicts import FOUND
from tests.project.tables import BLOCK

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_tables_are_current() -> None:
    """But for the costs: planning all of them takes minutes."""
    assert page(TEXT, frozenset({"costs"})) == TEXT, "python -m tests.drivers.page renews them"


def test_every_table_stands_once() -> None:
    assert sorted(BLOCK.findall(TEXT)) == sorted(TABLES)


PFP_RUNS_AHEAD = "Surface sync on PFP behind waits of ME"
WRONG = {
    ("UAV -> indirect arguments", "PAL, surface sync on PFP"): PFP_RUNS_AHEAD,
    ("Index buffer written by a dispatch", "PAL, surface sync on PFP"): PFP_RUNS_AHEAD,
}
"""Forms of shipped drivers that are called wrong, with the section that says why."""

LATE = "An event that the host sets"
SECTIONS = dict(re.findall(r"^### ([^\n]*)\n(.*?)(?=^##)", TEXT, re.MULTILINE | re.DOTALL))


def test_every_form_of_a_driver_that_is_called_wrong_has_its_section() -> None:
    wrong = {
        (transition.header["title"], form.title)
        for transition in transitions()
        for form in transition.forms
        if form.driver != "seed" and set(form.verdicts) != {CLEAN}
    }
    assert wrong == WRONG.keys()


@pytest.mark.parametrize("name", sorted({*WRONG.values(), *(f.why for f in FOUND), LATE}))
def test_a_section_says_why_and_whether_it_can_be_reached(name: str) -> None:
    assert re.search(r"\breached\b", SECTIONS[name])
    assert "PFP" in SECTIONS[name] or "TCC" in SECTIONS[name]


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
