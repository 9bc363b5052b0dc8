"""The pages on the forms: their examples are read, and nothing is left out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fencepost.stream.assembly import BLOCKS
from fencepost.stream.jsonl import read_jsonl
from fencepost.stream.layout import FORMATS
from fencepost.stream.legality import ACCESS_ROWS, ROWS
from fencepost.stream.records import TYPES
from fencepost.stream.text import format_program, parse_text
from fencepost.stream.text.parser import STATEMENTS
from fencepost.stream.text.references import RESERVED
from tests.stream.programs import plain
from tests.stream.test_text import SKETCH

DOCS = Path(__file__).resolve().parents[2] / "docs"
FENCE = (DOCS / "fence-format.md").read_text(encoding="utf-8")
JSONL = (DOCS / "jsonl-format.md").read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    """The examples of a page in that language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("text", blocks(FENCE, "fence"))
def test_examples_of_text_are_read(text: str) -> None:
    program = parse_text(text)
    assert plain(parse_text(format_program(program))) == plain(program)


@pytest.mark.parametrize("text", blocks(JSONL, "jsonl"))
def test_examples_of_json_lines_are_read(text: str) -> None:
    assert read_jsonl(text).machine == "xbox-one"


def test_the_tour_is_the_frame_that_the_tests_know() -> None:
    assert blocks(FENCE, "fence")[0] == SKETCH


def test_the_grammar_names_every_statement() -> None:
    (grammar,) = re.findall(r"^```\n(line .*?)^```$", FENCE, re.MULTILINE | re.DOTALL)
    assert [word for word in STATEMENTS if f'"{word}"' not in grammar] == []


@pytest.mark.parametrize(
    ("page", "words"),
    [
        (FENCE, [row.id for row in ROWS] + [row.id for row in ACCESS_ROWS]),
        (FENCE, list(FORMATS)),
        (FENCE, [word for word in RESERVED if not re.search(r"\d", word)]),
        (JSONL, list(TYPES)),
    ],
)
def test_a_page_names_them_all(page: str, words: list[str]) -> None:
    quoted = {
        word for span in re.findall(r"`([^`\n]+)`", page) for word in re.split(r"[ ,]+", span)
    }
    quoted |= set(re.findall(r'"type":"([\w-]+)"', page))
    assert set(words) - quoted == set()
    assert len(BLOCKS) == len(set(BLOCKS))
