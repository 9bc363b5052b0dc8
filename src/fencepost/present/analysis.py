"""A capture or a simulation gone through as a whole: what reports write down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from fencepost.errors import FileProblem, UsageProblem
from fencepost.place import Place
from fencepost.present.capture_replay import CaptureReplay, replay_capture
from fencepost.present.captures.table import Capture, Chain
from fencepost.present.causes import Cause
from fencepost.present.diagnosis import Diagnosis, diagnose
from fencepost.present.frames import FrameTimes
from fencepost.present.observed import UNKNOWN_INTERVAL, Observed, observed_of_chain
from fencepost.present.outcome import Outcome, outcome_of, settling
from fencepost.present.replay import Replay, replay
from fencepost.present.settings import Settings
from fencepost.present.simulation import simulation_of
from fencepost.present.strips import Strip, strip_of
from fencepost.present.units import PARTS
from fencepost.present.whatif import (
    WhatIf,
    apply_what_if,
    check_contradictions,
    parse_what_if,
    scaled,
)

GROWING = 4
"""Refreshes by which latency rises in half of a simulation that will not settle."""


@dataclass(frozen=True, slots=True)
class Played:
    """One plane of frames under settings; `same`: the what-if changes nothing."""

    name: str
    words: tuple[str, ...]
    settings: Settings
    outcome: Outcome
    same: bool = False
    strip: Strip | None = None


class Tried(NamedTuple):
    """A piece of advice, and the what-if that stands for it, played."""

    advice: str
    played: Played


@dataclass(frozen=True, slots=True)
class Analysed:
    """One swap chain: what limits it, and what other settings would do.

    `chain` is None in a simulation. `not_replayed` says why a replay that was asked for was not
    possible.
    """

    label: str
    diagnosis: Diagnosis
    chain: Chain | None = None
    replay: CaptureReplay | None = None
    not_replayed: str = ""
    own: Played | None = None
    what_ifs: tuple[Played, ...] = ()
    tried: tuple[Tried, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Analysis:
    """All of a capture (`form`: its format), or of a simulation (`words`)."""

    file: str
    form: str
    words: tuple[str, ...]
    chains: tuple[Analysed, ...]
    notes: tuple[str, ...] = ()

    @property
    def simulated(self) -> bool:
        """Whether these are frames that no capture shows."""
        return bool(self.words)


def analyse_simulation(words: Sequence[str], what_ifs: Sequence[WhatIf] = ()) -> Analysis:
    """Plays frames that no capture shows; raises `UsageProblem`."""
    simulation = simulation_of(words)
    settings = simulation.settings
    check_contradictions(_settings_among(words), settings)
    rows: list[tuple[WhatIf | None, Settings, FrameTimes]]
    rows = [(None, settings, simulation.frames)]
    for what_if in what_ifs:
        changed = apply_what_if(what_if, settings)
        rows.append((what_if, changed, scaled(simulation.frames, what_if)))
    replays = [(what_if, replay(frames, changed)) for what_if, changed, frames in rows]
    chains = []
    for plane in range(len(settings.planes)):
        own, *others = (
            _simulated(what_if, played, plane, replays[0][1]) for what_if, played in replays
        )
        label = f"plane {plane + 1}" if len(settings.planes) > 1 else "simulated"
        played = replays[0][1]
        found = own.outcome.diagnosis
        make = partial(_simulated, plane=plane, own=played)
        tried = _tried(found.cause, played, make)
        notes = _growing(played, plane)
        chains.append(
            Analysed(label, found, own=own, what_ifs=tuple(others), tried=tried, notes=notes)
        )
    return Analysis("", "simulation", tuple(words), tuple(chains))


def _tried(
    cause: Cause, own: Replay, make: Callable[[WhatIf, Replay], Played]
) -> tuple[Tried, ...]:
    """The what-ifs that stand for a cause's advice; those that are not possible here are left."""
    found = []
    for advice, words in zip(cause.advice, cause.trials, strict=False):
        if not words:
            continue
        what_if = parse_what_if(words.split())
        try:
            settings = apply_what_if(what_if, own.settings)
        except UsageProblem:
            continue
        made = make(what_if, replay(scaled(own.frames, what_if), settings))
        if not made.same:
            found.append(Tried(advice, made))
    return tuple(found)


