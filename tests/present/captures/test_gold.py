"""PresentMon's own test traces: one trace in three dialects is one table (presentation.md 2.2)."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from fencepost.present.captures import COLUMNS, MISSING, Capture, Chain, read
from tests.present.real_captures import DIRECTORY, needs_data

pytestmark = needs_data

TRACES = ("pm_gold_0", "pm_gold_1", "pm_gold_2", "pm_gold_4", "pm_gold_5", "pm_aux_6")
TENTH = 100_000
"""0.1 us, the resolution of the traces, in picoseconds."""

Key = tuple[int | None, int | None, str]
Differ = tuple[str, int, str]  # a chain's label, its row in version 2.4, a column


@cache
def trace(name: str, version: str) -> Capture:
    return read(DIRECTORY / f"{name}_{version}.csv")


def by_key(capture: Capture) -> dict[Key, Chain]:
    return {(it.process, it.address, it.runtime): it for it in capture.chains}


@cache
def compared(name: str, version: str) -> tuple[tuple[Differ, ...], tuple[tuple[str, int], ...]]:
    """What differs by more than the resolution, and the rows that only this version has."""
    newest, other = by_key(trace(name, "v24")), by_key(trace(name, version))
    (shift,) = {
        other[key].frames.present[0] - chain.frames.present[0] for key, chain in newest.items()
    }
    differ: list[Differ] = []
    extra: list[tuple[str, int]] = []
    for key, chain in other.items():
        rows = (
            {time: row for row, time in enumerate(newest[key].frames.present)}
            if key in newest
            else {}
        )
        for row, time in enumerate(chain.frames.present):
            near = [
                rows[time - shift + off] for off in (0, -TENTH, TENTH) if time - shift + off in rows
            ]
            if near:
                differ += _differences(chain, row, newest[key], near[0])
            else:
                extra.append((chain.label, row - len(chain.frames)))
    return tuple(differ), tuple(extra)


def _differences(chain: Chain, row: int, newest: Chain, there: int) -> list[Differ]:
    found = []
    for column in COLUMNS[1:]:
        one, two = chain.frames.column(column.name)[row], newest.frames.column(column.name)[there]
        if one != two and (MISSING in (one, two) or abs(one - two) > TENTH):
            found.append((chain.label, there, column.name))
    return found


@pytest.mark.parametrize("name", TRACES)
def test_version_1_has_what_version_2_has(name: str) -> None:
    """Only what version 1 does not record differs, and the first row that refers to one before."""
    differ, _ = compared(name, "v1")
    rest = [item for item in differ if item[2] not in ("animation_error", "click_latency")]
    known = {("Presenter.exe 5236 0x285b4c0d1b0 DXGI", 1, "between_displays")}  # see below
    assert {(row, column) for label, row, column in rest if (label, row, column) not in known} <= {
        (0, "cpu_busy")
    }
    for version in ("animation_error", "click_latency"):
        assert not any(chain.frames.has(version) for chain in trace(name, "v1").chains)


@pytest.mark.parametrize("name", TRACES)
def test_version_2_has_what_version_24_has(name: str) -> None:
    """But for first rows, and GPU work whose start is cut off at 0: that is listed, not guessed."""
    differ, extra = compared(name, "v2")
    assert extra == ()
    capture = trace(name, "v2")
    cut = sum(
        int(note.split()[0].replace(",", "")) for note in capture.notes if "GPULatency" in note
    )
    counted = Counter(column for _, _, column in differ)
    assert counted["until_gpu_end"] <= cut
    assert counted["until_gpu_start"] <= cut
    first = {(row, column) for _, row, column in differ if not column.startswith("until_gpu")}
    # One frame that was shown has no display time in version 2; the next one then has none to
    # count from.
    odd = {(0, "until_displayed"), (0, "dropped"), (1, "between_displays")}
    assert first <= {(0, "between_presents"), (0, "between_displays"), *odd}
    assert sum(column == "until_displayed" for _, _, column in differ) <= (name == "pm_gold_4")


def test_cut_off_gpu_work_is_what_is_missing() -> None:
    """All rows whose GPU work version 2 does not place are those that began before the CPU's."""
    for name in TRACES:
        differ, _ = compared(name, "v2")
        newest = {chain.label: chain.frames for chain in trace(name, "v24").chains}
        for label, row, column in differ:
            if column == "until_gpu_start":
                frames = newest[label]
                began = frames.until_gpu_start[row] + frames.cpu_busy[row]
                assert began <= TENTH, (name, label, row)


def test_version_1_has_34_rows_more() -> None:
    """Most are the last of their chain; two chains of one row are in version 1 alone."""
    gold = {name: compared(name, "v1")[1] for name in TRACES if name.startswith("pm_gold")}
    assert {name: len(extra) for name, extra in gold.items()} == {
        "pm_gold_0": 11,
        "pm_gold_1": 6,
        "pm_gold_2": 4,
        "pm_gold_4": 6,
        "pm_gold_5": 7,
    }
    places = Counter(place for extra in gold.values() for _, place in extra)
    assert places == {-1: 32, -2: 2}
    assert [note for note in trace("pm_gold_5", "v1").notes if "missing" in note] == []


def test_never_shown_is_the_same_in_all() -> None:
    for name, wanted in (("pm_gold_5", 84), ("pm_aux_6", 24)):
        for version in ("v1", "v2", "v24"):
            assert trace(name, version).chains[0].never_shown == wanted
