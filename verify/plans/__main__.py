"""`python -m verify.plans`: plans of two and three works against brute force."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import product
from multiprocessing import Pool

from verify.plans.compare import FIRST, LATER, SETTINGS, Result, Words, compare

QUICK = 211
"""`--quick` takes one program in so many: a prime, so that it meets every work in every place."""

MOST = 5
"""So many plans that are dearer than need be are shown."""

Task = tuple[int, Words, int]


def tasks(number: int, works: int, stride: int) -> Iterator[Task]:
    """Of that setting all beginnings of programs of so many works."""
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
    parser.add_argument("--setting", default="", metavar="NAME", help="only settings of that name")
    options = parser.parse_args()
    worse: list[str] = []
    with Pool(options.jobs) as pool:
        for number, setting in enumerate(SETTINGS):
            for works in (2, 3) if options.setting in setting.name else ():
                every = list(tasks(number, works, stride_of(options, works)))
                if options.quick and works > 2:
                    every = every[:: QUICK // 7]
                found = add_up(setting.name, works, pool.imap_unordered(run, every))
                report(setting.name, works, found)
                worse += found.worse
    for text in sorted(worse, key=lambda text: (len(text), text))[:MOST]:
        print(f"\n{text}")
    return 1 if worse else 0


def stride_of(options: argparse.Namespace, works: int) -> int:
    """One program in so many."""
    every: int = options.stride if works > 2 else 1
    return 7 if options.quick else every


def add_up(setting: str, works: int, parts: Iterable[Result]) -> Result:
    """The sum, which is the same in any order."""
    found, progress = Result(), Progress(f"{setting}, {works} works")
    for part in parts:
        found.add(part)
        progress.show(found.programs)
    print(file=sys.stderr)
    return found


class Progress:
    """Where it stands, on standard error: in one line of a terminal, elsewhere once a minute."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.started = self.last = time.monotonic()
        self.terminal = sys.stderr.isatty()

    def show(self, programs: int) -> None:
        """So many programs are through."""
        now = time.monotonic()
        if now - self.last > (0.2 if self.terminal else 60):
            self.last = now
            text = f"{self.title}: {programs} programs, {now - self.started:.0f} s"
            print(
                f"\r{text}" if self.terminal else text,
                end="" if self.terminal else "\n",
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
