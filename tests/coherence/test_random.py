"""What holds of every program, tried on random ones. A failing program is shrunk and printed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import assume, given, note, settings
from hypothesis import strategies as st

from fencepost.coherence import Finding, Kind, access, check, fixes
from fencepost.coherence.issue import own_access
from fencepost.coherence.memory import Segment
from fencepost.machine import MACHINES, Machine
from fencepost.stream.command import Access, Command, ContextWrite, SurfaceSync, Work
from fencepost.stream.legality import check_legality
from fencepost.stream.program import Program, Queue, QueueKind
from fencepost.stream.resource import GDS_BASE, Part, Resource
from fencepost.stream.text.printer import format_program
from tests.coherence.strategies import (
    RESOURCES,
    cut_up_programs,
    harmless,
    heaviest_barrier,
    machines,
    make_program,
    one_queue_programs,
    programs,
    surface_syncs,
    work_lists,
)

LEVELS = ("documented", "strict")
GPU = (QueueKind.GRAPHICS, QueueKind.COMPUTE)


@pytest.fixture(scope="module", autouse=True)
def _without_suggestions() -> Iterator[None]:
    """Fixes are tried by many replays, and no property is about them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fixes, "MOST_FIXES", 0)
        yield


Spot = tuple[str, int, str]
"""A hazardous access: queue, position there, what it does."""


def findings(program: Program, level: str = "") -> tuple[Finding, ...]:
    """The hazards of a program."""
    return check(program, MACHINES[program.machine], level).of(Kind.HAZARD)


def hazards(program: Program, level: str = "") -> set[Spot]:
    """The hazardous accesses, whatever the rule."""
    return {spot(finding) for finding in findings(program, level)}


def spot(finding: Finding) -> Spot:
    later = finding.later
    return later.queue, later.position, later.does


def commands_of(program: Program) -> list[Command]:
    """The commands of the only queue."""
    (queue,) = program.queues
    return list(queue.commands)


def with_commands(program: Program, commands: Sequence[Command]) -> Program:
    """The program with other commands in its only queue."""
    (queue,) = program.queues
    return replace(program, queues=(replace(queue, commands=commands),))


def test_most_rules_come_up() -> None:
    """The properties below would hold of programs that never go wrong, or always."""
    found: Counter[str] = Counter()

    @settings(max_examples=300)
    @given(one_queue_programs(labels=False))
    def collect(program: Program) -> None:
        found.update({row.rule for row in findings(program)} or {"clean"})

    collect()
    ordering = {"read-after-write", "write-after-read", "write-after-write"}
    caches = {"not-written-back", "stale-cache-line", "lost-write"}
    assert set(found) == ordering | caches | {"clean"}


@given(programs())
def test_what_is_generated_is_legal(program: Program) -> None:
    assert check_legality(program) == []


# -- the heaviest barrier makes everything right


@given(st.data(), machines, st.sampled_from(GPU), st.sampled_from(LEVELS))
def test_the_heaviest_barrier_between_all_works_makes_a_queue_clean(
    data: st.DataObject, machine: Machine, kind: QueueKind, level: str
) -> None:
    barrier = heaviest_barrier(machine, kind)
    listing: list[Command] = []
    for work in data.draw(work_lists(machine, kind)):
        listing += [work, *barrier]
    assert hazards(make_program(machine, [Queue("gfx", kind, listing)]), level) == set()


# -- more synchronization is never worse


@given(st.data(), programs(), st.sampled_from(LEVELS))
def test_a_harmless_synchronization_adds_no_hazard(
    data: st.DataObject, program: Program, level: str
) -> None:
    machine = MACHINES[program.machine]
    number = data.draw(st.integers(0, len(program.queues) - 1))
    queue = program.queues[number]
    assume(queue.kind in GPU)
    added = data.draw(harmless(machine, queue.kind))
    at = data.draw(st.integers(0, len(queue.commands)))
    _assert_no_worse(program, number, at, added, level)


@given(st.data(), one_queue_programs(labels=False), st.sampled_from(LEVELS))
def test_a_surface_sync_in_a_drawless_context_adds_no_hazard(
    data: st.DataObject, program: Program, level: str
) -> None:
    (queue,) = program.queues
    places = [at for at in range(len(queue.commands) + 1) if _drawless(queue.commands[:at])]
    at = data.draw(st.sampled_from(places))
    added = data.draw(surface_syncs(MACHINES[program.machine], queue.kind))
    _assert_no_worse(program, 0, at, added, level)


