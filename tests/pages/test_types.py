"""What the scripts of the pages expect is what Python writes: names, and what may be null."""

from __future__ import annotations

import re
import types
from typing import Union, get_args, get_origin, get_type_hints

import msgspec
import pytest

from fencepost.report import html_data, present_document, timeline_document
from tests.project.repository import ROOT, text_of

INTERFACE = re.compile(r"^export interface (\w+) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^  (\w+): (.*);$", re.MULTILINE)

TIMELINE = {
    **{
        name: getattr(html_data, name)
        for name in (
            *("PageData", "TrackData", "ActivityData"),
            *("SimulationData", "StallData", "HazardData"),
        )
    },
    "FiguresData": timeline_document.Document,
    "TrackFigures": timeline_document.Track,
    "SpanFigure": timeline_document.Span,
    "Bubble": timeline_document.Bubble,
}
PRESENT = {
    name: getattr(present_document, name)
    for name in (
        *("Document", "Spread", "Range", "Bucket", "DisplayBucket", "Cause", "Stretch", "Strip"),
        *("Outcome", "Errors", "Segment", "Chain"),
    )
}


def interfaces(page: str) -> dict[str, dict[str, str]]:
    """Interface -> field -> its type, as the script's sources say."""
    text = text_of(ROOT / "pages" / "src" / page / "data.ts")
    return {name: dict(FIELD.findall(body)) for name, body in INTERFACE.findall(text)}


def may_be_null(record: type[msgspec.Struct], field: str) -> bool:
    hint = get_type_hints(record)[field]
    return get_origin(hint) in {Union, types.UnionType} and type(None) in get_args(hint)


@pytest.mark.parametrize(
    ("page", "name", "record"),
    [
        *(("timeline", name, record) for name, record in TIMELINE.items()),
        *(("present", name, record) for name, record in PRESENT.items()),
    ],
)
def test_an_interface_is_like_its_record(
    page: str, name: str, record: type[msgspec.Struct]
) -> None:
    fields = interfaces(page)[name]
    assert fields
    known = {field.name for field in msgspec.structs.fields(record)}
    assert fields.keys() <= known
    if record.__module__ == html_data.__name__:
        assert fields.keys() == known
    null = {field for field, written in fields.items() if written.endswith("| null")}
    assert null == {field for field in fields if may_be_null(record, field)}


def test_every_interface_has_its_record() -> None:
    assert interfaces("timeline").keys() == TIMELINE.keys()
    assert interfaces("present").keys() == PRESENT.keys() | {"PageData"}
