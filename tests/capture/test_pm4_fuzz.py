"""Anything at all: packets and a program, or one clear error; never another exception."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.capture.pm4 import Capture, packets, read_capture, translate
from fencepost.errors import FencepostError
from fencepost.stream.legality import check_legality
from fencepost.stream.reading import decode
from tests.capture.build import COMPUTE, GFX, capture, command_buffer, packet, submission
from tests.capture.data import RADEONSI, needs_data, radv_streams
from tests.capture.test_carriers import HEX, MESA
from tests.capture.test_example import NOTES, STREAM

pytestmark = pytest.mark.fuzz

NUMBERS = sorted(
    {0x10, 0x11, 0x12, 0x13, 0x15, 0x16, 0x1D, 0x20, 0x24, 0x25, 0x26, 0x27, 0x28, 0x2A, 0x2C}
    | {0x2D, 0x2F, 0x34, 0x35, 0x37, 0x38, 0x3C, 0x3F, 0x40, 0x42, 0x43, 0x46, 0x47, 0x48, 0x49}
    | {0x50, 0x51, 0x58, 0x5F, 0x61, 0x68, 0x69, 0x76, 0x77, 0x79}
)
WORDS = st.one_of(
    st.sampled_from([0, 1, 2, 3, 0x407, 0x528, 0x62F, 1 << 31, 0xFFFFFFFF, 0xFFFF1000, 0x60300000]),
    st.integers(0, 0xFFFFFFFF),
)
PACKETS = st.builds(
    lambda number, body, flags: packet(number, *body, predicate=flags),
    st.sampled_from(NUMBERS),
    st.lists(WORDS, min_size=1, max_size=9),
    st.sampled_from([0, 0, 0, 1, 2]),
)


def read(data: bytes) -> Capture | None:
    try:
        return read_capture(decode(data, "fuzz"), "fuzz")
    except FencepostError as error:
        assert_clear(error)
        return None


def assert_clear(error: FencepostError) -> None:
    """One line that starts with its place."""
    text = str(error)
    assert "\n" not in text
    assert text.isprintable()
    assert error.place is not None


def check_translation(found: Capture) -> None:
    try:
        program = translate([found])
    except FencepostError as error:
        assert_clear(error)
        return
    assert check_legality(program) == []


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    for start in (b"", b"# ctx=1 chunks=2\n", MESA.encode()[:90]):
        found = read(start + data)
        if found is not None:
            check_translation(found)


@given(st.sampled_from([HEX, MESA]), st.integers(0, 600), st.text(max_size=12), st.integers(0, 9))
def test_carriers_with_a_piece_replaced(text: str, at: int, piece: str, gone: int) -> None:
    found = read((text[:at] + piece + text[at + gone :]).encode())
    if found is not None:
        check_translation(found)


@given(st.lists(WORDS, max_size=24), st.booleans())
def test_any_dwords(words: list[int], graphics: bool) -> None:
    ring = GFX if graphics else COMPUTE
    buffer = command_buffer(tuple(words))
    try:
        found = list(packets(buffer, ring.kind))
    except FencepostError as error:
        assert_clear(error)
        return
    assert sum(1 + len(row.body) for row in found) == len(words)


@given(st.lists(PACKETS, max_size=12), st.booleans())
def test_any_packets(found: list[tuple[int, ...]], graphics: bool) -> None:
    check_translation(capture(submission(*found, ring=GFX if graphics else COMPUTE)))


@given(st.lists(PACKETS, min_size=1, max_size=4), st.integers(0, 40))
def test_truncated_packets_are_refused(found: list[tuple[int, ...]], gone: int) -> None:
    words = [word for row in found for word in row]
    check_translation(capture(submission(tuple(words[: max(len(words) - gone, 0)]))))


@given(st.text(max_size=80))
def test_any_notes(text: str) -> None:
    try:
        program = translate([read_capture(HEX, "hex")], annotations=text)
    except FencepostError:
        return
    assert check_legality(program) == []


@given(st.integers(0, 2000), st.text(max_size=10), st.integers(0, 12))
def test_notes_with_a_piece_replaced(at: int, piece: str, gone: int) -> None:
    text = NOTES.read_text("utf-8")
    changed = text[:at] + piece + text[at + gone :]
    found = read_capture(STREAM.read_text("ascii"), "stream")
    try:
        program = translate([found], annotations=changed)
    except FencepostError:
        return
    assert check_legality(program) == []


def mutate(data: bytes, random_: random.Random) -> bytes:
    """A real file with some hexadecimal digits, bytes or lines changed."""
    changed = bytearray(data)
    for _ in range(random_.randrange(1, 4)):
        at = random_.randrange(len(changed))
        match random_.randrange(4):
            case 0:
                changed[at] = random_.choice(b"0123456789abcdef")
            case 1:
                changed[at] = random_.randrange(256)
            case 2:
                del changed[at : at + random_.randrange(1, 40)]
            case _:
                end = changed.find(b"\n", at) + 1
                changed[end:end] = changed[at:end]
    return bytes(changed)


@needs_data
@given(st.integers(0, 1 << 32))
def test_mutations_of_real_files(seed: int) -> None:
    random_ = random.Random(seed)
    path = random_.choice([*radv_streams(), RADEONSI])
    found = read(mutate(path.read_bytes(), random_))
    if found is not None:
        check_translation(found)
