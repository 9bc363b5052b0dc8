"""How the seed's examples are read: what each form holds for, and what it does not need.

docs/deviations.md explains each; `tests/coherence/rows/readings.pairs` has them as pairs.
"""

from __future__ import annotations

import pytest

from fencepost.coherence import Kind, check
from fencepost.machine import find_machine
from fencepost.stream.program import Program
from fencepost.stream.text import parse_text
from tests.examples.drops import drops
from tests.examples.verdicts import hazards, load, names, text_of

LEANS_ON_DOCUMENTED = {
    "render-target-to-texture-eos-first-use",
    "render-target-to-texture-eos-reuse",
    "render-target-to-texture-partial-flush-first-use",
    "render-target-to-texture-partial-flush-reuse",
    "uav-to-render-target-fence-reuse",
    "uav-to-render-target-partial-flush-first-use",
    "uav-to-render-target-partial-flush-reuse",
}
"""What the seed calls enough although its own rules do not say why (design 4.5)."""

METHODS: dict[str, list[str]] = {"eos": ["tcc"], "surface-sync": [], "partial-flush": []}
"""The seed's methods 1-3, and what is old after a reader that leaves nothing in TCP."""


def changed(name: str, *changes: tuple[str, str]) -> Program:
    """The program of an example with words replaced, each once; columns do not count."""
    text = "\n".join(" ".join(line.split()) for line in text_of(name).splitlines())
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return parse_text(text)


def stale_caches(program: Program) -> list[str]:
    """The caches with old lines; nothing else may be wrong."""
    report = check(program, find_machine(program.machine))
    found = report.of(Kind.HAZARD)
    assert {finding.rule for finding in found} <= {"stale-cache-line"}
    return sorted({dict(finding.properties)["cache"] for finding in found})


def without(program: Program, piece: str) -> list[str]:
    """The hazards when the last piece of that name is left out."""
    return hazards([drop for drop in drops(program) if drop.piece == piece][-1].program)


def test_which_examples_hold_under_strict() -> None:
    assert {name for name in names() if hazards(load(name), "strict")} == LEANS_ON_DOCUMENTED


@pytest.mark.parametrize("method", METHODS)
def test_a_method_as_written_holds_at_first_use_only(method: str) -> None:
    """None flushes TCP; method 1 names no flush of TCC either."""
    name = f"render-target-to-texture-{method}-first-use"
    reader = 'draw "reader" ps.texture target{}\nflush ps\ndraw "producer"'
    evicts = changed(name, ('draw "producer"', reader.format(" hit-evict")))
    leaves = changed(name, ('draw "producer"', reader.format("")))
    assert stale_caches(evicts) == METHODS[method]
    assert stale_caches(leaves) == ["tcp"]


@pytest.mark.parametrize("method", METHODS)
def test_the_event_belongs_to_every_method(method: str) -> None:
    assert without(load(f"render-target-to-texture-{method}-first-use"), "cb.pixels.wbinv")


@pytest.mark.parametrize("span", ["all", "0:0xfffffff00", "target"])
def test_a_wider_range_is_as_right(span: str) -> None:
    name = "render-target-to-texture-surface-sync-reuse"
    assert hazards(changed(name, ("cb0 target\n", f"cb0 {span}\n"))) == []


@pytest.mark.parametrize("span", ["other", "0:0"])
def test_another_range_is_not(span: str) -> None:
    name = "render-target-to-texture-surface-sync-reuse"
    assert hazards(changed(name, ("cb0 target\n", f"cb0 {span}\n")))


UAV_TO_TARGET = ["uav-to-render-target-fence-reuse", "uav-to-render-target-partial-flush-reuse"]
NO_TEXTURE = (
    ('"before" ps.texture texture;', '"before"'),
    ("; cs.uav-write texture", ""),
    ('"consumer" ps.texture texture;', '"consumer"'),
)


@pytest.mark.parametrize("name", UAV_TO_TARGET)
def test_without_a_texture_the_tcp_part_is_redundant(name: str) -> None:
    program = changed(name, *NO_TEXTURE)
    assert hazards(program) == []
    assert without(program, "tcp.wbinv") == []
    assert without(load(name), "tcp.wbinv") != []


@pytest.mark.parametrize("name", UAV_TO_TARGET)
def test_without_blending_the_last_event_is_redundant(name: str) -> None:
    before, _, after = text_of(name).rpartition("cb0.blend target")
    program = parse_text(f"{before}cb0.write target{after}")
    assert hazards(program) == []
    assert without(program, "cb.pixels.wbinv") == []
    assert without(load(name), "cb.pixels.wbinv") != []


@pytest.mark.parametrize("name", UAV_TO_TARGET)
def test_cb_metadata_may_be_flushed_too_but_need_not(name: str) -> None:
    text = text_of(name).replace("rgba8\n", "rgba8 cmask\n")
    assert hazards(parse_text(text)) == []


def test_cb_metadata_is_needed_where_the_dispatch_writes_it() -> None:
    name = "uav-to-render-target-metadata-reuse"
    assert without(load(name), "cb.metadata.wbinv") != []
    pixels_only = changed(name, ("; cs.uav-write target.cmask", ""))
    assert hazards(pixels_only) == []
    assert without(pixels_only, "cb.metadata.wbinv") == []


def test_a_k_flush_alone_is_not_enough() -> None:
    name = "constant-buffer-cpu-update-reuse"
    assert hazards(changed(name, ("tcc.wbinv k.inv", "k.inv")))


def test_steps_of_64_bytes_need_no_flush() -> None:
    name = "constant-buffer-cpu-update-reuse"
    aligned = text_of(name).replace("constants 64", "constants 128").replace("16:32", "64:80")
    program = parse_text(aligned)
    assert hazards(program) == []
    assert without(program, "k.inv") == without(program, "tcc.wbinv") == []


def test_the_listing_needs_a_flush_of_l1_with_the_default_policy() -> None:
    program = changed("listing-fence", (" miss-evict", ""))
    assert stale_caches(program) == ["tcp"]
    flushed = changed(
        "listing-fence",
        (" miss-evict", ""),
        ("wait me fence == 1 &", "wait me fence == 1\nsync me tcp.wbinv #"),
    )
    assert hazards(flushed) == []
