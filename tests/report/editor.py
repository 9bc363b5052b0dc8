"""What an editor does with a fix of a SARIF log."""

from __future__ import annotations

from tests.report.samples import Json


def applied(text: str, change: Json) -> str:
    """The text with all replacements of one artifact change, the last one first."""

    def position(replacement: Json) -> tuple[int, int]:
        region = replacement["deletedRegion"]
        return region["startLine"], region["startColumn"]

    for replacement in sorted(change["replacements"], key=position, reverse=True):
        text = _replaced(text, replacement)
    return text


def _replaced(text: str, replacement: Json) -> str:
    region = replacement["deletedRegion"]
    start = _offset(text, region["startLine"], region["startColumn"])
    end = _offset(text, region["endLine"], region["endColumn"])
    assert start <= end
    added: str = replacement.get("insertedContent", {"text": ""})["text"]
    return text[:start] + added + text[end:]


def _offset(text: str, line: int, column: int) -> int:
    """Where a line and column from 1 are in the text; the line behind the last is its end."""
    lines = text.split("\n")
    if line == len(lines) + 1:
        return len(text)
    assert column <= len(lines[line - 1]) + 1
    return sum(len(row) + 1 for row in lines[: line - 1]) + column - 1
