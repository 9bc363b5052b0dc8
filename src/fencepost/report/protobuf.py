"""The little of protobuf's wire format that writing a trace takes.

Source: "Encoding" in the documentation of Protocol Buffers.
"""

from __future__ import annotations

_VARINT = 0
_FIXED64 = 1
_LENGTH = 2


def varint(value: int) -> bytes:
    """A number of up to 64 bits, seven at a time, lowest first."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field: int, value: int) -> bytes:
    """A field of type uint32, uint64, int32 (0 or more), bool or enum."""
    return varint(field << 3 | _VARINT) + varint(value)


def fixed64(field: int, value: int) -> bytes:
    """A field of type fixed64."""
    return varint(field << 3 | _FIXED64) + value.to_bytes(8, "little")


def data(field: int, value: bytes) -> bytes:
    """A field that holds a message, or bytes."""
    return varint(field << 3 | _LENGTH) + varint(len(value)) + value


def text(field: int, value: str) -> bytes:
    """A field of type string."""
    return data(field, value.encode("utf-8", "replace"))
