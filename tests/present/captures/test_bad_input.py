"""What is wrong with a capture: one clear error, or a limit that is stated."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pytest

from fencepost.errors import FencepostError, FileProblem, SyntaxProblem
from fencepost.present.captures import MISSING, Capture, read, read_data
from tests.present.captures.edit import fill, put, with_column, without
from tests.present.captures.recorder import json_of, json_run, steady, text_of

OLD = text_of("PresentMon 1.3")
NEW = text_of("PresentMon 2.4")
SECOND = text_of("PresentMon 2.0")
JSON = json_of(json_run())
TWICE = OLD + OLD


def refused(data: bytes) -> str:
    with pytest.raises(FencepostError) as caught:
        read_data(data, "t.csv")
    text = str(caught.value)
    assert text.startswith("t.csv:")
    assert text.isprintable()
    return text


def noted(data: bytes) -> tuple[Capture, str]:
    capture = read_data(data, "t.csv")
    assert all(note.isprintable() for note in capture.notes)
    return capture, "\n".join(capture.notes)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "t.csv: empty"),
        (b" \n\n", "t.csv: empty"),
        (OLD.split(b"\n")[0], "t.csv:1:1: a header and no rows; expected at least one row"),
        (OLD.split(b"\n")[0] + b"\n\n", "t.csv:1:1: a header and no rows"),
        (b"a,b\n1,2\n", "no capture of presents that is known here; expected PresentMon, FrameV"),
        (bytes(range(256)) * 9, "no capture of presents that is known here"),
        (b"x" * (3 << 20), "a line of more than 1,048,576 bytes"),
        (gzip.compress(OLD)[:-20], "t.csv: the gzip data is cut short; expected a whole file"),
        (b"\x1f\x8b\x08" + bytes(7) + b"abcdefgh", "damaged gzip data"),
        (JSON[:-40], "t.csv: the JSON is cut short; expected a CapFrameX capture"),
        (JSON.replace(b"1", b"}", 1), "t.csv: no JSON ("),
        (b'{"a": 1}', "no CapFrameX capture (Object missing required field `Runs`)"),
        (b'{"Runs": [{"CaptureData": {}}]}', "no run with data"),
        (b'{"Runs": [{"CaptureData": {"A": null}}]}', "no column says when Present was called"),
        (b'{"Runs": ' + b"[" * 99_999, "no CapFrameX capture"),
        (JSON.replace(b'"PcLatency": null', b'"PcLatency": [1]'), "arrays of 1, 5 values in one"),
        (JSON.replace(b" 2.5,", b' "x",'), "MsInPresentAPI in row 1 cannot be read; expected"),
        (JSON.replace(b"1.014,", b'[["x"]],'), "TimeInSeconds in row 1 cannot be read"),
        (without(OLD, "TimeInSeconds", "MsBetweenPresents"), "t.csv:1:1: no column says when"),
        (without(SECOND, "CPUStartTime", "CPUWait"), "no column says when Present was called"),
        (fill(without(SECOND, "CPUStartTime"), "CPUBusy", "NA"), "no row says when it was"),
        (put(OLD, "MsInPresentAPI", 3, "x"), "t.csv:4:1: MsInPresentAPI cannot be read; expected"),
        (put(OLD, "TimeInSeconds", 1, "1.0.1"), "t.csv:2:1: TimeInSeconds cannot be read"),
        (put(OLD, "SyncInterval", 2, "one"), "t.csv:3:1: SyncInterval cannot be read; expected an"),
        (put(OLD, "SyncInterval", 2, "1_0"), "t.csv:3:1: SyncInterval cannot be read"),
        (put(OLD, "Dropped", 5, "2"), "t.csv:6:1: Dropped cannot be read; expected 0, 1 or NA"),
        (put(OLD, "TimeInSeconds", 1, "9.5"), "time goes back by 8,470 ms at row 2 of a swap ch"),
        (put(OLD, "PresentMode", 2, ""), ""),
        (OLD.replace(b",1,1.03", b"\n"), "t.csv:3:1: 8 values under a header of 15 columns"),
        (OLD.replace(b",DXGI", b",DXGI,DXGI"), "t.csv:2:1: 16 values under a header of 15"),
        (OLD.replace(b".0", b",0"), "decimal commas need another separator, or quotes"),
        (OLD.replace(b",", b";").replace(b"2.500", b"2,500"), "decimals all with a point, or all"),
        (TWICE, "t.csv:7:1: a second header; expected one capture in a file"),
        (OLD.replace(b"SyncInterval", b"PresentFlags"), "the column PresentFlags is there twice"),
        (OLD.replace(b"Title", b'"Title', 1), "t.csv:2:1: a quote is not closed"),
        (OLD.replace(b"\n", b"\r"), "a header and no rows"),
    ],
)
def test_one_clear_error(data: bytes, said: str) -> None:
    if said:
        assert said in refused(data)
    else:
        read_data(data, "t.csv")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"os,cpu,gpu,ram,kernel,driver\nA,B,C,1,2,3\n60,50,40,1000\n61,5,4,2000\n", "MangoHud"),
        (b"v1\nTimestamp (Elapsed),PID,FPS,FPS 1(%) Low,Render Latency(MSec)\n", "NVIDIA App"),
        (b"00, 01-01-2026 00:00:00, Hardware monitoring log v1.6\n", "MSI Afterburner"),
        (text_of("MangoHud").replace(b"000000\n", b"000000000\n"), "5 samples, one every"),
    ],
)
def test_samples_are_no_frames(data: bytes, said: str) -> None:
    assert said in refused(data)


def test_mangohud_of_every_frame_is_one() -> None:
    assert read_data(text_of("MangoHud", steady(50, 7_000)), "t").chains[0].frames.has("present")


@pytest.mark.parametrize(
    ("data", "column", "said"),
    [
        (without(OLD, "MsInPresentAPI"), "in_present", "how long Present waits (MsInPresentAPI)"),
        (without(OLD, "MsUntilDisplayed"), "until_displayed", "when frames are shown, and which"),
        (without(NEW, "MsGPUBusy"), "gpu_busy", "not in this capture: how long the GPU works"),
        (fill(NEW, "MsGPUBusy", "0.0000"), "gpu_busy", "not in this capture: how long the GPU"),
        (fill(NEW, "MsGPUBusy", "NA"), "gpu_busy", "not in this capture: how long the GPU works"),
        (fill(OLD, "MsUntilRenderComplete", "0.000"), "until_gpu_end", "when the GPU is done"),
    ],
)
def test_what_is_not_there_is_said(data: bytes, column: str, said: str) -> None:
    capture, notes = noted(data)
    assert not capture.chains[0].frames.has(column)
    assert said in notes
    assert said not in noted(NEW)[1]


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "-5.0", "1e300", "18446744073709551616"])
def test_a_value_that_cannot_be_is_missing(value: str) -> None:
    capture, notes = noted(put(OLD, "MsInPresentAPI", 3, value))
    assert capture.chains[0].frames.in_present[2] == MISSING
    assert "MsInPresentAPI: 1 value" in notes
    assert "first in line 4; taken as missing" in notes


def test_negative_where_it_may_be() -> None:
    capture, notes = noted(put(OLD, "MsUntilRenderComplete", 3, "-5.0"))
    assert capture.chains[0].frames.until_gpu_end[2] == -5_000_000_000
    assert "negative" not in notes


def test_intervals_without_their_column_come_from_the_clock() -> None:
    whole, without_them = read_data(OLD, "t"), read_data(without(OLD, "MsBetweenPresents"), "t")
    one, two = whole.chains[0].frames, without_them.chains[0].frames
    assert list(one.between_presents[1:]) == list(two.between_presents[1:])
    assert two.between_presents[0] == MISSING
    assert one.cpu_busy == two.cpu_busy
    assert without_them.derived == ("between_presents", "cpu_busy")


def test_a_row_without_a_time_is_left_out() -> None:
    capture, notes = noted(put(OLD, "TimeInSeconds", 3, "NA"))
    assert len(capture.chains[0].frames) == 4
    assert "1 row without a time, left out" in notes


def test_a_last_row_that_is_cut_short_is_left_out() -> None:
    capture, notes = noted(OLD[:-60])
    assert len(capture.chains[0].frames) == 4
    assert "the last row, line 6, is cut short and left out" in notes


def test_few_frames_are_few() -> None:
    assert "5 frames: too few" in noted(OLD)[1]
    assert "1 frame: too few" in noted(b"\n".join(OLD.split(b"\n")[:2]))[1]
    assert "too few" not in noted(text_of("PresentMon 1.3", steady(100, 7_000)))[1]


def test_unknown_words_and_columns_are_said() -> None:
    capture, notes = noted(put(OLD, "PresentMode", 2, "Hardware: Quantum Flip"))
    assert capture.chains[0].frames.mode[1] == 9
    assert "PresentMode: 1 unknown word, taken as Other" in notes
    assert "left out: 'Phase of the moon'" in noted(with_column(OLD, "Phase of the moon", "7"))[1]
    many = OLD
    for number in range(12):
        many = with_column(many, f"new {number}", "7")
    assert "'new 7' and 4 more" in noted(many)[1]


def test_a_clock_without_a_unit_that_fits_is_not_used() -> None:
    data = SECOND
    for row in range(1, 6):
        data = put(data, "CPUStartTime", row, f"{row}.5")
    capture, notes = noted(data)
    assert "no clock: times are sums of intervals" in notes
    assert capture.chains[0].frames.present[-1] > 60_000_000_000


def test_files_and_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.csv.gz"
    path.write_bytes(gzip.compress(OLD))
    assert read(path).chains == read_data(OLD, "t").chains
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(OLD)))
    assert read("-").file == "<stdin>"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(OLD))))
    assert read("-").chains == read_data(OLD, "t").chains


@pytest.mark.parametrize(
    ("name", "said"),
    [("none.csv", "no such file or directory"), (".", "is a directory"), ("a\0b", "cannot read")],
)
def test_files_that_cannot_be_read(name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(FileProblem) as caught:
        read(tmp_path / name)
    assert said in str(caught.value)


def test_a_capture_that_unpacks_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from fencepost.present.captures import opening

    monkeypatch.setattr(opening, "MOST_BYTES", 400)
    with pytest.raises(FileProblem, match="unpacks to more than 400 bytes"):
        read_data(gzip.compress(OLD), "t")


def test_swap_chains_without_end_are_refused() -> None:
    head, row = OLD.decode().splitlines()[:2]
    rows = [row.replace("4242", str(process)) for process in range(4_097)]
    assert len(read_data("\n".join([head, *rows[:-1]]).encode(), "t").chains) == 4_096
    assert "more than 4,096 swap chains" in refused("\n".join([head, *rows]).encode())


def test_the_same_bytes_give_the_same(tmp_path: Path) -> None:
    del tmp_path
    assert read_data(NEW, "t") == read_data(NEW, "t")
    with pytest.raises(SyntaxProblem):
        read_data(TWICE, "t")
