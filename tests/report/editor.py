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
    assert region["endLine"] == region["startLine"]
    lines = text.split("\n")
    line = lines[region["startLine"] - 1]
    lines[region["startLine"] - 1] = (
        line[: region["startColumn"] - 1]
        + replacement["insertedContent"]["text"]
        + line[region["endColumn"] - 1 :]
    )
    return "\n".join(lines)
