from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.run import BROKEN, HAZARD, run, write
from tests.project.repository import ROOT

PM4 = ROOT / "examples" / "pm4" / "ffmpeg-avgblur.txt"
NOTES = ROOT / "examples" / "pm4" / "ffmpeg-avgblur.notes"


@pytest.fixture
def hazard(tmp_path: Path) -> Path:
    return write(tmp_path / "hazard.fence", HAZARD)


def test_text_to_json_lines_and_back_keeps_the_findings(tmp_path: Path, hazard: Path) -> None:
    lines, text = tmp_path / "a.jsonl", tmp_path / "b.fence"
    assert run("convert", hazard, "-o", lines).code == 0
    assert all(json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines())
    assert run("convert", lines, "-o", text).code == 0
    results = [run("check", file) for file in (hazard, lines, text)]
    assert [result.code for result in results] == [1, 1, 1]
    assert all("hazard[read-after-write]" in result.out for result in results)


@pytest.mark.parametrize("form", ["text", "jsonl"])
def test_standard_input_is_converted(hazard: Path, form: str) -> None:
    result = run("convert", "-", "--to", form, stdin=hazard.read_bytes())
    assert result.raw == run("convert", hazard, "--to", form).raw


def test_a_capture_with_annotations_becomes_text_that_finds_the_same(tmp_path: Path) -> None:
    text = tmp_path / "a.fence"
    assert run("convert", PM4, "--annotations", NOTES, "-o", text).code == 0
    result = run("check", text)
    assert result.code == 1
    assert "hazard[read-after-write]" in result.out


def test_the_form_has_to_be_known(tmp_path: Path, hazard: Path) -> None:
    for words in ((), ("-o", str(tmp_path / "a.txt"))):
        result = run("convert", hazard, *words)
        assert result.complaints == ["no form to convert to; expected --to text or --to jsonl"]
    assert run("convert", hazard, "-o", tmp_path / "a.txt", "--to", "text").code == 0


def test_nothing_is_overwritten_unasked(tmp_path: Path, hazard: Path) -> None:
    target = write(tmp_path / "a.jsonl", "precious\n")
    assert run("convert", hazard, "-o", target).code == 2
    assert target.read_text(encoding="utf-8") == "precious\n"
    assert run("convert", hazard, "-o", target, "--force").code == 0
    assert target.read_text(encoding="utf-8") != "precious\n"


def test_nothing_is_written_for_unusable_input(tmp_path: Path) -> None:
    broken = write(tmp_path / "broken.fence", BROKEN)
    result = run("convert", broken, "-o", tmp_path / "a.jsonl")
    assert (result.code, len(result.complaints)) == (2, 2)
    assert not (tmp_path / "a.jsonl").exists()
