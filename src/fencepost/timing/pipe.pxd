cimport cython

from fencepost.timing.shaders cimport Shaders
from fencepost.timing.state cimport State

cdef long long CHAINS, CS, DISPATCH, DRAW, END, EVENT, EVENT_LINE, FLIP, LINES, PS, VS
cdef long long ARRIVED, BACK_END, EVENT_DUE, FLIPPED, OPERATED, VALUE


cdef class Pipe:
    cdef public State state
    cdef public object code
    cdef list forks, kinds, queues
    cdef public Shaders shaders
    cdef public object caches
    cdef public bint cold
    cdef public object back_end, write_trip, vblank
    cdef public list lines, heads, spans
    cdef public dict plans
    cdef public object last_flip
    cdef public dict written

    @cython.locals(state=State, kind=cython.longlong, base=cython.longlong, chain=cython.longlong)
    cpdef enter(self, long long work)
    cpdef list line_of(self, row)
    cpdef came(self, long long number)
    @cython.locals(moved=cython.bint, chain=cython.longlong, line=cython.longlong)
    cpdef settle(self, long long queue)
    @cython.locals(
        state=State, at=cython.longlong, order=list, times=list, moved=cython.bint, entry=cython.longlong
    )
    cdef bint _retire(self, long long queue, long long chain) except -1
    @cython.locals(state=State)
    cdef bint _is_ready(self, long long entry, long long chain) except -1
    @cython.locals(state=State)
    cdef _retired(self, long long queue, long long chain, long long entry)
    cdef _ended(self, long long work)
    @cython.locals(state=State, own_line=cython.bint)
    cdef bint _event(self, long long number) except -1
    @cython.locals(state=State)
    cdef _act(self, long long number)
    @cython.locals(at=cython.longlong, moved=cython.bint, waiting=list)
    cdef bint _advance(self, long long queue, long long line) except -1
    @cython.locals(state=State)
    cdef bint _sent(self, long long number) except -1
    @cython.locals(state=State, chain=cython.longlong)
    cdef bint _all_done(self, long long queue, list needs) except -1
    @cython.locals(state=State)
    cpdef operated(self, long long number)
    @cython.locals(state=State)
    cdef _send(self, long long number, row)
    cdef _flip(self, long long number)
    cpdef valued(self, long long number)
    cpdef store(self, label, value, queue, position, fork)
    cpdef flipped(self, long long number)
