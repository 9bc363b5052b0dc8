"""Every row of RADV's packets, with every producer and consumer that its words allow."""

from __future__ import annotations

import pytest

from fencepost.stream.text import parse_text
from tests.drivers.judge import explored_clean, hazards_of_text
from tests.drivers.rows import DATA, Pair, Row, chains, pairs_of, program_text, read_rows
from tests.drivers.verdicts import FOUND, UNMAPPED, expected, reason

ROWS = read_rows()
MAPPED = [row for row in ROWS if any(pairs_of(row))]
SAMPLE = 7
"""Of so many programs one is explored; all of them agree (docs/drivers.md)."""

FREE = ("", "none/top", "host write", "indirect read", "draw_indirect")
"""Sources that need no packet: submitting orders the host, and PFP has read before ME starts."""

pytestmark = pytest.mark.skipif(not DATA, reason="FENCEPOST_DATA is not set")


def text_of(row: Row, pair: Pair, old: bool, lines: tuple[str, ...] | None = None) -> str:
    works = (pair.producer, pair.consumer)
    return program_text(row.lines if lines is None else lines, works, old)


def test_every_row_is_mapped_or_has_a_reason() -> None:
    assert len(ROWS) == 257
    assert {row.name for row in ROWS if row not in MAPPED} == {
        row.name for row in ROWS if reason(row)
    }
    assert len(MAPPED) == 223


def test_every_reason_is_used() -> None:
    assert [row for row in UNMAPPED if not any(map(row.names, ROWS))] == []


@pytest.mark.parametrize("row", MAPPED, ids=lambda row: row.name)
def test_the_verdict_of_a_row(row: Row) -> None:
    for pair in pairs_of(row):
        for old in (False, True):
            text = text_of(row, pair, old)
            assert hazards_of_text(text) == expected(row, pair, old), text


def test_every_hazard_is_of_some_row() -> None:
    named = {
        found
        for found in FOUND
        for row in MAPPED
        for pair in pairs_of(row)
        if found.names(row, pair, old=True)
    }
    assert [found for found in FOUND if found not in named] == []


@pytest.mark.parametrize("row", MAPPED, ids=lambda row: row.name)
def test_a_row_needs_its_packets(row: Row) -> None:
    texts = [text_of(row, pair, old=True, lines=()) for pair in pairs_of(row)]
    assert any(map(hazards_of_text, texts)) is (row.source not in FREE)


TARGET = ("color write", "depth write")
CHAINS = list(chains(ROWS))


@pytest.mark.parametrize("source", dict.fromkeys(first.source for first, _ in CHAINS))
def test_a_chain_of_two_barriers(source: str) -> None:
    for first, second in CHAINS:
        for producer in first.scopes[0].accesses if first.source == source else ():
            for consumer in second.scopes[1].accesses:
                works = (producer, consumer)
                text = program_text((*first.lines, *second.lines), works, old=True)
                constant = second.destination in ("compute uniform", "indirect")
                stale = source in TARGET and constant and consumer == "dispatch cs.constant b"
                assert bool(hazards_of_text(text)) is stale, text


def test_the_explorer_agrees() -> None:
    texts = list(
        dict.fromkeys(
            text_of(row, pair, old)
            for row in MAPPED
            for pair in pairs_of(row)
            for old in (False, True)
        )
    )
    for text in texts[::SAMPLE]:
        assert explored_clean(parse_text(text, "driver")) is not bool(hazards_of_text(text)), text