def _growing(played: Replay, plane: int) -> tuple[str, ...]:
    """A note where frames wait longer and longer: nothing bounds the queue."""
    presents = played.presents_of(plane)
    half, last = presents[len(presents) // 2], presents[-1]
    more = played.latency(last) - played.latency(half)
    if more < GROWING * played.settings.display.refresh:
        return ()
    bounds = "throttle, latency=N or in-flight=N would"
    return (f"latency grows for as long as the frames last: nothing bounds the queue ({bounds})",)


def _settings_among(words: Sequence[str]) -> list[str]:
    own = ("cpu", "gpu", "frames", "seed", "presents")
    return [word for word in words if word.partition("=")[0].strip().lower() not in own]


def _simulated(what_if: WhatIf | None, played: Replay, plane: int, own: Replay) -> Played:
    presents = len(played.presents_of(plane))
    if presents - settling(presents) < 2:
        raise UsageProblem(f"{presents} presents of plane {plane + 1}", expected="at least 3")
    return Played(
        name="as simulated" if what_if is None else what_if.name,
        words=() if what_if is None else what_if.words,
        settings=played.settings,
        outcome=outcome_of(played, plane, settling(presents)),
        same=what_if is not None and _same(played, own),
        strip=strip_of(played, plane),
    )


def _same(played: Replay, own: Replay) -> bool:
    frames, others = played.frames, own.frames
    return played.settings == own.settings and (frames.cpu, frames.gpu) == (others.cpu, others.gpu)


def analyse_capture(
    capture: Capture,
    chains: Sequence[Chain],
    what_ifs: Sequence[WhatIf] = (),
    own: Sequence[str] = (),
    play: bool = False,
) -> Analysis:
    """Diagnoses chains of a capture; plays the first one again where what-ifs or `play` ask for it.

    `own`: settings of that chain that are known. Chains of a single present say nothing and are
    left out. Raises `UsageProblem`, and `FileProblem` where no chain is left.
    """
    made: list[Analysed] = []
    for chain in chains:
        if len(chain.frames) < 2:
            continue
        diagnosis = diagnose(observed_of_chain(chain))
        analysed = Analysed(chain.label, diagnosis, chain, notes=notes_on(diagnosis.observed))
        if not made and (what_ifs or play or own):
            analysed = replayed(analysed, what_ifs, own)
        made.append(analysed)
    if not made:
        raise FileProblem(
            "no swap chain has more than one present", Place(capture.file, 0), "a longer capture"
        )
    return Analysis(capture.file, capture.format, (), tuple(made), capture.notes)


def replayed(analysed: Analysed, what_ifs: Sequence[WhatIf], own: Sequence[str]) -> Analysed:
    """A chain played again under its own settings and, unless that is refused, under others.

    Raises `UsageProblem` for what-ifs that make no sense, and for settings of `own` that do not.
    """
    try:
        again = replay_capture(analysed.diagnosis, own)
    except UsageProblem as problem:
        if own:
            raise
        return replace(analysed, not_replayed=problem.problem)
    base, known = again.replay, again.gpu_times == "busy"
    others = [(what_if, apply_what_if(what_if, base.settings)) for what_if in what_ifs]
    _require_gpu_times(what_ifs, known)
    played = []
    for what_if, settings in others if not again.refusal else ():
        result = replay(scaled(base.frames, what_if), settings)
        played.append(_played(what_if.name, what_if.words, result, again))
    same = _played("own settings", (), base, again)

    def make(what_if: WhatIf, it: Replay) -> Played:
        return _played(what_if.name, what_if.words, it, again)

    sure = known and not again.refusal
    tried = _tried(analysed.diagnosis.cause, base, make) if sure else ()
    return replace(analysed, replay=again, own=same, what_ifs=tuple(played), tried=tried)


def _require_gpu_times(what_ifs: Sequence[WhatIf], known: bool) -> None:
    for what_if in what_ifs:
        if what_if.gpu != PARTS and not known:
            raise UsageProblem(
                f"what-if {what_if.name!r}: the capture does not say how long the GPU works",
                expected="a capture with GPU busy times",
            )


def notes_on(observed: Observed) -> tuple[str, ...]:
    """What is odd in the presents themselves (presentation.md 1: DXGI)."""
    if not observed.tearing.count(1) or set(observed.intervals) <= {0, UNKNOWN_INTERVAL}:
        return ()
    rows = zip(observed.tearing, observed.intervals, strict=True)
    wrong = sum([tears == 1 and 0 < interval < UNKNOWN_INTERVAL for tears, interval in rows])
    if not wrong:
        return ()
    allow = f"{wrong:,} presents allow tearing at sync interval 1 or more"
    return (f"{allow}: DXGI refuses that, DXGI_PRESENT_ALLOW_TEARING needs sync interval 0",)


def _played(name: str, words: tuple[str, ...], played: Replay, again: CaptureReplay) -> Played:
    known = again.gpu_times == "busy"
    outcome = outcome_of(played, gpu_is_known=known, wake=again.wake)
    same = bool(words) and _same(played, again.replay)
    strip = strip_of(played) if known else None  # else it would show work that nobody saw
    return Played(name, words, played.settings, outcome, same, strip)
