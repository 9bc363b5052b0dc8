"""Anything at all: a table that holds together, or one clear error; never another exception."""

from __future__ import annotations

import gzip
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.errors import FencepostError
from fencepost.present.captures import COLUMNS, FRAME_TYPES, MISSING, PRESENT_MODES, read_data
from fencepost.present.captures.writing import table_csv, table_jsonl
from tests.present.captures.recorder import HEADERS, json_of, json_run, steady, text_of
from tests.present.real_captures import DIRECTORY, names, needs_data

pytestmark = pytest.mark.fuzz

SAMPLES = [
    *(text_of(form) for form in sorted(HEADERS)),
    json_of(json_run(), json_run()),
    gzip.compress(text_of("PresentMon 2.4"), mtime=0),
    text_of("PresentMon 1.7", steady(300, 7_000)),
    table_csv(read_data(text_of("PresentMon 2.4"), "t")),
    b"\xef\xbb\xbf" + text_of("PresentMon 2.0"),
    text_of("OCAT").decode().encode("utf-16"),
]
WORDS = [
    b"NA", b"nan", b"-1", b"0", b"1e99", b"-0.0", b'"', b",", b";", b"\t", b"\n", b"\r\n", b".",
    b"9" * 30, b"Application", b"Intel XeSS-FG", b"Other", b"0x0", b"\x00", b"\xff\xfe", b"{", b"]",
    b"1,5", b"-18446744073709551616", b"null", b"true", b"2026-01-01 00:00:00",
]  # fmt: skip


def check(data: bytes) -> None:
    try:
        capture = read_data(data, "fuzz")
    except FencepostError as error:
        text = str(error)
        assert text.startswith("fuzz")
        assert text.isprintable()
        assert len(text) < 1000
        return
    assert capture.chains
    for chain in capture.chains:
        assert chain.label.isprintable()
        for frames in (chain.frames, chain.generated):
            assert {len(frames.column(column.name)) for column in COLUMNS} == {len(frames)}
            assert MISSING not in frames.present
            assert list(frames.present) == sorted(frames.present)
            assert {*frames.dropped, *frames.tearing} <= {0, 1, MISSING}
            assert all(0 <= it < len(FRAME_TYPES) for it in frames.frame_type)
            assert all(it == MISSING or 0 <= it < len(PRESENT_MODES) for it in frames.mode)
            for name in ("in_present", "gpu_busy", "until_displayed", "between_displays"):
                assert all(value == MISSING or value >= 0 for value in frames.column(name))
    assert all(note.isprintable() and len(note) < 1000 for note in capture.notes)
    again = read_data(table_csv(capture), "again")
    assert again.chains == capture.chains
    assert table_jsonl(again) == table_jsonl(capture)


@given(st.binary(max_size=400))
def test_fuzz_any_bytes(data: bytes) -> None:
    check(data)


@given(st.sampled_from(SAMPLES), st.data())
def test_fuzz_changed_bytes(sample: bytes, data: st.DataObject) -> None:
    changed = bytearray(sample)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(changed) - 1))
        length = data.draw(st.sampled_from([0, 1, 1, 2, 30]))
        changed[at : at + length] = data.draw(st.sampled_from(WORDS) | st.binary(max_size=3))
        if not changed:
            return
    check(bytes(changed))


@given(st.sampled_from(SAMPLES[:16]), st.data())
def test_fuzz_changed_fields(sample: bytes, data: st.DataObject) -> None:
    lines = [line.split(b",") for line in sample.split(b"\n")]
    for _ in range(data.draw(st.integers(1, 6))):
        fields = lines[data.draw(st.integers(0, len(lines) - 1))]
        fields[data.draw(st.integers(0, len(fields) - 1))] = data.draw(st.sampled_from(WORDS))
    check(b"\n".join(b",".join(fields) for fields in lines))


@given(st.sampled_from(SAMPLES), st.data())
def test_fuzz_cut_short(sample: bytes, data: st.DataObject) -> None:
    check(sample[: data.draw(st.integers(0, len(sample)))])


@given(st.sampled_from(SAMPLES), st.data())
def test_fuzz_lines_in_another_order(sample: bytes, data: st.DataObject) -> None:
    lines = sample.split(b"\n")
    drawn = data.draw(st.lists(st.sampled_from(lines), max_size=12))
    check(b"\n".join([lines[0], *drawn]) + b"\n")


@needs_data
def test_fuzz_real_files() -> None:
    """A few changes in every real file, the same ones every time."""
    chance = random.Random(7)
    for name in names():
        data = bytearray((DIRECTORY / name).read_bytes()[:30_000])
        for _ in range(3):
            at = chance.randrange(len(data))
            data[at : at + chance.choice([0, 1, 40])] = chance.choice(WORDS)
        check(bytes(data))
