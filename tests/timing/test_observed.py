"""Hazards that a timing shows: each rule where it happens, and where it does not happen here."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings

from fencepost.coherence import Kind, check, fixes
from fencepost.coherence.finding import Finding
from fencepost.coherence.rules import RULES
from fencepost.errors import DeadlockProblem
from fencepost.machine import MACHINES, find_machine
from fencepost.stream.program import Program
from fencepost.stream.text import parse_text
from fencepost.timing import Timeline, simulate
from fencepost.timing.judging import judge
from fencepost.timing.observed import Observed, Observer
from fencepost.timing.windows import ENDLESS
from tests.coherence.strategies import one_queue_programs, programs

HEAD = """machine xbox-one
buffer a    64K
buffer b    64K
buffer args 64
color  t 256x256 rgba8
color  u 256x256 rgba8
label  l = 0, m = 0
buffer alias 256K at t
queue gfx: graphics
"""

LONG = "draw cb0.write u @ 400us residency=1%"
"""What holds an earlier stage of the graphics queue back, and leaves room for others."""

BETWEEN = f"{LONG}\nflush ps\n"

READS = "wait me l == 0\n" * 4
"""A while in which ME waits for nothing but memory."""

TIMED: dict[str, tuple[str, str]] = {
    "read-after-write": (
        "dispatch cs.uav-write a @ 9us residency=30%\ndispatch cs.constant a @ 9us",
        f"dispatch cs.uav-write a @ 9us\n{BETWEEN}dispatch cs.constant a @ 9us",
    ),
    "write-after-read": (
        "dispatch cs.buffer a @ 9us residency=30%\ndraw ps.uav-write a @ 9us",
        f"dispatch cs.buffer a @ 9us\n{BETWEEN}draw ps.uav-write a @ 9us",
    ),
    "write-after-write": (
        "dispatch cs.uav-write a @ 9us residency=30%\ndraw ps.uav-write a @ 9us",
        f"dispatch cs.uav-write a @ 9us\n{BETWEEN}draw ps.uav-write a @ 9us",
    ),
    "not-written-back": (
        "draw cb0.write t\neop l = 1\nwait me l == 1\ndraw ps.texture t; cb0.write u",
        (
            f"draw cb0.write t\nevent cb.pixels.wbinv\neop m = 1\nwait me m == 1\n{READS}"
            "draw ps.texture t; cb0.write u"
        ),
    ),
    "stale-cache-line": (
        (
            "dispatch cs.buffer a @ 9us\nflush cs\ndispatch cs.uav-write a @ 9us\nflush cs\n"
            "dispatch cs.buffer a @ 9us"
        ),
        (
            "dispatch cs.buffer a @ 9us residency=10%\nflush cs\n"
            "dispatch cs.uav-write a @ 1us residency=10%\n"
            "dispatch cs.texture b @ 100us residency=10%\n"
            f"{READS}sync me tcp.wbinv\nflush cs\n"
            "dispatch cs.buffer a @ 9us"
        ),
    ),
    "lost-write": (
        (
            "draw cb0.write t @ 9us\nwait idle\ncopy alias from b sync\n"
            "event cb.pixels.wbinv\nwait idle"
        ),
        "draw cb0.write t @ 9us\nwait idle\ncopy alias from b sync",
    ),
}
"""Rule -> a stream in which it happens, one in which it is a hazard that does not happen here."""

STRICT = {TIMED["not-written-back"][1]: "strict"}
"""Streams that are right where an EOP says that earlier events are in memory."""

ELSEWHERE = {
    "feedback-loop": "happens wherever the command runs: tests/cli/test_simulate.py",
    "wait-never-satisfied": "a run with it does not end: tests/timing/test_deadlock.py",
    "deadlock": "a run with it does not end: tests/timing/test_deadlock.py",
    "wait-may-hang": "a run that ends did not hang",
}


def judged(commands: str) -> list[tuple[Finding, Observed | None]]:
    program = parse_text(f"{HEAD}{commands}\n", "s.fence")
    program = replace(program, guarantees=STRICT.get(commands, ""))
    machine = find_machine(program.machine)
    hazards = check(program, machine).of(Kind.HAZARD)
    return judge(program, machine, simulate(program), hazards)


def test_every_rule_of_the_checker_is_here() -> None:
    rules = {rule.id for rule in RULES if rule.kind is Kind.HAZARD}
    assert rules == set(TIMED) | set(ELSEWHERE)


@pytest.mark.parametrize("rule", TIMED)
def test_a_hazard_that_happens(rule: str) -> None:
    found = [(finding, row) for finding, row in judged(TIMED[rule][0]) if finding.rule == rule]
    assert found
    for finding, row in found:
        assert row is not None
        assert row.rule == rule
        assert finding.earlier is not None
        assert (row.earlier[1], row.later[1]) == (finding.earlier.position, finding.later.position)
        assert row.early > 0


@pytest.mark.parametrize("rule", TIMED)
def test_a_hazard_that_does_not_happen_in_this_timing(rule: str) -> None:
    found = judged(TIMED[rule][1])
    assert rule in {finding.rule for finding, _ in found}
    assert [row for finding, row in found if finding.rule == rule] == [None] * len(
        [finding for finding, _ in found if finding.rule == rule]
    )


def test_a_pair_in_order_may_still_go_wrong_by_a_cache() -> None:
    """The checker says that nothing orders the two; here they are, and the data is in CB."""
    found = judged(
        f"draw cb0.write t @ 9us\n{LONG.replace('draw cb0.write u', 'dispatch cs.buffer b')}\n"
        "flush cs\ndraw ps.texture t; cb0.write u @ 9us"
    )
    ((finding, row),) = [(f, r) for f, r in found if f.rule == "read-after-write"]
    assert finding.rule == "read-after-write"
    assert row is not None
    assert (row.rule, row.cache, row.early) == ("not-written-back", "cb.pixels", ENDLESS)


def test_who_brought_an_old_copy_is_named() -> None:
    ((_, row),) = judged(TIMED["stale-cache-line"][0])
    assert row is not None
    assert (row.cache, row.bringer) == ("tcp", (0, 0))
    assert row.early == ENDLESS, "nothing empties TCP"


def test_how_early_is_to_the_picosecond() -> None:
    program = parse_text(
        f"{HEAD}dispatch cs.uav-write a @ 9us residency=10%\ndraw ps.buffer a @ 9us\n", "s.fence"
    )
    timeline = simulate(program)
    first, second = timeline.works
    (row, *_) = Observer(program, find_machine("xbox-one"), timeline).all()
    assert row.rule == "read-after-write"
    assert row.early == first.shader - second.launched


def test_two_queues_that_race_are_seen_either_way_round() -> None:
    for one, two in ((1, 0), (0, 1)):
        waits = ["wait l == 0\n" * 40, ""]
        found = judged(
            f"{waits[one]}dispatch cs.buffer a @ 90us residency=10%\nqueue x: compute\n"
            f"{waits[two]}dispatch cs.uav-write a @ 90us residency=10%\n"
        )
        assert found
        assert all(row is not None for _, row in found)


# -- properties


@pytest.fixture(scope="module", autouse=True)
def _without_suggestions() -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fixes, "MOST_FIXES", 0)
        yield


def run(program: Program) -> tuple[Timeline, list[Observed], tuple[Finding, ...]]:
    """A timeline, what goes wrong in it, and the checker's hazards."""
    machine = MACHINES[program.machine]
    try:
        timeline = simulate(program)
    except DeadlockProblem:
        assume(False)
        raise
    observed = Observer(program, machine, timeline).all()
    return timeline, observed, check(program, machine).of(Kind.HAZARD)


