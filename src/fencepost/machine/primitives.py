"""The closed set of steps that synchronization commands are made of (design 2, model 4).

A command row lists steps; the replay carries them out on the clock of the issuing engine. After
`Fork` the remaining
steps happen down the pipe, on a copy of that clock.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Drain:
    """These groups of this queue are complete up to here."""

    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Confirm:
    """Earlier operations of these kinds of this queue are finished.

    Kinds: `event`, `eop`, `action`, `fmask`.

    `documented`: only at that guarantee level (design 4.5).
    """

    kinds: tuple[str, ...]
    documented: bool = False


@dataclass(frozen=True, slots=True)
class Fork:
    """What follows happens when the command has travelled down the pipe."""


@dataclass(frozen=True, slots=True)
class Follow:
    """Values of this kind are written in order: this one comes after the earlier ones."""

    chain: str


@dataclass(frozen=True, slots=True)
class Operate:
    """Carry out the command's cache operations on these caches (as the operations table names them.

    Empty: all).
    """

    caches: tuple[str, ...] = ()
    unconfirmed: str = ""


@dataclass(frozen=True, slots=True)
class Drop:
    """These caches lose their clean lines; nothing is written back."""

    caches: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Flush:
    """These caches are written back and invalidated without being asked for."""

    caches: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """Later accesses of an in-order block come after this command's operations on its caches."""


@dataclass(frozen=True, slots=True)
class Pend:
    """Finished some time later: a confirm of this kind says so."""

    kind: str


@dataclass(frozen=True, slots=True)
class Release:
    """Write the command's value: whoever sees it may take this clock for granted.

    `group`: values of this kind become visible as one monotone position ("" = the issuing engine's
    own).
    """

    group: str = ""


@dataclass(frozen=True, slots=True)
class Acquire:
    """Wait for the command's label (or kickoff): take what every possible writer guarantees."""


@dataclass(frozen=True, slots=True)
class Handover:
    """PFP waits until ME has handled everything before here."""


@dataclass(frozen=True, slots=True)
class Stall:
    """Wait for the contexts that hold a draw on the command's range; confirm their events."""


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll the context unless the current one holds no draw.

    The eighth roll waits for a free one.
    """


@dataclass(frozen=True, slots=True)
class Perform:
    """Make the command's own access (timestamp, scan-out) here."""


@dataclass(frozen=True, slots=True)
class Unflip:
    """The command's buffer is no longer visible."""


Step = (
    Drain
    | Confirm
    | Fork
    | Follow
    | Operate
    | Drop
    | Flush
    | Order
    | Pend
    | Release
    | Acquire
    | Handover
    | Stall
    | Roll
    | Perform
    | Unflip
)
