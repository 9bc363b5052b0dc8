"""Addresses and sizes of resources."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.errors import ProgramProblem
from fencepost.stream.layout import (
    ALIGNMENT,
    FIRST_ADDRESS,
    FORMATS,
    METADATA,
    Declaration,
    Layout,
    PartRequest,
    metadata_size,
    shape_size,
)
from fencepost.stream.resource import GDS_BASE, WHOLE_END, Resource, ResourceKind

BUFFER, COLOR, DEPTH, LABEL, GDS = (
    ResourceKind.BUFFER,
    ResourceKind.COLOR,
    ResourceKind.DEPTH,
    ResourceKind.LABEL,
    ResourceKind.GDS,
)
LINE = 64


def color(name: str, *parts: str, address: int | None = None) -> Declaration:
    shape = (100, 50, "rgba16f-8x")
    return Declaration(name, COLOR, None, address, shape, tuple(map(PartRequest, parts)))


declarations = st.lists(
    st.one_of(
        st.builds(Declaration, st.just("b"), st.just(BUFFER), st.integers(1, 5000)),
        st.builds(Declaration, st.just("l"), st.just(LABEL), st.sampled_from([None, 4])),
        st.builds(Declaration, st.just("g"), st.just(GDS), st.integers(1, 5000)),
        st.builds(color, st.just("c")),
        st.builds(color, st.just("c"), st.just("cmask"), st.just("fmask")),
    ),
    max_size=12,
)


def laid_out(rows: list[Declaration]) -> list[Resource]:
    layout = Layout()
    return [layout.place(row) for row in rows]


@given(declarations)
def test_nothing_shares_a_line_unasked(rows: list[Declaration]) -> None:
    parts = [part for resource in laid_out(rows) for part in resource.parts]
    lines = [{part.start // LINE, (part.end - 1) // LINE} for part in parts]
    touched = [set(range(min(ends), max(ends) + 1)) for ends in lines]
    assert sum(map(len, touched)) == len(set().union(*touched))


@given(declarations)
def test_resources_lie_in_their_order_on_their_boundaries(rows: list[Declaration]) -> None:
    for in_gds in (False, True):
        resources = [row for row in laid_out(rows) if (row.kind is GDS) is in_gds]
        starts = [part.start for resource in resources for part in resource.parts]
        assert starts == sorted(starts)
        assert all(start % ALIGNMENT == 0 for start in starts)
        assert starts[:1] in ([], [GDS_BASE if in_gds else FIRST_ADDRESS])


@given(declarations)
def test_the_same_declarations_give_the_same_addresses(rows: list[Declaration]) -> None:
    assert laid_out(rows) == laid_out(rows)


@given(declarations)
def test_a_layout_knows_its_own_work(rows: list[Declaration]) -> None:
    layout = Layout()
    assert all(layout.accept(resource) for resource in laid_out(rows))


def test_a_layout_does_not_take_another_ones_work_for_its_own() -> None:
    first, second = laid_out([color("a", "cmask"), color("b")])
    assert not Layout().accept(second)
    assert not Layout().accept(Layout().place(color("c", address=FIRST_ADDRESS)))
    layout = Layout()
    assert layout.accept(first)
    assert layout.accept(second)


def test_the_first_address_is_within_the_seeds_whole_range() -> None:
    assert FIRST_ADDRESS + (1 << 34) < 0xFFFFFFF00


def test_explicit_addresses_take_no_room() -> None:
    rows = [
        Declaration("a", BUFFER, 100),
        Declaration("b", BUFFER, 100, 0x1000),
        Declaration("c", BUFFER, 1),
    ]
    first, placed, second = laid_out(rows)
    assert placed.main.start == 0x1000
    assert second.main.start == first.main.start + ALIGNMENT


def test_parts_follow_one_another_in_the_order_of_their_kind() -> None:
    (target,) = laid_out([color("a", "fmask", "cmask")])
    assert [part.name for part in target.parts] == ["pixels", "cmask", "fmask"]


@pytest.mark.parametrize(
    ("form", "bits"),
    [
        *[("r8", 8), ("rg8", 16), ("rgba8", 32), ("rgb10a2", 32), ("rg11b10f", 32), ("r16f", 16)],
        *[("rgba16f", 64), ("r32f", 32), ("rg32f", 64), ("rgba32f", 128), ("rgba8-4x", 128)],
    ],
)
def test_color_pixels_take_the_bits_of_their_name(form: str, bits: int) -> None:
    assert shape_size((64, 64, form), COLOR) == 64 * 64 * bits // 8


@pytest.mark.parametrize(("form", "size"), [("d16", 2), ("d24s8", 4), ("d32f", 4), ("d32fs8", 5)])
def test_depth_pixels(form: str, size: int) -> None:
    assert shape_size((10, 10, form), DEPTH) == 100 * size


@pytest.mark.parametrize(
    ("part", "shape", "size"),
    [
        ("cmask", (64, 64, "rgba8"), 32),
        ("cmask", (65, 64, "rgba8"), 36),
        ("cmask", (8, 8, "rgba8"), 1),
        ("fmask", (8, 8, "rgba8-4x"), 64),
        ("fmask", (8, 8, "rgba8-8x"), 256),
        ("htile", (64, 64, "d16"), 256),
        ("htile", (1, 1, "d16"), 4),
    ],
)
def test_metadata(part: str, shape: tuple[int, int, str], size: int) -> None:
    assert metadata_size(part, shape) == size


def test_every_row_has_a_source() -> None:
    assert all(row.source for row in FORMATS.values())
    assert all(row.source for row in METADATA.values())


@pytest.mark.parametrize(
    ("declaration", "problem"),
    [
        (Declaration("x", BUFFER), "'x' has no size"),
        (Declaration("x", BUFFER, 0), "'x' is empty"),
        (Declaration("x", BUFFER, -4), "'x' is empty"),
        (Declaration("x", BUFFER, 8, WHOLE_END - 4), "'x' ends beyond the address space"),
        (Declaration("x", BUFFER, 8, -4), "'x' ends beyond the address space"),
        (Declaration("x", BUFFER, 8, parts=(PartRequest("cmask", 8),)), "a buffer has no part"),
        (Declaration("x", COLOR, 8, parts=(PartRequest("htile", 8),)), "a color has no part"),
        (Declaration("x", COLOR, 8, parts=(PartRequest("cmask"),)), "cmask needs a size"),
        (Declaration("x", COLOR, 8, parts=(PartRequest("cmask", 0),)), "'cmask' is empty"),
        (Declaration("x", COLOR, 8, parts=(PartRequest("cmask", 8, 64),)), "cmask has an address"),
        (Declaration("x", COLOR, shape=(8, 8, "rgba7")), "no format 'rgba7'"),
        (Declaration("x", COLOR, shape=(8, 8, "rgba8-3x")), "no format 'rgba8-3x'"),
        (Declaration("x", COLOR, shape=(8, 8, "d16")), "'d16' is no color format"),
        (Declaration("x", DEPTH, shape=(8, 8, "r8")), "'r8' is no depth format"),
    ],
)
def test_what_cannot_be_laid_out(declaration: Declaration, problem: str) -> None:
    with pytest.raises(ProgramProblem) as caught:
        Layout().place(declaration)
    assert caught.value.problem.startswith(problem)
    assert caught.value.expected


def test_a_size_overrules_the_format() -> None:
    declaration = Declaration("x", COLOR, 4096, shape=(8, 8, "VK_FORMAT_UNDEFINED"))
    assert Layout().place(declaration).main.size == 4096
