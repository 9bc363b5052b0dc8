"""What the display shows: which frame on which line, and planes blended (presentation 4.7, 8)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fencepost.present.replay import Replay
from fencepost.present.settings import Plane, Settings
from fencepost.present.states import NO_FRAME


@dataclass(frozen=True, slots=True)
class Band:
    """Lines [first, end) of one scan that show one frame."""

    first: int
    end: int
    present: int


@dataclass(frozen=True, slots=True)
class Layer:
    """A plane that covers a pixel, and the pixel of its back buffer that lies there."""

    plane: int
    x: int
    y: int
    opacity: int


Color = Callable[[int, int, int, int], int]
"""A component of a pixel: of plane, present, x and y."""


def bands(replay: Replay, begin: int, plane: int = 0) -> list[Band]:
    """The frames of a plane in the scan that starts at `begin`, top to bottom.

    More than one: it tears. `NO_FRAME` is what was there before the first flip.
    """
    display = replay.settings.display
    presents = replay.presents_of(plane)
    shown = [replay.shown(present) for present in presents]
    at = bisect_right(shown, begin)
    found = [Band(0, display.lines, presents[at - 1] if at else NO_FRAME)]
    for present, moment in zip(presents[at:], shown[at:], strict=True):
        if moment >= begin + display.refresh:
            break
        line = (moment - begin) * display.lines // display.refresh
        found[-1:] = [Band(found[-1].first, line, found[-1].present)]
        found.append(Band(line, display.lines, present))
    return [band for band in found if band.first < band.end]


def layers(settings: Settings, x: int, y: int) -> list[Layer]:
    """The planes that cover a pixel of the screen, lowest first."""
    found = []
    for number, plane in enumerate(settings.planes):
        source = _source(plane, x, y)
        if source is not None:
            found.append(Layer(number, *source, plane.opacity))
    return found


def _source(plane: Plane, x: int, y: int) -> tuple[int, int] | None:
    across, down = (x - plane.x) * 100 // plane.scale_x, (y - plane.y) * 100 // plane.scale_y
    return (across, down) if 0 <= across < plane.width and 0 <= down < plane.height else None


def blend(colors: Sequence[int], opacities: Sequence[int]) -> int:
    """One component of the planes at a pixel, lowest first, over black, rounded to the nearest."""
    total = 0
    for color, opacity in zip(colors, opacities, strict=True):
        total = (total * (100 - opacity) + color * opacity + 50) // 100
    return total


def pixel(replay: Replay, begin: int, x: int, y: int, color: Color) -> int:
    """A component of a pixel as the scan that starts at `begin` shows it."""
    found = layers(replay.settings, x, y)
    colors = [
        color(layer.plane, _on_line(bands(replay, begin, layer.plane), y), layer.x, layer.y)
        for layer in found
    ]
    return blend(colors, [layer.opacity for layer in found])


def _on_line(found: Sequence[Band], line: int) -> int:
    return next((band.present for band in found if band.first <= line < band.end), NO_FRAME)
