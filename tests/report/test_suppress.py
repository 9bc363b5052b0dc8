from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.coherence.finding import Finding
from fencepost.coherence.rules import RULES, Rule
from fencepost.errors import FencepostError, Problems, SyntaxProblem
from fencepost.place import Place
from fencepost.report.suppress import parse_suppressions, suppress
from fencepost.stream.program import Suppression
from tests.project.repository import ROOT, text_of
from tests.report.samples import FILE, PM4, STALE, UNKNOWN, report

FORM = 'expected rule file:line "reason"'


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('deadlock a.fence:12 "fine"', ("deadlock", "a.fence", 12, "fine", None)),
        ('deadlock a.fence "fine"', ("deadlock", "a.fence", 0, "fine", None)),
        ('  deadlock\t a.fence:12   "fine"  # why', ("deadlock", "a.fence", 12, "fine", None)),
        ('deadlock d.txt:0x1F4 "fine"', ("deadlock", "d.txt", 0, "fine", 0x1F4)),
        ('deadlock a dir/a b.fence:3 "fine"', ("deadlock", "a dir/a b.fence", 3, "fine", None)),
        ('deadlock C:\\a\\b.fence:3 "fine"', ("deadlock", "C:\\a\\b.fence", 3, "fine", None)),
        (
            'deadlock a:3 "a \\"word\\" # \\\\ more"',
            ("deadlock", "a", 3, 'a "word" # \\ more', None),
        ),
        ('deadlock a:3 "fine"\r', ("deadlock", "a", 3, "fine", None)),
    ],
)
def test_a_line_is_read(line: str, expected: tuple[object, ...]) -> None:
    (item,) = parse_suppressions(f"# accepted\n\n{line}\n", "list.txt")
    assert (item.rule, item.file, item.line, item.reason, item.offset) == expected
    assert item.place == Place("list.txt", 3)


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n  # here\n"])
def test_a_list_may_be_empty(text: str) -> None:
    assert parse_suppressions(text, "list.txt") == ()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("deadlock a.fence:12", f"not a suppression; {FORM}"),
        ("deadlock", f"not a suppression; {FORM}"),
        ('deadlock "fine"', f"not a suppression; {FORM}"),
        ('deadlock a:1 "fine" more', f"not a suppression; {FORM}"),
        ('deadlock a:1 "open', f"not a suppression; {FORM}"),
        ('deadlock a:1 ""', "a suppression without a reason"),
        ('deadlock a:1 "  "', "a suppression without a reason"),
        ('deadlok a:1 "fine"', "no rule 'deadlok' (did you mean 'deadlock'?)"),
        ('nonsense a:1 "fine"', "no rule 'nonsense'; expected one that"),
    ],
)
def test_a_wrong_line_is_named(line: str, said: str) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        parse_suppressions(f"\n{line}\n", "list.txt")
    assert str(caught.value).startswith("list.txt:2:1: ")
    assert said in str(caught.value)


def test_every_wrong_line_is_named() -> None:
    with pytest.raises(Problems) as caught:
        parse_suppressions('one\ndeadlock a "fine"\ntwo\n', "list.txt")
    assert [line.split(":")[1] for line in str(caught.value).splitlines()] == ["1", "3"]


def test_the_list_of_the_page_is_one() -> None:
    page = text_of(ROOT / "docs" / "cli.md")
    block = page.split("one a line:\n\n```\n")[1].split("```")[0]
    found = parse_suppressions(block, "list.txt")
    assert [(row.line, row.offset) for row in found] == [(17, None), (0, None), (0, 0xF8)]


@given(st.text())
def test_fuzz_any_text_is_read_or_refused(text: str) -> None:
    try:
        said = f"list.txt: {len(parse_suppressions(text, 'list.txt'))}"
    except FencepostError as error:
        said = str(error)
    assert said.startswith("list.txt:")


FILES = st.from_regex(r"[a-z][a-z /]*\.fence", fullmatch=True)
REASONS = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1)


@given(st.sampled_from(RULES), FILES, st.integers(0, 10**9), REASONS)
def test_what_is_written_is_read(rule: Rule, file: str, line: int, reason: str) -> None:
    name = rule.id
    escaped = reason.replace("\\", "\\\\").replace('"', '\\"')
    (item,) = parse_suppressions(f'{name} {file}:{line} "{escaped}"', "list.txt")
    assert (item.rule, item.file, item.line, item.reason) == (name, file, line, reason)


def item(
    rule: str = "stale-cache-line", file: str = FILE, line: int = 15, offset: int | None = None
) -> Suppression:
    return Suppression(rule, file, line, "fine", offset=offset)


PACKET = PM4.report.findings[0]


@pytest.mark.parametrize(
    ("suppression", "finding"),
    [
        (item(), STALE),
        (item(line=0), STALE),
        (item(file="frame.fence"), STALE),
        (item(file="./frames/frame.fence"), STALE),
        (item(file="frames\\frame.fence"), STALE),
        (item("read-after-write", "avgblur.txt", 0, 0x1F4), PACKET),
        (item("read-after-write", "avgblur.txt", 43), PACKET),
    ],
)
def test_a_suppression_that_fits_moves_the_finding(
    suppression: Suppression, finding: Finding
) -> None:
    judged, unused = suppress(report(finding, UNKNOWN), [suppression])
    assert judged.findings == (UNKNOWN,)
    assert [(each.finding, each.reason) for each in judged.suppressed] == [(finding, "fine")]
    assert unused == ()


@pytest.mark.parametrize(
    ("suppression", "finding"),
    [
        (item("lost-write"), STALE),
        (item(line=9), STALE),
        (item(file="other.fence"), STALE),
        (item(file="ame.fence"), STALE),
        (item(file="other/frame.fence"), STALE),
        (item(offset=0), STALE),
        (item("read-after-write", "avgblur.txt", 0, 0x1F8), PACKET),
    ],
)
def test_a_suppression_that_does_not_fit_is_unused(
    suppression: Suppression, finding: Finding
) -> None:
    judged, unused = suppress(report(finding), [suppression])
    assert judged.findings == (finding,)
    assert judged.suppressed == ()
    assert unused == (suppression,)


def test_one_suppression_may_meet_several_findings() -> None:
    second = replace(STALE, resource="hdr")
    judged, unused = suppress(report(STALE, second), [item()])
    assert (judged.findings, len(judged.suppressed), unused) == ((), 2, ())


def test_suppressing_again_changes_nothing() -> None:
    once = suppress(report(STALE, UNKNOWN), [item()])
    assert suppress(once[0], [item()]) == once
