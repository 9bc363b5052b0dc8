from __future__ import annotations

import pytest

from fencepost.coherence.rules import RULES
from fencepost.report.rule_text import rule_page
from tests.cli.run import run


def test_without_a_rule_all_are_listed() -> None:
    result = run("explain")
    assert (result.code, result.err) == (0, "")
    assert [rule.id for rule in RULES if rule.id not in result.out] == []


def test_rules_are_explained_in_the_order_given() -> None:
    result = run("explain", "deadlock", "lost-write")
    assert result.code == 0
    assert result.out.index("hazard[deadlock]") < result.out.index("hazard[lost-write]")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("dedlock", "no rule 'dedlock' (did you mean 'deadlock'?); expected one that"),
        ("xyz", "no rule 'xyz'; expected one that `fencepost explain` lists"),
        ("", "no rule ''; expected"),
    ],
)
def test_an_unknown_rule_is_one_line(name: str, said: str) -> None:
    result = run("explain", name)
    assert (result.code, result.out) == (2, "")
    assert said in result.complaints[0]


def test_the_page_is_printed() -> None:
    assert run("explain", "--markdown").out == rule_page()


@pytest.mark.parametrize(("color", "colored"), [("always", True), ("never", False)])
def test_colour_is_on_request(color: str, colored: bool) -> None:
    assert ("\033[" in run("explain", "deadlock", "--color", color).out) is colored
