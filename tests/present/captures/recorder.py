"""A title that presents, and what each tool would record of it: written forward, from moments.

Nothing of the importer is used: every column is a difference of moments, by the definition that its
tool documents. Moments are whole microseconds, so that three decimals of a millisecond say all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

MICROSECOND = 10**6  # picoseconds
NONE = "NA"


@dataclass(frozen=True)
class Shot:
    """One Present and its frame, in microseconds on one clock; `shown` None: never."""

    called: int
    returned: int
    gpu_start: int
    gpu_end: int
    gpu_busy: int
    shown: int | None


FIRST = Shot(1_000_000, 1_002_000, 998_000, 1_009_000, 8_500, 1_016_000)
"""What was before the capture began: its rows refer to it."""

SHOTS = (
    Shot(1_014_000, 1_016_500, 1_012_100, 1_024_000, 10_000, 1_032_667),
    Shot(1_030_000, 1_033_000, 1_029_900, 1_041_000, 9_000, None),
    Shot(1_047_123, 1_047_500, 1_046_000, 1_052_000, 5_555, 1_066_001),
    Shot(1_063_000, 1_064_001, 1_062_000, 1_079_500, 17_001, 1_099_334),
    Shot(1_080_000, 1_099_000, 1_079_999, 1_090_000, 10_001, 1_116_000),
)


def steady(count: int, step: int, first: int = 1_014_000) -> list[Shot]:
    """Presents that follow each other every `step` microseconds and are never shown."""
    return [
        Shot(now, now + 2_500, now - 1_900, now + 10_000, 9_000, None)
        for now in range(first, first + count * step, step)
    ]


@dataclass(frozen=True)
class Row:
    """A shot, the one before it, what was shown before it, and how long it stayed."""

    shot: Shot
    before: Shot
    shown_before: int
    shown_after: int | None

    @property
    def cpu_start(self) -> int:
        return self.before.returned


def rows(shots: Sequence[Shot] = SHOTS) -> list[Row]:
    made = []
    shown = FIRST.shown or 0
    for before, shot in pairwise((FIRST, *shots)):
        later = [it.shown for it in shots if it.called > shot.called and it.shown is not None]
        made.append(Row(shot, before, shown, later[0] if later else None))
        shown = shot.shown or shown
    return made


def ms(microseconds: int | None, missing: str = NONE, digits: int = 3) -> str:
    if microseconds is None:
        return missing
    sign = "-" if microseconds < 0 else ""
    whole, rest = divmod(abs(microseconds), 1000)
    return f"{sign}{whole}.{rest:03d}".ljust(len(f"{sign}{whole}.") + digits, "0")


def seconds(microseconds: int, digits: int = 6) -> str:
    return f"{microseconds // 10**6}.{microseconds % 10**6:06d}".ljust(
        len(str(microseconds // 10**6)) + 1 + digits, "0"
    )


Cell = Callable[[Row], str]


def _until(moment: int | None, row: Row) -> int | None:
    return None if moment is None else moment - row.shot.called


def _changes(row: Row) -> int | None:
    return None if row.shot.shown is None else row.shot.shown - row.shown_before


CONSTANTS: dict[str, str] = {
    "Application": "Title.exe",
    "ProcessID": "4242",
    "SwapChainAddress": "0x00000000DEADBEE0",
    "Runtime": "DXGI",
    "PresentRuntime": "DXGI",
    "SyncInterval": "1",
    "PresentFlags": "512",
    "AllowsTearing": "0",
    "PresentMode": "Hardware: Independent Flip",
    "WasBatched": "1",
    "DwmNotified": "0",
    "FrameType": "Application",
    "VideoBusy": "0.0000",
    "cpu_load": "50",
}

CELLS: dict[str, Cell] = {
    "Dropped": lambda row: str(int(row.shot.shown is None)),
    "TimeInSeconds": lambda row: seconds(row.shot.called),
    "TimeInQPC": lambda row: str(row.shot.called * 10),
    "TimeInMs": lambda row: ms(row.shot.called),
    "MsBetweenPresents": lambda row: ms(row.shot.called - row.before.called),
    "MsBetweenDisplayChange": lambda row: ms(_changes(row)),
    "MsInPresentAPI": lambda row: ms(row.shot.returned - row.shot.called),
    "MsUntilRenderStart": lambda row: ms(_until(row.shot.gpu_start, row)),
    "MsUntilRenderComplete": lambda row: ms(_until(row.shot.gpu_end, row)),
    "MsRenderPresentLatency": lambda row: ms(_until(row.shot.gpu_end, row)),
    "MsUntilDisplayed": lambda row: ms(_until(row.shot.shown, row)),
    "MsGPUActive": lambda row: ms(row.shot.gpu_busy),
    "CPUStartTime": lambda row: seconds(row.cpu_start),
    "CPUStartQPC": lambda row: str(row.cpu_start * 10),
    "CPUStartQPCTime": lambda row: ms(row.cpu_start, digits=4),
    "CPUStartDateTime": lambda row: f"2026-2-3 04:05:0{seconds(row.cpu_start, 9)}",
    "FrameTime": lambda row: ms(row.shot.returned - row.cpu_start),
    "CPUBusy": lambda row: ms(row.shot.called - row.cpu_start),
    "CPUWait": lambda row: ms(row.shot.returned - row.shot.called),
    "GPULatency": lambda row: ms(max(row.shot.gpu_start - row.cpu_start, 0)),
    "GPUTime": lambda row: ms(row.shot.gpu_end - row.shot.gpu_start),
    "GPUBusy": lambda row: ms(row.shot.gpu_busy),
    "GPUWait": lambda row: ms(row.shot.gpu_end - row.shot.gpu_start - row.shot.gpu_busy),
    "DisplayLatency": lambda row: ms(
        None if row.shot.shown is None else row.shot.shown - row.cpu_start
    ),
    "DisplayedTime": lambda row: ms(
        None
        if row.shot.shown is None or row.shown_after is None
        else row.shown_after - row.shot.shown
    ),
    "AnimationTime": lambda row: ms(row.cpu_start),
    "frametime": lambda row: ms(row.shot.called - row.before.called),
    "fps": lambda row: f"{10**6 / (row.shot.called - row.before.called):.3f}",
    "elapsed": lambda row: str(row.shot.called * 1000),
}
CELLS |= {
    f"Ms{name}": CELLS[name]
    for name in ("CPUBusy", "CPUWait", "GPULatency", "GPUTime", "GPUBusy", "GPUWait")
}
CELLS["MsBetweenAppStart"] = CELLS["FrameTime"]
UNSEEN = ("MsUntilDisplayed", "MsBetweenDisplayChange")
"""Columns in which version 1 writes 0 for a frame that was never shown."""


def cell(name: str, row: Row, version_1: bool = False) -> str:
    write = CELLS.get(name) or CELLS.get(_capital(name))
    text = write(row) if write else CONSTANTS.get(name, NONE)
    return "0.000" if version_1 and text == NONE and _capital(name) in UNSEEN else text


def _capital(name: str) -> str:
    return f"Ms{name[2:]}" if name.startswith("ms") else name


_WHO = "Application,ProcessID,SwapChainAddress"
_END_1 = "TimeInSeconds,MsBetweenPresents,MsBetweenDisplayChange,MsInPresentAPI"
_DONE = "MsUntilRenderComplete,MsUntilDisplayed"
_HOW_2 = "PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,FrameType"
_BODY_2 = (
    "FrameTime,CPUBusy,CPUWait,GPULatency,GPUTime,GPUBusy,GPUWait,VideoBusy,DisplayLatency,"
    "DisplayedTime,AnimationError,AnimationTime,MsFlipDelay,AllInputToPhotonLatency,"
    "ClickToPhotonLatency,InstrumentedLatency"
)
_BODY_24 = (
    "MsBetweenSimulationStart,MsBetweenPresents,MsBetweenDisplayChange,MsInPresentAPI,"
    "MsRenderPresentLatency,MsUntilDisplayed,MsPCLatency,CPUStartQPC,MsBetweenAppStart,MsCPUBusy,"
    "MsCPUWait,MsGPULatency,MsGPUTime,MsGPUBusy,MsGPUWait,MsVideoBusy,MsAnimationError,"
    "AnimationTime,MsFlipDelay,MsAllInputToPhotonLatency,MsClickToPhotonLatency,"
    "MsInstrumentedLatency"
)
_OLD_HOW = "Runtime,SyncInterval,PresentFlags,AllowsTearing,PresentMode"
_BATCHED = f"{_WHO},{_OLD_HOW},WasBatched,DwmNotified,Dropped,{_END_1},{_DONE}"
_HARDWARE = (
    "Motherboard,OS,Processor,System RAM,Base Driver Version,Driver Package,GPU #,GPU,"
    "GPU Core Clock (MHz),GPU Memory Clock (MHz),GPU Memory (MB)"
)

HEADERS: dict[str, str] = {
    "PresentMon 1.0": f"{_WHO},Runtime,SyncInterval,AllowsTearing,PresentFlags,PresentMode,"
    f"Dropped,{_END_1},{_DONE}",
    "PresentMon 1.3": f"{_WHO},{_OLD_HOW},Dropped,{_END_1},{_DONE}",
    "PresentMon 1.3 batched": _BATCHED,
    "PresentMon 1.7": f"{_WHO},Runtime,SyncInterval,PresentFlags,Dropped,TimeInSeconds,"
    "msInPresentAPI,msBetweenPresents,AllowsTearing,PresentMode,msUntilRenderComplete,"
    "msUntilDisplayed,msBetweenDisplayChange,msFlipDelay,msUntilRenderStart,msGPUActive,"
    "msGPUVideoActive,msSinceInput",
    "PresentMon 2.0": f"{_WHO},{_HOW_2},CPUStartTime,{_BODY_2}",
    "PresentMon 2.0 qpc": f"{_WHO},{_HOW_2},CPUStartQPC,{_BODY_2}",
    "PresentMon 2.0 qpc ms": f"{_WHO},{_HOW_2},CPUStartQPCTime,{_BODY_2}",
    "PresentMon 2.0 date": f"{_WHO},{_HOW_2},CPUStartDateTime,{_BODY_2}",
    "PresentMon 2.4": f"{_WHO},{_HOW_2},TimeInSeconds,{_BODY_24}",
    "PresentMon 2.4 qpc": f"{_WHO},{_HOW_2},TimeInQPC,{_BODY_24}",
    "PresentMon 2.4 ms": f"{_WHO},{_HOW_2},TimeInMs,{_BODY_24}",
    "PresentMon capture application": f"{_WHO},{_HOW_2},TimeInSeconds,{_BODY_24},GPUPower,"
    "GPUVoltage,GPUFrequency,GPUUtilization,GPUFanSpeed[0],CPUUtilization",
    "FrameView": "Application,GPU,CPU,Resolution,Runtime,AllowsTearing,ProcessID,"
    "SwapChainAddress,SyncInterval,PresentFlags,PresentMode,Dropped,TimeInSeconds,"
    "MsBetweenPresents,MsBetweenDisplayChange,MsInPresentAPI,MsRenderPresentLatency,"
    "MsUntilDisplayed,Render Queue Depth,MsPCLatency,GPU0Clk(MHz),CPUCoreUtil%[ 0]",
    "OCAT": f"{_BATCHED},{_HARDWARE}",
    "CapFrameX CSV": _BATCHED,
    "MangoHud": "fps,frametime,cpu_load,elapsed",
}
"""Format, and how its columns follow each other; what stands after a version is a variant of it."""

VERSION_1 = ("PresentMon 1", "OCAT", "CapFrameX CSV", "FrameView")


def lines(form: str, shots: Sequence[Shot] = SHOTS) -> Iterator[str]:
    """What stands above the rows, and the rows."""
    names = HEADERS[form].split(",")
    if form == "CapFrameX CSV":
        yield from ("//GameName=Title", "//Comment=none")
    if form == "MangoHud":
        yield from ("os,cpu,gpu,ram,kernel,driver,cpuscheduler", "Linux,CPU,GPU,1,6,,performance")
    yield ",".join(names)
    old = form.startswith(VERSION_1)
    for number, row in enumerate(rows(shots)):
        if form == "OCAT":  # the hardware is told once, and later rows are shorter
            hardware = ["Board", '"Inc, Ltd"', *["1"] * 9] if number == 0 else []
            written = [name for name in names if name not in _HARDWARE.split(",")]
            yield ",".join([*(cell(name, row, old) for name in written), *hardware])
        else:
            yield ",".join(cell(name, row, old) for name in names)


def text_of(form: str, shots: Sequence[Shot] = SHOTS) -> bytes:
    return "".join(f"{line}\n" for line in lines(form, shots)).encode()


JSON_COLUMNS = (
    "TimeInSeconds",
    "MsBetweenPresents",
    "MsInPresentAPI",
    "MsBetweenDisplayChange",
    "MsUntilRenderComplete",
    "MsUntilDisplayed",
)


def json_run(shots: Sequence[Shot] = SHOTS) -> dict[str, object]:
    """A run of CapFrameX, with arrays side by side."""
    listed = rows(shots)
    numbers = {
        name: [float(cell(name, row, version_1=True)) for row in listed] for name in JSON_COLUMNS
    }
    count = len(listed)
    words: dict[str, object] = {
        "Dropped": [row.shot.shown is None for row in listed],
        "PresentMode": [3] * count,
        "SyncInterval": [1] * count,
        "AllowsTearing": [0] * count,
        "GpuActive": [row.shot.gpu_busy / 1000 for row in listed],
        "PcLatency": None,
    }
    return {"PresentMonRuntime": "DXGI", "CaptureData": {**numbers, **words}}


def json_of(*runs: dict[str, object], **info: object) -> bytes:
    about = {"ProcessName": "Title.exe", "Comment": "a comment", **info}
    return json.dumps({"Hash": "0", "Info": about, "Runs": list(runs)}, indent=1).encode()
