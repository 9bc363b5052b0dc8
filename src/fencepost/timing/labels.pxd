cdef class Labels:
    cdef list waits, last, written
    cdef readonly list values
    cdef dict fresh

    cdef store(self, label, value, time, queue, position, fork)
    cdef next_fresh(self)
    cdef bint satisfied(self, long long wait) except -1
    cdef long long of(self, long long wait) except -1
