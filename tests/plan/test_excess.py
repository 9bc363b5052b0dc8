"""Waste that a search finds: what is named, what is left alone, and that it is true."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from fencepost.coherence import Finding, Kind, check
from fencepost.coherence.checking import Examination
from fencepost.coherence.waits import WaitFindings
from fencepost.coherence.wording import Words
from fencepost.machine import find_machine
from fencepost.plan import excess
from fencepost.plan.edits import Edit, edited
from fencepost.plan.excess import add_excess, find_excess
from fencepost.plan.trials import NOTHING
from fencepost.stream.command import Command, SurfaceSync, Work, WorkKind
from fencepost.stream.program import Program
from fencepost.stream.repeat import repeat
from fencepost.stream.text import format_program, parse_text
from tests.coherence.strategies import one_queue_programs, programs
from tests.examples.drops import drops
from tests.examples.verdicts import hazards, load, names
from tests.plan.cases import Case, cases

REDUNDANT, HEAVIER, EARLIER = excess.REDUNDANT, excess.HEAVIER, excess.EARLIER

HEAD = next(cases()).preamble
FIRST = HEAD.count("\n") + 1


def stream(body: str, head: str = HEAD) -> Program:
    """A stream of one queue; `FIRST` is the line of its first command."""
    return parse_text(head + body.strip("\n") + "\n", "a.fence")


def waste(program: Program, guarantees: str = "") -> tuple[Finding, ...]:
    """All waste of a stream that is right."""
    report = check(program, find_machine(program.machine), guarantees)
    assert report.of(Kind.HAZARD) == ()
    return add_excess(report, find_machine(program.machine))[0].of(Kind.WASTE)


def said(program: Program, guarantees: str = "") -> list[tuple[int, str, str]]:
    """Number of the command from 1, rule, what to do."""
    return [
        (row.later.place.line - FIRST + 1, row.rule, row.missing)
        for row in waste(program, guarantees)
    ]


CASES = list(cases())


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_case_has_its_waste_and_no_other(case: Case) -> None:
    found = [
        (case.line(row.later.place.line), row.rule, row.missing) for row in waste(case.program())
    ]
    assert found == list(case.waste)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_findings_have_fixes_that_can_all_be_made(case: Case) -> None:
    for row in waste(case.program()):
        assert (row.fix is None) is row.missing.endswith("; not along with the other findings")
        assert row.fix is None or row.fix.instead


def test_what_is_redundant_under_documented_alone_is_none() -> None:
    """The flush confirms the event by a guarantee that the seed does not explain."""
    body = (
        "draw cb0.write target\nevent cb.pixels.wbinv\nflush ps\n"
        "sync me coherent cb0 target\ndraw ps.texture target"
    )
    assert said(stream(body)) == said(stream(body), "strict") == [(3, REDUNDANT, "drop it")]


def test_what_a_change_saves_is_said() -> None:
    (found,) = waste(stream("draw ps.buffer a\nsync me tcc.wbinv\ndraw ps.buffer b"))
    assert isinstance(found.later.command, SurfaceSync)
    prices = {row.name: row.value for row in find_machine("xbox-one").costs}
    saved = prices["SurfaceSync"] + prices["operation tcc"]
    assert dict(found.properties) == {"cycles": str(saved)}


# -- could start earlier

OVERLAP = """
draw "producer" ps.uav-write a
draw "independent" cb0.write other
draw "another" cb0.write target
flush ps
dispatch cs.uav-write a
"""


def test_a_flush_that_waits_for_more_could_start_earlier() -> None:
    (found,) = waste(stream(OVERLAP))
    assert found.rule == EARLIER
    assert found.earlier is not None
    assert found.earlier.command.name == "producer"
    assert found.fix is not None
    assert found.fix.instead
    assert found.fix.lines == ("wait me early-1 == 1",)
    value, label = found.fix.elsewhere
    assert (value.lines, value.behind and value.behind.place.line) == (
        ("eos ps early-1 = 1",),
        FIRST,
    )
    assert (label.lines, label.behind) == (("label early-1 = 0",), None)


# -- what is not judged


def test_repeated_frames_show_what_one_does_for_the_next() -> None:
    body = "flush cs\ndraw ps.buffer a\nflush ps\ndispatch cs.uav-write a\nwait idle\n"
    once = stream(body + "sync me tcp.wbinv")
    assert said(once) == []
    assert [row[:2] for row in said(repeat(once, 3))] == [(1, REDUNDANT), (5, HEAVIER)]


def test_a_hazardous_stream_is_not_searched() -> None:
    program = stream("draw ps.buffer a\ndispatch cs.uav-write a\nwait idle\ndraw ps.buffer b")
    report = check(program, find_machine("xbox-one"))
    assert report.of(Kind.HAZARD)
    assert add_excess(report, find_machine("xbox-one")) == (report, ())


def test_a_long_stream_is_not_searched_and_says_so() -> None:
    long = stream("draw ps.buffer a\nflush ps\n" * 751)
    found = find_excess(long, find_machine("xbox-one"), "documented")
    assert found.findings == []
    (note_,) = found.notes
    assert note_ == "waste that needs a search was not looked for: 1,502 commands"
    short = stream("draw ps.buffer a\nflush ps\n" * 20)
    assert find_excess(short, find_machine("xbox-one"), "documented").notes == ()


def test_a_search_that_ends_early_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    program = stream("draw ps.buffer a\nflush ps\n" * 20 + "draw ps.buffer b")
    every = find_excess(program, find_machine("xbox-one"), "strict")
    monkeypatch.setattr(excess, "MOST_REPLAYED", 400)
    some = find_excess(program, find_machine("xbox-one"), "strict")
    assert 0 < len(some.findings) < len(every.findings) == 20
    assert len(some.notes) == 1
    assert "was looked for up to a.fence:" in some.notes[0]


# -- accesses that are not shown

HIDDEN = HEAD.replace("xbox-one", "gcn2-bonaire")


@pytest.mark.parametrize(
    "body",
    [
        "dispatch cs.unknown\nflush cs\nsync me tcp.wbinv\ndispatch cs.uav-write a",
        "dispatch cs.uav-write a\nflush cs\nsync me tcp.wbinv\ndispatch cs.unknown",
        "draw ps.buffer a\nflush ps\ndispatch cs.unknown",
        "draw cb0.write target\nsync me cb.pixels.wbinv coherent cb0 target\ndraw ps.unknown",
        "draw ps.unknown\nflush ps\ndraw cb0.write target",
    ],
)
def test_what_an_unknown_access_could_need_is_left_alone(body: str) -> None:
    assert said(stream(body, HIDDEN)) == []
    shown = body.replace(".unknown", ".buffer b")
    assert said(stream(shown, HIDDEN)) != []


@pytest.mark.parametrize(
    ("body", "number"),
    [
        ("draw ps.unknown\nflush cs\ndraw ps.unknown", 2),
        ("dispatch cs.unknown\nflush cs\nflush cs\ndispatch cs.unknown", 2),
        ("dispatch cs.unknown\nevent db.pixels.wbinv\ndispatch cs.unknown", 2),
    ],
)
def test_what_does_nothing_whoever_comes_is_redundant(body: str, number: int) -> None:
    assert said(stream(body, HIDDEN))[0] == (number, REDUNDANT, "drop it")


def test_what_somebody_else_added_is_left_alone() -> None:
    program = stream("draw ps.buffer a\nflush ps\ndraw ps.buffer b")
    (queue,) = program.queues
    foreign = [replace(command, name="kernel fence") for command in queue.commands]
    assert [row[0] for row in said(program)] == [2]
    assert said(replace(program, queues=(replace(queue, commands=foreign),))) == []


# -- that it is true, by other ways

JUDGED = ("flush", "wait idle", "pfp-sync-me", ".wbinv", ".inv", ".wb", "cb0", "db")


@pytest.mark.parametrize("name", names())
def test_the_examples_have_the_waste_that_dropping_their_pieces_shows(name: str) -> None:
    program = load(name)
    spare = {
        drop.line
        for drop in drops(program)
        if drop.piece.endswith(JUDGED) or drop.piece.startswith(JUDGED)
        if not hazards(drop.program)
        and set(hazards(drop.program, "strict")) <= set(hazards(program, "strict"))
    }
    found = {row.later.place.line for row in waste(program) if row.rule == REDUNDANT}
    assert found == spare


def changes(program: Program, guarantees: str) -> list[tuple[Finding, Edit]]:
    """The findings without labels of their own, and what each proposes."""
    search = excess._Search(program, find_machine(program.machine), guarantees, ())
    search.run()
    return [(row.finding, row.edit) for row in search.found if not row.labels]


def faults(program: Program, level: str) -> set[tuple[object, ...]]:
    """The hazards, without a look for fixes."""
    examination = Examination(program, find_machine(program.machine), level)
    outcome = examination.replay().outcome
    words = Words(program, examination.machine, examination.ways)
    found: set[tuple[object, ...]] = {
        (hit.rule, hit.later.queue, hit.later.position, words.spot(hit.later, hit.start, hit.end))
        for hit in outcome.hits
    }
    waits = WaitFindings(examination).findings(outcome.stuck)
    return found | {(row.rule, row.later.queue, row.later.position) for row in waits}


def padded(program: Program, edit: Edit) -> Program:
    """The changed program, its commands where they were."""
    kept = {place: commands or (NOTHING,) for place, commands in edit.items()}
    return edited(program, kept).program


@settings(max_examples=40)
@given(st.one_of(programs(), one_queue_programs()), st.sampled_from(("documented", "strict")))
def test_what_is_proposed_brings_no_hazard(program: Program, level: str) -> None:
    for finding, edit in changes(program, level):
        if any(len(commands) > 1 for commands in edit.values()):
            continue
        note(finding.message)
        for each in {level, "strict"}:
            assert faults(padded(program, edit), each) <= faults(program, each)


def hidden(command: Command) -> Command:
    """A work whose shaders are not shown."""
    if not isinstance(command, Work) or command.kind not in (WorkKind.DRAW, WorkKind.DISPATCH):
        return command
    stages = sorted({row.block for row in command.accesses} & {"vs", "ps", "cs"})
    shown = tuple(row for row in command.accesses if row.block not in stages)
    return replace(command, accesses=shown, unknown=tuple(stages))


@settings(max_examples=40)
@given(st.one_of(programs(), one_queue_programs()), st.data())
def test_what_is_proposed_is_true_whatever_is_not_shown(
    program: Program, data: st.DataObject
) -> None:
    """Of a program some of whose accesses are hidden; judged on the program that shows them."""
    queues = []
    for queue in program.queues:
        chosen = data.draw(st.sets(st.integers(0, max(len(queue.commands) - 1, 0))))
        commands = [hidden(c) if at in chosen else c for at, c in enumerate(queue.commands)]
        queues.append(replace(queue, commands=commands))
    less = replace(program, queues=tuple(queues))
    for finding, edit in changes(less, "strict"):
        note(f"{finding.message}\n{format_program(less)}")
        assert faults(padded(program, edit), "strict") <= faults(program, "strict")
