"""Annotations: accesses that the stream does not show, and every way to write them wrongly."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencepost.capture.pm4 import load, translate
from fencepost.errors import FileProblem, Problems
from fencepost.stream.command import Policy, Work
from fencepost.stream.legality import check_legality
from tests.capture.build import (
    BASE,
    CLEAR_STATE,
    DISPATCH,
    DRAW,
    EVENT_WRITE_EOP,
    capture,
    commands,
    context,
    packet,
    problem,
    program,
    submission,
)
from tests.capture.test_carriers import HEX

CLEAR = packet(CLEAR_STATE, 0)
IMAGE = "buffer image 64K at 0x20000\n"


def works(notes: str, *packets: tuple[int, ...]) -> list[Work]:
    found = commands(*(packets or (CLEAR, DISPATCH, DRAW, DISPATCH)), notes=notes)
    return [row for row in found if isinstance(row, Work)]


def told(row: Work) -> list[str]:
    return [f"{found.block}.{found.use} {found.resource.name}" for found in row.accesses]


def test_without_notes_every_stage_is_unknown() -> None:
    assert [row.unknown for row in works("")] == [("cs",), ("vs", "ps"), ("cs",)]


@pytest.mark.parametrize(
    "key",
    ["dispatch 2", f"{BASE + 4 * (2 + 5 + 3):#x}", "stream.txt:13", '"stream.txt":13'],
)
def test_keys_name_one_work(key: str) -> None:
    first, draw, second = works(f"{IMAGE}at {key}: cs.texture image[0:4K] hit-evict\n")
    assert (told(first), told(draw)) == ([], [])
    assert told(second) == ["cs.texture image"]
    (access,) = second.accesses
    assert (access.start, access.end, access.policy) == (0x20000, 0x21000, Policy.HIT_EVICT)
    assert [row.unknown for row in (first, draw, second)] == [("cs",), ("vs", "ps"), ()]


def test_notes_replace_only_the_stages_that_they_name() -> None:
    notes = f"# a comment\n\n{IMAGE}at draw 1: ps.texture image; ps.uav-write image  # more\n"
    _, draw, _ = works(notes)
    assert told(draw) == ["ps.texture image", "ps.uav-write image"]
    assert draw.unknown == ("vs",)


def test_a_stage_may_access_nothing() -> None:
    _, draw, _ = works("at draw 1: vs.nothing; ps.nothing\n")
    assert (draw.accesses, draw.unknown) == ((), ())


def test_several_lines_add_up() -> None:
    notes = f"{IMAGE}at dispatch 1: cs.texture image\nat dispatch 1: cs.uav-write image\n"
    assert told(works(notes)[0]) == ["cs.texture image", "cs.uav-write image"]


def test_stream_out_can_be_noted() -> None:
    stream_out = (context(0x28B94, 1), context(0x28B98, 1))
    (draw,) = works(f"{IMAGE}at draw 1: so.write image\n", CLEAR, *stream_out, DRAW)
    assert told(draw) == ["so.write image"]
    assert draw.unknown == ("vs", "ps")


def test_declared_resources_give_their_names() -> None:
    color = (
        context(0x28808, 0x00CC0010),
        context(0x28238, 0xF),
        context(0x28C60, 0x1000000, 31, 1023, 0, 10 << 2, 14),
    )
    (draw,) = works("color gbuffer 256x256 rgba8 at 0x100000000\n", CLEAR, *color, DRAW)
    assert told(draw) == ["cb0.write gbuffer"]
    (draw,) = works("color gbuffer 128x256 rgba8 at 0x100000000\n", CLEAR, *color, DRAW)
    assert told(draw) == ["cb0.write color-0x100000000"]  # too small to hold it


def test_declared_labels_give_their_starting_value() -> None:
    eop = packet(EVENT_WRITE_EOP, 0x528, 0x6000, 1 | 1 << 29, 7, 0)
    found = program(eop, notes="label done 8 = 3 at 0x100006000\n")
    assert [(row.name, row.value) for row in found.resources] == [("done", 3)]
    assert check_legality(found) == []


@pytest.mark.parametrize(
    ("notes", "message"),
    [
        ("at dispatch 3: cs.nothing", "n.notes:1:1: the capture has no such draw or dispatch"),
        ("at dispatch 0: cs.nothing", "n.notes:1:1: the capture has no such draw or dispatch"),
        ("at 0x4: cs.nothing", "n.notes:1:1: the capture has no such draw or dispatch"),
        ("at other.txt:13: cs.nothing", "the capture has no such draw or dispatch"),
        ("at stream.txt:12: cs.nothing", "n.notes:1:1: cs in a draw; expected vs or ps or so"),
        ("at dispatch 1: ps.nothing", "n.notes:1:1: ps in a dispatch; expected cs"),
        ("at dispatch: cs.nothing", "n.notes:1:12: unexpected ':'; expected which dispatch"),
        ("at dispatch 1 cs.nothing", "n.notes:1:15: unexpected 'cs.nothing'; expected ':'"),
        ("at dispatch 1:", "n.notes:1:15: the line ends here; expected an access of vs, ps"),
        ("at dispatch 1: cs.nothing;", "n.notes:1:27: the line ends here; expected an access"),
        ("at dispatch 1: cs.nothing cs.nothing", "n.notes:1:27: unexpected 'cs.nothing'"),
        ("at dispatch 1: db.test image", "n.notes:1:16: unexpected 'db.test'; expected an"),
        ("at dispatch 1: cs.texture image", "n.notes:1:27: no resource 'image'"),
        ("at ;", "n.notes:1:4: unexpected ';'; expected an address, 'draw N'"),
        ('at "stream.txt": cs.nothing', "n.notes:1:18: unexpected 'cs.nothing'"),
        ("draw: ps.nothing", "n.notes:1:1: unexpected 'draw'; expected a declaration (buffer"),
        ("buffer image 64Q", "n.notes:1:14: wrong unit 'Q'"),
        ("buffer image 64K at 0x20000 more", "n.notes:1:29: unexpected 'more'"),
        (IMAGE + IMAGE, "a second resource 'image'"),
        (IMAGE + "at dispatch 1: cs.texture image[0:65K]", "n.notes:2:27: range [0:66560] of 'i"),
        (IMAGE + "at dispatch 1: cs.write image", "n.notes:2:16: no access 'cs.write'"),
        (IMAGE + "at dispatch 1: cs.texture image soon", "n.notes:2:33: no policy 'soon'"),
    ],
)
def test_notes_that_are_wrong(notes: str, message: str) -> None:
    text = problem(CLEAR, DISPATCH, DRAW, DISPATCH, notes=notes)
    assert message in text
    assert "\n" not in text


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(Problems) as caught:
        program(DISPATCH, notes="at ;\nbuffer b 1Q\nat dispatch 1: cs.texture b\nat ;\n")
    places = [error.place for error in caught.value.problems]
    assert [place.line for place in places if place] == [1, 2, 4]  # line 3 uses what 2 broke


def test_a_key_that_fits_two_packets_is_refused() -> None:
    rows = [capture(submission(DISPATCH)), capture(submission(DISPATCH, file="b.txt"))]
    notes = f"at {BASE:#x}: cs.nothing"
    with pytest.raises(Problems, match=r"the key fits stream.txt:10 .* and b.txt:10 "):
        translate(rows, annotations=notes)
    found = translate(rows, annotations="at b.txt:10: cs.nothing")
    dispatches = [row for row in found.queues[0].commands if isinstance(row, Work)]
    assert [row.unknown for row in dispatches] == [("cs",), ()]


def test_notes_come_from_a_file(tmp_path: Path) -> None:
    stream, notes = tmp_path / "hex.txt", tmp_path / "hex.notes"
    stream.write_text(HEX, "ascii", newline="\n")
    notes.write_text("at dispatch 1: cs.nothing\r\n", "utf-8", newline="")
    with pytest.raises(Problems, match=r"hex.notes:1:1: the capture has no such draw or dispatch"):
        load([stream], annotations=notes)
    with pytest.raises(FileProblem):
        load([stream], annotations=tmp_path)
    notes.write_text("# nothing yet\r\n", "utf-8", newline="")
    assert load([stream], annotations=notes) == load([stream])
