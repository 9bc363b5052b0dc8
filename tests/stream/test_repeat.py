from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.coherence import check
from fencepost.errors import ProgramProblem, UsageProblem
from fencepost.machine.profiles import find_machine
from fencepost.stream.command import Access, EndOfPipe, SetLabel, WaitMemory, Work
from fencepost.stream.program import Program
from fencepost.stream.repeat import repeat
from fencepost.stream.resource import Part, Resource, ResourceKind
from fencepost.stream.text import parse_text

ALTERNATING = """machine xbox-one
buffer x 64
buffer y 64
{label}

queue gfx: graphics
  dispatch "read" cs.buffer x
  eop done = 1
  wait me done == 1
  dispatch "write" cs.uav-write x
  flush cs
  sync me tcc.wbinv tcp.wbinv

queue async: compute
  dispatch "other" cs.buffer y
"""
GLOBAL = "label done = 0"
PER_FRAME = "label done = 0 per-frame"


def program(text: str) -> Program:
    return parse_text(text, "f.fence")


def test_one_frame_is_the_program_itself() -> None:
    once = program(ALTERNATING.format(label=GLOBAL))
    assert repeat(once, 1) is once


@pytest.mark.parametrize("frames", [0, -3])
def test_fewer_than_one_frame_is_refused(frames: int) -> None:
    with pytest.raises(UsageProblem):
        repeat(program(ALTERNATING.format(label=GLOBAL)), frames)


@given(st.integers(2, 6))
def test_every_queue_is_repeated(frames: int) -> None:
    once = program(ALTERNATING.format(label=GLOBAL))
    repeated = repeat(once, frames)
    assert repeated.frames == frames
    assert repeated.resources == once.resources
    for before, after in zip(once.queues, repeated.queues, strict=True):
        assert list(after.commands) == list(before.commands) * frames


def test_a_label_per_frame_is_another_one_in_each() -> None:
    repeated = repeat(program(ALTERNATING.format(label=PER_FRAME)), 3)
    labels = [item for item in repeated.resources if item.kind is ResourceKind.LABEL]
    assert [label.name for label in labels] == ["done", "done@2", "done@3"]
    assert len({label.main.start // 64 for label in labels}) == 3
    assert {label.main.size for label in labels} == {labels[0].main.size}
    written = [c.label for c in repeated.queues[0].commands if isinstance(c, EndOfPipe)]
    waited = [c.label for c in repeated.queues[0].commands if isinstance(c, WaitMemory)]
    assert written == waited == labels


def test_twins_lie_apart_from_everything() -> None:
    repeated = repeat(program(ALTERNATING.format(label=PER_FRAME)), 5)
    parts = sorted((p.start, p.end) for item in repeated.resources for p in item.parts)
    assert all(first[1] <= second[0] for first, second in pairwise(parts))


def test_places_stay_so_that_findings_name_lines() -> None:
    once = program(ALTERNATING.format(label=PER_FRAME))
    repeated = repeat(once, 2)
    for before, after in zip(once.queues, repeated.queues, strict=True):
        places = [command.place for command in before.commands]
        assert [command.place for command in after.commands] == places * 2


def test_an_access_to_a_label_per_frame_moves_with_it() -> None:
    label = Resource("l", ResourceKind.LABEL, (Part("bytes", 100, 108),), per_frame=True)
    access = Access("pfp", "predicate", label, "bytes", 104, 108)
    work = replace(_works(program(ALTERNATING.format(label=GLOBAL)))[0], accesses=(access,))
    base = program(ALTERNATING.format(label=GLOBAL))
    queue = replace(base.queues[0], commands=(work, SetLabel(engine="me", label=label, value=2)))
    repeated = repeat(replace(base, resources=(label,), queues=(queue,)), 2)
    twin = repeated.resources[1]
    (moved,) = _works(repeated)[1].accesses
    assert moved.resource == twin
    assert (moved.start - twin.main.start, moved.end - twin.main.start) == (4, 8)
    assert twin.main.start % 64 == label.main.start % 64
    second = repeated.queues[0].commands[3]
    assert isinstance(second, SetLabel)
    assert second.label == twin


def _works(made: Program) -> list[Work]:
    return [c for queue in made.queues for c in queue.commands if isinstance(c, Work)]


def test_a_label_per_frame_that_shares_bytes_is_refused() -> None:
    base = program(ALTERNATING.format(label=PER_FRAME))
    label = next(item for item in base.resources if item.per_frame)
    over = Resource("over", ResourceKind.BUFFER, (Part("bytes", *_range(label)),))
    with pytest.raises(ProgramProblem, match="shares bytes with 'over'"):
        repeat(replace(base, resources=(*base.resources, over)), 2)


def _range(label: Resource) -> tuple[int, int]:
    return label.main.start, label.main.start + 1


def rules(made: Program) -> set[str]:
    report = check(made, find_machine("xbox-one"), "documented")
    return {finding.rule for finding in report.findings if finding.kind == "hazard"}


def test_a_wait_that_the_last_frame_satisfies_shows_with_two_frames_only() -> None:
    once = program(ALTERNATING.format(label=GLOBAL))
    assert rules(once) == set()
    assert "write-after-read" in rules(repeat(once, 2))


def test_the_same_stream_with_a_label_per_frame_waits_for_its_own_frame() -> None:
    once = program(ALTERNATING.format(label=PER_FRAME))
    assert "write-after-read" not in rules(repeat(once, 2))
