"""Plans do not lean on an event as a barrier; checks accept it (deviations 27)."""

from __future__ import annotations

import pytest

from fencepost.coherence import Kind, check
from fencepost.machine import find_machine
from fencepost.stream.text import parse_text

STREAM = """machine xbox-one
color target 64x64 rgba8
queue gfx: graphics
  draw ps.texture target
  event cb.metadata.wbinv
  draw cb0.write target
"""


@pytest.mark.parametrize(
    ("level", "rules"),
    [
        ("documented", []),
        ("cautious", ["write-after-read"]),
        ("strict", ["write-after-read"]),
    ],
)
def test_an_event_as_a_barrier(level: str, rules: list[str]) -> None:
    report = check(parse_text(STREAM, "event.fence"), find_machine("xbox-one"), level)
    assert [finding.rule for finding in report.of(Kind.HAZARD)] == rules


def test_the_rest_is_as_documented() -> None:
    """A PS barrier confirms events at the cautious level too."""
    text = STREAM.replace("cb.metadata.wbinv", "cb.pixels.wbinv").replace(
        "  draw cb0.write target\n", "  flush ps\n  draw cb0.write target\n"
    )
    report = check(parse_text(text, "event.fence"), find_machine("xbox-one"), "cautious")
    assert not report.of(Kind.HAZARD)
