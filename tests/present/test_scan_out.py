"""What is on the screen: bands of a torn scan, planes that are placed, scaled and blended."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from fencepost.present import Plane, Settings
from fencepost.present.scan_out import Band, Layer, bands, blend, layers, pixel
from fencepost.present.states import NO_FRAME
from tests.present.settled import play

REFRESH = 16_666_666_667


def test_a_scan_without_a_tear_is_one_band() -> None:
    result = play("cpu=5 gpu=5 frames=10")
    line = result.timeline
    assert bands(result, line.flip[3]) == [Band(0, 1080, 3)]
    assert bands(result, 0) == [Band(0, 1080, NO_FRAME)]


def test_a_torn_scan_shows_both_frames() -> None:
    result = play("cpu=5 gpu=20 interval=0 frames=10")
    n = 5
    line = result.tear_line(n)
    assert line
    assert bands(result, result.timeline.scan_begin[n]) == [
        Band(0, line, n - 1),
        Band(line, 1080, n),
    ]


def test_several_frames_in_one_scan() -> None:
    result = play("cpu=1 gpu=4 interval=0 frames=30")
    found = bands(result, 3 * REFRESH)
    assert len(found) >= 4
    assert (found[0].first, found[-1].end) == (0, 1080)
    for above, below in itertools.pairwise(found):
        assert above.end == below.first
        assert below.present == above.present + 1
        assert below.first == result.tear_line(below.present)


def test_a_compositor_shows_a_refresh_later() -> None:
    result = play("cpu=5 gpu=5 frames=10 compositor=copy")
    assert bands(result, result.timeline.flip[3]) == [Band(0, 1080, 2)]
    assert bands(result, result.timeline.flip[3] + REFRESH) == [Band(0, 1080, 3)]


def test_planes_that_cover_a_pixel() -> None:
    upper = Plane(x=100, y=50, width=200, height=100, scale_x=200, scale_y=50, opacity=40)
    settings = Settings(planes=(Plane(), upper))
    assert layers(settings, 99, 50) == [Layer(0, 99, 50, 100)]
    assert layers(settings, 100, 50)[1:] == [Layer(1, 0, 0, 40)]
    assert layers(settings, 499, 99)[1:] == [Layer(1, 199, 98, 40)]
    assert layers(settings, 500, 99)[1:] == []
    assert layers(settings, 499, 100)[1:] == []


@pytest.mark.parametrize(
    ("colors", "opacities", "total"),
    [([], [], 0), ([200], [100], 200), ([200, 100], [100, 50], 150), ([200, 100], [100, 100], 100)],
)
def test_blending(colors: list[int], opacities: list[int], total: int) -> None:
    assert blend(colors, opacities) == total


@given(st.lists(st.tuples(st.integers(0, 1023), st.integers(0, 100)), max_size=3))
@limits(max_examples=100)
def test_a_blend_stays_between_its_colors(pairs: list[tuple[int, int]]) -> None:
    colors, opacities = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    assert 0 <= blend(colors, opacities) <= max([0, *colors])


def test_planes_are_blended_at_scan_out() -> None:
    """A world at 30 FPS under an interface at 60; each pixel shows the newest frame of each."""
    result = play(
        "cpu=2 gpu=2 presents=1,2,2 frames=90 interval=2 opacity=100"
        " plane2.interval=1 plane2.opacity=50 plane2.width=10 plane2.height=10"
    )
    world, interface = result.presents_of(0)[20], result.presents_of(1)
    begin = result.timeline.flip[world]
    newest = max(n for n in interface if result.timeline.flip[n] <= begin)

    def color(plane: int, present: int, x: int, y: int) -> int:
        return 1000 * present + 10 * x + y + plane

    assert pixel(result, begin, 11, 3, color) == color(0, world, 11, 3)
    assert pixel(result, begin, 4, 3, color) == blend(
        [color(0, world, 4, 3), color(1, newest, 4, 3)], [100, 50]
    )


def test_planes_at_their_own_rates() -> None:
    words = "cpu=2 gpu=2 buffers=3 presents=1,2,2 frames=300 interval=2 plane2.buffers=3"
    result = play(words)
    for plane, scans in ((0, 2), (1, 1)):
        flips = [result.timeline.flip[n] for n in result.presents_of(plane)][20:-20]
        gaps = {later - earlier for earlier, later in itertools.pairwise(flips)}
        assert gaps == {scans * REFRESH}


def test_planes_that_are_presented_together_flip_together() -> None:
    result = play("cpu=2 gpu=2 presents=both frames=100 interval=1 plane2.interval=3")
    flips = list(result.timeline.flip)[10:]
    assert {later - earlier for earlier, later in itertools.pairwise(flips)} == {3 * REFRESH}


def test_both_buffers_are_waited_for() -> None:
    """The upper plane has a third buffer, the lower holds the present back."""
    together = play("cpu=16.2 gpu=15.4 presents=both bind=early plane2.buffers=3")
    assert all(together.gpu_wait(n) > REFRESH for n in range(300, 600))
    late = play("cpu=16.2 gpu=15.4 presents=both bind=late plane2.buffers=3")
    assert all(late.gpu_wait(n) < REFRESH for n in range(300, 600))
    assert late.binds(300) == [600, 601]
    assert late.timeline.reached[600] > late.timeline.bound[601]
