"""Frames one after the other: how a hazard between two frames comes to light (design 6)."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, cast

from fencepost.errors import ProgramProblem, UsageProblem
from fencepost.stream.command import Access, Command
from fencepost.stream.program import Program
from fencepost.stream.resource import GDS_BASE, Part, Resource, ResourceKind

LINE = 64

Twins = dict[Resource, Resource]


def repeat(program: Program, frames: int) -> Program:
    """The program with every queue's commands `frames` times in a row.

    Resources stay the same, so what one frame leaves behind is what the next one finds. A label
    marked `per_frame` has bytes and a starting value of its own in every frame; any other label
    keeps the last frame's value, and a wait of this frame may be satisfied by it. Raises
    `UsageProblem` for fewer than one frame, `ProgramProblem` where a `per_frame` label lies on
    another resource.
    """
    if frames < 1:
        raise UsageProblem(f"{frames} frames", expected="1 or more")
    if frames == 1:
        return program
    fresh = [label for label in program.resources if label.per_frame]
    _check_alone(program, fresh)
    twins = _twins(program, fresh, frames - 1)
    return replace(
        program,
        resources=(*program.resources, *(twin for frame in twins for twin in frame.values())),
        queues=tuple(
            replace(queue, commands=[*queue.commands, *_copies(list(queue.commands), twins)])
            for queue in program.queues
        ),
        frames=program.frames * frames,
    )


def _check_alone(program: Program, labels: list[Resource]) -> None:
    for label in labels:
        for other in program.resources:
            shared = other is not label and any(
                part.start < label.main.end and label.main.start < part.end for part in other.parts
            )
            if shared:
                raise ProgramProblem(
                    f"label '{label.name}' is per frame but shares bytes with '{other.name}'",
                    label.place,
                    "a label with bytes of its own",
                )


def _twins(program: Program, labels: list[Resource], count: int) -> list[Twins]:
    """For each further frame its own copy of each label (`done@2`), on lines of its own."""
    ends = [part.end for item in program.resources for part in item.parts if part.end <= GDS_BASE]
    line = -(-max(ends, default=0) // LINE)
    twins: list[Twins] = []
    for number in range(count):
        twins.append({})
        for label in labels:
            start = line * LINE + label.main.start % LINE
            twins[-1][label] = _twin(label, start, f"{label.name}@{number + 2}")
            line += 1
    return twins


def _twin(label: Resource, start: int, name: str) -> Resource:
    part = Part(label.main.name, start, start + label.main.size)
    return replace(label, name=name, parts=(part,))


def _copies(commands: list[Command], twins: list[Twins]) -> list[Command]:
    return [_copy(command, frame) if frame else command for frame in twins for command in commands]


def _copy(command: Command, twins: Twins) -> Command:
    """The command with each label of the first frame replaced by its twin."""
    changed: dict[str, Any] = {}
    for field in fields(command):
        value = getattr(command, field.name)
        other = _in_frame(value, twins)
        if other is not value:
            changed[field.name] = other
    return replace(command, **changed) if changed else command


def _in_frame(value: object, twins: Twins) -> object:
    if isinstance(value, Resource):
        return twins.get(value, value) if value.kind is ResourceKind.LABEL else value
    if isinstance(value, Access):
        return _access(value, twins)
    if isinstance(value, tuple) and value and isinstance(value[0], Access):
        return tuple(_access(access, twins) for access in cast("tuple[Access, ...]", value))
    return value


def _access(access: Access, twins: Twins) -> Access:
    twin = twins.get(access.resource)
    if twin is None:
        return access
    shift = twin.main.start - access.resource.main.start
    return replace(access, resource=twin, start=access.start + shift, end=access.end + shift)