def assert_known(program: Program, row: Observed, hazards: tuple[Finding, ...]) -> None:
    """The checker reports a hazard of these bytes, there or before (the first one counts)."""
    line = MACHINES[program.machine].line
    same_queue = row.earlier[0] == row.later[0]
    near = [
        finding
        for finding in hazards
        if finding.start - line < row.end
        and row.start < finding.end + line
        and (not same_queue or finding.later.position <= row.later[1])
    ]
    assert near, row


@settings(max_examples=100)
@given(programs())
def test_whatever_goes_wrong_the_checker_knows(program: Program) -> None:
    """So a stream that checks clean never shows an observed hazard."""
    _, observed, hazards = run(program)
    for row in observed:
        assert_known(program, row, hazards)


def test_whatever_goes_wrong_on_one_queue_the_checker_knows() -> None:
    """And the rules come up, as do clean streams: the property is not empty."""
    found: Counter[str] = Counter()

    @settings(max_examples=400)
    @given(one_queue_programs())
    def collect(program: Program) -> None:
        _, observed, hazards = run(program)
        for row in observed:
            assert_known(program, row, hazards)
        found.update({row.rule for row in observed})
        found["clean"] += not hazards
        found["hazard that is not observed"] += bool(hazards) and not observed

    collect()
    assert set(found) >= {*TIMED, "clean", "hazard that is not observed"} - {"lost-write"}
    assert min(found["clean"], found["hazard that is not observed"]) > 1
