cimport cython

from fencepost.timing.sharing cimport Parts, Rule

cdef long long NEVER


cdef class Unit(Parts):
    cdef Rule rule
    cdef long long[::1] works, left, tails, in_body, bodies, finished
    cdef long long bodies_count, finished_count, last

    cdef int add(
        self, long long work, long long queue, long long cap, long long body, long long tail
    ) except -1
    cpdef int grow(self) except -1
    @cython.locals(span=cython.longlong, at=cython.Py_ssize_t)
    cdef void advance(self, long long now) except *
    cdef int _served(self, long long at) except -1
    @cython.locals(kept=cython.longlong, at=cython.Py_ssize_t)
    cdef int _drop_finished(self) except -1
    cdef int _move(self, long long source, long long target) except -1
    cdef int share(self) except -1
    @cython.locals(
        first=cython.longlong,
        at=cython.Py_ssize_t,
        rate=cython.longlong,
        then=cython.longlong,
    )
    cdef long long next(self) except -2
