cimport cython


cdef class Unit:
    cdef public object rule, last
    cdef public list works, queues, caps, left, tails, in_body, rates

    cpdef add(self, work, queue, cap, body, tail)
    @cython.locals(at=cython.Py_ssize_t, bodies=list, done=list)
    cpdef tuple advance(self, now)
    cdef _drop_done(self)
    cpdef share(self)
    @cython.locals(at=cython.Py_ssize_t)
    cpdef next(self)
