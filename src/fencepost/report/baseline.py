"""A baseline: findings that an earlier JSON report has are left out."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from fencepost.coherence.finding import Report
from fencepost.errors import SyntaxProblem
from fencepost.place import Place
from fencepost.report.document import FORMAT, VERSION
from fencepost.report.fingerprint import fingerprints


class _Finding(msgspec.Struct):
    fingerprint: str


class _Baseline(msgspec.Struct):
    """What a baseline needs of a report; later versions may have more around it."""

    format: str
    version: int
    hazards: list[_Finding]
    unknown: list[_Finding]
    waste: list[_Finding]


def parse_baseline(data: bytes, file: str) -> frozenset[str]:
    """The fingerprints of a JSON report's findings; raises `SyntaxProblem` if it is none."""
    expected = "a report that `fencepost check --format json` wrote"
    try:
        report = msgspec.json.decode(data, type=_Baseline)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SyntaxProblem(f"not a baseline ({error})", Place(file, 0), expected) from None
    if (report.format, report.version) != (FORMAT, VERSION):
        raise SyntaxProblem(
            f"format '{report.format}' version {report.version}",
            Place(file, 0),
            f"'{FORMAT}' version {VERSION}",
        )
    lists = (report.hazards, report.unknown, report.waste)
    return frozenset(row.fingerprint for rows in lists for row in rows)


def hide(report: Report, baseline: frozenset[str]) -> tuple[Report, int]:
    """The report without the findings of the baseline, and how many those are."""
    names = fingerprints(report)
    kept = tuple(finding for finding in report.findings if names[finding] not in baseline)
    return replace(report, findings=kept), len(report.findings) - len(kept)
