"""Kineto's traces: kernels, copies and memsets, one queue for each stream of a device.

Source: the traces that PyTorch's profiler writes (Kineto, `output_json`): `args` of GPU work has
`device`, `stream` and `correlation`, the number of the API call that launched it; a `cuda_sync`
event "Stream Wait Event" has the call that recorded the event, `wait_on_cuda_event_record_corr_id`,
and its stream.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, field

import msgspec

from fencepost.capture.traces.events import BAD_JSON, Event, Events, said
from fencepost.capture.traces.phases import LEFT_OUT
from fencepost.errors import SyntaxProblem
from fencepost.timeline.builder import TimelineBuilder
from fencepost.timeline.table import Flow, Timeline, Track

CATEGORIES = frozenset({"kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset"})
"""Categories of work on a stream, in lower case; the ones without `gpu_` are of older versions."""

UNKNOWN = -1
"""What Kineto writes for a stream or call that it does not know."""

SYNCHRONIZATION = "cuda_sync"
STREAM_WAIT = "Stream Wait Event"

Stream = tuple[int, int]
"""Device and stream."""


class Arguments(msgspec.Struct, gc=False):
    """What `args` says of work on a stream, or of a wait."""

    device: int | None = None
    stream: int | None = None
    correlation: int | None = None
    wait_on_stream: int | None = None
    wait_on_cuda_event_record_corr_id: int | None = None


_ARGUMENTS = msgspec.json.Decoder(Arguments)


@dataclass(frozen=True, slots=True)
class Wait:
    """A stream waits for an event: calls that recorded it and that made the stream wait."""

    stream: Stream
    call: int
    signal_stream: Stream
    signal_call: int


@dataclass(frozen=True, slots=True)
class Work:
    """Work on one stream: the calls that launched it and its numbers, in any order."""

    calls: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)

    def ordered(self) -> Work:
        """The same in the order of the calls, which is that of the stream."""
        rows = sorted(zip(self.calls, self.numbers, strict=True))
        return Work([call for call, _ in rows], [number for _, number in rows])

    def last_before(self, call: int) -> int | None:
        """The last work that was launched before a call."""
        at = bisect_left(self.calls, call) - 1
        return self.numbers[at] if at >= 0 else None

    def first_after(self, call: int) -> int | None:
        """The first work that was launched after a call; none after a call that is not known."""
        at = bisect_right(self.calls, call) if call != UNKNOWN else len(self.calls)
        return self.numbers[at] if at < len(self.calls) else None


def is_on_stream(event: Event) -> bool:
    """Whether `args` names a device and a stream."""
    try:
        arguments = _ARGUMENTS.decode(event.args)
    except BAD_JSON:
        return False
    return arguments.device is not None and arguments.stream is not None


def kineto_timeline(events: Events, tolerance: int = 0) -> Timeline:
    """The work on streams; raises `SyntaxProblem`, or `TimelineProblem` as the builder does."""
    reader = _Reader(events, tolerance)
    for number, event in enumerate(events):
        category = (event.cat or "").lower()
        if event.ph == "X" and category in CATEGORIES:
            reader.work(number, event)
        elif event.ph == "X" and category == SYNCHRONIZATION:
            reader.wait(number, event)
        else:
            reader.others[event.cat or LEFT_OUT.get(event.ph, "uncategorized")] += 1
    return reader.timeline()


class _Reader:
    """Collects the work of all streams, then ties waits to it."""

    def __init__(self, events: Events, tolerance: int) -> None:
        self.events = events
        self.builder = TimelineBuilder(tolerance)
        self.tracks: dict[Stream, int] = {}
        self.launched: dict[Stream, Work] = {}
        self.sources: array[int] = array("q")  # span -> event
        self.waits: list[Wait] = []
        self.others: Counter[str] = Counter()

    def work(self, number: int, event: Event) -> None:
        arguments = self._arguments(number, event)
        stream = self._stream(number, event, arguments)
        if stream not in self.tracks:
            self.tracks[stream] = self.builder.track("")
            self.launched[stream] = Work()
        start, end = self.events.stretch(number, event)
        activity = self.builder.named(event.name or "", event.cat or "")
        span = self.builder.span(self.tracks[stream], start, end, activity)
        self.sources.append(number)
        if arguments.correlation is not None:
            self.launched[stream].calls.append(arguments.correlation)
            self.launched[stream].numbers.append(span)

    def wait(self, number: int, event: Event) -> None:
        if event.name != STREAM_WAIT:
            self.others["waits of the host"] += 1
            return
        arguments = self._arguments(number, event)
        device, stream = self._stream(number, event, arguments)
        self.waits.append(
            Wait(
                (device, stream),
                _known(arguments.correlation),
                (device, _known(arguments.wait_on_stream)),
                _known(arguments.wait_on_cuda_event_record_corr_id),
            )
        )

    def timeline(self) -> Timeline:
        self._add_flows()
        self.builder.arrange(
            [(self.tracks[stream], _track(stream)) for stream in sorted(self.tracks)]
        )
        if self.others:
            left = ", ".join(f"{count:,} {name}" for name, count in self.others.most_common())
            self.builder.note(f"not work on a stream, left out: {left}")
        for note in self.events.notes:
            self.builder.note(note)
        return self.builder.build(
            self.events.file, lambda span: self.events.place(self.sources[span])
        )

    def _add_flows(self) -> None:
        """From the last work before the event was recorded to the first after the wait."""
        launched = {stream: work.ordered() for stream, work in self.launched.items()}
        idle = 0
        for wait in self.waits:
            signals, waiters = launched.get(wait.signal_stream), launched.get(wait.stream)
            signal = signals.last_before(wait.signal_call) if signals else None
            waiter = waiters.first_after(wait.call) if waiters else None
            if signal is None or waiter is None:
                idle += 1
            else:
                self.builder.flow(Flow(signal, waiter, name=STREAM_WAIT))
        if idle:
            self.builder.note(
                f"{idle:,} of {len(self.waits):,} stream waits hold nothing back: no work in this "
                "trace comes before the event, or none after the wait"
            )

    def _arguments(self, number: int, event: Event) -> Arguments:
        try:
            return _ARGUMENTS.decode(event.args)
        except BAD_JSON as error:
            problem = f"{event.title} has other args than Kineto writes ({said(error)})"
            raise SyntaxProblem(problem, self.events.place(number), "whole numbers") from None

    def _stream(self, number: int, event: Event, arguments: Arguments) -> Stream:
        if arguments.device is None or arguments.stream is None:
            missing = "device" if arguments.device is None else "stream"
            problem = f"{event.title} has no {missing} in its args"
            raise SyntaxProblem(problem, self.events.place(number), "device and stream")
        return arguments.device, arguments.stream


def _track(stream: Stream) -> Track:
    return Track(f"stream {stream[1]}", group=f"device {stream[0]}")


def _known(value: int | None) -> int:
    return UNKNOWN if value is None else value
