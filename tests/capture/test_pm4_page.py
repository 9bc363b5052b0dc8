"""The page about captures names every packet, and its example is one."""

from pathlib import Path

import pytest

from fencepost.capture.pm4.annotations import parse_annotations
from fencepost.capture.pm4.hex_stream import MUTE_CHUNKS
from fencepost.capture.pm4.opcodes import CONSTANT_ENGINE, ROWS, Opcode
from fencepost.stream.assembly import Assembly

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "pm4.md").read_text("utf-8")
TOGETHER = {
    "DRAW_[INDEX_]INDIRECT[_MULTI]": (
        "DRAW_INDIRECT",
        "DRAW_INDEX_INDIRECT",
        "DRAW_INDIRECT_MULTI",
        "DRAW_INDEX_INDIRECT_MULTI",
    ),
    "LOAD_*_REG": tuple(f"LOAD_{name}_REG" for name in ("UCONFIG", "SH", "CONFIG", "CONTEXT")),
    "the constant engine's packets": tuple(
        row.name for row in ROWS if row.refused == CONSTANT_ENGINE
    ),
}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_packet_is_on_the_page(row: Opcode) -> None:
    words = [row.name, *(words for words, names in TOGETHER.items() if row.name in names)]
    assert any(word in PAGE for word in words)


def test_refused_packets_are_named_as_refused() -> None:
    _, refused = PAGE.split("Known and refused", 1)
    refused = refused.split("\n\n", 1)[0]
    for row in ROWS:
        if row.refused and row.refused != CONSTANT_ENGINE:
            assert row.name in refused


def test_every_kind_of_line_is_on_the_page() -> None:
    for number in MUTE_CHUNKS:
        assert f"`# chunk id={number} dw=N`" in PAGE


def test_the_example_can_be_read() -> None:
    block = PAGE.split("## Annotations", 1)[1].split("```")[1]
    assembly = Assembly("gcn2-bonaire")
    found = parse_annotations(block, "page", assembly)
    assert list(assembly.resources) == ["vertices", "gbuffer", "done"]
    assert [row.blocks for row in found] == [("cs",), ("vs", "ps"), ("cs",), ("cs",)]
