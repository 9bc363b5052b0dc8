"""Chrome trace events as JSON: the array or the object form (`traceEvents`).

Source of the format: "Trace Event Format" of the Chromium project. Events are decoded one at a
time, so that a large trace takes memory for its bytes and little more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

import msgspec

from fencepost.errors import SyntaxProblem, TimelineProblem
from fencepost.place import Place
from fencepost.timeline.quoting import quoted, shortened
from fencepost.timeline.times import UNITS, is_time, picoseconds

MICROSECOND = UNITS["us"]
EXPECTED = 'Chrome trace events: {"traceEvents": [...]} or [...]'
OWN = "fencepost.timeline"
VERSION = 1
BAD_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding raises."""


class Event(msgspec.Struct, gc=False):
    """The fields of an event that a timeline needs; `args` stays undecoded."""

    ph: str = ""
    name: str | None = None
    cat: str | None = None
    ts: int | Decimal | None = None
    dur: int | Decimal | None = None
    pid: int | str | None = None
    tid: int | str | None = None
    id: int | str | None = None
    bp: str | None = None
    args: msgspec.Raw = msgspec.Raw(b"{}")

    @property
    def title(self) -> str:
        """A name for messages."""
        return quoted(self.name) if self.name else f"an unnamed {shortened(self.ph)}"


class OtherData(msgspec.Struct):
    """What fencepost notes in the traces that it writes."""

    format: str = ""
    version: int = 0
    origin_ps: int = 0


class _Object(msgspec.Struct):
    traceEvents: list[msgspec.Raw]  # noqa: N815 - the format's own name
    otherData: msgspec.Raw = msgspec.Raw(b"{}")  # noqa: N815


_OBJECT = msgspec.json.Decoder(_Object)
_ARRAY = msgspec.json.Decoder(list[msgspec.Raw])
_EVENT = msgspec.json.Decoder(Event)
_AT = re.compile(r" \(byte (\d+)\)$")


@dataclass(frozen=True, slots=True)
class Events:
    """The undecoded events of a trace, in their order."""

    file: str
    data: bytes
    raw: list[msgspec.Raw]
    other: OtherData
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Event]:
        """Every event; raises `SyntaxProblem` for one that is none."""
        for number, raw in enumerate(self.raw):
            try:
                yield _EVENT.decode(raw)
            except BAD_JSON as error:
                raise SyntaxProblem(said(error), self.place(number), "a trace event") from None

    def start(self, number: int, event: Event) -> int:
        """When an event is, in picoseconds; raises `TimelineProblem` where it does not say."""
        return picoseconds(self._time(number, event, "ts", event.ts), MICROSECOND)

    def stretch(self, number: int, event: Event) -> tuple[int, int]:
        """When a slice `X` starts and ends, in picoseconds; raises as `start`."""
        start = self._time(number, event, "ts", event.ts)
        end = start + self._time(number, event, "dur", event.dur)
        return picoseconds(start, MICROSECOND), picoseconds(end, MICROSECOND)

    def _time(
        self, number: int, event: Event, field: str, value: int | Decimal | None
    ) -> int | Decimal:
        if value is not None and is_time(value) and value >= 0:
            return value
        said = "no" if value is None else "a negative" if is_time(value) else "an impossible"
        problem = f"{event.title} has {said} {field}"
        raise TimelineProblem(problem, self.place(number), "microseconds, 0 or more")

    def place(self, number: int) -> Place:
        """Line and column of an event."""
        at = max(self.data.find(b'"traceEvents"'), 0)
        for raw in self.raw[: number + 1]:
            event = bytes(raw)
            at = self.data.find(event, at) + len(event)
        return _place(self.data, self.file, at - len(bytes(self.raw[number])))


def read_events(data: bytes, file: str) -> Events:
    """The events of a JSON text; raises `SyntaxProblem` where it is none or is cut short.

    The array form may lack its `]`, as the format allows; a note says so.
    """
    try:
        if data.lstrip()[:1] == b"[":
            return _array(data, file)
        made = _OBJECT.decode(data)
    except msgspec.ValidationError as error:
        raise SyntaxProblem(f"no trace ({error})", Place(file, 0), EXPECTED) from None
    except BAD_JSON as error:
        raise _malformed(error, data, file) from None
    return Events(file, data, made.traceEvents, _other(made.otherData))


def _array(data: bytes, file: str) -> Events:
    try:
        return Events(file, data, _ARRAY.decode(data), OtherData())
    except msgspec.DecodeError as error:
        if "truncated" not in str(error):
            raise
    closed = data.rstrip().removesuffix(b",") + b"]"
    note = "the array of events is not closed, which its format allows: its end may be missing"
    return Events(file, closed, _ARRAY.decode(closed), OtherData(), (note,))


def _other(raw: msgspec.Raw) -> OtherData:
    """What fencepost noted, or nothing where somebody else wrote the trace."""
    try:
        return msgspec.json.decode(raw, type=OtherData)
    except BAD_JSON:
        return OtherData()


def _malformed(error: Exception, data: bytes, file: str) -> SyntaxProblem:
    match = _AT.search(str(error))
    place = _place(data, file, int(match[1])) if match else Place(file, 0)
    if "truncated" in str(error):
        return SyntaxProblem("the JSON is cut short", Place(file, 0), EXPECTED)
    return SyntaxProblem(said(error), place, EXPECTED)


def said(error: Exception) -> str:
    """What the decoder says, in one line."""
    if isinstance(error, RecursionError):
        return "JSON is nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.object[error.start]:#04x} is no UTF-8"
    return " ".join(_AT.sub("", str(error)).split())


def _place(data: bytes, file: str, at: int) -> Place:
    begin = data.rfind(b"\n", 0, at) + 1
    return Place(file, data.count(b"\n", 0, begin) + 1, at - begin + 1)
