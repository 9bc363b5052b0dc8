from __future__ import annotations

from dataclasses import replace

import pytest

from fencepost.coherence.finding import Finding, Report, Spot, Suppressed
from fencepost.place import Place
from fencepost.report.fingerprint import fingerprints
from fencepost.stream.program import Queue, QueueKind
from tests.report.samples import COMMANDS, FILE, PROGRAM, STALE, UNKNOWN, WASTE, report, spot


def fingerprint(finding: Finding, report_: Report | None = None) -> str:
    made = report_ or report(finding)
    return fingerprints(made)[finding]


def moved(spot: Spot, lines: int) -> Spot:
    place = Place(FILE, spot.place.line + lines, spot.place.column + 2)
    return replace(spot, position=spot.position + lines, command=replace(spot.command, place=place))


def test_a_fingerprint_stays_when_lines_and_addresses_move() -> None:
    assert STALE.earlier is not None
    other = replace(
        STALE,
        earlier=moved(STALE.earlier, 7),
        later=moved(STALE.later, 9),
        start=STALE.start + 0x10000,
        end=STALE.end + 0x10000,
        message="said in other words",
        chain=(),
        fix=None,
    )
    assert fingerprint(other) == fingerprint(STALE)


def test_a_fingerprint_does_not_depend_on_the_directory() -> None:
    for file in ("frame.fence", "C:\\frames\\frame.fence", "/x/y/frame.fence"):
        made = report(STALE, program=replace(PROGRAM, file=file))
        assert fingerprint(STALE, made) == fingerprint(STALE)


@pytest.mark.parametrize(
    "other",
    [
        replace(STALE, rule="lost-write"),
        replace(STALE, resource="hdr.pixels"),
        replace(STALE, later=spot(8, "cb1.blend hdr")),
        replace(STALE, later=spot(5, "ps.texture gbuffer")),
        replace(STALE, earlier=None),
        replace(STALE, earlier=spot(0, "cb0.write gbuffer")),
        replace(STALE, later=replace(STALE.later, queue="async")),
    ],
)
def test_another_finding_has_another_fingerprint(other: Finding) -> None:
    assert fingerprint(other) != fingerprint(STALE)


def test_another_file_has_another_fingerprint() -> None:
    made = report(STALE, program=replace(PROGRAM, file="other.fence"))
    assert fingerprint(STALE, made) != fingerprint(STALE)


def test_findings_alike_are_numbered_in_stream_order() -> None:
    second = replace(STALE, later=moved(STALE.later, 30))
    named = fingerprints(report(second, STALE))
    assert named[STALE] != named[second]
    assert named == fingerprints(report(STALE, second))
    assert named[STALE] == fingerprint(STALE)


def test_suppressing_one_does_not_rename_the_other() -> None:
    second = replace(STALE, later=moved(STALE.later, 30))
    both = fingerprints(report(STALE, second))
    one = fingerprints(replace(report(second), suppressed=(Suppressed(STALE, "fine"),)))
    assert one == both


def test_a_pair_over_a_frame_differs_from_one_within() -> None:
    queue = Queue("gfx", QueueKind.GRAPHICS, COMMANDS * 2)
    program = replace(PROGRAM, queues=(queue,), frames=2)
    over = replace(STALE, later=replace(STALE.later, position=8 + len(COMMANDS)))
    named = fingerprints(report(STALE, over, program=program))
    assert named[over] not in {named[STALE], fingerprint(over)}


def test_every_finding_of_a_report_has_its_own() -> None:
    made = replace(
        report(STALE, UNKNOWN),
        leaning=(replace(STALE, rule="not-written-back"),),
        suppressed=(Suppressed(WASTE, "fine"),),
    )
    named = fingerprints(made)
    assert len(named) == len(set(named.values())) == 4
    assert all(len(name) == 16 and int(name, 16) >= 0 for name in named.values())
