"""The report as JSON (docs/json-report.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from fencepost._version import __version__
from fencepost.coherence import finding as found
from fencepost.report import document
from fencepost.report.fingerprint import fingerprints
from fencepost.report.result import Checked
from fencepost.report.words import frame_of, headline
from fencepost.stream.program import Program, Suppression
from fencepost.stream.resource import GDS_BASE


def write_json(checked: Sequence[Checked]) -> bytes:
    """The report of all inputs as UTF-8 JSON, indented, with a newline at its end."""
    return msgspec.json.format(msgspec.json.encode(to_document(checked)), indent=2) + b"\n"


def to_document(checked: Sequence[Checked]) -> document.Document:
    """The report of all inputs as the records that `report.schema.json` describes."""
    writers = [_Writer(item) for item in checked]
    return document.Document(
        format="fencepost.report",
        version=1,
        tool=document.Tool(name="fencepost", version=__version__),
        summary=_summary(checked),
        inputs=[_input(item) for item in checked],
        hazards=[row for writer in writers for row in writer.of(found.Kind.HAZARD)],
        unknown=[row for writer in writers for row in writer.of(found.Kind.UNKNOWN)],
        waste=[row for writer in writers for row in writer.of(found.Kind.WASTE)],
        suppressed=[row for writer in writers for row in writer.suppressed()],
        leaning=[row for writer in writers for row in writer.leaning()],
        unused_suppressions=[_suppression(row) for item in checked for row in item.unused],
        explanations=[row for writer in writers for row in writer.explanations()],
    )


class _Writer:
    """Turns the findings of one input into records."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.report = checked.report
        self.names: Mapping[found.Finding, str] = fingerprints(checked.report)

    def of(self, kind: found.Kind) -> list[document.Finding]:
        return [self.finding(item) for item in self.report.of(kind)]

    def suppressed(self) -> list[document.SuppressedFinding]:
        return [
            document.SuppressedFinding(reason=item.reason, finding=self.finding(item.finding))
            for item in self.report.suppressed
        ]

    def leaning(self) -> list[document.Finding]:
        return [self.finding(item) for item in self.report.leaning]

    def explanations(self) -> list[document.Explanation]:
        return [
            document.Explanation(
                later=self.spot(item.later),
                earlier=self.maybe(item.earlier),
                resource=item.resource,
                chain=self.chain(item.chain),
            )
            for item in self.checked.explanations
        ]

    def finding(self, item: found.Finding) -> document.Finding:
        return document.Finding(
            rule=item.rule,
            kind=item.kind.value,
            message=item.message,
            fingerprint=self.names[item],
            later=self.spot(item.later),
            earlier=self.maybe(item.earlier),
            resource=item.resource,
            bytes=bytes_of(item.start, item.end),
            chain=self.chain(item.chain),
            missing=item.missing,
            fix=self.fix(item.fix),
            properties=dict(item.properties),
        )

    def spot(self, spot: found.Spot) -> document.Spot:
        return to_spot(self.report.program, spot)

    def maybe(self, spot: found.Spot | None) -> document.Spot | None:
        return None if spot is None else self.spot(spot)

    def chain(self, links: Iterable[found.Link]) -> list[document.Link]:
        return [
            document.Link(
                question=link.question, holds=link.holds, text=link.text, by=self.maybe(link.by)
            )
            for link in links
        ]

    def fix(self, fix: found.Fix | None) -> document.Fix | None:
        if fix is None:
            return None
        elsewhere = [
            document.Insertion(lines=list(item.lines), behind=self.maybe(item.behind))
            for item in fix.elsewhere
        ]
        return document.Fix(
            lines=list(fix.lines),
            before=self.spot(fix.before),
            instead=fix.instead,
            elsewhere=elsewhere,
            why=fix.why,
        )


def to_spot(program: Program, spot: found.Spot) -> document.Spot:
    """A command of `program` as a record."""
    place = spot.place
    return document.Spot(
        file=place.file,
        line=place.line,
        column=place.column,
        offset=place.offset,
        queue=spot.queue,
        position=spot.position,
        frame=frame_of(program, spot),
        command=spot.kind,
        name=spot.command.name,
        does=spot.does,
    )


def bytes_of(start: int, end: int) -> document.Bytes | None:
    """A byte range as a record; null where there is none."""
    if start >= end:
        return None
    if start >= GDS_BASE:
        return document.Bytes(space="gds", start=start - GDS_BASE, end=end - GDS_BASE)
    return document.Bytes(space="memory", start=start, end=end)


def _input(checked: Checked) -> document.Input:
    report, counts = checked.report, checked.report.counts
    return document.Input(
        file=report.program.file,
        machine=report.machine,
        guarantees="strict" if report.guarantees == "strict" else "documented",
        leans_on_documented=bool(report.leaning),
        frames=report.program.frames,
        queues=counts.queues,
        commands=counts.commands,
        works=counts.works,
        accesses=counts.accesses,
        synchronizations=counts.synchronizations,
        notes=list(checked.notes),
    )


def _summary(checked: Sequence[Checked]) -> document.Summary:
    reports = [item.report for item in checked]
    findings = [finding for report in reports for finding in report.findings]
    kinds = [finding.kind for finding in findings]
    return document.Summary(
        headline=headline(findings),
        inputs=len(checked),
        hazards=kinds.count(found.Kind.HAZARD),
        unknown=kinds.count(found.Kind.UNKNOWN),
        waste=kinds.count(found.Kind.WASTE),
        suppressed=sum(len(report.suppressed) for report in reports),
        leaning=sum(len(report.leaning) for report in reports),
        hidden=sum(item.hidden for item in checked),
    )


def _suppression(item: Suppression) -> document.Suppression:
    return document.Suppression(
        rule=item.rule, file=item.file, line=item.line, offset=item.offset, reason=item.reason
    )
