"""One title, recorded by every tool: all give the same table, as far as they say the same."""

from __future__ import annotations

import gzip
from array import array
from collections.abc import Sequence
from dataclasses import replace

import pytest

from fencepost.present.captures import COLUMNS, MISSING, PRESENT_MODES, Chain, opening, read_data
from tests.present.captures.recorder import (
    HEADERS,
    MICROSECOND,
    SHOTS,
    Row,
    Shot,
    json_of,
    json_run,
    rows,
    steady,
    text_of,
)

FORMS = sorted(HEADERS)
FULL = ("PresentMon 2", "PresentMon capture")
"""Formats that say what the first row refers to as well, and all of the GPU."""


def expected(name: str, row: Row) -> int:
    """The column of the normalized table, from the moments themselves."""
    shot, shown = row.shot, row.shot.shown
    values = {
        "present": shot.called,
        "between_presents": shot.called - row.before.called,
        "in_present": shot.returned - shot.called,
        "cpu_busy": shot.called - row.before.returned,
        "until_gpu_start": shot.gpu_start - shot.called,
        "until_gpu_end": shot.gpu_end - shot.called,
        "gpu_busy": shot.gpu_busy,
        "until_displayed": MISSING if shown is None else shown - shot.called,
        "between_displays": MISSING if shown is None else shown - row.shown_before,
    }
    value = values.get(name, MISSING)
    return value if value == MISSING else value * MICROSECOND


WORDS = {
    "sync_interval": 1,
    "flags": 512,
    "tearing": 0,
    "mode": PRESENT_MODES.index("Hardware: Independent Flip"),
    "frame_type": 0,
}


def lacks(form: str) -> set[str]:
    """Columns that a format does not have."""
    lacking = {"pc_latency", "click_latency", "animation_error"}
    if not form.startswith(FULL):
        lacking |= {"until_gpu_start", "gpu_busy"} - (
            {"until_gpu_start", "gpu_busy"} if "1.7" in form else set()
        )
    if form == "CapFrameX JSON":
        lacking = {*lacking, "flags"} - {"gpu_busy"}
    if form == "MangoHud":
        has = {"present", "between_presents", "frame_type"}
        lacking = {column.name for column in COLUMNS} - has
    return lacking


def unknown_first(form: str) -> set[str]:
    """Columns that have no value in the first row, since they refer to the one before."""
    if form.startswith("PresentMon 2.0"):
        return {"between_presents", "between_displays"}
    return set() if form.startswith(FULL) else {"cpu_busy"}


def check(form: str, chain: Chain, shots: Sequence[Shot] = SHOTS) -> None:
    listed = rows(shots)
    origin = expected("present", listed[0]) - chain.frames.present[0]
    for column in COLUMNS:
        wanted = [expected(column.name, row) for row in listed]
        if column.name in WORDS:
            wanted = [WORDS[column.name]] * len(listed)
        if column.name == "dropped":
            wanted = [int(row.shot.shown is None) for row in listed]
        if column.name == "present":
            wanted = [time - origin for time in wanted]
        if column.name in lacks(form):
            wanted = [MISSING] * len(listed)
        elif column.name in unknown_first(form):
            wanted[0] = MISSING
        assert list(chain.frames.column(column.name)) == wanted, (form, column.name)


@pytest.mark.parametrize("form", FORMS)
def test_every_format_gives_the_same_table(form: str) -> None:
    capture = read_data(text_of(form), "t.csv")
    (chain,) = capture.chains
    assert form.startswith(capture.format)
    check(form, chain)
    if form != "MangoHud":
        assert chain.label == "Title.exe 4242 0xdeadbee0 DXGI"
        assert chain.never_shown == 1
    assert not len(chain.generated)
    assert "are not known" not in "".join(capture.notes)


def test_capframex_json() -> None:
    capture = read_data(json_of(json_run()), "t.json")
    (chain,) = capture.chains
    assert capture.format == "CapFrameX JSON"
    assert chain.label == "Title.exe DXGI"
    check("CapFrameX JSON", chain)


def test_runs_of_capframex_are_apart() -> None:
    capture = read_data(json_of(json_run(), json_run(SHOTS[:3])), "t.json")
    assert [chain.label for chain in capture.chains] == [
        "Title.exe DXGI run 1",
        "Title.exe DXGI run 2",
    ]
    for chain, shots in zip(capture.chains, (SHOTS, SHOTS[:3]), strict=True):
        check("CapFrameX JSON", chain, shots)


