"""Packets: cutting a command buffer into them, and following its jumps (hardware.md 1.1-1.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fencepost.capture.pm4.buffers import CommandBuffer, Submission
from fencepost.capture.pm4.opcodes import ELSEWHERE, KNOWN_NUMBERS, OPCODES, Opcode
from fencepost.errors import PacketProblem
from fencepost.place import Place

HEADER_NOP = 0xFFFF1000
"""A NOP of just its header: opcode NOP with count 0x3fff (hardware.md 1.1)."""

FILLER = 0x80000000
"""The type-2 packet."""

RESERVED_HEADER = 0b1111_1100
FILLERS = {
    FILLER: Opcode(0, "filler", 1, 1, "hardware.md 1.1"),
    # the predicate and shader-type bits change nothing
    **{HEADER_NOP | low: Opcode(0x10, "NOP", 1, 1, "hardware.md 1.1") for low in range(4)},
}


@dataclass(frozen=True, slots=True)
class Packet:
    """One packet: its opcode's row, its body (the dwords behind the header), where it stands."""

    opcode: Opcode
    buffer: CommandBuffer
    index: int
    body: Sequence[int]

    @property
    def name(self) -> str:
        """The opcode's name."""
        return self.opcode.name

    @property
    def place(self) -> Place:
        """Where its header was read."""
        return self.buffer.place(self.index)

    @property
    def address(self) -> int | None:
        """Where its header lies in memory, None where the carrier does not tell."""
        return self.buffer.address_of(self.index)

    @property
    def predicated(self) -> bool:
        """Whether it runs only if the predicate holds (header bit 0)."""
        return self.opcode.number != 0 and bool(self.buffer.words[self.index] & 1)

    def fields(self) -> Mapping[str, int]:
        """The numbers of its layout's fields, by name."""
        return {} if self.opcode.layout is None else self.opcode.layout.decode(self.body)

    def problem(self, text: str, expected: str = "", dword: int = 1) -> PacketProblem:
        """An error about this packet, at one of its dwords (the header is 1)."""
        place = self.buffer.place(self.index + dword - 1)
        return PacketProblem(f"{self.name}: {text}", place, expected)


def packets(buffer: CommandBuffer, queue: str) -> Iterator[Packet]:
    """The packets of one buffer on a `queue` kind (`graphics`, `compute`).

    Raises `PacketProblem` at an unknown opcode, one that this queue does not run, a wrong size, a
    count past the end, a reserved bit or an unknown field value.
    """
    index = 0
    while index < len(buffer.words):
        packet = _packet(buffer, index, queue)
        yield packet
        index += 1 + len(packet.body)


def _packet(buffer: CommandBuffer, index: int, queue: str) -> Packet:
    header = buffer.words[index]
    filler = FILLERS.get(header)
    if filler is not None:
        return Packet(filler, buffer, index, ())
    place = buffer.place(index)
    if header >> 30 != 3:
        raise PacketProblem(
            f"packet of type {header >> 30} (header {header:#010x})",
            place,
            "type 3, or the type-2 filler 0x80000000; GFX7 drivers write registers by SET_*_REG",
        )
    opcode = _opcode(header, queue, place)
    if header & RESERVED_HEADER:
        raise PacketProblem(
            f"{opcode.name}: reserved bits in header {header:#010x}", place, "bits 2 to 7 zero"
        )
    dwords = (header >> 16 & 0x3FFF) + 2
    if not opcode.allows(dwords):
        raise PacketProblem(f"{opcode.name} of {dwords} dwords", place, opcode.sizes)
    end = index + dwords
    if end > len(buffer.words):
        left = len(buffer.words) - index
        raise PacketProblem(
            f"{opcode.name} runs past the end of its buffer: {left} dwords are left",
            place,
            f"{dwords} dwords",
        )
    packet = Packet(opcode, buffer, index, buffer.words[index + 1 : end])
    _check_fields(packet)
    return packet


def _opcode(header: int, queue: str, place: Place) -> Opcode:
    number = header >> 8 & 0xFF
    opcode = OPCODES.get((queue, number))
    if opcode is not None:
        return opcode
    if number in KNOWN_NUMBERS:
        row = KNOWN_NUMBERS[number]
        raise PacketProblem(
            f"{row.name} on a {queue} queue", place, f"a {' or '.join(row.queues)} queue"
        )
    hint = f" ({ELSEWHERE[number]})" if number in ELSEWHERE else ""
    raise PacketProblem(f"unknown opcode {number:#04x}{hint}", place, "an opcode of GFX7")


def _check_fields(packet: Packet) -> None:
    if packet.opcode.layout is None:
        return
    for fault in packet.opcode.layout.faults(packet.body):
        raise packet.problem(fault.problem, fault.expected, fault.dword)


def walk(submission: Submission) -> Iterator[Packet]:
    """The packets of a submission in the order in which CP reads them, INDIRECT_BUFFER followed.

    Raises `PacketProblem` as `packets` does, and when a buffer is missing, of another size, runs in
    a circle, or was recorded although nothing leads to it.
    """
    reached: set[int] = set()
    for entry in submission.entries:
        yield from _walk_from(entry, submission, reached)
    for address, buffer in submission.targets.items():
        if address not in reached:
            raise PacketProblem(
                f"nothing leads to the command buffer at {address:#x}",
                Place(buffer.file, buffer.line),
                "an INDIRECT_BUFFER packet with this address",
            )


def _walk_from(entry: CommandBuffer, submission: Submission, reached: set[int]) -> Iterator[Packet]:
    """One entry: a stack of at most two levels, each a chain of buffers already entered."""
    kind = submission.ring.kind
    levels = [(packets(entry, kind), {entry.address})]
    while levels:
        stream, chain = levels[-1]
        packet = next(stream, None)
        if packet is None:
            levels.pop()
            continue
        yield packet
        if packet.name != "INDIRECT_BUFFER":
            continue
        fields = packet.fields()
        target = _target(packet, fields, submission)
        reached.add(address_in(fields))
        if not fields["chain"]:
            if len(levels) > 1:
                raise packet.problem("a call inside a called command buffer", "two levels at most")
            levels.append((packets(target, kind), {target.address}))
            continue
        _check_chain(packet, target, chain)
        levels[-1] = (packets(target, kind), chain | {target.address})


def _check_chain(packet: Packet, target: CommandBuffer, chain: set[int | None]) -> None:
    if target.address in chain:
        raise packet.problem("the command buffers run in a circle", "an end")
    if packet.index + 1 + len(packet.body) < len(packet.buffer.words):
        raise packet.problem("dwords behind a chain are never read", "the end of the buffer")


def address_in(fields: Mapping[str, int], name: str = "address") -> int:
    """The 64-bit address in the fields `name_lo` and `name_hi`."""
    return fields[f"{name}_lo"] | fields[f"{name}_hi"] << 32


def _target(packet: Packet, fields: Mapping[str, int], submission: Submission) -> CommandBuffer:
    """The buffer that an INDIRECT_BUFFER packet leads to."""
    address = address_in(fields)
    target = submission.targets.get(address)
    if target is None:
        raise packet.problem(
            f"the command buffer at {address:#x} is not in the capture", "its dwords"
        )
    if len(target.words) != fields["size"]:
        raise packet.problem(
            f"the command buffer at {address:#x} has {len(target.words)} dwords",
            f"{fields['size']} as this packet says",
            4,
        )
    return target
