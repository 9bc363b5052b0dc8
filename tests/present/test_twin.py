"""The recurrences agree with a queue of processes and events (`twin.py`), moment for moment."""

from __future__ import annotations

from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from fencepost.present import (
    BOTH,
    FIRST,
    SECOND,
    FrameTimes,
    Plane,
    Replay,
    Settings,
    buffer_spans,
    frame_times,
    overwrites,
    replay,
)
from fencepost.present.states import end_of
from tests.present.strategies import frames, settings
from tests.present.twin import Buffer, Twin

MOMENTS = (
    *("start", "called", "added", "begun", "drawn", "complete", "flip"),
    *("scan_begin", "scan_count"),
)


def played(times: FrameTimes, setting: Settings) -> tuple[Replay, Twin]:
    twin = Twin(times, setting)
    twin.run()
    return replay(times, setting), twin


def differences(result: Replay, twin: Twin) -> dict[str, tuple[list[int], list[int]]]:
    """Name of each moment to both answers, where they differ."""
    line = result.timeline
    pairs = {
        name: (list(getattr(line, name)), [twin.times[name][n] for n in range(len(result))])
        for name in MOMENTS
    }
    for name in ("reached", "bound"):
        where = [(n, at) for n in range(len(result)) for at in result.binds(n)]
        ours = [getattr(line, name)[at] for _, at in where]
        theirs = [getattr(twin, name)[n, at % line.planes] for n, at in where]
        pairs[name] = (ours, theirs)
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


@given(frames(), settings())
@limits(max_examples=600)
def test_one_plane(times: FrameTimes, setting: Settings) -> None:
    assert differences(*played(times, setting)) == {}


@given(frames(planes=2), settings(planes=2))
@limits(max_examples=400)
def test_two_planes(times: FrameTimes, setting: Settings) -> None:
    assert differences(*played(times, setting)) == {}


def logged(buffer: Buffer, end: int) -> list[tuple[int, int, str, int]]:
    ends = [entry[0] for entry in buffer.log[1:]] + [end]
    return [
        (start, to, state, frame)
        for (start, state, frame), to in zip(buffer.log, ends, strict=True)
        if start < to
    ]


CASES = st.integers(1, 2).flatmap(lambda n: st.tuples(frames(planes=n), settings(planes=n)))


@given(CASES)
@limits(max_examples=250)
def test_states_of_buffers(case: tuple[FrameTimes, Settings]) -> None:
    result, twin = played(*case)
    for plane, head in enumerate(twin.heads):
        ours = [
            [(span.start, span.end, span.state.value, span.present) for span in spans]
            for spans in buffer_spans(result, plane)
        ]
        assert ours == [logged(buffer, end_of(result)) for buffer in head.buffers]


def drawn_over(twin: Twin, n: int, plane: int, end: int) -> list[tuple[int, int, int]]:
    """Where a frame was drawn while another one had its buffer: buffer, from, to."""
    head = twin.heads[plane]
    at = head.frames.index(n) % len(head.buffers)
    start, drawn = twin.bound[n, plane], twin.times["drawn"][n]
    others = [
        (max(start, begin), min(drawn, to))
        for begin, to, state, frame in logged(head.buffers[at], end)
        if state != "available" and frame != n and begin < drawn and start < to
    ]
    found = [pair for pair in others if pair[0] < pair[1]]
    return [(at, found[0][0], found[-1][1])] if found else []


def test_a_plane_that_is_not_presented_has_no_bind() -> None:
    times = frame_times([5, 5, 5], [7, 7, 7], [BOTH, SECOND, FIRST])
    line = replay(times, Settings(planes=(Plane(), Plane()))).timeline
    assert [moment > 0 for moment in line.bound] == [True, True, False, True, True, False]
    assert [moment > 0 for moment in line.reached] == [True, True, False, True, True, False]


@given(CASES)
@limits(max_examples=250)
def test_what_is_drawn_over(case: tuple[FrameTimes, Settings]) -> None:
    result, twin = played(*case)
    for plane, head in enumerate(twin.heads):
        ours = [(it.present, it.buffer, it.start, it.end) for it in overwrites(result, plane)]
        theirs = [
            (n, *row) for n in head.frames for row in drawn_over(twin, n, plane, end_of(result))
        ]
        assert ours == theirs
