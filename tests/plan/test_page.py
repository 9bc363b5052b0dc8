"""The page about the planner is made of what the planner does."""

from __future__ import annotations

from tests.plan.page import PAGE, page


def test_the_page_is_up_to_date() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text, "python -m tests.plan.page renews it"
