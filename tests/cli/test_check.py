from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.run import BROKEN, CLEAN, HAZARD, WASTE, run, write
from tests.project.repository import ROOT

PM4 = ROOT / "examples" / "pm4" / "ffmpeg-avgblur.txt"
NOTES = ROOT / "examples" / "pm4" / "ffmpeg-avgblur.notes"


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    return write(tmp_path / "clean.fence", CLEAN)


@pytest.fixture
def hazard(tmp_path: Path) -> Path:
    return write(tmp_path / "hazard.fence", HAZARD)


@pytest.fixture
def waste(tmp_path: Path) -> Path:
    return write(tmp_path / "waste.fence", WASTE)


def headline(text: str) -> str:
    return text.splitlines()[0].rpartition(": ")[2]


def test_clean_is_zero_and_says_all_three_lists(clean: Path) -> None:
    result = run("check", clean)
    assert (result.code, result.err) == (0, "")
    said = "no hazard found; no access unknown; no barrier heavier than needed"
    assert headline(result.out) == said


def test_a_hazard_is_one_and_shown_with_its_line(hazard: Path) -> None:
    result = run("check", hazard)
    assert (result.code, result.err) == (1, "")
    assert headline(result.out).startswith("1 hazard found; ")
    assert "hazard[read-after-write]" in result.out
    assert '4 |   dispatch "write" cs.uav-write x\n' in result.out
    assert '6 |   dispatch "read" cs.buffer x\n' in result.out
    assert "^^^^^^^^^^^ later" in result.out


@pytest.mark.parametrize(
    ("kinds", "codes"),
    [
        ("hazard", (0, 1, 0, 0)),
        ("waste", (0, 0, 1, 1)),
        ("unknown", (0, 0, 0, 1)),
        ("hazard,waste", (0, 1, 1, 1)),
        ("unknown, waste", (0, 0, 1, 1)),
        ("none", (0, 0, 0, 0)),
    ],
)
def test_fail_on_decides_the_exit_code(
    clean: Path, hazard: Path, waste: Path, kinds: str, codes: tuple[int, ...]
) -> None:
    files = (clean, hazard, waste, PM4)
    assert tuple(run("check", file, "--fail-on", kinds).code for file in files) == codes


def test_several_files_make_one_report(clean: Path, hazard: Path) -> None:
    result = run("check", clean, hazard)
    assert result.code == 1
    assert f"{clean}: no hazard found" in result.out
    assert f"{hazard}: 1 hazard found" in result.out
    assert "2 inputs: 1 hazard found" in result.out


def test_a_file_given_twice_is_checked_once(hazard: Path) -> None:
    assert run("check", hazard, hazard).out == run("check", hazard).out


def test_standard_input_is_checked() -> None:
    result = run("check", "-", stdin=HAZARD.encode())
    assert result.code == 1
    assert result.out.startswith("<stdin>: 1 hazard found")
    assert " --> <stdin>:6" in result.out


def test_json_is_one_document_with_the_three_lists(clean: Path, hazard: Path) -> None:
    result = run("check", clean, hazard, "--format", "json")
    document = json.loads(result.raw)
    assert result.code == 1
    assert [row["file"] for row in document["inputs"]] == [str(clean), str(hazard)]
    (row,) = document["hazards"]
    assert (row["rule"], row["earlier"]["line"], row["later"]["line"]) == ("read-after-write", 4, 6)


def test_sarif_is_one_run(clean: Path, hazard: Path) -> None:
    result = run("check", clean, hazard, "--format", "sarif")
    document = json.loads(result.raw)
    assert result.code == 1
    (only,) = document["runs"]
    assert [row["ruleId"] for row in only["results"]] == ["read-after-write"]


@pytest.mark.parametrize("form", ["text", "json", "sarif"])
def test_output_goes_to_a_file(tmp_path: Path, hazard: Path, form: str) -> None:
    target = tmp_path / "report"
    result = run("check", hazard, "--format", form, "--output", target)
    assert (result.code, result.raw, result.err) == (1, b"", "")
    assert target.read_bytes() == run("check", hazard, "--format", form).raw


