"""What people read, compared with files that were read by people."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.coherence.finding import Finding, Fix, Suppressed
from fencepost.place import Place
from fencepost.report.result import Checked
from fencepost.report.source import Sources
from fencepost.report.style import Style
from fencepost.report.text import SHOWN, write_text
from fencepost.report.why import holds, write_why
from fencepost.stream.program import Queue, QueueKind, Suppression
from tests.report.samples import (
    ALL,
    CLEAN,
    COMMANDS,
    EXPLAINED,
    FILE,
    HAZARD,
    PM4,
    PROGRAM,
    SOURCES,
    STALE,
    UNKNOWN,
    WASTE,
    report,
    spot,
)

EXPECTED = Path(__file__).parent / "expected"


def shown(*findings: Finding, style: Style | None = None) -> str:
    return write_text([Checked(report(*findings))], SOURCES, style or Style())


@pytest.mark.parametrize(
    ("name", "checked"),
    [
        ("clean", [CLEAN]),
        ("hazard", [HAZARD]),
        ("all", [ALL]),
        ("pm4", [PM4]),
        ("several", [CLEAN, PM4]),
    ],
)
def test_the_report_reads_as_expected(name: str, checked: list[Checked]) -> None:
    expected = (EXPECTED / f"{name}.txt").read_bytes().decode("utf-8")
    assert write_text(checked, SOURCES, Style()) == expected


def test_the_explanation_reads_as_expected() -> None:
    expected = (EXPECTED / "why.txt").read_bytes().decode("utf-8")
    assert write_why(EXPLAINED, SOURCES, Style()) == expected
    assert [holds(item) for item in EXPLAINED] == [False, True]


@pytest.mark.parametrize("checked", [CLEAN, ALL, PM4])
def test_colour_changes_nothing_but_colour(checked: Checked) -> None:
    colored = write_text([checked], SOURCES, Style(color=True))
    assert "\033[" in colored
    assert re.sub(r"\033\[[0-9;]*m", "", colored) == write_text([checked], SOURCES, Style())


def test_marks_stand_under_what_they_mark() -> None:
    lines = shown(STALE).splitlines()
    row = next(number for number, line in enumerate(lines) if 'draw "lighting"  ps' in line)
    start = lines[row].index("ps.texture gbuffer")
    assert lines[row + 1][start:].startswith("^" * len("ps.texture gbuffer") + " later")
    assert lines[row + 1][:start].strip(" |") == ""


def test_marks_count_wide_characters_twice_and_tabs_once() -> None:
    text = '\tdraw "\u6c34"\tps.texture gbuffer'
    place = Place(FILE, 1, 2)
    later = replace(STALE.later, command=replace(STALE.later.command, place=place))
    finding = replace(STALE, later=later, earlier=None, chain=(), fix=None)
    sources = Sources({FILE: text})
    lines = write_text([Checked(report(finding))], sources, Style()).splitlines()
    row = next(number for number, line in enumerate(lines) if "\u6c34" in line)
    before = lines[row].partition("ps.")[0]
    assert lines[row + 1].index("^") == len(before) + 1
    assert "\t" not in lines[row]


def test_nothing_of_an_input_steers_the_terminal() -> None:
    finding = replace(STALE, message="\033[2J", resource="\033]0;x\a", missing="\x9b31m")
    text = write_text(
        [Checked(report(finding))], Sources({FILE: "\033[31m\n" * 20}), Style(encoding="ascii")
    )
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)


def test_an_output_that_knows_ascii_only_gets_ascii_only() -> None:
    finding = replace(STALE, message="caf\u00e9", resource="\u6c34")
    text = shown(finding, style=Style(encoding="ascii"))
    assert text.isascii()
    assert "caf?" in text


def test_a_long_line_is_cut_around_the_mark() -> None:
    text = f"  draw {'ps.texture other; ' * 50}ps.texture gbuffer; {'cb0.write hdr; ' * 50}"
    place = Place(FILE, 1, 3)
    later = replace(STALE.later, command=replace(STALE.later.command, place=place))
    finding = replace(STALE, later=later, earlier=None, chain=(), fix=None)
    lines = write_text([Checked(report(finding))], Sources({FILE: text}), Style()).splitlines()
    row = next(number for number, line in enumerate(lines) if "ps.texture gbuffer" in line)
    assert len(lines[row]) < 120
    assert lines[row].startswith("1 | ...")
    assert lines[row].endswith("...")
    start = lines[row].index("ps.texture gbuffer")
    assert lines[row + 1].index("^") == start


@pytest.mark.parametrize(("gap", "between"), [(1, []), (2, ["2 | two"]), (3, ["..."])])
def test_what_stands_between_two_lines(gap: int, between: list[str]) -> None:
    names = ("one", "two", "three", "four", "five")
    places = [Place(FILE, 1), Place(FILE, 1 + gap)]
    earlier, later = (
        replace(spot(0), command=replace(COMMANDS[0], place=place)) for place in places
    )
    finding = replace(STALE, earlier=earlier, later=later, chain=(), fix=None)
    sources = Sources({FILE: "\n".join(names)})
    text = write_text([Checked(report(finding))], sources, Style())
    lines = text.split("queue gfx\n")[1].splitlines()
    assert [line.strip() for line in lines[2 : lines.index(f"{1 + gap} | {names[gap]}")]] == between


def test_two_accesses_of_one_line_are_marked_under_it_once_each() -> None:
    finding = replace(STALE, earlier=spot(8, "cb1.blend hdr"), chain=(), rule="feedback-loop")
    lines = shown(finding).splitlines()
    rows = [number for number, line in enumerate(lines) if line.startswith("15 |")]
    assert len(rows) == 1
    assert {lines[rows[0] + step].strip(" |^~") for step in (1, 2)} == {"earlier", "later"}


def test_equal_unknown_accesses_share_a_line() -> None:
    many = [
        replace(UNKNOWN, later=replace(spot(5, "vs"), position=number)) for number in range(5000)
    ]
    text = shown(*many)
    assert "5,000 accesses unknown" in text
    assert "5,000 x draw" in text
    assert len(text.splitlines()) < 12


def test_different_unknown_accesses_do_not() -> None:
    other = replace(UNKNOWN, later=spot(5, "ps"))
    assert len(shown(UNKNOWN, other).splitlines()) == len(shown(UNKNOWN).splitlines()) + 1


@pytest.mark.parametrize(("count", "rest"), [(SHOWN, 0), (SHOWN + 7, 7)])
def test_findings_beyond_the_limit_are_counted(count: int, rest: int) -> None:
    many = [replace(STALE, resource=f"r{number}") for number in range(count)]
    text = shown(*many)
    assert f"{count} hazards found" in text
    assert text.count("hazard[stale-cache-line]") == SHOWN
    assert (f"and {rest} more findings of this kind (stale-cache-line {rest})" in text) is bool(
        rest
    )


def test_the_same_pair_with_other_bytes_is_shown_once() -> None:
    second = replace(STALE, resource="gbuffer.pixels[64:128]", start=64, end=128)
    text = shown(STALE, second)
    assert "2 hazards found" in text
    assert text.count("hazard[") == 1
    assert "= also:      1 other range of these bytes" in text


def test_the_same_pair_in_later_frames_is_shown_once_and_another_distance_is_not() -> None:
    queue = Queue("gfx", QueueKind.GRAPHICS, COMMANDS * 3)
    program = replace(PROGRAM, queues=(queue,), frames=3)
    count = len(COMMANDS)

    def between(first: int, second: int) -> Finding:
        earlier = replace(spot(2, "cb0.write gbuffer"), position=2 + first * count)
        later = replace(spot(8, "ps.texture gbuffer"), position=8 + second * count)
        return replace(STALE, earlier=earlier, later=later, fix=None)

    findings = (between(0, 1), between(1, 2), between(0, 0))
    text = write_text([Checked(report(*findings, program=program))], SOURCES, Style())
    assert text.count("hazard[") == 2
    assert "earlier, frame 1" in text
    assert "later, frame 2" in text
    assert "= also:      in frames 2, 3" in text
    assert "3 frames" in text


def test_queues_are_named_where_they_differ() -> None:
    earlier = replace(spot(2, "cb0.write gbuffer"), queue="async")
    assert "later, queue gfx" in shown(replace(STALE, earlier=earlier))
    assert "later, queue" not in shown(STALE)


@pytest.mark.parametrize(
    ("line", "offset", "said"),
    [(12, None, "at f:12 ("), (0, None, "at f ("), (0, 0x1F4, "at f:0x1f4 (")],
)
def test_an_unused_suppression_is_noted(line: int, offset: int | None, said: str) -> None:
    unused = Suppression("deadlock", "f", line, "old", offset=offset)
    text = write_text([replace(CLEAN, unused=(unused,))], SOURCES, Style())
    assert f'note: the suppression of deadlock {said}"old") meets no finding' in text


def test_what_was_not_looked_for_is_noted() -> None:
    text = write_text([replace(CLEAN, notes=("too long to search",))], SOURCES, Style())
    assert "\n  note: too long to search\n" in text


@pytest.mark.parametrize(
    ("lines", "said"),
    [((), "delete line 14, surface sync"), (("flush ps",), "in place of line 14, surface sync:")],
)
def test_a_fix_of_waste_says_what_goes(lines: tuple[str, ...], said: str) -> None:
    fix = Fix(lines, spot(7), "tried", instead=True)
    text = shown(replace(WASTE, missing="drop it", fix=fix))
    assert "  = mend:      drop it\n" in text
    assert f"  = fix:       {said}\n" in text
    assert all(f"\n                 {line}\n" in text for line in lines)


def test_who_brought_an_old_copy_in_is_marked() -> None:
    *chain, broken = STALE.chain
    chain.append(replace(broken, by=spot(0, "ps.texture gbuffer")))
    lines = shown(replace(STALE, chain=tuple(chain))).splitlines()
    row = next(number for number, line in enumerate(lines) if line.startswith(" 7 |"))
    assert lines[row + 1].endswith("------------------ brought in")
    assert any(line.endswith('that "sky" read [line 7]') for line in lines)


def test_suppressed_findings_are_counted_with_their_reason() -> None:
    twice = tuple(Suppressed(finding, "fine") for finding in (STALE, STALE))
    checked = Checked(replace(report(), suppressed=twice))
    text = write_text([checked], SOURCES, Style())
    assert "no hazard found" in text
    assert "2 findings suppressed" in text
    assert 'stale-cache-line at line 15: "fine" (2 times)' in text


def test_a_rule_is_offered_for_explanation_only_where_there_is_one() -> None:
    assert "`fencepost explain repeated-flush`" in shown(WASTE)
    assert "explain" not in shown()


def test_a_headline_is_green_only_where_nothing_is_open() -> None:
    style = Style(color=True)
    heads = [shown(*findings, style=style)[:8] for findings in ((), (UNKNOWN,), (WASTE,), (STALE,))]
    assert len(set(heads)) == 4
    assert heads[0].startswith("\033[1;32m")


def test_a_program_made_in_python_is_shown_without_lines() -> None:
    place = Place("<program>", 0)
    later = replace(STALE.later, command=replace(STALE.later.command, place=place))
    text = shown(replace(STALE, later=later, earlier=None, chain=(), fix=None))
    assert 'gfx[8] | draw "lighting"  ps.texture gbuffer\n' in text
