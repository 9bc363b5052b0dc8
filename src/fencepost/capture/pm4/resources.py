"""Resources that nobody declared: names and declarations made from the addresses in the stream."""

from __future__ import annotations

from collections import Counter

from fencepost.capture.pm4.surfaces import Surface
from fencepost.stream.assembly import Assembly
from fencepost.stream.command import Access
from fencepost.stream.layout import Declaration, PartRequest
from fencepost.stream.resource import GDS_BASE, Resource, ResourceKind


class ResourceTable:
    """Gives every surface a resource: a declared one, or a new one named after its address."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._declared = tuple(assembly.resources.values())
        self._known: dict[Surface, Resource] = {}
        self._names: Counter[str] = Counter()
        self._accesses: dict[tuple[object, ...], Access] = {}

    def resource(self, surface: Surface) -> Resource:
        """The surface's resource; the same surface always gives the same one."""
        resource = self._known.get(surface)
        if resource is None:
            resource = self._known[surface] = self._find(surface) or self._new(surface)
        return resource

    def access(self, block: str, use: str, surface: Surface, part: str = "") -> Access:
        """`block.use` of one part of a surface (its first by default), whole."""
        key = (block, use, surface, part)
        access = self._accesses.get(key)
        if access is None:
            bounds = surface.part(part) or surface.parts[0]
            resource = self.resource(surface)
            access = Access(block, use, resource, bounds.name, bounds.start, bounds.end)
            self._accesses[key] = access
        return access

    def _find(self, surface: Surface) -> Resource | None:
        """A declared resource of the same kind whose parts hold the surface's."""
        return next(
            (resource for resource in self._declared if _holds(resource, surface)),
            None,
        )

    def _new(self, surface: Surface) -> Resource:
        main, *rest = surface.parts
        start = main.start - GDS_BASE if surface.kind is ResourceKind.GDS else main.start
        parts = tuple(PartRequest(part.name, part.size, part.start) for part in rest)
        name = self._name(f"{surface.prefix}-{start:#x}")
        return self._assembly.declare(
            Declaration(name, surface.kind, main.size, start, None, parts)
        )

    def _name(self, wanted: str) -> str:
        """That name, or with a number behind it: one address may hold things of several sizes."""
        self._names[wanted] += 1
        number = self._names[wanted]
        name = wanted if number == 1 else f"{wanted}-{number}"
        return name if name not in self._assembly.resources else self._name(wanted)


def _holds(resource: Resource, surface: Surface) -> bool:
    if resource.kind is not surface.kind:
        return False
    for part in surface.parts:
        home = resource.part(part.name)
        if home is None or not home.start <= part.start <= part.end <= home.end:
            return False
    return True
