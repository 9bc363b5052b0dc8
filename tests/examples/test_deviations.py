"""docs/deviations.md is numbered, and names tests, pairs and examples that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.coherence.rows.pairs import all_pairs
from tests.examples.verdicts import names

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "deviations.md").read_text(encoding="utf-8")
ENTRIES = re.split(r"^### ", PAGE, flags=re.MULTILINE)[1:]
KNOWN = {pair.section for pair in all_pairs()} | set(names())
PARTS = ("- Source:", "- We do:", "- Why:", "- Shown by:")


def shown_by(entry: str) -> list[str]:
    """What an entry points to."""
    return re.findall(r"`([^`]+)`", entry.partition("- Shown by:")[2].partition("\n\n")[0])


def exists(name: str) -> bool:
    """Is that a pair, an example, a test file, or a test in one?"""
    file, _, test = name.partition("::")
    if not file.endswith(".py"):
        return name in KNOWN
    text = (ROOT / file).read_text(encoding="utf-8")
    return not test or f"def {test}(" in text


def test_entries_are_numbered() -> None:
    assert [int(entry.partition(".")[0]) for entry in ENTRIES] == list(range(1, len(ENTRIES) + 1))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.partition("\n")[0])
def test_an_entry_is_whole(entry: str) -> None:
    assert [part for part in PARTS if entry.count(part) != 1] == []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.partition("\n")[0])
def test_an_entry_is_shown(entry: str) -> None:
    assert shown_by(entry)
    assert [name for name in shown_by(entry) if not exists(name)] == []


@pytest.mark.parametrize(
    "name", ["no-such-pair", "tests/examples/test_readings.py::test_of_nothing"]
)
def test_a_wrong_name_is_noticed(name: str) -> None:
    assert not exists(name)
