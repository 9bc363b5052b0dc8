cimport cython

cdef long long CHAINS, FLIP


cdef class State:
    cdef public object code, now, last
    cdef public list heap
    cdef public long long sequence
    cdef public dict settle
    cdef public list times, entries, order, log, values, written, operations
    cdef public list handed, ready, launched, launched_by, released, shaded_by, ended_by
    cdef public list rank, end_rank, fork_rank, fork_end_rank
    cdef public list vertex_ready, shader_ready, end_ready, vertex_done, shader_done, end_done
    cdef public list issued, arrived, operated_from, operated, sent, arrived_value

    cpdef push(self, time, long long kind, long long argument)
    cpdef tuple pop(self)
    @cython.locals(at=cython.longlong)
    cpdef finish(self, long long queue, long long chain, long long entry)
    cpdef Py_ssize_t done(self, long long queue, long long chain)
    cpdef note(
        self,
        long long engine,
        start,
        end,
        long long position,
        long long reason,
        cause=*,
        first=*,
        second=*,
    )
