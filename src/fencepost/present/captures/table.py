"""The normalized table: what every capture of presents becomes (design 9, 11).

One row is one Present. Columns are `array("q")` of one length; `MISSING` stands where a capture
does not say. Times are integer picoseconds, since fencepost's own model counts in them; what a
capture writes with more digits is rounded to the nearest one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple

MISSING = -(1 << 63)
"""In place of a value that the capture does not have; no real value is this small."""

PRESENT_MODES = (
    "Unknown",
    "Hardware: Legacy Flip",
    "Hardware: Legacy Copy to front buffer",
    "Hardware: Independent Flip",
    "Composed: Flip",
    "Composed: Copy with GPU GDI",
    "Composed: Copy with CPU GDI",
    "Composed: Composition Atlas",
    "Hardware Composed: Independent Flip",
    "Other",
    "Hardware: Direct Flip",
)
"""`mode` counts in these, PresentMon's words in the order of CapFrameX (presentation.md 2.3).

The last one is what versions before 1.3 wrote as well.
"""

APPLICATION = 0
FRAME_TYPES = (
    "Application",
    "Repeated",
    "Intel XeSS-FG",
    "AMD AFMF",
    "NVIDIA DLSS-FG",
    "Other",
)
"""`frame_type` counts in these; all but the first are frames that the application did not draw."""


class Column(NamedTuple):
    """A column of the table: its unit, what it means, and what `MISSING` means in it."""

    name: str
    unit: str
    meaning: str
    missing: str


COLUMNS = (
    Column("present", "ps", "when Present was called, since the capture's origin", "never"),
    Column(
        "between_presents",
        "ps",
        "from the call of the chain's Present before, of whatever frame type, to this one",
        "the chain's first row, where the capture does not say",
    ),
    Column(
        "in_present",
        "ps",
        "inside the call of Present: the wait of BlockOnFence_SwapThrottle is in here",
        "not recorded: OpenGL and Vulkan mostly",
    ),
    Column(
        "cpu_busy",
        "ps",
        "from the return of the Present before to the call of this one, waits elsewhere included",
        "the Present before is not there",
    ),
    Column(
        "until_gpu_start",
        "ps",
        "from the call of Present to the start of the frame's GPU work; mostly negative",
        "GPU work was not recorded, or the capture cuts it off at 0",
    ),
    Column(
        "until_gpu_end",
        "ps",
        "from the call of Present to the end of the frame's GPU work; may be negative",
        "GPU work was not recorded, or the capture cuts its start off at 0",
    ),
    Column("gpu_busy", "ps", "the GPU working on the frame", "GPU work was not recorded"),
    Column(
        "until_displayed",
        "ps",
        "from the call of Present to the frame on the screen",
        "the frame was never shown, or the capture does not say (see `dropped`)",
    ),
    Column(
        "between_displays",
        "ps",
        "from the frame shown before on this chain to this one",
        "never shown, the first one shown, or the capture does not say",
    ),
    Column("pc_latency", "ps", "from input to the frame on the screen, by PC Latency", "no marks"),
    Column("click_latency", "ps", "from a click to the frame on the screen", "no click"),
    Column(
        "animation_error",
        "ps",
        "how much more time passed in the game than on the screen; signed",
        "not recorded",
    ),
    Column("dropped", "0 or 1", "1: the frame was never shown", "the capture does not say"),
    Column("sync_interval", "VSyncs", "the sync interval of the call", "unknown (-1: Direct3D 9)"),
    Column("flags", "bits", "DXGI_PRESENT flags", "not recorded"),
    Column("tearing", "0 or 1", "1: the call allows tearing", "not recorded"),
    Column("mode", "number", "how it got to the screen: place in PRESENT_MODES", "not recorded"),
    Column("frame_type", "number", "who drew it: place in FRAME_TYPES", "never: 0 if unsaid"),
    Column(
        "gpu_utilisation",
        "10^-9 %",
        "the part of the time that the GPU works, of all programs; sampled, not of this frame",
        "not recorded",
    ),
)
"""The columns, in the order in which they are written."""

NAMES = tuple(column.name for column in COLUMNS)


def _empty() -> array[int]:
    return array("q")


@dataclass(frozen=True, slots=True)
class Frames:
    """Rows in the order of their Presents; `COLUMNS` says what each column means."""

    present: array[int] = field(default_factory=_empty)
    between_presents: array[int] = field(default_factory=_empty)
    in_present: array[int] = field(default_factory=_empty)
    cpu_busy: array[int] = field(default_factory=_empty)
    until_gpu_start: array[int] = field(default_factory=_empty)
    until_gpu_end: array[int] = field(default_factory=_empty)
    gpu_busy: array[int] = field(default_factory=_empty)
    until_displayed: array[int] = field(default_factory=_empty)
    between_displays: array[int] = field(default_factory=_empty)
    pc_latency: array[int] = field(default_factory=_empty)
    click_latency: array[int] = field(default_factory=_empty)
    animation_error: array[int] = field(default_factory=_empty)
    dropped: array[int] = field(default_factory=_empty)
    sync_interval: array[int] = field(default_factory=_empty)
    flags: array[int] = field(default_factory=_empty)
    tearing: array[int] = field(default_factory=_empty)
    mode: array[int] = field(default_factory=_empty)
    frame_type: array[int] = field(default_factory=_empty)
    gpu_utilisation: array[int] = field(default_factory=_empty)

    def __len__(self) -> int:
        return len(self.present)

    def column(self, name: str) -> array[int]:
        """A column by its name; raises `AttributeError` for one that there is not."""
        values: array[int] = getattr(self, name)
        return values

    def has(self, name: str) -> bool:
        """Whether any row has a value in this column."""
        values = self.column(name)
        return len(values) > 0 and (values[0] != MISSING or self.count(name) > 0)

    def count(self, name: str) -> int:
        """In how many rows this column has a value."""
        values = self.column(name)
        return len(values) - values.count(MISSING)

    def rows(self) -> Iterator[tuple[int, ...]]:
        """Every row, as values in the order of `COLUMNS`."""
        return zip(*(self.column(name) for name in NAMES), strict=True)

    def take(self, places: Iterable[int]) -> Frames:
        """The rows at these places, in this order."""
        chosen = list(places)
        if len(chosen) == 0:
            return Frames()
        if len(chosen) == 1:
            return Frames(*(array("q", [self.column(name)[chosen[0]]]) for name in NAMES))
        pick = itemgetter(*chosen)
        return Frames(*(array("q", pick(self.column(name))) for name in NAMES))


@dataclass(frozen=True, slots=True)
class Chain:
    """The presents of one swap chain of one process.

    `application` is a file name without its directory, empty where the capture has none; `process`
    and `address` are None where it does not say; `part` tells runs of one capture apart, where it
    has several. `frames` are those that the application drew, shown or not; `generated` are those
    that a driver or library put between them.
    """

    application: str
    process: int | None
    address: int | None
    runtime: str
    frames: Frames
    generated: Frames = field(default_factory=Frames)
    part: str = ""

    @property
    def label(self) -> str:
        """The chain as reports name it: `Heaven.exe 12820 0x19284328 DXGI`."""
        process = "" if self.process is None else str(self.process)
        address = "" if self.address is None else f"{self.address:#x}"
        words = (self.application or "(unnamed)", process, address, self.runtime, self.part)
        return " ".join(word for word in words if word)

    @property
    def never_shown(self) -> int:
        """How many of `frames` were never shown."""
        return self.frames.dropped.count(1)


@dataclass(frozen=True, slots=True)
class Capture:
    """A capture as a whole: its chains, the one with most frames first.

    `origin` is where `present` counts from, in picoseconds on the capture's clock, and `clock` the
    column that it was read from, empty where times were summed up from intervals. `derived` names
    the columns that the capture does not have and that follow from others. `notes` say what was
    left out or mended: a line each, without names out of the capture.
    """

    file: str
    format: str
    chains: tuple[Chain, ...]
    origin: int = 0
    clock: str = ""
    derived: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
