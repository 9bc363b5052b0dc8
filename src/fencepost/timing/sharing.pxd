cimport cython

cdef long long WHOLE, OPEN


cdef class Parts:
    cdef long long[::1] queues, caps, rates
    cdef long long room, count

    cpdef int put(self, long long queue, long long cap) except -1
    cpdef long long rate(self, long long at) except -1
    cpdef int grow(self) except -1


cdef class Rule:
    cpdef int divide(self, Parts parts) except -1


cdef class OldestFirst(Rule):
    @cython.locals(left=cython.longlong, at=cython.Py_ssize_t, got=cython.longlong)
    cpdef int divide(self, Parts parts) except -1


cdef class MaxMin(Rule):
    cdef long long[::1] names, wanted, shares
    cdef long long room, wanting, left

    cdef int want(self, long long name, long long cap) except -1
    @cython.locals(
        at=cython.Py_ssize_t,
        still_open=cython.longlong,
        fair=cython.longlong,
        modest=cython.longlong,
    )
    cdef void level(self) except *
    @cython.locals(at=cython.Py_ssize_t, modest=cython.longlong)
    cdef long long _give_modest(self, long long fair) except -1
    @cython.locals(at=cython.Py_ssize_t)
    cdef int _give_all(self, long long share) except -1
    cdef int _grow(self) except -1


cdef class FairQueues(MaxMin):
    @cython.locals(at=cython.Py_ssize_t, found=cython.longlong, got=cython.longlong)
    cpdef int divide(self, Parts parts) except -1
    @cython.locals(at=cython.Py_ssize_t)
    cdef long long _of(self, long long queue)


cdef class FairWorks(MaxMin):
    @cython.locals(at=cython.Py_ssize_t)
    cpdef int divide(self, Parts parts) except -1
