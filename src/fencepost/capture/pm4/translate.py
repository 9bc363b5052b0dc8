"""From packets to a program: one handler a packet, in the order in which CP reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from fencepost.capture.pm4 import settings, synchronization, transfers, works
from fencepost.capture.pm4.annotations import CapturedWork, parse_annotations, resolve
from fencepost.capture.pm4.buffers import Capture, Submission
from fencepost.capture.pm4.labels import LabelTable, Span, label_spans
from fencepost.capture.pm4.packets import Packet, walk
from fencepost.capture.pm4.resources import ResourceTable
from fencepost.capture.pm4.state import GEOMETRY, State
from fencepost.capture.pm4.submissions import SyncObjects
from fencepost.capture.pm4.synchronization import Fields
from fencepost.errors import FencepostError, UsageProblem
from fencepost.stream.assembly import Assembly, located
from fencepost.stream.command import Command, WorkKind
from fencepost.stream.layout import Declaration
from fencepost.stream.legality import require_legal
from fencepost.stream.program import Program, QueueKind
from fencepost.stream.resource import Resource, ResourceKind

DEFAULT_MACHINE = "gcn2-bonaire"

Handler = Callable[[Packet, Fields, State], Iterator[Command]]

HANDLERS: dict[str, Handler] = {
    "filler": settings.nothing,
    "NOP": settings.nothing,
    "SET_BASE": settings.set_base,
    "CLEAR_STATE": settings.clear_state,
    "INDEX_BUFFER_SIZE": settings.index_buffer_size,
    "DISPATCH_DIRECT": works.dispatch,
    "DISPATCH_INDIRECT": works.dispatch,
    "SET_PREDICATION": settings.set_predication,
    "DRAW_INDIRECT": works.draw,
    "DRAW_INDEX_INDIRECT": works.draw,
    "INDEX_BASE": settings.index_base,
    "DRAW_INDEX_2": works.draw,
    "CONTEXT_CONTROL": settings.nothing,
    "INDEX_TYPE": settings.index_type,
    "DRAW_INDIRECT_MULTI": works.draw,
    "DRAW_INDEX_AUTO": works.draw,
    "NUM_INSTANCES": settings.nothing,
    "STRMOUT_BUFFER_UPDATE": transfers.stream_out_update,
    "DRAW_INDEX_OFFSET_2": works.draw,
    "DRAW_PREAMBLE": settings.nothing,
    "WRITE_DATA": transfers.write_data,
    "DRAW_INDEX_INDIRECT_MULTI": works.draw,
    "WAIT_REG_MEM": synchronization.wait_reg_mem,
    "INDIRECT_BUFFER": settings.nothing,
    "COPY_DATA": transfers.copy_data,
    "PFP_SYNC_ME": synchronization.pfp_sync_me,
    "SURFACE_SYNC": synchronization.surface_sync,
    "EVENT_WRITE": synchronization.event_write,
    "EVENT_WRITE_EOP": synchronization.end_of_pipe,
    "EVENT_WRITE_EOS": synchronization.end_of_shader,
    "RELEASE_MEM": synchronization.end_of_pipe,
    "PREAMBLE_CNTL": settings.nothing,
    "DMA_DATA": transfers.dma_data,
    "CONTEXT_REG_RMW": settings.modify_context_register,
    "ACQUIRE_MEM": synchronization.surface_sync,
    "LOAD_UCONFIG_REG": settings.load_registers,
    "LOAD_SH_REG": settings.load_registers,
    "LOAD_CONFIG_REG": settings.load_registers,
    "LOAD_CONTEXT_REG": settings.load_registers,
    "SET_CONFIG_REG": settings.set_registers,
    "SET_CONTEXT_REG": settings.set_registers,
    "SET_SH_REG": settings.set_registers,
    "SET_SH_REG_OFFSET": settings.nothing,
    "SET_UCONFIG_REG": settings.set_registers,
    "SWITCH_BUFFER": settings.nothing,
}
"""By packet name; the opcodes that have no handler say why (`opcodes.ROWS` `refused`)."""

WORK_KINDS: dict[Handler, WorkKind] = {
    works.draw: WorkKind.DRAW,
    works.dispatch: WorkKind.DISPATCH,
}
PREDICABLE = {"DMA_DATA", "NOP"} | {
    name for name, handler in HANDLERS.items() if handler in WORK_KINDS
}
"""Packets that may depend on the predicate: they are taken as if they ran."""


def work_kind(name: str) -> WorkKind | None:
    """Whether a packet of that name draws or dispatches."""
    return WORK_KINDS.get(HANDLERS[name])


def translate(
    captures: Sequence[Capture],
    machine: str = DEFAULT_MACHINE,
    annotations: str = "",
    annotations_file: str = "<annotations>",
) -> Program:
    """The program of captures that were recorded one after the other.

    `annotations` is the text of an annotation file. Raises `PacketProblem`, `ProgramProblem`,
    `UsageProblem`, and `Problems` for the annotations and for what the machine cannot do.
    """
    if not captures or machine not in GEOMETRY:
        raise UsageProblem(
            f"PM4 captures do not run on '{machine}'" if captures else "no capture",
            expected=", ".join(GEOMETRY) if captures else "at least one",
        )
    assembly = Assembly(machine, file=captures[0].file)
    told = parse_annotations(annotations, annotations_file, assembly)
    submissions = [row for capture in captures for row in capture.submissions]
    streams = [list(_supported(submission)) for submission in submissions]
    works_found = list(_works(packet for stream in streams for packet in stream))
    resolved = resolve(told, works_found)
    labels = LabelTable(_declare_labels(assembly, streams))
    objects = SyncObjects.of(submissions, assembly)
    resources = ResourceTable(assembly)
    for number, submission in enumerate(submissions):
        commands = _queue(assembly, submission)
        state = State(submission.ring, GEOMETRY[machine], resources, labels, resolved)
        commands.extend(objects.before(number, state.graphics))
        for packet in streams[number]:
            commands.extend(_commands(packet, state))
        if number + 1 < len(submissions):
            commands.extend(objects.after(number, submission))
    return require_legal(assembly.program())


def _commands(packet: Packet, state: State) -> list[Command]:
    """What one packet becomes; problems that know no place get the packet's."""
    try:
        return list(HANDLERS[packet.name](packet, packet.fields(), state))
    except FencepostError as error:
        raise located(error, packet.place) from None


