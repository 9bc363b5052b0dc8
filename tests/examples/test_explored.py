"""The examples, whole and with each piece left out, judged by the explorer of every execution."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fencepost.machine import find_machine
from fencepost.stream.program import Program
from fencepost.stream.text import parse_text
from tests.examples.drops import drops
from tests.examples.verdicts import hazards, names, text_of
from verify.explore import Tally, explore


def small(name: str) -> Program:
    """The example with targets and buffers of one line: as much can happen, in fewer states."""
    return parse_text(text_of(name).replace("256x256", "4x4").replace("64K", "64"), name)


def programs(name: str) -> Iterator[tuple[str, Program, str]]:
    """Each program that comes from the example, and the level of guarantees."""
    program = small(name)
    yield "documented", program, "documented"
    yield "strict", program, "strict"
    for drop in drops(program):
        yield drop.name, drop.program, "documented"


def explored(program: Program, guarantees: str) -> tuple[bool, int | None]:
    """Whether it is clean; on one queue the line that goes wrong first."""
    verdict = explore(program, find_machine(program.machine), guarantees, Tally())
    if verdict.position is None or len(program.queues) > 1:
        return verdict.clean, None
    return verdict.clean, program.queues[0].commands[verdict.position].place.line


@pytest.mark.parametrize("name", names())
def test_the_explorer_agrees(name: str) -> None:
    seen = 0
    for what, program, guarantees in programs(name):
        found = [int(hazard.partition("@")[2]) for hazard in hazards(program, guarantees)]
        clean, line = explored(program, guarantees)
        assert clean == (not found), what
        assert line in {None, min(found, default=None)}, what
        seen += 1
    assert seen > 3
