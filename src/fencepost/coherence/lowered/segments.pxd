cimport cython

cdef long long LISTS


cdef class Segments:
    cdef int[::1] span_low, span_high, span_before, span_behind, span_known
    cdef long long[::1] address
    cdef int[::1] owner, until, head
    cdef list node_store
    cdef long long[::1] node_key, node_at, node_next
    cdef long long nodes, room, unused

    @cython.locals(low=cython.longlong, high=cython.longlong, cell=cython.longlong)
    cdef long long cover(self, long long span) except -1
    @cython.locals(end=cython.longlong)
    cdef int begin(self, long long cell, long long high) except -1
    @cython.locals(
        lower=cython.longlong,
        end=cython.longlong,
        number=cython.longlong,
        kind=cython.longlong,
        node=cython.longlong,
    )
    cdef void cut(self, long long cell)
    @cython.locals(node=cython.longlong)
    cdef int put(self, long long cell, long long kind, long long key, long long at) except -1
    @cython.locals(node=cython.longlong)
    cdef int put_most(self, long long cell, long long kind, long long key, long long at) except -1
    @cython.locals(node=cython.longlong, before=cython.longlong)
    cdef long long node_of(self, long long place, long long key) except -1
    @cython.locals(node=cython.longlong)
    cdef long long new_node(self) except -1
    cdef int grow(self) except -1
    @cython.locals(node=cython.longlong, following=cython.longlong)
    cdef int clear(self, long long place) except -1
    cdef int release_node(self, long long node) except -1
