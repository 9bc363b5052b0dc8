"""docs/timeline.md shows what the command says, and names every field of the JSON report."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchmarks import timelines
from fencepost.capture.traces import load_trace
from fencepost.report.timeline_document import schema
from fencepost.timeline import figures
from tests.cli.run import run
from tests.project.repository import ROOT, text_of

PAGE = text_of(ROOT / "docs" / "timeline.md")


def test_the_page_shows_what_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    block = PAGE.split("```\n")[1]
    command, _, shown = block.partition("\n")
    assert run(*command.removeprefix("$ fencepost ").split()).out == shown


def test_the_table_of_the_page_is_read(tmp_path: Path) -> None:
    (text,) = re.findall(r"```\n(queue,[^`]*)```", PAGE)
    file = tmp_path / "t.csv"
    file.write_text(text, encoding="utf-8", newline="\n")
    assert len(load_trace(file)) == 2


def test_the_page_names_every_field() -> None:
    definitions = json.loads(schema())["$defs"]
    section = PAGE.split("## JSON")[1].split("\n## ")[0]
    for record in ("Document", "Track", "Pair", "Bubble", "Signal", "Flows", "Window"):
        names = definitions[record]["properties"]
        assert [name for name in names if f"`{name}`" not in section] == []


def test_the_benchmark_measures_what_it_says(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    timelines.make(path, 500)
    made = load_trace(path)
    assert (len(made), len(made.tracks)) == (500, timelines.QUEUES)
    assert set(made.depths) == {0}
    assert figures(made).overlap_share > 0.9
    for task in timelines.TASKS.values():
        assert task(path)()
