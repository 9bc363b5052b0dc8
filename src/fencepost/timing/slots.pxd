cimport cython

cdef long long WHOLE, NEVER


cdef class Slots:
    cdef long long wave, room, count, last
    cdef long long[::1] works, want, left, rate, through

    cdef int enter(self, long long work, long long want, long long amount) except -1
    @cython.locals(at=cython.longlong)
    cdef int leave(self, long long work) except -1
    @cython.locals(
        span=cython.longlong, served=cython.longlong, at=cython.Py_ssize_t, left=cython.longlong
    )
    cdef long long advance(self, long long now) except -1
    @cython.locals(
        left=cython.longlong, at=cython.Py_ssize_t, want=cython.longlong, got=cython.longlong
    )
    cdef int share(self) except -1
    @cython.locals(
        first=cython.longlong,
        at=cython.Py_ssize_t,
        rate=cython.longlong,
        left=cython.longlong,
        then=cython.longlong,
    )
    cdef long long next(self) except -2
    cdef int _grow(self) except -1
