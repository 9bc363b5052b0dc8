"""What a presentation is set to: swap chains, planes, display, pacing (presentation 1).

Times are integer picoseconds. Everything is checked where it is made and raises `UsageProblem`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import NamedTuple

from fencepost.errors import UsageProblem
from fencepost.present.units import LONGEST, PARTS, period_of, require_range

EARLY = 0
"""The back buffer is bound at the start of the GPU frame, for a clear (seed 003 "Scenario C")."""

LATE = PARTS * 9 // 10
"""The back buffer is bound when nine tenths of the GPU frame are done."""

DEFAULT_OVERHEAD = 1_500_000_000
"""1.5 ms, inferred: seed 003's figures need 1.28 to 1.72 ms (presentation 5)."""

DEFAULT_LATENCY = 3
"""What DXGI takes a maximum frame latency of 0 for."""


class Mode(Enum):
    """Who flips (presentation 6)."""

    XBOX_ONE = "xbox-one"
    XBOX_360_ASYNCHRONOUS = "xbox-360-asynchronous"
    XBOX_360_SYNCHRONOUS = "xbox-360-synchronous"


class Compositor(Enum):
    """What stands between the flip and the screen on a PC (presentation 7.5)."""

    NONE = "none"
    COPY = "copy"
    HOLD = "hold"


class CapPoint(Enum):
    """Where a frame cap makes the CPU wait (presentation 7.2)."""

    START = "start"
    PRESENT = "present"


class Bound(NamedTuple):
    """An integer field and the values that it takes."""

    field: str
    low: int
    high: int
    source: str


def check_bounds(item: object, bounds: tuple[Bound, ...]) -> None:
    """Raises `UsageProblem` for the first field outside its bounds."""
    for bound in bounds:
        require_range(bound.field.replace("_", " "), getattr(item, bound.field), *bound[1:3])


@dataclass(frozen=True, slots=True)
class SwapChain:
    """Back buffers that are presented in turn.

    `bind` is the part of the GPU frame, in millionths, after which it binds the back buffer;
    `bound_as_uav` says that it is bound as a UAV only, which the driver does not track.
    """

    buffers: int = 2
    interval: int = 1
    threshold: int = 0
    bind: int = EARLY
    bound_as_uav: bool = False

    def __post_init__(self) -> None:
        check_bounds(self, CHAIN_BOUNDS)


CHAIN_BOUNDS = (
    Bound("buffers", 1, 3, 'seed 003 "Introduction"'),
    Bound("interval", 0, 4, 'seed 003 "Introduction"'),
    Bound("threshold", 0, 100, 'seed 003 "Present flow": a percentage'),
    Bound("bind", 0, PARTS, "a part of the frame"),
)


@dataclass(frozen=True, slots=True)
class Plane:
    """A swap chain and where the display shows it; opacity 100 hides what is below.

    `width` and `height` are the back buffer's pixels, `scale_x` and `scale_y` are percentages.
    """

    chain: SwapChain = field(default_factory=SwapChain)
    width: int = 1920
    height: int = 1080
    x: int = 0
    y: int = 0
    scale_x: int = 100
    scale_y: int = 100
    opacity: int = 100

    def __post_init__(self) -> None:
        check_bounds(self, PLANE_BOUNDS)


_EXTENT = 16_384

PLANE_BOUNDS = (
    Bound("width", 1, _EXTENT, "largest Direct3D 11 texture"),
    Bound("height", 1, _EXTENT, "largest Direct3D 11 texture"),
    Bound("x", 0, _EXTENT, "a position on the screen"),
    Bound("y", 0, _EXTENT, "a position on the screen"),
    Bound("scale_x", 1, 10_000, "presentation.md 5: ScaleFactorHorz"),
    Bound("scale_y", 1, 10_000, "presentation.md 5: ScaleFactorVert"),
    Bound("opacity", 0, 100, "a percentage"),
)


@dataclass(frozen=True, slots=True)
class Display:
    """A screen of `lines` lines that is scanned out every `refresh` picoseconds.

    `longest` > 0 makes the refresh variable: a scan starts when a frame comes, between `refresh`
    and `longest` after the last one.
    """

    refresh: int = period_of(60)
    longest: int = 0
    lines: int = 1080
    width: int = 1920
    compositor: Compositor = Compositor.NONE

    def __post_init__(self) -> None:
        check_bounds(self, DISPLAY_BOUNDS)
        if 0 < self.longest < self.refresh:
            raise UsageProblem(
                f"longest refresh is {self.longest} ps", expected=f"at least {self.refresh} ps"
            )


