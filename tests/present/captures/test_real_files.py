"""Every real capture: read as the collected facts say, or refused; beside another reader."""

from __future__ import annotations

import csv
import json
from decimal import Decimal
from statistics import median

import pytest

from fencepost.errors import SyntaxProblem
from fencepost.present.captures import MISSING, Frames, read
from tests.present.real_captures import DIRECTORY, capture, names, needs_data

pytestmark = needs_data

SAMPLED = {
    "afterburner_god.of.war_windows.csv": "samples of MSI Afterburner",
    "afterburner_re3_windows.csv": "samples of MSI Afterburner",
    "mangohud_run1.csv": "298 samples, one every 100 ms",
    "mangohud_run2.csv": "298 samples, one every 100 ms",
}

FORMATS = {
    "capframex_csv_re2.csv": "CapFrameX CSV",
    "capframex_judgment.json": "CapFrameX JSON",
    "fv_cp2077_4k_cap30.csv": "FrameView",
    "pm1_csgo.csv": "PresentMon 1.3",
    "pm2016_desktop_multichain.csv": "PresentMon 1.0",
    "pm_aux_11_v1.csv": "PresentMon 1.7",
    "pm_aux_6_v2.csv": "PresentMon 2.0",
    "pm_aux_11_v24.csv": "PresentMon 2.4",
    "pm_aux_F00_heaven_windowed.csv": "PresentMon capture application",
    "pmcap_apex_dx12.csv": "PresentMon capture application",
}


def usable() -> list[str]:
    return [name for name in names() if name not in SAMPLED]


@pytest.mark.parametrize("name", sorted(SAMPLED))
def test_samples_are_refused_with_the_reason(name: str) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        read(DIRECTORY / name)
    text = str(caught.value)
    assert SAMPLED[name] in text
    assert "expected a log of every frame" in text
    assert "pacing" in text


@pytest.mark.parametrize(("name", "form"), sorted(FORMATS.items()))
def test_the_format_is_recognized(name: str, form: str) -> None:
    assert capture(name).format == form


def table(name: str) -> list[dict[str, str]]:
    """The rows of a file, by the standard library's reader."""
    path = DIRECTORY / name
    if path.suffix == ".json":
        (run,) = json.loads(path.read_text(), parse_float=str, parse_int=str)["Runs"]
        columns = {key: values for key, values in run["CaptureData"].items() if values}
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    with path.open(encoding="utf-8-sig", newline="") as stream:
        lines = [line for line in stream if not line.startswith("//")]
    return list(csv.DictReader(lines))


SAME = {
    "between_presents": ("msbetweenpresents",),
    "in_present": ("msinpresentapi", "cpuwait"),
    "gpu_busy": ("msgpuactive", "msgpubusy", "gpubusy"),
    "until_displayed": ("msuntildisplayed",),
    "until_gpu_end": ("msuntilrendercomplete", "msrenderpresentlatency"),
}
"""Columns that are taken as they are."""


@pytest.mark.parametrize("name", usable())
def test_sums_are_those_of_another_reader(name: str) -> None:
    """Every value of these columns, added up exactly; zeros add nothing, whatever they mean."""
    rows = table(name)
    titles = {title.lower(): title for title in rows[0]}
    frames = [part for chain in capture(name).chains for part in (chain.frames, chain.generated)]
    assert sum(map(len, frames)) == len(rows)
    compared = 0
    for column, sources in SAME.items():
        for title in (titles[source] for source in sources if source in titles):
            texts = [row[title] for row in rows if row[title] not in ("NA", "", None)]
            wanted = sum(round(Decimal(text) * 10**9) for text in texts)
            assert wanted == sum(
                value for part in frames for value in part.column(column) if value != MISSING
            ), column
            compared += 1
    assert compared >= 1


@pytest.mark.parametrize(
    ("name", "shown", "all_frames"),
    [
        ("pm1_csgo.csv", 4265 - 2095, 4265),
        ("capframex_csv_re2.csv", 7285 - 4236, 7285),
        ("pmcap_apex_dx12.csv", 3500 - 653, 3500),
        ("pm_gold_5_v1.csv", 259 - 84, 259),
    ],
)
def test_frames_that_were_never_shown(name: str, shown: int, all_frames: int) -> None:
    chain = capture(name).chains[0]
    assert len(chain.frames) == all_frames
    assert chain.never_shown == all_frames - shown
    assert chain.frames.count("until_displayed") == shown
    # At about the rate of the display: what a frame stayed, on the whole, is a refresh or more.
    assert chain.frames.count("between_displays") in (shown, shown - 1)


