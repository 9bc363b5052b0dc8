cimport cython

@cython.locals(at=cython.Py_ssize_t, mine=cython.longlong, theirs=cython.longlong)
cpdef join(list into, other)
@cython.locals(found=list)
cpdef tuple joined(tuple one, other)
@cython.locals(at=cython.Py_ssize_t, mine=cython.longlong, theirs=cython.longlong)
cpdef bint reaches(one, other)