def _drawless(before: Sequence[Command]) -> bool:
    """No draw since something rolled the context: nothing is left to roll (model 4.7)."""
    for command in reversed(before):
        if isinstance(command, ContextWrite | SurfaceSync):
            return True
        if isinstance(command, Work) and command.kind == "draw":
            return False
    return True


def _assert_no_worse(program: Program, number: int, at: int, added: Command, level: str) -> None:
    queue = program.queues[number]
    longer = replace(queue, commands=[*queue.commands[:at], added, *queue.commands[at:]])
    queues = [longer if queue is other else other for other in program.queues]
    before = {_moved(row, queue.name, at) for row in hazards(program, level)}
    note(f"added: {added}")
    assert hazards(replace(program, queues=tuple(queues)), level) - before == set()


def _moved(row: Spot, queue: str, at: int) -> Spot:
    name, position, does = row
    return name, position + (name == queue and position >= at), does


@given(one_queue_programs(), st.data())
def test_without_any_synchronization_no_hazard_disappears(
    program: Program, data: st.DataObject
) -> None:
    """On one queue, and unless what goes has accesses of its own: timestamps and scan-out."""
    commands = commands_of(program)
    works = [at for at, command in enumerate(commands) if isinstance(command, Work)]
    assume(all(own_access(command) is None for command in commands))
    bare = with_commands(program, [commands[at] for at in works])
    level = data.draw(st.sampled_from(LEVELS))
    left = {(name, works[at], does) for name, at, does in hazards(bare, level)}
    of_works = {row for row in hazards(program, level) if row[1] in works}
    assert of_works - left == set()


@given(programs())
def test_strict_never_has_fewer_hazards(program: Program) -> None:
    assert hazards(program, "documented") - hazards(program, "strict") == set()


@given(programs())
def test_leaning_is_what_strict_has_more(program: Program) -> None:
    machine = MACHINES[program.machine]
    documented = check(program, machine, "documented")
    strict = check(program, machine, "strict")
    more = {spot(row) for row in strict.of(Kind.HAZARD)} - {
        spot(row) for row in documented.of(Kind.HAZARD)
    }
    assert {spot(row) for row in documented.leaning} == more


# -- what must not matter


def _changed(value: object, resources: dict[Resource, Resource]) -> object:
    """The value with every resource replaced; accesses and ranges move along."""
    if isinstance(value, Resource):
        return resources[value]
    if isinstance(value, Access):
        shift = resources[value.resource].main.start - value.resource.main.start
        return replace(
            value,
            resource=resources[value.resource],
            start=value.start + shift,
            end=value.end + shift,
        )
    if isinstance(value, tuple):
        return tuple(_changed(item, resources) for item in value)
    return value


def with_resources(program: Program, resources: dict[Resource, Resource], by: int = 0) -> Program:
    """The same program over other resources; ranges of surface syncs move by so many bytes."""
    queues = []
    for queue in program.queues:
        commands: list[Command] = []
        for command in queue.commands:
            values: dict[str, Any] = {
                field.name: _changed(getattr(command, field.name), resources)
                for field in fields(command)
            }
            if by and isinstance(command, SurfaceSync) and command.start > 0:
                values |= {"start": command.start + by, "end": command.end + by}
            commands.append(replace(command, **values))
        queues.append(replace(queue, commands=commands))
    made = tuple(resources[resource] for resource in program.resources)
    return replace(program, resources=made, queues=tuple(queues))


def shape(program: Program, names: dict[str, str]) -> list[tuple[Any, ...]]:
    """Every hazard without wording: rule, both places, resource by its first name, extent."""
    found = []
    for row in findings(program):
        earlier = (row.earlier.queue, row.earlier.position) if row.earlier else None
        name = row.resource
        for new, old in names.items():
            name = name.replace(new, old)
        later = (row.later.queue, row.later.position)
        found.append((row.rule, later, earlier, name, row.end - row.start))
    return found


@given(programs(), st.permutations(range(len(RESOURCES))))
def test_names_and_order_of_declarations_do_not_matter(program: Program, order: list[int]) -> None:
    renamed = {
        resource: replace(resource, name=f"r{order[number]}_")
        for number, resource in enumerate(program.resources)
    }
    other = with_resources(program, renamed)
    other = replace(other, resources=tuple(other.resources[number] for number in order))
    names = {new.name: old.name for old, new in renamed.items()}
    assert shape(other, names) == shape(program, {})


