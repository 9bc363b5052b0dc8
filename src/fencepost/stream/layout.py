"""Where resources lie and how large their parts are.

Without an explicit address a resource follows the one declared before it, on a boundary of
`ALIGNMENT` bytes, so that no two share a cache line. The same declarations give the same addresses.
"""

from __future__ import annotations

from dataclasses import dataclass

from fencepost.errors import ProgramProblem
from fencepost.place import NOWHERE, Place
from fencepost.stream.resource import (
    GDS_BASE,
    PART_NAMES,
    WHOLE_END,
    Part,
    Resource,
    ResourceKind,
)
from fencepost.stream.words import hint

ALIGNMENT = 256
"""Bytes; the granularity of surface-sync ranges, a multiple of the line (hardware.md 1.6)."""

FIRST_ADDRESS = 0xA_0000_0000
"""Where the first resource without an address lies: far from addresses that people and drivers
choose, and below the end of the range that the seed gives for "everything" (0xfffffff00)."""

LABEL_SIZE = 8
"""Bytes of a label unless it says otherwise: a 64-bit fence value."""


@dataclass(frozen=True, slots=True)
class FormatRow:
    """A pixel format of a target: bytes of one sample."""

    name: str
    kind: ResourceKind
    size: int
    source: str


_COLOR, _DEPTH = ResourceKind.COLOR, ResourceKind.DEPTH
_BITS = "the bits that the name says"

FORMATS: dict[str, FormatRow] = {
    row.name: row
    for row in (
        FormatRow("r8", _COLOR, 1, _BITS),
        FormatRow("rg8", _COLOR, 2, _BITS),
        FormatRow("rgba8", _COLOR, 4, _BITS),
        FormatRow("bgra8", _COLOR, 4, _BITS),
        FormatRow("rgb10a2", _COLOR, 4, _BITS),
        FormatRow("rg11b10f", _COLOR, 4, _BITS),
        FormatRow("r16", _COLOR, 2, _BITS),
        FormatRow("r16f", _COLOR, 2, _BITS),
        FormatRow("rg16", _COLOR, 4, _BITS),
        FormatRow("rg16f", _COLOR, 4, _BITS),
        FormatRow("rgba16", _COLOR, 8, _BITS),
        FormatRow("rgba16f", _COLOR, 8, _BITS),
        FormatRow("r32", _COLOR, 4, _BITS),
        FormatRow("r32f", _COLOR, 4, _BITS),
        FormatRow("rg32f", _COLOR, 8, _BITS),
        FormatRow("rgba32f", _COLOR, 16, _BITS),
        FormatRow("d16", _DEPTH, 2, _BITS),
        FormatRow("d24s8", _DEPTH, 4, _BITS),
        FormatRow("d32f", _DEPTH, 4, _BITS),
        FormatRow("d32fs8", _DEPTH, 5, f"{_BITS}; depth and stencil planes together"),
    )
}
"""A target takes width x height x samples x size (assumed: no padding; a size can be given)."""

SAMPLES: dict[str, int] = {"2x": 2, "4x": 4, "8x": 8}
"""A format may end in `-4x`: samples of a pixel."""


@dataclass(frozen=True, slots=True)
class MetadataRow:
    """Bits of metadata for each tile of `tile` x `tile` pixels, by samples."""

    part: str
    tile: int
    bits: dict[int, int]
    source: str


METADATA: dict[str, MetadataRow] = {
    row.part: row
    for row in (
        MetadataRow("cmask", 8, {1: 4, 2: 4, 4: 4, 8: 4}, "assumed: 4 bits a tile, as Mesa counts"),
        MetadataRow("fmask", 1, {1: 8, 2: 8, 4: 8, 8: 32}, "assumed: as Mesa counts"),
        MetadataRow(
            "htile", 8, {1: 32, 2: 32, 4: 32, 8: 32}, "assumed: 4 bytes a tile, as Mesa counts"
        ),
    )
}


@dataclass(frozen=True, slots=True)
class PartRequest:
    """A metadata part that a declaration asks for; None: as the layout decides."""

    name: str
    size: int | None = None
    address: int | None = None


@dataclass(frozen=True, slots=True)
class Declaration:
    """What one of the three forms says about a resource. GDS addresses count from its own start."""

    name: str
    kind: ResourceKind
    size: int | None = None
    address: int | None = None
    shape: tuple[int, int, str] | None = None
    parts: tuple[PartRequest, ...] = ()
    value: int = 0
    per_frame: bool = False
    place: Place = NOWHERE


def shape_size(shape: tuple[int, int, str], kind: ResourceKind) -> int:
    """Bytes of the pixels; raises `ProgramProblem` for a format that is not in the table."""
    width, height, name = shape
    base, samples = _split(name)
    row = FORMATS.get(base)
    wanted = _DEPTH if kind is _DEPTH else _COLOR
    known = [row.name for row in FORMATS.values() if row.kind is wanted]
    if row is None:
        raise ProgramProblem(f"no format '{name}'{hint(base, known)}", expected=", ".join(known))
    if row.kind is not wanted:
        raise ProgramProblem(f"'{name}' is no {wanted} format", expected=", ".join(known))
    return width * height * samples * row.size


