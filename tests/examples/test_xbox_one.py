"""The seed's examples on `xbox-one`: clean as they stand, and what each piece of them is for.

Seed 000 "Examples" and its two code listings; `-reuse` after the eight programs of
xbox_examples_reuse.md.
"""

from __future__ import annotations

from itertools import chain

import pytest

from fencepost.coherence import Kind, check
from fencepost.machine import find_machine
from fencepost.stream.text import format_text
from tests.examples.drops import drops
from tests.examples.verdicts import expected, hazards, load, names, text_of, verdict

METHODS = (
    "constant-buffer-cpu-update",
    *(f"render-target-to-texture-{way}" for way in ("eos", "surface-sync", "partial-flush")),
    *(f"uav-to-render-target-{way}" for way in ("fence", "partial-flush")),
    *(f"uav-to-indirect-{way}" for way in ("pfp-wait", "pfp-sync")),
)
LISTINGS = ("listing-fence", "listing-surface-sync")
TABLE = expected()
DROPS = [(name, piece) for name, section in TABLE.items() for piece in section.dropped]
NEEDED = (*names("-reuse"), *LISTINGS)
"""Examples in which nothing is redundant."""


def test_every_method_stands_there_twice() -> None:
    assert {f"{method}-{use}" for method in METHODS for use in ("first-use", "reuse")} <= set(
        names()
    )
    assert set(LISTINGS) <= set(names())


def test_the_table_holds_every_example() -> None:
    assert sorted(TABLE) == names()


@pytest.mark.parametrize("name", names())
def test_an_example_is_clean(name: str) -> None:
    assert hazards(load(name)) == []


@pytest.mark.parametrize("name", names())
def test_strict_finds_what_the_table_says(name: str) -> None:
    assert verdict(load(name), "strict") == TABLE[name].strict


@pytest.mark.parametrize("name", names())
def test_a_verdict_says_when_it_leans_on_documented(name: str) -> None:
    program = load(name)
    report = check(program, find_machine(program.machine), "documented")
    leaning = [f"{finding.rule}@{finding.later.place.line}" for finding in report.leaning]
    assert list(dict.fromkeys(leaning)) == hazards(program, "strict")


@pytest.mark.parametrize("name", names())
def test_the_table_holds_every_piece(name: str) -> None:
    assert [drop.name for drop in drops(load(name))] == list(TABLE[name].dropped)


@pytest.mark.parametrize(("name", "piece"), DROPS, ids=[f"{name}-{piece}" for name, piece in DROPS])
def test_without_a_piece(name: str, piece: str) -> None:
    (dropped,) = [drop for drop in drops(load(name)) if drop.name == piece]
    assert verdict(dropped.program) == TABLE[name].dropped[piece]


def test_nothing_is_redundant_where_old_lines_are_about() -> None:
    verdicts = chain.from_iterable(TABLE[name].dropped.values() for name in NEEDED)
    assert "clean" not in set(verdicts)


@pytest.mark.parametrize("name", names())
def test_an_example_is_laid_out(name: str) -> None:
    assert format_text(text_of(name), name) == text_of(name)


@pytest.mark.parametrize("name", names())
def test_an_example_explains_itself(name: str) -> None:
    comment = text_of(name).partition("\nmachine ")[0].splitlines()
    assert 3 <= len(comment) <= 10
    assert all(line.startswith("#") or not line for line in comment)
    assert max(map(len, text_of(name).splitlines())) <= 100


@pytest.mark.parametrize("name", names())
def test_an_example_has_no_waste(name: str) -> None:
    program = load(name)
    report = check(program, find_machine(program.machine), "documented")
    assert [finding.rule for finding in report.of(Kind.WASTE)] == []