@given(programs())
def test_the_order_of_the_accesses_of_a_work_does_not_matter(program: Program) -> None:
    queues = tuple(
        replace(queue, commands=tuple(_turned(command) for command in queue.commands))
        for queue in program.queues
    )
    turned = hazards(replace(program, queues=queues))
    assert {spot[:2] for spot in turned} == {spot[:2] for spot in hazards(program)}


def _turned(command: Command) -> Command:
    """A work with its accesses the other way round."""
    if not isinstance(command, Work):
        return command
    return replace(command, accesses=command.accesses[::-1])


@given(programs(), st.sampled_from((256, 1 << 20, 0x1234500)))
def test_where_everything_lies_does_not_matter(program: Program, by: int) -> None:
    moved = {
        resource: replace(
            resource,
            parts=tuple(
                part if part.start >= GDS_BASE else Part(part.name, part.start + by, part.end + by)
                for part in resource.parts
            ),
        )
        for resource in program.resources
    }
    assert shape(with_resources(program, moved, by), {}) == shape(program, {})


@given(programs(), st.data())
def test_the_order_of_the_queues_does_not_decide_whether_a_program_is_clean(
    program: Program, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(program.queues))
    other = replace(program, queues=tuple(order))
    assert bool(hazards(other)) == bool(hazards(program))


@given(one_queue_programs(), st.data())
def test_a_prefix_has_the_hazards_that_lie_in_it(program: Program, data: st.DataObject) -> None:
    commands = commands_of(program)
    length = data.draw(st.integers(0, len(commands)))
    prefix = with_commands(program, commands[:length])
    inside = {spot(row) for row in findings(program) if _last_line(row) <= length}
    assert hazards(prefix) == inside


def _last_line(finding: Finding) -> int:
    """The line (from 1, one a command) of the last command that has a part in the hazard."""
    lines = [finding.later.place.line]
    if finding.earlier is not None:
        lines.append(finding.earlier.place.line)
    brought = dict(finding.properties).get("brought-by")
    if brought is not None:
        lines.append(int(brought.rpartition(":")[2]))
    return max(lines)


# -- the same in, the same out


@given(programs())
def test_the_same_program_gives_the_same_report(program: Program) -> None:
    machine = MACHINES[program.machine]
    assert check(program, machine) == check(program, machine)


REPORT = """
import sys
from fencepost.coherence import check
from fencepost.machine import find_machine
from fencepost.stream.text import parse_text
for text in sys.stdin.read().split("\\0"):
    program = parse_text(text, "random.fence")
    report = check(program, find_machine(program.machine))
    for finding in (*report.findings, *report.leaning):
        print(finding)
"""


def test_nothing_depends_on_the_order_of_sets() -> None:
    texts: list[str] = []

    @given(programs())
    def collect(program: Program) -> None:
        texts.append(format_program(program))

    collect()
    outputs = {_report("\0".join(texts), seed) for seed in ("1", "2", "3")}
    assert len(outputs) == 1
    assert outputs.pop().count("\n") > len(texts)


def _report(text: str, seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    run = subprocess.run(
        [sys.executable, "-c", REPORT],
        input=text,
        capture_output=True,
        check=True,
        encoding="utf-8",
        env=environment,
    )
    return run.stdout


# -- a slow twin of the memory map


class ByteMemory:
    """What is known of each byte, one record a byte; nothing is split and nothing remembered."""

    def __init__(self) -> None:
        self._bytes: dict[int, Segment] = {}

    def cover(self, start: int, end: int) -> list[Segment]:
        """One segment a byte."""
        return [
            self._bytes.setdefault(address, Segment(address, address + 1))
            for address in range(start, end)
        ]


@given(programs())
def test_a_map_of_single_bytes_gives_the_same_hazards(program: Program) -> None:
    _assert_the_same_byte_by_byte(program)


@settings(max_examples=500)
@given(cut_up_programs())
def test_a_part_may_be_cut_again_and_again(program: Program) -> None:
    _assert_the_same_byte_by_byte(program)


def _assert_the_same_byte_by_byte(program: Program) -> None:
    machine = MACHINES[program.machine]
    expected = check(program, machine, "documented")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(access, "Memory", ByteMemory)
        found = check(program, machine, "documented")
    assert found == expected
