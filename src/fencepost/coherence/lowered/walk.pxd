cimport cython

from fencepost.coherence.lowered.accesses cimport Accesses

cdef long long CLEAN, HAZARD, UNDECIDED, HERE, NEXT
cdef long long ON, FORK, RAISE, SET, COPY, LOAD, LEAST, STORE, JOIN, CONFIRM, PEND, KEEP, RESTORE
cdef long long EVENT, STALL, RETIRE, ACQUIRE, RELEASE, ACCESS, PRESENT, UNFLIP, USE, LEAN, JUDGE


cdef class Walk(Accesses):
    cdef long long queues
    cdef int[::1] queue_firsts, shapes, firsts, retired
    cdef int[::1] shape_first, shape_middle, shape_works, shape_kicks, codes, engine_slots
    cdef int[::1] arrive_first, arrivals
    cdef long long[::1] stall_start, stall_end
    cdef int[::1] stall_whole, stall_so, stall_surfaces, stall_blocks_first, stall_blocks
    cdef int[::1] stream_first, stream_targets, stream_sources, draw_end
    cdef long long so_done, blocks
    cdef long long surface_count
    cdef int[::1] starts_first, starts, draws_first, draws, uses_first, uses
    cdef long long[::1] surface_start, surface_end
    cdef int[::1] numbers, write_points, write_queues, write_at, source_first, sources
    cdef long long[::1] write_clocks, wait_clocks
    cdef int[::1] written
    cdef int[::1] filled
    cdef long long[::1] present_at
    cdef long long event_room
    cdef list event_store
    cdef long long[::1] events, event_positions, event_before
    cdef int[::1] event_rows
    cdef long long event_count
    cdef long long[::1] covered, positions, least
    cdef int[::1] judged
    cdef bint with_accesses, with_repeats
    cdef readonly bint leaned
    cdef long long command, clock, low

    @cython.locals(
        left=cython.bint,
        moved=cython.bint,
        queue=cython.longlong,
        before=cython.longlong,
        first=cython.longlong,
    )
    cpdef int run(self, bint accesses, bint repeats) except -1
    @cython.locals(
        first=cython.longlong,
        last=cython.longlong,
        at=cython.longlong,
        shape=cython.longlong,
        works=cython.longlong,
    )
    cdef bint run_queue(self, long long queue) except -1
    @cython.locals(
        wait=cython.longlong,
        first=cython.longlong,
        last=cython.longlong,
        row=cython.longlong,
        source=cython.longlong,
        ahead=cython.bint,
    )
    cdef bint may_go(self, long long at, long long queue, long long position) except -1
    @cython.locals(row=cython.longlong, at=cython.longlong)
    cdef int arrive(self, long long queue) except -1
    @cython.locals(
        first=cython.longlong,
        last=cython.longlong,
        aside=cython.longlong,
        engine=cython.longlong,
        end=cython.longlong,
        slot=cython.longlong,
        clock=cython.longlong,
    )
    cdef bint work(self, long long at, long long shape, long long works) except -1
    @cython.locals(
        until=cython.longlong, clock=cython.longlong, row=cython.longlong, at=cython.longlong
    )
    cdef int retire(self) except -1
    @cython.locals(
        one=cython.longlong, two=cython.longlong, span=cython.longlong, other=cython.longlong
    )
    cdef bint loops(self, long long first, long long last) except -1
    @cython.locals(
        clocks="long long[::1]",
        here=cython.longlong,
        row=cython.longlong,
        code=cython.longlong,
        a=cython.longlong,
        b=cython.longlong,
        clock=cython.longlong,
        to=cython.longlong,
        at=cython.longlong,
    )
    cdef bint carry_out(self, long long first, long long last) except -1
    cdef int carry_out_rarely(self, long long code, long long a, long long b) except -1
    cdef int keep(self, long long slot) except -1
    @cython.locals(point=cython.longlong)
    cdef int copy_clock(self, long long source, long long target) except -1
    @cython.locals(point=cython.longlong)
    cdef int join_clock(self, long long into, long long other) except -1
    @cython.locals(
        first=cython.longlong,
        last=cython.longlong,
        used=cython.bint,
        row=cython.longlong,
    )
    cdef void judge(self, long long stream)
    @cython.locals(
        row=cython.longlong,
        before=cython.longlong,
        number=cython.longlong,
        base=cython.longlong,
        point=cython.longlong,
        known=cython.longlong,
    )
    cdef int event(self, long long block) except -1
    cdef int grow_events(self) except -1
    @cython.locals(
        base=cython.longlong,
        queue=cython.longlong,
        before=cython.longlong,
        draw=cython.longlong,
        first=cython.longlong,
        last=cython.longlong,
        context=cython.longlong,
        after=cython.longlong,
        until=cython.longlong,
        row=cython.longlong,
        event=cython.longlong,
        point=cython.longlong,
    )
    cdef void stall(self, long long number, long long seen)
    cdef int raise_point(self, long long point, long long to) except -1
    @cython.locals(first=cython.longlong, last=cython.longlong, row=cython.longlong)
    cdef long long draw_below(self, long long position)
    @cython.locals(
        found=cython.longlong,
        count=cython.longlong,
        surface=cython.longlong,
        rows=cython.longlong,
        first=cython.longlong,
        last=cython.longlong,
        row=cython.longlong,
    )
    cdef long long drawn_on(self, long long number, long long before)
    @cython.locals(
        write=cython.longlong,
        target=cython.longlong,
        point=cython.longlong,
        value=cython.longlong,
        at=cython.longlong,
    )
    cdef void release(self, bint forked)
    @cython.locals(
        wait=cython.longlong,
        point=cython.longlong,
        first=cython.longlong,
        last=cython.longlong,
        row=cython.longlong,
        source=cython.longlong,
        known=cython.longlong,
    )
    cdef void acquire(self)


@cython.locals(middle=cython.longlong)
cdef long long below(int[::1] values, long long first, long long last, long long limit)
