cimport cython

from fencepost.timing.agenda cimport Agenda
from fencepost.timing.front cimport Front
from fencepost.timing.labels cimport Labels
from fencepost.timing.pipe cimport Pipe
from fencepost.timing.shaders cimport Shaders
from fencepost.timing.state cimport State

cdef long long ACTED, ENGINE, FLIPPED, KICKED_OFF, LOOK, OPERATED, READY, TAIL, VALUE


cdef class Run:
    cdef public object record, code, parameters
    cdef readonly Labels labels
    cdef State state
    cdef Agenda agenda
    cdef Shaders shaders
    cdef readonly Pipe pipe
    cdef readonly Front front

    @cython.locals(front=Front, engine=cython.longlong)
    cpdef bint run(self) except -1
    @cython.locals(state=State, shaders=Shaders, agenda=Agenda, then=cython.longlong)
    cdef bint _next(self) except -1
    cdef int _happen(self, long long kind, long long argument) except -1
    @cython.locals(
        state=State, shaders=Shaders, pipe=Pipe, front=Front, queue=cython.longlong
    )
    cdef void _settle(self) except *
