"""The chain of docs/timing.md, computed by hand there, is what comes out."""

from __future__ import annotations

import re
from pathlib import Path

from fencepost.stream.text import parse_text
from fencepost.timing import simulate
from fencepost.timing.sharing import RULES
from fencepost.timing.timeline import REASONS
from tests.timing.scenes import Scene

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "timing.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"```fence\n(.*?)```", re.DOTALL)
ROW = re.compile(r"^\| (.+?) \| .* \| ([0-9,]+) \|$", re.MULTILINE)


def chain() -> Scene:
    (text,) = BLOCK.findall(PAGE)
    program = parse_text(text, "timing.md")
    return Scene(program, simulate(program))


def by_hand() -> dict[str, int]:
    """The times of the table; the first of each wording, in order."""
    found: dict[str, int] = {}
    for what, time in ROW.findall(PAGE.split("## 10.")[1]):
        name = what
        while name in found:
            name += "'"
        found[name] = int(time.replace(",", ""))
    return found


def test_the_chain_by_hand_is_the_chain_that_is_simulated() -> None:
    scene = chain()
    timeline = scene.timeline
    first, second, third = (scene.work(name) for name in ("first", "second", "third"))
    stalls = {stall.reason: stall for stall in timeline.stalls}
    passed = [span for span in timeline.spans if span.engine == "pfp"]
    busy = [span for span in timeline.spans if span.engine == "me"]
    tcc, tcp = timeline.operations
    simulated = {
        'PFP has passed "first"': passed[0].end,
        'ME hands "first" over': first.handed,
        '"first" is launched': first.launched,
        '"first" is through': first.end,
        'ME hands "second" over': second.handed,
        '"second" is launched': second.launched,
        "its vertex stage has drained": second.vertex,
        "its pixel stage has drained": second.shader,
        "it has passed the end of pipe": second.end,
        "ME has sent CS_DONE down": busy[2].end,
        "its value is in memory": scene.written("done").time,
        "ME is at the partial flush": stalls["partial-flush"].start,
        "ME goes on": stalls["partial-flush"].end,
        "ME is at the wait": stalls["fence"].start,
        "ME goes on'": stalls["fence"].end,
        "ME is at the surface sync": stalls["cache-operation"].start,
        "TCC is in memory": tcc.end,
        "TCP is empty, ME goes on": tcp.end,
        'ME hands "third" over': third.handed,
        '"third" is launched': third.launched,
        "its waves are through": third.shader,
        "ME is at the idle": stalls["idle"].start,
        "everything is drained": max(second.end, third.end),
        "ME goes on''": stalls["idle"].end,
    }
    assert simulated == by_hand()
    assert timeline.totals.time == simulated["ME goes on''"]


def test_its_stalls_and_what_is_not_hidden() -> None:
    timeline = chain().timeline
    lengths = {stall.reason: stall.end - stall.start for stall in timeline.stalls}
    assert lengths == {
        "pfp": 10_000,
        "partial-flush": 8_120_000,
        "fence": 2_660_000,
        "cache-operation": 904_800,
        "idle": 9_255_200,
    }
    assert [cost.exposed for cost in timeline.costs] == [0, 0, 0, 0, 1_000_000]
    for number in (*lengths.values(), 1_000_000):
        if number != 10_000:
            assert f"{number:,}" in PAGE


def test_the_page_names_every_rule_of_sharing() -> None:
    assert all(f"| `{name}` |" in PAGE for name in RULES)


def test_reasons_are_told_apart() -> None:
    assert len(set(REASONS.values())) == len(REASONS)
