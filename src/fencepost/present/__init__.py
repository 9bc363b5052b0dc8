"""The presentation queue: what limits a frame rate, and what other settings would do (design 9)."""

from fencepost.present.frames import BOTH, FIRST, SECOND, FrameTimes, constant, frame_times
from fencepost.present.replay import Replay, replay
from fencepost.present.settings import (
    EARLY,
    LATE,
    CapPoint,
    Compositor,
    Display,
    Mode,
    Plane,
    Settings,
    SwapChain,
    change_chain,
)
from fencepost.present.simulation import Simulation, simulation_of
from fencepost.present.states import Overwrite, Span, State, buffer_spans, overwrites
from fencepost.present.statistics import FrameStatistics, frame_statistics
from fencepost.present.summary import Summary, summarize
from fencepost.present.words import change

__all__ = [
    "BOTH",
    "EARLY",
    "FIRST",
    "LATE",
    "SECOND",
    "CapPoint",
    "Compositor",
    "Display",
    "FrameStatistics",
    "FrameTimes",
    "Mode",
    "Overwrite",
    "Plane",
    "Replay",
    "Settings",
    "Simulation",
    "Span",
    "State",
    "Summary",
    "SwapChain",
    "buffer_spans",
    "change",
    "change_chain",
    "constant",
    "frame_statistics",
    "frame_times",
    "overwrites",
    "replay",
    "simulation_of",
    "summarize",
]
