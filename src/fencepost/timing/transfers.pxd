cimport cython

from fencepost.timing.table cimport Table
from fencepost.timing.state cimport State

cdef long long DMA, DMA_PFP, NEVER


cdef class Transfers:
    cdef State state
    cdef Table table
    cdef long long trip
    cdef long long[::1] by_me, last

    @cython.locals(
        table=Table,
        now=cython.longlong,
        queue=cython.longlong,
        before=cython.longlong,
        start=cython.longlong,
        end=cython.longlong,
    )
    cdef int issue(self, long long work) except -1
