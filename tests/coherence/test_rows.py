"""Every pair of streams of `rows/`: one clean, one with exactly the hazards that it names."""

from __future__ import annotations

import pytest

from fencepost.coherence import Kind, check
from fencepost.machine import find_machine
from fencepost.stream.text import parse_text
from tests.coherence.rows.pairs import Hazard, Pair, all_pairs

PAIRS = all_pairs()


def hazards(text: str) -> list[Hazard]:
    """The hazards of a stream, by line; its own guarantees, else the machine's."""
    program = parse_text(text)
    report = check(program, find_machine(program.machine))
    found = [
        Hazard(f.rule, f.later.place.line, dict(f.properties).get("cache", ""))
        for f in report.of(Kind.HAZARD)
    ]
    return sorted(set(found), key=lambda hazard: (hazard.line, hazard.rule, hazard.cache))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_a_pair(pair: Pair) -> None:
    assert hazards(pair.clean) == []
    expected = sorted(pair.hazards, key=lambda hazard: (hazard.line, hazard.rule, hazard.cache))
    assert hazards(pair.failing) == expected
    assert expected


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_a_pair_differs_in_one_thing(pair: Pair) -> None:
    assert pair.difference in {"added", "replaced", "changed", "moved"}


def test_names_are_unique() -> None:
    names = [pair.name for pair in PAIRS]
    assert len(set(names)) == len(names)
