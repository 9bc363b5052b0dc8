"""docs/verification.md names every setting and every family, and no other."""

from __future__ import annotations

import re

from tests.coherence.rows.pairs import all_pairs
from tests.project.repository import ROOT
from verify.enumerate import SETTINGS

PAGE = (ROOT / "docs" / "verification.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
FAMILIES = {family.name for setting in SETTINGS for family in setting.families()}


def named(section: str, column: int) -> set[str]:
    """What stands in backquotes in that column of a section's table."""
    rows = [line.split("|") for line in SECTIONS[section].splitlines() if line.startswith("| ")]
    return {word for row in rows[1:] for word in re.findall(r"`([^`]+)`", row[column])}


def test_every_family_has_its_row() -> None:
    assert named("Families", 1) == FAMILIES


def test_every_setting_has_its_row() -> None:
    assert named("Settings", 1) == {setting.name for setting in SETTINGS}


def test_what_is_explored_names_families() -> None:
    assert named("What is explored, and where", 2) <= FAMILIES


def test_what_was_found_has_pairs() -> None:
    rows = SECTIONS["What a disagreement was worth"].splitlines()
    pairs = {
        name
        for line in rows
        if line.startswith("| ")
        for name in line.split("|")[3].strip().split(", ")
    }
    assert pairs - {"pair"} <= {pair.section for pair in all_pairs()}
