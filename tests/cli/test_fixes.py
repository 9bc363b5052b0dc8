"""A fix of the report, pasted by a tool, mends the stream that it was made for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.run import HAZARD, run, write
from tests.report.editor import applied

STREAMS = {
    "one queue": HAZARD,
    "texture": """machine xbox-one
color x 64x64 rgba8
queue q: graphics
  draw "old" ps.texture x
  draw "paint" cb0.write x  # no flush
  draw "read" ps.texture x
""",
    "two queues, no newline at the end": """machine xbox-one
buffer args 64

queue gfx: graphics
  draw "tiles" pfp.args args[0:16]

queue async: compute
  dispatch "cull" cs.uav-write args[0:16]""",
}


@pytest.mark.parametrize("name", STREAMS)
def test_fixes_mend(tmp_path: Path, name: str) -> None:
    text = STREAMS[name]
    file = tmp_path / "a.fence"
    for _ in range(6):
        write(file, text)
        result = run("check", file, "--format", "sarif")
        if result.code == 0:
            break
        assert result.code == 1
        first = json.loads(result.raw)["runs"][0]["results"][0]
        (change,) = first["fixes"][0]["artifactChanges"]
        text = applied(text, change)
    assert text != STREAMS[name]
    assert run("check", file).code == 0


@pytest.mark.parametrize("name", STREAMS)
def test_the_text_report_says_the_same_lines(tmp_path: Path, name: str) -> None:
    file = write(tmp_path / "a.fence", STREAMS[name])
    fixes = [
        row["fix"] for row in json.loads(run("check", file, "--format", "json").raw)["hazards"]
    ]
    said = [line.strip() for line in run("check", file).out.splitlines()]
    assert fixes
    for fix in fixes:
        for line in (*fix["lines"], *(line for item in fix["elsewhere"] for line in item["lines"])):
            assert line in said
