cimport cython

from fencepost.timing.slots cimport Slots
from fencepost.timing.state cimport State
from fencepost.timing.unit cimport Unit

cdef long long COPIED, COPY, DMA, DMA_PFP, DRAW, TRANSFER, VS
cdef long long READY, SLOTS_DUE, TAIL, TRANSFERRED, UNIT_DUE, VERTEX


cdef class Shaders:
    cdef public State state
    cdef public object code, parameters, launch_span, trip
    cdef list kinds, queues
    cdef public Slots slots
    cdef public list units, stages
    cdef public long long slots_version
    cdef public list unit_versions, refills, line, next_in_line, gate_open, full, bodies, needs
    cdef public dict running
    cdef public bint moved
    cdef public dict touched
    cdef public list transfers, last_dma, dma_end
    cdef public long long changer

    @cython.locals(kind=cython.longlong)
    cpdef issue(self, long long work)
    @cython.locals(at=cython.longlong, stage=cython.longlong, needs=list)
    cdef _expect(self, long long work, long long kind)
    @cython.locals(queue=cython.longlong, before=cython.longlong)
    cdef _transfer(self, long long work)
    cpdef transferred(self, long long work)
    cdef _copied(self, long long work)
    @cython.locals(queue=cython.longlong)
    cpdef arrive(self, long long work)
    @cython.locals(at=cython.longlong, work=cython.longlong)
    cdef _enter(self, long long queue)
    cdef _open(self, long long queue, long long by)
    cdef _serve_slots(self)
    cdef _slot_served(self, long long work)
    cpdef own_time(self, long long work)
    cdef _body(self, long long work)
    @cython.locals(at=cython.longlong, unit=cython.longlong, state=State, served=Unit)
    cdef _launch(self, long long work)
    @cython.locals(
        served=Unit, stage=cython.longlong, bodies=list, done=list, part=cython.longlong
    )
    cdef _serve_unit(self, long long unit)
    @cython.locals(state=State, needs=list)
    cdef _less(self, long long stage, long long work, long long by)
    cdef _copy_done(self, long long work)
    cpdef vertex_time(self, long long work)
    cpdef back_end_time(self, long long work)
    cpdef retired(self, long long work, long long chain)
    cpdef finished(self, long long work)
    cpdef slots_due(self, long long version)
    @cython.locals(version=cython.longlong, unit=cython.longlong)
    cpdef unit_due(self, long long ticket)
    @cython.locals(unit=cython.longlong)
    cpdef rearrange(self)
    @cython.locals(at=cython.Py_ssize_t, work=cython.longlong, state=State, slots=Slots)
    cdef _start_launched(self)
    cdef _plan_slots(self)
    @cython.locals(ticket=cython.longlong, served=Unit)
    cdef _plan_unit(self, long long unit)
    cpdef refill(self, row)
    cdef _refill(self, long long work, long long cache)
