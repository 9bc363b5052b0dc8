from __future__ import annotations

import pytest

from fencepost.capture.traces import read_trace
from tests.timeline.traces import encoded, host, read, refused, rows, ties, wait, work

US = 10**6


def test_work_lies_on_the_streams_of_its_device() -> None:
    made = read(
        [
            work("copy", 20, 5, 2, 3, "gpu_memcpy", device=1),
            work("gemm", 7, 10, 5, 1),
            work("clear", 7, 1.5, 0.25, 2, "Memset"),
            host(),
            {"ph": "M", "name": "process_name", "pid": 9, "args": {"name": "somebody"}},
        ]
    )
    assert rows(made) == [
        ("device 0 stream 7", "clear", 0, US // 4),
        ("device 0 stream 7", "gemm", 8 * US + US // 2, 13 * US + US // 2),
        ("device 1 stream 20", "copy", 3 * US + US // 2, 5 * US + US // 2),
    ]
    assert made.origin == US + US // 2
    assert [activity.category for activity in made.activities] == ["gpu_memcpy", "kernel", "Memset"]
    assert made.notes == ("not work on a stream, left out: 1 cpu_op, 1 metadata",)


def test_timestamps_keep_every_digit() -> None:
    text = encoded([work("a", 7, 1, 1, 1), work("b", 7, 2, 3, 2)]).decode("utf-8")
    text = text.replace('"ts": 1,', '"ts": 1730000000123456.789012,')
    text = text.replace('"ts": 2,', '"ts": 1730000000123457.789012,')
    made = read_trace(text.encode("utf-8"), "t")
    assert made.origin == 1730000000123456789012
    assert [(start, end) for _, _, start, end in rows(made)] == [(0, US), (US, 4 * US)]


WORK = [
    work("before", 1, 0, 5, 10),
    work("produce", 1, 5, 5, 20),
    work("later", 1, 20, 5, 60),
    work("early", 2, 0, 2, 15),
    work("consume", 2, 12, 5, 50),
    work("next", 2, 17, 5, 70),
]


@pytest.mark.parametrize(
    ("call", "on_call", "tie"),
    [
        (40, 30, ("produce", "consume")),
        (40, 20, ("before", "consume")),  # recorded in front of what call 20 launched
        (40, 65, ("later", "consume")),
        (60, 30, ("produce", "next")),
    ],
)
def test_a_wait_ties_the_work_around_the_calls(
    call: int, on_call: int, tie: tuple[str, str]
) -> None:
    made = read([*reversed(WORK), wait(2, call, 1, on_call)])
    assert ties(made) == [tie]
    assert made.flows[0].name == "Stream Wait Event"


@pytest.mark.parametrize(
    "event",
    [
        wait(2, 40, 1, 5),  # nothing in front of the event
        wait(2, 80, 1, 30),  # nothing behind the wait
        wait(2, 40, 3, 30),  # a stream without work
        wait(3, 40, 1, 30),
        wait(2, 40, -1, -1),  # an event of before the trace
        wait(2, 40, 1, 30, wait_on_cuda_event_record_corr_id=None),
        wait(2, 40, 1, 30, wait_on_stream=None),
        wait(2, 40, 1, 30, correlation=None),
    ],
)
def test_a_wait_that_holds_nothing_back_is_counted(event: dict[str, object]) -> None:
    made = read([*WORK, event])
    assert made.flows == ()
    (note,) = made.notes
    assert note.startswith("1 of 1 stream waits hold nothing back: no work in this trace comes")


def test_waits_of_the_host_are_counted() -> None:
    event = wait(-1, 40, 1, 30) | {"name": "Event Sync"}
    made = read([*WORK, event])
    assert made.flows == ()
    assert made.notes == ("not work on a stream, left out: 1 waits of the host",)


def test_work_without_a_call_is_work_without_ties() -> None:
    bare = work("bare", 1, 30, 1, 0)
    del bare["args"]["correlation"]
    made = read([*WORK, bare, wait(2, 40, 1, 30)])
    assert len(made) == len(WORK) + 1
    assert ties(made) == [("produce", "consume")]


def without(event: dict[str, object], field: str) -> dict[str, object]:
    return {key: value for key, value in event.items() if key != field}


def test_overlapping_work_of_a_stream_names_both() -> None:
    text = refused([work("a", 7, 0, 10, 1), work("b", 7, 9, 5, 2)])
    assert "'b' starts 1.000 us before 'a' (t.json:1) ends, both on device 0 stream 7" in text
    read([work("a", 7, 0, 10, 1), work("b", 8, 9, 5, 2)])
    read([work("a", 7, 0, 10, 1), work("b", 7, 10, 5, 2)])


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (without(work("k", 7, 0, 1, 1), "dur"), "'k' has no dur; expected microseconds"),
        (without(work("k", 7, 0, 1, 1), "ts"), "'k' has no ts"),
        (work("k", 7, 0, -1, 1), "'k' has a negative dur"),
        (work("k", 7, -0.5, 1, 1), "'k' has a negative ts"),
        (work("k", 7, 1e30, 1, 1), "'k' has an impossible ts"),
        (work("k", 7, 0, 1e300, 1), "'k' has an impossible dur"),
        (work("k", 7, 0, "NaN", 1), "'k' has an impossible dur"),  # type: ignore[arg-type]
        (work("k", 7, 0, float("nan"), 1), "JSON is malformed: invalid character"),
        (work("k", 7, 0, float("inf"), 1), "JSON is malformed: invalid character"),
        (work("k", 7, 9e13, 1, 1), "of one clock, at most 106 days apart"),
        (work("k", 7, 0, "soon", 1), "Invalid decimal"),  # type: ignore[arg-type]
        (work("k", 7, 0, 1, 1) | {"args": {"stream": 7}}, "'k' has no device in its args"),
        (work("k", 7, 0, 1, 1) | {"args": {"device": 7}}, "'k' has no stream in its args"),
        (work("k", 7, 0, 1, 1) | {"args": {"device": "a"}}, "'k' has other args than Kineto"),
        (wait(7, 1, 2, 3, stream=None), "'Stream Wait Event' has no stream in its args"),
    ],
)
def test_a_bad_event_is_named_with_its_place(event: dict[str, object], said: str) -> None:
    text = refused([work("good", 7, 100, 1, 1), event])
    assert said in text
    assert text.startswith("t.json:1:")
