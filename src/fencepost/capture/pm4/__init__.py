"""PM4 command streams of GFX7: carriers, packets, registers, and the program that they make."""

from fencepost.capture.pm4.buffers import Capture, CommandBuffer, Ring, Submission, SyncPoint
from fencepost.capture.pm4.carriers import is_pm4, read_capture
from fencepost.capture.pm4.load import load
from fencepost.capture.pm4.packets import Packet, packets, walk
from fencepost.capture.pm4.translate import DEFAULT_MACHINE, translate

__all__ = [
    "DEFAULT_MACHINE",
    "Capture",
    "CommandBuffer",
    "Packet",
    "Ring",
    "Submission",
    "SyncPoint",
    "is_pm4",
    "load",
    "packets",
    "read_capture",
    "translate",
    "walk",
]
