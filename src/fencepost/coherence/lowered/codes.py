"""Codes that the lowered replay is written in: operations on clocks, lists of a segment, ends."""

from __future__ import annotations

CLEAN, HAZARD, UNDECIDED = range(3)
"""How a walk ends: every access is right; one is not; the walk cannot tell."""

WRITES, READS, EXPOSED, FRESH, OLD, PASSED = range(6)
LISTS = 6
"""What is known of a segment, as in `memory.Segment`; PASSED: every read that was exposed before
the last write."""

WAY_BITS = 12
WAY_MASK = (1 << WAY_BITS) - 1
CACHE_BITS = 5
CACHE_MASK = (1 << CACHE_BITS) - 1
"""Keys, as in `ways` and `access`: `queue << WAY_BITS | way`, `point << CACHE_BITS | cache`."""

(
    ON,
    FORK,
    RAISE,
    SET,
    COPY,
    LOAD,
    LEAST,
    STORE,
    JOIN,
    CONFIRM,
    PEND,
    KEEP,
    RESTORE,
    EVENT,
    STALL,
    RETIRE,
    ACQUIRE,
    RELEASE,
    ACCESS,
    PRESENT,
    UNFLIP,
    USE,
    LEAN,
    JUDGE,
) = range(24)
"""On the clock at hand, unless something else is said. ON slot: that clock is at hand. FORK slot:
copy it there and go on with the copy. RAISE point, to: at least `to` (HERE, NEXT, or another
point). SET point: here. COPY point, from: at least as `from`. LOAD point, LEAST point, STORE point:
raise a point to the least of several. JOIN slot: raise every point to that of the slot. CONFIRM
slot, leans: the same if the slot has been filled. PEND slot: join this clock into the slot. KEEP
slot: copy it there. RESTORE point, slot: as it is there. EVENT block: note it as that block's
event. STALL number, before: wait for contexts. RETIRE: ME has waited for old contexts. ACQUIRE,
RELEASE forked: a wait, a value. ACCESS: the command's own. PRESENT slot: KEEP, and remember the
command. UNFLIP slot, point: its present is over. USE point: its cache is used here. LEAN: a
guarantee that only `documented` gives. JUDGE stream: does this cache operation find anything to do?
"""

HERE, NEXT = -1, -2
"""The position of the command, and one more."""
