"""Random settings and frames; round times make moments coincide often."""

from __future__ import annotations

from hypothesis import strategies as st

from fencepost.present.frames import BOTH, FIRST, SECOND, FrameTimes, frame_times
from fencepost.present.settings import (
    CapPoint,
    Compositor,
    Display,
    Mode,
    Plane,
    Settings,
    SwapChain,
)
from fencepost.present.units import PARTS, PICOSECONDS, period_of

REFRESHES = (16 * PICOSECONDS, period_of(60), 7 * PICOSECONDS + 1)


def times(most: int = 50) -> st.SearchStrategy[int]:
    """Whole milliseconds, half ones, or any number of picoseconds."""
    whole = st.integers(0, most).map(lambda time: time * PICOSECONDS)
    half = st.integers(0, 2 * most).map(lambda time: time * PICOSECONDS // 2)
    return whole | half | st.integers(0, most * PICOSECONDS)


def chains(*, composed: bool = False) -> st.SearchStrategy[SwapChain]:
    bind = st.sampled_from([0, PARTS // 2, PARTS * 9 // 10, PARTS]) | st.integers(0, PARTS)
    return st.builds(
        SwapChain,
        buffers=st.integers(2 if composed else 1, 3),
        interval=st.integers(1 if composed else 0, 4),
        threshold=st.just(0) if composed else st.sampled_from([0, 0, 1, 10, 50, 99, 100]),
        bind=bind,
        bound_as_uav=st.sampled_from([False, False, False, True]),
    )


@st.composite
def settings(draw: st.DrawFn, *, planes: int = 1) -> Settings:
    composed = draw(st.sampled_from([False, False, True]))
    mode = draw(st.sampled_from(list(Mode))) if planes == 1 and not composed else Mode.XBOX_ONE
    synchronous = mode is Mode.XBOX_360_SYNCHRONOUS
    refresh = draw(st.sampled_from(REFRESHES))
    longest = 0
    if planes == 1 and not composed and not synchronous and draw(st.booleans()):
        longest = refresh + draw(st.sampled_from([0, 1, 5, 16, 100])) * PICOSECONDS
    latency = draw(st.none() | st.integers(0, 5))
    made = [draw(chains(composed=composed)) for _ in range(planes)]
    compositor = draw(st.sampled_from([Compositor.COPY, Compositor.HOLD]))
    return Settings(
        planes=tuple(Plane(chain) for chain in made),
        display=Display(refresh, longest, compositor=compositor if composed else Compositor.NONE),
        mode=mode,
        overhead=draw(times(4)),
        kickoff=draw(st.sampled_from([PARTS, PARTS, PARTS // 2, 0])),
        swap_throttle=draw(st.sampled_from([True, True, False])),
        frames_in_flight=draw(st.none() | st.integers(1, 4)),
        latency=latency,
        waitable=latency is not None and draw(st.booleans()),
        cap=draw(st.just(0) | times(40)),
        cap_point=draw(st.sampled_from(list(CapPoint))),
        start=draw(st.just(0) | times(20)),
    )


def frames(*, planes: int = 1) -> st.SearchStrategy[FrameTimes]:
    masks = st.sampled_from([FIRST, SECOND, BOTH]) if planes == 2 else st.just(FIRST)
    presents = st.lists(st.tuples(times(), times(), masks), min_size=1, max_size=14)
    return presents.map(_columns)


def _columns(rows: list[tuple[int, int, int]]) -> FrameTimes:
    cpu, gpu, masks = zip(*rows, strict=True)
    return frame_times(cpu, gpu, masks)
