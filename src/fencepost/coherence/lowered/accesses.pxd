cimport cython

from fencepost.coherence.lowered.segments cimport Segments

cdef long long WRITES, READS, EXPOSED, FRESH, OLD, PASSED, LISTS
cdef long long WAY_BITS, WAY_MASK, CACHE_BITS, CACHE_MASK


cdef class Accesses(Segments):
    cdef int[::1] access_ways, access_spans
    cdef long long stride, size
    cdef long long[::1] clocks, last
    cdef long long queue, here
    cdef readonly long long hit_queue, hit_position
    cdef bint undecided
    cdef long long ways
    cdef int[::1] engine, reads, writes, done, home, wb, order, drawn, safe
    cdef int[::1] hop_first, hop_cache, hop_kill, hop_through, hop_hit, hop_private
    cdef int[::1] free, free_across, ordered, meets, through, clean_first, clean, feedback
    cdef int[::1] ranged_first
    cdef long long[::1] ranged_start, ranged_end
    cdef int[::1] ranged_wb, ranged_inv

    cdef bint hit(self, long long queue, long long position) except -1
    @cython.locals(
        key=cython.longlong,
        row=cython.longlong,
        way=cython.longlong,
        span=cython.longlong,
        cell=cython.longlong,
        high=cython.longlong,
        known=cython.bint,
        hop=cython.longlong,
    )
    cdef bint perform(self, long long first, long long last, long long clock) except -1
    @cython.locals(
        node=cython.longlong,
        other=cython.longlong,
        at=cython.longlong,
        own=cython.bint,
        hop=cython.longlong,
    )
    cdef bint check(self, long long cell, long long way, long long key, long long clock) except -1
    @cython.locals(
        node=cython.longlong,
        other=cython.longlong,
        at=cython.longlong,
        earlier=cython.longlong,
        own=cython.bint,
        pair=cython.longlong,
        near=cython.bint,
        free=cython.bint,
    )
    cdef bint check_reads(self, long long cell, long long way, long long clock) except -1
    @cython.locals(point=cython.longlong)
    cdef bint is_over(self, long long key, long long at, long long clock) except -1
    @cython.locals(point=cython.longlong)
    cdef bint in_order(
        self,
        long long pair,
        long long earlier,
        long long other,
        long long at,
        long long way,
        long long clock,
    ) except -1
    @cython.locals(earlier=cython.longlong, pair=cython.longlong)
    cdef bint breaks(
        self, long long cell, long long other, long long at, long long way, long long clock
    ) except -1
    @cython.locals(base=cython.longlong, home=cython.longlong, row=cython.longlong)
    cdef bint written_back(
        self, long long cell, long long earlier, long long other, long long at, long long clock
    ) except -1
    @cython.locals(start=cython.longlong, end=cython.longlong)
    cdef bint inside(self, long long cell, long long row) except -1
    @cython.locals(
        number=cython.longlong,
        node=cython.longlong,
        key=cython.longlong,
        pair=cython.longlong,
        point=cython.longlong,
        base=cython.longlong,
    )
    cdef bint unclean(self, long long cell, long long way, long long hop, long long clock) except -1
    @cython.locals(
        node=cython.longlong,
        key=cython.longlong,
        at=cython.longlong,
        point=cython.longlong,
        kept=cython.bint,
    )
    cdef bint old_copy(self, long long cell, long long cache, long long clock) except -1
    @cython.locals(base=cython.longlong, row=cython.longlong)
    cdef bint gone_by_range(
        self, long long cell, long long cache, long long point, long long at, long long clock
    ) except -1
    @cython.locals(
        key=cython.longlong, cell=cython.longlong, high=cython.longlong, hop=cython.longlong
    )
    cdef int note_read(self, long long span, long long way) except -1
    @cython.locals(point=cython.longlong)
    cdef long long copy_key(self, long long hop) except -1
    @cython.locals(cell=cython.longlong, high=cython.longlong, hop=cython.longlong)
    cdef int note_write(self, long long span, long long way) except -1
    @cython.locals(
        key=cython.longlong,
        base=cython.longlong,
        node=cython.longlong,
        other=cython.longlong,
        at=cython.longlong,
        following=cython.longlong,
    )
    cdef int overwrite(self, long long cell, long long way) except -1
    @cython.locals(earlier=cython.longlong, same_queue=cython.bint)
    cdef bint stays(self, long long other, long long at, long long way) except -1
    @cython.locals(base=cython.longlong, node=cython.longlong)
    cdef void age(self, long long cell)
    @cython.locals(
        at=cython.longlong, node=cython.longlong, before=cython.longlong, following=cython.longlong
    )
    cdef int forget(self, long long cell, long long cache) except -1
    @cython.locals(
        cell=cython.longlong,
        high=cython.longlong,
        node=cython.longlong,
        old=cython.longlong,
        first=cython.longlong,
        hop=cython.longlong,
    )
    cdef bint fill(self, long long span, long long way, long long clock) except -1
    @cython.locals(
        old=cython.longlong,
        node=cython.longlong,
        other=cython.longlong,
        at=cython.longlong,
        own=cython.bint,
        meets=cython.longlong,
        first=cython.longlong,
        cache=cython.longlong,
    )
    cdef long long old_hops(self, long long cell, long long way, long long clock) except -1
    @cython.locals(
        node=cython.longlong,
        other=cython.longlong,
        at=cython.longlong,
        own=cython.bint,
        reader=cython.longlong,
        hop=cython.longlong,
    )
    cdef bint harms(self, long long cell, long long cache, long long clock) except -1
