"""Writes docs/replay-error.md from the real captures: `python -m tests.present.replay_error`.

It needs the data that FENCEPOST_DATA names.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import NamedTuple

from fencepost.errors import FencepostError, UsageProblem
from fencepost.present.capture_replay import (
    KICKOFFS,
    LEAST_SHOWN,
    OVERHEADS,
    QUEUES,
    CaptureReplay,
    Errors,
    replay_capture,
)
from fencepost.present.captures import Chain
from fencepost.present.captures.table import MISSING
from fencepost.present.causes import on_grid
from fencepost.present.diagnosis import Diagnosis, diagnose
from fencepost.present.observed import observed_of_chain
from fencepost.present.thresholds import NEVER_SHOWN, REPLAY_NOISE
from fencepost.present.units import PARTS, PICOSECONDS
from tests.present.real_captures import capture, names
from tests.project.repository import ROOT

PAGE = ROOT / "docs" / "replay-error.md"
OTHER_FLAVOURS = ("_v1.csv", "_v2.csv")
"""The same traces with other columns; one of each is enough."""


class Row(NamedTuple):
    """A swap chain of a capture, played again or not."""

    name: str
    chain: Chain
    diagnosis: Diagnosis
    again: CaptureReplay | None
    refusal: str


def rows() -> Iterator[Row]:
    """Every swap chain of every capture that has enough frames on the screen."""
    for name in names():
        if name.endswith(OTHER_FLAVOURS):
            continue
        try:
            chains = capture(name).chains
        except FencepostError:  # what cannot be read has its own tests
            continue
        for chain in chains:
            until = chain.frames.until_displayed
            if len(until) - until.count(MISSING) > LEAST_SHOWN:
                yield _row(name, chain)


def _row(name: str, chain: Chain) -> Row:
    found = diagnose(observed_of_chain(chain))
    try:
        return Row(name, chain, found, replay_capture(found), "")
    except UsageProblem as problem:
        return Row(name, chain, found, None, problem.problem)


def vsynced(row: Row) -> bool:
    """Frames wait for VSyncs and all of them are shown."""
    evidence = row.diagnosis.evidence
    lost = evidence.never_shown is not None and evidence.never_shown >= NEVER_SHOWN.value
    return on_grid(evidence) and evidence.interval != 0 and not lost


def page() -> str:
    """The page, from the captures."""
    found = list(rows())
    return "\n".join([*_head(), *_vsynced(found), "", *_others(found)]) + "\n"


def _head() -> Iterator[str]:
    combinations = len(QUEUES) * len(OVERHEADS) * len(KICKOFFS)
    noise = REPLAY_NOISE.value
    yield f"""\
# How near a capture's replay comes

`python -m tests.present.replay_error > docs/replay-error.md` writes this page from real captures
(the directory that `FENCEPOST_DATA` names; they are not part of this repository). A test keeps
it up to date. Measured on 2026-12-01.

`fencepost present CAPTURE --what-if` first plays a capture under its own settings
([present.md](present.md#what-ifs)). Each frame keeps its own CPU and GPU time. What the capture
does not say (the queue, the overhead before a flip, when the GPU may start) is chosen among
{combinations} combinations by the first half of the frames; **the errors below are those of the
second half**, as median (mean) of absolute differences in milliseconds. The display's refresh and
its phase are those of all pictures. Two baselines stand beside:

- *repeated*: the next value is the last one. It knows every measured value but the next; the
  replay knows none.
- *constant*: display intervals are the sync interval; latency (from the start of the CPU frame
  to the screen) is the median of the first half.

Where the replay of display intervals is no better than *repeated* in median and mean
(differences up to {noise} ms do not count), or GPU times are missing, what-ifs are refused.
Where replay and *constant* are the same, the capture hardly leaves its rate: the replay is not
wrong there, but nothing shows how well it follows when the work changes. Most figures in
parentheses are those of few long intervals, which the replay foresees from the long CPU or GPU
time of their frames.

Under VSync a constant is added to the latency, the median of what is missing in the first half
(column *wake*): a CPU that waits for a flip goes on some time after it, which the model does not
know. Differences between what-ifs that are smaller than the error that is left mean nothing.
"""


def _vsynced(found: list[Row]) -> Iterator[str]:
    yield "## Captures under VSync\n"
    yield (
        "| capture | swap chain | frames judged | Hz | queue, overhead | display intervals: replay "
        "| repeated | constant | latency: replay | repeated | constant | wake | what-ifs |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    for row in found:
        if vsynced(row) and row.again is not None:
            yield _line(row, row.again)
    for row in found:
        if vsynced(row) and row.again is None:
            yield f"| {_name(row)} {'| - ' * 10}| {row.refusal} |"


def _line(row: Row, again: CaptureReplay) -> str:
    refresh = again.replay.settings.display.refresh
    why = "refused: no better"
    if again.gpu_times == "none":
        why = "refused: no GPU times"
    cells = (
        _name(row),
        f"{again.judged:,}",
        f"{1000 * PICOSECONDS / refresh:.2f}",
        _queue(again),
        *_errors(again.displayed),
        *_errors(again.latency),
        f"{again.wake / PICOSECONDS:.2f}",
        why if again.refusal else "yes",
    )
    return f"| {' | '.join(cells)} |"


def _name(row: Row) -> str:
    address = "" if row.chain.address is None else f" {row.chain.address & 0xFFFF:04x}"
    return f"{row.name} | {row.chain.application or '(unnamed)'}{address}"


def _queue(again: CaptureReplay) -> str:
    settings = again.replay.settings
    latency = "no limit" if settings.latency is None else f"latency {settings.latency}"
    words = [f"{settings.chain.buffers} buffers" if settings.swap_throttle else latency]
    if settings.display.compositor.value != "none":
        words.append(f"compositor {settings.display.compositor.value}")
    if settings.overhead:
        words.append(f"{settings.overhead / PICOSECONDS:g} ms")
    if settings.kickoff != PARTS:
        words.append(f"GPU from {100 * settings.kickoff // PARTS} % of the CPU frame")
    return ", ".join(words)


def _errors(errors: Errors) -> list[str]:
    found = (errors.replay, errors.repeated, errors.constant)
    return [f"{it.median / PICOSECONDS:.3f} ({it.mean / PICOSECONDS:.2f})" for it in found]


def _others(found: list[Row]) -> Iterator[str]:
    yield "## Captures without VSync, or of which not all frames are shown\n"
    yield (
        "| capture | swap chain | frames judged | display intervals: replay | repeated | constant "
        "| latency: replay | repeated | constant | what-ifs |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for row in found:
        if vsynced(row):
            continue
        if row.again is None:
            yield f"| {_name(row)} | - | - | - | - | - | - | - | refused: {row.refusal} |"
            continue
        cells = (
            _name(row),
            f"{row.again.judged:,}",
            *_errors(row.again.displayed),
            *_errors(row.again.latency),
            "refused: no better" if row.again.refusal else "yes",
        )
        yield f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.stdout.buffer.write(page().encode("utf-8"))
