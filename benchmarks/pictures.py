"""Makes the pictures of docs/pages.md anew: `python -m benchmarks.pictures`; needs chromium."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from selenium.webdriver import Chrome

from fencepost.cli.main import main as fencepost
from tests.pages.browser import show, start

PICTURES = Path("docs/pictures")
STREAM = "examples/xbox-one/figures/figure-5.fence"
FRAMES = ("--simulate", "cpu=16.2", "gpu=15.4", "buffers=2", "bind=early")
WHAT_IFS = ("--what-if", "buffers=3", "--what-if", "bind=late")


def main() -> None:
    """A simulated stream with a stall selected, and frames with what-ifs."""
    driver = start()
    try:
        select = "document.querySelector('#tables .link').click()"
        _picture(driver, "simulate", ("simulate", STREAM), select, (1200, 470), dark=False)
        strips = "document.getElementById('strips').scrollIntoView()"
        _picture(driver, "present", ("present", *FRAMES, *WHAT_IFS), strips, (1200, 860), dark=True)
    finally:
        driver.quit()


def _picture(
    driver: Chrome,
    name: str,
    command: Sequence[str],
    code: str,
    size: tuple[int, int],
    *,
    dark: bool,
) -> None:
    with tempfile.TemporaryDirectory() as directory:
        page = Path(directory) / f"{name}.html"
        text = str(Path(directory) / "report.txt")
        if fencepost([*command, "--html", str(page), "--output", text]):
            sys.exit(f"no page of {name}")
        shown = show(driver, page, dark=dark, width=size[0])
        view = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", view)
        shown.js(code)
        shown.settle()
        driver.save_screenshot(str(PICTURES / f"{name}.png"))


if __name__ == "__main__":
    main()
