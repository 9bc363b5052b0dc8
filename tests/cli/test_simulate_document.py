"""The JSON of a simulation: its schema, and what holds within one document."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import fencepost.report
from fencepost.report.simulate_document import Document, schema
from fencepost.timing.timeline import REASONS
from tests.cli.run import run
from tests.project.repository import ROOT, text_of
from tests.timing.calibration import CORNER_HEAD, CORNERS, FRAME

SCHEMA_FILE = Path(fencepost.report.__file__).parent / "simulate.schema.json"
PAGE = text_of(ROOT / "docs" / "json-simulate.md")
EXAMPLES = ROOT / "examples"
FLIPS = "present shown\nwait flip shown\n"
TEXTS = {
    "frame": FRAME,
    **{f"corner {n}": CORNER_HEAD + text for n, text in enumerate(CORNERS.split("---\n"))},
    "flip": CORNER_HEAD + FLIPS,
    "hazards": CORNER_HEAD + "draw ps.texture t; cb0.write t\ndispatch cs.texture t\n",
}


@cache
def document(name: str) -> dict[str, Any]:
    result = run("simulate", "-", "--format", "json", stdin=TEXTS[name].encode())
    assert (result.code, result.err) == (0, "")
    made: dict[str, Any] = json.loads(result.raw)
    return made


def test_the_schema_file_is_the_one_that_the_records_make() -> None:
    assert SCHEMA_FILE.read_bytes() == schema()


@pytest.mark.parametrize("name", TEXTS)
def test_a_document_follows_the_schema(name: str) -> None:
    form = json.loads(SCHEMA_FILE.read_bytes())
    jsonschema.Draft202012Validator.check_schema(form)
    jsonschema.Draft202012Validator(form).validate(document(name))


def test_the_page_names_every_field() -> None:
    missing = [name for name in Document.__struct_fields__ if f"`{name}`" not in PAGE]
    assert missing == []
    form = json.loads(SCHEMA_FILE.read_bytes())["$defs"]
    named = ("Queue", "Command", "Track", "Stall", "Work", "Operation", "Write", "Signal")
    fields = {field for record in named for field in form[record]["properties"]}
    fields |= set(form["Hazard"]["properties"])
    assert [name for name in sorted(fields) if name not in PAGE] == []


@pytest.mark.parametrize("name", TEXTS)
def test_numbers_name_what_is_there(name: str) -> None:
    data = document(name)
    commands, tracks = len(data["commands"]), len(data["tracks"])
    lists = ("spans", "stalls", "works", "operations", "writes", "costs", "path")
    for row in (row for key in lists for row in data[key]):
        assert 0 <= row["command"] < commands
        assert 0 <= row.get("track", 0) < tracks
    for row in data["stalls"]:
        assert row["cause"] is None or 0 <= row["cause"] < commands
        assert row["reason"] in REASONS
        assert row["exposed"] <= row["end"] - row["start"]
    for queue in data["queues"]:
        own = data["commands"][queue["first"] : queue["first"] + queue["count"]]
        assert [row["spot"]["position"] for row in own] == list(range(queue["count"]))
        assert {row["spot"]["queue"] for row in own} <= {queue["name"]}
    for signal in data["signals"]:
        assert signal["time"] <= signal["until"]


@pytest.mark.parametrize("name", TEXTS)
def test_times_add_up(name: str) -> None:
    data = document(name)
    totals = data["totals"]
    assert totals["time"] == totals["working"] + totals["idle"]
    assert totals["exposed"] == sum(cost["exposed"] for cost in data["costs"]) <= totals["idle"]
    stood = sum(stall["end"] - stall["start"] for stall in data["stalls"])
    assert stood == sum(row["time"] for row in totals["stalls"])
    for number, track in enumerate(data["tracks"]):
        spans = [row for row in data["spans"] if row["track"] == number]
        assert track["busy"] == covered([(row["start"], row["end"]) for row in spans])
    path = data["path"]
    assert (path[0]["start"], path[-1]["end"]) == (0, totals["time"])
    assert all(one["end"] == two["start"] for one, two in pairwise(path))


def covered(spans: list[tuple[int, int]]) -> int:
    """Picoseconds in which at least one is open, counted instant by instant."""
    edges = sorted({time for span in spans for time in span})
    return sum(
        two - one
        for one, two in pairwise(edges)
        if any(start <= one and two <= end for start, end in spans)
    )


@pytest.mark.parametrize("name", TEXTS)
def test_an_engine_of_the_front_end_does_one_thing_at_a_time(name: str) -> None:
    data = document(name)
    for number, track in enumerate(data["tracks"]):
        if track["engine"] in ("pfp", "me", "cpu"):
            rows = [row for key in ("spans", "stalls") for row in data[key]]
            own = sorted((r["start"], r["end"]) for r in rows if r["track"] == number)
            assert all(one[1] <= two[0] for one, two in pairwise(own))


def test_every_command_stands_as_text_that_can_be_read_again() -> None:
    data = document("frame")
    declared = FRAME.split("queue gfx")[0]
    lines = [
        line
        for queue in data["queues"]
        for line in (
            f"queue {queue['name']}: {queue['kind']}",
            *(
                row["text"]
                for row in data["commands"][queue["first"] : queue["first"] + queue["count"]]
            ),
        )
    ]
    again = run("simulate", "-", "--format", "json", stdin=(declared + "\n".join(lines)).encode())
    assert json.loads(again.raw)["totals"] == data["totals"]


def test_the_same_input_gives_the_same_bytes_in_another_process() -> None:
    path = EXAMPLES / "xbox-one" / "figures" / "figure-5.fence"
    words = [sys.executable, "-m", "fencepost", "simulate", str(path), "--format", "json"]
    outputs = {
        subprocess.run(
            words,
            cwd=ROOT,
            env={"PYTHONPATH": "src", "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
