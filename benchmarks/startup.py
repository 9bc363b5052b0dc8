"""How long the command takes to start: wall time of a whole process, in seconds."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

RUNS = 11
COMMAND = (
    sys.executable,
    "-c",
    "import sys; from fencepost.cli.main import main; sys.exit(main(sys.argv[1:]))",
)


def seconds(*arguments: str, runs: int = RUNS) -> float:
    """The median over `runs` runs of the command; one more run before them warms the disk's cache.

    Raises RuntimeError where the command ends with 2: then nothing was measured.
    """
    times = [_once(arguments) for _ in range(runs + 1)]
    return statistics.median(times[1:])


def _once(arguments: tuple[str, ...]) -> float:
    start = time.perf_counter()
    run = subprocess.run([*COMMAND, *arguments], capture_output=True, check=False, encoding="utf-8")
    elapsed = time.perf_counter() - start
    if run.returncode not in {0, 1}:
        message = f"fencepost {' '.join(arguments)}: exit code {run.returncode}: {run.stderr}"
        raise RuntimeError(message)
    return elapsed
