"""Generated streams have the shape that the benchmarks claim."""

from __future__ import annotations

from itertools import pairwise

from benchmarks.generate import RESOURCES, SYNCHRONIZATION_EVERY, program
from fencepost.stream.command import Work

COMMANDS = 10_000


def test_the_same_seed_gives_the_same_stream() -> None:
    assert program(200) == program(200)
    assert program(200) != program(200, seed=1)


def test_every_twentieth_command_is_a_synchronization() -> None:
    (queue,) = program(COMMANDS).queues
    assert len(queue.commands) == COMMANDS
    for index, command in enumerate(queue.commands):
        last_of_its_group = index % SYNCHRONIZATION_EVERY == SYNCHRONIZATION_EVERY - 1
        assert isinstance(command, Work) is not last_of_its_group


def test_every_work_has_two_accesses_and_all_resources_are_used() -> None:
    made = program(COMMANDS)
    works = [item for item in made.queues[0].commands if isinstance(item, Work)]
    assert {len(work.accesses) for work in works} == {2}
    used = {access.resource.name for work in works for access in work.accesses}
    assert used == {resource.name for resource in made.resources}
    assert len(used) == RESOURCES


def test_resources_do_not_overlap() -> None:
    parts = sorted((item.main.start, item.main.end) for item in program(0).resources)
    assert all(first[1] <= second[0] for first, second in pairwise(parts))
