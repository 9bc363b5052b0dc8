cimport cython

from fencepost.timing.pipe cimport Pipe
from fencepost.timing.shaders cimport Shaders
from fencepost.timing.state cimport State

cdef long long ACTION, BEHIND_ME, BEHIND_PFP, CHAINS, CONTEXTS, END, EVENT, EVENTS, FENCE
cdef long long FLUSH_IN_FLIGHT, KICKOFF, OPERATION, WIDTH, WORKING
cdef long long ACTED, ENGINE, KICKED_OFF


cdef class Front:
    cdef public State state
    cdef public object code
    cdef public Shaders shaders
    cdef public Pipe pipe
    cdef public object caches
    cdef public bint cold
    cdef public list at, position, clock, since, status, held, passed, met, meetings, kicks
    cdef public list sent_kicks, tokens, token_line, giver, actions, action_end
    cdef dict _do

    @cython.locals(state=State, ops=list, starts=list, at=cython.longlong)
    cpdef resume(self, long long engine)
    cpdef wake_queue(self, long long queue)
    cpdef wake_label(self, label)
    cpdef waited_label(self, long long engine)
    cdef bint _go(self, long long engine, then, long long reason, cause=*, first=*, second=*) except -1
    cdef bint _stop(self, long long engine, status) except -1
    cpdef bint _busy(self, long long engine, span, _b, _c, _d) except -1
    cpdef bint _stand(self, long long engine, span, reason, _c, _d) except -1
    cdef bint _spend(self, long long engine, span, long long reason) except -1
    @cython.locals(queue=cython.longlong)
    cpdef bint _pass(self, long long engine, _a, _b, _c, _d) except -1
    @cython.locals(queue=cython.longlong, position=cython.longlong, passed=list)
    cpdef bint _passed(self, long long engine, _a, _b, _c, _d) except -1
    cpdef bint _meet(self, long long engine, _a, _b, _c, _d) except -1
    cpdef bint _handover(self, long long engine, latency, _b, _c, _d) except -1
    cpdef handled(self, long long queue)
    @cython.locals(at=cython.longlong, times=list)
    cpdef bint _chain(
        self, long long engine, long long chain, long long count, latency, long long reason
    ) except -1
    cpdef bint _seen(self, long long engine, chain, _b, latency, reason) except -1
    cpdef bint _coherent(self, long long engine, number, latency, _c, _d) except -1
    cpdef bint _issue(self, _engine, long long work, _b, _c, _d) except -1
    cpdef bint _fork(self, _engine, long long number, _b, _c, _d) except -1
    cpdef bint _flush(self, long long engine, number, _b, _c, _d) except -1
    cpdef acted(self, long long number)
    cpdef bint _drop(self, long long engine, number, _b, _c, _d) except -1
    cpdef bint _set(self, long long engine, label, value, _c, _d) except -1
    cpdef bint _wait(self, long long engine, number, latency, _c, _d) except -1
    cpdef bint _kick(self, long long engine, queue, latency, _c, _d) except -1
    cpdef kicked_off(self, long long number)
    cpdef bint _kicked(self, long long engine, long long count, _b, _c, _d) except -1
    cpdef bint _take(self, long long engine, long long token, _b, _c, _d) except -1
    cpdef bint _give(self, long long engine, long long token, _b, _c, _d) except -1
