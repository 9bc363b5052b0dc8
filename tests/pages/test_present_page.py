"""The page on presents in a real browser: verdict, what-ifs side by side, strips, frame times."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("selenium")

from selenium.webdriver import Chrome, Keys

from tests.cli.run import run
from tests.pages.browser import Shown, needs_browser, show
from tests.pages.reading import ELEMENTS, read
from tests.project.repository import ROOT
from tests.timeline.traces import TRACES, needs_data

pytestmark = needs_browser

SIMULATED = (
    *("--simulate", "cpu=normal(15,1)", "gpu=15.4", "buffers=2", "bind=early", "frames=400"),
    *("--what-if", "buffers=3", "--what-if", "bind=late", "--what-if", "gpu=250%"),
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("present")
    outputs = ("--html", directory / "page.html", "--output", directory / "report.json")
    result = run("present", *SIMULATED, *outputs, "--format", "json")
    assert (result.code, result.err) == (0, "")
    return directory / "page.html"


@pytest.fixture
def report(page: Path) -> Any:  # noqa: ANN401
    return json.loads(page.with_name("report.json").read_bytes())["chains"][0]


@pytest.fixture
def shown(driver: Chrome, page: Path) -> Shown:
    return show(driver, page)


def rows(shown: Shown, table: str) -> list[list[str]]:
    """The cells of a table, heading first."""
    found: list[list[str]] = shown.js(
        "return [...document.querySelector(arguments[0]).rows]"
        ".map(row => [...row.cells].map(cell => cell.innerText))",
        table,
    )
    return found


def test_the_page_holds_the_report_and_nothing_else(page: Path, report: Any) -> None:  # noqa: ANN401
    made = read(page.read_bytes())
    assert made.elements == ELEMENTS
    assert made.data["document"]["chains"] == [report]


def test_it_loads_nothing_and_complains_of_nothing(shown: Shown, page: Path) -> None:
    shown.press("t", Keys.TAB, Keys.TAB, "t")
    assert [url for url in shown.requests() if not url.startswith("data:")] == [page.as_uri()]
    assert shown.complaints() == []


def test_the_verdict_comes_first_with_what_helps(shown: Shown, report: Any) -> None:  # noqa: ANN401
    text = shown.text("#verdict")
    assert text.startswith(f"{report['verdict']} {report['cause']['id']}, ")
    assert all(advice in text for advice in report["cause"]["advice"])
    evidence = shown.text(".columns")
    assert all(reason["says"] in evidence for reason in report["reasons"])


def test_what_ifs_stand_side_by_side(shown: Shown, report: Any) -> None:  # noqa: ANN401
    head, *body = rows(shown, "#what-ifs table")
    assert head == ["figure", "as simulated", "buffers=3", "bind=late", "gpu=250%"]
    table = {name: cells for name, *cells in body}
    outcomes = [report["own"], *report["what_ifs"]]
    numbers = [cell.split()[0] for cell in table["FPS on the screen"]]
    assert numbers == [f"{outcome['rate']:.1f}" for outcome in outcomes]
    latencies = [cell.split()[0] for cell in table["latency, median, ms"]]
    assert latencies == [f"{outcome['latency']['p50'] / 1e9:.2f}" for outcome in outcomes]
    better, worse = (table["FPS on the screen"][at].split()[1] for at in (1, 3))
    assert float(better) > 0
    assert worse.startswith("\u2212")


def test_better_and_worse_are_told_by_sign_and_by_colour(shown: Shown) -> None:
    found = shown.js(
        "return [...document.querySelector('#what-ifs table').rows[1].cells].slice(2)"
        ".map(cell => [cell.querySelector('.change').textContent[0],"
        " cell.querySelector('.change').classList.contains('good')])"
    )
    assert found == [["+", True], ["+", True], ["\u2212", False]]


def test_strips_show_every_stretch_and_say_it_as_a_table(shown: Shown, report: Any) -> None:  # noqa: ANN401
    strips = [outcome["strip"] for outcome in (report["own"], *report["what_ifs"])]
    drawn = shown.js(
        "return [...document.querySelectorAll('.strip')]"
        ".map(strip => [strip.querySelectorAll('rect.state').length,"
        " strip.querySelectorAll('.vsync').length, strip.querySelectorAll('.depth').length])"
    )
    assert len(drawn) == len(strips) == 4
    for (states, vsyncs, depths), strip in zip(drawn, strips, strict=True):
        stretches = [item for row in strip["rows"] for item in row["stretches"]]
        assert states == sum(item["state"] != "available" for item in stretches)
        assert vsyncs == len(strip["vsyncs"])
        assert depths >= 1
    shown.js("document.querySelector('#strips summary').click()")
    first = rows(shown, "#strips table")
    assert first[0] == ["who", "from (ms)", "to (ms)", "what", "frame"]
    assert len(first) - 1 == sum(len(row["stretches"]) for row in strips[0]["rows"])
    assert ["GPU", "waits for a visible buffer, or before a frame"] in [
        [row[0], row[3]] for row in first
    ]


def test_a_strip_fits_into_its_box(driver: Chrome, page: Path) -> None:
    for width in (1300, 500):
        shown = show(driver, page, width=width)
        assert shown.js("return document.documentElement.scrollWidth") <= width
        right = shown.js(
            "return [...document.querySelectorAll('.strip rect.state, .strip text')]"
            ".reduce((most, e) => Math.max(most, e.getBoundingClientRect().right), 0)"
        )
        assert right <= width


def test_the_cursor_of_the_plot_goes_with_the_keys(shown: Shown, report: Any) -> None:  # noqa: ANN401
    shown.js("document.getElementById('frames').focus()")

    def told(at: int) -> str:
        return f"frame time {report['series'][at]['frame_time']['mean'] / 1e9:.2f} ms"

    assert told(0) in shown.text("#readout")
    shown.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert told(2) in shown.text("#readout")
    shown.press(Keys.END)
    assert told(-1) in shown.text("#readout")
    assert shown.one("#frames").get_attribute("aria-valuetext") == shown.text("#readout")
    shown.press(Keys.ARROW_RIGHT, Keys.HOME)
    assert told(0) in shown.text("#readout")


def test_curves_can_be_chosen(shown: Shown) -> None:
    def curves() -> list[str]:
        found: list[str] = shown.js(
            "return [...document.querySelectorAll('polyline.curve')]"
            ".map(line => line.getAttribute('class').split(' ')[1])"
        )
        return found

    assert curves() == ["frame-time", "in-present", "gpu-busy"]
    shown.one("#curve-gpu-busy").click()
    shown.one("#curve-display").click()
    assert curves() == ["frame-time", "in-present", "display"]


def test_histograms_hold_every_frame(shown: Shown, report: Any) -> None:  # noqa: ANN401
    counts = shown.js(
        "return [...document.querySelectorAll('.histogram')].map(figure =>"
        " [...figure.querySelectorAll('rect title')].map(title =>"
        " Number(title.textContent.split(': ')[1].split(' ')[0].replaceAll(',', ''))))"
    )
    spreads = [report[name] for name in ("frame_times", "display_times", "until_shown")]
    assert [sum(bars) for bars in counts] == [spread["count"] for spread in spreads]
    assert [len(bars) for bars in counts] == [len(spread["bins"]) for spread in spreads]


@pytest.mark.parametrize("dark", [False, True])
def test_the_page_is_as_dark_as_the_system_until_it_is_told(
    driver: Chrome, page: Path, dark: bool
) -> None:
    shown = show(driver, page, dark=dark)

    def is_dark() -> bool:
        ground = shown.js("return getComputedStyle(document.body).backgroundColor")
        return sum(int(part) for part in ground[4:-1].split(",")) < 3 * 128

    assert is_dark() == dark
    shown.press("t")
    assert is_dark() != dark


def test_names_of_a_capture_stay_text(driver: Chrome, tmp_path: Path) -> None:
    name = "game<img src=x onerror=document.title='hit'><!--<script>.exe"
    capture = tmp_path / "capture.csv"
    head = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,"
    head += "TimeInSeconds,msInPresentAPI,msBetweenPresents\n"
    lines = [f'"{name}",1,0x1,DXGI,1,0,0,{at / 60},0.5,16.7\n' for at in range(1, 200)]
    capture.write_text(head + "".join(lines), encoding="utf-8", newline="\n")
    result = run("present", capture, "--html", tmp_path / "page.html")
    assert (result.code, result.err) == (0, "")
    assert read((tmp_path / "page.html").read_bytes()).elements == ELEMENTS
    shown = show(driver, tmp_path / "page.html")
    assert name in shown.text("#chain")
    assert shown.js("return [document.images.length, document.scripts.length]") == [0, 2]
    assert shown.complaints() == []


def test_a_page_replaces_nothing_without_force(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("mine")
    words = ("present", "--simulate", "cpu=1", "gpu=1", "frames=60", "--html")
    assert run(*words, page).code == 2
    assert page.read_text() == "mine"
    assert run(*words, page, "--force").code == 0
    assert run(*words, page, "--force").code == 0
    first = page.read_bytes()
    assert run(*words, page, "--force").code == 0
    assert page.read_bytes() == first
    assert run(*words, "-").code == 2
    assert run(*words, page, "--output", page, "--force").code == 2


def test_a_capture_is_played_again_with_strips_and_its_queue_over_time(
    driver: Chrome, tmp_path: Path
) -> None:
    capture = ROOT / "examples" / "present" / "locked-at-30.csv"
    what_if = ("--what-if", "bind=late", "--html", tmp_path / "page.html")
    assert run("present", capture, *what_if).code == 0
    shown = show(driver, tmp_path / "page.html")
    titles = shown.js(
        "return [...document.querySelectorAll('#strips figcaption')].map(c => c.textContent)"
    )
    assert [title.split(":")[0] for title in titles] == ["own settings", "bind=late"]
    assert shown.js("return document.querySelectorAll('#frames .queue').length") == 1
    assert "; queued " in shown.text("#readout")
    assert shown.complaints() == []


@needs_data
def test_swap_chains_of_a_real_capture_can_be_chosen(driver: Chrome, tmp_path: Path) -> None:
    capture = TRACES.parents[1] / "present" / "pm2016_desktop_multichain.csv"
    assert run("present", capture, "--html", tmp_path / "page.html").code == 0
    shown = show(driver, tmp_path / "page.html")
    first = shown.text("#chain")
    shown.js(
        "const s = document.getElementById('chains'); s.value = 1;"
        "s.dispatchEvent(new Event('change'))"
    )
    shown.settle()
    assert shown.text("#chain") != first
    assert shown.complaints() == []


def test_the_figures_of_the_seed_come_out_as_in_its_text(driver: Chrome, tmp_path: Path) -> None:
    """Figure 2 runs at 30 FPS, Figure 5, three buffers, at 60 (seed 003)."""
    figures = ROOT / "examples" / "present" / "figures"
    words = (figures / "figure-2.txt").read_text(encoding="utf-8").split("\n")
    settings = " ".join(line for line in words if not line.startswith("#")).split()
    what_if = ("--what-if", "buffers=3", "--html", tmp_path / "page.html")
    assert run("present", "--simulate", *settings, *what_if).code == 0
    shown = show(driver, tmp_path / "page.html")
    titles = shown.js(
        "return [...document.querySelectorAll('#strips figcaption')].map(c => c.textContent)"
    )
    assert titles == ["as simulated: 30.0 FPS", "buffers=3: 60.0 FPS"]
