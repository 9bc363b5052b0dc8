"""What is called waste is taken out, and every execution stays right: the explorer judges.

Programs in which the same synchronization comes twice, with works around it, alone or beside
another queue: all that a look at them finds is mended at once, what a search finds one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice, product

import pytest

from fencepost.coherence import Finding, Kind, check, fixes
from fencepost.plan.excess import find_excess
from fencepost.stream.command import Command
from fencepost.stream.program import Program, Queue, QueueKind
from verify.alphabet import program_of, read
from verify.compare import first_hazard
from verify.enumerate import SETTINGS, Setting
from verify.explore import Tally, explore

WORKS = read(
    """
copy as dma sync dma.write buf[0:32]
copy as dma by pfp dma.read-tcc buf[32:64]
dispatch cs.texture buf[0:32]
dispatch cs.uav-write buf[0:32]
draw ps.texture buf[0:32]
draw cb0.write color[0:32]
draw cb0.read color[32:64]
draw pfp.args buf[0:32]
"""
)
TWICE = read(
    """
flush cs
wait idle
pfp-sync-me
event cb.pixels.wbinv
event cb.metadata.wbinv
sync me tcc.wbinv
sync me tcc.wbinv tcp.wbinv
sync pfp tcc.wbinv tcp.wbinv
sync me cb.pixels.wbinv coherent cb0 all
eop with tcc.wbinv tcp.wbinv
eop label = 1 with tcc.wbinv
"""
)
PFP = read("pfp-sync-me\nwait pfp label == 1\nsync pfp tcc.wbinv\nwait me label == 1")
Programs = Callable[[str], Iterator[Program]]

BESIDE = read("dispatch cs.texture buf[32:64] miss-evict\ndispatch cs.uav-write buf[32:64]")


def twice(machine: str) -> Iterator[Program]:
    """One command twice, a work between, two behind."""
    for sync, *works in product(TWICE, WORKS, WORKS, WORKS):
        yield program_of((sync, works[0], sync, *works[1:]), machine)


def beside(machine: str) -> Iterator[Program]:
    """The same with one work behind, and another queue's work at any time."""
    for sync, first, second, other in product(TWICE, WORKS, WORKS, BESIDE):
        graphics = program_of((sync, first, sync, second), machine)
        async_ = Queue("async", QueueKind.COMPUTE, (other.command,))
        yield replace(graphics, queues=(*graphics.queues, async_))


def held(machine: str) -> Iterator[Program]:
    """PFP held twice, the second time perhaps for another queue's value."""
    done = read("flush cs\nsync me tcc.wbinv")
    value = Queue(
        "async", QueueKind.COMPUTE, (read("set me label = 1", kind="compute")[0].command,)
    )
    for first, one, other, second in product(WORKS, PFP, PFP, WORKS):
        graphics = program_of((first, *done, one, other, second), machine)
        yield replace(graphics, queues=(*graphics.queues, value))


def ended(_machine: str) -> Iterator[Program]:
    """TCC flushed at two ends of pipe, a dispatch behind the second before the wait for it."""
    machine = "gcn2-bonaire"
    first, last = read(
        "eop label = 1 with tcc.wbinv\neop label = 2 with cb.pixels.wbinv tcc.wbinv", machine
    )
    late = read("wait me label == 2\ndispatch cs.texture buf[0:32] miss-lru")
    for work, other in product((*WORKS, *read("event cb.pixels.wb")), (*BESIDE, WORKS[2])):
        yield program_of((first, work, last, other, *late), machine)


CASES = (
    (SETTINGS[0], twice, 3),
    (SETTINGS[0], beside, 1),
    (SETTINGS[0], held, 1),
    (SETTINGS[1], beside, 3),
    (SETTINGS[2], twice, 5),
    (SETTINGS[2], beside, 3),
    (SETTINGS[2], ended, 1),
)
"""Setting, programs, and of how many of them one is looked at."""
NAMES = [f"{setting.name} {family.__name__}" for setting, family, _ in CASES]


@pytest.fixture(scope="module", autouse=True)
def _without_suggestions() -> Iterator[None]:
    """Fixes of hazards are tried by many replays, and nothing here is about them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fixes, "MOST_FIXES", 0)
        yield


def right_programs(setting: Setting, family: Programs, stride: int) -> Iterator[Program]:
    """Those that the checker calls right, which is what the explorer calls them."""
    for program in islice(family(setting.machine.name), 0, None, stride):
        if first_hazard(program, setting.machine, setting.guarantees)[0] is None:
            yield program


def mended(program: Program, findings: list[Finding]) -> Program:
    changes: dict[tuple[str, int], tuple[Command, ...]] = {}
    for row in findings:
        assert row.fix is not None
        changes[row.later.queue, row.later.position] = row.fix.commands
    return replace(
        program,
        queues=tuple(
            replace(
                queue,
                commands=tuple(
                    new
                    for at, command in enumerate(queue.commands)
                    for new in changes.get((queue.name, at), (command,))
                ),
            )
            for queue in program.queues
        ),
    )


def is_right(program: Program, setting: Setting) -> bool:
    return explore(program, setting.machine, setting.guarantees, Tally()).clean


@pytest.mark.parametrize(("setting", "family", "stride"), CASES, ids=NAMES)
def test_a_stream_is_right_without_its_waste(
    setting: Setting, family: Programs, stride: int
) -> None:
    explored = 0
    for program in right_programs(setting, family, stride):
        report = check(program, setting.machine, setting.guarantees)
        looked = [row for row in report.of(Kind.WASTE) if row.fix is not None]
        if looked:
            explored += 1
            assert is_right(mended(program, looked), setting), [program, looked]
    assert explored


@pytest.mark.parametrize(("setting", "family", "stride"), CASES[:3], ids=NAMES[:3])
def test_a_stream_is_right_without_what_a_search_calls_redundant(
    setting: Setting, family: Programs, stride: int
) -> None:
    explored = 0
    for program in right_programs(setting, family, 13 * stride):
        for row in find_excess(program, setting.machine, setting.guarantees).findings:
            if row.fix is not None and not row.fix.lines:
                explored += 1
                assert is_right(mended(program, [row]), setting), [program, row]
    assert explored
