"""Findings that say the same thing are shown once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from fencepost.coherence.finding import Finding, Report, Spot
from fencepost.report.words import frame_of


@dataclass(frozen=True, slots=True)
class Group:
    """A finding and the others that differ from it only in the frame, or in the bytes."""

    first: Finding
    others: tuple[Finding, ...] = ()


def groups(report: Report, findings: Iterable[Finding]) -> list[Group]:
    """One group for each rule, pair of commands and pair of accesses, in order of appearance."""
    found: dict[Hashable, list[Finding]] = {}
    for finding in findings:
        found.setdefault(_pair(report, finding), []).append(finding)
    return [Group(first, tuple(others)) for first, *others in found.values()]


def _pair(report: Report, finding: Finding) -> Hashable:
    earlier, later = finding.earlier, finding.later
    distance = 0
    if earlier is not None:
        distance = frame_of(report.program, later) - frame_of(report.program, earlier)
    what = _name(finding) if earlier is not None else finding.message
    return (finding.rule, distance, _at(earlier), _at(later), what)


def _at(spot: Spot | None) -> Hashable:
    if spot is None:
        return None
    if not spot.place.line and spot.place.offset is None:
        return (spot.queue, spot.position, spot.does)
    return (spot.queue, spot.place, spot.does)


def _name(finding: Finding) -> str:
    """The resource without its range."""
    return finding.resource.partition("[")[0]
