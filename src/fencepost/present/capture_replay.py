"""A capture played again: its own frames under settings that are found on one half of it.

What a capture does not say about its queue (how many frames may be queued, when the GPU may start,
what lies before a flip) is chosen among a few settings by the first half of the frames; the errors
are those of the second half. Nothing else is fitted: each frame keeps its own CPU and GPU time.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from operator import sub
from statistics import fmean, median

from fencepost.errors import UsageProblem
from fencepost.present.captures.table import MISSING
from fencepost.present.causes import on_grid
from fencepost.present.diagnosis import Diagnosis
from fencepost.present.frames import FrameTimes, frame_times
from fencepost.present.observed import HELD, Observed
from fencepost.present.refresh import exact_refresh
from fencepost.present.replay import Replay, replay
from fencepost.present.settings import Compositor, Display, Settings, change_chain
from fencepost.present.spread import Spread
from fencepost.present.thresholds import MOSTLY, NEVER_SHOWN, REPLAY_NOISE
from fencepost.present.units import LONGEST, PARTS, PICOSECONDS, milliseconds
from fencepost.present.words import change, fields_of

QUEUES = (
    *(("buffers=3", "throttle=off", f"latency={limit}") for limit in (3, 2, 1, "off", 4, 5, 6)),
    ("buffers=2", "bind=early"),
    ("buffers=2", "bind=late"),
)
"""Queues that are tried, the likeliest first: DXGI's, whose default is a maximum latency of 3 and
in which Present waits for no buffer; two buffers that Present waits for."""

QUEUE_FIELDS = ("buffers", "bind", "swap_throttle", "latency")

OVERHEADS = (0, milliseconds("1.5"))
"""Overheads that are tried: none, and the one that the seed's figures need (presentation 5)."""

