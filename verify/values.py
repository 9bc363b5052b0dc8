"""Which value each touch of the byte should see and leave (model 2.5, 5.1)."""

from __future__ import annotations

from collections.abc import Callable

from verify.machine import Touch

Place = tuple[int, int]
Part = tuple[int, int, str]
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
    """Number the stages that write the byte, and say what each touch should see and leave.

    A command's own writes may be seen by its reads already (one block in order, or inside a
    shader), atomics may see other atomics of their run or not.
    """
    targets = [touch for touch in touches if touch.target]
    number = {one: 1 << index for index, one in enumerate(writing_parts(touches))}
    plain = {place(touch) for touch in targets if touch.writes and not touch.atomic}
    for touch in targets:
        own = number.get(part(touch), 0)
        due = touch.free = 0
        for other in targets:
            if other.writes and place(other) == place(touch):
                touch.free |= number[part(other)]
            elif other.writes:
                if before(other, touch):
                    due |= number[part(other)]
                if touch.atomic and commute(touch, other, targets, plain, before):
                    touch.free |= number[part(other)]
        touch.value = own if touch.atomic else due | own
        touch.due = due & ~touch.free


def writing_parts(touches: list[Touch]) -> list[Part]:
    """The stages of commands that write the byte, in order: the first has the lowest bit."""
    return sorted({part(touch) for touch in touches if touch.target and touch.writes})


def writing_positions(touches: list[Touch]) -> list[int]:
    """The positions of their commands."""
    return [position for _, position, _ in writing_parts(touches)]


def part(touch: Touch) -> Part:
    """The stage of a command that makes the touch: what it does is over at one time."""
    return (*place(touch), touch.group)


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
