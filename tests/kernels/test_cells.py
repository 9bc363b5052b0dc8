"""Cells of a capture, compiled and interpreted, and beside the readers of text."""

from __future__ import annotations

import importlib
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fencepost.present.captures import scanning
from fencepost.present.captures.numbers import MOST, NotANumber, numbers, whole_numbers
from fencepost.present.captures.table import MISSING
from tests.kernels.twice import compiled, interpreted

KERNEL = "fencepost.present.captures.cells"
FORMS: list[Callable[[str], ModuleType]] = [compiled, interpreted]


@dataclass(frozen=True)
class Seen:
    """What a scan says of a block with a word, a decimal, a word that is passed over, a count."""

    plain: bool
    decimals: list[int]
    counts: list[int]
    words: list[bytes]
    bits: list[int]


def scan(kernel: ModuleType, data: bytes, rows: int) -> Seen:
    kinds, slots = array("q", [2, 1, 0, 1]), array("q", [2, 0, 0, 1])
    digits, limits = array("q", [0, 9, 0, 0]), array("q", [0, MOST, 0, 10**18])
    out, spans, seen = (array("q", [0]) * count for count in (3 * rows, 96, 3))
    plain = bool(kernel.scan(data, ord(","), kinds, slots, digits, limits, rows, out, spans, seen))
    words = [data[spans[at] : spans[at + 1]] for at in range(64, 64 + 2 * seen[2], 2)]
    listed = [words[index] for index in out[2 * rows :]] if plain else []
    return Seen(plain, list(out[:rows]), list(out[rows : 2 * rows]), listed, list(seen[:2]))


def block(decimals: list[str], counts: list[str], word: str = "Title.exe") -> bytes:
    rows = zip(decimals, counts, strict=True)
    return "".join(f"{word},{one},x{at},{two}\n" for at, (one, two) in enumerate(rows)).encode()


PLAIN = st.one_of(
    st.just("NA"),
    st.builds("{}.{:04d}".format, st.integers(-999, 9_007_198), st.integers(0, 9999)),
    st.builds("{}.{:04d}0000000000".format, st.integers(0, 99), st.integers(0, 9999)),
    st.integers(-(10**6), 10**6).map(str),
)
ODD = st.text("0123456789.-+eN A,", max_size=12) | st.floats(-1e9, 1e9).map(repr)


@given(st.lists(st.tuples(PLAIN | ODD, st.integers(-(10**18), 10**18).map(str) | ODD), min_size=1))
@example([("NA", "1"), ("-0.5", "2"), ("0.1", "NA")])
@example([("N", "1")])
@example([("1.5", "-")])
@example([("9007199.254740991", "999999999999999999")])
@example([("9007199.254740992", "9999999999999999999")])
def test_both_forms_say_the_same_and_what_text_says(cells: list[tuple[str, str]]) -> None:
    decimals, counts = [one for one, _ in cells], [two for _, two in cells]
    data = block(decimals, counts)
    both = [scan(form(KERNEL), data, len(cells)) for form in FORMS]
    assert both[0].plain == both[1].plain
    if not both[0].plain:
        return
    assert both[0] == both[1]
    found = both[0]
    assert found.words == [b"Title.exe"] * len(cells)
    assert found.decimals == list(numbers(decimals, 9).values)
    assert found.counts == list(whole_numbers(counts).values)
    for at, values in enumerate((found.decimals, found.counts)):
        assert bool(found.bits[at] & 2) == any(value != MISSING for value in values)
        assert found.bits[at] & 1 or all(value == MISSING or value >= 0 for value in values)


@given(st.lists(PLAIN, min_size=1))
def test_what_is_plain_is_taken(decimals: list[str]) -> None:
    for form in FORMS:
        assert scan(form(KERNEL), block(decimals, ["7"] * len(decimals)), len(decimals)).plain


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "data",
    [
        b"a,1,x\n1,a,1,x,1\n",  # rows of other lengths
        b"a,1,x,1,\na,1,x,1\n",
        b"a,1,x,1\n\n",
        b"a,1,x,1\na,1,x,1\nx\n",
        b"a,,x,1\na,1,x,1\n",
        b"a,1.,x,1\na,1,x,1\n",
        b"a,.5,x,1\na,1,x,1\n",
        b"a,1.0000000001,x,1\na,1,x,1\n",
        b"a,1,x,1.5\na,1,x,1\n",
        b"a,+1,x,1\na,1,x,1\n",
        b"a, 1,x,1\na,1,x,1\n",
        b"a,1e3,x,1\na,1,x,1\n",
        b"a,--1,x,1\na,1,x,1\n",
        b"a,1,x,N\nA,1,x,N\n",
    ],
)
def test_what_is_not_plain_is_left_to_others(
    form: Callable[[str], ModuleType], data: bytes
) -> None:
    assert not scan(form(KERNEL), data, 2).plain


@given(st.lists(st.sampled_from(["a", "ab", "b", "", "Å"]) | st.text("abcdefghij", max_size=3)))
def test_a_few_words_are_told_apart(words: list[str]) -> None:
    data = "".join(f"{word},1,x,2\n" for word in words).encode()
    both = [scan(form(KERNEL), data, len(words)) for form in FORMS]
    assert both[0] == both[1]
    assert both[0].plain == (len(set(words)) <= scanning.WORDS)
    if both[0].plain:
        assert both[0].words == [word.encode() for word in words]


@pytest.mark.parametrize("form", FORMS)
def test_sixteen_words_and_no_more(form: Callable[[str], ModuleType]) -> None:
    for count in (16, 17):
        words = [chr(97 + at % count) for at in range(40)]
        found = scan(form(KERNEL), "".join(f"{it},1,x,2\n" for it in words).encode(), 40)
        assert found.plain == (count == 16)
        assert found.words == ([word.encode() for word in words] if found.plain else [])


@given(st.binary(max_size=40), st.integers(1, 4))
def test_any_bytes_of_whole_lines_end_well(data: bytes, rows: int) -> None:
    lines = data.replace(b"\n", b"")[: 10 * rows] + b"\n" * rows
    assert scan(compiled(KERNEL), lines, rows) == scan(interpreted(KERNEL), lines, rows)


def test_the_caller_knows_the_numbers() -> None:
    kernel = interpreted(KERNEL)
    for name in ("SKIPPED", "NUMBER", "WORD", "WORDS", "BELOW_ZERO", "GIVEN"):
        assert getattr(scanning, name) == getattr(kernel, name)
    assert kernel.NOTHING == MISSING
    with pytest.raises(NotANumber):
        whole_numbers(["1.5.5"])
    assert importlib.import_module(KERNEL).__name__ == KERNEL
