from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pytest

import fencepost.capture.traces.opening
from fencepost.capture.traces import load_trace, read_trace
from fencepost.errors import FileProblem
from tests.timeline.traces import encoded, refused, rows, slice_

TRACE = encoded([slice_(f"slice {number}", number, 1) for number in range(200)])
TABLE = b"queue,name,start_us,duration_us\nq,a,0,1\n"


@pytest.mark.parametrize("data", [TRACE, TABLE, b"\xef\xbb\xbf" + TRACE, b"\n " + TRACE])
def test_gzip_is_unpacked(data: bytes) -> None:
    assert rows(read_trace(gzip.compress(data), "t")) == rows(read_trace(data, "t"))


def test_gzip_may_have_several_members() -> None:
    packed = gzip.compress(TRACE[:100]) + gzip.compress(TRACE[100:])
    assert rows(read_trace(packed, "t")) == rows(read_trace(TRACE, "t"))


@pytest.mark.parametrize("share", [0.02, 0.1, 0.5, 0.9, 0.999])
def test_gzip_that_is_cut_short_is_refused(share: float) -> None:
    packed = gzip.compress(TRACE)
    text = refused(packed[: max(2, int(len(packed) * share))])
    assert text == "t.json: the gzip data is cut short; expected a whole file"


def test_damaged_gzip_is_refused() -> None:
    packed = bytearray(gzip.compress(TRACE))
    packed[len(packed) // 2] ^= 0xFF
    assert "damaged gzip data" in refused(bytes(packed))
    assert "damaged gzip data" in refused(b"\x1f\x8b" + b"\x00" * 50)


def test_what_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fencepost.capture.traces.opening, "MOST_BYTES", 10_000)
    assert "unpacks to more than 10,000 bytes" in refused(gzip.compress(bytes(3 << 20)))


@pytest.mark.parametrize("data", [b"", b" \n", b"\xef\xbb\xbf\n", gzip.compress(b"", mtime=0)])
def test_an_empty_trace_is_refused(data: bytes) -> None:
    assert refused(data) == "t.json: is empty; expected a trace"


@pytest.mark.parametrize(
    "data", [b"\x00" * 100, bytes(range(256)), b"\x7fELF\x02", b"\xff\xfe{\x00"]
)
def test_junk_is_refused(data: bytes) -> None:
    refused(data)


def test_standard_input_and_files_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "t.json.gz"
    file.write_bytes(gzip.compress(TRACE))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(file.read_bytes())))
    made, piped = load_trace(file), load_trace("-")
    assert rows(made) == rows(piped)
    assert (made.file, piped.file) == (str(file), "<stdin>")


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing", "a\0b"):
        with pytest.raises(FileProblem, match="cannot read"):
            load_trace(path)
