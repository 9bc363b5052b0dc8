"""Commands to lines: the way back of `work` and `synchronization`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fencepost.errors import ProgramProblem
from fencepost.machine import Machine
from fencepost.stream.assembly import touched_parts
from fencepost.stream.command import (
    FULL_MASK,
    Access,
    Command,
    ContextWrite,
    DmaWait,
    EndOfPipe,
    EndOfShader,
    Frame,
    Kickoff,
    PartialFlush,
    PfpSyncMe,
    PipelinedEvent,
    Present,
    SetLabel,
    SurfaceSync,
    WaitFlip,
    WaitIdle,
    WaitMemory,
    Work,
    WorkKind,
)
from fencepost.stream.program import QueueKind
from fencepost.stream.resource import WHOLE_END, WHOLE_START, Part
from fencepost.stream.text.lexer import quote
from fencepost.stream.text.spelling import (
    NO_WORDS,
    name_text,
    number_text,
    operations_text,
    reference_text,
)
from fencepost.stream.text.work import THROUGH
from fencepost.stream.units import is_duration
from fencepost.stream.verbs import default_kind


class CommandPrinter:
    """Prints the commands of one queue."""

    def __init__(self, machine: Machine, kind: QueueKind) -> None:
        self.machine = machine
        self.kind = kind

    def line(self, command: Command) -> str:
        """The line of a command, without indentation."""
        head, _, operands = PRINTERS[type(command)](self, command).partition(" ")
        title = f" {quote(command.name)}" if command.name else ""
        return f"{head}{title} {operands}".rstrip()

    def engine(self, engine: str) -> str:
        """The engine where the queue has two."""
        return f"{engine} " if self.kind is QueueKind.GRAPHICS else ""

    def work(self, work: Work) -> str:
        """A work, in its short form where it has one."""
        line = self._short(work) or self._general(work)
        return f"{line} {_cost(work)}" if work.cost else line

    def _general(self, work: Work) -> str:
        uses = "; ".join([*self._accesses(work.accesses), *(f"{b}.unknown" for b in work.unknown)])
        if work.kind == work.verb and work.verb in ("draw", "dispatch"):
            return f"{work.verb} {uses}"
        return " ".join([work.verb, "as", work.kind, *_options(work), uses])

    def _short(self, work: Work) -> str:
        """`copy X from Y`, `clear X`, `read X`, `write X`; "" where the work is none of them."""
        if work.unknown or work.kind is not default_kind(work.verb, self.kind):
            return ""
        if any(access.block != work.kind for access in work.accesses):
            return ""
        uses = tuple(access.use for access in work.accesses)
        through = _SHORT.get((work.verb, uses))
        if through is None or (through and work.kind is not WorkKind.DMA):
            return ""
        names = [_operand(access) for access in reversed(work.accesses)]
        verb = "write-combined" if uses == ("write-combined",) else work.verb
        return " ".join([verb, " from ".join(names), *through, *_options(work)])

    def _accesses(self, accesses: tuple[Access, ...]) -> list[str]:
        """Each access, those that one line without a part means together."""
        texts: list[str] = []
        index = 0
        while index < len(accesses):
            text, count = self._access(accesses, index)
            texts.append(text)
            index += count
        return texts

    def _access(self, accesses: tuple[Access, ...], index: int) -> tuple[str, int]:
        access = accesses[index]
        use = f"{access.block}.{access.use}"
        policy = f" {access.policy}" if access.policy else ""
        touched = touched_parts(self.machine, access.block, access.use, access.resource)
        together = accesses[index : index + len(touched)]
        if together == tuple(_whole(access, part) for part in touched):
            return f"{use} {name_text(access.resource.name)}{policy}", len(touched)
        operand = _operand(access, spell_main=len(touched) > 1)
        return f"{use} {operand}{policy}", 1


def _whole(access: Access, part: Part) -> Access:
    return Access(
        access.block,
        access.use,
        access.resource,
        part.name,
        part.start,
        part.end,
        access.policy,
    )


def _operand(access: Access, spell_main: bool = False) -> str:
    """The bytes of an access; `spell_main`: a whole main part must be named to stand alone."""
    part = access.resource.part(access.part)
    if part is None:
        raise ProgramProblem(f"'{access.resource.name}' has no part '{access.part}'")
    if spell_main and (access.start, access.end) == (part.start, part.end):
        return f"{name_text(access.resource.name)}.{part.name}"
    return reference_text(access.resource, part, access.start, access.end)


_SHORT: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {
    ("copy", ("read", "write")): (),
    ("clear", ("write",)): (),
    ("read", ("read",)): (),
    ("write", ("write",)): (),
    ("write", ("write-combined",)): (),
    ("clear", ("write-tcc",)): ("through", "tcc"),
    **{("copy", uses): ("through", word) for word, uses in THROUGH.items()},
}
"""Works that have a short form, by verb and uses, with the words that it needs."""


def _options(work: Work) -> list[str]:
    words = ["by pfp"] if work.engine == "pfp" else []
    words += ["sync"] * work.synchronous
    return words + ["raw-wait"] * work.raw_wait


def _cost(work: Work) -> str:
    pairs = (
        value if key == "time" and is_duration(value) else f"{key}={value}"
        for key, value in work.cost
    )
    return f"@ {' '.join(pairs)}"


def _flush(_: CommandPrinter, command: PartialFlush) -> str:
    return f"flush {command.stage}"


def _eos(_: CommandPrinter, command: EndOfShader) -> str:
    value = number_text(command.value)
    return f"eos {command.stage} {name_text(command.label.name)} = {value}"


def _eop(_: CommandPrinter, command: EndOfPipe) -> str:
    words = ["eop"]
    if command.label is not None:
        words.append(f"{name_text(command.label.name)} = {number_text(command.value)}")
    if command.timestamp is not None:
        words.append(f"timestamp {_operand(command.timestamp)}")
    if command.operations:
        words.append(f"with {operations_text(command.operations)}")
    return " ".join(words)


def _wait(printer: CommandPrinter, command: WaitMemory) -> str:
    condition = f"{command.comparison} {number_text(command.reference)}"
    if command.mask != FULL_MASK:
        condition += f" & {command.mask:#x}"
    return f"wait {printer.engine(command.engine)}{name_text(command.label.name)} {condition}"


def _set(printer: CommandPrinter, command: SetLabel) -> str:
    label = name_text(command.label.name)
    return f"set {printer.engine(command.engine)}{label} = {number_text(command.value)}"


def _sync(printer: CommandPrinter, command: SurfaceSync) -> str:
    words = [f"sync {printer.engine(command.engine)}{operations_text(command.operations)}".rstrip()]
    whole = (command.start, command.end) == (WHOLE_START, WHOLE_END)
    if command.coherency or not whole:
        words += ["coherent", *command.coherency, "all" if whole else _sync_range(command)]
    return " ".join(words)


def _sync_range(command: SurfaceSync) -> str:
    surface = command.surface
    raw = f"{command.start:#x}:{command.end:#x}"
    if surface is None:
        return raw
    part = surface.part(command.part) if command.part else surface.main
    if part is None or not part.start <= command.start < command.end <= part.end:
        return raw
    return reference_text(surface, part, command.start, command.end)


def _dma_wait(printer: CommandPrinter, command: DmaWait) -> str:
    return f"dma wait {printer.engine(command.engine)}".rstrip()


def _kickoff(_: CommandPrinter, command: Kickoff) -> str:
    return f"kickoff {name_text(command.queue, NO_WORDS)}" if command.queue else "kickoff"


PRINTERS: dict[type[Command], Callable[[CommandPrinter, Any], str]] = {
    Work: CommandPrinter.work,
    PartialFlush: _flush,
    EndOfShader: _eos,
    EndOfPipe: _eop,
    WaitMemory: _wait,
    SetLabel: _set,
    SurfaceSync: _sync,
    DmaWait: _dma_wait,
    Kickoff: _kickoff,
    PipelinedEvent: lambda _, command: f"event {operations_text(command.operations)}",
    Present: lambda _, command: f"present {name_text(command.access.resource.name)}",
    WaitFlip: lambda _, command: f"wait flip {name_text(command.buffer.name)}",
    WaitIdle: lambda *_: "wait idle",
    PfpSyncMe: lambda *_: "pfp-sync-me",
    ContextWrite: lambda *_: "context",
    Frame: lambda *_: "frame",
}
"""One printer a command; behind the first word of its line goes the command's name."""
