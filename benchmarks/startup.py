"""How long the command takes to start: wall time of a whole process, in seconds."""

from __future__ import annotations

import os
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
    """The median over `runs` runs of the command, byte-compiled.

    One more run before them compiles and warms the disk's cache. Raises RuntimeError where the
    command ends with 2: then nothing was measured.
    """
    times = [_once(arguments) for _ in range(runs + 1)]
    return statistics.median(times[1:])


def _once(arguments: tuple[str, ...]) -> float:
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # or nothing would ever be compiled
    start = time.perf_counter()
    run = subprocess.run(
        [*COMMAND, *arguments], capture_output=True, check=False, encoding="utf-8", env=environment
    )
    elapsed = time.perf_counter() - start
    if run.returncode not in {0, 1}:
        message = f"fencepost {' '.join(arguments)}: exit code {run.returncode}: {run.stderr}"
        raise RuntimeError(message)
    return elapsed
