"""The capture that is measured: a title at VSync, read alike by fencepost and by pandas."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.presentmon import HEADER, PEER, REFRESH, TAKEN, TASKS, make
from fencepost.present.captures import MISSING, read

FRAMES = 600
SAME = {
    "between_presents": "MsBetweenPresents",
    "in_present": "MsInPresentAPI",
    "cpu_busy": "MsCPUBusy",
    "until_gpu_end": "MsRenderPresentLatency",
    "gpu_busy": "MsGPUBusy",
    "until_displayed": "MsUntilDisplayed",
    "between_displays": "MsBetweenDisplayChange",
    "animation_error": "MsAnimationError",
}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("presentmon") / "capture.csv"
    make(made, FRAMES)
    return made


def test_it_is_a_capture_of_presentmon(path: Path) -> None:
    capture = read(path)
    (chain,) = capture.chains
    assert (capture.format, len(chain.frames), capture.notes) == ("PresentMon 2.4", FRAMES, ())
    steps = set(chain.frames.between_displays)
    assert all(step % (REFRESH * 100_000) == 0 for step in steps)
    assert len(steps) > 1


def test_what_is_taken_is_there() -> None:
    assert set(TAKEN.split(",")) < set(HEADER.split(","))


@pytest.mark.parametrize("task", [name for name in TASKS if not name.startswith("pandas")])
def test_every_task_runs(task: str, path: Path) -> None:
    assert TASKS[task](path)() is not None


def test_pandas_reads_the_same(path: Path) -> None:
    pytest.importorskip("pandas")
    tables: Any = TASKS[PEER](path)()
    ((_, table),) = tables
    (chain,) = read(path).chains
    for ours, theirs in SAME.items():
        doubles: Sequence[float] = list(table[theirs])
        for exact, double in zip(chain.frames.column(ours), doubles, strict=True):
            assert exact != MISSING
            assert abs(exact - double * 1e9) < 1
    assert importlib.import_module("pandas") is not None
