"""Resources: named byte ranges that commands access (model 1.2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fencepost.place import NOWHERE, Place

GDS_BASE = 1 << 60
"""The global data share is an address space of its own; it starts here."""

WHOLE_START = 0
WHOLE_END = 1 << 48
"""The range that covers every memory address (not GDS)."""


class ResourceKind(StrEnum):
    """What a resource is; it decides its parts."""

    BUFFER = "buffer"
    COLOR = "color"
    DEPTH = "depth"
    BACK_BUFFER = "backbuffer"
    LABEL = "label"
    GDS = "gds"


PART_NAMES: dict[ResourceKind, tuple[str, ...]] = {
    ResourceKind.BUFFER: ("bytes",),
    ResourceKind.COLOR: ("pixels", "cmask", "fmask"),
    ResourceKind.DEPTH: ("pixels", "htile"),
    ResourceKind.BACK_BUFFER: ("pixels", "cmask", "fmask"),
    ResourceKind.LABEL: ("bytes",),
    ResourceKind.GDS: ("gds",),
}
"""The parts that each kind may have; the first is always there."""


@dataclass(frozen=True, slots=True)
class Part:
    """One byte range of a resource, absolute, half-open."""

    name: str
    start: int
    end: int

    @property
    def size(self) -> int:
        """In bytes."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Resource:
    """A named resource.

    `value` is a label's starting value; `per_frame` labels start anew in each repeated frame.

    `shape` is how a target was declared (width, height, format), kept for the text form.
    """

    name: str
    kind: ResourceKind
    parts: tuple[Part, ...]
    value: int = 0
    per_frame: bool = False
    shape: tuple[int, int, str] | None = None
    placed: bool = False
    place: Place = NOWHERE

    @property
    def main(self) -> Part:
        """The part that is always there."""
        return self.parts[0]

    def part(self, name: str) -> Part | None:
        """The part of that name, or None."""
        return next((part for part in self.parts if part.name == name), None)
