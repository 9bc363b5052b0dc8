"""The columns of a program's works, and those of its record, as kernels read and write them."""

from __future__ import annotations

from fencepost.timing.code import Works
from fencepost.timing.record import Record


class Table:
    """One attribute a column; what they hold is said at `Works` and `Record`."""

    def __init__(self, works: Works, record: Record) -> None:
        self.works = len(works.queue)
        self.queue = works.queue
        self.kind = works.kind
        self.time = works.time
        self.tail = works.tail
        self.vertex = works.vertex
        self.residency = works.residency
        self.lines_up = works.lines_up
        self.by_pfp = works.by_pfp
        self.in_turn = works.in_turn
        self.first_job = works.first_job
        self.job_unit = works.job_unit
        self.job_cap = works.job_cap
        self.job_body = works.job_body
        self.job_tail = works.job_tail
        self.first_print = works.first_print
        self.print_cache = works.print_cache
        self.print_start = works.print_start
        self.print_end = works.print_end
        self.handed = record.handed
        self.ready = record.ready
        self.launched = record.launched
        self.launched_by = record.launched_by
        self.released = record.released
        self.vertex_ready = record.vertex_ready
        self.vertex_done = record.vertex_done
        self.shader_ready = record.shader_ready
        self.shader_done = record.shader_done
        self.shaded_by = record.shaded_by
        self.end_ready = record.end_ready
        self.end_done = record.end_done
        self.ended_by = record.ended_by
        self.rank = record.rank
        self.issued = record.issued
        self.arrived = record.arrived
        self.operated_from = record.operated_from
        self.operated = record.operated
        self.sent = record.sent
        self.arrived_value = record.arrived_value
        self.fork_end_rank = record.fork_end_rank
        self.fork_rank = record.fork_rank
