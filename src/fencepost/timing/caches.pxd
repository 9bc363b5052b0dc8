cimport cython

from fencepost.timing.refills cimport Refills


cdef class Caches:
    cdef object parameters, works, trip
    cdef long long[::1] first_print, print_cache, print_writes, print_same, dirty
    cdef list capacity, whole, rests, operations
    cdef Refills refills

    @cython.locals(at=cython.Py_ssize_t)
    cdef int write(self, long long work) except -1
    cdef take(self, long long cache, start, end)
    cdef dict _spans(self, long long cache)
    cdef int _keep(self, long long cache, dict spans) except -1
    cdef list flush(self, row)
    cdef begin(self, row, list planned, start, queue, position)


cpdef covered(list spans)
