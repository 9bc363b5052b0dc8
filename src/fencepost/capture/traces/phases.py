"""The phases (`ph`) of trace events that no timeline is made of.

Source: "Trace Event Format", section "Event Descriptions".
"""

from __future__ import annotations

LEFT_OUT: dict[str, str] = {
    "i": "instant",
    "I": "instant",
    "C": "counter",
    "b": "asynchronous",
    "n": "asynchronous",
    "e": "asynchronous",
    "S": "asynchronous",
    "T": "asynchronous",
    "p": "asynchronous",
    "F": "asynchronous",
    "P": "sample",
    "N": "object",
    "O": "object",
    "D": "object",
    "M": "metadata",
    "V": "memory dump",
    "v": "memory dump",
    "R": "mark",
    "c": "clock synchronization",
    "(": "context",
    ")": "context",
    "s": "flow",
    "t": "flow",
    "f": "flow",
}
"""Phase -> what it is called; `X`, `B` and `E` are slices."""
