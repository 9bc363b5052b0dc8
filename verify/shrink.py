"""The smallest program that still does what a larger one did: differ, or be wrong.

Smaller is: fewer commands, then fewer pieces (accesses, operations, coherency bits, options), then
a shorter text, then the alphabet. `smallest` goes on until no queue, no run of commands, no two
commands and no piece can go, also with works on halves of a line, and one of the alphabet can stand
neither in a command's place nor in that of two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, combinations, product

from fencepost.machine import find_machine
from fencepost.stream.command import (
    Access,
    CacheOperation,
    Command,
    DmaWait,
    EndOfPipe,
    PipelinedEvent,
    SetLabel,
    SurfaceSync,
    WaitMemory,
    Work,
)
from fencepost.stream.legality import check_legality
from fencepost.stream.program import Program, Queue, QueueKind
from fencepost.stream.resource import WHOLE_END, WHOLE_START
from fencepost.stream.text.print_commands import CommandPrinter
from fencepost.stream.text.printer import format_program
from verify.alphabet import Item

Keeps = Callable[[Program], bool]
"""Does the program still do what the first one did?"""

Size = tuple[int, int, int, str]

MOST_HALVED = 4
"""So many works are tried on halves."""

PRINTER = CommandPrinter(find_machine("xbox-one"), QueueKind.GRAPHICS)


def smallest(program: Program, keeps: Keeps, alphabet: Iterable[Item] = ()) -> Program:
    """The end of all steps that make it smaller. ValueError if the program itself does not do it.

    `alphabet`: what may stand in a command's place.
    """
    if not keeps(program):
        raise ValueError("the program to shrink does not do what is asked for")
    items = tuple(alphabet)
    while True:
        less = next((one for one in smaller(program, items) if keeps(one)), None)
        if less is None:
            return bare(program)
        program = less


def smaller(program: Program, items: tuple[Item, ...]) -> Iterator[Program]:
    """Every legal program that is one step smaller, the largest steps first."""
    size = size_of(program)
    for less in chain(
        without_queues(program),
        without_runs(program),
        without_pairs(program),
        without_one_in_halves(program),
        with_lesser(program),
        with_items(program, items),
        with_items_for_two(program, items),
    ):
        if size_of(less) < size and not check_legality(less):
            yield less


def size_of(program: Program) -> Size:
    """What is smaller comes first."""
    commands = [command for queue in program.queues for command in queue.commands]
    text = format_program(program)
    return len(commands), sum(map(pieces, commands)), len(text), text


def pieces(command: Command) -> int:
    """How many things a command does."""
    counted = ("accesses", "operations", "coherency")
    count = sum(len(getattr(command, name, ())) for name in counted)
    policies = [access.policy for access in getattr(command, "accesses", ())]
    options = [getattr(command, name, False) for name in ("synchronous", "raw_wait", "label")]
    return count + sum(map(bool, (*policies, *options))) + (engine_of(command) == "pfp")


def line_of(command: Command) -> tuple[int, int, str]:
    """The size of a command by itself; its text stands for what people would write."""
    text = PRINTER.line(command)
    return pieces(command), len(text), text


def engine_of(command: Command) -> str:
    """The engine that a command names."""
    return str(getattr(command, "engine", ""))


# -- fewer commands


def without_queues(program: Program) -> Iterator[Program]:
    """Without a whole queue."""
    if len(program.queues) > 1:
        for gone in program.queues:
            yield replace(program, queues=tuple(q for q in program.queues if q is not gone))


def without_runs(program: Program, longest: int = 1 << 20) -> Iterator[Program]:
    """Without a run of commands: half of a queue first, one command in the end."""
    for queue in program.queues:
        length = min(max(len(queue.commands) // 2, 1), longest)
        while queue.commands:
            for start in range(0, len(queue.commands), length):
                yield with_commands(
                    program, queue, [*queue.commands[:start], *queue.commands[start + length :]]
                )
            if length == 1:
                break
            length //= 2


def without_pairs(program: Program) -> Iterator[Program]:
    """Without two commands, of whatever queues: a kickoff and its mark, a value and its wait."""
    places = [(queue, at) for queue in program.queues for at in range(len(queue.commands))]
    for (one, first), (other, second) in combinations(places, 2):
        queues = []
        for queue in program.queues:
            gone = {at for which, at in ((one, first), (other, second)) if which is queue}
            kept = [command for at, command in enumerate(queue.commands) if at not in gone]
            queues.append(replace(queue, commands=kept))
        yield replace(program, queues=tuple(queues))


def without_one_in_halves(program: Program) -> Iterator[Program]:
    """Without one command, the works on either half of what they touch, or all of it.

    Neighbours on a line need no order, so a wait may go where works move apart.
    """
    works = [
        (queue, at)
        for queue in program.queues
        for at, command in enumerate(queue.commands)
        if isinstance(command, Work)
    ]
    if len(works) > MOST_HALVED:
        return
    for halves in product((None, 0, 1), repeat=len(works)):
        changed = program
        for (queue, at), half in zip(works, halves, strict=True):
            now = next(one for one in changed.queues if one.name == queue.name)
            work = now.commands[at]
            assert isinstance(work, Work)
            changed = with_commands(changed, now, put(now, at, halved(work, half)))
        if any(half is not None for half in halves):
            yield from without_runs(changed, longest=1)


def halved(work: Work, half: int | None) -> Work:
    """The work on the lower (0) or upper (1) half of each part, or as it is."""
    if half is None:
        return work
    accesses = []
    for access in work.accesses:
        part = next(one for one in access.resource.parts if one.name == access.part)
        bounds = (part.start, (part.start + part.end) // 2, part.end)
        accesses.append(replace(access, start=bounds[half], end=bounds[half + 1]))
    return replace(work, accesses=tuple(accesses))


def with_commands(program: Program, queue: Queue, commands: list[Command]) -> Program:
    """The program with other commands in a queue."""
    changed = replace(queue, commands=commands)
    return replace(program, queues=tuple(changed if q is queue else q for q in program.queues))


# -- smaller commands


def with_lesser(program: Program) -> Iterator[Program]:
    """Each command without a piece."""
    for queue in program.queues:
        for at, command in enumerate(queue.commands):
            for less in lesser(command):
                yield with_commands(program, queue, put(queue, at, less))


def with_items(program: Program, items: tuple[Item, ...]) -> Iterator[Program]:
    """Each command of a graphics queue replaced by one of the alphabet."""
    for queue in program.queues:
        if queue.kind is QueueKind.GRAPHICS:
            for at, command in enumerate(queue.commands):
                most = line_of(command)
                for item in items:
                    if item.is_work == isinstance(command, Work) and line_of(item.command) < most:
                        yield with_commands(program, queue, put(queue, at, item.command))


def with_items_for_two(program: Program, items: tuple[Item, ...]) -> Iterator[Program]:
    """Two commands in a row of a graphics queue replaced by one of the alphabet."""
    for queue in program.queues:
        if queue.kind is QueueKind.GRAPHICS:
            for at in range(len(queue.commands) - 1):
                shorter = [*queue.commands[:at], *queue.commands[at + 1 :]]
                for item in items:
                    shorter[at] = item.command
                    yield with_commands(program, queue, list(shorter))


def put(queue: Queue, at: int, command: Command) -> list[Command]:
    """The commands of a queue with another one at that place."""
    return [*queue.commands[:at], command, *queue.commands[at + 1 :]]


def lesser(command: Command) -> Iterator[Command]:
    """A command without one of its pieces."""
    match command:
        case Work():
            yield from lesser_works(command)
        case EndOfPipe() | PipelinedEvent():
            yield from (replace(command, operations=some) for some in fewer(command.operations))
            if isinstance(command, EndOfPipe) and command.label and command.operations:
                yield replace(command, label=None, value=0)
        case SurfaceSync():
            yield from lesser_syncs(command)
        case WaitMemory() | SetLabel() | DmaWait() if command.engine == "pfp":
            yield replace(command, engine="me")


def lesser_works(work: Work) -> Iterator[Work]:
    """Fewer accesses, whole resources, no policy, no option."""
    for at in range(len(work.accesses) if len(work.accesses) > 1 else 0):
        yield replace(work, accesses=(*work.accesses[:at], *work.accesses[at + 1 :]))
    for at, access in enumerate(work.accesses):
        for less in lesser_accesses(access):
            accesses = (*work.accesses[:at], less, *work.accesses[at + 1 :])
            yield replace(work, accesses=accesses)
    if work.synchronous:
        yield replace(work, synchronous=False)
    if work.raw_wait:
        yield replace(work, raw_wait=False)
    if work.engine == "pfp":
        yield replace(work, engine="me")


def lesser_accesses(access: Access) -> Iterator[Access]:
    """Without its policy; of the whole part."""
    if access.policy is not None:
        yield replace(access, policy=None)
    part = next(one for one in access.resource.parts if one.name == access.part)
    if (access.start, access.end) != (part.start, part.end):
        yield replace(access, start=part.start, end=part.end)


def lesser_syncs(sync: SurfaceSync) -> Iterator[SurfaceSync]:
    """Fewer operations, fewer bits, the whole range, on ME."""
    for some in fewer(sync.operations):
        yield replace(sync, operations=some)
    for bit in sync.coherency:
        yield replace(sync, coherency=tuple(one for one in sync.coherency if one != bit))
    if sync.engine == "pfp":
        yield replace(sync, engine="me")
    if (sync.start, sync.end) != (WHOLE_START, WHOLE_END):
        yield replace(sync, start=WHOLE_START, end=WHOLE_END, surface=None, part="")


def fewer(operations: tuple[CacheOperation, ...]) -> Iterator[tuple[CacheOperation, ...]]:
    """Without each operation."""
    for gone in operations:
        yield tuple(one for one in operations if one is not gone)


def bare(program: Program) -> Program:
    """The program without the resources that nothing names."""
    named = set()
    for queue in program.queues:
        for command in queue.commands:
            named |= {access.resource.name for access in getattr(command, "accesses", ())}
            for field in ("label", "surface", "buffer"):
                resource = getattr(command, field, None)
                if resource is not None:
                    named.add(resource.name)
    kept = tuple(resource for resource in program.resources if resource.name in named)
    return replace(program, resources=kept)