def test_output_is_never_overwritten_unasked(tmp_path: Path, hazard: Path) -> None:
    target = write(tmp_path / "report", "precious\n")
    result = run("check", hazard, "--output", target)
    assert (result.code, result.raw) == (2, b"")
    assert result.complaints == [
        f"{target}: exists already; expected a new file, or --force to replace it"
    ]
    assert target.read_text(encoding="utf-8") == "precious\n"
    assert run("check", hazard, "--output", target, "--force").code == 1
    assert "1 hazard found" in target.read_text(encoding="utf-8")


def test_nothing_is_written_for_unusable_input(tmp_path: Path, clean: Path) -> None:
    broken = write(tmp_path / "broken.fence", BROKEN)
    target = tmp_path / "report"
    result = run("check", clean, broken, "--output", target)
    assert (result.code, result.raw) == (2, b"")
    assert not target.exists()


def test_every_problem_of_every_input_is_a_line(tmp_path: Path, hazard: Path) -> None:
    broken = write(tmp_path / "broken.fence", BROKEN)
    missing = tmp_path / "missing.fence"
    result = run("check", missing, hazard, broken)
    assert (result.code, result.raw) == (2, b"")
    first, *rest = result.complaints
    assert str(missing) in first
    assert [line.split(":")[:2] for line in rest] == [[str(broken), "4"], [str(broken), "5"]]


def test_the_machine_can_be_chosen(hazard: Path) -> None:
    assert "machine xbox-one, documented guarantees" in run("check", hazard).out
    result = run("check", hazard, "--machine", "gcn2-hawaii")
    assert "machine gcn2-hawaii, strict guarantees" in result.out
    result = run("check", hazard, "--machine", "gcn2-hawai")
    assert result.code == 2
    assert "gcn2-hawaii" in result.complaints[0]


LEANING = """machine xbox-one
color x 64x64 rgba8
queue q: graphics
  draw cb0.write x
  event cb.pixels.wbinv
  eop with tcc.wbinv
  flush ps
  draw ps.texture x
"""


def test_guarantees_decide_and_leaning_is_said(tmp_path: Path) -> None:
    file = write(tmp_path / "a.fence", LEANING)
    result = run("check", file)
    assert result.code == 0
    assert "leans on documented guarantees: strict would report" in result.out
    strict = run("check", file, "--guarantees", "strict")
    assert strict.code == 1
    assert "leans" not in strict.out
    (row,) = json.loads(run("check", file, "--format", "json").raw)["inputs"]
    assert row["leans_on_documented"] is True


FRAMES = """machine xbox-one
buffer x 64
queue q: compute
  dispatch "read" cs.buffer x
  flush cs
  dispatch "write" cs.uav-write x
"""


def test_a_hazard_between_frames_shows_with_two(tmp_path: Path) -> None:
    file = write(tmp_path / "a.fence", FRAMES)
    assert run("check", file).code == 0
    result = run("check", file, "--frames", "2")
    assert result.code == 1
    assert "earlier, frame 1" in result.out
    assert "later, frame 2" in result.out
    thrice = run("check", file, "--frames", "3")
    assert thrice.out.count("hazard[read-after-write]") == 1
    assert "in frames 2, 3" in thrice.out


@pytest.mark.parametrize("frames", ["0", "-1", "two", "1.5"])
def test_frames_are_a_positive_number(clean: Path, frames: str) -> None:
    result = run("check", clean, "--frames", frames)
    assert (result.code, len(result.complaints)) == (2, 1)


def test_why_explains_a_command_that_is_right(clean: Path) -> None:
    result = run("check", clean, "--why", f"{clean}:7")
    assert result.code == 0
    assert f"{clean}:7: cs.buffer x is right" in result.out
    assert "= ordered:   yes" in result.out
    assert "[line 5]" in result.out
    assert run("check", clean, "--why", "7").out == result.out
    assert run("check", clean, "--why", ":7").out == result.out


def test_why_shows_where_a_chain_breaks(hazard: Path) -> None:
    result = run("check", hazard, "--why", "6")
    assert result.code == 1
    assert "cs.buffer x is WRONG" in result.out
    assert "= ordered:   NO" in result.out
    assert run("check", hazard, "--why", "6", "--fail-on", "waste").code == 0