def metadata_size(part: str, shape: tuple[int, int, str]) -> int:
    """Bytes of a metadata part of a target of that shape."""
    width, height, name = shape
    row = METADATA[part]
    tiles = -(-width // row.tile) * -(-height // row.tile)
    return -(-tiles * row.bits[_split(name)[1]] // 8)


def _split(name: str) -> tuple[str, int]:
    """The format without its samples, and the samples."""
    base, dash, samples = name.rpartition("-")
    if dash and samples in SAMPLES:
        return base, SAMPLES[samples]
    return name, 1


def align(address: int) -> int:
    """The next multiple of `ALIGNMENT`."""
    return -(-address // ALIGNMENT) * ALIGNMENT


class Layout:
    """Gives each declared resource its parts and addresses, in the order of the calls."""

    def __init__(self) -> None:
        self._next = FIRST_ADDRESS
        self._next_gds = GDS_BASE

    def place(self, declaration: Declaration) -> Resource:
        """The resource; raises `ProgramProblem` where sizes or addresses make no sense."""
        requests = _requests(declaration)
        base = declaration.address
        if base is None:
            base = self._take(declaration.kind, sum(align(size) for _, size, _ in requests))
        elif declaration.kind is ResourceKind.GDS:
            base += GDS_BASE
        parts = _parts(requests, base)
        _check_end(declaration, parts)
        return Resource(
            declaration.name,
            declaration.kind,
            parts,
            declaration.value,
            declaration.per_frame,
            declaration.shape,
            declaration.address is not None,
            declaration.place,
        )

    def accept(self, resource: Resource) -> bool:
        """Whether it lies where `place` would put it next; if so, that room is taken."""
        in_gds = resource.kind is ResourceKind.GDS
        here = self._next_gds if in_gds else self._next
        parts = placed_by_layout(resource)
        if resource.placed or resource.main.start != here or resource.parts != parts:
            return False
        self._take(resource.kind, sum(align(part.size) for part in parts))
        return True

    def _take(self, kind: ResourceKind, total: int) -> int:
        """The next free address of that address space."""
        if kind is ResourceKind.GDS:
            base, self._next_gds = self._next_gds, self._next_gds + total
        else:
            base, self._next = self._next, self._next + total
        return base


def _requests(declaration: Declaration) -> list[tuple[str, int, int | None]]:
    """Name, size and wanted address of each part, in the order of `PART_NAMES`."""
    names = PART_NAMES[declaration.kind]
    asked = {part.name: part for part in declaration.parts}
    for name in asked:
        if name not in names[1:]:
            raise ProgramProblem(
                f"a {declaration.kind} has no part '{name}'{hint(name, names[1:])}",
                expected=", ".join(names[1:]) or "no further part",
            )
    found: list[tuple[str, int, int | None]] = [(names[0], _main_size(declaration), None)]
    return found + [
        (name, _part_size(declaration, asked[name]), asked[name].address)
        for name in names[1:]
        if name in asked
    ]


def _main_size(declaration: Declaration) -> int:
    size = declaration.size
    if size is None and declaration.shape is not None:
        size = shape_size(declaration.shape, declaration.kind)
    if size is None and declaration.kind is ResourceKind.LABEL:
        size = LABEL_SIZE
    if size is None:
        raise ProgramProblem(f"'{declaration.name}' has no size", expected="a size in bytes")
    return _positive(size, declaration.name)


def _part_size(declaration: Declaration, part: PartRequest) -> int:
    if part.address is not None and declaration.address is None:
        raise ProgramProblem(
            f"{part.name} has an address and '{declaration.name}' itself has none",
            expected="an address for the pixels too",
        )
    if part.size is not None:
        return _positive(part.size, part.name)
    if declaration.shape is None:
        raise ProgramProblem(
            f"{part.name} needs a size where the target has no width, height and format",
            expected="a size in bytes",
        )
    return metadata_size(part.name, declaration.shape)


def _positive(size: int, name: str) -> int:
    if size <= 0:
        raise ProgramProblem(f"'{name}' is empty", expected="at least one byte")
    return size


def _parts(requests: list[tuple[str, int, int | None]], base: int) -> tuple[Part, ...]:
    """Each part at its own address, or behind the one before it."""
    parts: list[Part] = []
    following = base
    for name, size, address in requests:
        start = following if address is None else address
        parts.append(Part(name, start, start + size))
        following = align(start + size)
    return tuple(parts)


def _check_end(declaration: Declaration, parts: tuple[Part, ...]) -> None:
    limit = WHOLE_END + (GDS_BASE if declaration.kind is ResourceKind.GDS else 0)
    for part in parts:
        if part.start < 0 or part.end > limit:
            raise ProgramProblem(
                f"'{declaration.name}' ends beyond the address space", expected="48-bit addresses"
            )


def placed_by_layout(resource: Resource) -> tuple[Part, ...]:
    """The parts as they would lie behind one another from the start of the first."""
    requests: list[tuple[str, int, int | None]] = [
        (part.name, part.size, None) for part in resource.parts
    ]
    return _parts(requests, resource.main.start)
