"""What the verbs `plan` and `fix` have in common."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from fencepost.cli.arguments import Parser
from fencepost.cli.inputs import Form, Input, Reading, read_input, sources_of
from fencepost.cli.output import check_target, write_output
from fencepost.cli.progress import progress
from fencepost.coherence.checking import Examination, count, hazards_of, in_order
from fencepost.coherence.feedback import find_feedback
from fencepost.coherence.finding import Finding, Report
from fencepost.errors import FencepostError, Problems, QueueProblem
from fencepost.machine.profiles import find_machine
from fencepost.machine.tables import Machine
from fencepost.plan.costs import cost
from fencepost.plan.pieces import Woven, weave
from fencepost.plan.planning import NoPlan, Plan
from fencepost.plan.serving import Service, serve
from fencepost.plan.strip import strip
from fencepost.plan.trials import Trials
from fencepost.report.plan_result import Planned, Simulated
from fencepost.report.plan_text import account, summary
from fencepost.report.result import Checked
from fencepost.report.style import Style
from fencepost.report.text import write_text
from fencepost.stream.program import Program

Planner = Callable[[Program, Machine, str], Plan]
Printer = Callable[[Input, Planned], str]

IMPOSSIBLE = 1


class Chosen(NamedTuple):
    """The program that is printed, with the cost of its synchronization."""

    woven: Woven
    cycles: int
    simulated: Simulated | None = None


class Hopeless(Exception):
    """No synchronization makes the program right: `report` has what is left."""

    def __init__(self, report: Report) -> None:
        super().__init__("found no synchronization that makes it right")
        self.report = report


def parser(verb: str, purpose: str, examples: str) -> Parser:
    """The arguments of such a verb."""
    made = Parser(
        verb,
        f"{purpose}\nExit code 0: here it is; 1: no synchronization makes the stream right; "
        "2: unusable input or arguments.",
        examples,
    )
    made.add_argument("input", metavar="FILE", help="a stream or PM4 capture; - is standard input")
    made.add_argument(
        "--fastest",
        action="store_true",
        help="from the lightest plan on, look by simulation for what takes the least time",
    )
    made.add_argument("-o", "--output", metavar="OUT", help="write there, not to standard output")
    made.add_argument("--force", action="store_true", help="replace OUT")
    made.add_argument(
        "--explain", action="store_true", help="say on standard error what each command is for"
    )
    made.add_argument("--format", choices=("text", "json"), default="text")
    made.add_argument("--machine", default="", metavar="NAME", help="instead of the stream's own")
    made.add_argument("--guarantees", choices=("documented", "strict"), default="")
    made.add_argument(
        "--annotations", default="", metavar="FILE", help="names the shader accesses of a capture"
    )
    return made


def run(
    options: argparse.Namespace, planner: Planner, printer: Printer, *, keeps_right: bool
) -> int:
    """Read, plan, write; nothing is written where no plan is right.

    `keeps_right`: a stream that is right needs no plan, whatever it costs.
    """
    if options.machine:
        find_machine(options.machine)
    check_target(options.output, options.force)
    try:
        item = read_input(options.input, Reading(options.machine, options.annotations))
    except FencepostError as error:
        return _refused(error)
    try:
        planned = _planned(item.program, options, planner, keeps_right)
    except Hopeless as error:
        return _hopeless(item, error)
    _tell(item, planned, options.explain)
    write_output(_formatted(item, planned, options, printer), options.output, options.force)
    return 0


def _refused(error: FencepostError) -> int:
    """Says what a queue is asked for that it cannot do; raises what is wrong otherwise."""
    problems: Sequence[FencepostError] = error.problems if isinstance(error, Problems) else (error,)
    if not all(isinstance(problem, QueueProblem) for problem in problems):
        raise error
    for problem in problems:
        _say(f"found no synchronization that makes it right: {problem}")
    return IMPOSSIBLE


def _hopeless(item: Input, error: Hopeless) -> int:
    """Says which hazards are left."""
    _say(f"{item.program.file}: {error}")
    sources = sources_of([item])
    print(write_text([Checked(error.report)], sources, Style()), end="", file=sys.stderr)
    return IMPOSSIBLE


def _say(text: str) -> None:
    print(f"fencepost: {Style().clean(text)}", file=sys.stderr)


def _tell(item: Input, planned: Planned, explain: bool) -> None:
    """The result in a line, or in full; what the output cannot be."""
    if explain:
        print(account(planned, Style()), end="", file=sys.stderr)
    else:
        _say(f"{item.program.file}: {summary(planned)}")
    if item.form is Form.PM4:
        _say(f"{item.program.file}: PM4 cannot be written: this is its program as text")


def _formatted(
    item: Input, planned: Planned, options: argparse.Namespace, printer: Printer
) -> bytes:
    text = printer(item, planned)
    if options.format == "text":
        return text.encode("utf-8")
    from fencepost.report.plan_json import write_plan  # noqa: PLC0415

    return write_plan(planned, text)


# -- the plan


def _planned(
    program: Program, options: argparse.Namespace, planner: Planner, keeps_right: bool
) -> Planned:
    machine = find_machine(program.machine)
    level = options.guarantees or program.guarantees or machine.guarantees
    own = cost(program, machine)
    right = is_right(program, machine, level)
    chosen = Chosen(weave(program, ()), own)
    if not (right and keeps_right):
        with progress(f"planning {program.file}"):
            found = _found(program, machine, level, planner)
        if options.fastest:
            base = program if keeps_right else strip(program)
            chosen = _fastest(program, base, found, level, right=right)
        elif not right or found.cycles < own:
            chosen = Chosen(found.woven, found.cycles)
    with progress(f"explaining {program.file}"):
        services = _services(chosen, machine, level, options)
    unknown = sum(len(getattr(row, "unknown", ())) for q in program.queues for row in q.commands)
    return Planned(
        program, chosen.woven, services, level, right, chosen.cycles, own, unknown, chosen.simulated
    )


def _fastest(program: Program, base: Program, lightest: Plan, level: str, *, right: bool) -> Chosen:
    """The plan that takes the least time; the program as it is, if it is right and no worse."""
    from fencepost.plan.fastest import hasten, time_of  # noqa: PLC0415 - simulation is not always needed

    machine = find_machine(program.machine)
    with progress(f"simulating plans of {program.file}"):
        found = hasten(base, lightest, machine, level)
        own = time_of(program, machine, level) if right else None
    woven, cycles, time = found.plan.woven, found.plan.cycles, found.time
    price = cost(program, machine)
    if own is not None and (own, price) <= (time, cycles):
        woven, cycles, time = weave(program, ()), price, own
    return Chosen(woven, cycles, Simulated(time, found.lightest_time, found.tried, found.complete))


def _services(
    chosen: Chosen, machine: Machine, level: str, options: argparse.Namespace
) -> tuple[Service, ...]:
    """What each inserted command is for."""
    choices = options.explain or options.format == "json"
    services = serve(chosen.woven, machine, level, choices=choices)
    if chosen.simulated is not None:
        from fencepost.plan.fastest import with_savings  # noqa: PLC0415 - as above

        services = with_savings(services, chosen.woven.program, machine, level)
    return tuple(services)


def _found(program: Program, machine: Machine, level: str, planner: Planner) -> Plan:
    """The lightest plan; raises `Hopeless`."""
    examination = Examination(program, machine, level)
    loops = find_feedback(program, examination.ways)
    if loops:
        raise Hopeless(_report(examination, loops))
    try:
        plan = planner(program, machine, level)
    except NoPlan as error:
        examination = error.examination
        raise Hopeless(_report(examination, _hazards(examination))) from None
    examination = Examination(plan.program, machine, level)
    hazards = _hazards(examination)
    if hazards:
        raise Hopeless(_report(examination, hazards))
    return plan


def is_right(program: Program, machine: Machine, level: str) -> bool:
    """Has the program no hazard?"""
    loops = find_feedback(program, Examination(program, machine, level).ways)
    return not loops and Trials(program, machine, level).is_right


def _hazards(examination: Examination) -> list[Finding]:
    return hazards_of(examination, examination.replay())


def _report(examination: Examination, hazards: list[Finding]) -> Report:
    """The hazards that are left, without a way to mend one of them alone."""
    program = examination.program
    found = [replace(finding, fix=None) for finding in hazards]
    return Report(
        program,
        examination.machine.name,
        examination.guarantees,
        in_order(program, found),
        counts=count(program),
    )
