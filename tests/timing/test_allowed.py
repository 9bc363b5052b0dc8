"""Every run is an execution that the explorer allows, and goes wrong where that one may."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import assume, given, settings

from fencepost.errors import DeadlockProblem
from fencepost.machine import MACHINES
from fencepost.stream.command import (
    Access,
    Command,
    DmaWait,
    EndOfPipe,
    Kickoff,
    Present,
    SurfaceSync,
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
from tests.timing.guided import Guide, NotAllowed, When
from tests.timing.scenes import read
from verify.alphabet import program_of
from verify.enumerate import SETTINGS, Family, Setting
from verify.feedback import feeds_back
from verify.lower import lower
from verify.machine import ByteMachine
from verify.races import find_order
from verify.values import Before, in_program_order

MOST_OPERATIONS = 3
"""For so many cache operations of a stream all times are tried; the others go with the last."""

EXAMPLES = sorted((ROOT / "examples" / "xbox-one").rglob("*.fence"))


def known(program: Program) -> Program:
    """The program without what the explorer does not know, or sees otherwise.

    Presents and timestamps; RAW_WAIT, for which its ME waits; a CP DMA that is an access by an
    engine too; what PFP waits for (a sync looks what ME has handled when PFP comes to it, the
    explorer when PFP goes on); marks that no CPU submits, at which it waits for ever.
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
        if isinstance(command, DmaWait) or (isinstance(command, SurfaceSync) and command.coherency):
            command = replace(command, engine="me")
        yield command


def timeline_of(program: Program) -> Timeline | None:
    """Its timeline; None: it hangs."""
    try:
        return simulate(program)
    except DeadlockProblem:
        return None


def simulated(program: Program) -> Timeline:
    """Its timeline; a program that hangs is none for the properties."""
    timeline = timeline_of(program)
    assume(timeline is not None)
    assert timeline is not None
    return timeline


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
        for when in (When.START, When.END):
            Guide(program, machine, timeline, byte, level(program), False, (when,)).walk()


def may_go_wrong(
    program: Program, timeline: Timeline, byte: int, before: Before, whens: Iterable[When]
) -> bool:
    """Whether the byte can go wrong, each cache operation acting at one of these times.

    With FIRST and LAST, which are no times of some, lines may be written back unasked too.
    """
    machine, own, choices = MACHINES[program.machine], level(program), list(whens)
    first = Guide(program, machine, timeline, byte, own)
    return any(
        Guide(program, machine, timeline, byte, own, True, when, leaks, before).walk()
        for leaks in {False, When.FIRST in choices}
        for when in product(choices, repeat=min(first.operated, MOST_OPERATIONS))
    )


def assert_the_same_goes_wrong(
    program: Program, timeline: Timeline, found: list[Observed], byte: int, before: Before
) -> None:
    """Both ways: the explorer's caches, led by the timeline, against times alone.

    Where accesses happen at once, whether that shows may hang on a line that is written back
    unasked, or on which of a command's operations comes first.
    """
    observed = [row for row in found if row.start <= byte < row.end]
    if may_go_wrong(program, timeline, byte, before, (When.START, When.END)):
        assert observed, hex(byte)
    elif observed:
        assert may_go_wrong(program, timeline, byte, before, When), (hex(byte), observed)


@settings(max_examples=100)
@given(programs())
def test_every_run_is_an_execution_that_the_explorer_allows(program: Program) -> None:
    program = known(program)
    assert_allowed(program, simulated(program))


@settings(max_examples=60)
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


FAMILIES = [
    (setting, family)
    for setting in SETTINGS
    for family in setting.families()
    if isinstance(family, Family)
]
NAMES = [f"{setting.name} {family.name}" for setting, family in FAMILIES]


@pytest.mark.parametrize(("setting", "family"), FAMILIES, ids=NAMES)
def test_so_it_is_in_the_explorers_own_programs(setting: Setting, family: Family) -> None:
    """A few of each family: all works and commands that the explorer knows, on one line."""
    choice = random.Random(f"{setting.name} {family.name}")
    for head in choice.sample(list(family.heads()), 4):
        programs_here = list(family.programs(head, 997))
        for items in choice.sample(programs_here, min(2, len(programs_here))):
            program = known(program_of(items, setting.machine.name))
            program = replace(program, guarantees=setting.guarantees)
            works = [c for c in program.queues[0].commands if isinstance(c, Work)]
            timeline = timeline_of(program)
            if timeline is None or any(feeds_back(work, setting.machine) for work in works):
                continue
            assert_allowed(program, timeline)
            found = Observer(program, setting.machine, timeline).all()
            for byte in bytes_in(program):
                assert_the_same_goes_wrong(program, timeline, found, byte, in_program_order)


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
