"""From a program's records to what happens to one byte.

The machine of `machine.py` follows one byte at a time. That is exact. Nothing in a program depends
on data except waits, and labels are kept apart: the engines move in the same way whatever the bytes
are. Bytes of different lines share no cache line, and the other bytes of a line matter to this one
only because they bring the line in. So a program is wrong if one of its bytes can go wrong.
"""

from __future__ import annotations

from fencepost.machine.tables import Machine
from fencepost.stream.program import Program
from verify.collect import Collector
from verify.machine import ByteProgram
from verify.values import Before, give_values, in_program_order, order_streams
from verify.walk import WALKS


def lower(
    program: Program,
    machine: Machine,
    guarantees: str,
    byte: int,
    before: Before = in_program_order,
) -> ByteProgram:
    """The program as the byte at this address sees it.

    `before` says which touch comes before which in an ideal order. Raises `Unsupported`.
    """
    collector = Collector(program, machine, guarantees == "documented", byte)
    for number, queue in enumerate(program.queues):
        WALKS[queue.kind](collector, number, queue).walk()
    order_streams(collector.touches)
    give_values(collector.touches, before)
    return collector.finish()
