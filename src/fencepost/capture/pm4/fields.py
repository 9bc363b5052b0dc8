"""Fields of packets: rows of a table, and the one piece of code that walks them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

MASK = 0xFFFFFFFF


def bits(value: int, low: int, high: int) -> int:
    """Bits `low`..`high` (both included) of a dword."""
    return value >> low & (1 << high - low + 1) - 1


@dataclass(frozen=True)
class Field:
    """Bits `low`..`high` of dword `dword` (the header is 1, as in the public packet headers).

    `values` names what may stand there; None: any number.
    """

    name: str
    dword: int
    low: int = 0
    high: int = 31
    values: Mapping[int, str] | None = None

    def of(self, body: Sequence[int]) -> int:
        """This field's number in a packet's body (its dwords without the header)."""
        return bits(body[self.dword - 2], self.low, self.high)


@dataclass(frozen=True)
class Fault:
    """What is wrong with a packet, and in which of its dwords (the header is 1)."""

    dword: int
    problem: str
    expected: str


@dataclass(frozen=True)
class Layout:
    """The fixed dwords of a packet. A bit that no field covers is reserved: it must be zero."""

    fields: tuple[Field, ...]
    source: str

    @cached_property
    def dwords(self) -> int:
        """Dwords that are described, header included."""
        return max((field.dword for field in self.fields), default=1)

    @cached_property
    def reserved(self) -> tuple[tuple[int, int], ...]:
        """Dword and mask of its reserved bits, where there are any."""
        masks = dict.fromkeys(range(2, self.dwords + 1), MASK)
        for field in self.fields:
            masks[field.dword] &= ~(bits(MASK, 0, field.high - field.low) << field.low)
        return tuple((dword, mask) for dword, mask in masks.items() if mask)

    def decode(self, body: Sequence[int]) -> dict[str, int]:
        """The fields' numbers by name."""
        return {field.name: field.of(body) for field in self.fields if field.dword - 2 < len(body)}

    def faults(self, body: Sequence[int]) -> Iterator[Fault]:
        """What the packet holds that GFX7 does not know."""
        for dword, mask in self.reserved:
            if dword - 2 < len(body) and body[dword - 2] & mask:
                wrong = (body[dword - 2] & mask).bit_length() - 1
                yield Fault(dword, f"bit {wrong} of dword {dword} is reserved on GFX7", "0")
        for field in self.fields:
            if field.values is None or field.dword - 2 >= len(body):
                continue
            value = field.of(body)
            if value not in field.values:
                names = ", ".join(f"{key} ({name})" for key, name in field.values.items())
                yield Fault(field.dword, f"{field.name} {value:#x} is unknown", names)
