"""Arbitrary input: a program, or problems that say where; never anything else."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fencepost.errors import FencepostError, Problems
from fencepost.stream.jsonl import read_jsonl, write_jsonl
from fencepost.stream.legality import check_legality
from fencepost.stream.program import Program
from fencepost.stream.reading import load
from fencepost.stream.text import format_program, format_text, parse_text
from fencepost.stream.text.columns import lay_out
from fencepost.stream.text.lexer import tokens_of
from tests.stream.programs import programs

pytestmark = pytest.mark.fuzz

PIECES = st.sampled_from(
    [
        "machine",
        "xbox-one",
        "guarantees",
        "strict",
        "queue",
        "gfx",
        ":",
        "graphics",
        "compute",
        "cpu",
        "draw",
        "dispatch",
        "copy",
        "from",
        "as",
        "dma",
        "clear",
        "by",
        "pfp",
        "sync",
        "through",
        "tcc",
        "ps.texture",
        "cb0.write",
        "cs.uav",
        "a",
        "b",
        "[",
        "0",
        ":",
        "16",
        "]",
        ";",
        "@",
        "1ms",
        "k",
        "=",
        "1",
        "buffer",
        "color",
        "depth",
        "label",
        "gds",
        "64",
        "64K",
        "8x8",
        "rgba8",
        "d16",
        "cmask",
        "at",
        "0x100",
        "+",
        ",",
        "per-frame",
        "eop",
        "with",
        "tcc.wbinv",
        "eos",
        "ps",
        "wait",
        "==",
        ">=",
        "&",
        "set",
        "event",
        "flush",
        "idle",
        "flip",
        "kickoff",
        "frame",
        "present",
        "allow",
        "rule",
        '"why"',
        "`x`",
        "#",
        "\\",
        '"',
        "`",
        "coherent",
        "all",
        "db",
        "base0",
    ]
)
LINES = st.lists(PIECES, max_size=9).map(" ".join)
ASSEMBLED = st.lists(LINES, max_size=12).map("\n".join).map("machine xbox-one\n{}".format)


def read(text: str) -> Program | None:
    """The program, or None where the text was refused as it should be."""
    try:
        return parse_text(text, "f")
    except Problems as error:
        check_problems(error)
        return None


def check_problems(error: Problems) -> None:
    """Every problem is one printable line that names a place within the file."""
    assert error.problems
    for problem in error.problems:
        assert problem.place is not None
        assert problem.place.file == "f"
        assert problem.place.line >= 1
        assert problem.place.column >= 1
        assert problem.expected
        assert "\n" not in str(problem)


@given(st.text())
def test_fuzz_any_text(text: str) -> None:
    read(text)
    read("machine xbox-one\n" + text)


@given(st.binary())
def test_fuzz_any_bytes(data: bytes) -> None:
    read(data.decode("latin-1"))


@given(ASSEMBLED)
def test_fuzz_words_of_the_language(text: str) -> None:
    program = read(text)
    if program is not None:
        assert check_legality(program) == []
        assert read(format_program(program)) is not None


def mutate(text: str, data: st.DataObject) -> str:
    """The text with a few characters, words or lines gone, doubled or changed."""
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.sampled_from([0, 1, 1, 5, 80])))
        middle = data.draw(st.one_of(st.just(""), PIECES, st.text(max_size=3), st.just(text[:80])))
        text = text[:start] + middle + text[end:]
    return text


@given(programs(), st.data())
def test_fuzz_mutated_text(program: Program, data: st.DataObject) -> None:
    text = mutate(format_program(program), data)
    changed = read(text)
    if changed is not None:
        assert read(format_text(text, "f")) is not None


@given(programs(), st.data())
def test_fuzz_mutated_json_lines(program: Program, data: st.DataObject) -> None:
    try:
        changed = read_jsonl(mutate(write_jsonl(program), data), "f")
    except Problems as error:
        check_problems(error)
    else:
        assert check_legality(changed) == []


@given(st.text())
def test_fuzz_any_json_lines(text: str) -> None:
    header = '{"format":"fencepost.stream","version":1,"machine":"xbox-one"}\n'
    for whole in (text, header + text):
        try:
            read_jsonl(whole, "f")
        except Problems as error:
            check_problems(error)


@given(st.text(st.characters(codec="utf-8")))
def test_fuzz_layout_keeps_every_token(text: str) -> None:
    """Layout looks at no meaning: any text keeps its tokens and comments, and layout is final."""
    laid_out = lay_out(text)
    assert code_of(laid_out) == code_of(text)
    assert lay_out(laid_out) == laid_out


def code_of(text: str) -> list[list[str]]:
    """The tokens of each line that has any."""
    return [tokens for tokens in map(tokens_of, text.split("\n")) if tokens]


@given(st.binary())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_fuzz_any_file(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "f"
    path.write_bytes(data)
    with contextlib.suppress(FencepostError):
        load(path)
