"""What is known of the presents of one swap chain, measured or played, as columns."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import add, gt, sub

from fencepost.present.captures.table import MISSING, PRESENT_MODES, Chain, Frames
from fencepost.present.replay import Replay
from fencepost.present.settings import Compositor

INTERVALS = {interval: interval for interval in range(5)}
UNKNOWN_INTERVAL = 255
"""A sync interval that is not known."""

NOT_COMPOSED, COPIED, HELD = range(3)
"""How a compositor takes a frame: not at all, it copies it, it reads the back buffer itself."""

COMPOSED = {
    number: HELD if name == "Composed: Flip" else COPIED
    for number, name in enumerate(PRESENT_MODES)
    if name.startswith("Composed")
}
"""Present modes in which a compositor shows the frames ("Hardware Composed" is a plane)."""


FEW = 100
"""Places that are gone through one by one."""


@dataclass(frozen=True, slots=True)
class Observed:
    """Presents in order; a column is None where nothing is known of it, `MISSING` of a row.

    Picoseconds: `called` (Present called), and from there `in_present`, `until_gpu_end`,
    `until_shown` (`MISSING`: never shown); `gpu_busy`. `displays`: every moment at which the
    picture changed, in order, also by frames that others drew. `utilisation`: of the GPU, 10^-9 %.
    Bytes, one a present: `intervals` (sync interval, `UNKNOWN_INTERVAL`), `composed` (how: 0 to 2),
    `tearing` (0 or 1).
    """

    called: array[int]
    in_present: array[int] | None
    gpu_busy: array[int] | None
    until_gpu_end: array[int] | None
    until_shown: array[int] | None
    displays: list[int]
    intervals: bytes
    composed: bytes
    tearing: bytes
    utilisation: array[int] | None = None
    generated: int = 0

    def __len__(self) -> int:
        return len(self.called)


Pick = Callable[["array[int]"], "array[int]"]
"""A column of a replay to its values at some presents."""


def presents_of(replay: Replay, plane: int, skip: int) -> Sequence[int]:
    """The presents of a plane after the first `skip`."""
    if len(replay.settings.planes) == 1:
        return range(skip, len(replay))
    return replay.presents_of(plane)[skip:]


def picker(presents: Sequence[int]) -> Pick:
    """Takes the values at these presents out of a column: a slice where they are neighbours."""
    if isinstance(presents, range):
        return lambda column: column[presents.start : presents.stop]
    return lambda column: array("q", [column[n] for n in presents])


def differences(later: Iterable[int], earlier: Iterable[int]) -> array[int]:
    """The differences of two columns."""
    return array("q", map(sub, later, earlier))


def observed_of_replay(replay: Replay, plane: int = 0, skip: int = 0) -> Observed:
    """The presents of a plane after the first `skip`, as a capture would show them."""
    presents = presents_of(replay, plane, skip)
    pick, line, settings = picker(presents), replay.timeline, replay.settings
    chain = settings.planes[plane].chain
    called, flips, count = pick(line.called), pick(line.flip), len(presents)
    shown = list(map(replay.composition.__add__, flips))
    composed = list(Compositor).index(settings.display.compositor)
    return Observed(
        called=called,
        in_present=differences(pick(line.added), called),
        gpu_busy=pick(replay.frames.gpu),
        until_gpu_end=differences(pick(line.complete), called),
        until_shown=differences(shown, called),
        displays=shown,
        intervals=bytes([0 if chain.buffers == 1 else chain.interval]) * count,
        composed=bytes([composed]) * count,
        tearing=bytes(map(gt, flips, pick(line.scan_begin))),
    )


def observed_of_chain(chain: Chain) -> Observed:
    """The frames that the application drew, and when the picture changed."""
    frames = chain.frames
    displays = _displays(frames) + _displays(chain.generated)
    displays.sort()  # flips that tear may be out of order
    return Observed(
        called=frames.present,
        in_present=_known(frames, "in_present"),
        gpu_busy=_known(frames, "gpu_busy"),
        until_gpu_end=_known(frames, "until_gpu_end"),
        until_shown=_known(frames, "until_displayed"),
        displays=displays,
        intervals=_coded(frames.sync_interval, INTERVALS, UNKNOWN_INTERVAL),
        composed=_coded(frames.mode, COMPOSED, NOT_COMPOSED),
        tearing=_coded(frames.tearing, {1: 1}, 0),
        utilisation=_known(frames, "gpu_utilisation"),
        generated=len(chain.generated),
    )


def _known(frames: Frames, name: str) -> array[int] | None:
    return frames.column(name) if frames.has(name) else None


def _displays(frames: Frames) -> list[int]:
    until = frames.until_displayed
    places = missing_places(until)
    if len(places) > FEW:
        rows = zip(frames.present, until, strict=True)
        return [called + time for called, time in rows if time != MISSING]
    displays = list(map(add, frames.present, until))
    for place in reversed(places):
        del displays[place]
    return displays


def missing_places(column: array[int]) -> list[int]:
    """Where nothing is known; quick where that is at few places."""
    count = column.count(MISSING)
    if count > FEW:
        return [place for place, value in enumerate(column) if value == MISSING]
    places: list[int] = []
    while len(places) < count:
        places.append(column.index(MISSING, places[-1] + 1 if places else 0))
    return places


def filled(column: array[int], places: list[int]) -> array[int]:
    """The column with 0 at these places."""
    if not places:
        return column
    made = column[:]
    for place in places:
        made[place] = 0
    return made


def _coded(column: array[int], codes: Mapping[int, int], otherwise: int) -> bytes:
    """A byte for each value of the column, `otherwise` for values that have none."""
    if column and column.count(column[0]) == len(column):
        return bytes([codes.get(column[0], otherwise)]) * len(column)
    table = dict.fromkeys(set(column), otherwise) | dict(codes)
    return bytes(map(table.__getitem__, column))