KICKOFFS = (PARTS, PARTS // 2, 0)
"""When the GPU may start that are tried: at Present, in the middle of the CPU frame, with it."""

TRIED = 3000
"""Frames on which settings are tried at most."""

LEAST_SHOWN = 16
"""Shown frames that are played at least: half of them choose settings, half judge."""


@dataclass(frozen=True, slots=True)
class Error:
    """How far off: the median and the mean of absolute differences, in picoseconds."""

    median: int
    mean: int


@dataclass(frozen=True, slots=True)
class Errors:
    """Of the replay, of repeating the last value, of a constant one."""

    replay: Error
    repeated: Error
    constant: Error

    @property
    def tested(self) -> bool:
        """The values vary, and the replay follows: it is nearer than a constant value."""
        noise = round(REPLAY_NOISE.value * PICOSECONDS)
        return self.replay.mean + noise < self.constant.mean

    @property
    def better(self) -> bool:
        """The replay is nearer than repeating the last value, or within the noise."""
        noise = round(REPLAY_NOISE.value * PICOSECONDS)
        mine, other = self.replay, self.repeated
        pairs = ((mine.median, other.median), (mine.mean, other.mean))
        return all(one < two or one <= noise for one, two in pairs)


@dataclass(frozen=True, slots=True)
class CaptureReplay:
    """A capture under its own settings.

    `chosen` names the settings that the first half of the frames chose. `displayed` and `latency`
    are the errors of display intervals and of the time from a CPU frame's start to the screen, over
    the `judged` frames of the second half. `gpu_times` says where those come from: `busy`, `ends`
    or `none`. `measured`: that latency as the capture has it, of all frames. `wake`: by how many
    picoseconds it is longer under VSync than the model's, a constant that the first half chose too:
    a CPU that waits for a flip wakes some time after it. It is in the error.
    """

    replay: Replay
    chosen: tuple[str, ...]
    displayed: Errors
    latency: Errors
    judged: int
    gpu_times: str
    measured: Spread
    wake: int

    @property
    def refusal(self) -> str:
        """Why nothing can be said of other settings; empty where it can."""
        if self.gpu_times == "none":
            return "the capture has no GPU times, so other settings cannot be played"
        if self.displayed.better:
            return ""
        mine, other = self.displayed.replay, self.displayed.repeated
        return (
            "the replay under the capture's own settings does no better than repeating the last "
            f"display interval: off by {_ms(mine.median)} ms in the median and {_ms(mine.mean)} in "
            f"the mean, against {_ms(other.median)} and {_ms(other.mean)}"
        )


def _ms(time: int) -> str:
    return f"{time / PICOSECONDS:.3f}"


def replay_capture(diagnosis: Diagnosis, words: Sequence[str] = ()) -> CaptureReplay:
    """Plays a chain again; `words` are settings of it that are known.

    Raises `UsageProblem` where it cannot: too few frames shown, no time in Present, no refresh
    under VSync, frames generated between others, or bad words.
    """
    observed = diagnosis.observed
    _require_playable(observed)
    frames, source = frames_of(observed)
    measured = _Measured.of(observed)
    half = len(measured.places) // 2
    settings, chosen = _own(diagnosis, words, frames, measured, min(half, TRIED))
    played = replay(frames, settings)
    wake = measured.wake(played, half) if settings.chain.interval else 0
    return CaptureReplay(
        replay=played,
        chosen=chosen,
        displayed=measured.displayed_errors(played, half),
        latency=measured.latency_errors(played, half, wake),
        judged=len(measured.places) - half,
        gpu_times=source,
        measured=Spread(measured.latency),
        wake=wake,
    )


def _require_playable(observed: Observed) -> None:
    shown = (
        0 if observed.until_shown is None else len(observed) - observed.until_shown.count(MISSING)
    )
    if shown < LEAST_SHOWN:
        raise UsageProblem(
            f"{shown} frames shown are too few to play the capture again",
            expected=f"{LEAST_SHOWN} or more",
        )
    if observed.in_present is None:
        raise UsageProblem(
            "the capture does not say how long Present takes, so it cannot be played again",
            expected="a capture with the time in Present",
        )
    if observed.generated:
        raise UsageProblem(
            "frames are generated between those of the application: not modelled",
            expected="a capture without frame generation",
        )


def frames_of(observed: Observed) -> tuple[FrameTimes, str]:
    """CPU and GPU times of all presents but the first, and where the GPU's come from.

    CPU: from the return of the Present before to the call of the next. GPU: how long it was busy;
    else what lies between the end before, or the return of Present, and its end; else nothing.
    """
    called, blocked = observed.called, _known(observed.in_present, len(observed))
    returned = [time + wait for time, wait in zip(called, blocked, strict=True)]
    cpu = [_bounded(now - before) for now, before in zip(called[1:], returned, strict=False)]
    busy, ends = observed.gpu_busy, observed.until_gpu_end
    if busy is not None:
        return frame_times(cpu, map(_bounded, busy[1:])), "busy"
    if ends is None:
        return frame_times(cpu, [0] * len(cpu)), "none"
    done = [
        back if end == MISSING else time + end
        for time, back, end in zip(called, returned, ends, strict=True)
    ]
    gpu = [
        _bounded(end - max(before, back))
        for before, end, back in zip(done, done[1:], returned[1:], strict=False)
    ]
    return frame_times(cpu, gpu), "ends"


def _known(column: array[int] | None, length: int) -> array[int]:
    if column is None:
        return array("q", [0]) * length
    return array("q", [0 if time == MISSING else time for time in column])


def _bounded(time: int) -> int:
    return min(max(time, 0), LONGEST)


@dataclass(frozen=True, slots=True)
class _Measured:
    """The frames that were shown: their places among the played ones, when, how late."""

    places: list[int]
    shown: list[int]
    latency: list[int]
    first_start: int

    @classmethod
    def of(cls, observed: Observed) -> _Measured:
        called, until = observed.called, observed.until_shown
        blocked = _known(observed.in_present, len(observed))
        places, shown, latency = [], [], []
        for n in range(1, len(observed)):
            if until is not None and until[n] != MISSING:
                places.append(n - 1)
                shown.append(called[n] + until[n])
                latency.append(shown[-1] - called[n - 1] - blocked[n - 1])
        return cls(places, shown, latency, called[0] + blocked[0])

    def misfit(self, played: Replay, count: int) -> float:
        """Mean error of display intervals and of latency over the first `count` frames."""
        intervals = map(sub, self.intervals(played, 0, count), self.own_intervals(0, count))
        latency = map(sub, self.latencies(played, 0, count), self.latency[:count])
        return fmean(map(abs, intervals)) + fmean(map(abs, latency))

    def own_intervals(self, first: int, end: int) -> list[int]:
        shown = self.shown[first:end]
        return list(map(sub, shown[1:], shown))

    def intervals(self, played: Replay, first: int, end: int) -> list[int]:
        flips = [played.timeline.flip[place] for place in self.places[first:end]]
        return list(map(sub, flips[1:], flips))

    def latencies(self, played: Replay, first: int, end: int) -> list[int]:
        return [played.latency(place) for place in self.places[first:end]]

    def wake(self, played: Replay, half: int) -> int:
        """The median of what the measured latency is more than the played one, first half.

        Half a refresh or more is no waking up: the queue is another one. That stays an error.
        """
        more: list[int] = list(map(sub, self.latency[:half], self.latencies(played, 0, half)))
        found = round(median(more))
        return found if 2 * abs(found) < played.settings.display.refresh else 0

    def displayed_errors(self, played: Replay, half: int) -> Errors:
        """The constant one is the sync interval's refreshes; the median where there is none."""
        end = len(self.places)
        own = self.own_intervals(half - 1, end)
        settings = played.settings
        due = settings.chain.interval * settings.display.refresh
        constant = due or round(median(self.own_intervals(0, half)))
        return _errors(self.intervals(played, half - 1, end), own, constant)

    def latency_errors(self, played: Replay, half: int, wake: int) -> Errors:
        """The constant one is the median of the first half."""
        end = len(self.places)
        constant = round(median(self.latency[:half]))
        found = [time + wake for time in self.latencies(played, half, end)]
        return _errors(found, self.latency[half:], constant)


def _errors(replayed: Sequence[int], own: Sequence[int], constant: int) -> Errors:
    return Errors(
        replay=_error(map(sub, replayed, own)),
        repeated=_error(map(sub, own[1:], own)),
        constant=_error(time - constant for time in own),
    )


def _error(differences: Iterator[int]) -> Error:
    sizes = [abs(difference) for difference in differences]
    return Error(round(median(sizes)), round(fmean(sizes)))


def _own(
    diagnosis: Diagnosis,
    words: Sequence[str],
    frames: FrameTimes,
    measured: _Measured,
    tried: int,
) -> tuple[Settings, tuple[str, ...]]:
    """The settings that fit the first frames best, and which of them were chosen so."""
    given = fields_of(words)
    base = change(_base(diagnosis, given, measured), words)
    queue = given & set(QUEUE_FIELDS)
    queues = [base] if queue else [change(base, it) for it in QUEUES]
    overheads = (base.overhead,) if "overhead" in given else OVERHEADS
    kickoffs = (base.kickoff,) if "kickoff" in given else KICKOFFS
    first = measured.places[tried - 1] + 1
    few = frame_times(frames.cpu[:first], frames.gpu[:first])
    candidates = [
        replace(one, overhead=overhead, kickoff=kickoff)
        for one, overhead, kickoff in product(queues, overheads, kickoffs)
    ]
    best = min(candidates, key=lambda it: measured.misfit(replay(few, it), tried))
    choices = {"queue": queues, "overhead": overheads, "kickoff": kickoffs}
    return best, tuple(name for name, values in choices.items() if len(values) > 1)


def _base(diagnosis: Diagnosis, given: set[str], measured: _Measured) -> Settings:
    """What the capture says of its settings: interval, refresh, phase, compositor."""
    evidence = diagnosis.evidence
    vsynced = on_grid(evidence)
    interval = evidence.interval
    if interval is None:
        lost = (evidence.never_shown or 0) >= NEVER_SHOWN.value  # frames that wait are not dropped
        interval = max(1, round(evidence.refreshes or 1)) if vsynced and not lost else 0
    if not interval and "interval" not in given and evidence.composed >= MOSTLY.value:
        raise UsageProblem(
            "the compositor drops frames that do not wait for a VSync: not modelled",
            expected="a capture in full screen, or under VSync",
        )
    if interval and not vsynced and "refresh" not in given:
        raise UsageProblem(
            f"sync interval {interval}, but the display's refresh cannot be found in the capture",
            expected="refresh=HZ beside vrr, if it is variable, in --own",
        )
    display, start = Display(), 0
    if vsynced and evidence.refresh is not None:
        refresh, phase = exact_refresh(diagnosis.observed.displays, evidence.refresh)
        start = (measured.first_start - phase) % refresh
        display = Display(refresh=refresh, compositor=_compositor(diagnosis, interval))
    settings = Settings(display=display, start=start, overhead=0)
    return change_chain(settings, interval=interval)


def _compositor(diagnosis: Diagnosis, interval: int) -> Compositor:
    if not interval or diagnosis.evidence.composed < MOSTLY.value:
        return Compositor.NONE
    composed = diagnosis.observed.composed
    return Compositor.HOLD if 2 * composed.count(HELD) > len(composed) else Compositor.COPY
