"""The report as SARIF 2.1.0: what code scanning reads.

Hazards are errors, waste warnings, unknown accesses notes. Hazards under `strict` only are kind
`review`, which is no failure. Where an input is text, regions are lines and columns; a packet has
its byte offset, as `address` behind the line of a hex dump, as `byteOffset` where no line shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import PurePosixPath, PureWindowsPath
from urllib.parse import quote

import msgspec

from fencepost._version import __version__
from fencepost.coherence.finding import Finding, Fix, Kind, Report, Spot
from fencepost.coherence.rules import BY_ID, RULES, Rule
from fencepost.place import Place
from fencepost.report.fingerprint import fingerprints
from fencepost.report.result import Checked
from fencepost.report.source import Sources
from fencepost.report.suppress import matches
from fencepost.report.words import frame_of, missing_label
from fencepost.stream.program import Program, Suppression

Json = dict[str, object]

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
LEVELS = {Kind.HAZARD: "error", Kind.UNKNOWN: "note", Kind.WASTE: "warning"}
INDEX = {rule.id: number for number, rule in enumerate(RULES)}


def write_sarif(checked: Sequence[Checked], sources: Sources) -> bytes:
    """One run over all inputs, as UTF-8 JSON, indented, with a newline at its end."""
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(checked, sources)]}
    return msgspec.json.format(msgspec.json.encode(log), indent=2) + b"\n"


def _run(checked: Sequence[Checked], sources: Sources) -> Json:
    files = list(dict.fromkeys(item.file for item in checked))
    writers = [_Writer(item, sources, files) for item in checked]
    notes = [_note(item.file, note) for item in checked for note in item.notes]
    notes += [_unused(unused) for item in checked for unused in item.unused]
    return {
        "tool": {"driver": _driver()},
        "invocations": [
            {"executionSuccessful": True, "toolConfigurationNotifications": notes}
            if notes
            else {"executionSuccessful": True}
        ],
        "artifacts": [{"location": artifact(file)} for file in files],
        "columnKind": "unicodeCodePoints",
        "results": [result for writer in writers for result in writer.results()],
        "properties": {"inputs": [_judged(item.report) for item in checked]},
    }


def _driver() -> Json:
    return {
        "name": "fencepost",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(rule) for rule in RULES],
    }


def _rule(rule: Rule) -> Json:
    text = f"{rule.meaning}\n\nWhat mends it: {rule.mend}\n\nSource: {rule.source}"
    markdown = f"{rule.meaning}\n\n**What mends it:** {rule.mend}\n\nSource: {rule.source}"
    return {
        "id": rule.id,
        "name": "".join(word.capitalize() for word in rule.id.split("-")),
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.meaning},
        "help": {"text": text, "markdown": markdown},
        "defaultConfiguration": {"level": LEVELS[rule.kind]},
        "properties": {"tags": ["synchronization", rule.kind.value]},
    }


def _note(file: str, text: str) -> Json:
    location = {"physicalLocation": {"artifactLocation": artifact(file)}}
    return {"level": "note", "message": {"text": text}, "locations": [location]}


def _unused(unused: Suppression) -> Json:
    text = f"the suppression of {unused.rule} ({unused.reason}) meets no finding"
    note: Json = {"level": "note", "message": {"text": text}}
    if unused.place.line:
        region = {"startLine": unused.place.line}
        location = {"artifactLocation": artifact(unused.place.file), "region": region}
        note["locations"] = [{"physicalLocation": location}]
    return note


def _judged(report: Report) -> Json:
    return {
        "file": report.program.file,
        "machine": report.machine,
        "guarantees": report.guarantees,
        "leansOnDocumented": bool(report.leaning),
    }


@cache
def artifact(file: str) -> Json:
    """Where an input is: relative to the root of the sources, or an absolute URI."""
    windows = PureWindowsPath(file)
    if windows.drive:
        return {"uri": windows.as_uri()} if windows.is_absolute() else {"uri": quote(file)}
    path = PurePosixPath(file.replace("\\", "/"))
    if path.is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote(str(path)), "uriBaseId": "%SRCROOT%"}


class _Writer:
    """Turns the findings of one input into results."""

    def __init__(self, checked: Checked, sources: Sources, files: Sequence[str]) -> None:
        self.report = checked.report
        self.sources = sources
        self.files = files
        self.names: Mapping[Finding, str] = fingerprints(checked.report)

    def results(self) -> Iterable[Json]:
        yield from map(self.result, self.report.findings)
        for item in self.report.suppressed:
            suppression = {**self.suppression(item.finding), "justification": item.reason}
            yield {**self.result(item.finding), "suppressions": [suppression]}
        for finding in self.report.leaning:
            yield {**self.result(finding), "kind": "review", "level": "none"}

    def result(self, finding: Finding) -> Json:
        result: Json = {
            "ruleId": finding.rule,
            "level": LEVELS[finding.kind],
            "message": {"text": _message(finding)},
            "locations": [self.location(finding.later)],
            "partialFingerprints": {"findingHash/v1": self.names[finding]},
            "properties": {
                "kind": finding.kind.value,
                "resource": finding.resource,
                **dict(finding.properties),
            },
        }
        if finding.rule in BY_ID:
            result["ruleIndex"] = INDEX[finding.rule]
        if finding.earlier is not None:
            result["relatedLocations"] = [self.location(finding.earlier, "earlier", 1)]
        if finding.chain:
            result["codeFlows"] = [self.flow(finding)]
        if finding.fix is not None and finding.fix.before.place.file in self.sources.pasteable:
            result["fixes"] = [self.fix(finding.fix)]
        return result

    def suppression(self, finding: Finding) -> Json:
        """In the stream, or in a file beside it."""
        for item in self.report.program.suppressions:
            if item.place.file == self.report.program.file and matches(item, finding):
                return {"kind": "inSource"}
        return {"kind": "external"}

    def location(self, spot: Spot, text: str = "", number: int = 0) -> Json:
        location: Json = {
            "physicalLocation": self.physical(spot),
            "logicalLocations": [
                {
                    "name": spot.title,
                    "fullyQualifiedName": f"{spot.queue}/{spot.position}",
                    "kind": spot.kind,
                }
            ],
        }
        if text:
            said = f"{text}: {spot.title} {spot.does}".rstrip()
            location["message"] = {"text": said}
        if number:
            location["id"] = number
        if self.report.program.frames > 1:
            location["properties"] = {"frame": frame_of(self.report.program, spot)}
        return location

    def physical(self, spot: Spot) -> Json:
        place = spot.place
        physical: Json = {"artifactLocation": self.artifact(place.file)}
        if place.offset is not None:
            physical["address"] = {"relativeAddress": place.offset, "name": spot.title}
        line, region = self.sources.line(place), self.sources.region(spot)
        if line is not None and region is not None:
            physical["region"] = {
                "startLine": place.line,
                "startColumn": region.start + 1,
                "endLine": place.line,
                "endColumn": region.end + 1,
                "snippet": {"text": line},
            }
        elif place.line:
            physical["region"] = {"startLine": place.line, "startColumn": place.column}
        elif place.offset is not None:
            physical["region"] = {"byteOffset": place.offset}
        return physical

    def artifact(self, file: str) -> Json:
        location = artifact(file)
        return {**location, "index": self.files.index(file)} if file in self.files else location

    def flow(self, finding: Finding) -> Json:
        """From the producer over each question of the chain to the consumer."""
        steps = [] if finding.earlier is None else [self.location(finding.earlier, "earlier")]
        for link in finding.chain:
            answer = f"{link.question}: {'yes' if link.holds else 'NO'}, {link.text}"
            step = {} if link.by is None else self.location(link.by)
            steps.append({**step, "message": {"text": answer}})
        steps.append(self.location(finding.later, "later"))
        return {"threadFlows": [{"locations": [{"location": step} for step in steps]}]}

    def fix(self, fix: Fix) -> Json:
        """Whole lines, indented like the line that they stand beside or in the place of."""
        replacements = (
            self.instead(fix) if fix.instead else [self.above(fix.lines, fix.before.place)]
        )
        for item in fix.elsewhere:
            if item.behind is not None:
                replacements.append(self.below(item.lines, item.behind.place))
            else:
                replacements.append(self.above(item.lines, self.report.program.queues[0].place))
        change = {
            "artifactLocation": self.artifact(fix.before.place.file),
            "replacements": replacements,
        }
        return {
            "description": {"text": fix.why or "the lightest fix"},
            "artifactChanges": [change],
        }

    def instead(self, fix: Fix) -> list[Json]:
        """Lines in the place of a command, whose comment stays; or the command's line deleted.

        What allows something there goes with it: it would speak of the next command.
        """
        place = fix.before.place
        line, region = (
            self.sources.line(place) or "",
            self.sources.region(replace(fix.before, does="")),
        )
        if fix.lines and region is not None:
            text = f"\n{_indent(line)}".join(fix.lines)
            return [_replacement(place.line, region.start + 1, region.end + 1, text)]
        gone = [place.line, *_allowing(self.report.program, place)]
        return [_deletion(number) for number in sorted(gone)]

    def above(self, lines: Iterable[str], place: Place) -> Json:
        """Lines in front of that of `place`."""
        indent = _indent(self.sources.line(place) or "")
        return _insertion(place.line, 1, "".join(f"{indent}{line}\n" for line in lines))

    def below(self, lines: Iterable[str], place: Place) -> Json:
        """Lines behind that of `place`, which may be the last one of its file."""
        line = self.sources.line(place) or ""
        text = "".join(f"\n{_indent(line)}{added}" for added in lines)
        return _insertion(place.line, len(line) + 1, text)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _insertion(line: int, column: int, text: str) -> Json:
    return _replacement(line, column, column, text)


def _replacement(line: int, start: int, end: int, text: str) -> Json:
    region = {"startLine": line, "startColumn": start, "endLine": line, "endColumn": end}
    return {"deletedRegion": region, "insertedContent": {"text": text}}


def _deletion(line: int) -> Json:
    """A whole line with its end."""
    return {
        "deletedRegion": {"startLine": line, "startColumn": 1, "endLine": line + 1, "endColumn": 1}
    }


def _allowing(program: Program, place: Place) -> set[int]:
    """The lines that accept findings at that command."""
    return {
        item.place.line
        for item in program.suppressions
        if item.line == place.line and item.place.file == item.file == place.file
    }


def _message(finding: Finding) -> str:
    parts = [_escaped(finding.message)]
    if finding.earlier is not None:
        parts.append(f"earlier: [{_escaped(finding.earlier.title)}](1)")
    if finding.missing:
        parts.append(f"{missing_label(finding)}: {_escaped(finding.missing)}")
    return "; ".join(parts)


def _escaped(text: str) -> str:
    """SARIF reads `[text](1)` in a message as a link."""
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
