"""The report in few lines: the headline of each input, and one line a finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fencepost.coherence.finding import Finding, Kind
from fencepost.report.groups import groups
from fencepost.report.result import Checked
from fencepost.report.style import Style
from fencepost.report.words import headline, plural


def write_brief(checked: Sequence[Checked], style: Style) -> str:
    """Findings that differ only in bytes or frame share a line; so do unknown accesses."""
    return "".join(f"{line}\n" for item in checked for line in _lines(item, style))


def _lines(checked: Checked, style: Style) -> Iterator[str]:
    report = checked.report
    yield f"{style.clean(checked.file)}: {headline(report.findings)}"
    for kind in (Kind.HAZARD, Kind.WASTE):
        for group in groups(report, report.of(kind)):
            yield _line(group.first, len(group.others), style)
    unknown = report.of(Kind.UNKNOWN)
    for rule in dict.fromkeys(finding.rule for finding in unknown):
        first, *others = [finding for finding in unknown if finding.rule == rule]
        yield _line(first, len(others), style)
    for note in checked.notes:
        yield f"{style.clean(checked.file)}: note: {style.clean(note)}"


def _line(finding: Finding, others: int, style: Style) -> str:
    """`file:line: hazard[rule]: message`."""
    head = style.paint(f"{finding.kind.value}[{finding.rule}]", finding.kind.value)
    more = f" (and {plural(others, 'more', 'more')})" if others else ""
    place = style.clean(str(finding.later.place))
    return f"{place}: {head}: {style.clean(finding.message)}{more}"
