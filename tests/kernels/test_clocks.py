"""Clocks: beside what the words say, compiled and interpreted."""

from __future__ import annotations

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.twice import compiled, interpreted

NAME = "fencepost.coherence.clocks"
positions = st.integers(-(2**62), 2**62)
clocks = st.integers(0, 6).flatmap(
    lambda size: st.tuples(*[st.lists(positions, min_size=size, max_size=size)] * 2)
)


@pytest.fixture(params=["compiled", "interpreted"], scope="module")
def kernel(request: pytest.FixtureRequest) -> ModuleType:
    return {"compiled": compiled, "interpreted": interpreted}[request.param](NAME)


@given(pair=clocks)
def test_a_join_is_the_highest_of_both(
    kernel: ModuleType, pair: tuple[list[int], list[int]]
) -> None:
    one, two = pair
    expected = list(map(max, one, two))
    assert kernel.joined(tuple(one), two) == tuple(expected)
    assert kernel.joined(tuple(one), tuple(two)) == tuple(expected)
    kernel.join(one, two)
    assert one == expected


@given(one=st.lists(positions, max_size=6))
def test_an_empty_clock_knows_nothing(kernel: ModuleType, one: list[int]) -> None:
    assert kernel.joined(tuple(one), ()) == kernel.joined((), one) == tuple(one)
    before = list(one)
    kernel.join(one, ())
    assert one == before


@given(pair=clocks)
def test_who_reaches_whom(kernel: ModuleType, pair: tuple[list[int], list[int]]) -> None:
    one, two = pair
    assert kernel.reaches(one, two) == all(a >= b for a, b in zip(one, two, strict=True))
    assert kernel.reaches(kernel.joined(tuple(one), two), two)
    assert kernel.reaches(one, two[:-1]) or not kernel.reaches(one, two)


def test_what_is_lower_in_one_point_does_not_reach(kernel: ModuleType) -> None:
    assert kernel.reaches((1, 2, 3), [1, 2, 3])
    assert not kernel.reaches((1, 2, 3), [1, 2, 4])
    assert kernel.reaches((1, 2), (1, 2, 9)), "as far as both go"
