"""`fencepost plan`: what it prints, what it says, and when it cannot."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fencepost.report
from fencepost.coherence import Kind, check
from fencepost.machine import Machine, find_machine
from fencepost.plan.costs import cost
from fencepost.report.plan_document import schema
from fencepost.stream.jsonl import write_jsonl
from fencepost.stream.program import Program, Queue, QueueKind
from fencepost.stream.text import format_program, parse_text
from fencepost.stream.text.columns import lay_out
from tests.cases.test_bug_reports import STREAMS
from tests.cases.test_bug_reports import text_of as text_of_bug
from tests.cli.run import run, write
from tests.coherence.strategies import machines, make_program, spot_lists, works
from tests.examples.verdicts import names, text_of
from tests.project.repository import ROOT
from tests.project.repository import text_of as text_of_file
from tests.report.samples import Json

PM4 = ROOT / "examples" / "pm4" / "ffmpeg-avgblur.txt"
NOTES = ROOT / "examples" / "pm4" / "ffmpeg-avgblur.notes"
SCHEMA_FILE = Path(fencepost.report.__file__).parent / "plan.schema.json"

STREAM = """# what is said at the top stays
machine xbox-one
color target 64x64 rgba8
buffer a 64K   # a buffer
label done = 0

queue gfx: graphics
  draw "reader"    ps.buffer a  # leaves lines
  wait idle  # too much
  # the producer
  dispatch "writer" cs.uav-write a
  draw "paint"     cb0.write target
  sync me tcc.wbinv tcp.wbinv k.inv  # too much again
  draw "consumer"  ps.buffer a
"""

IMPOSSIBLE = {
    "feedback loop": """machine xbox-one
buffer a 64
queue q: compute
  dispatch cs.uav-write a; cs.constant a
# hazard[feedback-loop]
""",
    "queues that wait for each other": """machine xbox-one
buffer a 64
label x = 0
label y = 0
queue g: graphics
  wait me x == 1
  draw ps.uav-write a
  eop y = 1 with tcc.wbinv
queue c: compute
  wait y == 1
  dispatch cs.buffer a
  eop x = 1 with tcc.wbinv
# hazard[deadlock]
""",
    "a compute queue that is asked for a CB flush": """machine xbox-one
buffer a 64
queue c: compute
  dispatch cs.uav-write a
  sync cb.pixels.wbinv
  dispatch cs.buffer a
# 'cb.pixels.wbinv' on a compute queue, which has no CB and DB
""",
    "a compute queue that is asked for coherency of CB": """machine xbox-one
buffer a 64
queue c: compute
  dispatch cs.uav-write a
  sync tcc.wbinv coherent cb0
# coherency 'cb0' on a compute queue, which has no graphics contexts
""",
    "a wait that no value ends": """machine xbox-one
buffer a 64
label x = 0
queue c: compute
  dispatch cs.uav-write a
queue host: cpu
  wait x < 0
  read a
