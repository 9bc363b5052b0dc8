"""Several queues: which touch comes before which, if that is so in every execution.

Where it is not, two ideal orders give different values: a race (model 5.1).
"""

from __future__ import annotations

from itertools import combinations

from verify.machine import ByteMachine, Touch
from verify.values import Before, in_program_order


def find_order(machine: ByteMachine) -> Before | None:
    """The order of touches; None if two that conflict may overlap, or come either way round."""
    pairs = [
        (one, other)
        for one, other in combinations(machine.program.touches, 2)
        if one.queue != other.queue and conflict(one, other)
    ]
    seen: set[tuple[int, int]] = set()
    for number in machine.every_control():
        opened, closed = machine.open_touches(number), machine.controls[number][1]
        for one, other in pairs:
            if one.bit & opened and other.bit & opened:
                return None
            if one.bit & closed and other.bit & opened:
                seen.add((one.bit, other.bit))
            if other.bit & closed and one.bit & opened:
                seen.add((other.bit, one.bit))
    if any((second, first) in seen for first, second in seen):
        return None
    return lambda one, other: in_program_order(one, other) or (one.bit, other.bit) in seen


def conflict(one: Touch, other: Touch) -> bool:
    """Both of the byte, at least one a write, not two atomics."""
    if not (one.target and other.target) or (one.atomic and other.atomic):
        return False
    return one.writes or other.writes
