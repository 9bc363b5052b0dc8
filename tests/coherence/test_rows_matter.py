"""Every part of every row of the machine's tables is noticed by a pair that names the row.

A table is changed in one place; a pair that names the changed row must judge otherwise. What no
program can notice is listed with the reason.
"""

from __future__ import annotations

from functools import cache

import pytest

from fencepost.coherence import Kind, check
from fencepost.machine import find_machine
from fencepost.machine.tables import Machine
from fencepost.stream.program import Program
from fencepost.stream.text import parse_text
from tests.coherence.rows.machine_rows import operation_names
from tests.coherence.rows.mutations import MUTATIONS, Mutation
from tests.coherence.rows.pairs import all_pairs
from tests.examples.drops import drops

_READ_ONLY = "nobody writes through it, and no two ways meet in it"

UNNOTICED: dict[str, str] = {
    "cache k: dirty": _READ_ONLY,
    "cache k: private": _READ_ONLY,
    "cache i: dirty": _READ_ONLY,
    "cache i: private": _READ_ONLY,
}
"""Changes that no program can notice, with the reason."""


# -- what notices them


@cache
def programs(row: str) -> list[tuple[Program, list[str]]]:
    """Both streams of each pair that names the row, with their hazards."""
    texts = [
        text for pair in all_pairs() if row in pair.rows for text in (pair.clean, pair.failing)
    ]
    parsed = [parse_text(text) for text in texts]
    return [(program, hazards(program, find_machine(program.machine))) for program in parsed]


def hazards(program: Program, machine: Machine) -> list[str]:
    """The hazards of a program, in short."""
    report = check(program, machine)
    return [f"{f.rule} {f.later.place.line}" for f in report.of(Kind.HAZARD)]


def noticed(mutation: Mutation) -> bool:
    """Does a pair that names the row judge otherwise on the changed machine?"""
    for program, known in programs(mutation.row):
        machine = find_machine(program.machine)
        changed = mutation.change(machine)
        if changed != machine and hazards(program, changed) != known:
            return True
    return False


@pytest.mark.parametrize("name", sorted(MUTATIONS.keys() - UNNOTICED.keys()))
def test_a_change_is_noticed(name: str) -> None:
    assert noticed(MUTATIONS[name])


@pytest.mark.parametrize("name", UNNOTICED)
def test_what_cannot_be_noticed_is_not(name: str) -> None:
    assert not noticed(MUTATIONS[name])


OPERATIONS = [
    name
    for row in find_machine("xbox-one").operations
    for name in operation_names(row)
    if "volatile" not in name
]


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_is_needed_somewhere(name: str) -> None:
    """Left out of a clean stream that names it, at top of pipe or pipelined, it makes a hazard."""
    _, operation, place = name.split()
    words = {"top": "sync", "range": "sync", "pipelined": "event eop"}[place].split()
    clean = [(program, known) for program, known in programs(name) if not known]
    found = [
        drop
        for program, _ in clean
        for drop in drops(program)
        if drop.piece == operation
        and _word(program, drop.line) in words
        and hazards(drop.program, find_machine(program.machine))
    ]
    assert found


def _word(program: Program, line: int) -> str:
    (command,) = [c for q in program.queues for c in q.commands if c.place.line == line]
    return {"SurfaceSync": "sync", "PipelinedEvent": "event", "EndOfPipe": "eop"}[
        type(command).__name__
    ]
