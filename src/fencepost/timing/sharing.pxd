cimport cython


@cython.locals(at=cython.Py_ssize_t)
cpdef oldest_first(list queues, list caps, list rates)
@cython.locals(at=cython.Py_ssize_t, wanted=dict, left=dict)
cpdef fair_queues(list queues, list caps, list rates)
@cython.locals(at=cython.Py_ssize_t, shares=dict)
cpdef fair_works(list queues, list caps, list rates)
cpdef dict max_min(dict wanted)
