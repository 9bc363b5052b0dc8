cimport cython

from fencepost.timing.state cimport State

cdef long long CHAINS, NEVER


cdef class Needs:
    cdef State state
    cdef long long[::1] first, chain, count

    @cython.locals(
        state=State,
        met=cython.longlong,
        at=cython.Py_ssize_t,
        chain=cython.longlong,
        count=cython.longlong,
    )
    cdef long long met(self, long long fork) except -2
