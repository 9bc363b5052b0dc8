"""What a plan does without where lines come in whole, and what it then needs."""

from __future__ import annotations

from fencepost.coherence import Kind, check
from fencepost.machine import find_machine
from fencepost.plan.planning import plan
from fencepost.stream.text import parse_text
from fencepost.stream.text.printer import format_program

HEAD = """machine gcn2-bonaire
color target 128 at 0x3000 cmask 32 at 0x3080 fmask 32 at 0x3100
queue gfx: graphics
  draw cb0.write target.fmask[0:16]
"""
ATOMIC = "  draw vs.atomic target.fmask[0:16]\n"
NEIGHBOUR = "  draw vs.uav target.fmask[16:32] miss-evict\n"
READER = "  dispatch cs.vertex target.fmask[0:16]\n"


def planned(text: str, level: str) -> str:
    program = parse_text(HEAD + text, "spare.fence")
    machine = find_machine(program.machine)
    found = plan(program, machine, level).program
    assert not check(found, machine, level).of(Kind.HAZARD)
    return format_program(found)


def test_a_line_that_comes_in_behind_the_wait_is_new() -> None:
    for level in ("documented", "strict"):
        text = planned(ATOMIC + NEIGHBOUR + READER, level)
        assert "flush vs" in text
        assert "tcp" not in text, "nothing would break without it"


def test_a_line_that_came_in_before_is_old() -> None:
    for level in ("documented", "strict"):
        text = planned("  draw vs.uav target.fmask[16:32]\n" + ATOMIC + READER, level)
        assert "tcp" in text
