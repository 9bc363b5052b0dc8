"""What is measured over streams of growing length, each in a process of its own.

`python -m benchmarks.tasks NAME COMMANDS` does one task once and prints one JSON object.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

from benchmarks.generate import program
from benchmarks.memory import peak_bytes
from benchmarks.passes import program as passes_of
from fencepost.coherence import check
from fencepost.machine import find_machine
from fencepost.plan.planning import plan

Job = Callable[[], object]


def build(commands: int) -> Job:
    """Building the program alone, which other tasks over programs do before they start."""
    return lambda: program(commands)


def check_clean(commands: int) -> Job:
    """Checking a stream without a hazard."""
    return _check(commands, clean=True)


def check_hazards(commands: int) -> Job:
    """Checking a stream with a hazard in about every ninth command, each with its finding."""
    return _check(commands, clean=False)


def _check(commands: int, *, clean: bool) -> Job:
    stream = program(commands, clean=clean)
    machine = find_machine(stream.machine)
    return lambda: check(stream, machine)


def plan_passes(passes: int) -> Job:
    """Planning the synchronization of so many passes over 500 resources."""
    stream = passes_of(passes)
    machine = find_machine(stream.machine)
    return lambda: plan(stream, machine)


TASKS: dict[str, Callable[[int], Job]] = {
    "build": build,
    "check": check_clean,
    "check-hazards": check_hazards,
    "plan": plan_passes,
}
"""Name -> a function that prepares, unmeasured, and hands back what is measured."""


def main(arguments: list[str]) -> None:
    """Do one task once; print its processor time in seconds and this process's peak in bytes.

    Processor time, so that what else runs on the machine does not count.
    """
    name, commands = arguments[0], int(arguments[1])
    job = TASKS[name](commands)
    start = time.process_time()
    job()
    seconds = time.process_time() - start
    print(json.dumps({"seconds": seconds, "peak_bytes": peak_bytes()}))


if __name__ == "__main__":
    main(sys.argv[1:])
