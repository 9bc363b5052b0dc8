"""The plan that is fastest by simulation: right, never slower than the lightest, reproducible."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from fencepost.errors import DeadlockProblem, ProgramProblem
from fencepost.machine import find_machine
from fencepost.plan import fastest as module
from fencepost.plan.changes import Changes
from fencepost.plan.fastest import Fastest, fastest, hasten, time_of, with_savings
from fencepost.plan.judge import Judge, Pieces
from fencepost.plan.pieces import weave
from fencepost.plan.planning import NoPlan, mend, plan
from fencepost.plan.serving import serve
from fencepost.plan.strip import strip
from fencepost.stream.command import EndOfPipe, PartialFlush, SurfaceSync, WaitMemory
from fencepost.stream.program import Program
from fencepost.stream.text import format_program, parse_text
from tests.coherence.strategies import programs
from tests.drivers.forms import Case, Transition
from tests.drivers.judge import explored_clean, hazards_of
from tests.examples.verdicts import load, names
from tests.plan.test_planned import level_of, right, work_programs
from tests.timing import judged
from verify.explore import Tally, explore

BONAIRE = find_machine("gcn2-bonaire")
ENOUGH = 1 << 40

UNRELATED = """machine gcn2-bonaire
color apart 512x512 rgba8
buffer data 64K
buffer aside 64K
queue gfx: graphics
  dispatch "before" cs.uav-read data @ 2us residency=25%
  draw "unrelated" cb0.write apart @ {unrelated} residency=50%
  dispatch "producer" cs.uav-write data @ 20us residency=25%
  dispatch "between" cs.buffer aside @ {between} residency=25%
  dispatch "consumer" cs.uav data @ 20us residency=25%
"""
"""The lightest plan has an EOP behind the producer, which waits for the unrelated draw too."""

AHEAD = """machine gcn2-bonaire
color target 512x512 rgba8
buffer vertices {size}
buffer indices 256
queue gfx: graphics
  draw "other" so.write vertices @ 5us residency=50%
  dispatch "producer" cs.uav-write indices @ 60us residency=50%
  draw "consumer" pfp.index indices; cb0.write target @ 20us residency=25%
