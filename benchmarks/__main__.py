"""Runs every benchmark and prints what it measured: `python -m benchmarks`."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks import checks, frames, pipeline, scale, startup
from benchmarks.tasks import TASKS

SMALL_CHECK = Path("examples/xbox-one/render-target-to-texture-eos-first-use.fence")


def main() -> None:
    """Start-up, each task over streams of growing length, kernels beside their peers."""
    print(f"start-up, median of {startup.RUNS} processes")
    for arguments in (("--version",), ("check", str(SMALL_CHECK))):
        print(f"  fencepost {' '.join(arguments)}: {startup.seconds(*arguments) * 1000:.0f} ms")
    for task in TASKS:
        _scale(task)
    for contest in (checks, frames, pipeline):
        contest.main([])


def _scale(task: str) -> None:
    samples = []
    for commands in scale.SIZES:
        print(f"{task}: {commands:,} commands ...", file=sys.stderr)
        samples.append(scale.sample(task, commands))
    print(task)
    for item in samples:
        print(f"  {item}")
    print(f"  time grows as length^{scale.exponent(samples[0], samples[-1]):.2f}")


if __name__ == "__main__":
    main()
