cimport cython

from fencepost.timing.table cimport Table
from fencepost.timing.shaders cimport Shaders

cdef long long COPIED, SHADER, BACK


cdef class Refills:
    cdef Shaders shaders
    cdef Table table
    cdef object parameters
    cdef list capacity, rates, units, stages

    @cython.locals(number=cython.longlong)
    cpdef int refill(self, row) except -1
    @cython.locals(
        shaders=Shaders, kept=cython.longlong, number=cython.longlong, work=cython.longlong
    )
    cdef int _forget_those_that_are_through(self) except -1
    @cython.locals(stage=cython.longlong, through=cython.bint, size=cython.longlong)
    cdef void _refill(self, long long work, long long cache) except *
    @cython.locals(table=Table, at=cython.Py_ssize_t, size=cython.longlong)
    cdef long long _footprint(self, long long work, long long cache) except -1