"""
"""What the first draw has left in TCC is in the way of the data that the last one waits for."""


def unrelated(draw: str, between: str) -> Fastest:
    return fastest(parse_text(UNRELATED.format(unrelated=draw, between=between)), BONAIRE)


def commands(found: Fastest) -> list[type]:
    return [type(piece.command) for piece in found.plan.pieces]


# -- what it finds


def test_a_partial_flush_does_not_wait_for_a_long_draw_that_has_nothing_to_do_with_it() -> None:
    found = unrelated("300us", "20us")
    assert any(isinstance(piece.command, EndOfPipe) for piece in found.lightest.pieces)
    assert commands(found) == [PartialFlush, PartialFlush, SurfaceSync]
    assert found.time + 20_000_000 < found.lightest_time
    assert found.plan.cycles > found.lightest.cycles


def test_the_lightest_stays_where_that_draw_is_short_and_much_runs_beside_the_fence() -> None:
    found = unrelated("2us", "200us")
    assert found.plan is found.lightest
    assert EndOfPipe in commands(found)
    assert WaitMemory in commands(found)
    assert found.time == found.lightest_time
    assert found.complete


def test_much_dirty_data_is_written_back_ahead_under_other_works() -> None:
    found = fastest(parse_text(AHEAD.format(size="4M")), BONAIRE)
    services = serve(found.plan.woven, BONAIRE, "strict", choices=False)
    priced = with_savings(services, found.plan.program, BONAIRE, "strict")
    saves = [service.saves for service in priced if not service.serves]
    assert max(saves) > 1_000_000
    assert all(service.saves == 0 for service in priced if service.serves)


def test_little_of_it_is_not() -> None:
    found = fastest(parse_text(AHEAD.format(size="256")), BONAIRE)
    assert all(service.serves for service in serve(found.plan.woven, BONAIRE, "strict"))


@pytest.mark.parametrize("number", [91, 139, 151, 184])
def test_no_driver_is_faster(number: int) -> None:
    rows = judged.pieces(number)
    found = fastest(judged.program(rows, ""), judged.MACHINE, judged.LEVEL)
    forms = [judged.program(rows, driver) for driver in judged.DRIVERS]
    times = [judged.simulated(form) for form in forms if not hazards_of(form)]
    assert found.time <= min(times)
    assert not hazards_of(found.plan.program)
    assert found.time == judged.simulated(found.plan.program)
    assert found.lightest_time > min(times), "a stream that shows the difference"


@pytest.mark.parametrize("reuse", [False, True], ids=["first use", "reuse"])
@pytest.mark.parametrize("transition", judged.usable(), ids=lambda row: row.name)
def test_no_form_of_a_transition_is_faster(transition: Transition, reuse: bool) -> None:
    case = Case(BONAIRE.name, reuse)
    found = fastest(transition.program(case, None), judged.MACHINE, judged.LEVEL)
    forms = [transition.program(case, form) for form in transition.forms]
    times = [judged.simulated(form) for form in forms if not hazards_of(form)]
    assert found.time <= min(times)
    assert explored_clean(found.plan.program)


@pytest.mark.parametrize("name", names())
def test_an_example_takes_no_longer_than_with_the_synchronization_of_the_seed(name: str) -> None:
    program = load(name)
    machine = find_machine(program.machine)
    found = fastest(program, machine)
    assert right(found.plan.program, level_of(program))
    assert found.time <= time_of(program, machine, machine.guarantees)
    assert found.complete


# -- what holds of any


@settings(max_examples=60)
@given(work_programs())
def test_it_is_right_and_never_slower_than_the_lightest(program: Program) -> None:
    machine = find_machine(program.machine)
    level = program.guarantees or machine.guarantees
    found = fastest(program, machine)
    assert right(found.plan.program, level_of(program))
    assert found.lightest.program == plan(program, machine).program
    assert found.lightest_time == time_of(found.lightest.program, machine, level)
    assert found.time == time_of(found.plan.program, machine, level) <= found.lightest_time
    assert found.plan.program == weave(strip(program), found.plan.pieces).program


@settings(max_examples=15)
@given(work_programs(3))
def test_the_explorer_finds_it_right(program: Program) -> None:
    machine = find_machine(program.machine)
    level = program.guarantees or machine.guarantees
    assert explore(fastest(program, machine).plan.program, machine, level, Tally()).clean


@settings(max_examples=25)
@given(programs())
def test_it_is_right_for_several_queues_or_refused(program: Program) -> None:
    machine = find_machine(program.machine)
    try:
        found = fastest(program, machine)
    except NoPlan:
        return
    except DeadlockProblem:
        with pytest.raises(DeadlockProblem):
            time_of(plan(program, machine).program, machine, machine.guarantees)
        return
    assert right(found.plan.program, machine.guarantees)
    assert found.time <= found.lightest_time


@settings(max_examples=20)
@given(work_programs())
def test_it_is_the_same_again(program: Program) -> None:
    machine = find_machine(program.machine)
    assert fastest(program, machine) == fastest(program, machine)


def test_what_a_stream_has_of_its_own_is_ignored_but_not_where_it_is_mended() -> None:
    text = UNRELATED.format(unrelated="300us", between="20us")
    own = text.replace('  dispatch "consumer"', '  wait idle\n  dispatch "consumer"')
    assert format_program(fastest(parse_text(own), BONAIRE).plan.program) == format_program(
        fastest(parse_text(text), BONAIRE).plan.program
    )
    program = parse_text(own)
    mended = hasten(program, mend(program, BONAIRE), BONAIRE, "strict")
    assert "wait idle" in format_program(mended.plan.program)
    assert right(mended.plan.program, "strict")


def test_a_stream_that_does_not_end_without_a_plan_gets_one() -> None:
    head = (
        "machine xbox-one\nbuffer a 64\nlabel x = 0\nqueue c: compute\n  dispatch cs.uav-write a\n"
    )
    program = parse_text(head + "queue host: cpu\n  wait x == 1\n  read a\n")
    machine = find_machine("xbox-one")
    with pytest.raises(DeadlockProblem):
        time_of(program, machine, "documented")
    found = fastest(program, machine)
    assert right(found.plan.program, "documented")
    assert found.time <= found.lightest_time


# -- what the search takes for granted


@pytest.mark.parametrize("number", [40, 180])
def test_behind_a_wrong_form_all_are_wrong_and_what_waits_for_more_is_no_faster(
    number: int,
) -> None:
    program = strip(judged.program(judged.pieces(number), ""))
    pieces = frozenset(plan(program, judged.MACHINE, judged.LEVEL).pieces)
    judge = Judge(program, judged.MACHINE, judged.LEVEL, ENOUGH)
    changes = Changes(program, judged.MACHINE)
    compared = 0
    for units in changes.places(pieces).values():
        kinds: dict[tuple[str, ...], list[tuple[frozenset[str], int]]] = {}
        for ladder in changes.ladders(units, pieces):
            rungs = [pieces.difference(one.old).union(one.new) for one in ladder.changes]
            rightness = [judge.is_right(rung) for rung in rungs]
            if not ladder.kind or not any(rightness):
                continue
            assert rightness == sorted(rightness, reverse=True)
            time = least(program, [rung for rung in rungs if judge.is_right(rung)])
            seen = kinds.setdefault(ladder.kind, [])
            lighter = [other for waits, other in seen if waits < ladder.waits]
            assert all(other <= time for other in lighter)
            compared += len(lighter)
            seen.append((ladder.waits, time))
    assert compared > 10


def least(program: Program, rungs: list[Pieces]) -> int:
    """The least time of these."""
    woven = (weave(program, rung).program for rung in rungs)
    return min(time_of(one, judged.MACHINE, judged.LEVEL) for one in woven)


# -- limits and errors


def test_where_there_is_too_much_to_try_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = unrelated("300us", "20us")
    for most in (0, 60, 200):
        monkeypatch.setattr(module, "MOST_JUDGED", most)
        found = unrelated("300us", "20us")
        assert not found.complete
        assert found.tried < whole.tried
        assert found.time <= found.lightest_time
        assert right(found.plan.program, "strict")
    assert whole.complete


def test_what_cannot_be_simulated_is_an_error_with_its_place() -> None:
    text = UNRELATED.format(unrelated="2us", between="0us")
    with pytest.raises(ProgramProblem, match="0us") as error:
        fastest(parse_text(text, "a.fence"), BONAIRE)
    assert "a.fence:9" in str(error.value)


def test_what_no_synchronization_makes_right_is_refused() -> None:
    head = "machine xbox-one\nbuffer a 64\nlabel x = 0\nlabel y = 0\n"
    one = "queue g: graphics\n  wait me x == 1\n  draw ps.uav-write a\n  eop y = 1\n"
    other = "queue c: compute\n  wait y == 1\n  dispatch cs.buffer a\n  eop x = 1\n"
    with pytest.raises(NoPlan):
        fastest(parse_text(head + one + other), find_machine("xbox-one"))