# hazard[wait-never-satisfied]
""",
}
"""Streams with the reason that is due, in their last line."""


def verdict(text: str, file: str = "planned") -> tuple[bool, int]:
    """Whether a text parses and is right, and what its synchronization costs."""
    program = parse_text(text, file)
    machine = find_machine(program.machine)
    return not check(program, machine).of(Kind.HAZARD), cost(program, machine)


def own_cost(program: Program) -> int:
    return cost(program, find_machine(program.machine))


@pytest.fixture
def stream(tmp_path: Path) -> Path:
    return write(tmp_path / "a.fence", STREAM)


# -- the stream


def test_the_plan_replaces_synchronization_and_keeps_all_else(stream: Path) -> None:
    result = run("plan", stream)
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[:4] == STREAM.splitlines()[:4]
    assert "too much" not in result.out
    assert "  # the producer" in lines
    assert verdict(result.out)[0]
    (flush,) = [line for line in lines if line.startswith("  flush ps")]
    assert flush.endswith('# "reader" -> "writer": a')
    assert lines.index(flush) == lines.index("  # the producer") - 1


def test_what_was_laid_out_is_laid_out_again(tmp_path: Path) -> None:
    tidy = write(tmp_path / "tidy.fence", lay_out(STREAM))
    result = run("plan", tidy)
    assert lay_out(result.out) == result.out
    assert verdict(result.out) == verdict(run("plan", write(tmp_path / "b.fence", STREAM)).out)


def test_the_cost_stands_beside_that_of_the_own_synchronization(stream: Path) -> None:
    result = run("plan", stream)
    own = own_cost(parse_text(STREAM))
    planned = verdict(result.out)[1]
    assert planned < own
    assert result.err == (
        f"fencepost: {stream}: {result.out.count('# ') - 4} commands inserted: "
        f"{planned:,} cycles of synchronization, {own:,} as it was read\n"
    )


def test_a_stream_that_needs_nothing_comes_out_as_it_is(tmp_path: Path) -> None:
    text = "machine xbox-one\nbuffer a 64\n\nqueue q: compute\n    dispatch cs.buffer a # odd\n"
    result = run("plan", write(tmp_path / "a.fence", text))
    assert (result.code, result.out) == (0, text)
    assert "right as it is: 0 cycles" in result.err


def test_the_own_synchronization_stays_where_none_is_cheaper(tmp_path: Path) -> None:
    text = (
        "machine xbox-one\nbuffer a 64\nqueue q: compute\n  dispatch cs.buffer a\n"
        "  flush cs   # mine\n  dispatch cs.uav-write a\n"
    )
    result = run("plan", write(tmp_path / "a.fence", text))
    assert (result.code, result.out) == (0, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *((name, text_of(name)) for name in names()),
        *((name, text_of_bug(name)) for name in STREAMS),
    ],
    ids=[*names(), *STREAMS],
)
def test_what_is_printed_is_right_and_never_dearer(tmp_path: Path, name: str, text: str) -> None:
    file = write(tmp_path / f"{name}.fence", text)
    result = run("plan", file)
    if result.code:
        assert (result.code, result.raw) == (1, b"")
        assert f"{file}: found no synchronization that makes it right" in result.err
        assert run("check", file).code == 1
        return
    right, cycles = verdict(result.out)
    assert right
    if run("check", file).code == 0:
        assert cycles <= own_cost(parse_text(text))
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        line for line in result.out.splitlines() if line.startswith("#")
    ]


# -- other forms, other outputs


def test_json_lines_are_planned_as_text(tmp_path: Path, stream: Path) -> None:
    lines = write(tmp_path / "a.jsonl", write_jsonl(parse_text(STREAM)))
    result = run("plan", lines)
    assert result.code == 0
    assert verdict(result.out) == verdict(run("plan", stream).out)
    assert '# "reader" -> "writer": a' in result.out
    assert lay_out(result.out) == result.out


def test_a_capture_is_planned_for_what_is_shown() -> None:
    result = run("plan", PM4)
    assert result.code == 0
    assert "planned for the accesses that are shown, 2 accesses unknown" in result.err
    assert "PM4 cannot be written: this is its program as text" in result.err
    noted = run("plan", PM4, "--annotations", NOTES)
    assert "unknown" not in noted.err
    assert "# DISPATCH_DIRECT 8x128x1 (0x80) -> DISPATCH_DIRECT 256x4x1 (0xf8): temp-y" in noted.out
    assert verdict(noted.out)[0]


def test_standard_input_is_planned() -> None:
    assert run("plan", "-", stdin=STREAM.encode()).out.startswith("# what is said at the top")


def test_carriage_returns_and_a_missing_newline_are_taken(tmp_path: Path, stream: Path) -> None:
    file = tmp_path / "dos.fence"
    file.write_bytes(STREAM.rstrip("\n").replace("\n", "\r\n").encode())
    assert run("plan", file).out == run("plan", stream).out


def test_the_output_is_a_file_that_is_never_overwritten_unasked(
    tmp_path: Path, stream: Path
) -> None:
    target = tmp_path / "out.fence"
    result = run("plan", stream, "-o", target)
    assert (result.code, result.raw) == (0, b"")
    assert target.read_bytes() == run("plan", stream).raw
    again = run("plan", stream, "--output", target)
    assert again.code == 2
    assert "exists already" in again.complaints[0]
    assert run("plan", stream, "-o", target, "--force").code == 0


def test_machine_and_guarantees_are_what_it_is_planned_for(tmp_path: Path) -> None:
    text = (
        "machine xbox-one\ncolor c 64x64 rgba8\nqueue gfx: graphics\n"
        "  draw cb0.write c\n  draw ps.texture c\n"
    )
    file = write(tmp_path / "a.fence", text)
    outputs = {
        run("plan", file, *words).out
        for words in ((), ("--guarantees", "strict"), ("--machine", "gcn2-bonaire"))
    }
    assert len(outputs) >= 2
    strict = write(tmp_path / "strict.fence", run("plan", file, "--guarantees", "strict").out)
    assert run("check", strict, "--guarantees", "strict").code == 0
    assert run("plan", file, "--machine", "gcn2-bonair").code == 2


# -- what each command is for


def test_explain_says_what_each_command_serves_and_what_is_too_light(stream: Path) -> None:
    result = run("plan", stream, "--explain")
    assert result.out == run("plan", stream).out
    assert 'flush ps  before dispatch "writer" (line 11) in queue gfx\n' in result.err
    serves = 'dispatch "writer" (line 11) after draw "reader" (line 8): a, write-after-read'
    assert f"  = for:     {serves}\n" in result.err
    assert '  = lighter: flush vs would break dispatch "writer" (line 11) after draw' in result.err
    assert "(machine xbox-one, documented guarantees)" in result.err.replace("\n", " ")


def document(*words: str | Path) -> Json:
    return json.loads(run("plan", *words, "--format", "json").raw)


def test_json_has_the_stream_the_pairs_and_the_costs(stream: Path) -> None:
    text = run("plan", stream).out
    found = document(stream)
    assert found["stream"] == text
    assert (found["file"], found["machine"], found["guarantees"]) == (
        str(stream),
        "xbox-one",
        "documented",
    )
    assert (found["right"], found["unknown"]) == (False, 0)
    assert (found["cycles"], found["own_cycles"]) == (
        verdict(text)[1],
        own_cost(parse_text(STREAM)),
    )
    service = next(row for row in found["services"] if row["commands"][0]["text"] == "flush ps")
    (command,) = service["commands"]
    assert (command["stands"], command["beside"]["line"]) == ("before", 11)
    (pair,) = service["serves"]
    assert (pair["rule"], pair["earlier"]["line"], pair["later"]["line"], pair["resource"]) == (
        "write-after-read",
        8,
        11,
        "a",
    )
    assert "flush vs" in [row["choice"] for row in service["lighter"]]


def test_the_schema_file_is_the_one_that_the_records_make() -> None:
    assert SCHEMA_FILE.read_bytes() == schema()
    jsonschema.Draft202012Validator.check_schema(json.loads(schema()))


def test_every_plan_follows_the_schema(stream: Path) -> None:
    validator = jsonschema.Draft202012Validator(json.loads(schema()))
    for words in ((stream,), (PM4,), (PM4, "--annotations", NOTES)):
        validator.validate(document(*words))
    broken = document(stream)
    del broken["services"][0]["serves"]
    with pytest.raises(jsonschema.ValidationError):
        validator.validate(broken)


def test_the_page_describes_every_field() -> None:
    page = text_of_file(ROOT / "docs" / "json-plan.md")
    names_ = {
        name for record in json.loads(schema())["$defs"].values() for name in record["properties"]
    }
    assert [name for name in sorted(names_) if f"`{name}`" not in page] == []


# -- what cannot be


@pytest.mark.parametrize("verb", ["plan", "fix"])
def test_a_wait_that_nothing_ends_gets_its_value(tmp_path: Path, verb: str) -> None:
    text = IMPOSSIBLE["a wait that no value ends"].replace("x < 0", "x == 1")
    result = run(verb, write(tmp_path / "a.fence", text))
    assert result.code == 0
    assert "eop x = 1 with tcc.wbinv" in result.out
    assert verdict(result.out)[0]


@pytest.mark.parametrize("verb", ["plan", "fix"])
@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_no_synchronization_makes_right_is_said_with_the_reason(
    tmp_path: Path, name: str, verb: str
) -> None:
    text = IMPOSSIBLE[name]
    reason = text.splitlines()[-1].removeprefix("# ")
    file = write(tmp_path / "a.fence", text)
    target = tmp_path / "out.fence"
    result = run(verb, file, "-o", target)
    assert (result.code, result.raw) == (1, b"")
    assert "found no synchronization that makes it right" in result.err
    assert reason in result.err
    assert not target.exists()
    assert "= fix:" not in result.err


@pytest.mark.parametrize("verb", ["plan", "fix"])
def test_unusable_input_is_two(tmp_path: Path, verb: str) -> None:
    file = write(
        tmp_path / "a.fence", "machine xbox-one\nqueue q: compute\n  dispatch cs.buffer y\n"
    )
    result = run(verb, file, "-o", tmp_path / "out.fence")
    assert (result.code, result.raw, len(result.complaints)) == (2, b"", 1)
    assert not (tmp_path / "out.fence").exists()
    assert run(verb, file, "--annotations", NOTES).code == 2


# -- random programs


@settings(max_examples=40)
@given(st.data(), machines, st.sampled_from((QueueKind.GRAPHICS, QueueKind.COMPUTE)))
def test_what_is_printed_of_any_works_is_right(
    data: st.DataObject, machine: Machine, kind: QueueKind
) -> None:
    each = works(machine, kind, data.draw(spot_lists))
    listing = data.draw(st.lists(each, min_size=2, max_size=4))
    text = format_program(make_program(machine, [Queue("gfx", kind, listing)]))
    for verb in ("plan", "fix"):
        result = run(verb, "-", stdin=text.encode())
        assert result.code == 0
        assert verdict(result.out)[0]
        assert run("fix", "-", stdin=result.raw).out == result.out
