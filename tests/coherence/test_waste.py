"""Waste that a look at the stream finds: mended as the findings say, a stream is no worse.

Pairs first: in one stream the command is waste, in the other something leans on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from fencepost.coherence import Finding, Kind, check, fixes
from fencepost.coherence.rules import RULES
from fencepost.machine import MACHINES, find_machine
from fencepost.stream.command import Command
from fencepost.stream.program import Program
from fencepost.stream.text import parse_text
from tests.coherence.rows.pairs import all_pairs
from tests.coherence.strategies import one_queue_programs, programs
from tests.plan.cases import cases

RESOURCES = """
buffer buf   64 at 0x1000
color  color 32 at 0x1000
color  other 32 at 0x2000
buffer args  64 at 0x3000
label  one = 0
label  two = 0
"""
REPEATED, PFP = "repeated-flush", "pfp-sync-without-consumer"

FLUSH = "sync me tcc.wbinv tcp.wbinv"
STALE = f"{FLUSH}\nclear buf[0:32] sync\n{FLUSH}\n"
ROLL = "sync me tcp.wbinv\ndraw cb0.write other\n"
ENDS = """
eop one = 1 with tcc.wbinv
{}
eop two = 1 with cb.pixels.wbinv tcc.wbinv
dispatch cs.texture buf[32:64] miss-evict
wait me two == 1
dispatch cs.texture buf[0:32] miss-lru
"""
ARGUMENTS = """
dispatch cs.uav-write args
flush cs
sync me tcc.wbinv
pfp-sync-me
{}
draw pfp.args args
queue async: compute
eop one = 1
"""

PAIRS = {
    "later accesses of its block wait for an event (model 4.5)": (
        "event cb.metadata.wbinv\ndispatch cs.texture buf\nevent cb.metadata.wbinv",
        (
            "event cb.metadata.wbinv\ndraw ps.texture buf\nevent cb.metadata.wbinv\n"
            "draw cb0.write color"
        ),
        (REPEATED, 3),
    ),
    "a surface sync rolls the context (model 4.7)": (
        f"draw cb0.read color\n{7 * ROLL}dispatch cs.uav-write args",
        f"draw cb0.read color\n{8 * ROLL}dispatch cs.uav-write buf",
        (REPEATED, 4),
    ),
    "another queue brings an old line in meanwhile": (
        f"{STALE}dispatch cs.texture buf[0:32]",
        (
            f"{STALE}dispatch cs.texture buf[0:32]\n"
            "queue async: compute\ndispatch cs.texture buf[32:64] miss-evict"
        ),
        (REPEATED, 3),
    ),
    "PFP has the CP DMA bring an old line in meanwhile": (
        STALE.replace(" tcp.wbinv", "")
        + "copy as dma by me dma.read-tcc buf[32:64]\ndispatch cs.texture buf[0:32]",
        STALE.replace(" tcp.wbinv", "")
        + "copy as dma by pfp dma.read-tcc buf[32:64]\ndispatch cs.texture buf[0:32]",
        (REPEATED, 3),
    ),
    "PFP waits for something else behind it": (
        ARGUMENTS.format("pfp-sync-me"),
        ARGUMENTS.format("wait pfp one == 1"),
        (PFP, 4),
    ),
}
"""The command is waste, something leans on it; the rule and the command's line."""


def found(body: str, machine: str = "xbox-one") -> list[tuple[str, int]]:
    """Rule and line of the waste of a stream that is right; its first command is line 1."""
    program = parse_text(f"machine {machine}\n{RESOURCES}queue gfx: graphics\n{body.strip()}\n")
    first = program.queues[0].commands[0].place.line
    report = check(program, find_machine(machine))
    assert not report.of(Kind.HAZARD)
    return [(row.rule, row.later.place.line - first + 1) for row in report.of(Kind.WASTE)]


@pytest.mark.parametrize("name", PAIRS)
def test_what_something_leans_on_is_no_waste(name: str) -> None:
    wasted, needed, finding = PAIRS[name]
    assert finding in found(wasted)
    assert finding not in found(needed)


