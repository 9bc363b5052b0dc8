"""Frame times played under settings: when each frame was called, drawn and shown."""

from __future__ import annotations

from dataclasses import dataclass

from fencepost.errors import UsageProblem
from fencepost.present.frames import FrameTimes
from fencepost.present.recurrence import Chain, Cpu, Screen, Timeline, run
from fencepost.present.settings import CapPoint, Compositor, Mode, Settings, SwapChain

LAST_MOMENT = 1 << 62
"""Nothing happens later, so that every sum stays within 64 bits."""


@dataclass(frozen=True, slots=True)
class Replay:
    """What happened; all times in picoseconds, indexed by present (docs/presentation.md 2)."""

    frames: FrameTimes
    settings: Settings
    timeline: Timeline

    def __len__(self) -> int:
        return len(self.frames)

    @property
    def composition(self) -> int:
        """What a compositor adds between a flip and the screen."""
        display = self.settings.display
        return 0 if display.compositor is Compositor.NONE else display.refresh

    def shown(self, present: int) -> int:
        """When the frame began to appear on the screen."""
        return self.timeline.flip[present] + self.composition

    def present_wait(self, present: int) -> int:
        """How long Present blocked: PIX's BlockOnFence_SwapThrottle (seed 003 "Scenario A")."""
        return self.timeline.added[present] - self.timeline.called[present]

    def start_wait(self, present: int) -> int:
        """How long the CPU waited before it began the frame."""
        before = self.timeline.added[present - 1] if present else self.settings.start
        return self.timeline.start[present] - before

    def gpu_wait(self, present: int) -> int:
        """How long the GPU waited for visible buffers (seed 003 "Scenario B")."""
        return sum(
            self.timeline.bound[at] - self.timeline.reached[at] for at in self.binds(present)
        )

    def binds(self, present: int) -> list[int]:
        """Where `timeline.reached` and `timeline.bound` hold this present's binds."""
        planes = len(self.settings.planes)
        return [
            present * planes + plane
            for plane in range(planes)
            if self.frames.masks[present] >> plane & 1
        ]

    def latency(self, present: int) -> int:
        """From the start of the CPU frame to the screen."""
        return self.shown(present) - self.timeline.start[present]

    def percent_scanned(self, present: int) -> float:
        """The part of the screen that was scanned out at the flip: where it tears, 0 if not."""
        late = self.timeline.flip[present] - self.timeline.scan_begin[present]
        return 100 * late / self.settings.display.refresh

    def tear_line(self, present: int) -> int | None:
        """The first line that shows this frame in the scan of its flip; None: all of them do."""
        late = self.timeline.flip[present] - self.timeline.scan_begin[present]
        display = self.settings.display
        return late * display.lines // display.refresh if late else None

    def presents_of(self, plane: int) -> list[int]:
        """The presents that are for a plane, 0 the lowest."""
        return [n for n, mask in enumerate(self.frames.masks) if mask >> plane & 1]


def replay(frames: FrameTimes, settings: Settings) -> Replay:
    """Plays frames under settings.

    Raises `UsageProblem` where a present names a plane that is not there, or where the whole would
    last over 50 days.
    """
    planes = len(settings.planes)
    if frames.planes > planes:
        raise UsageProblem("a present for the second plane", expected="two planes in the settings")
    if _at_most(frames, settings) > LAST_MOMENT:
        raise UsageProblem("the frames last too long", expected="less than 50 days in all")
    timeline = Timeline(len(frames), planes)
    run(
        frames.cpu,
        frames.gpu,
        frames.masks,
        [_chain(plane.chain, settings) for plane in settings.planes],
        _cpu(settings),
        Screen(settings.display.refresh, settings.display.longest),
        settings.frames_in_flight or 0,
        settings.mode is Mode.XBOX_360_SYNCHRONOUS,
        timeline,
    )
    return Replay(frames, settings, timeline)


def _at_most(frames: FrameTimes, settings: Settings) -> int:
    display = settings.display
    idle = 8 * max(display.refresh, display.longest) + settings.overhead + settings.cap
    return settings.start + frames.total + len(frames) * idle


def _chain(chain: SwapChain, settings: Settings) -> Chain:
    """Presentation 3.5: a single buffer flips at once. 5.3: what flips at once has no overhead."""
    refresh = settings.display.refresh
    interval = 0 if chain.buffers == 1 else chain.interval
    window = refresh * chain.threshold // 100
    made = Chain(chain.buffers, interval, window, chain.bind)
    made.tracked = not chain.bound_as_uav
    at_once = interval == 0 or chain.threshold == 100
    if not at_once and settings.mode is not Mode.XBOX_360_SYNCHRONOUS:
        made.overhead = settings.overhead
    if settings.display.compositor is Compositor.HOLD:
        made.hold = refresh
    return made


def _cpu(settings: Settings) -> Cpu:
    made = Cpu()
    made.kickoff = settings.kickoff
    made.cap = settings.cap
    made.cap_at_present = settings.cap_point is CapPoint.PRESENT
    made.throttle = settings.swap_throttle
    made.latency = settings.latency_limit or 0
    made.waitable = settings.waitable
    made.added = settings.start
    return made
