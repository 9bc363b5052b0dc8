"""Names for findings that stay the same when lines move."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import PurePosixPath

from fencepost.coherence.finding import Finding, Report, Spot
from fencepost.report.words import frame_of

VERSION = "1"


def fingerprints(report: Report) -> dict[Finding, str]:
    """The fingerprint of every finding of a report, suppressed ones and leaning ones too.

    Made of the file's name, the rule, the bytes by name, and both commands by queue, kind, name and
    access: not of lines, offsets or addresses. Findings alike in all of it are numbered in stream
    order.
    """
    findings = {*report.findings, *report.leaning, *(item.finding for item in report.suppressed)}
    seen: Counter[str] = Counter()
    named: dict[Finding, str] = {}
    for finding in sorted(findings, key=_order):
        identity = _identity(report, finding)
        seen[identity] += 1
        text = f"{identity}\x1e{seen[identity]}"
        named[finding] = hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]
    return named


def _order(finding: Finding) -> tuple[object, ...]:
    earlier = finding.earlier
    return (
        finding.later.queue,
        finding.later.position,
        finding.rule,
        ("", -1) if earlier is None else (earlier.queue, earlier.position),
        finding.start,
        finding.end,
        finding.resource,
    )


def _identity(report: Report, finding: Finding) -> str:
    frames = [frame_of(report.program, spot) for spot in (finding.earlier, finding.later) if spot]
    parts = (
        VERSION,
        PurePosixPath(report.program.file.replace("\\", "/")).name,
        finding.rule,
        finding.resource,
        str(frames[-1] - frames[0]),
        *_spot(finding.earlier),
        *_spot(finding.later),
    )
    return "\x1f".join(parts)


def _spot(spot: Spot | None) -> tuple[str, ...]:
    if spot is None:
        return ("",)
    return (spot.queue, spot.kind, spot.command.name, spot.does)
