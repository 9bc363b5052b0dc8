"""What the page of a simulated stream holds is what its JSON report says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fencepost.report.simulate_document import Document
from fencepost.report.simulate_words import ENGINES
from tests.cli.run import run
from tests.pages.make import HAZARD, STREAM
from tests.pages.reading import ELEMENTS, read, unpacked
from tests.project.repository import ROOT

STREAMS = sorted((ROOT / "examples" / "xbox-one").glob("**/*.fence"))


def pages(stream: Path, directory: Path) -> tuple[Document, Any]:
    """The JSON report of a stream and the data of its page."""
    page, report = directory / "page.html", directory / "report.json"
    outputs = ("--html", page, "--format", "json", "--output", report, "--force")
    result = run("simulate", stream, *outputs)
    assert (result.code, result.err) == (0, "")
    made = read(page.read_bytes())
    assert made.elements == ELEMENTS
    return msgspec.json.decode(report.read_bytes(), type=Document), made.data


def rows(data: Any) -> list[tuple[str, str, int, int, int, str]]:  # noqa: ANN401
    """Group, track, start, end, command and name of every span of a page."""
    numbers, commands = unpacked(data["spans"]), unpacked(data["simulation"]["span_commands"])
    found, at = [], 0
    for track in data["tracks"]:
        start = 0
        for _ in range(track["spans"]):
            start += numbers[3 * at]
            name = data["activities"][numbers[3 * at + 2]]["name"]
            end = start + numbers[3 * at + 1]
            found.append((track["group"], track["name"], start, end, commands[at] - 1, name))
            at += 1
    assert len(numbers) == 3 * at == 3 * len(commands)
    return found


@pytest.mark.parametrize("path", STREAMS, ids=[path.stem for path in STREAMS])
def test_every_span_stall_and_value_is_drawn_once(path: Path, tmp_path: Path) -> None:
    report, data = pages(path, tmp_path)
    queues = [queue.name for queue in report.queues]

    def on(track: int) -> tuple[str, str]:
        item = report.tracks[track]
        return queues[item.queue], ENGINES[item.engine]

    expected = Counter(
        (*on(item.track), item.start, item.end, item.command) for item in report.spans
    )
    for item in report.stalls:
        track = (
            (on(item.track)[0], "waiting for slots") if item.reason == "slots" else on(item.track)
        )
        expected[*track, item.start, item.end, item.command] += 1
    for value in report.writes:
        queue = report.commands[value.command].spot.queue
        expected[queue, "values", value.sent, value.time, value.command] += 1
    for command, time in {
        (item.signal, item.time) for item in report.signals if item.kind == "kickoff"
    }:
        expected[report.commands[command].spot.queue, "values", time, time, command] += 1
    assert Counter(row[:5] for row in rows(data)) == expected


@pytest.mark.parametrize("path", STREAMS, ids=[path.stem for path in STREAMS])
def test_stalls_costs_and_the_critical_path_are_those_of_the_report(
    path: Path, tmp_path: Path
) -> None:
    report, data = pages(path, tmp_path)
    drawn, simulation = rows(data), data["simulation"]
    for stall, item in zip(report.stalls, simulation["stalls"], strict=True):
        _, _, start, end, command, name = drawn[item["span"]]
        assert (start, end, command) == (stall.start, stall.end, stall.command)
        assert name.startswith(f"{stall.reason}: ")
        assert item["cause"] == (-1 if stall.cause is None else stall.cause)
        assert item["exposed"] == stall.exposed
        assert stall.reason in simulation["reasons"]
    costs = [(item["command"], item["stalled"], item["exposed"]) for item in simulation["costs"]]
    assert costs == [(cost.command, cost.stalled, cost.exposed) for cost in report.costs]
    assert [step["end"] for step in simulation["path"]] == [step.end for step in report.path]
    assert simulation["time"] == data["window"] == report.totals.time


def test_a_value_leads_to_the_wait_that_saw_it(tmp_path: Path) -> None:
    stream = tmp_path / "s.fence"
    stream.write_text(STREAM, encoding="utf-8", newline="\n")
    report, data = pages(stream, tmp_path)
    drawn, numbers = rows(data), unpacked(data["flows"])
    arrows = [
        (drawn[signal][5], drawn[wait][5], edges, data["flow_names"][name])
        for signal, wait, edges, name in zip(*(numbers[at::4] for at in range(4)), strict=True)
    ]
    assert ("done = 1", "fence: wait me done == 1", 3, "done") in arrows
    assert len(arrows) == len(report.signals)


def test_hazards_say_whether_they_happen(tmp_path: Path) -> None:
    stream = tmp_path / "s.fence"
    stream.write_text(HAZARD, encoding="utf-8", newline="\n")
    report, data = pages(stream, tmp_path)
    hazards = data["simulation"]["hazards"]
    assert [(row["rule"], row["observed"]) for row in hazards] == [
        (row.rule, row.observed) for row in report.hazards
    ]
    assert any(row["observed"] and row["how"] for row in hazards)
    stream.write_text(STREAM, encoding="utf-8", newline="\n")
    assert pages(stream, tmp_path)[1]["simulation"]["hazards"] == []


def test_the_page_is_the_same_each_time_and_names_no_directory(tmp_path: Path) -> None:
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        stream = tmp_path / name / "s.fence"
        stream.write_text(STREAM, encoding="utf-8", newline="\n")
        pages(stream, tmp_path / name)
        made.append((tmp_path / name / "page.html").read_bytes())
    assert made[0] == made[1]
    assert str(tmp_path).encode() not in made[0]


def test_a_page_replaces_nothing_without_force(tmp_path: Path) -> None:
    stream = tmp_path / "s.fence"
    stream.write_text(STREAM, encoding="utf-8", newline="\n")
    page = tmp_path / "page.html"
    page.write_text("mine")
    result = run("simulate", stream, "--html", page)
    assert (result.code, page.read_text()) == (2, "mine")
    assert result.complaints == [
        f"{page}: exists already; expected a new file, or --force to replace it"
    ]
    assert run("simulate", stream, "--html", page, "--force").code == 0
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert run("simulate", stream, "--html", "-").code == 2
    assert run("simulate", stream, "--html", page, "--output", page, "--force").code == 2
