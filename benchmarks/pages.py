"""Timeline pages of many spans in a real browser: size, first paint, how fast they zoom.

`python -m benchmarks.pages [SPANS...]`; needs chromium and chromedriver. The peer is the page of a
timeline of eight spans in the same browser: what the browser and an empty page take.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from selenium.webdriver import Chrome

from fencepost.report.html_timeline import write_timeline_html
from fencepost.timeline import figures
from tests.pages.browser import Shown, show, start
from tests.pages.make import many

SPANS = (8, 10_000, 100_000, 1_000_000)
LOADS = 7
FRAMES = 60

_PAINT = """
const done = arguments[0];
(function look() {
  const [drawn, paint] = ["fencepost-drawn", "first-contentful-paint"].map(
    (name) => performance.getEntriesByName(name)[0]);
  if (drawn && paint) done([drawn.startTime, paint.startTime]);
  else setTimeout(look, 20);
})();
"""
_ZOOM = """
const done = arguments[0], times = [];
const canvas = document.getElementById("canvas");
let left = arguments[1], last = performance.now();
requestAnimationFrame(function next() {
  const now = performance.now();
  times.push(now - last);
  last = now;
  if (!left--) return done(times.slice(1));
  const deltaY = left % 40 < 20 ? 40 : -40;
  const place = { clientX: 700, clientY: 200, bubbles: true, cancelable: true };
  canvas.dispatchEvent(new WheelEvent("wheel", { deltaY, ...place }));
  requestAnimationFrame(next);
});
"""


def main(arguments: list[str]) -> None:
    """A row for each number of spans."""
    sizes = [int(word) for word in arguments] or list(SPANS)
    driver = start()
    try:
        print(
            "spans      write     size    drawn  first paint  frame while zooming (median, worst)"
        )
        with tempfile.TemporaryDirectory() as directory:
            for spans in sizes:
                _measure(driver, Path(directory) / f"{spans}.html", spans)
    finally:
        driver.quit()


def _measure(driver: Chrome, page: Path, spans: int) -> None:
    timeline = many(spans)
    found = figures(timeline)
    begun = time.process_time()
    page.write_bytes(write_timeline_html(timeline, found))
    seconds = time.process_time() - begun
    loads = [_load(driver, page) for _ in range(LOADS)]
    drawn, painted = (statistics.median(row[at] for row in loads) for at in range(2))
    frames = _frames(show(driver, page))
    print(
        f"{spans:>9,}  {seconds:5.2f} s  {page.stat().st_size / 1e6:4.1f} MB  {drawn:4.0f} ms"
        f"  {painted:8.0f} ms  {statistics.median(frames):.1f} ms, {max(frames):.0f} ms"
    )


def _load(driver: Chrome, page: Path) -> tuple[float, float]:
    """When the page had drawn and when the browser painted, in milliseconds since navigation."""
    drawn, painted = show(driver, page).driver.execute_async_script(_PAINT)
    return float(drawn), float(painted)


def _frames(shown: Shown) -> list[float]:
    """The milliseconds from frame to frame while the wheel turns."""
    found = shown.driver.execute_async_script(_ZOOM.replace("arguments[1]", str(FRAMES)))
    return [float(time) for time in found]


if __name__ == "__main__":
    main(sys.argv[1:])
