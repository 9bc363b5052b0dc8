"""The layering of design 12 holds, and the check of it notices when it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.project.layering import violations
from tests.project.repository import ROOT


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / "fencepost" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return root


def test_the_package_is_layered() -> None:
    assert list((ROOT / "src" / "fencepost").rglob("*.py"))
    assert violations(ROOT / "src") == []


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("machine/way.py", "from fencepost.errors import UsageProblem"),
        ("machine/way.py", "from fencepost.machine import tables"),
        ("stream/text.py", "import fencepost.machine.tables"),
        ("stream/text.py", "from .. import machine"),
        ("coherence/replay.py", "from fencepost import stream"),
        ("overlap/bound.py", "from fencepost.plan.cost import Cost"),
        ("capture/pm4/packet.py", "from fencepost.stream import program"),
        ("capture/pm4/packet.py", "from . import register"),
        ("report/text.py", "from fencepost.coherence.finding import Finding"),
        ("cli/check.py", "from fencepost.report import sarif"),
        ("cli/main.py", "import importlib; importlib.import_module('fencepost.cli.check')"),
        ("cli/main.py", "import importlib; importlib.import_module(f'fencepost.cli.{verb}')"),
        ("__init__.py", "from fencepost.coherence.check import check"),
        ("__main__.py", "from fencepost.cli.main import main"),
        ("present/plane.py", "import bisect"),
        ("timeline/table.py", "from fencepost.place import Place"),
        ("timing/engine.py", "from fencepost.timeline import Timeline"),
        ("timing/engine.py", "from fencepost.coherence import check"),
        ("capture/traces/csv.py", "from fencepost.timeline import Timeline"),
        ("report/chrome.py", "from fencepost.timeline import Timeline"),
    ],
)
def test_an_import_from_below_is_right(tmp_path: Path, name: str, line: str) -> None:
    assert violations(write(tmp_path, {name: line})) == []


@pytest.mark.parametrize(
    ("name", "line", "said"),
    [
        ("machine/way.py", "from fencepost.stream import program", "machine imports stream"),
        ("stream/text.py", "import fencepost.coherence.replay", "stream imports coherence"),
        ("coherence/replay.py", "from ..plan import cost", "coherence imports plan"),
        ("coherence/a.py", "from .. import timing", "coherence imports timing"),
        ("coherence/a.py", "from fencepost.report.text import show", "coherence imports report"),
        ("coherence/a.py", "from fencepost.capture import pm4", "coherence imports capture"),
        ("capture/pm4/a.py", "from fencepost.coherence import rules", "capture imports coherence"),
        ("capture/pm4/a.py", "from ...report import text", "capture imports report"),
        ("present/plane.py", "from fencepost.stream import program", "present imports stream"),
        ("timeline/a.py", "from fencepost.stream import program", "timeline imports stream"),
        ("timeline/a.py", "from fencepost.timing import engine", "timeline imports timing"),
        ("coherence/a.py", "import fencepost.timeline.table", "coherence imports timeline"),
        ("timing/a.py", "from fencepost.plan import cost", "timing imports plan"),
        ("report/text.py", "from fencepost.cli import main", "report imports cli"),
        ("report/text.py", "from fencepost.capture import pm4", "report imports capture"),
        ("errors.py", "from fencepost.machine import way", "errors imports machine"),
        ("stream/text.py", "def late():\n    from fencepost.cli import main", "stream imports cli"),
        ("stream/a.py", "import_module('fencepost.report.text')", "stream imports report"),
        ("stream/a.py", "import_module(f'fencepost.cli.{verb}')", "stream imports cli"),
        ("stream/a.py", "from fencepost import check", "from the face of the package"),
        ("stream/a.py", "import fencepost", "from the face of the package"),
        ("coherence/a.py", "from verify.explore import states", "the package imports verify"),
        ("cli/a.py", "import tests.support", "the package imports tests"),
        ("helpers/a.py", "", "helpers has no place in the layering table"),
    ],
)
def test_a_violation_is_noticed(tmp_path: Path, name: str, line: str, said: str) -> None:
    found = violations(write(tmp_path, {name: line}))
    assert len(found) == 1
    assert said in found[0]


def test_every_violation_is_named_with_its_line(tmp_path: Path) -> None:
    late = "import ast\n\nfrom fencepost.cli import main\nfrom fencepost.plan import cost\n"
    found = violations(write(tmp_path, {"stream/text.py": late, "stream/place.py": "import ast"}))
    assert found == [
        "fencepost/stream/text:3: stream imports cli, which is not below it",
        "fencepost/stream/text:4: stream imports plan, which is not below it",
    ]