def test_why_in_json_comes_with_the_report(clean: Path) -> None:
    document = json.loads(run("check", clean, "--why", "7", "--format", "json").raw)
    assert {row["later"]["line"] for row in document["explanations"]} == {7}
    assert document["hazards"] == []


def test_why_of_a_packet_goes_by_offset() -> None:
    result = run("check", PM4, "--annotations", NOTES, "--why", ":0xf8")
    assert result.code == 1
    assert "(offset 0xf8): cs.texture temp-y is WRONG" in result.out


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("5", "no command with accesses at"),
        ("999", "no command with accesses at"),
        ("0x10", "no packet with accesses at"),
        ("other.fence:7", "--why names 'other.fence', which is not checked"),
        ("nowhere", "--why nowhere; expected FILE:LINE"),
        ("", "--why"),
    ],
)
def test_why_needs_a_command(clean: Path, at: str, said: str) -> None:
    result = run("check", clean, f"--why={at}")
    if at:
        assert result.code == 2
        assert said in result.complaints[0]
    else:
        assert result.code == 0


def test_why_names_one_of_several_files(clean: Path, hazard: Path) -> None:
    assert run("check", clean, hazard, "--why", "7").code == 2
    assert run("check", clean, hazard, "--why", f"{clean}:7").code == 0


def test_why_has_no_sarif_form(clean: Path) -> None:
    result = run("check", clean, "--why", "7", "--format", "sarif")
    assert result.complaints == ["--why has no SARIF form; expected --format text or json"]


def test_a_capture_without_annotations_is_unknown_and_with_them_hazardous() -> None:
    bare = run("check", PM4)
    assert bare.code == 0
    assert "2 accesses unknown" in headline(bare.out)
    noted = run("check", PM4, "--annotations", NOTES)
    assert noted.code == 1
    assert "no access unknown" in headline(noted.out)
    assert "0x0080: DISPATCH_DIRECT" in noted.out
    assert "0x00f8: DISPATCH_DIRECT" in noted.out


def test_annotations_are_for_captures(clean: Path) -> None:
    result = run("check", clean, "--annotations", NOTES)
    assert result.code == 2
    assert "--annotations" in result.complaints[0]


def test_suppressions_of_a_file_need_a_reason_and_are_counted(tmp_path: Path, hazard: Path) -> None:
    listed = write(tmp_path / "list.txt", 'read-after-write hazard.fence:6 "a test"\n')
    result = run("check", hazard, "--suppress", listed)
    assert result.code == 0
    assert "1 finding suppressed" in result.out
    assert '"a test"' in result.out
    write(listed, "read-after-write hazard.fence:6\n")
    result = run("check", hazard, "--suppress", listed)
    assert result.code == 2
    assert result.complaints[0].startswith(f"{listed}:1:1: not a suppression")


def test_suppressions_of_the_stream_are_honoured(tmp_path: Path) -> None:
    text = HAZARD.replace(
        '  dispatch "read"', '  allow read-after-write "a test"\n  dispatch "read"'
    )
    result = run("check", write(tmp_path / "a.fence", text))
    assert result.code == 0
    assert "1 finding suppressed" in result.out


def test_a_suppression_that_no_file_meets_is_noted_once(
    tmp_path: Path, clean: Path, hazard: Path
) -> None:
    lines = ('read-after-write hazard.fence "a test"', 'deadlock hazard.fence "old"')
    listed = write(tmp_path / "list.txt", "\n".join(lines))
    for files in ((hazard, clean), (clean, hazard)):
        result = run("check", *files, "--suppress", listed)
        assert result.out.count("meets no finding") == 1
        assert "the suppression of deadlock at hazard.fence" in result.out


def test_a_baseline_hides_what_was_there(tmp_path: Path, hazard: Path) -> None:
    baseline = tmp_path / "old.json"
    run("check", hazard, "--format", "json", "--output", baseline)
    result = run("check", hazard, "--baseline", baseline)
    assert result.code == 0
    assert "1 finding of the baseline not shown" in result.out
    moved = HAZARD.replace("buffer x 64\n", "\n# moved\nbuffer y 64\nbuffer x 64\n")
    write(hazard, moved)
    assert run("check", hazard, "--baseline", baseline).code == 0
    write(hazard, moved + '  dispatch "again" cs.buffer x\n')
    assert run("check", hazard, "--baseline", baseline).code == 1
    result = run("check", hazard, "--baseline", hazard)
    assert (result.code, "not a baseline" in result.complaints[0]) == (2, True)


