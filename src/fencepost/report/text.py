"""The report for people, laid out like a good compiler's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from fencepost.coherence.finding import Finding, Fix, Kind, Link, Report, Spot
from fencepost.report.groups import Group, groups
from fencepost.report.result import Checked
from fencepost.report.snippet import finding_marks, snippet
from fencepost.report.source import Sources
from fencepost.report.style import Style
from fencepost.report.unknown import unknown_lines
from fencepost.report.words import (
    byte_range,
    frame_of,
    headline,
    missing_label,
    plural,
    title,
    where,
)
from fencepost.stream.program import Suppression

SHOWN = 50
"""How many findings of one kind are shown in full; the others are counted."""
PLACES = 8
INDENT = "  = "


def write_text(checked: Sequence[Checked], sources: Sources, style: Style) -> str:
    """The report of all inputs: for each its headline, then its findings; a total for several."""
    sections = ["\n".join(_section(item, sources, style)) for item in checked]
    if len(checked) > 1:
        findings = [finding for item in checked for finding in item.report.findings]
        total = f"{plural(len(checked), 'input')}: {headline(findings)}"
        sections.append(style.paint(total, _tone(findings)))
    sections += _more(checked)
    return "\n\n".join(sections) + "\n"


def _more(checked: Sequence[Checked]) -> Iterator[str]:
    """What to ask next."""
    found = [finding for kind in Kind for item in checked for finding in item.report.of(kind)]
    if found:
        yield f"`fencepost explain {found[0].rule}` says what a rule means and what mends it"


def _section(checked: Checked, sources: Sources, style: Style) -> Iterator[str]:
    report = checked.report
    name = style.clean(checked.file)
    yield style.paint(f"{name}: {headline(report.findings)}", _tone(report.findings))
    yield from _judged(report, style)
    yield from _aside(checked, style)
    for kind in (Kind.HAZARD, Kind.WASTE):
        yield from _findings(report, kind, sources, style)
    yield from unknown_lines(report.of(Kind.UNKNOWN), style)


def _tone(findings: Iterable[Finding]) -> str:
    """Green only where nothing is open: an unknown access was not checked."""
    kinds = {finding.kind for finding in findings}
    return next((kind.value for kind in Kind if kind in kinds), "good")


def _judged(report: Report, style: Style) -> Iterator[str]:
    """By which machine and guarantees, how much, and whether the verdict leans."""
    counts = report.counts
    frames = f", {report.program.frames} frames" if report.program.frames > 1 else ""
    yield (
        f"  {plural(counts.accesses, 'access', 'accesses')} of "
        f"{plural(counts.works, 'work')} in {plural(counts.queues, 'queue')}{frames}; "
        f"machine {report.machine}, {report.guarantees} guarantees"
    )
    if report.leaning:
        yield (
            "  leans on documented guarantees: strict would report "
            f"{plural(len(report.leaning), 'more hazard')}"
        )
        yield from _listed(report, report.leaning, style)


def _listed(report: Report, findings: Iterable[Finding], style: Style) -> Iterator[str]:
    found = groups(report, findings)
    for group in found[:PLACES]:
        first = group.first
        text = f"{first.rule} at {where(first.later)}: {first.message}"
        yield from style.wrap("    ", text)
    if len(found) > PLACES:
        yield f"    and {len(found) - PLACES} more (--format json has all)"


def _aside(checked: Checked, style: Style) -> Iterator[str]:
    """What is not shown below, and why."""
    suppressed = checked.report.suppressed
    if suppressed:
        yield f"  {plural(len(suppressed), 'finding')} suppressed"
    for (rule, place, reason), count in Counter(
        (item.finding.rule, where(item.finding.later), item.reason) for item in suppressed
    ).items():
        times = f" ({count} times)" if count > 1 else ""
        yield from style.wrap("    ", f'{rule} at {place}: "{reason}"{times}')
    for note in (*checked.notes, *map(_unused, checked.unused)):
        yield from style.wrap("  note: ", note)
    if checked.hidden:
        yield f"  {plural(checked.hidden, 'finding')} of the baseline not shown"


def _unused(unused: Suppression) -> str:
    at = f"{unused.offset:#x}" if unused.offset is not None else str(unused.line or "")
    place = f"{unused.file}:{at}" if at else unused.file
    return f'the suppression of {unused.rule} at {place} ("{unused.reason}") meets no finding'


def _findings(report: Report, kind: Kind, sources: Sources, style: Style) -> Iterator[str]:
    """Each group of one kind, in full up to a limit."""
    found = groups(report, report.of(kind))
    for group in found[:SHOWN]:
        yield ""
        yield from _finding(report, group, sources, style)
    rest = Counter(group.first.rule for group in found[SHOWN:])
    if rest:
        rules = ", ".join(f"{rule} {count}" for rule, count in rest.items())
        yield ""
        yield (
            f"and {plural(sum(rest.values()), 'more finding')} of this kind ({rules}); "
            "--format json has all"
        )


def _finding(report: Report, group: Group, sources: Sources, style: Style) -> Iterator[str]:
    finding = group.first
    head = f"{finding.kind.value}[{finding.rule}]"
    first, *rest = style.wrap(f"{head}: ", finding.message or title(finding.rule))
    yield style.paint(head, finding.kind.value) + style.paint(first[len(head) :], "strong")
    yield from (style.paint(line, "strong") for line in rest)
    arrow = style.paint(" -->", "frame")
    yield f"{arrow} {style.clean(str(finding.later.place))} in queue {finding.later.queue}"
    yield from snippet(finding_marks(report.program, finding), sources, style)
    for label, text in _facts(report, group):
        yield from style.wrap(f"{INDENT}{label + ':':<11}", text)
    yield from _fix(report, finding.fix, style)


def _facts(report: Report, group: Group) -> Iterator[tuple[str, str]]:
    """What is known of a finding, as label and text: bytes, chain, missing piece, repetitions."""
    finding = group.first
    addresses = byte_range(finding.start, finding.end)
    if finding.resource:
        yield "bytes", f"{finding.resource} ({addresses})" if addresses else finding.resource
    elif addresses:
        yield "bytes", addresses
    yield from (_link(link) for link in finding.chain)
    if finding.missing:
        yield missing_label(finding), finding.missing
    if group.others:
        yield "also", _also(report, group)


def _link(link: Link) -> tuple[str, str]:
    by = f" [{where(link.by)}]" if link.by is not None else ""
    return link.question, f"{'yes' if link.holds else 'NO'}, {link.text}{by}"


def _also(report: Report, group: Group) -> str:
    """The other findings of a group: other bytes, or the same in other frames."""
    ranges = {item.resource for item in (group.first, *group.others)}
    frames = {frame_of(report.program, item.later) for item in (group.first, *group.others)}
    parts = []
    if len(ranges) > 1:
        parts.append(f"{plural(len(ranges) - 1, 'other range')} of these bytes")
    if len(frames) > 1:
        parts.append(f"in frames {', '.join(map(str, sorted(frames)))}")
    return "; ".join(parts) or plural(len(group.others), "time more", "times more")


def _fix(report: Report, fix: Fix | None, style: Style) -> Iterator[str]:
    if fix is None:
        return
    label = f"{INDENT}{'fix:':<11}"
    indent = " " * len(label)
    yield from style.wrap(label, _what_to_do(fix, _named(report, fix.before)))
    yield from _pasted(fix.lines, indent, style)
    for item in fix.elsewhere:
        place = "among the resources"
        if item.behind is not None:
            place = f"behind {_named(report, item.behind)} in queue {item.behind.queue}"
        yield from style.wrap(indent, f"and {place}:")
        yield from _pasted(item.lines, indent, style)
    if fix.why:
        yield from style.wrap(indent, fix.why)


def _what_to_do(fix: Fix, command: str) -> str:
    if not fix.instead:
        return f"insert before {command}:"
    return f"in place of {command}:" if fix.lines else f"delete {command}"


def _named(report: Report, spot: Spot) -> str:
    """A command by place, name and, where there are several, frame."""
    frame = f", frame {frame_of(report.program, spot)}" if report.program.frames > 1 else ""
    return f"{where(spot)}, {spot.title}{frame}"


def _pasted(lines: Iterable[str], indent: str, style: Style) -> Iterator[str]:
    for line in lines:
        yield f"{indent}  {style.paint(style.clean(line), 'good')}"
