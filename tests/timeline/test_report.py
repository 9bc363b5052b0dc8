"""The figures as text and as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given

import fencepost.report
from fencepost.report.style import Style
from fencepost.report.timeline_document import schema
from fencepost.report.timeline_json import write_timeline_json
from fencepost.report.timeline_text import write_timeline
from fencepost.timeline import Flow, Timeline, figures
from tests.timeline.make import timeline, timelines
from tests.timeline.test_figures import TWO, has_spans

MS = 10**9
SCHEMA_FILE = Path(fencepost.report.__file__).parent / "timeline.schema.json"
FRAME = timeline(
    {
        "graphics": [("gbuffer", 0, 5 * MS), ("lighting", 8 * MS, 20 * MS)],
        "compute": [("cull", 1 * MS, 2 * MS), ("ssao", 5 * MS, 7 * MS)],
    },
    [Flow(3, 1, name="ssao is written")],
)
TEXT = """\
t: two or more of 2 tracks run in 5.26 % of busy time
  4 slices, 1 wait edge, 20.000 ms from the first start to the last end
  busy        19.000 ms  95.00 %  at least one track runs
  overlapped   1.000 ms   5.00 %  two or more run
  idle         1.000 ms   5.00 %  none runs

Tracks
  track     slices  busy (ms)  of window   alone  before  bubbles  others run  all idle   after
  graphics       2     17.000    85.00 %  16.000   0.000    3.000       2.000     1.000   0.000
  compute        2      3.000    15.00 %   2.000   1.000    3.000       3.000     0.000  13.000

Pairs that run at once
  pair                both (ms)  of the first  of the second
  graphics + compute      1.000        5.88 %        33.33 %

Longest bubbles (2 of 2)
  1. 3.000 ms on compute from 2.000 ms; others run 3.000 ms of it
     after: cull
     ends with: ssao
     last to end in it: gbuffer on graphics, 0 ps earlier
  2. 3.000 ms on graphics from 5.000 ms; others run 2.000 ms of it
     after: gbuffer
     ends with: lighting
     which waits for: ssao on compute, 1.000 ms earlier (ssao is written)
"""


PLAIN = Style()


def text(made: Timeline, style: Style = PLAIN) -> str:
    return write_timeline(made, figures(made), style)


def test_the_text_says_what_the_figures_are() -> None:
    assert text(FRAME) == TEXT


def test_notes_and_backward_waits_are_told() -> None:
    made = replace(FRAME, notes=("one thing", "another")).with_flows([Flow(2, 0)])
    assert text(made).split("\n\n")[-1] == (
        "Notes\n  one thing\n  another\n"
        "  1 wait ended before the signal: the tracks may not share one clock\n"
    )


def test_a_wait_that_was_signalled_later_says_so() -> None:
    made = FRAME.with_flows([Flow(1, 3)])
    assert "which waits for: lighting on graphics, 15.000 ms later" in text(made)


def test_a_single_track_needs_no_pairs() -> None:
    found = text(timeline({"a": [("x", 0, 1)]}))
    assert "Pairs" not in found
    assert "bubbles (" not in found
    assert "two or more of 1 track run in 0.00 % of busy time" in found


def test_many_pairs_are_counted() -> None:
    made = timeline({str(track): [("x", 0, 10 * MS)] for track in range(8)})
    section = text(made).split("Pairs that run at once\n")[1].split("\n\n")[0]
    assert len(section.splitlines()) == 22
    assert section.splitlines()[-1].split() == ["8", "more", "80.000"]


@pytest.mark.parametrize("name", ["\x1b[2J", "two\nlines", "x" * 300, "\u202e", ""])
def test_names_cannot_steer_the_terminal(name: str) -> None:
    rows = [(name, 0, 10), (name, 20, 30)]
    found = text(replace(timeline({name: rows}), file=name))
    assert all(line.isprintable() for line in found.splitlines())
    assert max(map(len, found.splitlines())) <= 120 or len(name) == 300


def test_colour_only_where_it_is_asked_for() -> None:
    assert "\033" not in text(FRAME)
    assert text(FRAME, Style(color=True)).replace("\033[1m", "").replace("\033[0m", "") == TEXT


def document(made: Timeline) -> Any:  # noqa: ANN401 - what JSON holds
    return json.loads(write_timeline_json(made, figures(made)))


def test_the_schema_file_is_the_one_that_the_records_make() -> None:
    assert SCHEMA_FILE.read_bytes() == schema()
    jsonschema.Draft202012Validator.check_schema(json.loads(schema()))


@given(timelines().filter(has_spans))
def test_every_report_follows_the_schema(made: Timeline) -> None:
    jsonschema.Draft202012Validator(json.loads(schema())).validate(document(made))


def test_the_json_says_what_the_figures_are() -> None:
    found, expected = document(FRAME), figures(FRAME)
    assert (found["busy"], found["overlapped"], found["idle"]) == (19 * MS, MS, MS)
    assert found["overlap_share"] == expected.overlap_share
    assert found["running"] == list(expected.running)
    assert [track["name"] for track in found["tracks"]] == ["graphics", "compute"]
    assert found["pairs"] == [{"first": 0, "second": 1, "together": MS}]
    first, second = found["longest_bubbles"]
    assert (first["track"], first["after"]["name"], first["waits_for"]) == (1, "ssao", None)
    assert first["last_end"]["name"] == "gbuffer"
    assert second["waits_for"]["span"]["name"] == "ssao"
    assert (second["waits_for"]["at"], second["waits_for"]["name"]) == (7 * MS, "ssao is written")
    assert found["flows"] == {"count": 1, "backward": 0}


def test_tracks_are_numbered_as_they_are_listed() -> None:
    made = timeline({"empty": [], "a": [("x", 0, 9)], "b": [("y", 1, 2), ("y", 5, 7)]})
    found = document(made)
    assert [track["name"] for track in found["tracks"]] == ["a", "b"]
    assert found["pairs"] == [{"first": 0, "second": 1, "together": 3}]
    assert found["longest_bubbles"][0]["track"] == 1


def test_the_same_timeline_gives_the_same_bytes() -> None:
    assert write_timeline_json(TWO, figures(TWO)) == write_timeline_json(TWO, figures(replace(TWO)))
