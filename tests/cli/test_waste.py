"""Waste on the command line: its fixes as an editor applies them, its notes, its exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fencepost.plan import excess
from tests.cases.test_bug_reports import STREAMS, marks
from tests.cases.test_bug_reports import text_of as text_of_bug
from tests.cli.run import run, write
from tests.examples.verdicts import names, text_of
from tests.plan.cases import cases
from tests.report.editor import applied
from tests.report.samples import Json

ALLOWED = """machine xbox-one
buffer a 64
buffer b 64
queue gfx: graphics
  draw ps.buffer a
  # said on purpose
  allow repeated-flush "belongs to the flush"
  flush ps   # for nobody
  dispatch cs.uav-write b
"""
TEXTS = {
    **{case.name: case.preamble + "\n".join(case.body) + "\n" for case in cases()},
    **{name: text_of(name) for name in names()},
    **{name: text_of_bug(name) for name in STREAMS if not marks(name)},
    "allowed": ALLOWED,
}


def document(file: Path, form: str) -> Json:
    """A report of waste."""
    found: Json = json.loads(run("check", file, "--format", form).raw)
    return found


def results(file: Path) -> list[Json]:
    (only,) = document(file, "sarif")["runs"]
    found: list[Json] = only["results"]
    return [row for row in found if row["level"] == "warning"]


@pytest.mark.parametrize("name", TEXTS)
def test_all_fixes_at_once_leave_a_stream_that_is_right(tmp_path: Path, name: str) -> None:
    file = write(tmp_path / "a.fence", TEXTS[name])
    before = [fix["artifactChanges"][0] for row in results(file) for fix in row.get("fixes", ())]
    every = {"replacements": [one for change in before for one in change["replacements"]]}
    write(file, applied(TEXTS[name], every))
    after = run("check", file)
    assert (after.code, after.err) == (0, "")
    assert len(results(file)) < len(before) or not before


def test_a_deleted_command_takes_what_it_allows_along_and_its_comment(tmp_path: Path) -> None:
    file = write(tmp_path / "a.fence", ALLOWED)
    (result,) = results(file)
    (fix,) = result["fixes"]
    text = applied(ALLOWED, fix["artifactChanges"][0])
    gone = ("  allow repeated-flush", "  flush ps")
    assert text.splitlines() == [line for line in ALLOWED.splitlines() if not line.startswith(gone)]


def test_a_replaced_command_keeps_its_comment(tmp_path: Path) -> None:
    text = ALLOWED.replace("cs.uav-write b", "cs.uav-write a").replace("flush ps ", "wait idle")
    (result,) = results(write(tmp_path / "a.fence", text))
    (fix,) = result["fixes"]
    changed = applied(text, fix["artifactChanges"][0])
    assert "  flush ps  # for nobody\n" in changed
    assert changed == text.replace("wait idle", "flush ps")


def test_waste_can_fail(tmp_path: Path) -> None:
    file = write(tmp_path / "a.fence", ALLOWED)
    assert run("check", file).code == 0
    assert run("check", file, "--fail-on", "waste").code == 1
    assert run("check", file, "--fail-on", "hazard,unknown").code == 0


def test_waste_can_be_accepted(tmp_path: Path) -> None:
    text = ALLOWED.replace("allow repeated-flush", "allow redundant-synchronization")
    result = run("check", write(tmp_path / "a.fence", text), "--fail-on", "waste")
    assert result.code == 0
    assert "1 finding suppressed" in result.out


def test_text_and_json_say_what_stands_instead(tmp_path: Path) -> None:
    text = ALLOWED.replace("cs.uav-write b", "cs.uav-write a").replace("flush ps ", "wait idle")
    file = write(tmp_path / "a.fence", text)
    (row,) = document(file, "json")["waste"]
    assert row["missing"] == "flush ps"
    assert row["fix"]["instead"] is True
    assert row["fix"]["lines"] == ["flush ps"]
    said = run("check", file).out
    assert "  = mend:      flush ps\n" in said
    assert "  = fix:       in place of line 8, wait idle:\n" in said
    assert "missing" not in said
    assert (
        "  = fix:       delete line 8, partial flush\n"
        in run("check", write(tmp_path / "b.fence", ALLOWED)).out
    )


def test_what_was_not_looked_for_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excess, "MOST_COMMANDS", 2)
    allow = '  allow repeated-flush "belongs to the flush"\n'
    file = write(tmp_path / "a.fence", ALLOWED.replace(allow, ""))
    note = "waste that needs a search was not looked for: 3 commands"
    assert f"  note: {note}\n" in run("check", file).out
    assert run("check", file, "--brief").out.endswith(f"{file}: note: {note}\n")
    (judged,) = document(file, "json")["inputs"]
    assert judged["notes"] == [note]
    (only,) = document(file, "sarif")["runs"]
    (invocation,) = only["invocations"]
    (notification,) = invocation["toolConfigurationNotifications"]
    assert notification["message"] == {"text": note}
    monkeypatch.undo()
    assert "note:" not in run("check", file).out
