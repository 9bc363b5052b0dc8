from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

import fencepost.report
from fencepost._version import __version__
from fencepost.report.document import schema
from fencepost.report.json_report import write_json
from fencepost.report.result import Checked
from fencepost.stream.program import Queue, QueueKind, Suppression
from fencepost.stream.resource import GDS_BASE
from tests.project.repository import ROOT
from tests.report.samples import (
    ALL,
    CLEAN,
    COMMANDS,
    EXPLAINED,
    FILE,
    HAZARD,
    PM4,
    PROGRAM,
    STALE,
    Json,
    report,
    spot,
)

SCHEMA_FILE = Path(fencepost.report.__file__).parent / "report.schema.json"
SCHEMA = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
UNUSED = Suppression("deadlock", "f", 0, "old", offset=16)
EVERYTHING = [
    replace(ALL, unused=(UNUSED,), explanations=EXPLAINED, notes=("too long to search",)),
    PM4,
    CLEAN,
]


def written(*checked: Checked) -> Json:
    return json.loads(write_json(checked))


def validate(document: object) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(document)


def test_the_schema_file_is_the_one_that_the_records_make() -> None:
    assert SCHEMA_FILE.read_bytes() == schema()


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("checked", [[], [CLEAN], [HAZARD], [ALL], [PM4], EVERYTHING])
def test_every_report_follows_the_schema(checked: list[Checked]) -> None:
    validate(written(*checked))


def places(document: object, path: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    """The path of every value of a document."""
    pairs: Iterator[tuple[object, object]]
    if isinstance(document, dict):
        pairs = iter(document.items())
    elif isinstance(document, list):
        pairs = iter(enumerate(document))
    else:
        return
    for key, value in pairs:
        yield (*path, key)
        yield from places(value, (*path, key))


def without(document: Json, path: tuple[object, ...]) -> Json:
    copy = json.loads(json.dumps(document))
    owner = copy
    for key in path[:-1]:
        owner = owner[key]
    del owner[path[-1]]
    return copy


def test_the_schema_misses_every_field_that_is_left_out() -> None:
    document = written(*EVERYTHING)
    fields = [
        path
        for path in places(document)
        if isinstance(path[-1], str) and "properties" not in path[:-1]
    ]
    assert len(fields) > 200
    for path in fields:
        with pytest.raises(jsonschema.ValidationError):
            validate(without(document, path))


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("format",), "other"),
        (("version",), 2),
        (("stray",), 1),
        (("summary", "hazards"), -1),
        (("inputs", 0, "guarantees"), "hoped"),
        (("hazards", 0, "fingerprint"), "XYZ"),
        (("hazards", 0, "kind"), "sorrow"),
        (("hazards", 0, "later"), None),
        (("hazards", 0, "later", "line"), "15"),
        (("hazards", 0, "chain", 0, "holds"), "yes"),
        (("hazards", 0, "properties", "lines"), 7),
    ],
)
def test_the_schema_refuses_what_a_report_cannot_say(
    where: tuple[str | int, ...], value: object
) -> None:
    document = written(ALL)
    owner = document
    for key in where[:-1]:
        owner = owner[key]
    owner[where[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        validate(document)


def test_the_three_lists_are_apart() -> None:
    document = written(ALL)
    rules = {
        name: [row["rule"] for row in document[name]] for name in ("hazards", "unknown", "waste")
    }
    assert rules == {
        "hazards": ["stale-cache-line"],
        "unknown": ["unknown-access"],
        "waste": ["repeated-flush"],
    }
    for name, kind in (("hazards", "hazard"), ("unknown", "unknown"), ("waste", "waste")):
        assert {row["kind"] for row in document[name]} == {kind}


def test_the_summary_counts_over_all_inputs() -> None:
    summary = written(*EVERYTHING)["summary"]
    assert summary == {
        "headline": "2 hazards found; 1 access unknown; 1 barrier heavier than needed",
        "inputs": 3,
        "hazards": 2,
        "unknown": 1,
        "waste": 1,
        "suppressed": 1,
        "leaning": 1,
        "hidden": 2,
    }


def test_a_clean_report_says_so_in_all_three_lists() -> None:
    document = written(CLEAN)
    assert document["summary"]["headline"] == (
        "no hazard found; no access unknown; no barrier heavier than needed"
    )
    assert document["hazards"] == document["unknown"] == document["waste"] == []


def test_a_finding_names_both_commands_bytes_chain_and_fix() -> None:
    (row,) = written(HAZARD)["hazards"]
    assert (row["earlier"]["line"], row["later"]["line"]) == (9, 15)
    assert row["later"] == {
        "file": FILE,
        "line": 15,
        "column": 3,
        "offset": None,
        "queue": "gfx",
        "position": 8,
        "frame": 1,
        "command": "draw",
        "name": "lighting",
        "does": "ps.texture gbuffer",
    }
    assert row["bytes"] == {"space": "memory", "start": STALE.start, "end": STALE.end}
    assert [(link["question"], link["holds"]) for link in row["chain"]] == [
        ("ordered", True),
        ("available", True),
        ("visible", False),
    ]
    assert row["chain"][0]["by"]["command"] == "wait-memory"
    assert row["fix"]["lines"] == ["sync me tcp.wbinv"]
    assert row["properties"] == {"cache": "tcp", "lines": "129600"}


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (0, 0, None),
        (16, 32, {"space": "memory", "start": 16, "end": 32}),
        (GDS_BASE + 8, GDS_BASE + 12, {"space": "gds", "start": 8, "end": 12}),
    ],
)
def test_bytes_name_their_address_space(start: int, end: int, expected: object) -> None:
    (row,) = written(Checked(report(replace(STALE, start=start, end=end))))["hazards"]
    assert row["bytes"] == expected


def test_packets_have_their_offset() -> None:
    (row,) = written(PM4)["hazards"]
    assert (row["earlier"]["offset"], row["later"]["offset"]) == (0xA4, 0x1F4)
    assert row["later"]["name"] == "DISPATCH_DIRECT"


def test_frames_are_numbered_from_one() -> None:
    queue = Queue("gfx", QueueKind.GRAPHICS, COMMANDS * 2)
    program = replace(PROGRAM, queues=(queue,), frames=2)
    later = replace(spot(8), position=8 + len(COMMANDS))
    document = written(Checked(report(replace(STALE, later=later), program=program)))
    (row,) = document["hazards"]
    assert (row["earlier"]["frame"], row["later"]["frame"]) == (1, 2)
    assert document["inputs"][0]["frames"] == 2


@pytest.mark.parametrize(("checked", "leans"), [(ALL, True), (HAZARD, False)])
def test_an_input_says_whether_its_verdict_leans(checked: Checked, leans: bool) -> None:
    document = written(checked)
    assert document["inputs"][0]["leans_on_documented"] is leans
    assert bool(document["leaning"]) is leans


def test_the_same_report_gives_the_same_bytes() -> None:
    assert write_json(EVERYTHING) == write_json(EVERYTHING)
    assert write_json(EVERYTHING).endswith(b"}\n")
    assert b"\r" not in write_json(EVERYTHING)


def test_the_page_describes_every_field() -> None:
    page = (ROOT / "docs" / "json-report.md").read_text(encoding="utf-8")
    names = {name for record in SCHEMA["$defs"].values() for name in record["properties"]}
    assert [name for name in sorted(names) if f"`{name}`" not in page] == []


def test_the_tool_is_named() -> None:
    assert written(CLEAN)["tool"] == {"name": "fencepost", "version": __version__}
