"""What the columns of each format mean: one row a name, walked by one piece of code.

Names are looked up in lower case, without spaces around them: PresentMon alone has written
`MsInPresentAPI` and `msInPresentAPI`. `presentation.md` is the collected facts on these formats,
`console` PresentMon's README-ConsoleApplication.md, `1.x` its README of version 1.9.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from fencepost.present.captures.table import COLUMNS


class Kind(Enum):
    """How a column's text is read."""

    TEXT = "text"
    COUNT = "count"  # a small integer; -1 is unknown
    YES = "yes"  # 0 or 1
    MODE = "mode"  # a word of PresentMon's, or a number as CapFrameX has them
    TYPE = "type"  # who made the frame: a word of PresentMon's, or our number
    MS = "ms"  # a time that is never negative
    SIGNED = "signed ms"
    PERCENT = "percent"
    PS = "ps"  # fencepost's own
    CLOCK = "clock"  # when; its unit is in the row


class Means(NamedTuple):
    """What a column of a format holds.

    `quantity` is a column of the normalized table, or one that `quantities` makes those from. A row
    of `family` counts in that family alone.
    """

    name: str
    quantity: str
    kind: Kind
    source: str
    unit: str = ""
    family: str = ""


_CONSOLE, _FIRST, _FACTS = "console, CSV columns", "1.x, CSV columns", "presentation.md 2.3"

