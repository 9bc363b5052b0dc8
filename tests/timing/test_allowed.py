"""Every run is an execution that the explorer allows, and goes wrong where that one may."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given, settings

from fencepost.errors import DeadlockProblem
from fencepost.machine import MACHINES
from fencepost.stream.command import (
    Access,
    Command,
    EndOfPipe,
    Kickoff,
    Present,
    WaitFlip,
    Work,
    WorkKind,
)
from fencepost.stream.program import Program
from fencepost.stream.reading import load
from fencepost.timing import Options, Timeline, simulate
from fencepost.timing.observed import Observed, Observer
from fencepost.timing.timeline import LabelWrite, Operation
from tests.coherence.strategies import one_queue_programs, programs
from tests.project.repository import ROOT
from tests.timing.guided import Guide, NotAllowed
from tests.timing.scenes import read
from verify.lower import lower
from verify.machine import ByteMachine
from verify.races import find_order
from verify.values import Before, in_program_order

EXAMPLES = sorted((ROOT / "examples" / "xbox-one").rglob("*.fence"))


def known(program: Program) -> Program:
    """The program without what the explorer does not know, or sees otherwise.

    Presents and timestamps; RAW_WAIT, for which its ME waits; a CP DMA that is an access by an
    engine too; marks that no CPU submits, at which it waits for ever.
    """
    submitted = {
        command.queue
        for queue in program.queues
        for command in queue.commands
        if isinstance(command, Kickoff)
    }
    queues = [
        replace(queue, commands=list(_known(queue.commands, queue.name in submitted)))
        for queue in program.queues
    ]
    return replace(program, queues=tuple(queues))


def _known(commands: Sequence[Command], submitted: bool) -> Iterator[Command]:
    for command in commands:
        if isinstance(command, Present | WaitFlip):
            continue
        if isinstance(command, Kickoff) and not command.queue and not submitted:
            continue
        if isinstance(command, EndOfPipe) and command.timestamp is not None:
            continue
        if isinstance(command, Work) and command.kind is WorkKind.DMA:
            by_dma = tuple(a for a in command.accesses if a.block == "dma")
            own = [a for a in command.accesses if a.block == command.accesses[0].block]
            command = replace(command, accesses=by_dma or tuple(own), raw_wait=False)
        yield command


def simulated(program: Program) -> Timeline:
    """Its timeline; a program that hangs is none for these tests."""
    try:
        return simulate(program)
    except DeadlockProblem:
        assume(False)
        raise


def level(program: Program) -> str:
    return program.guarantees or MACHINES[program.machine].guarantees


def accesses_in(program: Program) -> list[Access]:
    works = [c for queue in program.queues for c in queue.commands if isinstance(c, Work)]
    return [access for work in works for access in work.accesses]


def bytes_in(program: Program) -> list[int]:
    """The first and the last byte of every access, and of what it shares with others."""
    accesses = accesses_in(program)
    bounds = {bound for access in accesses for bound in (access.start, access.end)}
    near = sorted(bounds | {bound - 1 for bound in bounds})
    return [byte for byte in near if any(a.start <= byte < a.end for a in accesses)]


def assert_allowed(program: Program, timeline: Timeline) -> None:
    machine = MACHINES[program.machine]
    for byte in bytes_in(program):
        for early in (True, False):
            guide = Guide(program, machine, timeline, byte, level(program), False, early)
            guide.walk()


def may_go_wrong(
    program: Program, timeline: Timeline, byte: int, before: Before, *, leaks: bool
) -> bool:
    machine, own = MACHINES[program.machine], level(program)
    return any(
        Guide(program, machine, timeline, byte, own, True, early, leaks, before).walk()
        for early in (True, False)
    )


def assert_the_same_goes_wrong(
    program: Program, timeline: Timeline, found: list[Observed], byte: int, before: Before
) -> None:
    """Both ways: the explorer's caches, led by the timeline, against times alone.

    Where accesses happen at once, whether that shows may hang on a line that is written back
    unasked: then it shows with `leaks`.
    """
    observed = [row for row in found if row.start <= byte < row.end]
    if may_go_wrong(program, timeline, byte, before, leaks=False):
        assert observed, hex(byte)
    elif observed:
        assert may_go_wrong(program, timeline, byte, before, leaks=True), (hex(byte), observed)


@settings(max_examples=100)
@given(programs())
def test_every_run_is_an_execution_that_the_explorer_allows(program: Program) -> None:
    program = known(program)
    assert_allowed(program, simulated(program))


@settings(max_examples=100)
@given(one_queue_programs())
def test_what_goes_wrong_in_a_run_is_what_the_explorer_finds_in_it(program: Program) -> None:
    program = known(program)
    timeline = simulated(program)
    assert_allowed(program, timeline)
    found = Observer(program, MACHINES[program.machine], timeline).all()
    for byte in bytes_in(program):
        assert_the_same_goes_wrong(program, timeline, found, byte, in_program_order)


@settings(max_examples=40)
@given(programs().filter(lambda program: len(program.queues) > 1))
def test_so_it_is_across_queues(program: Program) -> None:
    """Of bytes that are no race: for these the explorer knows which value is due."""
    program = known(program)
    assume(not any(access.use == "write-combined" for access in accesses_in(program)))
    timeline = simulated(program)
    machine = MACHINES[program.machine]
    found = Observer(program, machine, timeline).all()
    for byte in bytes_in(program):
        before = find_order(ByteMachine(lower(program, machine, level(program), byte)))
        if before is not None:
            assert_the_same_goes_wrong(program, timeline, found, byte, before)


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_the_examples_are_executions_that_the_explorer_allows(path: Path) -> None:
    program = known(load(path))
    assert_allowed(program, simulate(program))


def test_another_order_is_not_allowed() -> None:
    """The judge judges: times that no machine could have are refused."""
    program = read(
        "dispatch cs.uav-write a @ 5us\neos cs l = 1\nflush cs\nwait me l == 1\n"
        "sync me tcc.wbinv\ndraw cb0.write t\nevent cb.pixels.wbinv\nwait idle\n"
        "dispatch cs.buffer a; pfp.args a[0:16]\n"
    )
    timeline = simulate(program)
    assert_allowed(program, timeline)
    for wrong in (
        _earlier_value(timeline),
        _earlier_launch(timeline),
        _earlier_event(timeline),
        _longer_work(timeline),
    ):
        with pytest.raises(NotAllowed):
            assert_allowed(program, wrong)


def _earlier_value(timeline: Timeline) -> Timeline:
    """CS_DONE comes before the dispatch is through."""
    (write,) = timeline.writes
    early = LabelWrite(write.queue, write.position, write.label, write.value, 0, 1_000_000)
    return replace(timeline, writes=(early,))


def _earlier_launch(timeline: Timeline) -> Timeline:
    """The last dispatch is handed over before ME has come to it."""
    *works, last = timeline.works
    return replace(timeline, works=(*works, replace(last, handed=1000, launched=2000)))


def _earlier_event(timeline: Timeline) -> Timeline:
    """An event acts before the draw has passed the end of pipe."""
    rows = tuple(
        Operation(row.queue, row.position, row.cache, row.action, 0, 1, row.size)
        if row.cache == "cb.pixels"
        else row
        for row in timeline.operations
    )
    return replace(timeline, operations=rows)


def _longer_work(timeline: Timeline) -> Timeline:
    """The first dispatch is still at work when ME leaves the partial flush."""
    first, *works = timeline.works
    late = replace(first, shader=timeline.totals.time, end=timeline.totals.time)
    return replace(timeline, works=(late, *works))


def test_a_run_without_refills_and_with_other_rules_is_allowed_too() -> None:
    text = (
        "dispatch cs.uav-write a @ 20us residency=10% l2=1\nwait me l == 0\n"
        "draw cb0.write t @ 30us memory=1 residency=20%\nsync me tcc.wbinv tcp.wbinv\n"
        "draw cb0.write t @ 30us memory=1 residency=20%\nflush cs\ndispatch cs.buffer a\n"
    )
    program = read(text)
    for options in (Options(refills=False), Options(sharing="fair-works"), Options({"launch": 0})):
        assert_allowed(program, simulate(program, options))
