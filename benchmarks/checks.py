"""The checker: walks over integers, compiled, beside the replay that Python interprets.

`python -m benchmarks.checks [COMMANDS]`: the clean stream of `generate`. `interpreted` takes a
tenth of it; the answers of the same number of commands have to be the same.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from benchmarks.contest import Contender, digest, perform, report, run
from benchmarks.generate import program
from fencepost.coherence import Report, check
from fencepost.machine import find_machine

COMMANDS = 1_000_000


def answer(found: Report) -> str:
    """Where the findings are, and how much was checked."""
    counts = found.counts
    positions = [finding.later.position for finding in (*found.findings, *found.leaning)]
    return digest((*positions, counts.commands, counts.works, counts.accesses))


def clean(commands: int) -> Callable[[], str]:
    """A stream without a hazard, checked at both levels of guarantees."""
    stream = program(commands)
    machine = find_machine(stream.machine)
    return lambda: answer(check(stream, machine))


TASKS = {"clean": clean}


def contenders(commands: int) -> tuple[Contender, ...]:
    """The compiled form over all of it, and over what the interpreted one is given."""
    return (
        Contender("compiled", "clean", commands),
        Contender("compiled, a tenth", "clean", commands // 10),
        Contender("interpreted, a tenth", "clean", commands // 10, "interpreted"),
    )


def main(arguments: list[str]) -> None:
    """Every contender; or one, where its name and a number of commands are given."""
    if len(arguments) == 2:
        perform(TASKS[arguments[0]](int(arguments[1])))
        return
    commands = int(arguments[0]) if arguments else COMMANDS
    report("check", "commands", run("benchmarks.checks", contenders(commands)))


if __name__ == "__main__":
    main(sys.argv[1:])
