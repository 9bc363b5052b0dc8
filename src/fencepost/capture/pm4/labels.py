"""Which addresses are labels: memory that a fence writes or a wait reads (docs/pm4.md "Labels")."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fencepost.capture.pm4.buffers import DWORD
from fencepost.capture.pm4.packets import Packet, address_in
from fencepost.stream.resource import Resource

LARGEST_LABEL = 8
"""Bytes: a fence value has 64 bits at most (hardware.md 1.3 DATA_SEL)."""

MEMORY = 1
VALUE_32, VALUE_64 = 1, 2
VALUE_SIZES = {VALUE_32: 4, VALUE_64: 8}
STORE_VALUE = 2
"""Numbers of WAIT_REG_MEM space, EVENT_WRITE_EOP data_select and EVENT_WRITE_EOS command."""


@dataclass(frozen=True, slots=True)
class Span:
    """A label's bytes [start, end)."""

    start: int
    end: int


def label_spans(packets: Iterable[Packet]) -> list[Span]:
    """The labels of a program, by address, disjoint.

    Raises `PacketProblem` where packets use one address as values of more than 64 bits together.
    """
    found = sorted(
        ((start, start + size, packet) for packet in packets for start, size in _uses(packet)),
        key=lambda row: row[:2],
    )
    spans: list[Span] = []
    for start, end, packet in found:
        if spans and start < spans[-1].end:
            spans[-1] = Span(spans[-1].start, max(end, spans[-1].end))
        else:
            spans.append(Span(start, end))
        if spans[-1].end - spans[-1].start > LARGEST_LABEL:
            raise packet.problem(
                f"the values at {spans[-1].start:#x} overlap one another", "at most 64 bits"
            )
    return spans


def _uses(packet: Packet) -> Iterator[tuple[int, int]]:
    """Address and size of the label that a fence or wait packet uses."""
    if packet.name not in ("WAIT_REG_MEM", "EVENT_WRITE_EOP", "EVENT_WRITE_EOS", "RELEASE_MEM"):
        return
    fields = packet.fields()
    if packet.name == "WAIT_REG_MEM":
        if fields["space"] == MEMORY:
            yield address_in(fields), DWORD
    elif packet.name == "EVENT_WRITE_EOS":
        if fields["command"] == STORE_VALUE:
            yield address_in(fields), DWORD
    elif fields["data_select"] in VALUE_SIZES:
        yield address_in(fields), VALUE_SIZES[fields["data_select"]]


class LabelTable:
    """The labels' resources, found by address."""

    def __init__(self, labels: Iterable[Resource]) -> None:
        self._labels = sorted(labels, key=lambda label: label.main.start)
        self._starts = [label.main.start for label in self._labels]

    def covering(self, start: int, size: int) -> Resource | None:
        """The label that holds all bytes [start, start + size), None if there is none."""
        at = bisect_right(self._starts, start) - 1
        if at < 0 or start + size > self._labels[at].main.end:
            return None
        return self._labels[at]

    def touching(self, start: int, size: int) -> Resource | None:
        """A label that shares a byte with [start, start + size)."""
        at = bisect_right(self._starts, start + size - 1) - 1
        if at < 0 or self._labels[at].main.end <= start:
            return None
        return self._labels[at]
