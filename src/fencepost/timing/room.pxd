cimport cython

cdef long long FEW

cpdef long long[::1] zeros(long long count)
cpdef long long[::1] few()
@cython.locals(made="long long[::1]", at=cython.Py_ssize_t)
cpdef long long[::1] doubled(long long[::1] column)
