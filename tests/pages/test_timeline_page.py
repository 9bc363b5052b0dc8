"""The timeline page in a real browser: what it draws, says, finds, and how it is steered."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("selenium")

from selenium.webdriver import ActionChains, Chrome, Keys

from tests.pages.browser import Shown, needs_browser, show
from tests.pages.make import HOSTILE, US, frame, hostile, many, signals, write
from tests.timeline.traces import needs_data, real

pytestmark = needs_browser

COMPUTE = 2.3  # its lane: "decals" has one of its own before it, and a gap


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the small frame."""
    return write(frame(), tmp_path_factory.mktemp("page") / "frame.html")


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of 100,000 spans."""
    return write(many(100_000), tmp_path_factory.mktemp("page") / "many.html")


def said(shown: Shown) -> str:
    """What a screen reader says last; nobody sees it."""
    return str(shown.js("return document.getElementById('said').textContent"))


@pytest.fixture
def shown(driver: Chrome, page: Path) -> Shown:
    return show(driver, page)


def test_nothing_is_requested_and_nothing_complained_of(shown: Shown, page: Path) -> None:
    shown.press("w", "d", "?", Keys.ESCAPE, "t", "/")
    shown.press(*"gbuffer", Keys.ENTER, Keys.ESCAPE)
    assert [url for url in shown.requests() if not url.startswith("data:")] == [page.as_uri()]
    assert shown.complaints() == []


def test_a_request_would_be_noticed_and_refused(driver: Chrome, page: Path, tmp_path: Path) -> None:
    """What the test before relies on: the policy holds, and the log tells of a breach."""
    changed = tmp_path / "changed.html"
    image = b'<img src="http://127.0.0.1:9/x.png"><script>document.title = "hit"</script></body>'
    changed.write_bytes(page.read_bytes().replace(b"</body>", image))
    shown = show(driver, changed)
    complaints = shown.complaints()
    assert any("127.0.0.1" in text and "Security Policy" in text for text in complaints)
    assert any("inline script" in text for text in complaints)
    assert driver.title == "frame - fencepost timeline"


def test_the_spans_are_drawn_in_their_places(shown: Shown) -> None:
    def colour(time: int, lane: float) -> int:
        x, y = shown.place_of(time, lane)
        return int(
            shown.js(
                "const c = document.getElementById('canvas');"
                "const [x, y] = [arguments[0] + c.width / 2, arguments[1] + c.height / 2];"
                "const [r, g, b] = c.getContext('2d').getImageData(x, y, 1, 1).data;"
                "return (r << 16) | (g << 8) | b",
                round(x),
                round(y),
            )
        )

    gbuffer, ssao, lighting = (
        colour(time * US, lane) for time, lane in ((25, 0), (50, COMPUTE), (80, 0))
    )
    nothing = colour(55 * US, 0)
    assert colour(77 * US, COMPUTE) == colour(23 * US, COMPUTE) == nothing
    assert nothing not in {gbuffer, ssao, lighting}
    assert colour(15 * US, 1) not in {nothing, gbuffer}, "within it, on a lane below"


def test_a_click_selects_and_says_what_was_waited_for(shown: Shown) -> None:
    shown.click_at(50 * US, COMPUTE)
    details = shown.text("#details")
    assert details.startswith("ssao\n")
    assert "28.000 us" in details
    assert "waits for\ngbuffer on gpu graphics, signalled 2.000 us before" in details
    assert "(depth is written)" in details
    assert "is waited for by\nlighting on gpu graphics" in details
    assert said(shown) == "ssao on gpu compute, from 42.000 us, lasts 28.000 us"


def test_a_cause_is_a_jump_away_by_button_and_by_key(shown: Shown) -> None:
    shown.click_at(80 * US)
    assert shown.text("#details h2") == "lighting"
    shown.press("c")
    assert shown.text("#details h2") == "ssao"
    shown.js("document.querySelector('#details dd .link').click()")
    assert shown.text("#details h2") == "gbuffer"
    shown.press("c")
    assert shown.text("#details h2") == "gbuffer"
    assert "not recorded" in said(shown)


def test_the_wheel_zooms_at_the_pointer(shown: Shown) -> None:
    x, y = shown.place_of(80 * US)
    before = shown.view()
    shown.js(
        "const c = document.getElementById('canvas'), box = c.getBoundingClientRect();"
        "const clientX = box.x + box.width / 2 + arguments[0];"
        "const clientY = box.y + box.height / 2 + arguments[1];"
        "const turned = {deltaY: -240, bubbles: true, cancelable: true, clientX, clientY};"
        "c.dispatchEvent(new WheelEvent('wheel', turned))",
        x,
        y,
    )
    shown.settle()
    after = shown.view()
    assert after[1] - after[0] == pytest.approx((before[1] - before[0]) / 2, rel=0.01)
    assert shown.place_of(80 * US)[0] == pytest.approx(x, abs=1)


def test_dragging_moves_and_selects_nothing(shown: Shown) -> None:
    shown.press("w", "w", "w")
    first = shown.view()
    canvas = shown.one("#canvas")
    ActionChains(shown.driver, duration=0).move_to_element_with_offset(
        canvas, 100, 0
    ).click_and_hold().move_by_offset(-120, 0).release().perform()
    shown.settle()
    moved = shown.view()
    assert moved[0] > first[0]
    assert moved[1] - moved[0] == pytest.approx(first[1] - first[0])
    assert shown.text("#details h2") == "Nothing selected"


def turn(shown: Shown, delta: int, x: int, *, shift: bool = False) -> None:
    """Turn the wheel over the canvas, so many pixels from its left."""
    shown.js(
        "const c = document.getElementById('canvas'), box = c.getBoundingClientRect();"
        "const [deltaY, x, shiftKey] = arguments, clientX = box.x + x, clientY = box.y + 60;"
        "const turned = {deltaY, shiftKey, bubbles: true, cancelable: true, clientX, clientY};"
        "c.dispatchEvent(new WheelEvent('wheel', turned))",
        delta,
        x,
        shift,
    )
    shown.settle()


def test_the_wheel_moves_with_shift_and_leaves_the_names_alone(shown: Shown) -> None:
    turn(shown, -240, 500)
    closer = shown.view()
    turn(shown, 100, 500, shift=True)
    moved = shown.view()
    assert moved[0] > closer[0]
    assert moved[1] - moved[0] == pytest.approx(closer[1] - closer[0])
    turn(shown, -240, 50)
    assert shown.view() == moved


def test_a_double_click_zooms_to_a_span(shown: Shown) -> None:
    x, y = (round(place) for place in shown.place_of(80 * US))
    canvas = shown.one("#canvas")
    actions = ActionChains(shown.driver, duration=0)
    actions.move_to_element_with_offset(canvas, x, y).double_click().perform()
    shown.settle()
    first, last = shown.view()
    assert 40 * US < first < 72 * US < 100 * US <= last
    assert shown.text("#details h2") == "lighting"


def test_a_press_on_the_overview_goes_there(shown: Shown) -> None:
    shown.press("w", "w", "w", "w")
    before = shown.view()
    strip = shown.one("#overview")
    right = round(strip.size["width"] / 2) - 40
    ActionChains(shown.driver, duration=0).move_to_element_with_offset(
        strip, right, 0
    ).click().perform()
    shown.settle()
    first, last = shown.view()
    assert first > before[0]
    assert last > 95 * US
    assert last - first == pytest.approx(before[1] - before[0])


@pytest.mark.parametrize(("count", "left"), [(250, ""), (251, "251 wait arrows in view")])
def test_arrows_that_are_not_drawn_are_counted(
    driver: Chrome, tmp_path: Path, count: int, left: str
) -> None:
    shown = show(driver, write(signals(count), tmp_path / "signals.html"))
    assert shown.text("#left").startswith(left)
    assert bool(shown.text("#left")) == bool(left)
    shown.press("w")
    assert shown.text("#left") == ""


def test_the_keyboard_alone_does_everything(shown: Shown) -> None:
    shown.js("document.getElementById('canvas').focus()")
    whole = shown.view()
    shown.press("w", "w")
    closer = shown.view()
    assert closer[1] - closer[0] < (whole[1] - whole[0]) * 0.6
    shown.press(Keys.ARROW_RIGHT, "d")
    assert shown.view()[0] > closer[0]
    shown.press(Keys.ARROW_LEFT, "a")
    assert shown.view() == pytest.approx(closer)
    shown.press(Keys.HOME)
    assert shown.view() == pytest.approx(whole)
    names = []
    for key in (Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_UP):
        shown.press(key, shift=True)
        names.append(shown.text("#details h2"))
    assert names == ["gbuffer", "decals", "ssao", "gbuffer"]
    shown.press("f")
    first, last = shown.view()
    assert first < 0 < 40 * US < last < 100 * US


def test_every_control_is_reached_by_tab_and_shows_its_focus(shown: Shown) -> None:
    seen = []
    for _ in range(14):
        shown.press(Keys.TAB)
        seen.append(
            shown.js(
                "const e = document.activeElement, s = getComputedStyle(e);"
                "return [e.id, e.getAttribute('aria-label') || e.textContent, s.outlineStyle]"
            )
        )
    ids = [item[0] for item in seen]
    assert ids[0] == "search"
    assert {"canvas", "details", "do-theme", "do-help", "do-zoom-in", "do-whole"} <= set(ids)
    assert all(label for _, label, _ in seen)
    assert {outline for _, _, outline in seen} == {"solid"}


def test_the_help_lists_keys_and_closes(shown: Shown) -> None:
    shown.press("?")
    assert shown.one("#help").is_displayed()
    assert "zoom in" in shown.text("#help")
    before = shown.view()
    shown.press("w")
    assert shown.view() == before
    shown.press(Keys.ESCAPE)
    assert not shown.one("#help").is_displayed()


def test_search_finds_goes_around_and_marks(shown: Shown) -> None:
    plain = shown.picture()
    shown.press("/")
    shown.press(*"S")
    assert shown.text("#count") == "4 found", "all four are a pass"
    shown.press(Keys.BACKSPACE, *"SaO")
    assert shown.text("#count") == "1 found"
    assert shown.picture() != plain
    shown.press(Keys.ENTER)
    assert (shown.text("#count"), shown.text("#details h2")) == ("1 of 1", "ssao")
    shown.press(Keys.ESCAPE)
    assert (shown.text("#count"), shown.text("#details h2")) == ("", "Nothing selected")
    assert shown.picture() == plain
    shown.press("/")
    shown.press(*"zzz")
    assert shown.text("#count") == "nothing found"


def test_the_next_match_comes_into_view(shown: Shown) -> None:
    shown.press("/")
    shown.press(*"ing", Keys.ENTER)
    shown.js("document.getElementById('canvas').focus()")
    shown.press("f", "n")
    first, last = shown.view()
    assert first <= 72 * US <= last
    assert shown.text("#details h2") == "lighting"


def test_a_bubble_of_the_table_is_shown(shown: Shown) -> None:
    plain = shown.picture()
    shown.js("document.querySelector('#tables .link').click()")
    shown.settle()
    first, last = shown.view()
    assert first < 40 * US < 72 * US < last < 100 * US
    assert shown.picture() != plain
    assert shown.js("return document.activeElement.id") == "canvas"


def test_the_tables_hold_the_figures(shown: Shown) -> None:
    captions = shown.js("return [...document.querySelectorAll('caption')].map(c => c.textContent)")
    assert captions[:2] == ["Sums over 100.000 us", "Tracks (times in us)"]
    rows = shown.js(
        "return [...document.querySelectorAll('#tables table')[1].querySelectorAll('tbody tr')]"
        ".map(row => [...row.children].map(cell => cell.textContent))"
    )
    assert rows[0][:4] == ["gpu graphics", "3", "68.000", "68.00 %"]
    assert rows[1][:4] == ["gpu compute", "1", "28.000", "28.00 %"]


def lightness(shown: Shown) -> tuple[float, float]:
    """How light the page and the canvas are, from 0 to 255."""
    ground = shown.js("return getComputedStyle(document.body).backgroundColor")
    page = sum(int(part) for part in ground[4:-1].split(",")) / 3
    return page, shown.picture()[1]


@pytest.mark.parametrize("dark", [False, True])
def test_the_page_is_as_dark_as_the_system_until_it_is_told(
    driver: Chrome, page: Path, dark: bool
) -> None:
    shown = show(driver, page, dark=dark)
    assert [light < 128 for light in lightness(shown)] == [dark, dark]
    shown.press("t")
    assert [light < 128 for light in lightness(shown)] == [not dark, not dark]
    shown.js("document.getElementById('do-theme').click()")
    shown.settle()
    assert [light < 128 for light in lightness(shown)] == [dark, dark]


@pytest.mark.parametrize("width", [1300, 800, 360])
def test_nothing_sticks_out_of_a_narrow_window(driver: Chrome, page: Path, width: int) -> None:
    shown = show(driver, page, width=width)
    assert shown.js("return document.documentElement.scrollWidth") <= width
    assert shown.js("return document.getElementById('canvas').clientWidth") >= min(width, 800) * 0.4


def test_hostile_names_are_text(driver: Chrome, tmp_path: Path) -> None:
    shown = show(driver, write(hostile(), tmp_path / "hostile.html"))
    shown.press(Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_DOWN, shift=True)
    shown.press(Keys.ARROW_UP, Keys.ARROW_UP, shift=True)
    assert HOSTILE[0] in shown.text("#details")
    assert HOSTILE[0] in shown.text("#tables")
    assert "?right to left???" in shown.text("#tables")
    assert shown.js("return document.images.length") == 0
    assert shown.js("return document.scripts.length") == 2
    assert "hit" not in driver.title.split("onerror")[0]
    assert shown.complaints() == []


def test_a_hundred_thousand_spans_are_usable(driver: Chrome, large: Path) -> None:
    shown = show(driver, large)
    assert "100,000 spans on 8 tracks" in shown.text("header")
    slowest = shown.driver.execute_async_script(
        """
        const done = arguments[0], times = [];
        const press = (key) => dispatchEvent(new KeyboardEvent("keydown", { key }));
        let left = 30, last = performance.now();
        requestAnimationFrame(function next() {
          times.push(performance.now() - last);
          last = performance.now();
          if (!left--) return done(times.sort((a, b) => a - b)[Math.floor(times.length / 2)]);
          press(left % 3 ? "w" : "d");
          requestAnimationFrame(next);
        });
        """
    )
    assert slowest < 250, "a frame takes a quarter of a second on a machine that others use too"
    shown.press("/")
    shown.press(*"kernel 17", Keys.ENTER)
    assert shown.text("#count").startswith("1 of ")
    assert shown.text("#details h2").startswith("kernel 17")
    assert shown.complaints() == []


@needs_data
def test_the_page_of_a_real_trace(driver: Chrome, tmp_path: Path) -> None:
    from fencepost.capture.traces import load_trace

    shown = show(driver, write(load_trace(real("critical_path__cuda")), tmp_path / "real.html"))
    assert "1 wait edge" in shown.text("header")
    shown.js("document.querySelectorAll('#tables .link')[1].click()")
    assert shown.complaints() == []