COLUMN_ROWS: tuple[Means, ...] = (
    # who presents
    Means("Application", "application", Kind.TEXT, _CONSOLE),
    Means("ProcessID", "process", Kind.TEXT, _CONSOLE),
    Means("SwapChainAddress", "address", Kind.TEXT, _CONSOLE),
    Means("PresentRuntime", "runtime", Kind.TEXT, _CONSOLE),
    Means("Runtime", "runtime", Kind.TEXT, _FIRST),
    # how
    Means("SyncInterval", "sync_interval", Kind.COUNT, "presentation.md 2.1: -1 is unknown"),
    Means("PresentFlags", "flags", Kind.COUNT, _CONSOLE),
    Means("AllowsTearing", "tearing", Kind.YES, _CONSOLE),
    Means("PresentMode", "mode", Kind.MODE, _CONSOLE),
    Means("FrameType", "frame_type", Kind.TYPE, _CONSOLE),
    Means("Dropped", "dropped", Kind.YES, _FIRST),
    # when Present was called
    Means("TimeInSeconds", "present", Kind.CLOCK, _FIRST, "s"),
    Means("TimeInMs", "present", Kind.CLOCK, "presentation.md 2.1", "ms"),
    Means("TimeInQPC", "present", Kind.CLOCK, "presentation.md 2.1", "ticks"),
    Means("QPCTime", "present", Kind.CLOCK, "1.x: ticks, or seconds with -qpc_time_s", "?"),
    Means("QPCTime", "cpu_start", Kind.CLOCK, "presentation.md 2.1", "?", "presentmon 2"),
    Means("TimeInDateTime", "present", Kind.CLOCK, "console, --date_time", "date"),
    # when the CPU began the frame
    Means("CPUStartTime", "cpu_start", Kind.CLOCK, "presentation.md 2.1: s or ms, by version", "?"),
    Means("CPUStartTimeInMs", "cpu_start", Kind.CLOCK, "presentation.md 2.1", "ms"),
    Means("CPUStartQPC", "cpu_start", Kind.CLOCK, "console, --qpc_time", "ticks"),
    Means("CPUStartQPCTime", "cpu_start", Kind.CLOCK, "console, --qpc_time_ms", "ms"),
    Means("CPUStartQPCTimeInMs", "cpu_start", Kind.CLOCK, "as CPUStartQPCTime; 2.5", "ms"),
    Means("CPUStartDateTime", "cpu_start", Kind.CLOCK, "console, --date_time", "date"),
    # intervals
    Means("MsBetweenPresents", "between_presents", Kind.MS, _CONSOLE),
    Means("MsInPresentAPI", "in_present", Kind.MS, _CONSOLE),
    Means("MsCPUBusy", "cpu_busy", Kind.MS, _CONSOLE),
    Means("CPUBusy", "cpu_busy", Kind.MS, _FACTS),
    Means("MsCPUWait", "cpu_wait", Kind.MS, "presentation.md 2.2: CPUWait = MsInPresentAPI"),
    Means("CPUWait", "cpu_wait", Kind.MS, "presentation.md 2.2: CPUWait = MsInPresentAPI"),
    Means("MsUntilRenderStart", "until_gpu_start", Kind.SIGNED, _FIRST),
    Means("MsUntilRenderComplete", "until_gpu_end", Kind.SIGNED, _FIRST),
    Means("MsRenderPresentLatency", "until_gpu_end", Kind.SIGNED, _CONSOLE),
    Means("MsGPULatency", "gpu_latency", Kind.MS, _CONSOLE),
    Means("GPULatency", "gpu_latency", Kind.MS, _FACTS),
    Means("MsGPUTime", "gpu_time", Kind.MS, _CONSOLE),
    Means("GPUTime", "gpu_time", Kind.MS, _FACTS),
    Means("MsGPUActive", "gpu_busy", Kind.MS, "presentation.md 2.2: msGPUActive = MsGPUBusy"),
    Means("MsGPUBusy", "gpu_busy", Kind.MS, _CONSOLE),
    Means("GPUBusy", "gpu_busy", Kind.MS, _FACTS),
    Means("GPU0Util(%)", "gpu_utilisation", Kind.PERCENT, "FrameView: of the first GPU"),
    Means("GPUUtilization", "gpu_utilisation", Kind.PERCENT, "capture application"),
    Means("MsUntilDisplayed", "until_displayed", Kind.MS, _CONSOLE),
    Means("DisplayLatency", "display_latency", Kind.MS, "presentation.md 2.2: from CPUStart"),
    Means("MsBetweenDisplayChange", "between_displays", Kind.MS, _CONSOLE),
    Means("DisplayedTime", "displayed_time", Kind.MS, "presentation.md 2.2: of this frame"),
    Means("MsPCLatency", "pc_latency", Kind.MS, _CONSOLE),
    Means("MsClickToPhotonLatency", "click_latency", Kind.MS, _CONSOLE),
    Means("ClickToPhotonLatency", "click_latency", Kind.MS, _FACTS),
    Means("MsAnimationError", "animation_error", Kind.SIGNED, _CONSOLE),
    Means("AnimationError", "animation_error", Kind.SIGNED, _FACTS),
    # CapFrameX's JSON has names of its own for some
    Means("PcLatency", "pc_latency", Kind.MS, _FACTS, family="capframex"),
    Means("GpuActive", "gpu_busy", Kind.MS, _FACTS, family="capframex"),
    Means("CpuActive", "cpu_busy", Kind.MS, _FACTS, family="capframex"),
    Means("Part", "part", Kind.TEXT, "the number of the run", family="capframex"),
    # MangoHud
    Means("frametime", "between_presents", Kind.MS, _FACTS, family="mangohud"),
    Means("gpu_load", "gpu_utilisation", Kind.PERCENT, _FACTS, family="mangohud"),
    Means("elapsed", "present", Kind.CLOCK, "presentation.md 2.3: nanoseconds", "ns", "mangohud"),
)
"""Rows of one quantity and family stand in the order in which they are preferred."""

OWN = "fencepost"
"""The family of tables that `writing` wrote."""

_OWN_KINDS = {
    "dropped": Kind.YES,
    "tearing": Kind.YES,
    "sync_interval": Kind.COUNT,
    "flags": Kind.COUNT,
    "mode": Kind.MODE,
    "frame_type": Kind.TYPE,
}

