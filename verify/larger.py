"""Random programs, larger than those of the families, drawn by hypothesis; the first difference.

What differs is shrunk by `verify.shrink`, which knows what a program is: down to the smallest
stream on which checker and explorer still differ.
"""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import HypothesisException

from fencepost.machine.tables import Machine
from fencepost.stream.command import Command
from fencepost.stream.legality import check_legality
from fencepost.stream.program import Program, Queue, QueueKind
from verify.alphabet import (
    CB_AT_END,
    HALVES,
    NAMED,
    ODD_SYNCS,
    ODD_WORKS,
    Item,
    concerning,
    read,
)
from verify.collect import Unsupported
from verify.compare import Disagreement, agree, first_hazard
from verify.enumerate import ALL_SYNCS, ALL_WORKS, Setting
from verify.explore import Tally, explore
from verify.queues import (
    AFTER,
    BEFORE,
    COMPUTE_BEFORE,
    COMPUTE_SIGNALS,
    COMPUTE_WAITS,
    DISPATCHES,
    DRAWS,
    SIGNALS,
    WAITS,
)
from verify.shrink import smallest

WORKS = (*ALL_WORKS, *read(HALVES), *read(ODD_WORKS))
SYNCS = (*ALL_SYNCS, *read(ODD_SYNCS))
FOUND = "larger programs"


@dataclass(frozen=True, slots=True)
class Judges:
    """Two judges of a program: the explorer on one machine, the checker on another.

    They are the same machine; tests plant a difference.
    """

    setting: Setting
    checked: Machine

    def difference(self, program: Program) -> Disagreement | None:
        """What they do not agree about; None where they do, or where the explorer cannot say."""
        level = self.setting.guarantees
        try:
            verdict = explore(program, self.setting.machine, level, Tally())
        except Unsupported:
            return None
        position, rules = first_hazard(program, self.checked, level)
        if agree(verdict, position, one_queue=len(program.queues) == 1):
            return None
        return Disagreement(self.setting.name, FOUND, program, verdict, position, rules)

    def differ(self, program: Program) -> bool:
        """Whether they do not agree."""
        return self.difference(program) is not None


def judges(setting: Setting) -> Judges:
    """Both on the setting's machine."""
    return Judges(setting, setting.machine)


# -- programs


BARRIER = read(
    """
dma wait me
flush cs
wait idle
event cb.pixels.wbinv db.pixels.wbinv
event cb.metadata.wbinv db.metadata.wbinv
sync me coherent cb0 cb1 db all
sync me tcc.wbinv
sync me tcp.wbinv
sync me k.inv
sync me i.inv
pfp-sync-me
"""
)
"""Everything that one queue can do, piece by piece."""


@st.composite
def gaps(draw: st.DrawFn, syncs: tuple[Item, ...], barrier: tuple[Item, ...]) -> tuple[Item, ...]:
    """What stands between two works: a little, or a barrier with holes in it."""
    if not barrier or draw(st.booleans()):
        return tuple(draw(st.lists(st.sampled_from(syncs), max_size=2)))
    holes = draw(st.sets(st.integers(0, len(barrier) - 1), max_size=3))
    return tuple(item for at, item in enumerate(barrier) if at not in holes)


def lists(
    works: tuple[Item, ...], syncs: tuple[Item, ...], barrier: tuple[Item, ...], most: int
) -> st.SearchStrategy[tuple[Command, ...]]:
    """Works with gaps before them, more works than in the families."""
    pairs = st.tuples(gaps(syncs, barrier), st.sampled_from(works))
    return st.lists(pairs, min_size=2, max_size=most).map(
        lambda drawn: tuple(item.command for gap, work in drawn for item in (*gap, work))
    )


@st.composite
def one_queue(draw: st.DrawFn, machine: str) -> Program:
    """A graphics queue of two to five works, among them few different ones."""
    ends = read(CB_AT_END, machine) if machine != "xbox-one" else ()
    some = st.lists(st.sampled_from(WORKS), min_size=1, max_size=3, unique_by=lambda one: one.text)
    works = tuple(draw(some))
    syncs = concerning(works, (*SYNCS, *ends))
    commands = draw(lists(works, syncs, concerning(works, BARRIER), 5))
    return Program(machine, NAMED, (Queue("gfx", QueueKind.GRAPHICS, commands),))


@st.composite
def two_queues(draw: st.DrawFn, machine: str) -> Program:
    """Graphics and compute, up to two works each, with values and waits in any place."""
    first = draw(lists(DRAWS, (*AFTER, *SIGNALS, *WAITS, *BEFORE), (), 2))
    second = draw(lists(DISPATCHES, (*COMPUTE_SIGNALS, *COMPUTE_WAITS, *COMPUTE_BEFORE), (), 2))
    graphics = Queue("gfx", QueueKind.GRAPHICS, first)
    return Program(machine, NAMED, (graphics, Queue("async", QueueKind.COMPUTE, second)))


def programs(machine: str) -> st.SearchStrategy[Program]:
    """Programs of one or two queues."""
    return st.one_of(one_queue(machine), two_queues(machine)).filter(
        lambda program: not check_legality(program)
    )


# -- the first difference


class _Found(Exception):
    """A program on which the judges differ."""


def find_difference(judging: Judges, count: int, number: int = 0) -> Disagreement | None:
    """The smallest form of the first difference among so many random programs; None if none.

    The same `number` draws the same programs.
    """
    last: list[Program] = []

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )
    @given(programs(judging.setting.machine.name))
    def look(program: Program) -> None:
        if judging.differ(program):
            last.append(program)
            raise _Found

    try:
        look()
    except (_Found, HypothesisException):
        return judging.difference(smallest(last[-1], judging.differ, (*WORKS, *SYNCS)))
    return None
