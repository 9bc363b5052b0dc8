"""Real command streams: what PM4 decodes to can be said by both other forms."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fencepost.capture.pm4 import load
from fencepost.stream.jsonl import read_jsonl, write_jsonl
from fencepost.stream.text import format_program, format_text, parse_text
from tests.stream.programs import plain

BUNDLED = Path(__file__).resolve().parents[2] / "examples" / "pm4" / "ffmpeg-avgblur.txt"
DATA = os.environ.get("FENCEPOST_DATA")
CAPTURES = sorted((Path(DATA) / "captures" / "pm4").glob("gcn2_*/*.txt")) if DATA else []


def check_both_forms(path: Path) -> None:
    program = load([path])
    text = format_program(program)
    assert plain(parse_text(text)) == plain(program)
    assert format_text(text) == text
    assert plain(read_jsonl(write_jsonl(program))) == plain(program)


def test_the_bundled_stream() -> None:
    check_both_forms(BUNDLED)


@pytest.mark.skipif(not DATA, reason="needs FENCEPOST_DATA")
def test_every_capture() -> None:
    assert len(CAPTURES) == 28
    for path in CAPTURES:
        check_both_forms(path)