def _queue(assembly: Assembly, submission: Submission) -> list[Command]:
    """The commands of the submission's queue so far."""
    name = submission.ring.name
    if name not in assembly.queues:
        return assembly.open(name, QueueKind(submission.ring.kind), submission.place)
    return assembly.queues[name][1]


def _supported(submission: Submission) -> Iterator[Packet]:
    """The submission's packets; raises `PacketProblem` at one that is known and not translated."""
    for packet in walk(submission):
        if packet.opcode.refused:
            raise packet.problem(f"not translated: {packet.opcode.refused}")
        if packet.predicated and packet.name not in PREDICABLE:
            raise packet.problem(
                "whether it runs depends on the predicate", "a draw, a dispatch or DMA_DATA"
            )
        yield packet


def _works(packets: Iterable[Packet]) -> Iterator[CapturedWork]:
    """Draws and dispatches, numbered in the order of reading."""
    counts: dict[WorkKind, int] = {}
    for packet in packets:
        kind = work_kind(packet.name)
        if kind is not None:
            counts[kind] = counts.get(kind, 0) + 1
            yield CapturedWork(packet, kind, counts[kind])


def _declare_labels(assembly: Assembly, streams: list[list[Packet]]) -> list[Resource]:
    """A label for every span; a declared one keeps its name and starting value."""
    declared = LabelTable(
        row for row in assembly.resources.values() if row.kind is ResourceKind.LABEL
    )
    labels = []
    for span in label_spans(packet for stream in streams for packet in stream):
        known = declared.covering(span.start, span.end - span.start)
        labels.append(known or _declare(assembly, span))
    return labels


def _declare(assembly: Assembly, span: Span) -> Resource:
    name = f"label-{span.start:#x}"
    return assembly.declare(
        Declaration(name, ResourceKind.LABEL, span.end - span.start, span.start)
    )
