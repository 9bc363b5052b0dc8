"""Public bug reports as streams: each has the verdict that its stream and docs/bug-reports.md name.

A stream marks the command that goes wrong with a comment, `# -> RULE`, and one that is waste with
`# => RULE`, where the report is about that; one without marks is clean.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from fencepost.coherence import Kind, check
from fencepost.machine import find_machine
from fencepost.plan.excess import add_excess
from fencepost.stream.command import Present, Work
from fencepost.stream.program import Program
from fencepost.stream.text import parse_text
from fencepost.stream.text.columns import lay_out
from tests.project.repository import ROOT

BUGS = Path(__file__).parent / "bugs"
STREAMS = sorted(path.stem for path in BUGS.glob("*.fence"))
PAGE = ROOT / "docs" / "bug-reports.md"
FIXED = "-fixed"
BROKEN = [name for name in STREAMS if f"{name}{FIXED}" in STREAMS]
ROW = re.compile(r"\| \[BUG(\d{3})\]\(\S+\) \|[^|]*\| (.*) \| (.*) \| (.*) \|")
MARK = re.compile(r"# -> ([a-z-]+)")
WASTE = re.compile(r"# => ([a-z-]+)")

IN_ORDER = {
    "bug028-attached-but-unused": "nothing touches the image twice",
    "bug035-dynamic-offset": "other bytes, on other lines",
    "bug050-target-loaded-by-next-submission": "color after color",
    "bug071-depth-cleared-then-tested": "depth after depth",
    "bug073-depth-of-two-frames": "depth after depth",
    "bug074-single-depth-buffer": "depth after depth",
    "bug076-depth-shared-by-frames": "depth after depth",
    "bug077-targets-reused-between-frames": "color after color, depth after depth",
    "bug082-barrier-between-two-reads": "read after read",
    "bug089-color-and-depth-transitions": "color after color, depth after depth",
    "bug091-passes-that-share-nothing": "nothing is shared",
}
"""Streams that are clean without any synchronization; their `-fixed` twins are too."""


@dataclass(frozen=True)
class Report:
    """A row of the page."""

    number: str
    streams: tuple[str, ...]
    verdicts: tuple[str, ...]
    reason: str


def reports() -> Iterator[Report]:
    """The rows of the page's table."""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        match = ROW.fullmatch(line)
        if match:
            number, names, verdicts, reason = match.groups()
            streams = [f"bug{number}-{name}" for name in re.findall(r"`([^`]+)`", names)]
            found = tuple(verdicts.split("; ")) if streams else ()
            yield Report(number, tuple(streams), found, reason)


REPORTS = list(reports())


def text_of(name: str) -> str:
    return (BUGS / f"{name}.fence").read_text(encoding="utf-8")


def stream(name: str) -> Program:
    return parse_text(text_of(name), f"{name}.fence")


def marks(name: str, kind: re.Pattern[str] = MARK) -> set[tuple[int, str]]:
    """Line and rule of every hazard, or all waste, that the stream announces."""
    lines = enumerate(text_of(name).splitlines(), 1)
    return {(number, rule) for number, line in lines for rule in kind.findall(line)}


def hazards(program: Program) -> set[tuple[int, str]]:
    report = check(program, find_machine(program.machine))
    return {(row.later.place.line, row.rule) for row in report.of(Kind.HAZARD)}


@pytest.mark.parametrize("name", STREAMS)
def test_the_verdict_is_the_one_that_the_stream_marks(name: str) -> None:
    assert hazards(stream(name)) == marks(name)


@pytest.mark.parametrize("name", [name for name in STREAMS if marks(name, WASTE)])
def test_the_waste_is_what_the_stream_marks(name: str) -> None:
    program = stream(name)
    machine = find_machine(program.machine)
    report, _ = add_excess(check(program, machine), machine)
    found = {(row.later.place.line, row.rule) for row in report.of(Kind.WASTE)}
    assert found == marks(name, WASTE)


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_is_laid_out(name: str) -> None:
    assert lay_out(text_of(name)) == text_of(name)


@pytest.mark.parametrize("name", BROKEN)
def test_a_fix_changes_synchronization_alone_and_is_clean(name: str) -> None:
    assert works(stream(f"{name}{FIXED}")) == works(stream(name))
    assert not marks(f"{name}{FIXED}")


def works(program: Program) -> list[tuple[object, ...]]:
    """What a program accesses, without places."""
    return [
        (queue.name, work.kind, work.name, access.block, access.use, access.start, access.end)
        for queue in program.queues
        for work in queue.commands
        if isinstance(work, Work)
        for access in work.accesses
    ]


@pytest.mark.parametrize("name", [name for name in STREAMS if not marks(name)])
def test_a_clean_stream_needs_its_synchronization(name: str) -> None:
    assert bool(hazards(bare(stream(name)))) is (name.removesuffix(FIXED) not in IN_ORDER)


def bare(program: Program) -> Program:
    """The program without synchronization; presents stay, they are the display's reads."""
    queues = [
        replace(queue, commands=[row for row in queue.commands if isinstance(row, Work | Present)])
        for queue in program.queues
    ]
    return replace(program, queues=tuple(queues))


# -- the page


def test_the_page_names_every_stream_once() -> None:
    named = [name for report in REPORTS for name in report.streams]
    fixed = [f"{name}{FIXED}" for name in named if name in BROKEN]
    assert sorted([*named, *fixed]) == STREAMS


def test_the_page_says_the_verdict_of_every_stream() -> None:
    for report in REPORTS:
        found = [
            ", ".join(sorted({rule for _, rule in marks(name) | marks(name, WASTE)}))
            for name in report.streams
        ]
        assert report.verdicts == tuple(rules or "clean" for rules in found), report.number


def test_a_report_without_a_stream_says_why() -> None:
    without = [report for report in REPORTS if not report.streams]
    assert without
    for report in without:
        assert report.reason.startswith("inside a shader")


def test_most_reports_can_be_expressed() -> None:
    assert sum(bool(report.streams) for report in REPORTS) >= 30


@pytest.mark.skipif(not os.environ.get("FENCEPOST_DATA"), reason="FENCEPOST_DATA is not set")
def test_every_report_is_accounted_for() -> None:
    path = Path(os.environ["FENCEPOST_DATA"]) / "cases" / "sync_bug_reports.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = {row["id"].removeprefix("BUG"): row for row in csv.DictReader(file)}
    assert [report.number for report in REPORTS] == list(rows)
    for report in REPORTS:
        wanted = rows[report.number]
        assert wanted["source_url"] in PAGE.read_text(encoding="utf-8")
        if report.reason.startswith("same") and report.verdicts:
            clean = wanted["right_verdict"].startswith("none")
            assert (report.verdicts[0] == "clean") is clean, report.number
