"""docs/cli.md knows every verb and every option."""

from __future__ import annotations

import importlib

import pytest

from fencepost.cli.main import VERBS
from tests.project.repository import ROOT, text_of

PAGE = text_of(ROOT / "docs" / "cli.md")


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_is_documented(verb: str) -> None:
    section = PAGE.split(f"\n## {verb}\n")[1].split("\n## ")[0]
    made = importlib.import_module(f"fencepost.cli.{verb}").parser()
    options = [
        name
        for action in made._actions
        for name in action.option_strings
        if name not in ("-h", "--help")
    ]
    assert options
    assert [name for name in options if f"`{name}" not in section] == []


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_is_in_the_readme(verb: str) -> None:
    assert f"| `fencepost {verb} " in text_of(ROOT / "README.md")
