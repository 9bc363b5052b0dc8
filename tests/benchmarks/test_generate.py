"""Generated streams have the shape that the benchmarks claim."""

from __future__ import annotations

from itertools import pairwise

import pytest

from benchmarks.generate import RESOURCES, SYNCHRONIZATION_EVERY, program
from fencepost.coherence import Kind, check
from fencepost.machine import find_machine
from fencepost.stream.command import Work
from fencepost.stream.legality import check_legality

COMMANDS = 10_000


def test_the_same_seed_gives_the_same_stream() -> None:
    assert program(200) == program(200)
    assert program(200) != program(200, seed=1)


@pytest.mark.parametrize("clean", [True, False])
def test_every_twentieth_command_is_a_synchronization(clean: bool) -> None:
    (queue,) = program(COMMANDS, clean=clean).queues
    assert len(queue.commands) == COMMANDS
    for index, command in enumerate(queue.commands):
        last_of_its_group = index % SYNCHRONIZATION_EVERY == SYNCHRONIZATION_EVERY - 1
        assert isinstance(command, Work) is not last_of_its_group


@pytest.mark.parametrize("clean", [True, False])
def test_every_work_has_two_accesses_and_all_resources_are_used(clean: bool) -> None:
    made = program(COMMANDS, clean=clean)
    works = [item for item in made.queues[0].commands if isinstance(item, Work)]
    assert {len(work.accesses) for work in works} == {2}
    used = {access.resource.name for work in works for access in work.accesses}
    assert used == {resource.name for resource in made.resources}
    assert len(used) == RESOURCES


def test_resources_do_not_overlap() -> None:
    parts = sorted((item.main.start, item.main.end) for item in program(0).resources)
    assert all(first[1] <= second[0] for first, second in pairwise(parts))


def test_a_clean_stream_is_clean_at_either_level_and_the_other_is_not() -> None:
    machine = find_machine("xbox-one")
    clean, other = program(COMMANDS), program(COMMANDS, clean=False)
    assert check_legality(clean) == check_legality(other) == []
    assert check(clean, machine, "strict").of(Kind.HAZARD) == ()
    assert len(check(other, machine, "documented").of(Kind.HAZARD)) > COMMANDS // 20
