"""Every cause, in pairs of windows that differ in one figure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fencepost.present.causes import CAUSES, UNDECIDED, Verdict, behind, cause_of
from fencepost.present.evidence import Evidence
from fencepost.present.thresholds import THRESHOLDS
from fencepost.present.whatif import parse_what_if
from tests.present.observe import MS, PLAIN, R60, VSYNC

THROTTLED = replace(VSYNC, blocked=0.5, cpu=8 * MS)
TWO = replace(
    VSYNC, frame_time=2 * R60, refreshes=2.0, blocked=0.5, cpu=16 * MS, gpu_busy=0.46, gpu=15 * MS
)
NEARLY = replace(PLAIN, steadiness=0.02, gpu_busy=0.85, drift=0.005)
LOST = replace(VSYNC, interval=0, never_shown=0.4, composed=1.0, frame_time=10 * MS)

# what is seen, its cause; then one figure that is another, and the cause then
PAIRS: list[tuple[Evidence, str, dict[str, Any], str]] = [
    (PLAIN, "cpu-side", {"frames": 11}, "too-few-frames"),
    (PLAIN, "cpu-side", {"frame_time": 0}, "too-few-frames"),
    (PLAIN, "cpu-side", {"gpu_busy": 0.9}, "gpu-full"),
    (PLAIN, "cpu-side", {"gpu_busy": 0.8}, "undecided"),
    (PLAIN, "cpu-side", {"gpu_busy": None}, "undecided"),
    (PLAIN, "cpu-side", {"blocked": None}, "undecided"),
    (PLAIN, "cpu-side", {"blocked": 0.1}, "undecided"),
    (PLAIN, "cpu-side", {"steadiness": 0.05}, "steady-pace"),
    (PLAIN, "cpu-side", {"generated": True}, "undecided"),
    (replace(PLAIN, gpu_busy=0.95), "gpu-full", {"generated": True}, "gpu-full"),
    (replace(PLAIN, steadiness=0.02), "steady-pace", {"generated": True}, "undecided"),
    (PLAIN, "cpu-side", {"pace": 0.04}, "steady-pace"),
    (PLAIN, "cpu-side", {"pace": 0.07}, "cpu-side"),
    (replace(PLAIN, pace=0.04), "steady-pace", {"steadiness": 0.15}, "cpu-side"),
    (PLAIN, "cpu-side", {"gpu_busy": None, "utilisation": 95.0}, "gpu-full"),
    (PLAIN, "cpu-side", {"gpu_busy": None, "utilisation": 94.0}, "undecided"),
    (PLAIN, "cpu-side", {"gpu_busy": None, "utilisation": 79.0}, "cpu-side"),
    (replace(PLAIN, steadiness=0.02), "steady-pace", {"blocked": None}, "undecided"),
    (replace(PLAIN, steadiness=0.02), "steady-pace", {"gpu_busy": None}, "undecided"),
    (replace(PLAIN, steadiness=0.02), "steady-pace", {"gpu_busy": 0.85}, "undecided"),
    (NEARLY, "steady-pace", {"drift": 0.02}, "undecided"),
    (NEARLY, "steady-pace", {"drift": None}, "undecided"),
    (NEARLY, "steady-pace", {"steadiness": 0.1}, "undecided"),
    (NEARLY, "steady-pace", {"gpu_busy": 0.9}, "gpu-full"),
    (NEARLY, "steady-pace", {"generated": True}, "undecided"),
    (NEARLY, "steady-pace", {"gpu_busy": None, "utilisation": 85.0}, "steady-pace"),
    (replace(PLAIN, steadiness=0.02), "steady-pace", {"gpu_busy": 0.95}, "gpu-full"),
    (
        replace(NEARLY, gpu_busy=None, utilisation=85.0),
        "steady-pace",
        {"steadiness": 0.2},
        "undecided",
    ),
    (THROTTLED, "swap-throttle", {"interval": None}, "swap-throttle"),
    (THROTTLED, "swap-throttle", {"gpu_busy": None}, "swap-throttle"),
    (THROTTLED, "swap-throttle", {"gpu_busy": 0.93}, "swap-throttle"),
    (replace(THROTTLED, refreshes=1.2), "swap-throttle", {"gpu_busy": 0.93}, "gpu-full"),
    (THROTTLED, "swap-throttle", {"blocked": 0.05}, "at-the-refresh"),
    (THROTTLED, "swap-throttle", {"blocked": None}, "at-the-refresh"),
    (THROTTLED, "swap-throttle", {"interval": 0}, "interval-0-without-tearing"),
    (THROTTLED, "swap-throttle", {"on_grid": 0.79}, "undecided"),
    (THROTTLED, "swap-throttle", {"on_grid": None}, "undecided"),
    (THROTTLED, "swap-throttle", {"tearing": 0.5}, "undecided"),
    (VSYNC, "at-the-refresh", {"frame_time": R60 * 104 // 100}, "cpu-side"),
    (VSYNC, "at-the-refresh", {"interval": 2}, "cpu-side"),
    (replace(THROTTLED, interval=0), "interval-0-without-tearing", {"tearing": 1.0}, "undecided"),
    (replace(THROTTLED, interval=0), "interval-0-without-tearing", {"blocked": 0.0}, "cpu-side"),
    (
        replace(THROTTLED, interval=0),
        "interval-0-without-tearing",
        {"frame_time": 2 * R60},
        "undecided",
    ),
    (TWO, "visible-buffer", {"interval": 2}, "swap-throttle"),
    (TWO, "visible-buffer", {"interval": None}, "visible-buffer"),
    (TWO, "visible-buffer", {"cpu": 17 * MS}, "whole-refreshes"),
    (TWO, "visible-buffer", {"gpu": 17 * MS}, "whole-refreshes"),
    (TWO, "visible-buffer", {"gpu_busy": 0.95}, "gpu-full"),
    (TWO, "visible-buffer", {"gpu_busy": 0.85}, "visible-buffer"),
    (TWO, "visible-buffer", {"gpu_busy": None}, "undecided"),
    (TWO, "visible-buffer", {"blocked": 0.01}, "cpu-side"),
    (TWO, "visible-buffer", {"refreshes": 1.24}, "swap-throttle"),
    (LOST, "frames-never-shown", {"never_shown": 0.05}, "cpu-side"),
    (LOST, "frames-never-shown", {"never_shown": None}, "cpu-side"),
    (LOST, "frames-never-shown", {"composed": 0.4}, "cpu-side"),
    (LOST, "frames-never-shown", {"on_grid": 0.5}, "cpu-side"),
    (
        replace(PLAIN, gpu_busy=None, blocked=0.5, gpu_behind=1.5),
        "gpu-behind",
        {"gpu_behind": 0.9},
        "undecided",
    ),
    (
        replace(PLAIN, gpu_busy=None, blocked=0.5, gpu_behind=1.5),
        "gpu-behind",
        {"interval": 1},
        "undecided",
    ),
    (
        replace(PLAIN, gpu_busy=None, blocked=0.5, gpu_behind=1.5),
        "gpu-behind",
        {"blocked": 0.05},
        "undecided",
    ),
    (
        replace(PLAIN, gpu_busy=None, blocked=0.5, gpu_behind=1.5),
        "gpu-behind",
        {"gpu_busy": 0.5},
        "undecided",
    ),
]


@pytest.mark.parametrize(("seen", "cause", "change", "then"), PAIRS)
def test_one_figure_decides(seen: Evidence, cause: str, change: dict[str, Any], then: str) -> None:
    assert cause_of(seen).id == cause
    assert cause_of(replace(seen, **change)).id == then


def test_every_cause_is_reached() -> None:
    reached = {name for _, cause, _, then in PAIRS for name in (cause, then)}
    assert reached == {row.id for row in CAUSES} | {"undecided"}


def test_every_verdict_has_a_cause() -> None:
    assert {row.verdict for row in CAUSES} == set(Verdict)
    assert UNDECIDED.verdict is Verdict.UNKNOWN
    assert all(row.advice and row.source and row.meaning for row in (*CAUSES, UNDECIDED))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"blocked": None}, "how long Present takes"),
        ({"gpu_busy": None}, "how busy the GPU is"),
        ({"blocked": 0.5}, "Present waits"),
        ({"generated": True}, "frames that it generates"),
        ({"gpu_busy": None, "utilisation": 90.0}, "nearly full, but idles"),
        ({"gpu_busy": 0.85}, "nearly full, but idles"),
    ],
)
def test_unknown_says_why(change: dict[str, Any], says: str) -> None:
    assert says in cause_of(replace(PLAIN, **change)).meaning


def test_what_limits_the_presents_that_the_compositor_drops() -> None:
    assert behind(LOST).id == "cpu-side"
    assert behind(replace(LOST, gpu_busy=0.95)).id == "gpu-full"
    assert behind(replace(LOST, gpu_busy=None)).id == "undecided"


def test_a_cpu_rule_that_compares_busy_times_would_be_wrong() -> None:
    """P52, presentation.md 2.4: GPU 2.6 ms, CPU 2.3 ms, and yet neither limits."""
    heaven = replace(
        VSYNC,
        refresh=6_945_000_000,
        frame_time=6_940_000_000,
        blocked=0.66,
        cpu=2_300_000_000,
        gpu=2_600_000_000,
        gpu_busy=0.37,
    )
    assert cause_of(heaven).verdict is Verdict.PRESENT


def test_trials_stand_beside_advice_and_can_be_parsed() -> None:
    rows = [row for row in CAUSES if row.trials]
    assert rows
    for row in rows:
        assert len(row.trials) == len(row.advice)
        for words in filter(None, row.trials):
            parse_what_if(words.split())


def test_limits_have_a_reason() -> None:
    assert len({row.name for row in THRESHOLDS}) == len(THRESHOLDS)
    assert all(row.reason and row.unit and row.value > 0 for row in THRESHOLDS)
