"""`python -m verify`: compare the checker with the explorer, family by family.

`--random` compares random programs, larger than those of the families, and prints the smallest
stream on which the two differ.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from multiprocessing import Pool

from verify.compare import Result, compare
from verify.enumerate import SETTINGS, Family, Items, Setting
from verify.queues import QueueFamily

QUICK = 97
"""`--quick` looks at one program in so many: a prime, so that it meets every command."""

STEP = 13
"""From one head to the next a sample begins so many programs later."""

Task = tuple[int, int, Items, int, int]


def main() -> int:
    """0: no disagreement, 1: some, 2: wrong arguments."""
    options = parser().parse_args()
    return random(options) if options.random else families(options)


def parser() -> argparse.ArgumentParser:
    """The arguments."""
    made = argparse.ArgumentParser(prog="python -m verify", description=__doc__)
    made.add_argument("--quick", action="store_true", help="a sample, about two minutes")
    made.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (default 2)")
    made.add_argument("--family", default="", metavar="NAME", help="only families of that name")
    made.add_argument("--setting", default="", metavar="NAME", help="only settings of that name")
    made.add_argument("--random", type=int, default=0, metavar="N", help="so many random programs")
    made.add_argument("--seed", type=int, default=0, metavar="N", help="draw other ones")
    return made


def families(options: argparse.Namespace) -> int:
    """Every family on every setting."""
    total = Result()
    started = time.monotonic()
    with Pool(options.jobs) as pool:
        for number, setting in enumerate(SETTINGS):
            for which, family in enumerate(setting.families()):
                if options.family not in family.name or options.setting not in setting.name:
                    continue
                stride = QUICK if options.quick else setting.stride
                tasks = tasks_of(number, which, family, stride)
                result = Result()
                before = shown = time.monotonic()
                for part in pool.imap_unordered(run, tasks, chunksize=4):
                    result.add(part)
                    if time.monotonic() > shown + 1:
                        shown = time.monotonic()
                        progress(setting, family, result, before)
                progress(setting, family, result, before)
                print(file=sys.stderr)
                report(setting.name, family.name, result, time.monotonic() - before)
                total.add(result)
    report("all", "together", total, time.monotonic() - started)
    for one in total.smallest:
        print(f"\n{one.text()}")
    return 1 if total.disagreements else 0


def random(options: argparse.Namespace) -> int:
    """So many random programs for each setting, shared among the processes."""
    from verify.larger import find_difference, judges  # noqa: PLC0415 (needs hypothesis)

    each, found = -(-options.random // options.jobs), 0
    for setting in SETTINGS:
        if options.setting in setting.name:
            started = time.monotonic()
            draws = [
                (judges(setting), each, options.seed * options.jobs + job)
                for job in range(options.jobs)
            ]
            with Pool(options.jobs) as pool:
                differing = [one for one in pool.starmap(find_difference, draws) if one]
            seconds = time.monotonic() - started
            print(
                f"{setting.name:32} programs {each * options.jobs:9} {seconds:7.1f} s", flush=True
            )
            for one in differing[:1]:
                print(f"\n{one.text()}")
            found += len(differing)
    return 1 if found else 0


def tasks_of(setting: int, which: int, family: Family | QueueFamily, stride: int) -> Iterator[Task]:
    """One task for each head; each begins at another program, so that a sample meets all."""
    for number, head in enumerate(family.heads()):
        yield setting, which, head, stride, number * STEP % stride


def run(task: Task) -> Result:
    """One task, in a process of its own."""
    setting = SETTINGS[task[0]]
    family = setting.families()[task[1]]
    return compare(setting, family, *task[2:])


def progress(
    setting: Setting, family: Family | QueueFamily, result: Result, started: float
) -> None:
    """Where it stands, on standard error, in one line."""
    seconds = time.monotonic() - started
    print(
        f"\r{setting.name}, {family.name}: {result.programs} programs, "
        f"{result.disagreements} disagreements, {seconds:.0f} s",
        end="",
        file=sys.stderr,
        flush=True,
    )


def report(setting: str, family: str, result: Result, seconds: float) -> None:
    """One line of the result."""
    print(
        f"{setting:22} {family:16} programs {result.programs:9} clean {result.clean:8} "
        f"explored {result.tally.programs:9} states {result.tally.states:11} "
        f"disagreements {result.disagreements:6} {seconds:7.1f} s",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
