"""A real browser without a window, and what it says of a page."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

CHROMIUM = shutil.which("chromium")
DRIVER = shutil.which("chromedriver")
needs_browser = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="no chromium with chromedriver (apt: chromium-driver)"
)

# How far down the timeline page draws its lanes: axis, gap, heading of the group; a lane is 20.
FIRST_LANE = 24 + 6 + 20 + 15
LANE = 20

_FLAGS = (
    "--headless=new",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--hide-scrollbars",
)


def start() -> webdriver.Chrome:
    """A Chromium that logs what pages request and complain of."""
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for flag in _FLAGS:
        options.add_argument(flag)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.add_argument("--no-sandbox")  # it refuses to start as root otherwise
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service(DRIVER))


@dataclass(frozen=True, slots=True)
class Shown:
    """A page that is open."""

    driver: webdriver.Chrome

    def js(self, code: str, *arguments: object) -> Any:  # noqa: ANN401
        """What a piece of JavaScript returns."""
        return self.driver.execute_script(code, *arguments)

    def one(self, selector: str) -> WebElement:
        """The only element that a selector finds."""
        (found,) = self.driver.find_elements(By.CSS_SELECTOR, selector)
        return found

    def text(self, selector: str) -> str:
        """The text of an element, as it is shown."""
        return self.one(selector).text

    def press(self, *keys: str, shift: bool = False) -> None:
        """Press keys, wherever the focus is, and let the page draw."""
        actions = ActionChains(self.driver, duration=0)
        for key in keys:
            if shift:
                actions.key_down(Keys.SHIFT)
            actions.send_keys(key)
            if shift:
                actions.key_up(Keys.SHIFT)
        actions.perform()
        self.settle()

    def settle(self) -> None:
        """Wait until the page has drawn what has changed."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))"
        )

    def view(self) -> tuple[float, float]:
        """The stretch of time that a timeline shows, in picoseconds."""
        data = self.js("return {...document.getElementById('canvas').dataset}")
        return float(data["from"]), float(data["to"])

    def place_of(self, time: float, lane: float = 0) -> tuple[float, float]:
        """Where a time on a lane is, from the middle of the canvas as the driver counts."""
        first, last = self.view()
        gutter, width, height = self.js(
            "const c = document.getElementById('canvas');"
            "return [+c.dataset.gutter, c.clientWidth, c.clientHeight]"
        )
        x = gutter + (time - first) / (last - first) * (width - gutter)
        return x - width / 2, FIRST_LANE + lane * LANE - height / 2

    def click_at(self, time: float, lane: float = 0) -> None:
        """Click on the canvas of a timeline."""
        x, y = self.place_of(time, lane)
        canvas = self.one("#canvas")
        ActionChains(self.driver, duration=0).move_to_element_with_offset(
            canvas, round(x), round(y)
        ).click().perform()
        self.settle()

    def picture(self, selector: str = "#canvas") -> tuple[int, float]:
        """What a canvas shows: a number that any pixel changes, and how light it is, to 255."""
        digest, light = self.js(
            "const c = document.querySelector(arguments[0]);"
            "const data = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
            "let digest = 0, sum = 0;"
            "for (let at = 0; at < data.length; at++) {"
            "  digest = Math.imul(digest ^ data[at], 0x01000193) >>> 0;"
            "  if (at % 4 < 3) sum += data[at];"
            "}"
            "return [digest, sum / data.length * 4 / 3]",
            selector,
        )
        return int(digest), float(light)

    def requests(self) -> list[str]:
        """Every address that was asked for since the last call, the pages' own ones included."""
        return [
            str(params["request"]["url"])
            for method, params in self._events()
            if method == "Network.requestWillBeSent"
        ]

    def complaints(self) -> list[str]:
        """What the console says since the last call: errors, warnings, breaches of the policy."""
        return [str(entry["message"]) for entry in self.driver.get_log("browser")]  # type: ignore[no-untyped-call]

    def _events(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for entry in self.driver.get_log("performance"):  # type: ignore[no-untyped-call]
            message = json.loads(entry["message"])["message"]
            yield str(message["method"]), message["params"]


def show(
    driver: webdriver.Chrome,
    page: Path,
    *,
    dark: bool = False,
    width: int = 1300,
) -> Shown:
    """Open a page in a window of this size, on a system that is light or dark."""
    theme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [theme]})
    size = {"width": width, "height": 850, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    shown = Shown(driver)
    shown.requests()
    shown.complaints()
    driver.get(page.as_uri())
    shown.settle()
    return shown
