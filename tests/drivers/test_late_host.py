"""RADV's rows for the host's writes behind a wait for an event that the host sets later."""

from __future__ import annotations

import pytest

from fencepost.stream.text import parse_text
from tests.drivers.judge import Hazard, explored_clean, hazards_of_text
from tests.drivers.rows import DATA, Row, late_host_text, read_rows
from tests.drivers.vulkan import HOST_READ

ROWS = [row for row in read_rows() if row.source == "host write" and row.scopes[1].accesses]
AHEAD = frozenset({Hazard("read-after-write")})
OLD = frozenset({Hazard("stale-cache-line", "tcc")})
WRONG = {
    ("index", "draw pfp.index b", False): AHEAD,
    ("index", "draw pfp.index b", True): AHEAD,
    ("predication", "draw pfp.predicate b", False): AHEAD,
    ("predication", "draw pfp.predicate b", True): AHEAD,
    ("compute uniform", "dispatch cs.constant b", True): OLD,
    ("indirect", "dispatch cs.constant b", True): OLD,
}
"""Destination, consumer, old lines: PFP runs ahead of ME's wait, or TCC keeps what it has."""


@pytest.mark.skipif(not DATA, reason="FENCEPOST_DATA is not set")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_verdict_of_a_row(row: Row) -> None:
    for consumer in row.scopes[1].accesses:
        for old in (False, True) if consumer != HOST_READ else ():
            text = late_host_text(row.lines, consumer, old)
            found = WRONG.get((row.destination, consumer, old), frozenset())
            assert hazards_of_text(text) == found, text
            assert explored_clean(parse_text(text, "driver")) is not bool(found), text


def test_a_wait_on_pfp_holds_an_index_buffer() -> None:
    text = late_host_text((), "draw pfp.index b", old=False)
    assert hazards_of_text(text) == AHEAD
    assert not hazards_of_text(text.replace("wait me event", "wait pfp event"))
