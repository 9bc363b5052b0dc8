from __future__ import annotations

import re

import pytest

from fencepost.coherence.rules import RULES, Rule
from fencepost.report.rule_text import rule_list, rule_page, rule_text
from fencepost.report.style import Style
from tests.project.repository import ROOT


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_the_page_is_up_to_date() -> None:
    page = (ROOT / "docs" / "rules.md").read_bytes().decode("utf-8")
    assert page == rule_page(), "run: fencepost explain --markdown > docs/rules.md"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_is_printed_whole(rule: Rule) -> None:
    text = flat(rule_text(rule, Style()))
    for part in (f"{rule.kind}[{rule.id}]: {rule.title}", rule.meaning, rule.mend, rule.source):
        assert flat(part) in text


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_is_listed_once(rule: Rule) -> None:
    rows = [line for line in rule_list(Style()).splitlines() if line.split()[:1] == [rule.id]]
    assert len(rows) == 1
    assert rows[0].endswith(rule.title)


def test_ids_are_unique_and_kebab_case() -> None:
    ids = [rule.id for rule in RULES]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", name) for name in ids)
