"""Accepted findings: suppressions from the stream and from a file, each with its reason.

A suppression file holds one `rule file:line "reason"` a line; `file` alone means everywhere in that
file, `file:0x1f4` a packet's offset; `#` starts a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from fencepost.coherence.finding import Finding, Report, Suppressed
from fencepost.coherence.rules import BY_ID
from fencepost.errors import FencepostError, Problems, SyntaxProblem
from fencepost.place import Place
from fencepost.stream.program import Suppression
from fencepost.stream.words import hint

LINE = re.compile(
    r"""(?P<rule>\S+)\s+(?P<file>\S.*?)(?::(?P<at>0[xX][0-9a-fA-F]+|[0-9]+))?
        \s+"(?P<reason>(?:[^"\\]|\\.)*)"\s*(?:\#.*)?""",
    re.VERBOSE,
)
FORM = 'rule file:line "reason"'


def parse_suppressions(text: str, file: str) -> tuple[Suppression, ...]:
    """The suppressions that a file lists.

    Raises `SyntaxProblem` or `Problems` that name each line which is not of that form, names no
    known rule or gives no reason.
    """
    found: list[Suppression] = []
    problems: list[FencepostError] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            found.append(_parse(line.strip(), Place(file, number)))
        except SyntaxProblem as problem:
            problems.append(problem)
    if problems:
        raise problems[0] if len(problems) == 1 else Problems(problems)
    return tuple(found)


def _parse(line: str, place: Place) -> Suppression:
    match = LINE.fullmatch(line)
    if not match:
        raise SyntaxProblem("not a suppression", place, FORM)
    rule, reason = match["rule"], re.sub(r"\\(.)", r"\1", match["reason"]).strip()
    if rule not in BY_ID:
        known = "one that `fencepost explain` lists"
        raise SyntaxProblem(f"no rule '{rule}'{hint(rule, BY_ID)}", place, known)
    if not reason:
        raise SyntaxProblem("a suppression without a reason", place, FORM)
    at = match["at"] or "0"
    offset = int(at, 16) if at.lower().startswith("0x") else None
    return Suppression(
        rule, match["file"], 0 if offset is not None else int(at), reason, place, offset
    )


def suppress(
    report: Report, suppressions: Sequence[Suppression]
) -> tuple[Report, tuple[Suppression, ...]]:
    """The report with matching findings moved to `suppressed`; the suppressions that met none."""
    kept: list[Finding] = []
    moved = list(report.suppressed)
    for finding in report.findings:
        matching = next((item for item in suppressions if matches(item, finding)), None)
        if matching is None:
            kept.append(finding)
        else:
            moved.append(Suppressed(finding, matching.reason))
    met = [item.finding for item in moved]
    unused = tuple(item for item in suppressions if not _meets(item, met))
    return replace(report, findings=tuple(kept), suppressed=tuple(moved)), unused


def _meets(suppression: Suppression, findings: Iterable[Finding]) -> bool:
    return any(matches(suppression, finding) for finding in findings)


def matches(suppression: Suppression, finding: Finding) -> bool:
    """Whether the suppression is for this rule at the command that goes wrong."""
    place = finding.later.place
    if suppression.rule != finding.rule or not _same_file(suppression.file, place.file):
        return False
    if suppression.offset is not None:
        return suppression.offset == place.offset
    return suppression.line in (0, place.line)


def _same_file(given: str, file: str) -> bool:
    """Whether `given` is the file's path or the end of it, with either separator."""
    parts = given.replace("\\", "/").removeprefix("./").split("/")
    return file.replace("\\", "/").split("/")[-len(parts) :] == parts
