"""What a carrier hands to the decoder: dwords with their places, grouped as they were submitted."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

from fencepost.place import Place

DWORD = 4
"""Bytes."""


@dataclass(slots=True)
class CommandBuffer:
    """The dwords of one indirect buffer (IB), each with the line and column that it was read from.

    `address` is the buffer's virtual address, None where the carrier does not tell.
    """

    file: str
    line: int
    address: int | None
    words: array[int] = field(default_factory=lambda: array("I"))
    lines: array[int] = field(default_factory=lambda: array("I"))
    columns: array[int] = field(default_factory=lambda: array("I"))

    def append(self, word: int, line: int, column: int) -> None:
        """Add a dword and where it stands."""
        self.words.append(word)
        self.lines.append(line)
        self.columns.append(column)

    def place(self, index: int) -> Place:
        """Where dword `index` was read; its offset is in bytes from the start of the buffer.

        An index past the end names the last dword's line.
        """
        if not self.words:
            return Place(self.file, self.line, 1, 0)
        known = min(index, len(self.words) - 1)
        return Place(self.file, self.lines[known], self.columns[known], index * DWORD)

    def address_of(self, index: int) -> int | None:
        """The virtual address of dword `index`."""
        return None if self.address is None else self.address + index * DWORD


@dataclass(frozen=True, slots=True, order=True)
class Ring:
    """A hardware queue as the kernel numbers it; `kind` is `graphics` or `compute`."""

    kind: str
    number: int

    @property
    def name(self) -> str:
        """What the queue is called in a program."""
        return "gfx" if self.kind == "graphics" else f"compute{self.number}"


@dataclass(frozen=True, slots=True)
class SyncPoint:
    """A point of a kernel synchronization object (a timeline; point 0: a binary one)."""

    handle: int
    point: int
    place: Place


@dataclass(frozen=True, slots=True)
class Submission:
    """One submission to a ring.

    `entries` run one after the other; `targets` are the buffers that INDIRECT_BUFFER packets lead
    to, by address. `waits` hold the submission back, `signals` follow its end.
    """

    place: Place
    ring: Ring
    entries: tuple[CommandBuffer, ...]
    targets: dict[int, CommandBuffer] = field(default_factory=dict)
    waits: tuple[SyncPoint, ...] = ()
    signals: tuple[SyncPoint, ...] = ()


@dataclass(frozen=True, slots=True)
class Capture:
    """A file's submissions in order.

    `skipped` lines stood outside the streams: messages of the program that was recorded.
    """

    file: str
    submissions: Sequence[Submission]
    skipped: tuple[Place, ...] = ()
