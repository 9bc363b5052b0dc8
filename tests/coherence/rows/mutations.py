"""Every row of the machine's tables, changed in one place: a part left out, or another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from fencepost.machine import MACHINES, find_machine
from fencepost.machine.primitives import Release, Step
from fencepost.machine.tables import CacheRow, Machine, OperationRow, WayRow
from tests.coherence.rows.machine_rows import command_name, way_name

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
