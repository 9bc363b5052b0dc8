"""What packets leave behind for those that follow on the same queue."""

from __future__ import annotations

from dataclasses import dataclass, field

from fencepost.capture.pm4.annotations import Annotations
from fencepost.capture.pm4.buffers import Ring
from fencepost.capture.pm4.labels import LabelTable
from fencepost.capture.pm4.registers import Shadow
from fencepost.capture.pm4.resources import ResourceTable
from fencepost.capture.pm4.surfaces import Surface
from fencepost.stream.command import Access


@dataclass(frozen=True, slots=True)
class Geometry:
    """Numbers of a machine that sizes depend on."""

    pipes: int
    back_ends: int
    source: str


GEOMETRY = {
    "gcn2-bonaire": Geometry(4, 4, "LNX cik.c cik_gpu_init; hardware.md 3.2"),
    "gcn2-hawaii": Geometry(16, 16, "LNX cik.c cik_gpu_init; hardware.md 3.2"),
    "xbox-one": Geometry(4, 4, "assumed as Bonaire: 16 ROPs, 4 back ends (hardware.md 3.1)"),
}


@dataclass(slots=True)
class State:
    """One submission while its packets are translated: registers, bases, where names come from."""

    ring: Ring
    geometry: Geometry
    resources: ResourceTable
    labels: LabelTable
    annotations: Annotations
    shadow: Shadow = field(default_factory=Shadow)
    index_bytes: int | None = None
    index_base: int | None = None
    index_count: int | None = None
    arguments_base: int | None = None
    predicate: Surface | None = None

    @property
    def graphics(self) -> bool:
        """Whether PFP and ME are two engines."""
        return self.ring.kind == "graphics"

    def engine(self, name: str) -> str:
        """The engine of a packet's engine field: a compute queue has one."""
        return name.lower() if self.graphics else "me"

    def predication(self) -> tuple[Access, ...]:
        """What PFP reads to decide whether a predicated packet runs."""
        if self.predicate is None:
            return ()
        return (self.resources.access("pfp", "predicate", self.predicate),)
