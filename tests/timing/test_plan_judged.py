"""What docs/plan-judged.md rests on: streams that are what they say, figures that are right."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.stream.command import Work
from tests.drivers.judge import hazards_of
from tests.project.repository import ROOT, text_of
from tests.timing.judged import DRIVERS, PLANS, Judged, Variant, pieces, program, random_stream
from tests.timing.plan_judged import concordance, quantile, ranks, spearman

PAGE = text_of(ROOT / "docs" / "plan-judged.md")


def judged(*ways: tuple[int, int]) -> Judged:
    rows = tuple(Variant(f"{n}", *way, way[1]) for n, way in enumerate(ways))
    return Judged("s", 1, 0, False, rows)


@pytest.mark.parametrize("number", [0, 65])
def test_a_stream_has_a_plan_and_every_driver_clean(number: int) -> None:
    row = random_stream(number)
    assert [way.name for way in row.variants] == [*PLANS, *DRIVERS]
    lightest, fastest, *_ = row.variants
    assert min(way.cycles for way in row.variants) == lightest.cycles
    assert min(way.time for way in row.variants) == fastest.time
    assert row.untimed == [lightest, *row.forms]
    assert [way.name for way in row.forms] == list(DRIVERS)
    assert row == random_stream(number)


def test_variants_of_a_stream_do_the_same_works() -> None:
    for number in range(30):
        rows = pieces(number)
        streams = [program(rows, driver) for driver in ("", *DRIVERS)]
        works = [
            [
                (w.verb, w.name, w.accesses, w.cost)
                for w in stream.queues[0].commands
                if isinstance(w, Work)
            ]
            for stream in streams
        ]
        assert all(one == two for one, two in pairwise(works))
        assert hazards_of(streams[0]), "without synchronization it is wrong"


def test_ranks_share_ties() -> None:
    assert ranks([30, 10, 20, 20]) == [4, 1, 2.5, 2.5]


@given(st.lists(st.integers(0, 50), min_size=2, max_size=12))
def test_rank_correlation(values: list[int]) -> None:
    same = spearman(values, values)
    assert same == pytest.approx(1 if len(set(values)) > 1 else 0)
    assert spearman(values, [-value for value in values]) == pytest.approx(-same)
    assert spearman(values, [value**3 for value in values]) == pytest.approx(same)


def test_rank_correlation_by_hand() -> None:
    assert spearman([1, 2, 3, 4], [2, 1, 4, 3]) == pytest.approx(0.6)


def test_pairs_that_the_table_orders_as_time_does() -> None:
    row = judged((100, 1_000), (200, 5_000), (300, 3_000))
    assert concordance([row]) == (2, 3)
    assert concordance([judged((100, 1_000), (200, 1_050))]) == (0, 0), "as fast"
    assert concordance([judged((100, 1_000), (100, 9_000))]) == (0, 0), "as cheap"


def test_quantiles() -> None:
    assert [quantile([3, 1, 2, 4], part) for part in (0, 0.5, 0.9, 1)] == [1, 3, 4, 4]


def test_the_page_says_how_to_write_it_again() -> None:
    assert "`python -m tests.timing.plan_judged DATE > docs/plan-judged.md` on 20" in PAGE
    assert "\n200 streams for `gcn2-bonaire`, strict" in PAGE
    for way in ("lightest", "fastest"):
        assert all(f"| {way} | all | {driver} | " in PAGE for driver in DRIVERS)