@pytest.mark.parametrize(
    ("color", "terminal", "environment", "colored"),
    [
        ("auto", True, {"TERM": "xterm"}, True),
        ("auto", True, {"TERM": "xterm", "NO_COLOR": ""}, True),
        ("auto", True, {"TERM": "xterm", "NO_COLOR": "1"}, False),
        ("auto", True, {"TERM": "dumb"}, False),
        ("auto", False, {"TERM": "xterm"}, False),
        ("always", False, {"TERM": "dumb", "NO_COLOR": "1"}, True),
        ("never", True, {"TERM": "xterm"}, False),
    ],
)
def test_colour_is_for_terminals(
    monkeypatch: pytest.MonkeyPatch,
    hazard: Path,
    color: str,
    terminal: bool,
    environment: dict[str, str],
    colored: bool,
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    result = run("check", hazard, "--color", color, terminal=terminal)
    assert ("\033[" in result.out) is colored


def test_an_output_that_knows_ascii_only_is_served(tmp_path: Path) -> None:
    file = write(tmp_path / "a.fence", HAZARD.replace('"read"', '"r\u00e9ad"'))
    result = run("check", file, encoding="ascii")
    assert result.code == 1
    assert b'dispatch "r?ad" cs.buffer x' in result.raw
    assert "r\u00e9ad" in run("check", file).out


def test_json_is_utf8_whatever_the_terminal_knows(tmp_path: Path) -> None:
    file = write(tmp_path / "a.fence", HAZARD.replace('"read"', '"r\u00e9ad"'))
    result = run("check", file, "--format", "json", encoding="ascii")
    assert json.loads(result.raw)["hazards"][0]["later"]["name"] == "r\u00e9ad"


@pytest.mark.parametrize("form", ["text", "json", "sarif"])
def test_the_same_input_gives_the_same_bytes(hazard: Path, form: str) -> None:
    first, second = (run("check", hazard, PM4, "--format", form).raw for _ in range(2))
    assert first == second
    assert b"\r" not in first


def test_windows_line_ends_and_a_byte_order_mark_change_no_line(tmp_path: Path) -> None:
    file = tmp_path / "a.fence"
    file.write_bytes(b"\xef\xbb\xbf" + HAZARD.replace("\n", "\r\n").encode())
    result = run("check", file)
    assert result.code == 1
    assert '6 |   dispatch "read" cs.buffer x\n' in result.out
    assert "\r" not in result.out


# -- the brief form


def test_brief_is_the_headline_and_a_line_a_finding(hazard: Path, waste: Path) -> None:
    result = run("check", hazard, waste, "--brief")
    full = run("check", hazard, waste)
    assert result.code == full.code == 1
    lines = result.out.splitlines()
    assert lines[0] == full.out.splitlines()[0]
    assert lines[1].startswith(f'{hazard}:6: hazard[read-after-write]: dispatch "read" may read x')
    assert lines[2] == f"{waste}: no hazard found; no access unknown; 1 barrier heavier than needed"
    assert lines[3].startswith(f"{waste}:7: waste[repeated-flush]: tcp.wbinv: nothing has used")
    assert len(lines) == 4


def test_brief_counts_what_shares_a_line(tmp_path: Path) -> None:
    assert run("check", PM4, "--brief").out.splitlines()[-1].endswith("accesses (and 1 more)")
    frames = run("check", write(tmp_path / "a.fence", FRAMES), "--frames", "3", "--brief")
    assert frames.out.splitlines()[1].endswith("(and 1 more)")
    assert len(frames.out.splitlines()) == 2


@pytest.mark.parametrize("words", [("--format", "json"), ("--format", "sarif"), ("--why", "7")])
def test_brief_is_a_form_of_the_text_report(clean: Path, words: tuple[str, str]) -> None:
    result = run("check", clean, "--brief", *words)
    assert result.code == 2
    assert "--brief is a form of the text report" in result.complaints[0]