def middle(frames: Frames, column: str) -> float:
    """The median in milliseconds."""
    return median(value for value in frames.column(column) if value != MISSING) / 1e9


@pytest.mark.parametrize(
    ("name", "column", "milliseconds"),
    [
        ("pm_aux_F00_heaven_windowed.csv", "in_present", 4.62),
        ("pm_aux_F00_heaven_windowed.csv", "until_displayed", 24.90),
        ("pm_aux_F00_heaven_windowed.csv", "gpu_busy", 2.63),
        ("capframex_judgment.json", "in_present", 5.92),
        ("capframex_judgment.json", "until_displayed", 56.16),
        ("pmcap_apex_dx12.csv", "gpu_busy", 5.59),
        ("pmcap_apex_dx12.csv", "cpu_busy", 3.94),
        ("fv_cp2077_4k_cap30.csv", "between_presents", 33.31),
    ],
)
def test_what_the_collected_facts_measured(name: str, column: str, milliseconds: float) -> None:
    assert middle(capture(name).chains[0].frames, column) == pytest.approx(milliseconds, abs=0.03)


def test_generated_frames_are_apart() -> None:
    chain = capture("pm_aux_11_v24.csv").chains[0]
    assert (len(chain.frames), len(chain.generated)) == (795, 1872)
    assert not chain.generated.has("cpu_busy")
    assert set(chain.frames.frame_type) == {0}


def test_chains_come_apart() -> None:
    chains = capture("pm2016_desktop_multichain.csv").chains
    assert [len(chain.frames) for chain in chains][:2] == [252, 28]
    assert len(chains) == 4
    assert [chain.application for chain in chains].count("") == 3
    assert chains[0].label.startswith("(unnamed) 520 0x")


def test_zeros_of_a_whole_column_are_missing() -> None:
    assert not capture("capframex_judgment.json").chains[0].frames.has("until_gpu_end")
    assert "when the GPU is done" in "".join(capture("capframex_judgment.json").notes)


def test_times_without_a_clock_are_sums() -> None:
    without, with_clock = (
        capture(name) for name in ("pm1_farcry_missing_time_column.csv", "pm1_farcry_newdawn.csv")
    )
    assert any("no clock" in note for note in without.notes)
    assert without.clock == ""
    for one, two in zip(
        without.chains[0].frames.present, with_clock.chains[0].frames.present, strict=True
    ):
        assert abs(one - two) < 10**9  # a millisecond, after 15 seconds of rounded intervals


def test_a_short_file_says_so() -> None:
    assert any("5 frames: too few" in note for note in capture("pm1_short.csv").notes)


TENTH = 100_000
"""0.1 us in picoseconds."""

FINE = [name for name in names() if name.startswith(("pm_gold", "pm_aux_6", "pm_aux_F00"))]


def consecutive(frames: Frames) -> list[int]:
    """Rows whose interval is the time from the row before, as the clock says."""
    return [
        row
        for row in range(1, len(frames))
        if abs(frames.present[row] - frames.present[row - 1] - frames.between_presents[row])
        <= TENTH
    ]


@pytest.mark.parametrize("name", FINE)
def test_identities_hold(name: str) -> None:
    """presentation.md 2.2, in the terms of the table, to 0.1 us."""
    seen = 0
    for chain in capture(name).chains:
        it = chain.frames
        for row in consecutive(it):
            if MISSING not in (it.cpu_busy[row], it.in_present[row - 1]):
                off = it.between_presents[row] - it.in_present[row - 1] - it.cpu_busy[row]
                assert abs(off) <= TENTH, (chain.label, row)
                seen += 1
            known = (it.until_displayed[row], it.until_displayed[row - 1], it.between_displays[row])
            flip = it.between_presents[row] + known[0] - known[1]
            if MISSING not in known and not (flip < 0 == known[2]):  # one frame overtakes another
                assert abs(flip - known[2]) <= 2 * TENTH, (chain.label, row)
                seen += 1
            if MISSING not in (it.until_gpu_start[row], it.gpu_busy[row]):
                span = it.until_gpu_end[row] - it.until_gpu_start[row]
                assert it.gpu_busy[row] <= span + TENTH, (chain.label, row)
                seen += 1
    assert seen >= 20
