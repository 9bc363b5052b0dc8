from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.errors import FencepostError, SyntaxProblem
from fencepost.report.baseline import hide, parse_baseline
from fencepost.report.json_report import write_json
from fencepost.report.result import Checked
from tests.report.samples import ALL, STALE, UNKNOWN, WASTE, report


def baseline(*checked: Checked) -> frozenset[str]:
    return parse_baseline(write_json(checked), "old.json")


def test_what_was_there_before_is_hidden() -> None:
    old = baseline(Checked(report(STALE, UNKNOWN)))
    judged, hidden = hide(report(STALE, UNKNOWN, WASTE), old)
    assert judged.findings == (WASTE,)
    assert hidden == 2


def test_what_is_new_is_not() -> None:
    second = replace(STALE, resource="hdr.pixels")
    judged, hidden = hide(report(second), baseline(Checked(report(STALE))))
    assert judged.findings == (second,)
    assert hidden == 0


def test_a_second_finding_alike_is_new() -> None:
    second = replace(STALE, later=replace(STALE.later, position=99))
    judged, hidden = hide(report(STALE, second), baseline(Checked(report(STALE))))
    assert judged.findings == (second,)
    assert hidden == 1


def test_suppressed_and_leaning_findings_of_the_baseline_hide_nothing() -> None:
    old = baseline(ALL)
    assert len(old) == 3


def changed(**fields: object) -> bytes:
    return json.dumps({**json.loads(write_json([ALL])), **fields}).encode("utf-8")


def test_a_later_report_with_more_fields_is_read() -> None:
    assert parse_baseline(changed(more=1), "new.json") == baseline(ALL)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not a baseline"),
        (b"[]", "not a baseline"),
        (b"{}", "not a baseline"),
        (b"\xff\xfe", "not a baseline"),
        (b"[" * 100_000, "not a baseline"),
        (changed(hazards=[{}]), "not a baseline"),
        (changed(format="sarif"), "format 'sarif' version 1; expected 'fencepost.report'"),
        (changed(version=2), "format 'fencepost.report' version 2; expected"),
    ],
)
def test_what_is_no_report_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse_baseline(data, "old.json")
    assert str(caught.value).startswith("old.json: ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.binary())
def test_fuzz_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        said = f"old.json: {len(parse_baseline(data, 'old.json'))}"
    except FencepostError as error:
        said = str(error)
    assert said.startswith("old.json: ")
