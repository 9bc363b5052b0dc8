"""Writes a replay as PresentMon (`--v1_metrics`) would have captured it.

`python -m tests.present.capture_file` prints examples/present/locked-at-30.csv.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from fencepost.present import Replay, replay, simulation_of
from fencepost.present.settings import Compositor
from tests.project.repository import ROOT

EXAMPLE = ROOT / "examples" / "present" / "locked-at-30.csv"
WORDS = "cpu=normal(16,0.3) gpu=normal(15.6,0.15) buffers=2 bind=early frames=240 seed=1"
"""The example: two buffers, bound early, which lock a title at 30 FPS that has work for 60."""

HEADER = (
    "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,"
    "TimeInSeconds,msInPresentAPI,msBetweenPresents,AllowsTearing,PresentMode,"
    "msUntilRenderComplete,msUntilDisplayed,msBetweenDisplayChange,msUntilRenderStart,msGPUActive"
)
MODES = {
    Compositor.NONE: "Hardware: Independent Flip",
    Compositor.COPY: "Composed: Copy with GPU GDI",
    Compositor.HOLD: "Composed: Flip",
}


def played(words: str) -> Replay:
    simulation = simulation_of(words.split())
    return replay(simulation.frames, simulation.settings)


def capture_text(made: Replay, application: str = "title.exe", skip: int = 0) -> str:
    """The rows of all presents after the first `skip` and one."""
    return "\n".join([HEADER, *_rows(made, application, skip)]) + "\n"


def _rows(made: Replay, application: str, skip: int) -> Iterator[str]:
    line, settings = made.timeline, made.settings
    tearing = int(settings.chain.interval == 0)
    mode = MODES[settings.display.compositor]
    for n in range(skip + 1, len(made)):
        called = line.called[n]
        times = (
            line.added[n] - called,
            called - line.called[n - 1],
        )
        later = (
            line.complete[n] - called,
            made.shown(n) - called,
            made.shown(n) - made.shown(n - 1),
            line.begun[n] - called,
            made.frames.gpu[n],
        )
        yield (
            f"{application},4242,0x000001F2A0C0FFE0,DXGI,{settings.chain.interval},0,0,"
            f"{round(called / 1e5) / 1e7:.7f},{_ms(times[0])},{_ms(times[1])},{tearing},{mode},"
            + ",".join(map(_ms, later))
        )


def _ms(time: int) -> str:
    return f"{time / 1e9:.4f}"


def example() -> str:
    """The example as it is committed."""
    return capture_text(played(WORDS), skip=40)


if __name__ == "__main__":
    sys.stdout.buffer.write(example().encode("ascii"))
