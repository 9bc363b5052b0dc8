"""What each synchronization command does, in primitives (model 4; design 4.3)."""

from __future__ import annotations

from fencepost.machine.primitives import (
    Acquire,
    Confirm,
    Drain,
    Drop,
    Flush,
    Follow,
    Fork,
    Handover,
    Operate,
    Order,
    Pend,
    Perform,
    Release,
    Roll,
    Stall,
    Step,
    Unflip,
)
from fencepost.machine.tables import CommandRow

PARTIAL = 'seed 000 "Partial flush"'
FENCES = 'seed 000 "EOS and EOP fences"'
SYNC = 'seed 000 "Surface sync"'
FLUSHES = 'seed 000 "Top-of-pipe and end-of-pipe flushes"'
GPU = ("graphics", "compute")
ALL_QUEUES = ("graphics", "compute", "copy", "cpu")
BACK_END = ("cb.pixels", "cb.metadata", "db.pixels", "db.metadata")
READ_CACHES = ("tcc", "tcp", "k", "i")
EOS = ("eos.ps", "eos.cs")
PIPELINED = Confirm(("event", "eop"), documented=True)


def command_rows(
    draw_end: tuple[str, ...],
    *,
    kickoff: tuple[Step, ...],
    frame: tuple[Step, ...],
    only_idle: tuple[str, ...],
) -> tuple[CommandRow, ...]:
    """The rows of a machine.

    Its draws end with the groups `draw_end`; `kickoff` and `frame` are what starts of a command
    buffer and of a frame do; `only_idle` are the kinds that nothing but an idle confirms.
    """
    end_of_pipe = (*draw_end, "cs")
    return (
        CommandRow(
            "PartialFlush",
            "vs",
            ("graphics",),
            (Drain(("vs",)),),
            "GpuSendPipelinedEvent(VS_PARTIAL_FLUSH)",
            "EVENT_WRITE",
            "VS of earlier draws has drained",
            PARTIAL,
        ),
        CommandRow(
            "PartialFlush",
            "ps",
            ("graphics",),
            (Drain(("vs", "ps")), PIPELINED),
            "GpuSendPipelinedEvent(PS_PARTIAL_FLUSH)",
            "EVENT_WRITE",
            "VS and PS of earlier draws have drained",
            f"{PARTIAL}; design 4.5",
        ),
        CommandRow(
            "PartialFlush",
            "cs",
            GPU,
            (Drain(("cs",)), Confirm(("eop",), documented=True)),
            "GpuSendPipelinedEvent(CS_PARTIAL_FLUSH)",
            "EVENT_WRITE",
            "CS of earlier dispatches has drained",
            f"{PARTIAL}; design 4.5",
        ),
        CommandRow(
            "EndOfPipe",
            "",
            GPU,
            (
                Order(),
                Fork(),
                Drain((*end_of_pipe, *EOS)),
                Operate(),
                Pend("eop"),
                PIPELINED,
                Follow("eop"),
                Perform(),
                Release("eop"),
            ),
            "WriteValueEndOfPipe",
            "EVENT_WRITE_EOP; RELEASE_MEM",
            "earlier draws and dispatches passed the end of pipe, own operations finished, then "
            "the value",
            FENCES,
        ),
        CommandRow(
            "EndOfShader",
            "ps",
            ("graphics",),
            (Fork(), Drain(("vs", "ps")), PIPELINED, Release("eos.ps")),
            "WriteValueEndOfPipe(EOS)",
            "EVENT_WRITE_EOS PS_DONE",
            "last wave of earlier draws retired, then the value",
            f"{FENCES}; design 4.5",
        ),
        CommandRow(
            "EndOfShader",
            "cs",
            GPU,
            (Fork(), Drain(("cs",)), Confirm(("eop",), documented=True), Release("eos.cs")),
            "WriteValueEndOfPipe(EOS)",
            "EVENT_WRITE_EOS CS_DONE; RELEASE_MEM",
            "last wave of earlier dispatches retired, then the value; not delayed by draws",
            f"{FENCES}; design 4.5",
        ),
        CommandRow(
            "WaitMemory",
            "",
            ALL_QUEUES,
            (Acquire(),),
            "InsertWaitOnMemory",
            "WAIT_REG_MEM",
            "what every write that could satisfy it guarantees",
            FENCES,
        ),
        CommandRow(
            "SetLabel",
            "",
            ALL_QUEUES,
            (Release(),),
            "-",
            "WRITE_DATA",
            "the value, at once",
            "hardware.md 1.3",
        ),
        CommandRow(
            "PfpSyncMe",
            "",
            ("graphics",),
            (Handover(),),
            "GpuSendPipelinedEvent(PFP_SYNC_ME)",
            "PFP_SYNC_ME",
            "ME has handled everything before",
            'seed 000 "Examples"; hardware.md 1.3',
        ),
        CommandRow(
            "WaitIdle",
            "",
            GPU,
            (
                Drain((*end_of_pipe, "so", "eop", *EOS)),
                Confirm(("event", "eop", "action", *only_idle)),
            ),
            "InsertWaitUntilIdle",
            "EVENT_WRITE_EOP + WAIT_REG_MEM",
            "everything earlier past the end of pipe, flushes finished",
            f"{FENCES}; {SYNC}",
        ),
        CommandRow(
            "PipelinedEvent",
            "",
            ("graphics",),
            (Order(), Fork(), Operate(), Pend("event")),
            "GpuSendPipelinedEvent",
            "EVENT_WRITE",
            "the operations, at the end of pipe of the preceding draws, in order with the block's "
            "accesses",
            FLUSHES,
        ),
        CommandRow(
            "SurfaceSync",
            "",
            GPU,
            (
                Stall(),
                Operate(BACK_END, unconfirmed="action"),
                Operate(READ_CACHES),
                Roll(),
            ),
            "FlushGpuCacheRange; FlushGpuCachesTopOfPipe",
            "SURFACE_SYNC; ACQUIRE_MEM",
            "contexts on the range are done, then the operations, far to near, confirmed",
            SYNC,
        ),
        CommandRow(
            "ContextWrite",
            "",
            ("graphics",),
            (Roll(),),
            "-",
            "SET_CONTEXT_REG",
            "the eighth roll waits for a free context",
            f"{FENCES}; hardware.md 1.7",
        ),
        CommandRow(
            "DmaWait",
            "",
            GPU,
            (Drain(("dma", "dma.pfp")),),
            "-",
            "DMA_DATA of no bytes with CP_SYNC",
            "the CP DMA is idle",
            "hardware.md 1.3",
        ),
        CommandRow(
            "Kickoff",
            "gpu",
            GPU,
            (Acquire(), *kickoff),
            "-",
            "-",
            "the CPU's writes before the kickoff",
            'seed 000 "Examples"; design 4.3',
        ),
        CommandRow(
            "Kickoff",
            "cpu",
            ("cpu",),
            (Drain(("wc",)), Release()),
            "-",
            "-",
            "submits",
            'seed 000 "Examples"; design 4.3',
        ),
        CommandRow(
            "Frame",
            "",
            GPU,
            frame,
            "-",
            "-",
            "the read caches hold nothing old",
            'seed 000 "Examples" (not seen in this frame); design 4.3',
        ),
        CommandRow(
            "Present",
            "",
            ("graphics",),
            (Fork(), Drain((*end_of_pipe, *EOS)), PIPELINED, Perform()),
            "Present",
            "-",
            "the flip comes after the end of pipe of everything earlier",
            "design 9",
        ),
        CommandRow(
            "WaitFlip",
            "",
            ("graphics",),
            (Unflip(),),
            "InsertWaitOnPresent",
            "WAIT_REG_MEM",
            "the buffer is no longer visible",
            "hardware.md 7",
        ),
    )


NOTHING: tuple[Step, ...] = ()
FLUSH_AT_START: tuple[Step, ...] = (Flush(READ_CACHES),)
DROP_AT_START: tuple[Step, ...] = (Drop(READ_CACHES),)
