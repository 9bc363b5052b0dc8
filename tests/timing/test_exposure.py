"""What is not hidden, the critical path, and what every timeline holds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.errors import DeadlockProblem
from fencepost.stream.program import Program
from fencepost.timing import Options, Timeline, simulate
from fencepost.timing.exposure import Idle, gaps, merged
from fencepost.timing.timeline import REASONS, Span, Stall
from tests.coherence.strategies import programs
from tests.timing.scenes import CYCLE, US, read, run
from tests.timing.streams import HEAD, streams

intervals = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 12)).map(lambda row: (row[0], row[0] + row[1])),
    max_size=8,
)


@given(intervals)
def test_gaps_are_where_no_interval_is(rows: list[tuple[int, int]]) -> None:
    covered = {time for start, end in rows for time in range(start, end)}
    idle = gaps([row for row in merged(rows) if row[0] < row[1]], 60)
    assert {t for start, end in idle for t in range(start, end)} == set(range(60)) - covered
    measure = Idle(idle)
    for start in range(0, 60, 7):
        for end in range(start, 60, 5):
            assert measure.within(start, end) == len(set(range(start, end)) - covered)


# -- costs


def test_a_stall_under_other_work_costs_nothing() -> None:
    scene = run(
        'draw "a" cb0.write t @ 5us residency=20%\neos ps l = 1\n'
        'draw "b" cb0.write u @ 90us residency=20%\nwait "w" me l == 1\n'
        'draw "c" cb0.write t @ 5us residency=20%'
    )
    assert scene.cost("w").stalled > 4 * US
    assert scene.cost("w").exposed == 0


def test_a_partial_flush_between_neighbours_costs_its_bubble() -> None:
    scene = run('draw "a" cb0.write t @ 5us\nflush "f" ps\ndraw "c" cb0.write t @ 5us')
    bubble = scene.work("c").launched - scene.work("a").shader
    assert scene.cost("f").exposed == bubble == (60 + 60 + 100) * CYCLE


def test_a_bubble_is_divided_among_those_who_make_it() -> None:
    scene = run(
        'draw "a" cb0.write t @ 5us\nflush "f" ps\nsync "s" me tcc.wbinv\n'
        'draw "c" cb0.write t @ 5us'
    )
    bubble = scene.work("c").launched - scene.work("a").shader
    assert scene.cost("f").exposed == 60 * CYCLE
    # its packet, its flush, and what it takes to start again
    assert scene.cost("s").exposed == (20 + 600 + 60 + 100) * CYCLE
    assert bubble == scene.cost("f").exposed + scene.cost("s").exposed


def test_no_synchronization_is_charged_with_a_slow_front_end() -> None:
    scene = run(
        'draw cb0.write t @ 5us\nflush "f" ps\ndraw cb0.write t @ 1ns\ndraw cb0.write t @ 1ns'
    )
    assert scene.cost("f").exposed == (60 + 60 + 100) * CYCLE
    assert scene.timeline.totals.time - scene.timeline.totals.working > scene.cost("f").exposed


def test_a_wait_of_pfp_is_charged_though_me_stands() -> None:
    scene = run(
        'draw "a" cb0.write t @ 5us\neop l = 1\nwait "w" pfp l == 1\ndraw "c" cb0.write t @ 5us'
    )
    bubble = scene.work("c").launched - scene.work("a").shader
    assert scene.cost("w").exposed == bubble


def test_synchronization_before_the_first_work_costs_what_it_takes() -> None:
    plain = run('draw "a" cb0.write t @ 5us')
    waited = run('wait "w" me l == 0\ndraw "a" cb0.write t @ 5us')
    assert waited.cost("w").exposed == waited.time - plain.time == 420 * CYCLE


def test_synchronization_behind_the_last_work_too() -> None:
    scene = run('draw "a" cb0.write t @ 5us\nwait "i" idle')
    assert scene.cost("i").exposed == scene.time - scene.work("a").shader


@pytest.mark.parametrize("barrier", ["flush ps", "wait idle", "sync me tcc.wbinv"])
def test_what_a_barrier_costs_is_what_it_adds(barrier: str) -> None:
    """Where the works fill the machine, a cost is the difference that the command makes."""
    name, rest = barrier.split(" ", 1)
    with_barrier = run(f'draw cb0.write t @ 9us\n{name} "b" {rest}\ndraw cb0.write t @ 9us')
    without = run("draw cb0.write t @ 9us\ndraw cb0.write t @ 9us")
    assert with_barrier.cost("b").exposed == with_barrier.time - without.time


# -- the critical path


def test_the_path_of_a_stream_step_by_step() -> None:
    scene = run('draw "a" cb0.write t @ 5us\neop l = 1\nwait me l == 1\ndraw "c" cb0.write t @ 5us')
    assert [(step.what, step.end - step.start) for step in scene.timeline.path] == [
        ("pfp", 10 * CYCLE),
        ("me", 60 * CYCLE),
        ("launch", 100 * CYCLE),
        ("ps", 5 * US),
        ("back-end", 100 * CYCLE),
        ("write", 400 * CYCLE),
        ("fence", 400 * CYCLE),
        ("me", 60 * CYCLE),
        ("launch", 100 * CYCLE),
        ("ps", 5 * US),
        ("back-end", 100 * CYCLE),
    ]


def test_the_path_goes_through_the_unit_that_binds() -> None:
    scene = run(
        "dispatch cs.buffer a @ 10us memory=1 residency=40%\n"
        "dispatch cs.buffer a @ 10us memory=1 residency=40%\n"
    )
    assert scene.timeline.path[-1].what == "memory"


def test_the_path_crosses_queues() -> None:
    scene = run(
        'draw "a" cb0.write t @ 5us\neop l = 1\n'
        'queue async: compute\nwait l == 1\ndispatch "c" cs.texture t @ 5us'
    )
    assert [step.queue for step in scene.timeline.path][-1] == 1
    assert {step.queue for step in scene.timeline.path} == {0, 1}


# -- every timeline


def check_timeline(program: Program, timeline: Timeline) -> None:
    """What must hold of any timeline."""
    reached = 0
    for step in timeline.path:
        assert step.start == reached < step.end
        reached = step.end
    assert reached == timeline.totals.time
    check_engines(timeline)
    for stall in timeline.stalls:
        assert stall.reason in REASONS
        assert 0 <= stall.exposed <= stall.end - stall.start
        for queue, position in [
            (stall.queue, stall.position),
            *([stall.cause] if stall.cause else []),
        ]:
            assert 0 <= position < len(program.queues[queue].commands)
    for work in timeline.works:
        assert work.handed <= work.ready <= work.launched <= work.vertex <= work.shader <= work.end
        assert work.shader - work.launched >= work.alone
    idle = timeline.totals.time - timeline.totals.working
    assert 0 <= timeline.totals.exposed <= idle
    assert timeline.totals.exposed == sum(cost.exposed for cost in timeline.costs)


def check_engines(timeline: Timeline) -> None:
    """An engine is busy or stands, without a gap, until it has finished."""
    rows: dict[tuple[int, str], list[tuple[int, int]]] = {}
    pieces: list[Span | Stall] = [*timeline.spans, *timeline.stalls]
    for piece in pieces:
        if piece.engine in {"pfp", "me", "cpu"}:
            rows.setdefault((piece.queue, piece.engine), []).append((piece.start, piece.end))
    for found in rows.values():
        reached = 0
        for start, end in sorted(found):
            assert start == reached
            reached = end


@settings(max_examples=150)
@given(streams(), st.booleans())
def test_every_timeline_of_one_queue_adds_up(lines: list[str], refills: bool) -> None:
    program = read("\n".join(lines), HEAD)
    check_timeline(program, simulate(program, Options(refills=refills)))


@settings(max_examples=150)
@given(programs(), st.sampled_from(("fair-queues", "fair-works", "oldest-first")))
def test_every_timeline_of_any_program_adds_up(program: Program, rule: str) -> None:
    try:
        timeline = simulate(program, Options(sharing=rule))
    except DeadlockProblem as problem:
        assert "waits for" in str(problem)  # noqa: PT017 - either end is right
        return
    check_timeline(program, timeline)
