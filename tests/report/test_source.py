from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.place import NOWHERE, Place
from fencepost.report.source import Sources, locate
from tests.report.samples import FILE, SOURCES, TEXT, spot


@pytest.mark.parametrize(
    ("line", "does", "marked"),
    [
        ("  draw ps.texture X; cb0.write Y", "ps.texture X", "ps.texture X"),
        ("  draw ps.texture X; cb0.write Y", "cb0.write Y", "cb0.write Y"),
        ("  draw ps.texture   X", "ps.texture X", "ps.texture   X"),
        ("  draw cs.uav X[0:16] hit-lru", "cs.uav X", "cs.uav X[0:16]"),
        ("  draw cs.uav X[0:16]; cs.uav Y", "cs.uav X[0:16]", "cs.uav X[0:16]"),
        ("  draw cs.uav X[0:64K]", "cs.uav X[0:65536]", "cs.uav X[0:64K]"),
        ("  draw ps.texture XX; ps.texture X", "ps.texture X", "ps.texture X"),
        ("  draw db.write Z.htile", "db.write Z.htile", "db.write Z.htile"),
        ("  draw ps.texture X  # of ps.texture Y", "ps.texture Y", "ps.texture X"),
        ('  draw "a # b" ps.texture X # c', "cb0.write Z", 'draw "a # b" ps.texture X'),
        ("  flush ps  # WAR", "", "flush ps"),
        ("  sync me tcc.wbinv tcp.wbinv", "tcp.wbinv", "tcp.wbinv"),
        ('{"op": "draw", "accesses": ["X"]}', "ps.texture X", "X"),
    ],
)
def test_the_access_is_found_in_its_line(line: str, does: str, marked: str) -> None:
    region = locate(line, does, len(line) - len(line.lstrip()))
    assert line[region.start : region.end] == marked


def test_a_name_inside_another_is_not_taken_for_it() -> None:
    line = "  draw ps.texture big-X; cb0.write X-big; cs.uav X"
    region = locate(line, "cs.uav X", 2)
    assert line[region.start :] == "cs.uav X"


@given(st.text(), st.text(), st.integers(-2, 50))
def test_a_region_always_lies_in_the_line(line: str, does: str, column: int) -> None:
    region = locate(line, does, column)
    assert 0 <= region.start <= region.end <= len(line)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_are_found_by_number_with_either_line_end(end: str) -> None:
    sources = Sources({FILE: TEXT.replace("\n", end)})
    assert sources.line(Place(FILE, 8)) == "  flush ps"
    assert sources.line(Place(FILE, 1)) == "machine xbox-one"


@pytest.mark.parametrize(
    "place", [Place("other", 8), Place(FILE, 0), Place(FILE, 900), Place(FILE, 8, 1, 0), NOWHERE]
)
def test_no_line_where_no_text_shows_it(place: Place) -> None:
    assert SOURCES.line(place) is None
    command = replace(spot(8).command, place=place)
    assert SOURCES.region(replace(spot(8), command=command)) is None


def test_only_newlines_end_a_line() -> None:
    sources = Sources({FILE: "one\x0btwo\u2028three\x0c\nfour"})
    assert sources.line(Place(FILE, 2)) == "four"
