"""A PresentMon capture of many frames: reading, diagnosing, writing; beside pandas and csv.

`python -m benchmarks.presentmon [FRAMES]` runs every task in a process of its own, all of them in
turn and several times over, and prints the fastest run of each.
"""

from __future__ import annotations

import csv
import importlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.memory import peak_bytes
from fencepost._kernels import CHOICE
from fencepost.present.analysis import analyse_capture
from fencepost.present.captures import Capture, read
from fencepost.present.captures.writing import table_csv

FRAMES = 1_000_000
ROUNDS = 3
LIMIT = "fencepost: read and diagnose"
INTERPRETED = "fencepost: read, nothing compiled"
PEER = "pandas: the columns that fencepost reads"

HEADER = (
    "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,"
    "PresentMode,FrameType,TimeInSeconds,MsBetweenSimulationStart,MsBetweenPresents,"
    "MsBetweenDisplayChange,MsInPresentAPI,MsRenderPresentLatency,MsUntilDisplayed,MsPCLatency,"
    "CPUStartQPC,MsBetweenAppStart,MsCPUBusy,MsCPUWait,MsGPULatency,MsGPUTime,MsGPUBusy,MsGPUWait,"
    "MsVideoBusy,MsAnimationError,AnimationTime,MsFlipDelay,MsAllInputToPhotonLatency,"
    "MsClickToPhotonLatency,MsInstrumentedLatency"
)
WHO = "Game.exe,4242,0x1D69C478050,DXGI,1,0,0,Hardware: Independent Flip,Application"
TAKEN = (
    "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,"
    "PresentMode,FrameType,TimeInSeconds,MsBetweenPresents,MsBetweenDisplayChange,MsInPresentAPI,"
    "MsRenderPresentLatency,MsUntilDisplayed,MsPCLatency,MsCPUBusy,MsGPUTime,MsGPUBusy,"
    "MsAnimationError,MsClickToPhotonLatency"
)
"""The columns of HEADER that fencepost takes; the rest follows from them."""

REFRESH = 166_667
"""60 Hz, in units of 0.1 us, as all times here."""


def lines(frames: int) -> Iterator[str]:
    """The rows of a title at VSync whose CPU and GPU work varies; now and then a frame is late."""
    chance = random.Random(1)
    called, returned, flip = 10_000_000, 10_020_000, 10_300_000
    for _ in range(frames):
        busy = chance.randrange(60_000, 110_000)
        start, before, called = returned, called, returned + busy
        work = chance.randrange(70_000, 150_000) * chance.choice((1,) * 49 + (3,))
        begun = start + busy // 4
        done = begun + work
        shown = max(flip + REFRESH, done - (done - flip) % REFRESH + REFRESH)
        returned = max(called + 1_500, flip - 1_000)
        times = (called, before, start, begun, done, shown, flip, returned)
        yield f"{WHO},{_row(*times, gaps=chance.randrange(9_000))}"
        flip = shown


def _row(
    called: int,
    before: int,
    start: int,
    begun: int,
    done: int,
    shown: int,
    flip: int,
    returned: int,
    gaps: int,
) -> str:
    """The times of a row, with as many decimals as PresentMon 2.4 writes."""
    inside, busy, work = returned - called, called - start, done - begun
    long = (f"{_ms(time)}0000000000" for time in (called - before, shown - flip, inside))
    rest = (start - before, busy, inside, begun - start, work, work - gaps, gaps, 0)
    return ",".join(
        (
            f"{called // 10**7}.{called % 10**7:07d}0000000",
            "NA",
            *long,
            f"{_ms(done - called)}0000000000",
            _ms(shown - called),
            "NA",
            str(start),
            *map(_ms, rest),
            _ms(shown - flip - REFRESH),
            _ms(start),
            "NA,NA,NA,NA",
        )
    )


def _ms(time: int) -> str:
    return f"{'-' if time < 0 else ''}{abs(time) // 10**4}.{abs(time) % 10**4:04d}"


def make(path: Path, frames: int) -> None:
    """Write the capture."""
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write(f"{HEADER}\n")
        for line in lines(frames):
            stream.write(f"{line}\n")


def _with(path: Path, work: Callable[[Capture], object]) -> Callable[[], object]:
    capture = read(path)
    return lambda: work(capture)


def _diagnosed(capture: Capture) -> object:
    return analyse_capture(capture, capture.chains)


def _pandas(path: Path, columns: str | None) -> Callable[[], object]:
    """A table of doubles, the chains apart as fencepost has them."""
    pandas: Any = importlib.import_module("pandas")
    chosen = columns.split(",") if columns else None

    def job() -> object:
        table = pandas.read_csv(path, usecols=chosen)
        return list(table.groupby(["Application", "ProcessID", "SwapChainAddress"]))

    return job


def _rows(path: Path) -> Callable[[], object]:
    """The standard library's reader, which only makes rows of text."""

    def job() -> object:
        with path.open(encoding="utf-8", newline="") as stream:
            return sum(1 for _ in csv.reader(stream))

    return job


TASKS: dict[str, Callable[[Path], Callable[[], object]]] = {
    "fencepost: read": lambda path: lambda: read(path),
    INTERPRETED: lambda path: lambda: read(path),
    LIMIT: lambda path: lambda: _diagnosed(read(path)),
    "fencepost: write the table as CSV": lambda path: _with(path, table_csv),
    PEER: lambda path: _pandas(path, TAKEN),
    "pandas: all columns": lambda path: _pandas(path, None),
    "csv: rows of text": _rows,
}
"""Name -> a function that prepares, unmeasured, and hands back what is measured."""


def main(arguments: list[str]) -> None:
    """Every task; or one, where its name and a file are given, as one JSON object."""
    if len(arguments) == 2:
        job = TASKS[arguments[0]](Path(arguments[1]))
        start = time.process_time()
        job()
        seconds = time.process_time() - start
        print(json.dumps({"seconds": seconds, "peak_bytes": peak_bytes()}))
        return
    frames = int(arguments[0]) if arguments else FRAMES
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "presentmon.csv"
        make(path, frames)
        print(f"{frames:,} frames, {path.stat().st_size / 1e6:,.0f} MB; fastest of {ROUNDS}")
        runs = [{name: _run(name, path) for name in TASKS} for _ in range(ROUNDS)]
    fastest = {name: min((run[name] for run in runs), key=_seconds) for name in TASKS}
    for name, found in fastest.items():
        peak = f"{found['peak_bytes'] / 2**20:,.0f} MiB" if found["peak_bytes"] else "-"
        ratio = _seconds(found) / _seconds(fastest[PEER])
        print(f"  {name:<42} {_seconds(found):6.2f} s  {ratio:5.2f} of pandas  peak {peak}")


def _seconds(found: dict[str, float]) -> float:
    return found["seconds"]


def _run(name: str, path: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.presentmon", name, str(path)]
    choice = {CHOICE: "interpreted"} if name == INTERPRETED else {}
    environment = {**os.environ, **choice}
    run = subprocess.run(
        command, capture_output=True, check=True, encoding="utf-8", env=environment
    )
    found: dict[str, float] = json.loads(run.stdout)
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
