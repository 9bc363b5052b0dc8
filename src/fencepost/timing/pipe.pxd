cimport cython

from fencepost.timing.caches cimport Caches
from fencepost.timing.table cimport Table
from fencepost.timing.labels cimport Labels
from fencepost.timing.needs cimport Needs
from fencepost.timing.shaders cimport Shaders
from fencepost.timing.state cimport State

cdef long long CHAINS, VS, PS, END, CS, EVENT, FLIP, DRAW, EVENT_LINE, LINES
cdef long long VERTEX, SHADER, BACK, OPERATED, VALUE, FLIPPED, LOOK, NEVER


cdef class Pipe:
    cdef State state
    cdef Table table
    cdef Shaders shaders
    cdef list rows, flushes
    cdef Needs needs, then
    cdef Labels labels
    cdef Caches caches
    cdef long long back_end, write_trip, vblank, last_flip
    cdef long long[::1] fork_queue, fork_line, travel, done, valued, sent, holds, flushed
    cdef long long[::1] span, look, line, line_first, waiting, heads
    cdef dict plans

    @cython.locals(state=State, queue=cython.longlong)
    cdef int enter(self, long long work) except -1
    @cython.locals(
        state=State, table=Table, queue=cython.longlong, at=cython.longlong
    )
    cdef int fork(self, long long number) except -1
    @cython.locals(at=cython.longlong)
    cpdef long long before_in_line(self, long long number) except -1
    @cython.locals(moved=cython.bint, at=cython.longlong)
    cdef int settle(self, long long queue) except -1
    @cython.locals(
        state=State,
        table=Table,
        at=cython.longlong,
        work=cython.longlong,
    )
    cdef int _retire_vertices(self, long long queue) except -1
    @cython.locals(
        state=State,
        table=Table,
        at=cython.longlong,
        work=cython.longlong,
        ready=cython.longlong,
    )
    cdef int _retire_pixels(self, long long queue) except -1
    @cython.locals(
        state=State,
        table=Table,
        at=cython.longlong,
        work=cython.longlong,
    )
    cdef int _retire_dispatches(self, long long queue) except -1
    @cython.locals(
        state=State, at=cython.longlong, entry=cython.longlong
    )
    cdef int _retire_ends(self, long long queue) except -1
    @cython.locals(table=Table, through=cython.longlong)
    cdef bint _passes(self, long long at, long long work) except -1
    @cython.locals(state=State, table=Table)
    cdef bint _held(self, long long at, long long number) except -1
    @cython.locals(then=cython.longlong)
    cdef bint _come(self, long long number, long long time) except -1
    cdef bint _look_again(self, long long number, long long time) except -1
    cdef int _act(self, long long number) except -1
    @cython.locals(moved=cython.bint)
    cdef bint _advance(self, long long at) except -1
    @cython.locals(table=Table, met=cython.longlong)
    cdef bint _goes_on(self, long long number) except -1
    @cython.locals(state=State, queue=cython.longlong)
    cdef int operated(self, long long number) except -1
    @cython.locals(state=State)
    cdef int _send(self, long long number) except -1
    @cython.locals(first=cython.longlong)
    cdef int _flip(self, long long number) except -1
    cdef int flipped(self, long long number) except -1
    @cython.locals(now=cython.longlong)
    cdef int arrive(self, long long number) except -1
