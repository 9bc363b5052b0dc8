cimport cython

from fencepost.timing.agenda cimport Agenda, check_time

cdef long long CHAINS, FLIP, LOG, LINE


cdef class State:
    cdef Agenda agenda
    cdef public long long now, last
    cdef long long[::1] first, done, entries, times, known, reached, marked, line, log
    cdef long long queues, head, marks, room, logged

    @cython.locals(at=cython.longlong, rank=cython.longlong)
    cdef long long stand(self, long long queue, long long chain, long long entry) except -1
    cdef long long next_of(self, long long at) except? -9
    @cython.locals(then=cython.longlong)
    cdef long long retire(self, long long at, long long time) except -1
    @cython.locals(at=cython.longlong, row=cython.longlong)
    cdef int finish(self, long long queue, long long chain, long long entry, long long time) except -1
    cdef int mark(self, long long queue) except -1
    @cython.locals(queue=cython.longlong)
    cdef long long next_marked(self) except -1
    cdef int note(
        self, long long engine, long long start, long long end, long long position, long long reason
    ) except -1
    @cython.locals(at=cython.longlong)
    cdef void note_cause(
        self,
        long long engine,
        long long start,
        long long end,
        long long position,
        long long reason,
        long long cause,
        long long first,
        long long second,
    ) except *
    @cython.locals(at=cython.longlong)
    cpdef list logs(self, long long engines)
    @cython.locals(
        cells="long long[::1]", row=cython.longlong, at=cython.longlong, part=cython.longlong
    )
    cdef _log_of(self, long long engine, long long size)
