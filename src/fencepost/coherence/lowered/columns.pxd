cimport cython

cdef long long BLOCKS, LABELLED, ROLLS


cdef class Column:
    cdef object store
    cdef int[::1] data
    cdef long long room, size

    cdef int add(self, int value) except -1
    @cython.locals(more=cython.longlong)
    cdef int grow(self, long long size) except -1
    cpdef object done(self)


cdef class Spans:
    cdef readonly list starts, ends
    cdef long long[::1] first, last
    cdef int[::1] slots
    cdef long long mask
    cdef readonly long long size

    @cython.locals(at=cython.longlong)
    cpdef long long find(self, long long start, long long end) except -1
    @cython.locals(mixed=cython.longlong, at=cython.longlong)
    cdef long long place(self, long long start, long long end) except -1
    @cython.locals(room=cython.longlong, number=cython.longlong, at=cython.longlong)
    cdef int grow(self) except -1


cdef class Track:
    cdef long long limit
    cdef readonly Column starts, before, draws, surface_uses, surface_positions

    @cython.locals(draws=Column, starts=Column, kept=cython.longlong)
    cdef long long roll(self, long long position) except -1


cdef class Columns:
    cdef readonly object table
    cdef readonly Column shapes, firsts, retired, access_shapes, access_spans
    cdef readonly Spans spans
    cdef readonly list tracks, queue_firsts, labelled
    cdef readonly long long works, work_accesses
    cdef Column surfaces
    cdef readonly list surface_blocks, surface_spans
    cdef dict resources
    cdef Column targets, others
    cdef list recent
    cdef list recent_works
    cdef list access_engines, access_targets, flags

    @cython.locals(track=Track, position=cython.longlong)
    cpdef queue(self, commands)
    @cython.locals(
        shape=cython.longlong,
        first=cython.longlong,
        mixed=cython.bint,
        accesses=tuple,
        made=cython.longlong,
    )
    cdef int work(self, work, long long position, Track track) except -1
    @cython.locals(
        synchronous=cython.bint, raw_wait=cython.bint, row=tuple, shape=cython.longlong
    )
    cdef long long shape_of_work(self, work, kind, engine) except -1
    @cython.locals(shape=cython.longlong, row=tuple, same=cython.bint)
    cdef long long access(self, access, engine) except -1
    @cython.locals(
        now=Column,
        at=cython.longlong,
        block=cython.longlong,
        number=cython.longlong,
        retired=cython.longlong,
        accesses=tuple,
    )
    cdef long long draw(self, work, long long first, long long position, Track track) except -1
    @cython.locals(now=Column, at=cython.longlong)
    cdef void note_target(self, long long target)
    @cython.locals(
        now=Column, before=Column, at=cython.longlong, other=cython.longlong, found=cython.bint
    )
    cdef bint same_targets(self) except -1
    @cython.locals(at=cython.longlong, number=cython.longlong)
    cdef long long surface(self, long long span, long long block) except -1
    cdef int regroup(self, long long first) except -1
    @cython.locals(shape=cython.longlong, flags=cython.longlong)
    cdef int synchronization(self, command, long long position, Track track) except -1
    cdef object key(self, command)
    @cython.locals(words=list)
    cdef object flat(self, operations)
