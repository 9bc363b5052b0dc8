"""docs/present.md and docs/json-present.md say what the code does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fencepost.present.causes import CAUSES, UNDECIDED
from fencepost.present.distributions import SHAPES
from fencepost.present.rates import DEFINITIONS
from fencepost.present.thresholds import THRESHOLDS
from fencepost.present.words import WORDS
from fencepost.report.present_document import schema
from tests.cli.run import run
from tests.present import speed
from tests.present.capture_file import EXAMPLE, example
from tests.project.repository import ROOT, text_of

PAGE = text_of(ROOT / "docs" / "present.md")
JSON_PAGE = text_of(ROOT / "docs" / "json-present.md")
BLOCKS = re.findall(r"```\n\$ fencepost (.*)\n((?:.*\n)*?)```", PAGE)


@pytest.mark.parametrize(("command", "shown"), BLOCKS)
def test_the_page_shows_what_is_printed(
    monkeypatch: pytest.MonkeyPatch, command: str, shown: str
) -> None:
    monkeypatch.chdir(ROOT)
    assert run(*command.split()).out == shown


def test_there_is_something_to_show() -> None:
    assert len(BLOCKS) == 2


def test_the_example_is_the_one_that_is_made() -> None:
    assert text_of(EXAMPLE) == example()


def test_every_cause_is_in_the_page_in_its_order() -> None:
    rows = [
        f"| {number} | `{row.id}` | {row.verdict.value} | {row.meaning} |"
        for number, row in enumerate(CAUSES, 1)
    ]
    assert "\n".join(rows) in PAGE
    assert f"`{UNDECIDED.id}`" in PAGE


def test_every_limit_is_in_the_page() -> None:
    rows = [
        f"| `{row.name}` | {row.value:g} {row.unit} | {row.reason} "
        f"| {'yes' if row.assumed else 'no'} |"
        for row in THRESHOLDS
    ]
    assert "\n".join(rows) in PAGE


def test_every_definition_of_a_rate_is_in_the_page() -> None:
    rows = [
        f"| `{row.key}` | {row.name} | {row.used_by} | {row.meaning} | {row.least} |"
        for row in DEFINITIONS
    ]
    assert "\n".join(rows) in PAGE


def test_every_setting_is_in_the_page() -> None:
    names = [name for word in WORDS for name in (word.name, *word.aliases)]
    names = [name for name in names if not name.startswith("ScaleFactor")]
    assert [name for name in names if f"`{name}`" not in PAGE] == []
    shapes = [shape.form for shape in SHAPES if shape.name != "constant"]
    assert [form for form in shapes if f"`{form}`" not in PAGE] == []


def test_every_field_is_in_the_page_on_json() -> None:
    definitions = json.loads(schema())["$defs"]
    for record in ("Document", "Source", "Chain", "Evidence", "Outcome", "CaptureReplay"):
        names = definitions[record]["properties"]
        assert [name for name in names if f"`{name}`" not in JSON_PAGE] == []


def test_the_speed_is_measured_on_what_it_says(tmp_path: Path) -> None:
    assert set(speed.measure(400, tmp_path)) == {"read", "diagnose"}


def test_the_python_of_the_page(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(code, {})  # noqa: S102 - our own page
    assert capsys.readouterr().out == code.rsplit("# ", 1)[1]
