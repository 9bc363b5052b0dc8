"""The reports on presents: text for people, JSON by its schema."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

import fencepost.report
from fencepost.present import FrameTimes, Settings, replay
from fencepost.present.analysis import (
    Analysed,
    Analysis,
    analyse_capture,
    analyse_simulation,
)
from fencepost.present.captures import read
from fencepost.present.diagnosis import diagnose
from fencepost.present.observed import observed_of_replay
from fencepost.present.series import BUCKETS, buckets, display_buckets
from fencepost.present.whatif import WhatIf, parse_what_if
from fencepost.report.present_document import schema
from fencepost.report.present_json import write_present_json
from fencepost.report.present_text import write_present
from fencepost.report.style import Style
from tests.present.capture_file import EXAMPLE, capture_text, played
from tests.present.observe import MS, presents
from tests.present.real_captures import DIRECTORY, needs_data
from tests.present.strategies import frames, settings

SCHEMA_FILE = Path(fencepost.report.__file__).parent / "present.schema.json"
FIGURE_2 = ("cpu=16.2", "gpu=15.4", "buffers=2", "bind=early")


def document(made: Analysis) -> Any:  # noqa: ANN401 - what JSON holds
    return json.loads(write_present_json(made))


def text(made: Analysis, style: Style | None = None) -> str:
    return write_present(made, style or Style())


def what_ifs(*groups: str) -> list[WhatIf]:
    return [parse_what_if(group.split()) for group in groups]


def captured(path: Path, *groups: str, own: tuple[str, ...] = (), play: bool = False) -> Analysis:
    made = read(str(path))
    return analyse_capture(made, made.chains, what_ifs(*groups), own, play)


def test_the_schema_file_is_the_one_that_the_records_make() -> None:
    assert SCHEMA_FILE.read_bytes() == schema(), "write schema() to present.schema.json"
    jsonschema.Draft202012Validator.check_schema(json.loads(schema()))


VALIDATOR = jsonschema.Draft202012Validator(json.loads(schema()))


@examples(max_examples=40)
@given(frames(), settings())
def test_every_simulation_follows_the_schema(made: FrameTimes, under: Settings) -> None:
    observed = observed_of_replay(replay(made, under))
    found = Analysis("", "simulation", ("cpu=1",), (Analysed("simulated", diagnose(observed)),))
    VALIDATOR.validate(document(found))


@pytest.mark.parametrize("groups", [(), ("buffers=3", "bind=late gpu=90%")])
def test_reports_of_the_example_follow_the_schema(groups: tuple[str, ...]) -> None:
    made = captured(EXAMPLE, *groups, play=True)
    found = document(made)
    VALIDATOR.validate(found)
    (chain,) = found["chains"]
    assert (chain["verdict"], chain["cause"]["id"]) == ("present-bound", "visible-buffer")
    assert [item["name"] for item in chain["what_ifs"]] == list(groups)
    assert chain["own"]["rate"] == pytest.approx(30, abs=0.1)
    assert [it["outcome"]["name"] for it in chain["tried"]] == ["bind=late", "buffers=3"]
    assert chain["replay"]["refused"] is None
    assert chain["replay"]["displayed"]["replay"]["median"] < MS // 1000


@needs_data
@pytest.mark.parametrize(
    "name",
    ["pm_gold_0_v24.csv", "pm_aux_11_v24.csv", "capframex_judgment.json", "pm1_short.csv",
     "fv_cp2077_4k_cap30.csv", "pmcap_apex_dx12.csv"],
)  # fmt: skip
def test_reports_of_real_captures_follow_the_schema(name: str) -> None:
    made = captured(DIRECTORY / name, "latency=1")
    VALIDATOR.validate(document(made))
    assert all(line.isprintable() for line in text(made).splitlines())


def test_the_same_input_gives_the_same_bytes() -> None:
    one, other = (captured(EXAMPLE, "buffers=3") for _ in range(2))
    assert write_present_json(one) == write_present_json(other)
    assert text(one) == text(other)


def test_what_a_simulation_says() -> None:
    found = document(analyse_simulation(FIGURE_2, what_ifs("buffers=3", "buffers=2")))
    (chain,) = found["chains"]
    assert found["source"] == {
        "kind": "simulation",
        "file": "",
        "form": "simulation",
        "words": list(FIGURE_2),
    }
    assert chain["own"]["strip"]["rows"][0]["name"] == "CPU"
    assert [item["same"] for item in chain["what_ifs"]] == [False, True]
    assert [round(item["rate"]) for item in chain["what_ifs"]] == [60, 30]
    assert chain["replay"] is chain["not_replayed"] is None


def test_why_it_could_not_be_played_again() -> None:
    short = Analysed("a", diagnose(presents([16 * MS] * 10)), not_replayed="too few of them")
    made = Analysis("a.csv", "PresentMon", (), (short,), ("a note",))
    assert document(made)["chains"][0]["not_replayed"] == "too few of them"
    assert "  not possible: too few of them" in text(made)
    assert text(made).endswith("\nNotes\n  a note\n")


def test_refused_what_ifs_say_why(tmp_path: Path) -> None:
    """Without GPU times: the replay is shown, the what-ifs are not."""
    rows = capture_text(played("cpu=normal(6,1) gpu=5 buffers=3 overhead=0"), skip=10).splitlines()
    path = tmp_path / "no-gpu.csv"
    cut = [",".join(row.split(",")[:12] + row.split(",")[13:15]) for row in rows]
    path.write_text("\n".join(cut) + "\n", encoding="utf-8")
    made = captured(path, "buffers=2")
    (chain,) = document(made)["chains"]
    assert chain["what_ifs"] == []
    assert "no GPU times" in chain["replay"]["refused"]
    assert "no what-ifs: the capture has no GPU times" in text(made)


def test_columns_stand_under_their_heads() -> None:
    lines = text(captured(EXAMPLE, "buffers=3")).splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("What if"))
    head, own, other = lines[start + 1 : start + 4]
    for name in ("FPS", "latency", "in Present", "GPU waits", "late", "tears"):
        end = head.index(f" {name} ") + len(name) + 1
        assert own[end - 1] != " "
        assert own[end : end + 1] == other[end : end + 1] == " "


def test_colour_only_where_it_is_asked_for() -> None:
    made = analyse_simulation(FIGURE_2, what_ifs("buffers=3"))
    plain, coloured = text(made), text(made, Style(color=True))
    assert "\033" not in plain
    assert "\033" in coloured
    assert re.sub(r"\033\[[0-9;]*m", "", coloured) == plain


@pytest.mark.parametrize("name", ["\x1b[2J", "two\nlines", "\u202e", "x" * 300])
def test_names_cannot_steer_the_terminal(name: str) -> None:
    item = Analysed(name, diagnose(presents([16 * MS] * 50, busy=MS)))
    made = Analysis(f"{name}.csv", "PresentMon", (), (item, item), (name,))
    assert all(line.isprintable() for line in text(made).splitlines())


@pytest.mark.parametrize("count", [0, 1, 2, 599, 600, 601, 5000])
def test_series_hold_every_frame_time_once(count: int) -> None:
    times = [10 * MS + n % 7 * MS for n in range(count)]
    observed = presents(times, busy=3 * MS, lost=range(0, count, 50))
    made = list(buckets(observed))
    assert len(made) <= BUCKETS
    assert sum(row.frames for row in made) == count
    assert sum(row.never_shown for row in made) == len(range(0, count, 50))
    lengths = [row.frames * row.frame_time.mean for row in made]
    assert sum(lengths) == pytest.approx(sum(times), rel=1e-6)
    shown = list(display_buckets(observed))
    assert sum(row.intervals for row in shown) == max(len(observed.displays) - 1, 0)
    assert len(shown) <= BUCKETS


@given(st.lists(st.integers(0, 50 * MS), min_size=1, max_size=30))
def test_a_short_series_is_every_frame(times: list[int]) -> None:
    made = list(buckets(presents(times, busy=MS, blocked=None)))
    assert [row.frame_time.most for row in made] == times
    assert all(row.in_present is None for row in made)
    assert {row.gpu_busy for row in made} == {(MS, MS, MS)}


def test_two_chains_are_a_table_below_the_first() -> None:
    item = Analysed("first.exe", diagnose(presents([16 * MS] * 50, busy=MS)))
    other = replace(item, label="second.exe")
    made = Analysis("a.csv", "PresentMon", (), (item, other))
    lines = text(made).splitlines()
    at = lines.index("Other swap chains")
    assert lines[at + 2].split()[0] == "second.exe"
