"""Sizes, durations, names and hints."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.errors import SyntaxProblem
from fencepost.stream.text.lexer import quote, tokens_of, unquote
from fencepost.stream.text.spelling import name_text
from fencepost.stream.units import is_duration, parse_number, parse_size, print_size
from fencepost.stream.words import hint, is_word


@given(st.integers(1, 1 << 48))
def test_sizes_are_printed_exactly(size: int) -> None:
    assert parse_size(print_size(size)) == size


@pytest.mark.parametrize(
    ("text", "size"),
    [("0", 0), ("64", 64), ("64B", 64), ("0x10", 16), ("64K", 65536), ("1G", 1 << 30)],
)
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize(
    "text", ["", "K", "64k", "64KB", "64KiB", "1.5K", "-1", "1 K", "٣", "6" * 21]
)
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(SyntaxProblem):
        parse_size(text)


@pytest.mark.parametrize(
    "text", ["", "x", "0x", "-1", "1.0", "1e3", "٣", "1" * 21, "0x" + "f" * 17]
)
def test_what_is_no_number(text: str) -> None:
    assert parse_number(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *[("1ms", True), ("1.5us", True), ("0ns", True), ("3ps", True), ("2s", True)],
        *[("1", False), ("ms", False), ("1.ms", False), ("1m", False), ("-1ms", False)],
    ],
)
def test_durations(text: str, expected: bool) -> None:
    assert is_duration(text) is expected


@given(st.text(), st.sampled_from('"`'))
def test_any_name_can_be_quoted(text: str, mark: str) -> None:
    token = quote(text, mark)
    assert "\n" not in token
    assert tokens_of(token) == [token]
    assert unquote(token) == text


@given(st.text(min_size=1))
def test_names_are_one_token(text: str) -> None:
    name = name_text(text)
    assert tokens_of(f"{name}[0:1]")[0] == name


@pytest.mark.parametrize(
    ("token", "text"),
    [
        ('"a"', "a"),
        (r'"\"\\\/\b\f\n\r\t"', '"\\/\b\f\n\r\t'),
        (r'"\u0041\ud83d\ude00"', "A😀"),
        (r"`a\`b`", "a`b"),
        ('`a"b`', 'a"b'),
        (r'"\x41"', None),
        (r'"\u00"', None),
        (r'"\ud83d"', None),
        (r'"\ude00\ud83d"', None),
    ],
)
def test_escapes(token: str, text: str | None) -> None:
    assert unquote(token) == text


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("drw", " (did you mean 'draw'?)"),
        ("=", " (did you mean '=='?)"),
        ("xyzzy", ""),
        ("", ""),
        ("d" * 100_000, ""),
    ],
)
def test_hints(word: str, expected: str) -> None:
    assert hint(word, ["draw", "dispatch", "<=", "==", ">="]) == expected


@pytest.mark.parametrize(("text", "expected"), [("a.b/c-1%", True), ("", False), ("a b", False)])
def test_words(text: str, expected: bool) -> None:
    assert is_word(text) is expected