def _marked(data: bytes) -> bytes:
    return b"\xef\xbb\xbf" + data


def _wide(data: bytes) -> bytes:
    return data.decode().encode("utf-16")


def _windows(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


def _quoted(data: bytes) -> bytes:
    return b"\n".join(
        b",".join(b'"' + value + b'"' for value in line.split(b",")) for line in data.splitlines()
    )


def _semicolons(data: bytes) -> bytes:
    """As a locale with decimal commas writes it."""
    return data.replace(b",", b";").replace(b".", b",").replace(b"Title,exe", b"Title.exe")


def _loud(data: bytes) -> bytes:
    head, _, rest = data.partition(b"\n")
    return head.upper() + b"\n" + rest


def _open_end(data: bytes) -> bytes:
    return data.rstrip(b"\n")


def _gaps(data: bytes) -> bytes:
    return data.replace(b"\n", b"\n\n") + b"\n \n"


def _spaced(data: bytes) -> bytes:
    return data.replace(b",", b", ")


def _trailing(data: bytes) -> bytes:
    return data.replace(b"\n", b",\n")


@pytest.mark.parametrize(
    "change",
    [
        _marked,
        _wide,
        _windows,
        _quoted,
        _semicolons,
        _loud,
        _open_end,
        _gaps,
        _spaced,
        _trailing,
        lambda data: _marked(_windows(_quoted(data))),
        lambda data: gzip.compress(data, mtime=0),
        lambda data: data.replace(b",", b"\t"),
    ],
)
@pytest.mark.parametrize("form", ["PresentMon 1.3", "PresentMon 2.0", "PresentMon 2.4"])
def test_the_same_in_another_dress(form: str, change: object) -> None:
    assert callable(change)
    plain, dressed = read_data(text_of(form), "t"), read_data(change(text_of(form)), "t")
    assert (dressed.chains, dressed.notes) == (plain.chains, plain.notes)


def test_names_in_quotes_may_hold_commas() -> None:
    lines = text_of("PresentMon 1.3").decode().splitlines()
    quoted = "\n".join([f'"GPU, all",{lines[0]}', *(f'"1,5",{line}' for line in lines[1:])])
    capture = read_data(quoted.encode(), "t")
    check("PresentMon 1.3", capture.chains[0])
    assert any("'GPU, all'" in note for note in capture.notes)


def test_columns_in_another_order() -> None:
    lines = text_of("PresentMon 2.4").decode().splitlines()
    turned = "\n".join(",".join(reversed(line.split(","))) for line in lines)
    assert read_data(turned.encode(), "t") == read_data(text_of("PresentMon 2.4"), "t")


@pytest.mark.parametrize("rate", [10_000_000, 3_117_187, 24_000_000, 2_533_203])
def test_any_performance_counter(rate: int) -> None:
    shots = steady(200, 16_000)
    text = text_of("PresentMon 2.4 qpc", shots).decode().splitlines()
    place = text[0].split(",").index("TimeInQPC")
    made = [text[0]]
    for line in text[1:]:
        fields = line.split(",")
        fields[place] = str(int(fields[place]) * rate // 10_000_000)
        made.append(",".join(fields))
    capture = read_data("\n".join(made).encode(), "t")
    (chain,) = capture.chains
    steps = chain.frames.present
    for row, shot in enumerate(shots):
        off = steps[row] - (shot.called - shots[0].called) * MICROSECOND
        assert abs(off) <= 2 * MICROSECOND
    said = [note for note in capture.notes if "ticks a second" in note]
    assert bool(said) == (rate != 10_000_000)


def test_an_unclear_unit_is_measured() -> None:
    """CPUStartTime is in seconds in one version and in milliseconds in another."""
    text = text_of("PresentMon 2.0").decode()
    lines = text.splitlines()
    place = lines[0].split(",").index("CPUStartTime")
    made = [lines[0]]
    for line in lines[1:]:
        fields = line.split(",")
        fields[place] = f"{float(fields[place]) * 1000:.4f}"
        made.append(",".join(fields))
    assert read_data("\n".join(made).encode(), "t").chains == read_data(text.encode(), "t").chains


def test_interleaved_chains_come_apart() -> None:
    one = text_of("PresentMon 1.3").decode().splitlines()
    others = [
        line.replace("4242", process).replace("DEADBEE0", address)
        for line in one[1:]
        for process, address in [("4242", "1"), ("7", "DEADBEE0")]
    ]
    mixed = [
        one[0],
        *(line for both in zip(one[1:], others[::2], others[1::2], strict=True) for line in both),
    ]
    capture = read_data("\n".join(mixed).encode(), "t")
    assert [chain.label for chain in capture.chains] == [
        "Title.exe 4242 0x1 DXGI",
        "Title.exe 4242 0xdeadbee0 DXGI",
        "Title.exe 7 0xdeadbee0 DXGI",
    ]
    for chain in capture.chains:
        check("PresentMon 1.3", chain)


def test_generated_frames_are_apart() -> None:
    lines = text_of("PresentMon 2.4").decode().splitlines()
    lines[3] = lines[3].replace("Independent Flip,Application", "Independent Flip,Intel XeSS-FG")
    lines[4] = lines[4].replace("Independent Flip,Application", "Independent Flip,Quantum FG")
    capture = read_data("\n".join(lines).encode(), "t")
    (chain,) = capture.chains
    assert len(chain.frames) == 3
    assert list(chain.generated.frame_type) == [2, 5]
    assert any("FrameType: 1 unknown word" in note for note in capture.notes)
    assert "Quantum" not in "".join(capture.notes)


def test_a_coarse_clock_anchors_the_intervals() -> None:
    """Four digits of a second are 10 ms after 10 s; the intervals say what lies between."""
    shots = steady(2_500, 7_000)
    lines = text_of("PresentMon 2.4", shots).decode().splitlines()
    place = lines[0].split(",").index("TimeInSeconds")
    made = [lines[0]]
    for line in lines[1:]:
        fields = line.split(",")
        fields[place] = f"{float(fields[place]):.4g}"
        made.append(",".join(fields))
    (chain,) = read_data("\n".join(made).encode(), "t").chains
    steps = {
        after - before
        for before, after in zip(chain.frames.present, chain.frames.present[1:], strict=False)
    }
    assert steps == {7_000 * MICROSECOND}


def test_an_unsorted_chain_is_sorted() -> None:
    lines = text_of("PresentMon 1.7").decode().splitlines()
    lines[2], lines[3] = lines[3], lines[2]
    capture = read_data("\n".join(lines).encode(), "t")
    check("PresentMon 1.7", capture.chains[0])
    assert any("out of order" in note for note in capture.notes)


def test_rows_that_are_missing_are_noticed() -> None:
    lines = text_of("PresentMon 1.7").decode().splitlines()
    del lines[3]
    notes = read_data("\n".join(lines).encode(), "t").notes
    assert any("1 row before which rows are missing" in note for note in notes)
    assert not any(
        "are missing" in note for note in read_data(text_of("PresentMon 1.7"), "t").notes
    )


def test_what_is_not_instrumented_is_not_zero() -> None:
    lines = text_of("PresentMon 1.7").decode().splitlines()
    place = lines[0].split(",").index("msInPresentAPI")
    made = [lines[0]]
    for line in lines[1:]:
        fields = line.replace("DXGI", "Other").split(",")
        fields[place] = "0.000"
        made.append(",".join(fields))
    (chain,) = read_data("\n".join(made).encode(), "t").chains
    assert not chain.frames.has("in_present")
    assert not chain.frames.has("cpu_busy")
    assert chain.frames.has("between_presents")


def test_gpu_work_that_was_cut_off_is_unknown_in_version_2() -> None:
    early = [
        Shot(it.called, it.returned, it.called - 30_000, it.gpu_end, 9_000, it.shown)
        for it in SHOTS
    ]
    whole, cut = (
        read_data(text_of(form, early), "t") for form in ("PresentMon 2.4", "PresentMon 2.0")
    )
    assert list(whole.chains[0].frames.until_gpu_start) == [-30_000 * MICROSECOND] * 5
    assert list(cut.chains[0].frames.until_gpu_start) == [MISSING] * 5
    assert any("5 rows with GPULatency cut off at 0" in note for note in cut.notes)


@pytest.mark.parametrize("form", FORMS)
def test_blocks_do_not_show(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shots = [replace(shot, shown=None) for shot in SHOTS] * 3
    whole = read_data(text_of(form, shots), "t")
    head = len(HEADERS[form]) + 120  # the header has to be in the first block
    for size in range(head, head + 40):
        monkeypatch.setattr(opening.Source.read, "__defaults__", (size,))
        assert read_data(text_of(form, shots), "t") == whole


def test_columns_are_integers_of_64_bits() -> None:
    (chain,) = read_data(text_of("PresentMon 2.4"), "t").chains
    for column in COLUMNS:
        values = chain.frames.column(column.name)
        assert isinstance(values, array)
        assert values.typecode == "q"
