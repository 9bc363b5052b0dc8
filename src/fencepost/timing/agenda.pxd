cimport cython

cdef long long KINDS, FURTHEST


cdef class Agenda:
    cdef long long[::1] times, turns, whats
    cdef long long room, turn
    cdef readonly long long count, time, kind, argument

    cpdef long long next_turn(self)
    @cython.locals(at=cython.longlong, above=cython.longlong)
    cpdef int push(self, long long time, long long kind, long long argument) except -1
    cpdef bint comes_before(self, long long time, long long turn)
    @cython.locals(what=cython.longlong)
    cpdef int pop(self) except -1
    @cython.locals(at=cython.longlong, below=cython.longlong)
    cdef int _sink(self, long long time, long long turn, long long what) except -1
    cdef bint _before(self, long long one, long long two)
    cdef void _move(self, long long source, long long target)
    cdef void _set(self, long long at, long long time, long long turn, long long what)
    cdef int _grow(self) except -1


cpdef int check_time(long long time) except -1
