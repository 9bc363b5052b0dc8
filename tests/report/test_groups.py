from __future__ import annotations

from dataclasses import replace

import pytest

from fencepost.coherence.finding import Finding
from fencepost.report.groups import groups
from tests.report.samples import STALE, UNKNOWN, WASTE, report, spot


@pytest.mark.parametrize(
    "other",
    [
        replace(STALE, resource="gbuffer.pixels[64:128]", start=64, end=128),
        replace(STALE, message="other words about other bytes"),
        replace(STALE, chain=()),
        replace(STALE, later=replace(STALE.later, position=100)),
    ],
)
def test_one_pair_is_one_group(other: Finding) -> None:
    (group,) = groups(report(STALE, other), (STALE, other))
    assert (group.first, group.others) == (STALE, (other,))


@pytest.mark.parametrize(
    "other",
    [
        UNKNOWN,
        replace(STALE, rule="lost-write"),
        replace(STALE, resource="hdr.pixels"),
        replace(STALE, earlier=None),
        replace(STALE, earlier=spot(0, "ps.texture gbuffer")),
        replace(STALE, later=spot(8, "cb1.blend hdr")),
        replace(STALE, later=spot(5, "ps.texture gbuffer")),
        replace(STALE, later=replace(STALE.later, queue="async")),
    ],
)
def test_different_findings_are_apart(other: Finding) -> None:
    found = groups(report(STALE, other), (STALE, other))
    assert [group.first for group in found] == [STALE, other]


def test_findings_of_one_command_alone_are_told_apart_by_what_they_say() -> None:
    first = replace(WASTE, earlier=None)
    second = replace(first, message="TCP was written back and invalidated already")
    assert len(groups(report(first, second), (first, second))) == 2
    assert len(groups(report(first, first), (first, first))) == 1
