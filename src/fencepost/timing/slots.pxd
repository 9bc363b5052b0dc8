cimport cython


cdef class Slots:
    cdef public object wave, last
    cdef public list works, want, left, rate

    cpdef enter(self, work, want, amount)
    cpdef leave(self, work)
    @cython.locals(at=cython.Py_ssize_t, served=list)
    cpdef list advance(self, now)
    @cython.locals(at=cython.Py_ssize_t)
    cpdef share(self)
    @cython.locals(at=cython.Py_ssize_t)
    cpdef next(self)
