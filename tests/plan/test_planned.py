"""Plans of random works: right, by the explorer too, and nothing of them can go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fencepost.coherence.checking import Examination
from fencepost.machine import find_machine
from fencepost.plan.costs import cost
from fencepost.plan.pieces import Piece, weave
from fencepost.plan.planning import NoPlan, Plan, mend, plan
from fencepost.stream.program import Program, Queue, QueueKind
from fencepost.stream.text.parser import parse_text
from tests.coherence.strategies import (
    heaviest_barrier,
    machines,
    make_program,
    programs,
    spot_lists,
    works,
)
from tests.examples.drops import Drop, drops
from tests.examples.verdicts import hazards, load, names
from verify.explore import Tally, explore
from verify.plans.levels import planned_level

GRAPHICS = QueueKind.GRAPHICS


@st.composite
def work_programs(draw: st.DrawFn, most: int = 4) -> Program:
    """One queue of works without synchronization."""
    machine = draw(machines)
    kind = draw(st.sampled_from((GRAPHICS, GRAPHICS, QueueKind.COMPUTE)))
    each = works(machine, kind, draw(spot_lists))
    return make_program(
        machine, [Queue("gfx", kind, draw(st.lists(each, min_size=2, max_size=most)))]
    )


def right(program: Program, guarantees: str) -> bool:
    """Does the checker find nothing?"""
    examination = Examination(program, find_machine(program.machine), guarantees)
    outcome = examination.replay().outcome
    return not outcome.hits and not outcome.stuck


def level_of(program: Program) -> str:
    """At which level a plan has to be right: no event stands in for a barrier (deviation 27)."""
    return planned_level(program.guarantees or find_machine(program.machine).guarantees)


def groups(pieces: Sequence[Piece]) -> Iterator[set[Piece]]:
    """What goes together: a fence, any other piece alone."""
    for piece in pieces:
        if not piece.fence:
            yield {piece}
    for fence in sorted({piece.fence for piece in pieces if piece.fence}):
        yield {piece for piece in pieces if piece.fence == fence}


@settings(max_examples=200)
@given(work_programs())
def test_a_plan_is_right_and_nothing_of_it_can_go(program: Program) -> None:
    planned = plan(program, find_machine(program.machine))
    assert right(planned.program, level_of(program))
    for gone in groups(planned.pieces):
        less = weave(program, set(planned.pieces) - gone).program
        assert not right(less, level_of(program))


@settings(max_examples=40)
@given(work_programs(3))
def test_the_explorer_finds_a_plan_right(program: Program) -> None:
    machine = find_machine(program.machine)
    planned = plan(program, machine).program
    level = program.guarantees or machine.guarantees
    assert explore(planned, machine, level, Tally()).clean


@settings(max_examples=100)
@given(work_programs())
def test_a_plan_is_no_dearer_than_the_heaviest_barrier_everywhere(program: Program) -> None:
    machine = find_machine(program.machine)
    (queue,) = program.queues
    barrier = heaviest_barrier(machine, queue.kind)
    listing = [one for work in queue.commands for one in (*barrier, work)][len(barrier) :]
    heavy = make_program(machine, [Queue("gfx", queue.kind, listing)])
    assume(right(heavy, level_of(program)))
    assert plan(program, machine).cycles <= cost(heavy, machine)


@settings(max_examples=25)
@given(programs())
def test_what_is_planned_for_several_queues_is_right_or_refused(program: Program) -> None:
    machine = find_machine(program.machine)
    for planner in (plan, mend):
        refused = None
        try:
            assert right(planner(program, machine).program, machine.guarantees)
        except NoPlan as error:
            refused = error
        assert refused is None or refused.hits or refused.stuck


# -- the seed's examples

ORDER = ("wait", "frame")
"""Pieces of examples with a CPU queue that say what comes first: without them nobody can know."""


@pytest.mark.parametrize("name", names())
def test_an_example_is_planned_for_no_more_than_the_seed_does_it(name: str) -> None:
    program = load(name)
    machine = find_machine(program.machine)
    planned = plan(program, machine)
    assert right(planned.program, planned_level(machine.guarantees))
    assert planned.cycles <= cost(program, machine)


def broken(name: str) -> list[Drop]:
    """The example with one piece left out, where that breaks it."""
    program = load(name)
    cpu = any(queue.kind is QueueKind.CPU for queue in program.queues)
    return [
        drop
        for drop in drops(program)
        if hazards(drop.program) and not (cpu and drop.piece in ORDER)
    ]


@pytest.mark.parametrize("name", names())
def test_a_broken_example_is_mended_for_no_more_than_was_taken_away(name: str) -> None:
    program = load(name)
    machine = find_machine(program.machine)
    for drop in broken(name):
        mended = mend(drop.program, machine)
        assert right(mended.program, "documented"), drop.name
        assert mended.cycles <= cost(program, machine), drop.name


# -- the program's own commands


def mended(body: str) -> tuple[Plan, list[str]]:
    """A stream of one graphics queue, mended; the commands that were added or changed."""
    head = "machine xbox-one\nbuffer a 64\ncolor t 8x8 rgba8\nlabel x = 0\nqueue q: graphics\n"
    found = mend(parse_text(head + body), find_machine("xbox-one"))
    return found, [type(piece.command).__name__ for piece in found.pieces]


def test_an_operation_goes_into_a_packet_that_is_there() -> None:
    found, added = mended(
        "draw ps.texture t\nflush ps\ndraw cb0.write t\nevent cb.pixels.wbinv\nflush ps\n"
        "sync me tcp.wbinv\ndraw ps.texture t\n"
    )
    assert added == ["SurfaceSync"]
    assert found.pieces[0].replaces
    assert right(found.program, "documented")


def test_a_packet_that_does_enough_stays_as_it_is() -> None:
    found, added = mended(
        "dispatch cs.uav-write a\nflush cs\nsync me tcp.wbinv\ndispatch cs.texture a\n"
    )
    assert added == []
    assert right(found.program, "documented")


def test_an_end_of_pipe_without_a_value_gets_that_of_a_wait() -> None:
    found, added = mended(
        "dispatch cs.uav-write a\neop with tcc.wbinv\nwait pfp x == 1\ndraw pfp.args a[0:16]\n"
    )
    assert added == ["EndOfPipe"]
    assert found.pieces[0].replaces
    assert right(found.program, "documented")
