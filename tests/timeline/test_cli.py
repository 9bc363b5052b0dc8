"""`fencepost timeline`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import fencepost.cli.output
from fencepost.capture.traces import load_trace
from fencepost.report.chrome import write_chrome
from fencepost.report.perfetto import write_perfetto
from tests.cli.run import raising, run
from tests.cli.test_bad_input import JUNK, fits
from tests.project.repository import ROOT
from tests.timeline.traces import TRACES, encoded, needs_data, real, slice_, work

EXAMPLES = ROOT / "examples" / "timeline"
FRAME = EXAMPLES / "frame.csv"


@pytest.mark.parametrize("name", ["frame.csv", "frame.json"])
def test_the_examples_are_read(name: str) -> None:
    result = run("timeline", EXAMPLES / name)
    assert (result.code, result.err) == (0, "")
    assert f"{name}: two or more of " in result.out


def test_the_examples_are_one_frame() -> None:
    """The table has one queue more, the trace its fences."""
    one = run("timeline", FRAME, "--track", "graphics", "--track", "compute", "--format", "json")
    other = run("timeline", EXAMPLES / "frame.json", "--format", "json")
    a, b = json.loads(one.raw), json.loads(other.raw)
    assert (a["busy"], a["overlapped"], a["running"]) == (b["busy"], b["overlapped"], b["running"])
    assert (a["flows"]["count"], b["flows"]["count"]) == (0, 2)


@needs_data
def test_a_real_trace_by_command_line() -> None:
    result = run("timeline", real("trace_diff"), "--gaps", "1")
    assert "two or more of 4 tracks run in 26.77 % of busy time" in result.out
    assert "  busy        388.587 ms" in result.out
    data = json.loads(run("timeline", real("critical_path__cuda"), "--format", "json").raw)
    assert data["flows"]["count"] == 1


@needs_data
@pytest.mark.parametrize("name", [path.name for path in sorted(TRACES.glob("*.gz"))])
def test_a_real_trace_that_is_cut_short_is_refused(tmp_path: Path, name: str) -> None:
    packed = (TRACES / name).read_bytes()
    file = tmp_path / "cut.json.gz"
    file.write_bytes(packed[: len(packed) // 2])
    result = run("timeline", file)
    assert result.code == 2
    assert result.complaints == [f"{file}: the gzip data is cut short; expected a whole file"]


@pytest.mark.parametrize("junk", JUNK)
@pytest.mark.parametrize("packed", [False, True])
def test_junk_is_refused(tmp_path: Path, junk: str, packed: bool) -> None:
    file = tmp_path / "file"
    file.write_bytes(gzip.compress(JUNK[junk]) if packed else JUNK[junk])
    outputs = ("--perfetto", tmp_path / "p", "--chrome", tmp_path / "c", "--output", tmp_path / "o")
    result = run("timeline", file, *outputs)
    fits(result)
    assert (result.code, len(result.complaints)) == (2, 1)
    assert run("timeline", "-", stdin=file.read_bytes()).code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_overlap_is_refused_unless_tolerated(tmp_path: Path) -> None:
    file = tmp_path / "t.json"
    file.write_bytes(encoded([work("a", 7, 0, 10, 1), work("b", 7, 9.75, 10, 2)]))
    result = run("timeline", file)
    assert result.code == 2
    (complaint,) = result.complaints
    assert "'b' starts 250.000 ns before 'a'" in complaint
    assert run("timeline", file, "--tolerance", "249ns").code == 2
    result = run("timeline", file, "--tolerance", "0.25us")
    assert (result.code, result.err) == (0, "")
    assert "1 overlaps of at most 250.000 ns on one track are taken for rounding" in result.out


def test_every_output_is_written(tmp_path: Path) -> None:
    names = {option: tmp_path / option for option in ("perfetto", "chrome", "output")}
    words = [word for option, path in names.items() for word in (f"--{option}", path)]
    result = run("timeline", FRAME, *words)
    assert (result.code, result.raw, result.err) == (0, b"", "")
    made = load_trace(FRAME)
    assert names["perfetto"].read_bytes() == write_perfetto(made)
    assert names["chrome"].read_bytes() == write_chrome(made)
    assert names["output"].read_text(encoding="utf-8") == run("timeline", FRAME).out
    again = run("timeline", names["chrome"])
    assert again.out.splitlines()[1:] == run("timeline", FRAME).out.splitlines()[1:]


@pytest.mark.parametrize("option", ["--perfetto", "--chrome", "--output"])
def test_nothing_is_replaced_unasked(tmp_path: Path, option: str) -> None:
    kept, fresh = tmp_path / "kept", tmp_path / "fresh"
    kept.write_text("mine", encoding="utf-8")
    other = "--chrome" if option != "--chrome" else "--perfetto"
    result = run("timeline", FRAME, option, kept, other, fresh)
    assert (result.code, result.raw) == (2, b"")
    assert "exists already" in result.complaints[0]
    assert kept.read_text(encoding="utf-8") == "mine"
    assert not fresh.exists()
    assert run("timeline", FRAME, option, kept, other, fresh, "--force").code == 0
    assert kept.read_bytes() != b"mine"


def test_a_trace_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fencepost.cli.output, "_replace", raising(OSError(28, "No space left")))
    result = run("timeline", FRAME, "--perfetto", tmp_path / "p")
    assert (result.code, result.raw) == (2, b"")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--gaps", "-1"), "--gaps -1; expected 0 or more"),
        (("--gaps", "many"), "invalid int value"),
        (("--tolerance", "5"), "--tolerance 5; expected a time like 1us"),
        (("--tolerance", "-5us"), "expected one argument"),
        (("--track", "gfx*"), "no track 'gfx*'; expected graphics, compute, copy"),
        (("--perfetto", "-"), "a page or trace cannot go to standard output"),
        (("--chrome", "-"), "a page or trace cannot go to standard output"),
        (("--format", "csv"), "invalid choice"),
        (("--perfetto", "a", "--chrome", "./a"), "two outputs in one file"),
        (("--perfetto", "missing/a"), "its directory does not exist"),
    ],
)
def test_senseless_arguments_are_refused(words: tuple[str, ...], said: str) -> None:
    result = run("timeline", FRAME, *words)
    assert (result.code, result.raw) == (2, b"")
    (complaint,) = result.complaints
    assert said in complaint


def test_tracks_are_chosen_by_name_or_pattern(tmp_path: Path) -> None:
    file = tmp_path / "t.json"
    events = [work("k", stream, stream, 5, stream, device=stream % 2) for stream in range(4)]
    file.write_bytes(encoded(events))

    def chosen(*words: str) -> list[str]:
        data = json.loads(run("timeline", file, "--format", "json", *words).raw)
        return [f"{track['group']} {track['name']}" for track in data["tracks"]]

    assert len(chosen()) == 4
    assert chosen("--track", "stream 2") == ["device 0 stream 2"]
    assert chosen("--track", "device 1 *") == ["device 1 stream 1", "device 1 stream 3"]
    both = ["device 0 stream 0", "device 1 stream 3"]
    assert chosen("--track", "stream 3", "--track", "*0 stream 0") == both


def test_a_message_about_many_tracks_is_short(tmp_path: Path) -> None:
    file = tmp_path / "t.json"
    file.write_bytes(encoded([slice_("x", 0, 1, tid=tid) for tid in range(100)]))
    (complaint,) = run("timeline", file, "--track", "none").complaints
    assert complaint.endswith("process 1 thread 11 and 88 more")
