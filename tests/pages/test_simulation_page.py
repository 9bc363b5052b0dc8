"""The page of a simulated stream in a real browser: stalls and causes, the critical path, costs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("selenium")

from selenium.webdriver import Chrome

from tests.cli.run import run
from tests.pages.browser import Shown, needs_browser, show
from tests.pages.make import HAZARD, STREAM

pytestmark = needs_browser


def page_of(stream: str, directory: Path) -> Path:
    file = directory / "frame.fence"
    file.write_text(stream, encoding="utf-8", newline="\n")
    result = run("simulate", file, "--html", directory / "frame.html")
    assert (result.code, result.err) == (0, "")
    return directory / "frame.html"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return page_of(STREAM, tmp_path_factory.mktemp("simulated"))


@pytest.fixture
def shown(driver: Chrome, page: Path) -> Shown:
    return show(driver, page)


def captions(shown: Shown) -> list[str]:
    found: list[str] = shown.js(
        "return [...document.querySelectorAll('caption')].map(c => c.textContent)"
    )
    return found


def test_it_loads_nothing_and_complains_of_nothing(shown: Shown, page: Path) -> None:
    shown.press("p", "w", "d", "p")
    assert [url for url in shown.requests() if not url.startswith("data:")] == [page.as_uri()]
    assert shown.complaints() == []


def test_a_click_on_a_stall_shows_its_reason_and_cause(shown: Shown) -> None:
    shown.click_at(150_000_000, lane=1.3)  # ME, below PFP and a gap
    details = shown.text("#details")
    assert details.startswith("partial-flush: flush ps\n")
    assert "stands because\na partial flush waits for a stage to drain" in details
    assert (
        'waited for\ndraw "second" cb0.write target @ 200us residency=50% (frame.fence:8)'
        in details
    )
    assert "frame.fence:10, queue gfx" in details
    shown.js("document.querySelector('#details dd .link').click()")
    assert shown.text("#details h2") == "second"
    assert "takes alone\n200.000 us" in shown.text("#details")


def test_the_key_goes_to_the_cause(shown: Shown) -> None:
    shown.click_at(150_000_000, lane=1.3)
    shown.press("c")
    assert shown.text("#details h2") == "second"


def test_costs_are_listed_with_what_is_not_hidden_first(shown: Shown, page: Path) -> None:
    report = json.loads(run("simulate", page.with_name("frame.fence"), "--format", "json").raw)
    rows = shown.js(
        "const of = [...document.querySelectorAll('table')].find("
        "t => t.caption && t.caption.textContent.startsWith('Cost of each'));"
        "return [...of.tBodies[0].rows].map(r => [...r.cells].map(c => c.textContent))"
    )
    costs = sorted(report["costs"], key=lambda item: (-item["exposed"], -item["stalled"]))
    assert [row[0] for row in rows] == [
        report["commands"][item["command"]]["text"] for item in costs
    ]
    assert costs[0]["exposed"] > costs[-1]["exposed"] == 0
    assert {row[2] for row in rows} == {f"frame.fence:{line}" for line in (9, 10, 11, 12, 14)}
    shown.js(
        "[...document.querySelectorAll('.link')].find(b => b.textContent === 'flush ps').click()"
    )
    assert shown.text("#details h2") == "partial-flush: flush ps"


def test_the_critical_path_is_drawn_and_can_be_hidden(shown: Shown) -> None:
    with_path = shown.picture()
    shown.js("document.getElementById('do-path').click()")
    shown.settle()
    without = shown.picture()
    assert with_path != without
    shown.press("p")
    assert shown.picture() == with_path
    assert "The critical path, by what its time passes with" in captions(shown)


def test_an_observed_hazard_is_marked_and_told(
    driver: Chrome, shown: Shown, tmp_path: Path
) -> None:
    assert not any(caption.startswith("Hazards") for caption in captions(shown))
    wrong = show(driver, page_of(HAZARD, tmp_path))
    (title,) = [caption for caption in captions(wrong) if caption.startswith("Hazards")]
    assert title.endswith("observed in this run")
    assert not title.startswith("Hazards: 0 ")
    assert 'draw "third"' in wrong.text("#tables")
    assert wrong.complaints() == []
