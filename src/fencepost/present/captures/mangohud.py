"""MangoHud logs every frame, or one every so often: only the first is a capture of frames."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping

from fencepost.errors import SyntaxProblem
from fencepost.place import Place
from fencepost.present.captures.table import MISSING

NANOSECOND = 1_000
TOLERATED = 10**8
"""0.1 ms, and a tenth: how far a step of `elapsed` may be from the frame's time; assumed."""


def require_every_frame(chains: Iterable[Mapping[str, array[int]]], file: str) -> None:
    """Raise `SyntaxProblem` where `elapsed` goes on by other steps than `frametime`.

    That is how a log with `log_interval` above 0 looks (presentation.md 2.3): its rows are samples.
    """
    for columns in chains:
        if "present" not in columns:
            return
        elapsed, times = columns["present"], columns["between_presents"]
        steps = [
            ((after - before) * NANOSECOND, time)
            for before, after, time in zip(elapsed, elapsed[1:], times[1:], strict=False)
            if MISSING not in (before, after, time)
        ]
        apart = sum(abs(step - time) > TOLERATED + time // 10 for step, time in steps)
        if apart * 2 > len(steps):
            every = sorted(step for step, _ in steps)[len(steps) // 2] // 10**9
            problem = f"{len(elapsed):,} samples, one every {every} ms, not consecutive frames"
            expected = "a log of every frame (log_interval=0): samples say nothing about pacing"
            raise SyntaxProblem(problem, Place(file, 0), expected)
