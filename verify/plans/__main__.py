"""`python -m verify.plans`: plans of two and three works against brute force."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import product
from multiprocessing import Pool

from verify.plans.compare import FIRST, LATER, SETTINGS, Result, Words, compare

QUICK = 211
"""`--quick` takes one program in so many: a prime, so that it meets every work in every place."""

Task = tuple[int, Words, int]


def tasks(works: int, stride: int) -> Iterator[Task]:
    """For each setting all beginnings of programs of so many works."""
    for number in range(len(SETTINGS)):
        for head in product(FIRST, *[LATER] * (works - 2)):
            yield number, head, stride


def run(task: Task) -> Result:
    """All programs with that beginning, or one in `stride`."""
    number, head, stride = task
    found = Result()
    offset = sum(len(word) * (at + 1) for at, word in enumerate(head))
    for last, word in enumerate(LATER):
        if (last + offset) % stride == 0:
            found.add(compare(SETTINGS[number], (*head, word)))
    return found


def main() -> int:
    """0: no plan was dearer than need be, 1: some was."""
    parser = argparse.ArgumentParser(prog="python -m verify.plans", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a sample, about a minute")
    parser.add_argument(
        "--stride", type=int, default=1, metavar="N", help="of three works one program in N"
    )
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (default 2)")
    options = parser.parse_args()
    total = Result()
    with Pool(options.jobs) as pool:
        for works in (2, 3):
            started = time.monotonic()
            totals = [Result() for _ in SETTINGS]
            every = list(tasks(works, 7 if options.quick else options.stride if works > 2 else 1))
            if options.quick and works > 2:
                every = every[:: QUICK // 7]
            for task, part in zip(every, pool.imap(run, every, chunksize=2), strict=True):
                totals[task[0]].add(part)
                progress(works, sum(one.programs for one in totals), started)
            print(file=sys.stderr)
            for setting, one in zip(SETTINGS, totals, strict=True):
                report(setting.name, works, one)
                total.add(one)
    for text in total.worse:
        print(f"\n{text}")
    return 1 if total.worse else 0


def progress(works: int, programs: int, started: float) -> None:
    """Where it stands, on standard error, in one line."""
    seconds = time.monotonic() - started
    print(
        f"\rplans of {works} works: {programs} programs, {seconds:.0f} s",
        end="",
        file=sys.stderr,
        flush=True,
    )


def report(setting: str, works: int, result: Result) -> None:
    """One line of the result."""
    print(
        f"{setting:22} {works} works  plans {result.programs:7}  prefixes {result.prefixes:9}  "
        f"dearer than brute force {len(result.worse)}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
