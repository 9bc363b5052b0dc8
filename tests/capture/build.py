"""Small captures for tests: packets as numbers, without any of the decoder's tables."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.capture.pm4.buffers import Capture, CommandBuffer, Ring, Submission, SyncPoint
from fencepost.capture.pm4.translate import translate
from fencepost.errors import FencepostError
from fencepost.place import Place
from fencepost.stream.command import Command
from fencepost.stream.program import Program

GFX = Ring("graphics", 0)
COMPUTE = Ring("compute", 1)
BASE = 0x1_0000_0000

NOP, SET_BASE, CLEAR_STATE, INDEX_BUFFER_SIZE = 0x10, 0x11, 0x12, 0x13
DISPATCH_DIRECT, DISPATCH_INDIRECT, SET_PREDICATION = 0x15, 0x16, 0x20
DRAW_INDIRECT, DRAW_INDEX_INDIRECT, INDEX_BASE, DRAW_INDEX_2 = 0x24, 0x25, 0x26, 0x27
INDEX_TYPE, DRAW_INDIRECT_MULTI, DRAW_INDEX_AUTO = 0x2A, 0x2C, 0x2D
STRMOUT_BUFFER_UPDATE, DRAW_INDEX_OFFSET_2, WRITE_DATA = 0x34, 0x35, 0x37
WAIT_REG_MEM, INDIRECT_BUFFER, COPY_DATA = 0x3C, 0x3F, 0x40
PFP_SYNC_ME, SURFACE_SYNC = 0x42, 0x43
EVENT_WRITE, EVENT_WRITE_EOP, EVENT_WRITE_EOS, RELEASE_MEM = 0x46, 0x47, 0x48, 0x49
DMA_DATA, CONTEXT_REG_RMW, ACQUIRE_MEM = 0x50, 0x51, 0x58
LOAD_CONTEXT_REG, SET_CONTEXT_REG, SET_SH_REG, SET_UCONFIG_REG = 0x61, 0x69, 0x76, 0x79

DRAW = (0xC0012D00, 3, 2)
DISPATCH = (0xC0031502, 8, 4, 1, 1)


def packet(opcode: int, *body: int, predicate: int = 0) -> tuple[int, ...]:
    """A type-3 packet."""
    return (3 << 30 | len(body) - 1 << 16 | opcode << 8 | predicate, *body)


def low(address: int) -> int:
    return address & 0xFFFFFFFF


def high(address: int) -> int:
    return address >> 32


def context(address: int, *values: int) -> tuple[int, ...]:
    """SET_CONTEXT_REG of registers by byte address."""
    return packet(SET_CONTEXT_REG, (address - 0x28000) // 4, *values)


def command_buffer(
    *packets: Sequence[int], address: int | None = BASE, file: str = "stream.txt"
) -> CommandBuffer:
    """A buffer with one packet a line, from line 10."""
    found = CommandBuffer(file, 1, address)
    for line, words in enumerate(packets, start=10):
        for at, word in enumerate(words):
            found.append(word, line, 1 + 9 * at)
    return found


def submission(
    *packets: Sequence[int],
    ring: Ring = GFX,
    targets: Sequence[CommandBuffer] = (),
    file: str = "stream.txt",
    waits: Sequence[tuple[int, int]] = (),
    signals: Sequence[tuple[int, int]] = (),
) -> Submission:
    """One submission of one buffer."""
    place = Place(file, 1)
    return Submission(
        place,
        ring,
        (command_buffer(*packets, file=file),),
        {target.address: target for target in targets if target.address is not None},
        tuple(SyncPoint(*point, place) for point in waits),
        tuple(SyncPoint(*point, place) for point in signals),
    )


def capture(*submissions: Submission) -> Capture:
    return Capture("stream.txt", submissions)


def program(*packets: Sequence[int], ring: Ring = GFX, notes: str = "") -> Program:
    """The translated program of some packets."""
    found = capture(submission(*packets, ring=ring))
    return translate([found], annotations=notes, annotations_file="n.notes")


def commands(*packets: Sequence[int], ring: Ring = GFX, notes: str = "") -> list[Command]:
    """The commands that some packets become."""
    (queue,) = program(*packets, ring=ring, notes=notes).queues
    return list(queue.commands)


def command(*packets: Sequence[int], ring: Ring = GFX) -> Command:
    """The only command that some packets become."""
    (found,) = commands(*packets, ring=ring)
    return found


def problem(*packets: Sequence[int], ring: Ring = GFX, notes: str = "") -> str:
    """What is reported about some packets."""
    try:
        program(*packets, ring=ring, notes=notes)
    except FencepostError as error:
        return str(error)
    return "nothing"
