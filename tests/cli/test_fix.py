"""`fencepost fix`: the least addition, and the rest of the text as it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.coherence import Kind, check
from fencepost.machine import find_machine
from fencepost.plan.pieces import STAND_IN, STORE, WAIT, Piece, Woven, weave
from fencepost.plan.strip import strip
from fencepost.report.plan_stream import changed_text, listing
from fencepost.stream.command import Comparison, SetLabel, WaitMemory
from fencepost.stream.jsonl import read_jsonl, write_jsonl
from fencepost.stream.program import Program, QueueKind
from fencepost.stream.text import format_program, parse_text
from tests.cases.test_bug_reports import STREAMS, marks
from tests.cases.test_bug_reports import text_of as text_of_bug
from tests.cli.run import run, write
from tests.cli.test_plan import NOTES, PM4, verdict
from tests.coherence.strategies import harmless, one_queue_programs, programs

TEXT = """# two queues
machine xbox-one

buffer args 64     # for the tiles
color  target 64x64 rgba8

queue async: compute
    dispatch "cull" cs.uav-write args[0:16] @ 1ms   # odd layout stays

queue gfx: graphics
  draw "before" cb0.write target
  # what the tiles are for
  allow unknown-access "nothing is unknown"
  draw "tiles"  pfp.args args[0:16]; ps.texture target
"""


def added(before: str, after: str) -> list[tuple[str, str, str]]:
    """The lines that are new or say more, each with those above and below; all else is the same."""
    old, new = before.splitlines(), after.splitlines()
    found, at = [], 0
    for number, line in enumerate(new):
        if at < len(old) and line == old[at]:
            at += 1
            continue
        found.append((new[number - 1], line, new[number + 1] if number + 1 < len(new) else ""))
        if at < len(old) and old[at].split() and set(old[at].split()) <= set(line.split()):
            at += 1
    assert at == len(old), f"line {at + 1} is gone or changed: {old[at]}"
    return found


def test_a_command_that_gets_more_keeps_what_its_line_said(tmp_path: Path) -> None:
    text = """machine xbox-one
color target 64x64 rgba8
queue gfx: graphics
  draw ps.texture target
  flush ps
  draw cb0.write target
  event cb.pixels.wbinv
  flush ps
  sync me tcp.wbinv     # the texture's lines
  draw ps.texture target
