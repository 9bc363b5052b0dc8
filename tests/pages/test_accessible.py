"""The pages by the rules of axe-core, which knows what screen readers and weak eyes need."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("selenium")

from selenium.webdriver import Chrome

from tests.cli.run import run
from tests.pages.browser import Shown, needs_browser, show
from tests.pages.make import HAZARD, frame, write
from tests.project.repository import ROOT, text_of

AXE = ROOT / "pages" / "node_modules" / "axe-core" / "axe.min.js"
pytestmark = [
    needs_browser,
    pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed (make pages)"),
]

PAGES = ("timeline", "simulation", "present")


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a page of each kind."""
    made = tmp_path_factory.mktemp("accessible")
    write(frame(), made / "timeline.html")
    stream = made / "s.fence"
    stream.write_text(HAZARD, encoding="utf-8", newline="\n")
    assert run("simulate", stream, "--html", made / "simulation.html").code == 0
    words = ("cpu=16.2", "gpu=15.4", "buffers=2", "bind=early", "frames=100")
    what_if = ("--what-if", "buffers=3", "--html", made / "present.html")
    assert run("present", "--simulate", *words, *what_if).code == 0
    return made


def violations(shown: Shown) -> list[str]:
    """What breaks a rule, and an element that does."""
    shown.driver.execute_script(text_of(AXE))
    found = shown.driver.execute_async_script(
        "const done = arguments[0]; axe.run(document).then(done)"
    )
    assert len(found["passes"]) > 20
    return [f"{row['id']}: {row['nodes'][0]['html']}" for row in found["violations"]]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", PAGES)
def test_no_rule_is_broken(driver: Chrome, directory: Path, name: str, dark: bool) -> None:
    shown = show(driver, directory / f"{name}.html", dark=dark)
    shown.js("document.querySelectorAll('#tables .link').forEach((b, at) => at || b.click())")
    shown.settle()
    assert violations(shown) == []


def test_a_broken_rule_is_noticed(driver: Chrome, directory: Path) -> None:
    shown = show(driver, directory / "timeline.html")
    shown.js("document.querySelector('h1').style.color = '#eee'")
    shown.js("document.getElementById('search').removeAttribute('aria-label')")
    shown.js("document.getElementById('search').removeAttribute('placeholder')")
    found = violations(shown)
    assert [row.split(":")[0] for row in found] == ["color-contrast", "label"]
