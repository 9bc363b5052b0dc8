from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.report.style import TONES, Style, cells


@pytest.mark.parametrize("tone", TONES)
def test_colour_is_drawn_only_where_it_is_wanted(tone: str) -> None:
    assert Style().paint("text", tone) == "text"
    painted = Style(color=True).paint("text", tone)
    assert painted.startswith("\033[")
    assert painted.endswith("text\033[0m")


def test_nothing_is_painted_on_nothing() -> None:
    assert Style(color=True).paint("", "hazard") == ""


@pytest.mark.parametrize(
    ("text", "encoding", "shown"),
    [
        ("plain text", "ascii", "plain text"),
        ("caf\u00e9", "utf-8", "caf\u00e9"),
        ("caf\u00e9", "ascii", "caf?"),
        ("\u6c34", "cp1252", "?"),
        ("a\tb", "utf-8", "a b"),
        ("\033[31mred", "utf-8", "?[31mred"),
        ("bell\a, null\0, feed\x0c, line\nend", "utf-8", "bell?, null?, feed?, line?end"),
        ("right-to-left \u202e mark", "utf-8", "right-to-left ? mark"),
        ("half a pair \udc80", "utf-8", "half a pair ?"),
    ],
)
def test_what_cannot_be_shown_becomes_a_question_mark(text: str, encoding: str, shown: str) -> None:
    assert Style(encoding=encoding).clean(text) == shown


@given(st.text(st.characters()), st.sampled_from(["ascii", "utf-8", "cp1252", "cp437"]))
def test_clean_text_can_be_printed_and_keeps_its_length(text: str, encoding: str) -> None:
    shown = Style(encoding=encoding).clean(text)
    shown.encode(encoding)
    assert len(shown) == len(text)
    assert not any(ord(character) < 32 for character in shown)
    assert Style(encoding=encoding).clean(shown) == shown


@pytest.mark.parametrize(
    ("text", "width"), [("", 0), ("abc", 3), ("\u6c34", 2), ("e\u0301", 1), ("\uff21b", 3)]
)
def test_cells_counts_terminal_columns(text: str, width: int) -> None:
    assert cells(text) == width


def test_long_text_is_wrapped_under_its_start() -> None:
    lines = Style(width=40).wrap("  = fix: ", "one two three four five six seven eight nine ten")
    assert lines == ["  = fix: one two three four five six", "           seven eight nine ten"[2:]]


def test_a_long_word_is_not_broken() -> None:
    word = "x" * 200
    assert Style(width=40).wrap("  ", word) == [f"  {word}"]


def test_no_text_leaves_the_heading() -> None:
    assert Style().wrap("  = fix: ", "") == ["  = fix:"]
