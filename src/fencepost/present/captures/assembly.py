"""From raw columns of chains to a `Capture`: moments, derived columns, order, generated frames."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field

from fencepost.errors import SyntaxProblem
from fencepost.place import Place
from fencepost.present.captures.clocks import (
    COARSE,
    SECOND,
    Clock,
    Scale,
    anchored,
    breaks,
    in_order,
    intervals,
    scale_of,
    step_of,
    steps,
    summed,
)
from fencepost.present.captures.lanes import places_of
from fencepost.present.captures.quantities import (
    Columns,
    clamped,
    complete,
    filled,
    generated_rows,
    lost_below,
    not_instrumented,
    plus,
    shown_only,
    without_zeros,
)
from fencepost.present.captures.table import APPLICATION, MISSING, NAMES, Capture, Chain, Frames
from fencepost.present.captures.words import Key

BACK = SECOND
"""A chain whose time goes back by more than this, 1 s, is two captures in one; assumed."""

FEW = 100
"""Fewer frames than this say little about percentiles and pacing; assumed."""


@dataclass(slots=True)
class Notes:
    """Counts over all chains, which become the notes of a capture."""

    counts: dict[str, int] = field(default_factory=dict)

    def add(self, what: str, count: int = 1) -> None:
        """Count rows."""
        if count:
            self.counts[what] = self.counts.get(what, 0) + count

    def lines(self) -> list[str]:
        """One line a kind."""
        return [
            f"{count:,} {'row' if count == 1 else 'rows'} {what}"
            for what, count in self.counts.items()
        ]


LIMITS = (
    ("in_present", "how long Present waits (MsInPresentAPI)"),
    ("cpu_busy", "CPU work apart from that wait (MsCPUBusy)"),
    ("gpu_busy", "how long the GPU works (MsGPUBusy)"),
    ("until_gpu_end", "when the GPU is done (MsRenderPresentLatency)"),
    ("until_displayed", "when frames are shown, and which never are (MsUntilDisplayed)"),
)
"""Quantities, and what cannot be said without them."""


def _lacking(chains: list[Chain]) -> list[str]:
    """A note on what no chain has, or none."""
    lacking = [what for name, what in LIMITS if not any(it.frames.has(name) for it in chains)]
    return [f"not in this capture: {'; '.join(lacking)}"] if lacking else []


def capture_of(
    file: str,
    form: str,
    chains: Mapping[Key, Columns],
    clock: Clock | None,
    notes: list[str],
) -> Capture:
    """The capture; raises `SyntaxProblem` where no row says when it was."""
    normalized = clock is None and any("present" in columns for columns in chains.values())
    scale = scale_of(clock, chains.values()) if clock is not None else None
    if clock is not None and scale is not None and scale.note:
        notes.append(scale.note)
    counted = Notes()
    derived: dict[str, None] = {}
    made = []
    for key, columns in chains.items():
        rows = _Rows(file, key, columns, counted)
        if rows.take_time(clock, scale):
            derived.update(dict.fromkeys([] if normalized else rows.finish()))
            made.append(rows.chain())
    if not made:
        raise SyntaxProblem("no row says when it was", Place(file, 0), _TIMES)
    if scale is None and not normalized:
        notes.append("no clock: times are sums of intervals, each swap chain's from its own start")
    made.sort(key=lambda chain: (-len(chain.frames), chain.label))
    if len(made[0].frames) < FEW:
        count = "1 frame" if len(made[0].frames) == 1 else f"{len(made[0].frames)} frames"
        notes.append(f"{count}: too few to say anything about percentiles and pacing")
    notes += [*_lacking(made), *counted.lines()]
    return Capture(
        file=file,
        format=form,
        chains=tuple(made),
        origin=scale.origin * SECOND // scale.per_second if scale else 0,
        clock=clock.title if clock and scale else "",
        derived=tuple(name for name in NAMES if name in derived),
        notes=tuple(notes),
    )


_TIMES = "MsBetweenPresents, or a clock column with CPUBusy"


class _Rows:
    """One chain on its way to the table."""

    def __init__(self, file: str, key: Key, columns: Columns, notes: Notes) -> None:
        self.file = file
        self.key = key
        self.columns = columns
        self.notes = notes

    def take_time(self, clock: Clock | None, scale: Scale | None) -> bool:
        """Make the column `present`; drop rows without a time; False where none is left."""
        moments = self._moments(clock, scale)
        if moments is None:
            return False
        self.columns["present"] = moments
        lost = places_of(MISSING, moments)
        self.notes.add("without a time, left out", len(lost))
        if len(lost) == len(moments):
            return False
        if lost:
            apart = set(lost)
            self._keep([row for row in range(len(moments)) if row not in apart])
        self._sort()
        return True

    def _moments(self, clock: Clock | None, scale: Scale | None) -> array[int] | None:
        """The calls of Present, or None where nothing says when they were."""
        if clock is not None and scale is not None and clock.quantity in self.columns:
            shown = self.columns[clock.quantity]
            moments, step = scale.moments(shown), step_of(shown) * SECOND // scale.per_second
            if step >= COARSE and (between := intervals(self.columns, clock.quantity)) is not None:
                moments = anchored(moments, between, step)
            return moments if clock.quantity == "present" else self._called(moments)
        if clock is None and "present" in self.columns:  # a table that was normalized before
            return self.columns["present"]
        if "between_presents" in self.columns:
            return summed(self.columns["between_presents"])
        between = intervals(self.columns, "cpu_start")
        return None if between is None else self._called(summed(between))

    def _called(self, starts: array[int]) -> array[int]:
        """The calls of Present from the starts of the CPU's frames."""
        return plus(starts, filled(self.columns, "cpu_busy", len(starts)))

    def _keep(self, rows: list[int]) -> None:
        for name, values in self.columns.items():
            self.columns[name] = array("q", [values[row] for row in rows])

    def _sort(self) -> None:
        """Put rows in the order of their Presents; PresentMon writes them when they are done."""
        moments = self.columns["present"]
        if in_order(moments):
            return
        late = [row for row in range(1, len(moments)) if moments[row] < moments[row - 1]]
        back = max(moments[row - 1] - moments[row] for row in late)
        if back > BACK:
            where = f"row {late[0] + 1:,} of a swap chain"
            problem = f"time goes back by {back // 10**9:,} ms at {where}"
            raise SyntaxProblem(problem, Place(self.file, 0), "one capture in a file")
        self.notes.add("out of order, sorted by time", len(late))
        self._keep(sorted(range(len(moments)), key=moments.__getitem__))

    def finish(self) -> list[str]:
        """Add what follows from other columns; the names of those."""
        without_zeros(self.columns)
        derived = list(complete(self.columns))
        if "between_presents" not in self.columns:
            self.columns["between_presents"] = steps(self.columns["present"])
            derived += ["between_presents", *complete(self.columns)]
        self.notes.add(
            "whose derived times come out below 0, taken as missing",
            lost_below(self.columns, derived),
        )
        shown_only(self.columns)
        not_instrumented(self.columns, self.key.runtime)
        if "until_gpu_end" in derived:
            cut = clamped(self.columns)
            self.notes.add("with GPULatency cut off at 0: when their GPU work was is unknown", cut)
        between = self.columns.get("between_presents")
        if between is not None and "between_presents" not in derived:
            missing = breaks(self.columns["present"], between)
            self.notes.add("before which rows are missing: the clock goes on further", missing)
        return derived

    def chain(self) -> Chain:
        """The chain, generated frames apart."""
        moments = self.columns["present"]
        count = len(moments)
        frames = Frames(
            *(
                filled(self.columns, name, count, APPLICATION if name == "frame_type" else MISSING)
                for name in NAMES
            )
        )
        made = generated_rows(self.columns)
        if not made:
            return self._chain(frames, Frames())
        apart = set(made)
        generated = frames.take(made)
        busy = generated.cpu_busy
        for row, value in enumerate(busy):
            busy[row] = value or MISSING
        return self._chain(frames.take(row for row in range(count) if row not in apart), generated)

    def _chain(self, frames: Frames, generated: Frames) -> Chain:
        key = self.key
        return Chain(
            key.application, key.process, key.address, key.runtime, frames, generated, key.part
        )