"""
    result = run("fix", write(tmp_path / "a.fence", text))
    assert result.code == 0
    (line,) = [line for line in result.out.splitlines() if "sync me" in line]
    assert line.startswith("  sync me tcc.wbinv tcp.wbinv")
    assert "# the texture's lines; " in line
    assert [row for row in result.out.splitlines() if "sync me" not in row] == [
        row for row in text.splitlines() if "sync me" not in row
    ]


def test_lines_are_inserted_and_nothing_else_changes(tmp_path: Path) -> None:
    result = run("fix", write(tmp_path / "a.fence", TEXT))
    assert result.code == 0
    assert verdict(result.out)[0]
    lines = added(TEXT, result.out)
    (label,) = [row for row in lines if row[1].startswith("label ")]
    assert label[0] == "color  target 64x64 rgba8"
    (value,) = [row for row in lines if row[1].startswith("    eop ")]
    assert value[0].startswith('    dispatch "cull"')
    assert value[1].endswith('  # "cull" -> "tiles": args[0:16]')
    last = [row for row in lines if row[2] == "  # what the tiles are for"]
    assert len(last) == 1
    assert all(row[1].startswith("  ") for row in lines if row is not label)


def test_what_is_right_comes_out_as_it_is(tmp_path: Path) -> None:
    text = (
        "machine xbox-one\nbuffer a 64\nqueue q: compute\n  dispatch cs.buffer a\n"
        "    wait idle # too heavy, but right\n  dispatch cs.uav-write a"
    )
    file = write(tmp_path / "a.fence", text)
    result = run("fix", file)
    assert (result.code, result.out) == (0, text)
    assert (
        result.err
        == f"fencepost: {file}: right as it is: {verdict(text)[1]:,} cycles of synchronization\n"
    )
    assert json.loads(run("fix", file, "--format", "json").raw)["right"] is True


@pytest.mark.parametrize("name", [name for name in STREAMS if marks(name)])
def test_a_broken_stream_is_mended(tmp_path: Path, name: str) -> None:
    text = text_of_bug(name)
    result = run("fix", write(tmp_path / "a.fence", text))
    if result.code:
        assert (result.code, result.raw) == (1, b"")
        return
    assert verdict(result.out)[0]
    assert added(text, result.out)


def test_json_lines_stay_json_lines(tmp_path: Path) -> None:
    program = parse_text(TEXT)
    file = write(tmp_path / "a.jsonl", write_jsonl(program))
    result = run("fix", file)
    assert result.code == 0
    mended = read_jsonl(result.out, "mended")
    assert not check(mended, find_machine(mended.machine)).of(Kind.HAZARD)
    assert works(mended) == works(program)
    right = write(tmp_path / "b.jsonl", result.out)
    assert run("fix", right).out == result.out


def works(program: Program) -> list[str]:
    """The lines that say no synchronization."""
    lines = [line.split("#")[0].strip() for line in format_program(program).splitlines()]
    return [line for line in lines if line.startswith(("draw", "dispatch", "buffer", "color"))]


def test_a_capture_comes_out_as_text() -> None:
    result = run("fix", PM4, "--annotations", NOTES)
    assert result.code == 0
    assert "PM4 cannot be written: this is its program as text" in result.err
    assert "flush cs  " in result.out
    assert verdict(result.out)[0]
    assert "2 accesses unknown" in run("fix", PM4).err


def test_labels_come_before_the_queue_that_uses_them(tmp_path: Path) -> None:
    text = (
        'machine xbox-one\nqueue async: compute\nbuffer a 64\n  dispatch "w" cs.uav-write a\n'
        "queue gfx: graphics\n  draw vs.buffer a\nbuffer b 64\n  draw vs.buffer b\n"
    )
    result = run("fix", write(tmp_path / "a.fence", text))
    assert verdict(result.out)[0]
    (label, *_) = [line for line in added(text, result.out) if line[1].startswith("label ")]
    assert " at 0x" in label[1]
    assert label[0] == "machine xbox-one"


def test_a_queue_in_sections_is_mended_in_its_sections(tmp_path: Path) -> None:
    text = (
        'machine xbox-one\nbuffer a 64\nqueue gfx: graphics\n  draw "r" ps.buffer a\n'
        'queue async: compute\n  dispatch cs.buffer a\nqueue gfx\n  dispatch "w" cs.uav-write a\n'
        "queue async\n  dispatch cs.buffer a\n"
    )
    result = run("fix", write(tmp_path / "a.fence", text))
    if result.code == 0:
        assert verdict(result.out)[0]
        assert added(text, result.out)


# -- what is written, whatever is inserted


@st.composite
def woven_programs(draw: st.DrawFn) -> tuple[str, Program, Woven]:
    """A random program as text, as it reads, and with random commands and fences inserted."""
    text = format_program(draw(st.one_of(one_queue_programs(), programs())))
    before = parse_text(text)
    machine = find_machine(before.machine)
    pieces: list[Piece] = []
    for number, queue in enumerate(before.queues):
        for rank in draw(st.lists(st.integers(0, 8), max_size=3)):
            gap = draw(st.integers(0, len(queue.commands)))
            if queue.kind in (QueueKind.GRAPHICS, QueueKind.COMPUTE):
                command = draw(harmless(machine, queue.kind))
                pieces.append(Piece(number, gap, rank, command))
    return text, before, weave(before, (*pieces, *_fence(draw, before)))


def _fence(draw: st.DrawFn, program: Program) -> tuple[Piece, ...]:
    """A value that one queue stores, and a wait of another, or of the same."""
    if not draw(st.booleans()):
        return ()
    ends = [draw(st.integers(0, len(program.queues) - 1)) for _ in range(2)]
    gaps = [draw(st.integers(0, len(program.queues[number].commands))) for number in ends]
    names = {QueueKind.CPU: "cpu", QueueKind.COPY: "copy"}
    engines = [names.get(program.queues[number].kind, "me") for number in ends]
    value = SetLabel(engine=engines[0], label=STAND_IN, value=0)
    wait = WaitMemory(engine=engines[1], label=STAND_IN, comparison=Comparison.EQUAL, reference=0)
    return (Piece(ends[0], gaps[0], STORE, value, "f"), Piece(ends[1], gaps[1], WAIT, wait, "f"))


@given(woven_programs())
def test_a_changed_text_is_the_planned_program(made: tuple[str, Program, Woven]) -> None:
    text, before, woven = made
    comments = {
        (number, at): "for somebody"
        for number, pieces in enumerate(woven.pieces)
        for at, piece in enumerate(pieces)
        if piece is not None
    }
    after = changed_text(text, before, woven, comments)
    added(text, after)
    for changed in (after, listing(woven, comments)):
        assert changed.count("# for somebody\n") == len(comments)
        assert bare(parse_text(changed)) == bare(woven.program)


@given(one_queue_programs())
def test_a_stripped_text_is_the_stripped_program(program: Program) -> None:
    text = format_program(program)
    before = parse_text(text)
    woven = weave(strip(before), ())
    assert bare(parse_text(changed_text(text, before, woven, {}))) == bare(woven.program)


def bare(program: Program) -> list[str]:
    """The commands as text, without comments."""
    text = format_program(program)
    return [line.split("  #")[0].rstrip() for line in text[text.index("\nqueue") :].splitlines()]
