"""The examples of the seed's figures, played, and their table of results."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fencepost.present import Replay, change, replay, simulation_of, summarize
from fencepost.present.words import words_of

FIGURES = Path(__file__).resolve().parents[2] / "examples" / "present" / "figures"
NAMES = sorted(path.stem for path in FIGURES.glob("*.txt"))
SETTLED = 300
"""Half of the frames: by then every figure repeats itself."""


def play(name: str, changes: Iterable[str] = ()) -> Replay:
    """An example under its own settings, or changed ones."""
    simulation = simulation_of(words_of((FIGURES / f"{name}.txt").read_text(encoding="utf-8")))
    return replay(simulation.frames, change(simulation.settings, changes))


def rate(result: Replay) -> float:
    """Flips a second once the queue has settled."""
    return summarize(result, skip=SETTLED).rate


def table() -> str:
    """The table of the examples' README."""
    rows = [
        "| example | FPS | latency | blocked in Present | GPU waits | FPS at overhead 0 |",
        "|---|---|---|---|---|---|",
    ]
    for name in NAMES:
        result = summarize(play(name), skip=SETTLED)
        times = (result.latency, result.present_wait, result.gpu_wait)
        cells = " | ".join(f"{time / 1e9:.1f}" for time in times)
        ideal = rate(play(name, ["overhead=0"]))
        rows.append(f"| [{name}]({name}.txt) | {result.rate:.1f} | {cells} | {ideal:.1f} |")
    return "\n".join(rows) + "\n"
