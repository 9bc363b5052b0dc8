"""Resources to declarations."""

from __future__ import annotations

from bisect import bisect_right

from fencepost.errors import ProgramProblem
from fencepost.stream.layout import LABEL_SIZE, Layout, align, metadata_size, shape_size
from fencepost.stream.resource import GDS_BASE, Part, Resource, ResourceKind
from fencepost.stream.text.spelling import name_text, number_text
from fencepost.stream.units import print_size


class ResourcePrinter:
    """Prints resources in their order; an address only where the layout would choose another."""

    def __init__(self) -> None:
        self._layout = Layout()
        self._starts: list[int] = []
        self._laid_out: list[Resource] = []

    def line(self, resource: Resource) -> str:
        """The declaration of the next resource."""
        words = [str(resource.kind), name_text(resource.name), *_size(resource)]
        if resource.kind is ResourceKind.LABEL:
            words += [f"= {number_text(resource.value)}"]
            words += ["per-frame"] * resource.per_frame
        if self._layout.accept(resource):
            self._starts.append(resource.main.start)
            self._laid_out.append(resource)
        else:
            words.append(f"at {self._address(resource)}")
        words += _metadata(resource)
        return " ".join(words)

    def _address(self, resource: Resource) -> str:
        """A number, or the resource that lies there already."""
        start = resource.main.start
        if resource.kind is ResourceKind.GDS:
            return hex(start - GDS_BASE)
        index = bisect_right(self._starts, start) - 1
        if index >= 0 and start < self._laid_out[index].parts[-1].end:
            below = self._laid_out[index]
            offset = start - below.main.start
            return name_text(below.name) + (f"+{number_text(offset)}" if offset else "")
        return hex(start)


def _size(resource: Resource) -> list[str]:
    """The shape, and the size where the shape (or the kind) does not say it."""
    words: list[str] = []
    usual = LABEL_SIZE if resource.kind is ResourceKind.LABEL else -1
    if resource.shape is not None:
        width, height, form = resource.shape
        words = [f"{width}x{height}", form]
        usual = _shape_size(resource.shape, resource.kind)
    if resource.main.size != usual:
        words.append(print_size(resource.main.size))
    return words


def _shape_size(shape: tuple[int, int, str], kind: ResourceKind) -> int:
    try:
        return shape_size(shape, kind)
    except ProgramProblem:
        return -1


def _metadata(resource: Resource) -> list[str]:
    """Each further part, with size and address where they are not what the layout would choose."""
    words: list[str] = []
    before: Part = resource.main
    for part in resource.parts[1:]:
        words.append(part.name)
        if resource.shape is None or part.size != metadata_size(part.name, resource.shape):
            words.append(print_size(part.size))
        if part.start != align(before.end):
            words.append(f"at {hex(part.start)}")
        before = part
    return words