@pytest.fixture(scope="module", autouse=True)
def _without_suggestions() -> Iterator[None]:
    """Fixes of hazards are tried by many replays, and nothing here is about them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fixes, "MOST_FIXES", 0)
        yield


def test_a_later_dispatch_may_bring_an_old_line_in_before_an_end_of_pipe() -> None:
    assert (REPEATED, 3) in found(ENDS.format("event cb.pixels.wb"), "gcn2-bonaire")
    assert (REPEATED, 3) not in found(ENDS.format("draw cb0.write color"), "gcn2-bonaire")


def test_a_mark_flushes_on_pfp() -> None:
    """PFP must not pass it before ME has come so far, where it flushes (model 4.8)."""
    body = (
        "kickoff\ndispatch cs.uav-write buf\nflush cs\npfp-sync-me\nkickoff\n"
        "draw cb0.read color\nqueue host: cpu\nkickoff gfx\nkickoff gfx"
    )
    assert (PFP, 4) in found(body.replace("cs.uav-write buf", "cs.uav-write args"), "xbox-one")
    assert (PFP, 4) not in found(body, "gcn2-bonaire")


NULL = "sync me tcc.wbinv coherent cb0 0:0"
UNKNOWN = "dispatch cs.unknown"
LOOKED = {"null-range-sync", REPEATED, PFP}
"""What a look finds; `tests/plan/waste.cases` has what needs a search."""


def test_a_range_of_nothing() -> None:
    assert ("null-range-sync", 2) in found(f"draw cb0.write color\n{NULL}\ndraw cb0.write color")
    other = NULL.replace("0:0", "color")
    assert found(f"draw cb0.write color\n{other}\ndraw cb0.write color") == []


def test_every_rule_has_a_stream_that_breaks_it() -> None:
    """Hazards have pairs, waste has cases; what is unknown is told of this one."""
    program = parse_text(f"machine xbox-one\nqueue gfx: graphics\n{UNKNOWN}\n")
    unknown = {row.rule for row in check(program, find_machine("xbox-one")).findings}
    hazards = {hazard.rule for pair in all_pairs() for hazard in pair.hazards}
    searched = {rule for case in cases() for _, rule, _ in case.waste}
    assert {rule.id for rule in RULES} == hazards | searched | LOOKED | unknown


# -- any program


def mended(program: Program, findings: list[Finding]) -> Program:
    """The program with these fixes made; a command that goes leaves an event that does nothing."""
    changes: dict[tuple[str, int], tuple[Command, ...]] = {}
    for finding in findings:
        at = finding.later.queue, finding.later.position
        assert finding.fix is not None
        changes[at] = finding.fix.commands
    return replace(
        program,
        queues=tuple(
            replace(
                queue,
                commands=[
                    one
                    for at, command in enumerate(queue.commands)
                    for one in changes.get((queue.name, at), (command,))
                ],
            )
            for queue in program.queues
        ),
    )


def hazards(program: Program, level: str) -> set[tuple[str, int, str]]:
    """The accesses that may go wrong, by the line of their command."""
    report = check(program, MACHINES[program.machine], level)
    return {
        (row.later.queue, row.later.place.line, row.later.does) for row in report.of(Kind.HAZARD)
    }


def assert_no_worse(program: Program, level: str) -> None:
    report = check(program, MACHINES[program.machine], level)
    waste = [row for row in report.of(Kind.WASTE) if row.fix is not None]
    if waste:
        note(f"mended: {[(row.rule, row.later.place.line) for row in waste]}")
        assert hazards(mended(program, waste), level) - hazards(program, level) == set()


@given(one_queue_programs(), st.sampled_from(["documented", "strict"]))
def test_one_queue_is_no_worse_without_its_waste(program: Program, level: str) -> None:
    assert_no_worse(program, level)


@given(programs(), st.sampled_from(["documented", "strict"]))
def test_queues_are_no_worse_without_their_waste(program: Program, level: str) -> None:
    assert_no_worse(program, level)
