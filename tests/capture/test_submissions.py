"""Several submissions: queues, what the kernel adds between them, what was signalled elsewhere."""

from __future__ import annotations

import pytest

from fencepost.capture.pm4 import Ring, Submission, translate
from fencepost.errors import Problems, UsageProblem
from fencepost.stream.command import Command, Comparison, EndOfPipe, WaitMemory, Work
from fencepost.stream.legality import check_legality
from fencepost.stream.program import Program, QueueKind
from tests.capture.build import COMPUTE, DISPATCH, DRAW, GFX, capture, submission

Points = tuple[tuple[int, int], ...]
OTHER = Ring("compute", 3)


def run(*rows: Submission) -> Program:
    found = translate([capture(row) for row in rows])
    assert check_legality(found) == []
    return found


def compute(ring: Ring = COMPUTE, waits: Points = (), signals: Points = ()) -> Submission:
    return submission(DISPATCH, ring=ring, waits=waits, signals=signals)


def kinds(program: Program, queue: str) -> list[type[Command]]:
    (found,) = [row for row in program.queues if row.name == queue]
    return [type(command) for command in found.commands]


def kernel(program: Program, kind: type[EndOfPipe | WaitMemory]) -> list[Command]:
    return [row for queue in program.queues for row in queue.commands if isinstance(row, kind)]


def test_rings_become_queues() -> None:
    found = run(submission(DRAW), compute(), compute(OTHER), submission(DRAW, ring=GFX))
    assert [(row.name, row.kind) for row in found.queues] == [
        ("gfx", QueueKind.GRAPHICS),
        ("compute1", QueueKind.COMPUTE),
        ("compute3", QueueKind.COMPUTE),
    ]
    assert kinds(found, "gfx") == [Work, EndOfPipe, Work]


def test_one_submission_is_left_as_it_is() -> None:
    assert kinds(run(compute(signals=((31, 1),))), "compute1") == [Work]


def test_a_fence_with_flushes_stands_behind_a_submission() -> None:
    found = run(submission(DRAW), compute())
    (fence,) = kernel(found, EndOfPipe)
    assert isinstance(fence, EndOfPipe)
    assert fence.label is None
    assert [str(row) for row in fence.operations] == [
        *("cb.pixels.wbinv", "cb.metadata.wbinv", "db.pixels.wbinv", "db.metadata.wbinv"),
        *("tcc.wbinv", "tcp.wbinv"),
    ]
    (fence,) = kernel(run(compute(), compute()), EndOfPipe)
    assert isinstance(fence, EndOfPipe)
    assert [str(row) for row in fence.operations] == ["tcc.wbinv", "tcp.wbinv"]


def test_a_fence_does_what_the_machine_can() -> None:
    found = translate([capture(submission(DRAW), submission(DRAW))], "xbox-one")
    (fence,) = kernel(found, EndOfPipe)
    assert isinstance(fence, EndOfPipe)
    assert [str(row) for row in fence.operations] == ["tcc.wbinv", "tcp.wbinv"]


def test_a_timeline_wait_across_queues() -> None:
    found = run(
        compute(signals=((31, 2), (7, 1))),
        submission(DRAW, waits=((31, 2),)),
    )
    (signal,) = kernel(found, EndOfPipe)
    (wait,) = kernel(found, WaitMemory)
    assert isinstance(signal, EndOfPipe)
    assert isinstance(wait, WaitMemory)
    assert signal.label is wait.label
    assert (signal.value, wait.reference, wait.comparison) == (2, 2, Comparison.GREATER_EQUAL)
    assert wait.engine == "pfp"  # nothing of a submission is read before it may start
    assert signal.operations
    assert [row.name for row in found.resources] == ["syncobj-31"]


def test_the_first_of_several_signals_flushes() -> None:
    found = run(compute(signals=((31, 1), (32, 1))), compute(OTHER, waits=((31, 1), (32, 1))))
    first, second = kernel(found, EndOfPipe)
    assert isinstance(first, EndOfPipe)
    assert isinstance(second, EndOfPipe)
    assert first.operations
    assert second.operations == ()
    assert kinds(found, "compute3") == [WaitMemory, WaitMemory, Work]


def test_a_binary_object_counts_its_signals() -> None:
    found = run(
        compute(signals=((8, 0),)),
        compute(waits=((8, 0),), signals=((8, 0),)),
        compute(waits=((8, 0),)),
    )
    waits = [row.reference for row in kernel(found, WaitMemory) if isinstance(row, WaitMemory)]
    signals = [row.value for row in kernel(found, EndOfPipe) if isinstance(row, EndOfPipe)]
    assert (signals, waits) == ([1, 2], [1, 2])


@pytest.mark.parametrize("point", [(31, 5), (31, 0), (40, 1)])
def test_what_nobody_here_signals_was_satisfied_elsewhere(point: tuple[int, int]) -> None:
    found = run(compute(signals=((32, 1),)), compute(OTHER, waits=(point,)))
    assert kernel(found, WaitMemory) == []


def test_a_later_signal_does_not_satisfy_an_earlier_wait() -> None:
    found = run(compute(waits=((31, 1),)), compute(OTHER, signals=((31, 1),)), compute())
    assert kernel(found, WaitMemory) == []


def test_state_ends_with_its_submission() -> None:
    """Another program may run between two submissions: nothing is carried over."""
    found = run(submission((0xC0001200, 0), DRAW), submission(DRAW))
    draws = [row for row in found.queues[0].commands if isinstance(row, Work)]
    assert [row.unknown for row in draws] == [("vs", "ps"), ("vs", "ps", "cb", "db", "so")]


def test_machines_and_inputs_that_make_no_sense() -> None:
    with pytest.raises(UsageProblem, match="PM4 captures do not run on 'vulkan'; expected gcn2"):
        translate([capture(compute())], "vulkan")
    with pytest.raises(UsageProblem, match="no capture; expected at least one"):
        translate([])
    assert translate([capture(compute())], "gcn2-hawaii").machine == "gcn2-hawaii"
    flush = (0xC0044700, 0x514, 0, 0, 0, 0)
    with pytest.raises(Problems, match=r"stream.txt:10 .*: an end of pipe of xbox-one does not"):
        translate([capture(submission(flush))], "xbox-one")
