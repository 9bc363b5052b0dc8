"""Writes the tables of docs/planner.md: `python -m tests.plan.page` renews them in place."""

from __future__ import annotations

from collections.abc import Iterator

from fencepost.coherence.finding import Spot
from fencepost.machine import find_machine
from fencepost.plan.costs import cost
from fencepost.plan.planning import Plan, plan
from fencepost.plan.serving import Service, serve
from fencepost.stream.text.print_commands import CommandPrinter
from tests.examples.verdicts import load, names
from tests.project.repository import ROOT
from tests.project.tables import head, renewed

PAGE = ROOT / "docs" / "planner.md"


def page(text: str) -> str:
    """The text with every table made anew."""
    return renewed(text, TABLES)


def examples() -> Iterator[str]:
    """What the seed's examples cost, planned too, and what each inserted command is for."""
    yield from head("example", "the seed's cycles", "planned", "inserted, and what for")
    for name in names():
        program = load(name)
        machine = find_machine(program.machine)
        planned = plan(program, machine)
        inserted = "<br>".join(_inserted(planned)) or "nothing"
        yield f"| {name} | {cost(program, machine):,} | {planned.cycles:,} | {inserted} |"


def _inserted(planned: Plan) -> Iterator[str]:
    machine = find_machine(planned.program.machine)
    for service in serve(planned.woven, machine, machine.guarantees, choices=False):
        yield f"{_lines(planned, service)}: {_reasons(service)}"


def _lines(planned: Plan, service: Service) -> str:
    printed = []
    for number, position in service.places:
        queue = planned.program.queues[number]
        printer = CommandPrinter(find_machine(planned.program.machine), queue.kind)
        printed.append(f"`{printer.line(queue.commands[position])}`")
    return ", ".join(printed)


def _reasons(service: Service) -> str:
    found = [f"{one.rule}, {_end(one.earlier)} -> {_end(one.later)}" for one in service.serves]
    return "; ".join(dict.fromkeys(found)) or "holds what an event alone would hold (deviation 27)"


def _end(spot: Spot) -> str:
    return spot.command.name or spot.title


TABLES = {"examples": examples}

if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
