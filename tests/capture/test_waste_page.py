"""docs/pm4-waste.md is current, and what it calls waste is waste whatever the shaders access."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from fencepost.coherence.checking import Examination
from fencepost.machine import find_machine
from fencepost.stream.command import Access, Command, PipelinedEvent, Work
from fencepost.stream.program import Program
from fencepost.stream.resource import ResourceKind
from tests.capture.data import needs_data
from tests.capture.waste import At
from tests.capture.waste_page import PAGE, SLOW, TABLES, page, streams
from tests.project.tables import BLOCK

TEXT = PAGE.read_text(encoding="utf-8")


def test_every_table_stands_once() -> None:
    assert sorted(BLOCK.findall(TEXT)) == sorted(TABLES)


@needs_data
def test_the_tables_are_current() -> None:
    """But for those that take several seconds."""
    assert page(TEXT, SLOW) == TEXT, "python -m tests.capture.waste_page renews them"


@needs_data
def test_each_stream_is_searched_to_its_end() -> None:
    assert [row.certain.note + row.most.note for row in streams().values()] == [""] * 29


@needs_data
def test_what_is_certain_is_waste_without_the_unknown_accesses_too() -> None:
    for name, row in streams().items():
        assert row.certain.all <= row.most.all <= row.packets.keys(), name
        assert not row.certain.goes & row.certain.less


# -- whatever the shaders access

USES = ("texture", "constant", "uav-read", "uav-write", "atomic")
STAGES = ("vs", "ps", "cs")


def is_right(program: Program) -> bool:
    outcome = Examination(program, find_machine(program.machine), "strict").replay().outcome
    return not outcome.hits and not outcome.stuck


def guesses(program: Program, random: Random) -> Iterator[tuple[int, int, Access]]:
    """Where a shader accesses something, in random order: queue, position, access."""
    things = [one for one in program.resources if one.kind is not ResourceKind.LABEL]
    hidden = [
        (number, position, stage)
        for number, queue in enumerate(program.queues)
        for position, command in enumerate(queue.commands)
        if isinstance(command, Work)
        for stage in command.unknown
        if stage in STAGES
    ]
    for number, position, stage in random.sample(hidden, len(hidden)) * 2:
        thing = random.choice(things)
        part = random.choice(thing.parts)
        use = random.choice(USES)
        yield number, position, Access(stage, use, thing, part.name, part.start, part.end)


def with_access(program: Program, number: int, position: int, access: Access) -> Program:
    queue = program.queues[number]
    work = queue.commands[position]
    assert isinstance(work, Work)
    commands = list(queue.commands)
    commands[position] = replace(work, accesses=(*work.accesses, access))
    queues = list(program.queues)
    queues[number] = replace(queue, commands=commands)
    return replace(program, queues=tuple(queues))


def changed(program: Program, at: At, instead: tuple[Command, ...] = ()) -> Program:
    """Other commands in the packet's place, an event that does nothing if there are none."""
    return replace(
        program,
        queues=tuple(
            replace(
                queue,
                commands=[
                    new
                    for number, command in enumerate(queue.commands)
                    for new in (
                        (instead or (PipelinedEvent(),))
                        if (queue.name, number) == at
                        else (command,)
                    )
                ],
            )
            for queue in program.queues
        ),
    )


@needs_data
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["radv pygfx cs_00003", "radeonsi"])
def test_certain_waste_is_waste_whatever_shaders_access(name: str, seed: int) -> None:
    row = streams()[name]
    program, random, added = row.program, Random(seed), 0
    for number, position, access in guesses(program, random):
        more = with_access(program, number, position, access)
        if is_right(more):
            program, added = more, added + 1
    assert added
    mends = [*((at, ()) for at in sorted(row.certain.goes)), *row.certain.mends]
    assert [at for at, instead in mends if not is_right(changed(program, at, instead))] == []
    others = sorted(row.packets.keys() - row.certain.all)
    assert any(not is_right(changed(program, at)) for at in others)
