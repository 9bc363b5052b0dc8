cimport cython

from fencepost.timing.caches cimport Caches
from fencepost.timing.labels cimport Labels
from fencepost.timing.pipe cimport Pipe
from fencepost.timing.shaders cimport Shaders
from fencepost.timing.state cimport State
from fencepost.timing.transfers cimport Transfers

cdef long long BUSY, STAND, PASS, PASSED, MEET, HANDOVER, CHAIN, SEEN, COHERENT, ISSUE, FORK, FLUSH
cdef long long DROP, SET, WAIT, KICK, KICKED, TAKE, GIVE, WIDTH, ACTION, CHAINS, END, EVENT
cdef long long COPIED, TRANSFER, WORKING, BEHIND_PFP, BEHIND_ME, CONTEXTS, EVENTS, FENCE
cdef long long FLUSH_IN_FLIGHT, KICKOFF, OPERATION, NO_CAUSE, BY_CHAIN, BY_VALUE, BY_ENGINE, BY_KICK
cdef long long ACTED, ENGINE, KICKED_OFF, NEVER
cdef long long RUNNING, ON_TIME, ON_QUEUE, ON_LABEL, ON_TOKEN


cdef class Front:
    cdef State state
    cdef Shaders shaders
    cdef Pipe pipe
    cdef Caches caches
    cdef Transfers transfers
    cdef Labels labels
    cdef object code
    cdef long long total
    cdef long long[::1] kinds, queue, pfp_of, me_of, ops, first_op, starts, first_start
    cdef public long long[::1] at, position, status
    cdef long long[::1] clock, since, passed, first_passed, passed_count
    cdef list held, met, meetings, kicks, kickoffs, tokens, token_line, giver, actions, action_end

    @cython.locals(
        now=cython.longlong,
        base=cython.longlong,
        start=cython.longlong,
        end=cython.longlong,
        at=cython.longlong,
    )
    cdef void resume(self, long long engine) except *
    @cython.locals(
        code=cython.longlong, first=cython.longlong, second=cython.longlong, done=cython.bint
    )
    cdef bint _do(self, long long engine, long long row) except -1
    @cython.locals(
        code=cython.longlong, first=cython.longlong, second=cython.longlong, done=cython.bint
    )
    cdef bint _do_rarely(self, long long engine, long long row) except -1
    cdef int wake_queue(self, long long queue) except -1
    @cython.locals(engine=cython.longlong)
    cdef int wake_label(self, long long label) except -1
    cdef long long _label(self, long long engine) except -1
    @cython.locals(engine=cython.longlong)
    cdef bint all_finished(self) except -1
    cdef bint _stop(self, long long engine, long long status) except -1
    @cython.locals(start=cython.longlong)
    cdef bint _go(
        self,
        long long engine,
        long long then,
        long long reason,
        long long cause,
        long long first,
        long long second,
    ) except -1
    @cython.locals(start=cython.longlong)
    cdef int _spend(self, long long engine, long long span, long long reason) except -1
    @cython.locals(queue=cython.longlong)
    cdef int _pass(self, long long engine) except -1
    @cython.locals(queue=cython.longlong, then=cython.longlong)
    cdef bint _passed(self, long long engine) except -1
    cdef int _meet(self, long long engine) except -1
    cdef bint _handover(self, long long engine, long long latency) except -1
    @cython.locals(me=cython.longlong, position=cython.longlong)
    cdef long long _handled(self, long long queue) except -1
    @cython.locals(state=State, at=cython.longlong, then=cython.longlong)
    cdef bint _chain(
        self,
        long long engine,
        long long chain,
        long long count,
        long long latency,
        long long reason,
    ) except -1
    cdef bint _seen(
        self, long long engine, long long chain, long long latency, long long reason
    ) except -1
    cdef bint _coherent(self, long long engine, long long number, long long latency) except -1
    @cython.locals(kind=cython.longlong)
    cdef int _issue(self, long long work) except -1
    cdef void _flush(self, long long engine, long long number) except *
    cdef int acted(self, long long number) except -1
    cdef int _drop(self, long long engine, long long number) except -1
    cdef int _set(self, long long engine, long long label, long long value) except -1
    @cython.locals(then=cython.longlong)
    cdef bint _wait(self, long long engine, long long number, long long latency) except -1
    cdef int _kick(self, long long engine, long long queue, long long latency) except -1
    cdef int kicked_off(self, long long number) except -1
    cdef bint _kicked(self, long long engine, long long count) except -1
    @cython.locals(now=cython.longlong)
    cdef bint _take(self, long long engine, long long token) except -1
    cdef void _give(self, long long token, long long engine) except *


cdef bint at_any_time(long long code)
