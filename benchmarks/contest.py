"""Several ways to the same answer, one after the other, each in a process of its own.

Each contender prints one JSON object: `seconds` of processor time, `answer` (a digest of what it
found), `peak_bytes`. Answers that differ make the figures worthless, so they end the run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import zlib
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from benchmarks.memory import peak_bytes
from fencepost._kernels import CHOICE


@dataclass(frozen=True)
class Contender:
    """A task of a benchmark module over so many items; `kernels`: compiled or interpreted."""

    title: str
    task: str
    items: int
    kernels: str = "compiled"


@dataclass(frozen=True)
class Score:
    """What one contender took."""

    title: str
    items: int
    seconds: float
    peak_bytes: int | None
    answer: str

    @property
    def rate(self) -> float:
        """Items a second."""
        return self.items / self.seconds


def digest(numbers: Iterable[int]) -> str:
    """The same for the same integers in the same order."""
    return f"{zlib.crc32(array('q', numbers).tobytes()):08x}"


def perform(job: Callable[[], str]) -> None:
    """Do what is measured once and print the score; the job hands back its answer."""
    start = time.process_time()
    answer = job()
    seconds = time.process_time() - start
    print(json.dumps({"seconds": seconds, "answer": answer, "peak_bytes": peak_bytes()}))


def run(module: str, contenders: Iterable[Contender]) -> list[Score]:
    """All scores; raises RuntimeError where two that did the same number of items disagree."""
    scores = [_run(module, one) for one in contenders]
    answers: dict[int, str] = {}
    for score in scores:
        if answers.setdefault(score.items, score.answer) != score.answer:
            raise RuntimeError(f"{score.title} finds something else than the others")
    return scores


def _run(module: str, one: Contender) -> Score:
    print(f"{one.title}: {one.items:,} ...", file=sys.stderr)
    command = [sys.executable, "-m", module, one.task, str(one.items)]
    environment = {**os.environ, CHOICE: one.kernels}
    output = subprocess.run(
        command, capture_output=True, check=True, encoding="utf-8", env=environment
    ).stdout
    return Score(one.title, one.items, **json.loads(output))


def report(what: str, unit: str, scores: list[Score]) -> None:
    """A table; the ratios are against the last."""
    peer = scores[-1].rate
    print(what)
    for score in scores:
        peak = "-" if score.peak_bytes is None else f"{score.peak_bytes / 2**20:,.0f} MiB"
        print(
            f"  {score.title:<24} {score.items:>10,} {unit} {score.seconds:8.2f} s "
            f"{score.rate:>12,.0f} {unit}/s  {score.rate / peer:8.1f} x  peak {peak}"
        )
