"""Which value each touch of the byte should see and leave (model 2.5, 5.1)."""

from __future__ import annotations

from collections.abc import Callable

from verify.machine import Touch

Place = tuple[int, int]
Before = Callable[[Touch, Touch], bool]


def in_program_order(one: Touch, other: Touch) -> bool:
    """On one queue the ideal machine runs commands in order."""
    return one.queue == other.queue and one.position < other.position


def order_streams(touches: list[Touch]) -> None:
    """What comes before each touch in its in-order block."""
    for touch in touches:
        for other in touches if touch.stream else ():
            if other.stream == touch.stream and in_program_order(other, touch):
                touch.earlier |= other.bit
                if other.writes and other.target:
                    touch.earlier_writes |= other.bit


def give_values(touches: list[Touch], before: Before = in_program_order) -> None:
    """Number the commands that write the byte, and say what each touch should see and leave.

    A command's own write may be seen by its reads already (one block in order, or inside a shader),
    atomics may see other atomics of their run or not.
    """
    targets = [touch for touch in touches if touch.target]
    writers = writing_places(touches)
    number = {one: 1 << index for index, one in enumerate(writers)}
    plain = {place(touch) for touch in targets if touch.writes and not touch.atomic}
    for touch in targets:
        own = number.get(place(touch), 0)
        due = 0
        touch.free = own
        for other in targets:
            if other.writes and place(other) != place(touch):
                if before(other, touch):
                    due |= number[place(other)]
                if touch.atomic and commute(touch, other, targets, plain, before):
                    touch.free |= number[place(other)]
        touch.value = own if touch.atomic else due | own
        touch.due = due & ~touch.free


def writing_places(touches: list[Touch]) -> list[Place]:
    """The commands that write the byte, in order: the first has the lowest bit."""
    return sorted({place(touch) for touch in touches if touch.target and touch.writes})


def writing_positions(touches: list[Touch]) -> list[int]:
    """Their positions."""
    return [position for _, position in writing_places(touches)]


def place(touch: Touch) -> Place:
    """The command that makes the touch."""
    return touch.queue, touch.position


def commute(
    one: Touch, other: Touch, targets: list[Touch], plain: set[Place], before: Before
) -> bool:
    """Two atomics with no other kind of write between them may come in either order."""
    if place(one) in plain or place(other) in plain:
        return False
    if not (before(one, other) or before(other, one)):
        return True
    first, second = (one, other) if before(one, other) else (other, one)
    return not any(
        place(between) in plain and before(first, between) and before(between, second)
        for between in targets
        if between.writes
    )
