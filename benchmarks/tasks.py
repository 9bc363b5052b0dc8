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

Job = Callable[[], object]


def build(commands: int) -> Job:
    """Building the program alone, which other tasks over programs do before they start."""
    return lambda: program(commands)


TASKS: dict[str, Callable[[int], Job]] = {"build": build}
"""Name -> a function that prepares, unmeasured, and hands back what is measured."""


def main(arguments: list[str]) -> None:
    """Do one task once; print its time in seconds and the peak memory of this process in bytes."""
    name, commands = arguments[0], int(arguments[1])
    job = TASKS[name](commands)
    start = time.perf_counter()
    job()
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "peak_bytes": peak_bytes()}))


if __name__ == "__main__":
    main(sys.argv[1:])
