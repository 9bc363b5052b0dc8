"""What the tests of the explorer share: streams as text, and both verdicts on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fencepost.machine import find_machine
from fencepost.stream.command import CacheOperation, Command, Kickoff, Work
from fencepost.stream.program import Program
from fencepost.stream.text.parser import parse_text
from verify.alphabet import RESOURCES
from verify.explore import Tally, Verdict, explore


def stream(commands: str, machine: str = "xbox-one") -> Program:
    """A graphics queue on the resources of the alphabet; a bar or a new line ends a command."""
    commands = commands.replace("|", "\n")
    return parse_text(f"machine {machine}\n{RESOURCES}\nqueue gfx: graphics\n{commands}\n")


def verdict(program: Program, guarantees: str = "") -> Verdict:
    """The explorer's, at that level or the machine's own."""
    machine = find_machine(program.machine)
    return explore(program, machine, guarantees or machine.guarantees, Tally())


def position(commands: str, guarantees: str = "", machine: str = "xbox-one") -> int | None:
    """The first command that can go wrong."""
    return verdict(stream(commands, machine), guarantees).position


def lighter(program: Program) -> Iterator[tuple[str, Program]]:
    """The program without one of its synchronization commands, operations or coherency bits."""
    for number, queue in enumerate(program.queues):
        for at, command in enumerate(queue.commands):
            for what, less in pieces(command):
                commands = (*queue.commands[:at], *less, *queue.commands[at + 1 :])
                queues = list(program.queues)
                queues[number] = replace(queue, commands=commands)
                yield f"{queue.name} {at}: {what}", replace(program, queues=tuple(queues))


def pieces(command: Command) -> Iterator[tuple[str, tuple[Command, ...]]]:
    """A synchronization command taken away, or only a part of it."""
    if isinstance(command, Work | Kickoff):
        return
    yield type(command).__name__, ()
    operations: tuple[CacheOperation, ...] = getattr(command, "operations", ())
    for one in operations if len(operations) > 1 else ():
        rest = tuple(other for other in operations if other is not one)
        yield f"{type(command).__name__} {one}", (replace(command, operations=rest),)  # type: ignore[call-arg]
    if getattr(command, "coherency", ()):
        yield "coherency", (replace(command, coherency=()),)  # type: ignore[call-arg]
