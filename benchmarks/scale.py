"""Commands per second, peak memory, and growth with the length of the stream."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import dataclass

SIZES = (10_000, 100_000, 1_000_000)


@dataclass(frozen=True)
class Sample:
    """One task over one length of stream."""

    commands: int
    seconds: float
    peak_bytes: int | None

    def __str__(self) -> str:
        memory = "unknown" if self.peak_bytes is None else f"{self.peak_bytes / 2**20:,.0f} MiB"
        rate = self.commands / self.seconds
        return f"{self.commands:>9,} commands  {rate:>10,.0f} commands/s  peak {memory}"


def sample(task: str, commands: int) -> Sample:
    """Do `task` in a process of its own, so that the peak is that of this length alone."""
    command = [sys.executable, "-m", "benchmarks.tasks", task, str(commands)]
    output = subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout
    return Sample(commands, **json.loads(output))


def exponent(small: Sample, large: Sample) -> float:
    """`e` where time grows as length to the power of e: 1 is linear."""
    return math.log(large.seconds / small.seconds) / math.log(large.commands / small.commands)
