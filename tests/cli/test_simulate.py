"""`fencepost simulate`: the report, its options, what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.capture.data import CAPTURES, needs_data
from tests.cli.run import BROKEN, HAZARD, Result, run, write
from tests.project.repository import ROOT, text_of

EXAMPLES = ROOT / "examples"
FIGURES = EXAMPLES / "xbox-one" / "figures"
STREAMS = sorted(EXAMPLES.glob("xbox-one/**/*.fence"))
BLOCK = re.compile(r"```\n\$ fencepost (simulate .*)\n((?:.*\n)*?)```")

HEAD = """machine xbox-one
buffer x 64K
color t 256x256 rgba8
label a = 0, b = 0
queue gfx: graphics
"""


def stream(tmp_path: Path, commands: str) -> Path:
    return write(tmp_path / "s.fence", HEAD + commands)


def times(result: Result) -> dict[str, object]:
    found: dict[str, object] = json.loads(result.raw)["totals"]
    return found


@pytest.mark.parametrize("path", STREAMS, ids=[path.stem for path in STREAMS])
def test_every_example_is_simulated(path: Path) -> None:
    result = run("simulate", path)
    assert (result.code, result.err) == (0, "")
    first, counts, *_ = result.out.splitlines()
    assert first.startswith(f"{path}: ")
    assert " on xbox-one, " in first
    assert "work" in counts


def test_the_page_shows_what_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    blocks = BLOCK.findall(text_of(ROOT / "docs" / "simulate.md"))
    assert len(blocks) >= 2
    for words, expected in blocks:
        if "frame.fence" in words:  # a command to try, without its output
            continue
        assert run(*words.split()).out == expected


def test_the_stall_of_figure_3_is_told_with_line_and_cause() -> None:
    path = FIGURES / "figure-3.fence"
    out = run("simulate", path).out
    lines = text_of(path).splitlines()
    flush, last = (
        next(n for n, line in enumerate(lines, start=1) if line.strip().startswith(start))
        for start in ("flush ps", 'draw "2"')
    )
    assert f"{path}:{flush}, queue gfx" in out
    assert f'partial-flush, until the end of draw "2" (line {last})' in out


def test_the_dearest_comes_first_and_costs_says_how_many(tmp_path: Path) -> None:
    path = stream(
        tmp_path,
        "  draw cb0.write t @ 10us\n  flush ps\n  sync me tcc.wbinv tcp.wbinv\n  wait idle\n"
        "  dispatch cs.buffer x @ 10us\n  flush cs\n",
    )
    costs = json.loads(run("simulate", path, "--format", "json").raw)["costs"]
    keys = [(-cost["exposed"], -cost["stalled"]) for cost in costs]
    assert keys == sorted(keys)
    assert "the dearest first (1 of 4)" in run("simulate", path, "--costs", "1").out
    assert "the dearest first (4 of 4)" in run("simulate", path).out


def test_a_stream_may_come_from_standard_input_as_any_form() -> None:
    text = (FIGURES / "figure-1.fence").read_bytes()
    assert run("simulate", "-", stdin=text).out.startswith("<stdin>: ")
    records = run("convert", FIGURES / "figure-1.fence", "--to", "jsonl").raw
    one = run("simulate", "-", "--format", "json", stdin=text)
    two = run("simulate", "-", "--format", "json", stdin=records)
    assert times(one) == times(two)


def test_an_empty_stream_takes_no_time(tmp_path: Path) -> None:
    result = run("simulate", write(tmp_path / "s.fence", "machine xbox-one\n"))
    assert result.code == 0
    assert "0 ps on xbox-one" in result.out


def test_frames_are_simulated_one_behind_the_other(tmp_path: Path) -> None:
    path = stream(tmp_path, '  draw "d" cb0.write t @ 100us\n  wait idle\n')
    one, three = (
        json.loads(run("simulate", path, "--format", "json", "--frames", n).raw) for n in "13"
    )
    assert three["totals"]["working"] == 3 * one["totals"]["working"]
    assert [row["spot"]["frame"] for row in three["commands"]] == [1, 1, 1, 2, 2, 2, 3, 3, 3][
        : len(three["commands"])
    ] or three["commands"][-1]["spot"]["frame"] == 3
    assert "frame 3" in run("simulate", path, "--frames", "3").out


def test_colour_is_for_terminals(tmp_path: Path) -> None:
    path = stream(tmp_path, "  draw cb0.write t @ 10us\n  flush ps\n  draw cb0.write t @ 1us\n")
    plain = run("simulate", path).out
    assert "\033[" not in plain
    assert "\033[" in run("simulate", path, "--color", "always").out


# -- hazards


def test_a_hazard_that_happens_here_is_observed_and_one_that_does_not_is_not(
    tmp_path: Path,
) -> None:
    racing = run("simulate", FIGURES / "figure-2-overlap.fence").out
    assert "Hazards (1, of which 1 happen in this timing)" in racing
    assert "observed[read-after-write]" in racing
    assert "is complete 200.023 us later" in racing
    path = stream(
        tmp_path,
        '  dispatch "w" cs.uav-write x @ 1us\n  draw cb0.write t @ 90us residency=1%\n  flush ps\n'
        '  dispatch "r" cs.constant x @ 1us\n',
    )
    lucky = run("simulate", path).out
    assert "Hazards (1, of which 0 happen in this timing)" in lucky
    assert "not in this timing[read-after-write]" in lucky


def test_a_clean_stream_says_nothing_of_hazards() -> None:
    assert "Hazards" not in run("simulate", FIGURES / "figure-2-barrier.fence").out


def test_a_feedback_loop_happens_wherever_it_runs(tmp_path: Path) -> None:
    path = stream(tmp_path, "  draw ps.texture t; cb0.write t\n")
    assert "observed[feedback-loop]" in run("simulate", path).out


def test_unknown_accesses_are_counted(tmp_path: Path) -> None:
    path = stream(tmp_path, "  draw ps.unknown; cb0.write t @ 5us\n")
    assert "1 access is not shown, and costs nothing here" in run("simulate", path).out


# -- parameters


def test_a_parameter_is_set_and_said(tmp_path: Path) -> None:
    path = stream(tmp_path, "  draw cb0.write t @ cycles=1000\n")
    usual = json.loads(run("simulate", path, "--format", "json").raw)
    slow = run("simulate", path, "--param", "GPU clock=100_000_000", "--param", "launch=7")
    assert "  GPU clock is 100,000,000 Hz, not 853,000,000" in slow.out
    assert "  launch is 7 cycles, not 100" in slow.out
    both = ("--param", "GPU clock=426500000")
    twice = json.loads(run("simulate", path, "--format", "json", *both).raw)
    assert abs(twice["totals"]["time"] - 2 * usual["totals"]["time"]) < 20
    assert usual["parameters"] == []
    assert twice["parameters"] == [
        {"name": "GPU clock", "value": 426_500_000, "usual": 853_000_000, "unit": "Hz"}
    ]


@pytest.mark.parametrize(
    ("word", "complaint"),
    [
        ("launch", "--param launch; expected NAME=VALUE, a whole number"),
        ("=5", "--param =5; expected NAME=VALUE, a whole number"),
        ("launch=", "--param launch=; expected NAME=VALUE, a whole number"),
        ("launch=-1", "--param launch=-1; expected NAME=VALUE, a whole number"),
        ("launch=1.5", "--param launch=1.5; expected NAME=VALUE, a whole number"),
        ("launch=nan", "--param launch=nan; expected NAME=VALUE, a whole number"),
        ("launch=\u0663", "--param launch=\u0663; expected NAME=VALUE, a whole number"),
        (f"launch={'9' * 21}", f"--param launch={'9' * 21}; expected a smaller number"),
        (f"launch={10**16}", f"parameter 'launch' is {10**16}; expected 0 to 1000000000000000"),
        ("GPU clock=0", "parameter 'GPU clock' is 0; expected 1 to 1000000000000000 (Hz)"),
        ("lunch=5", "machine 'xbox-one' has no parameter 'lunch' (did you mean 'launch'?)"),
    ],
)
def test_a_parameter_that_makes_no_sense(tmp_path: Path, word: str, complaint: str) -> None:
    path = stream(tmp_path, "  draw cb0.write t @ 1us\n")
    result = run("simulate", path, "--param", word)
    assert result.code == 2
    (line,) = result.complaints
    assert line.startswith(complaint)
    assert result.out == ""


def test_a_parameter_is_set_once(tmp_path: Path) -> None:
    path = stream(tmp_path, "  draw cb0.write t @ 1us\n")
    result = run("simulate", path, "--param", "launch=5", "--param", "launch=6")
    assert result.complaints == ["--param launch=6: 'launch' is set twice; expected once"]


def test_sharing_and_refills_change_what_they_should(tmp_path: Path) -> None:
    path = stream(
        tmp_path,
        "  dispatch cs.buffer x @ 20us residency=10% l2=1\n  wait me a == 0\n"
        "  sync me tcp.wbinv\n"
        "  dispatch cs.buffer x @ 9us residency=10% l2=1\n",
    )
    usual = json.loads(run("simulate", path, "--format", "json").raw)
    warm = json.loads(run("simulate", path, "--format", "json", "--no-refills").raw)
    fair = json.loads(run("simulate", path, "--format", "json", "--sharing", "fair-works").raw)
    assert (usual["refills"], usual["sharing"]) == (True, "fair-queues")
    assert (warm["refills"], fair["sharing"]) == (False, "fair-works")
    assert warm["totals"]["time"] < usual["totals"]["time"]
    first, second, sooner = (data["works"][0]["end"] for data in (fair, usual, warm))
    assert first > second > sooner


# -- bad input


@pytest.mark.parametrize(
    ("cost", "problem"),
    [
        ("0us", "'time=0us' is zero or too small"),
        ("time=-1us", "'time=-1us' is no value"),
        ("time=nan", "'time=nan' is no value"),
        ("time=inf", "'time=inf' is no value"),
        ("time=1e3us", "'time=1e3us' is no value"),
        ("2s", "'time=2s' is too large"),
        ("cycles=0", "'cycles=0' is zero or too small"),
        ("cycles=10000000000", "'cycles' is"),
        ("1us sm=150%", "'sm=150%' is too large"),
        ("1us sm=0", "'sm=0' is zero or too small"),
        ("1us rt=1", "machine 'xbox-one' has no unit 'rt'"),
        ("1us alu=1", "no cost 'alu'"),
        ("sm=1", "loads without a time"),
        ("pixels=0", "'pixels=0' is zero or too small"),
        ("pixels=1000000000001", "'pixels=1000000000001' is too large"),
        ("threads=5", "'threads=5' on a draw"),
        ("residency=101%", "'residency=101%' is too large"),
        ("1ps pixels=1000000", "cannot do 1000000 in 1 ps"),
    ],
)
def test_a_cost_that_makes_no_sense_is_one_error(tmp_path: Path, cost: str, problem: str) -> None:
    path = stream(tmp_path, f'  draw "d" cb0.write t @ {cost}\n')
    result = run("simulate", path)
    assert (result.code, result.out) == (2, "")
    (line,) = result.complaints
    assert line.startswith(f"{path}:6:3: cost: ")
    assert problem in line
    assert "; expected " in line


def test_a_deadlock_is_drawn_as_a_circle(tmp_path: Path) -> None:
    path = stream(
        tmp_path,
        "  wait me a == 1\n  eop b = 1\nqueue async: compute\n  wait b == 1\n  eop a = 1\n",
    )
    result = run("simulate", path, "--output", tmp_path / "out")
    assert (result.code, result.out) == (2, "")
    (line,) = result.complaints
    assert line.startswith(f"{path}:6:3: deadlock at ")
    links = line.split(": ", 2)[2].split(" -> ")
    assert [link.split(" at ")[0] for link in links[:2]] == ["gfx ME", "async ME"]
    assert links[2] == "gfx ME, a circle; expected a value, written before it"
    assert not (tmp_path / "out").exists()


def test_a_wait_that_never_ends_is_one_error(tmp_path: Path) -> None:
    result = run("simulate", stream(tmp_path, "  wait me a == 1\n"))
    assert result.code == 2
    (line,) = result.complaints
    assert "a wait that never ends" in line
    assert "a == 1 (it is 0), which nothing that is still to come writes" in line


def test_a_broken_stream_is_refused_as_check_does(tmp_path: Path) -> None:
    path = write(tmp_path / "s.fence", BROKEN)
    assert run("simulate", path).complaints == run("check", path).complaints


@pytest.mark.parametrize(
    "words",
    [
        ["--costs", "-1"],
        ["--costs", "x"],
        ["--frames", "0"],
        ["--machine", "ps5"],
        ["--sharing", "fair"],
        ["--perfetto", "-"],
        ["--chrome", "-"],
        ["--perfetto", "x", "--chrome", "x"],
        ["--output", "x", "--perfetto", "./x"],
        ["--output", "no/such/place"],
        ["--annotations", "nothing.txt"],
        ["--format", "sarif"],
        ["--no-such-option"],
    ],
)
def test_arguments_that_make_no_sense(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = stream(tmp_path, "  draw cb0.write t @ 1us\n")
    result = run("simulate", path, *words)
    assert (result.code, result.out) == (2, "")
    assert len(result.complaints) == 1
    assert list(tmp_path.iterdir()) == [path]


def test_no_file_is_replaced_without_force(tmp_path: Path) -> None:
    path, trace = stream(tmp_path, "  draw cb0.write t @ 1us\n"), tmp_path / "trace"
    assert run("simulate", path, "--perfetto", trace).code == 0
    before = trace.read_bytes()
    result = run("simulate", path, "--perfetto", trace, "--output", tmp_path / "text")
    assert result.code == 2
    assert not (tmp_path / "text").exists()
    assert run("simulate", path, "--perfetto", trace, "--force").code == 0
    assert trace.read_bytes() == before


def test_a_name_that_steers_a_terminal_is_shown_harmless(tmp_path: Path) -> None:
    path = stream(tmp_path, '  draw "a\\u001b[31mred" cb0.write t @ 1us\n  flush ps\n')
    assert "\033" not in run("simulate", path).out


def test_the_hazard_sample_is_simulated_on_another_machine(tmp_path: Path) -> None:
    path = write(tmp_path / "s.fence", HAZARD)
    out = run("simulate", path, "--machine", "gcn2-hawaii").out
    assert " on gcn2-hawaii, " in out


# -- captures


def captures() -> list[Path]:
    return sorted(CAPTURES.glob("gcn2_*/*.txt")) + sorted(CAPTURES.glob("gcn2_*.txt"))


@needs_data
def test_every_capture_is_simulated_end_to_end() -> None:
    paths = captures()
    assert len(paths) == 29
    for path in paths:
        result = run("simulate", path, "--format", "json")
        assert (result.code, result.err) == (0, ""), path
        data = json.loads(result.raw)
        works = [command for command in data["commands"] if command["work"]]
        on_units = [row for row in data["works"] if row["kind"] in ("draw", "dispatch")]
        assert len(on_units) == sum(
            command["spot"]["command"] in ("draw", "dispatch") for command in works
        )
        assert data["path"][0]["start"] == 0 or not data["path"]
        assert data["totals"]["time"] > 0


def test_a_capture_names_packets_by_their_offsets() -> None:
    path = EXAMPLES / "pm4" / "ffmpeg-avgblur.txt"
    notes = EXAMPLES / "pm4" / "ffmpeg-avgblur.notes"
    out = run("simulate", path, "--annotations", notes).out
    assert " on gcn2-bonaire, " in out
    assert re.search(rf"{re.escape(str(path))}:\d+ \(0x[0-9a-f]+\), queue", out)
    assert "accesses are not shown" not in out


WORDS = (
    *(
        "1us",
        "0us",
        "-1us",
        "time=5ns",
        "cycles=7",
        "cycles=0",
        "1.5ms",
        "nan",
        "time=nan",
        "1e9us",
    ),
    *("sm=80%", "sm=1.01", "memory=0.5", "rt=1", "alu=3", "rop=1", "l1=", "residency=25%"),
    *("waves=3", "waves=0", "pixels=1K", "threads=9", "vertices=1", "bytes=4G", "vs=40%", "rays=1"),
)
LINES = (
    *(
        "draw cb0.write t",
        "dispatch cs.uav-write x",
        "draw vs.vertex x; ps.texture t",
        "copy x from x",
    ),
    *(
        "flush ps",
        "wait idle",
        "eop a = 1",
        "wait me a >= 1",
        "wait me b == 2",
        "sync me tcc.wbinv",
    ),
)


@given(st.lists(st.tuples(st.sampled_from(LINES), st.lists(st.sampled_from(WORDS), max_size=3))))
def test_fuzz_costs(rows: list[tuple[str, list[str]]]) -> None:
    """Whatever stands behind `@`: a time, or one complaint with its place."""
    lines = [f"{line} @ {' '.join(words)}" if words else line for line, words in rows]
    result = run("simulate", "-", stdin=(HEAD + "\n".join(lines)).encode())
    if result.code == 0:
        assert " on xbox-one, " in result.out
    else:
        assert result.code == 2
        assert result.out == ""
        assert all(line.startswith("<stdin>:") for line in result.complaints)