DISPLAY_BOUNDS = (
    Bound("refresh", period_of(10_000), period_of(1), "1 to 10000 Hz"),
    Bound("longest", 0, period_of(1), "1 Hz at least, or 0"),
    Bound("lines", 1, _EXTENT, "a height"),
    Bound("width", 1, _EXTENT, "a width"),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """One or two planes, lowest first, the display, and what holds the CPU back.

    `kickoff`: the part of the CPU frame, in millionths, after which its GPU work may start.
    `swap_throttle`: Present waits for an available buffer. `frames_in_flight`: how many frames the
    CPU may be ahead of the GPU. `latency`: the most frames that are queued; 0 is DXGI's default.
    All three: None is no limit. `cap`: the least time between two frames, 0 for none.
    `start`: when the first CPU frame starts; VSyncs are at the multiples of the refresh.
    """

    planes: tuple[Plane, ...] = (Plane(),)
    display: Display = field(default_factory=Display)
    mode: Mode = Mode.XBOX_ONE
    overhead: int = DEFAULT_OVERHEAD
    kickoff: int = PARTS
    swap_throttle: bool = True
    frames_in_flight: int | None = None
    latency: int | None = None
    waitable: bool = False
    cap: int = 0
    cap_point: CapPoint = CapPoint.START
    start: int = 0

    def __post_init__(self) -> None:
        check_bounds(self, SETTINGS_BOUNDS)
        for limit, low in (("frames_in_flight", 1), ("latency", 0)):
            if getattr(self, limit) is not None:
                check_bounds(self, (Bound(limit, low, 16, "presentation 7"),))
        for row in REFUSALS:
            if row.applies(self):
                raise UsageProblem(row.problem, expected=row.expected)

    @property
    def chain(self) -> SwapChain:
        """The swap chain of the lowest plane."""
        return self.planes[0].chain

    @property
    def latency_limit(self) -> int | None:
        """The most frames that are queued, with DXGI's default for 0."""
        return DEFAULT_LATENCY if self.latency == 0 else self.latency


def change_chain(settings: Settings, plane: int = 0, **changes: object) -> Settings:
    """The settings with fields of one plane's swap chain changed; raises `UsageProblem`."""
    if not 0 <= plane < len(settings.planes):
        raise UsageProblem(f"no plane {plane + 1}", expected="a plane that is there")
    planes = list(settings.planes)
    chain = replace(planes[plane].chain, **changes)  # type: ignore[arg-type]
    planes[plane] = replace(planes[plane], chain=chain)
    return replace(settings, planes=tuple(planes))


SETTINGS_BOUNDS = (
    Bound("overhead", 0, LONGEST, "a time"),
    Bound("kickoff", 0, PARTS, "a part of the frame"),
    Bound("cap", 0, LONGEST, "a time"),
    Bound("start", 0, LONGEST, "a time"),
)


class Refusal(NamedTuple):
    """Settings that make no sense together, or that the model does not know together."""

    applies: Callable[[Settings], bool]
    problem: str
    expected: str
    source: str


def _two(settings: Settings) -> bool:
    return len(settings.planes) == 2


def _variable(settings: Settings) -> bool:
    return settings.display.longest > 0


def _composed(settings: Settings) -> bool:
    return settings.display.compositor is not Compositor.NONE


def _synchronous(settings: Settings) -> bool:
    return settings.mode is Mode.XBOX_360_SYNCHRONOUS


def _at_once(chain: SwapChain) -> bool:
    return chain.interval == 0 or chain.buffers == 1


REFUSALS = (
    Refusal(
        lambda it: len(it.planes) not in (1, 2),
        "wrong number of planes",
        "one or two",
        'seed 003 "Introduction"',
    ),
    Refusal(
        lambda it: it.waitable and it.latency is None,
        "a waitable object without a maximum frame latency",
        "latency=N beside it",
        "presentation 7.3",
    ),
    Refusal(
        lambda it: _variable(it) and _two(it),
        "variable refresh with two planes is not modelled",
        "one plane",
        "presentation 7.1",
    ),
    Refusal(
        lambda it: _synchronous(it) and (_two(it) or _variable(it) or _composed(it)),
        "the synchronous mode of Xbox 360 has one plane, a fixed refresh and no compositor",
        "another mode",
        "presentation 6.2",
    ),
    Refusal(
        lambda it: _composed(it) and _variable(it),
        "a compositor with variable refresh is not modelled",
        "one of the two",
        "presentation 7.5",
    ),
    Refusal(
        lambda it: _composed(it) and any(_at_once(plane.chain) for plane in it.planes),
        "a compositor drops frames of a single buffer or at sync interval 0: not modelled",
        "two or three buffers, interval 1 to 4",
        "presentation 7.5",
    ),
    Refusal(
        lambda it: _composed(it) and any(plane.chain.threshold for plane in it.planes),
        "a compositor takes frames at the VSync only",
        "threshold 0",
        "presentation 7.5",
    ),
)
