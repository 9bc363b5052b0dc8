"""Runs that do not end: one line that says who waits for what."""

from __future__ import annotations

import pytest

from fencepost.errors import DeadlockProblem
from tests.timing.scenes import HEAD, run

FIRST = len(HEAD.splitlines()) + 2
"""The line of the graphics queue's first command."""


def stuck(text: str, head: str = HEAD) -> str:
    with pytest.raises(DeadlockProblem) as caught:
        run(text, head=head)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_two_queues_that_wait_for_each_other_are_a_circle() -> None:
    message = stuck("wait me l == 1\neop m = 1\nqueue async: compute\nwait m == 1\neop l = 1")
    at = [f"scene.fence:{FIRST + n}" for n in range(5)]
    assert message == (
        f"{at[0]}:1: deadlock at 30.000 ns: "
        f"gfx ME at {at[0]} waits for l == 1 (it is 0), which {at[4]} would write -> "
        f"async ME at {at[3]} waits for m == 1 (it is 0), which {at[1]} would write -> gfx ME, "
        "a circle; expected a value, written before it"
    )


def test_three_queues_are_a_circle_of_three() -> None:
    message = stuck(
        "wait me l == 1\neop m = 1\n"
        "queue x: compute\nwait m == 1\neop n = 1\n"
        "queue y: compute\nwait n == 1\neop l = 1\n"
    )
    assert message.count(" -> ") == 3
    assert message.endswith("-> gfx ME, a circle; expected a value, written before it")


def test_a_queue_may_wait_for_itself() -> None:
    message = stuck("wait me l == 1\neop l = 1")
    assert f"which scene.fence:{FIRST + 1} would write -> gfx ME, a circle" in message


def test_pfp_may_wait_for_what_me_does_behind_it() -> None:
    message = stuck("wait pfp l == 1\neop l = 1")
    assert f"gfx PFP at scene.fence:{FIRST} waits for l == 1" in message
    assert f"gfx ME at scene.fence:{FIRST} waits for PFP -> gfx PFP, a circle" in message


def test_pfp_waits_for_me_and_me_for_a_label_of_pfp() -> None:
    message = stuck("wait me l == 1\npfp-sync-me\nset pfp l = 1")
    assert "waits for ME" in message
    assert "a circle" in message


def test_a_value_that_nobody_writes() -> None:
    message = stuck("draw cb0.write t\nwait me l == 7\neop l = 1")
    assert "a wait that never ends" in message
    assert "l == 7 (it is 0), which nothing that is still to come writes" in message


def test_a_value_that_is_overwritten_in_time() -> None:
    message = stuck(
        "set me l = 1\nset me l = 2\nset me m = 1\nqueue async: compute\nwait m == 1\nwait l == 1"
    )
    assert "async ME at" in message
    assert "l == 1 (it is 2)" in message


def test_a_mask_is_shown() -> None:
    assert "l == 3 & 0xff (it is 0)" in stuck("wait me l == 3 & 0xff")


def test_a_kickoff_that_never_comes() -> None:
    head = f"{HEAD}queue cpu: cpu\n  kickoff gfx\n"
    message = stuck("kickoff\nkickoff\n", head)
    assert "a wait that never ends" in message
    assert "gfx PFP at" in message
    assert "waits for a kickoff" in message


def test_a_kickoff_behind_a_wait_for_its_queue() -> None:
    head = f"{HEAD}queue cpu: cpu\n  wait l == 1\n  kickoff gfx\n"
    message = stuck("kickoff\neop l = 1\n", head)
    assert "cpu at" in message
    assert "waits for a kickoff" in message
    assert "a circle" in message


@pytest.mark.parametrize(
    "text",
    [
        "eop l = 1\nwait me l == 1",
        "wait me l == 1\nset pfp l = 1",
        "wait me l == 1\nqueue async: compute\nset l = 1",
        "wait me l != 1\nwait me l < 5\nwait me l always 3",
    ],
)
def test_what_somebody_writes_ends(text: str) -> None:
    assert run(text).time > 0