OWN_ROWS = (
    *(Means(name, name, Kind.TEXT, "writing", "", OWN) for name in ("application", "process")),
    *(Means(name, name, Kind.TEXT, "writing", "", OWN) for name in ("address", "runtime", "part")),
    *(
        Means(
            f"{column.name}_ps" if column.unit == "ps" else column.name,
            column.name,
            _OWN_KINDS.get(column.name, Kind.PS),
            "writing",
            "",
            OWN,
        )
        for column in COLUMNS
    ),
)
"""The columns of the normalized table as files of it have them."""


class Passed(NamedTuple):
    """Columns that are known and not taken, and why."""

    pattern: re.Pattern[str]
    what: str
    source: str


def _passed(pattern: str, what: str, source: str) -> Passed:
    return Passed(re.compile(pattern), what, source)


_SAME, _READINGS, _MACHINE = "said by others", "readings of the hardware", "on the machine"

PASSED_ROWS: tuple[Passed, ...] = (
    _passed(r"frametime|msbetweenappstart", _SAME, "presentation.md 2.2: CPUBusy + CPUWait"),
    _passed(r"(ms)?gpuwait", _SAME, "presentation.md 2.2: GPUTime - GPUBusy"),
    _passed(r"animationtime", _SAME, "console: the clock of AnimationError"),
    _passed(r"render queue depth", _SAME, "presentation.md 2.3: MsRenderPresentLatency/interval"),
    _passed(r"msbetweensimulationstart", "of the simulation", "console"),
    _passed(r"(ms)?videobusy|msgpuvideoactive", "of video engines", "console, --track_gpu_video"),
    _passed(r"msflipdelay", "of the driver's flip delay", "presentation.md 2.1"),
    _passed(r"(ms)?allinputtophotonlatency|mssinceinput", "of input", "console"),
    _passed(r"(ms)?instrumentedlatency|etw\w+", "of instrumentation", "console"),
    _passed(r"psocompilecount|mspsocompiletime|psocompilebusypercent", "of shaders", "2.5"),
    _passed(r"vidpnsourceid|layerindex|presentid|fliptoken", "of display hardware", "console"),
    _passed(r"wasbatched|dwmnotified|lsr.*", "of the compositor", "1.x"),
    _passed(r"gpu|cpu|resolution|width|height", _MACHINE, "presentation.md 2.3: FrameView, OCAT"),
    _passed(r"motherboard|os|processor|system ram|base driver version", _MACHINE, "OCAT"),
    _passed(r"driver package|gpu #|gpu (core|memory) clock \(mhz\)", _MACHINE, "OCAT"),
    _passed(r"gpu memory \(mb\)", _MACHINE, "OCAT"),
    _passed(r"(gpu|cpu)\d*\w*( package \w+|coreutil%| tdp ?)?[\[(].*", _READINGS, "FrameView"),
    _passed(r"(pcat|perf/w|nv|amd|usbc|battery|(current|total) battery).*", _READINGS, "FrameView"),
    _passed(
        r"(gpu|cpu)\w*(\[\d+\])?|(3d/compute|media)utilization", _READINGS, "capture application"
    ),
    _passed(r"fps|(cpu|gpu|ram|swap|process)_\w+", _READINGS, "presentation.md 2.3: MangoHud"),
)
"""In this order; the first that fits a name in lower case counts."""


def means(name: str, family: str) -> Means | None:
    """What a column of this name is in a file of that family, or None."""
    return _BY_NAME.get((name, family)) or (_BY_NAME.get((name, "")) if family != OWN else None)


def passed(name: str) -> str:
    """What a column that is not taken is about, or nothing where it is unknown."""
    return next((row.what for row in PASSED_ROWS if row.pattern.fullmatch(name)), "")


_BY_NAME = {(row.name.lower(), row.family): row for row in (*COLUMN_ROWS, *OWN_ROWS)}
