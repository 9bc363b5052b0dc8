"""Text, JSON Lines and programs: whichever way round, the program stays the same."""

from __future__ import annotations

from hypothesis import given

from fencepost.stream.jsonl import read_jsonl, write_jsonl
from fencepost.stream.program import Program
from fencepost.stream.text import format_program, format_text, parse_text
from tests.stream.programs import plain, programs


@given(programs())
def test_text_says_the_whole_program(program: Program) -> None:
    assert plain(parse_text(format_program(program))) == plain(program)


@given(programs())
def test_json_lines_say_the_whole_program(program: Program) -> None:
    assert plain(read_jsonl(write_jsonl(program))) == plain(program)


@given(programs())
def test_text_and_json_lines_are_stable(program: Program) -> None:
    text, lines = format_program(program), write_jsonl(program)
    assert format_program(parse_text(text)) == text
    assert write_jsonl(read_jsonl(lines)) == lines
    assert write_jsonl(parse_text(text)) == lines
    assert format_program(read_jsonl(lines)) == text


@given(programs())
def test_laid_out_text_stays_as_it_is(program: Program) -> None:
    text = format_program(program)
    assert format_text(text) == text
