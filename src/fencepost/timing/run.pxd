cimport cython

from fencepost.timing.front cimport Front
from fencepost.timing.pipe cimport Pipe
from fencepost.timing.shaders cimport Shaders
from fencepost.timing.state cimport State


cdef class Run:
    cdef public State state
    cdef public object shaders, pipe, front
    cdef dict _due

    @cython.locals(state=State)
    cpdef bint run(self) except -1
    @cython.locals(state=State, shaders=Shaders, pipe=Pipe, front=Front)
    cdef _settle(self)
