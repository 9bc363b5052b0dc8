"""`fmt`: columns, comments, blank lines; what a laid out line looks like."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.errors import Problems, ProgramProblem
from fencepost.stream.builder import ProgramBuilder
from fencepost.stream.program import Program, Suppression
from fencepost.stream.repeat import repeat
from fencepost.stream.text import format_program, format_text, parse_text
from tests.stream.programs import plain, programs

RAGGED = """\

   # what this is
machine   xbox-one


buffer sprites 64K   # read by all
color hdr 1920x1080 rgba16f cmask    # target
label a=0 ,b = 3 per-frame
# the only queue
queue gfx :graphics
draw "sky" ps.texture   sprites [0 : 64] hit-lru ;cb0.write hdr @ 1.5ms alu = 3 # costs
   dispatch   cs.uav sprites
      # comment of the event
 event cb.pixels.wbinv# no space
allow repeated-flush "why"
wait   me a==1   & 0xff
sync coherent cb0 0x0 : 0x100

   # the end
"""

LAID_OUT = """\
# what this is
machine xbox-one

buffer sprites 64K                      # read by all
color  hdr     1920x1080 rgba16f cmask  # target
label  a = 0, b = 3 per-frame
# the only queue
queue gfx: graphics
  draw "sky" ps.texture sprites[0:64] hit-lru; cb0.write hdr @ 1.5ms alu=3  # costs
  dispatch   cs.uav sprites
  # comment of the event
  event cb.pixels.wbinv  # no space
  allow repeated-flush "why"
  wait me a == 1 & 0xff
  sync coherent cb0 0x0:0x100

  # the end
"""


def test_a_ragged_text_is_laid_out() -> None:
    assert format_text(RAGGED) == LAID_OUT


def test_a_laid_out_text_stays() -> None:
    assert format_text(LAID_OUT) == LAID_OUT


def test_layout_does_not_change_the_program() -> None:
    assert plain(parse_text(RAGGED)) == plain(parse_text(LAID_OUT))


def test_line_ends_of_windows_go() -> None:
    assert format_text(RAGGED.replace("\n", "\r\n")) == LAID_OUT


def test_a_long_head_does_not_push_the_others_out() -> None:
    name = "x" * 40
    text = f'machine xbox-one\nqueue q: graphics\n  draw "a"\n  draw "{name}" vs.unknown\n'
    text += '  draw "b" ps.unknown\n'
    assert format_text(text).splitlines()[2:] == [
        '  draw "a"',
        f'  draw "{name}" vs.unknown',
        '  draw "b" ps.unknown',
    ]


def test_blocks_have_columns_of_their_own() -> None:
    text = 'machine xbox-one\nqueue q: graphics\n  draw "abc" ps.unknown\n\n  draw "a" ps.unknown\n'
    assert format_text(text) == text


def test_a_comment_mark_in_a_name_is_no_comment() -> None:
    text = 'machine xbox-one\nbuffer `a # b` 64\nqueue q: graphics\n  draw "c # d @ e=f"\n'
    assert format_text(text) == text


def test_fmt_refuses_what_it_cannot_read() -> None:
    with pytest.raises(Problems):
        format_text("machine xbox-one\nqueue q: graphics\n  flush\n")


def test_repeated_frames_have_no_text() -> None:
    builder = ProgramBuilder("xbox-one")
    builder.graphics().frame()
    with pytest.raises(ProgramProblem, match="repeated frames"):
        format_program(repeat(builder.build(), 2))


def test_a_suppression_of_no_command_is_not_dropped() -> None:
    builder = ProgramBuilder("xbox-one")
    builder.graphics().allow("read-after-write", "known").frame()
    program = builder.build()
    assert 'allow read-after-write "known"' in format_program(program)
    lost = Suppression("deadlock", "<builder>", 77, "elsewhere")
    with pytest.raises(ProgramProblem, match="'deadlock' is accepted where no command is"):
        format_program(replace(program, suppressions=(lost,)))


comments = st.text(st.characters(exclude_characters="\n\r", codec="utf-8"), max_size=9)


@given(programs(), st.data())
def test_any_spacing_and_comments_are_laid_out_once(program: Program, data: st.DataObject) -> None:
    """Blanks, comments and empty lines anywhere: the program stays, and layout is final."""
    text = format_program(program)
    lines = []
    for line in text.split("\n"):
        blanks = data.draw(st.sampled_from(["", " ", "\t", "   "]))
        tail = data.draw(st.one_of(st.just(""), comments.map(" #{}".format)))
        lines += [blanks + line + tail, *data.draw(st.sampled_from([[], [], [""], ["# x", ""]]))]
    messy = "\n".join(lines)
    laid_out = format_text(messy)
    assert plain(parse_text(laid_out)) == plain(program)
    assert format_text(laid_out) == laid_out
    assert all(comment in laid_out for comment in _comments(messy))


def _comments(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip().startswith("#")]
