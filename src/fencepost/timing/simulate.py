"""Simulates a program: from commands to a timeline (docs/timing.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fencepost.errors import UsageProblem
from fencepost.machine import Machine, find_machine
from fencepost.stream.program import Program
from fencepost.stream.words import hint
from fencepost.timing.deadlock import Deadlock
from fencepost.timing.lower import lower
from fencepost.timing.parameters import Parameters
from fencepost.timing.results import Results
from fencepost.timing.run import Run
from fencepost.timing.sharing import RULES
from fencepost.timing.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Options:
    """How to simulate.

    `parameters` replaces values of the machine's by name; `refills`: works in flight bring back
    what an invalidation takes from their caches; `sharing`: a rule of `sharing.RULES`;
    `guarantees`: `documented` or `strict` ("": the program's, or the machine's).
    """

    parameters: Mapping[str, int] = field(default_factory=dict)
    refills: bool = True
    sharing: str = "fair-queues"
    guarantees: str = ""


def simulate(
    program: Program, options: Options | None = None, machine: Machine | None = None
) -> Timeline:
    """The timeline of a program on a machine (its own unless another is given).

    Raises `ProgramProblem` for a cost that makes no sense, `UsageProblem` for an unknown parameter
    or rule, `DeadlockProblem` where somebody waits for ever.
    """
    chosen = options or Options()
    machine = machine or find_machine(program.machine)
    rule = RULES.get(chosen.sharing)
    if rule is None:
        raise UsageProblem(
            f"no sharing rule '{chosen.sharing}'{hint(chosen.sharing, RULES)}",
            expected=", ".join(RULES),
        )
    parameters = Parameters(machine, chosen.parameters)
    guarantees = chosen.guarantees or program.guarantees or machine.guarantees
    code = lower(program, parameters, guarantees)
    run = Run(code, parameters, rule(), cold=chosen.refills)
    if not run.run():
        raise Deadlock(program, run).problem()
    return Results(program, run).timeline()
