"""The pairs once more, judged by the explorer of every execution, which knows no replay.

On one queue it names the first command that can go wrong too.
"""

from __future__ import annotations

import pytest

from fencepost.machine import find_machine
from fencepost.stream.program import Program
from fencepost.stream.text import parse_text
from tests.coherence.rows.pairs import Pair, all_pairs
from verify.collect import Unsupported
from verify.explore import Tally, Verdict, explore

NOT_EXPLORED = {
    "wait-flip-is-not-an-idle": "no flips",
    "present-is-no-barrier": "no flips",
    "wait-flip-says-that-the-draws-are-over": "no flips",
    "wait-flip-says-that-events-are-in-memory": "no flips",
    "present-and-events": "no flips",
    "scan-out-reads-memory": "no flips",
    "scan-out-until-the-next-flip": "no flips",
    "timestamp-is-written-at-eop": "no timestamps",
    "timestamp-is-not-written-by-me": "no timestamps",
    "timestamp-goes-to-memory": "no timestamps",
    "one-cpu-is-in-order": "write-combined stores of one CPU are not in order there",
}
"""Sections that the explorer cannot judge, or not like the model, with the reason."""

PAIRS = all_pairs()
EXPLORED = [pair for pair in PAIRS if pair.section not in NOT_EXPLORED]


def judge(text: str) -> tuple[Program, Verdict]:
    """The explorer's verdict on a stream."""
    program = parse_text(text)
    machine = find_machine(program.machine)
    return program, explore(program, machine, program.guarantees or machine.guarantees, Tally())


def agrees(pair: Pair) -> bool:
    """Does the explorer find the clean stream clean, and the other one wrong at the named line?"""
    _, clean = judge(pair.clean)
    program, failing = judge(pair.failing)
    if not clean.clean or failing.clean:
        return False
    if len(program.queues) > 1 or failing.position is None:
        return True
    line = program.queues[0].commands[failing.position].place.line
    return line == min(hazard.line for hazard in pair.hazards)


@pytest.mark.parametrize("pair", EXPLORED, ids=lambda pair: pair.name)
def test_the_explorer_agrees(pair: Pair) -> None:
    assert agrees(pair)


@pytest.mark.parametrize("section", NOT_EXPLORED)
def test_what_is_not_explored_cannot_be(section: str) -> None:
    found = [pair for pair in PAIRS if pair.section == section]
    assert found
    with pytest.raises((AssertionError, Unsupported)):
        assert all(agrees(pair) for pair in found)
