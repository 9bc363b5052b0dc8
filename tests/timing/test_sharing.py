"""Rules that divide a unit: beside an exact reference, and by what each promises."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from fencepost.timing.parameters import WHOLE
from fencepost.timing.sharing import RULES, FairQueues, FairWorks, OldestFirst, Parts

parts = st.integers(1, WHOLE)
wants = st.lists(st.tuples(st.integers(0, 3), parts), min_size=1, max_size=40)


def rates(rule: str, rows: list[tuple[int, int]]) -> list[int]:
    parts = Parts()
    for queue, cap in rows:
        parts.put(queue, cap)
    RULES[rule]().divide(parts)
    return [parts.rate(at) for at in range(len(rows))]


def water_level(caps: list[int]) -> Fraction:
    """The level up to which everybody is filled, found by bisection over the caps."""
    if sum(caps) <= WHOLE:
        return Fraction(WHOLE)
    ordered = sorted(caps)
    for at, cap in enumerate(ordered):
        below = sum(ordered[:at])
        level = Fraction(WHOLE - below, len(ordered) - at)
        if level <= cap:
            return level
    raise AssertionError(caps)


@given(wants, st.sampled_from(sorted(RULES)))
def test_no_rule_gives_more_than_there_is_or_than_is_wanted(
    rows: list[tuple[int, int]], rule: str
) -> None:
    got = rates(rule, rows)
    assert sum(got) <= WHOLE
    assert all(0 <= rate <= cap for rate, (_, cap) in zip(got, rows, strict=True))


@given(wants, st.sampled_from(sorted(RULES)))
def test_no_rule_wastes_anything_but_the_rounding(rows: list[tuple[int, int]], rule: str) -> None:
    total = min(WHOLE, sum(cap for _, cap in rows))
    assert total - len(rows) < sum(rates(rule, rows)) <= total


@given(st.lists(parts, min_size=1, max_size=40))
def test_max_min_fills_everybody_to_one_level(caps: list[int]) -> None:
    level = water_level(caps)
    got = rates("fair-works", [(0, cap) for cap in caps])
    for at, cap in enumerate(caps):
        assert got[at] == min(cap, int(level))


@given(wants)
def test_fair_queues_is_max_min_between_queues_and_oldest_first_within(
    rows: list[tuple[int, int]],
) -> None:
    got = rates("fair-queues", rows)
    queues = sorted({queue for queue, _ in rows})
    wanted = {q: min(WHOLE, sum(cap for queue, cap in rows if queue == q)) for q in queues}
    level = int(water_level(list(wanted.values())))
    for queue in queues:
        mine = [(rate, cap) for rate, (q, cap) in zip(got, rows, strict=True) if q == queue]
        assert sum(rate for rate, _ in mine) == min(wanted[queue], level)
        short = [at for at, (rate, cap) in enumerate(mine) if rate < cap]
        assert all(rate == 0 for rate, _ in mine[short[0] + 1 :]) if short else True


@given(st.lists(parts, min_size=1, max_size=40))
def test_alone_a_queue_gets_all_that_it_wants(caps: list[int]) -> None:
    rows = [(0, cap) for cap in caps]
    assert rates("fair-queues", rows) == rates("oldest-first", rows)


def test_the_first_rule_is_the_default() -> None:
    assert list(RULES) == ["fair-queues", "fair-works", "oldest-first"]
    assert list(RULES.values()) == [FairQueues, FairWorks, OldestFirst]
