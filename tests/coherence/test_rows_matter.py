"""Every part of every row of the machine's tables is noticed by a pair that names the row.

A table is changed in one place; a pair that names the changed row must judge otherwise. What no
program can notice is listed with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache

import pytest

from fencepost.coherence import Kind, check
from fencepost.machine import MACHINES, find_machine
from fencepost.machine.primitives import Release, Step
from fencepost.machine.tables import CacheRow, Machine, OperationRow, WayRow
from fencepost.stream.program import Program
from fencepost.stream.text import parse_text
from tests.coherence.rows.machine_rows import command_name, operation_names, way_name
from tests.coherence.rows.pairs import all_pairs
from tests.examples.drops import drops

Change = Callable[[Machine], Machine]


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change of one row; `row` as pairs name it."""

    row: str
    what: str
    change: Change

    @property
    def name(self) -> str:
        return f"{self.row}: {self.what}"


# -- changes of tables


def command_mutations() -> Iterator[Mutation]:
    """Each step of each command is left out; not `Release`, which makes a write of a label."""
    for machine in MACHINES.values():
        for row in machine.commands:
            for step in row.steps:
                if not isinstance(step, Release):
                    name = command_name(row)
                    yield Mutation(name, f"without {step}", _without_step(name, step))


def _without_step(name: str, step: Step) -> Change:
    def change(machine: Machine) -> Machine:
        return replace(
            machine,
            commands=tuple(
                replace(row, steps=tuple(one for one in row.steps if one != step))
                if command_name(row) == name
                else row
                for row in machine.commands
            ),
        )

    return change


WEAKER = {"hit-lru": "miss-evict", "miss-lru": "miss-evict", "miss-evict": "miss-lru"}
"""Another policy for a way's default."""


def way_mutations() -> Iterator[Mutation]:
    """Each field of each way is changed."""
    for row in find_machine("xbox-one").ways:
        for what, other in _other_ways(row):
            yield Mutation(way_name(row), what, _with_way(row, other))


def _other_ways(row: WayRow) -> Iterator[tuple[str, WayRow]]:
    for name in row.caches:
        yield f"without {name}", replace(row, caches=tuple(c for c in row.caches if c != name))
    if row.reads and row.writes:
        yield "reads nothing", replace(row, reads=False)
        yield "writes nothing", replace(row, writes=False)
    else:
        yield "touches nothing", replace(row, reads=False, writes=False)
    if not (row.engine == "kick" and row.caches):
        late = row.group in {"pfp", "me", "serial"}
        yield "complete at another time", replace(row, group="flip" if late else "me")
    if row.safe_with:
        yield "needs an order", replace(row, safe_with="")
    if row.safe_across:
        yield "needs an order across queues", replace(row, safe_across=False)
    if row.inside:
        yield "no matter of the shader's own", replace(row, inside="")
    if row.policy:
        yield "another policy", replace(row, policy=WEAKER[row.policy])


def _with_way(row: WayRow, other: WayRow) -> Change:
    return lambda machine: replace(
        machine, ways=tuple(other if way == row else way for way in machine.ways)
    )


def cache_mutations() -> Iterator[Mutation]:
    """Each property of each cache is changed; an in-order block exists once."""
    for row in find_machine("xbox-one").caches:
        changes = {
            "dirty": replace(row, dirty=not row.dirty),
            "confirm": replace(row, confirm="" if row.confirm else "fmask"),
        }
        if not row.in_order:
            changes["private"] = replace(row, private=not row.private)
        for what, other in changes.items():
            yield Mutation(f"cache {row.name}", what, _with_cache(row.name, other))


def _with_cache(name: str, other: CacheRow) -> Change:
    return lambda machine: replace(
        machine, caches=tuple(other if row.name == name else row for row in machine.caches)
    )


def range_mutations() -> Iterator[Mutation]:
    """Whether a CB or DB operation honours a range."""
    for row in find_machine("xbox-one").operations:
        if row.top and row.cache.startswith(("cb.", "db.")):
            name = f"operation {row.cache}.{row.action} {'range' if row.ranged else 'top'}"
            yield Mutation(name, "range", _with_range(row))


def _with_range(row: OperationRow) -> Change:
    other = replace(row, ranged=not row.ranged)
    return lambda machine: replace(
        machine, operations=tuple(other if one == row else one for one in machine.operations)
    )


def number_mutations() -> Iterator[Mutation]:
    """The machine's numbers that decide."""
    for row, field, values in (
        ("4.3 eight-rolls", "contexts", (7, 9)),
        ("4.1 lines", "line", (32, 128)),
        ("4.3 surface-sync-stall", "sync_granularity", (1, 512)),
        ("4.3 surface-sync-base", "so_coherency", (False,)),
    ):
        for value in values:
            yield Mutation(row, f"{field} = {value}", _with_field(field, value))


def _with_field(field: str, value: int) -> Change:
    return lambda machine: replace(machine, **{field: value})  # type: ignore[arg-type]


MUTATIONS = {
    mutation.name: mutation
    for mutation in (
        *command_mutations(),
        *way_mutations(),
        *cache_mutations(),
        *range_mutations(),
        *number_mutations(),
    )
}

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
