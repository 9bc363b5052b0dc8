from __future__ import annotations

from pathlib import Path

import pytest

from fencepost.stream.text import format_text
from tests.cli.run import BROKEN, CLEAN, HAZARD, run, write

MESSY = HAZARD.replace("  dispatch", "dispatch") + "# the end"
NEAT = format_text(MESSY)


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    return write(tmp_path / "messy.fence", MESSY)


@pytest.fixture
def neat(tmp_path: Path) -> Path:
    return write(tmp_path / "neat.fence", NEAT)


def test_a_file_is_printed_laid_out(messy: Path, neat: Path) -> None:
    assert NEAT != MESSY
    assert (run("fmt", messy).code, run("fmt", messy).out) == (0, NEAT)
    assert run("fmt", neat).out == NEAT
    assert run("fmt", "-", stdin=MESSY.encode()).out == NEAT
    assert messy.read_text(encoding="utf-8") == MESSY


def test_check_names_files_that_are_not_laid_out(messy: Path, neat: Path) -> None:
    result = run("fmt", "--check", messy, neat)
    assert (result.code, result.out) == (1, f"{messy}\n")
    assert messy.read_text(encoding="utf-8") == MESSY
    assert (run("fmt", "--check", neat).code, run("fmt", "--check", neat).out) == (0, "")


def test_write_changes_what_is_not_laid_out(messy: Path, neat: Path) -> None:
    before = neat.stat().st_mtime_ns
    result = run("fmt", "--write", messy, neat)
    assert (result.code, result.out) == (0, "")
    assert result.err == f"fencepost: {messy} laid out\n"
    assert messy.read_bytes() == NEAT.encode()
    assert neat.stat().st_mtime_ns == before
    assert run("fmt", "--check", messy, neat).code == 0


def test_windows_line_ends_are_not_laid_out(tmp_path: Path) -> None:
    file = tmp_path / "a.fence"
    file.write_bytes(NEAT.replace("\n", "\r\n").encode())
    assert run("fmt", "--check", file).code == 1
    run("fmt", "--write", file)
    assert file.read_bytes() == NEAT.encode()


def test_nothing_is_written_unless_every_file_is_usable(tmp_path: Path, messy: Path) -> None:
    broken = write(tmp_path / "broken.fence", BROKEN)
    result = run("fmt", "--write", messy, broken)
    assert (result.code, len(result.complaints)) == (2, 2)
    assert messy.read_text(encoding="utf-8") == MESSY


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--write", "-"), "standard input cannot be written"),
        (("a", "b"), "several files; expected one to print"),
        (("--check", "--write", "a"), "not allowed with"),
        ((), "the following arguments are required"),
    ],
)
def test_arguments_that_make_no_sense_are_one_line(words: tuple[str, ...], said: str) -> None:
    result = run("fmt", *words)
    assert result.code == 2
    assert said in result.complaints[0]


def test_only_text_is_laid_out(tmp_path: Path) -> None:
    lines = tmp_path / "a.jsonl"
    run("convert", write(tmp_path / "a.fence", CLEAN), "-o", lines)
    result = run("fmt", lines)
    assert result.complaints == [f"{lines}: is jsonl, which has no layout; expected .fence text"]
    empty = write(tmp_path / "empty.fence", "\n")
    assert run("fmt", empty).complaints == [f"{empty}: is empty; expected .fence text"]
