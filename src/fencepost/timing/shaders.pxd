cimport cython

from fencepost.timing.table cimport Table
from fencepost.timing.slots cimport Slots
from fencepost.timing.state cimport State
from fencepost.timing.unit cimport Unit

cdef long long COPIED, COPY, DISPATCH, DRAW, READY, TAIL, WHOLE, NEVER, VERTEX, SHADER, BACK


cdef class Shaders:
    cdef State state
    cdef Table table
    cdef Slots slots
    cdef list units
    cdef long long total, launch_span, trip, unit_count, first_due, changer, refills
    cdef long long running_count
    cdef long long[::1] needs, bodies, full, running, line, first, arrived, entered, gate_open
    cdef long long[::1] stages, due, turns, touched, refilled, refilled_stage
    cdef bint any_touched, moved

    cdef int issue(self, long long work) except -1
    @cython.locals(table=Table, now=cython.longlong)
    cdef int copy(self, long long work) except -1
    @cython.locals(table=Table, at=cython.Py_ssize_t, stage=cython.longlong)
    cdef int _expect(self, long long work) except -1
    @cython.locals(queue=cython.longlong)
    cdef int arrive(self, long long work) except -1
    @cython.locals(
        table=Table, at=cython.longlong, work=cython.longlong, own=cython.longlong
    )
    cdef void _enter(self, long long queue) except *
    cdef int _open(self, long long queue, long long by) except -1
    @cython.locals(at=cython.Py_ssize_t, served=cython.longlong)
    cdef void serve_slots(self) except *
    @cython.locals(tail=cython.longlong)
    cdef int _slot_served(self, long long work) except -1
    cdef int own_time(self, long long work) except -1
    cdef void _body(self, long long work) except *
    @cython.locals(table=Table, at=cython.Py_ssize_t)
    cdef int _launch(self, long long work) except -1
    @cython.locals(served=Unit)
    cdef int add(
        self,
        long long unit,
        long long part,
        long long queue,
        long long cap,
        long long body,
        long long tail,
    ) except -1
    cdef int _touch(self, long long unit) except -1
    @cython.locals(
        served=Unit, now=cython.longlong, stage=cython.longlong, at=cython.Py_ssize_t
    )
    cdef void serve_unit(self, long long unit) except *
    cdef int _finished(self, long long part, long long stage, long long unit) except -1
    @cython.locals(table=Table, now=cython.longlong)
    cdef void _less(self, long long stage, long long work, long long by) except *
    cdef long long lacks(self, long long stage, long long work) except -1
    cdef long long due_time(self) except -2
    cdef long long due_turn(self) except -1
    cdef int carry_on(self) except -1
    @cython.locals(unit=cython.Py_ssize_t)
    cdef int rearrange(self) except -1
    @cython.locals(
        table=Table,
        slots=Slots,
        at=cython.longlong,
        work=cython.longlong,
        rate=cython.longlong,
    )
    cdef int _start_launched(self) except -1
    @cython.locals(served=Unit)
    cdef int _plan_unit(self, long long unit) except -1
    cdef int _plan(self, long long unit, long long time) except -1
    @cython.locals(first=cython.longlong, unit=cython.Py_ssize_t)
    cdef int _find_first(self) except -1
    cdef bint _sooner(self, long long one, long long two) except -1
    cdef int refill(self, long long work, long long stage, long long unit, long long amount) except -1
