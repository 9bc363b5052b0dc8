cimport cython

cdef long long PARTS, RING, LONG_AGO

cpdef long long part(long long time, long long parts)


cdef class Chain:
    cdef public long long buffers, interval, window, bind
    cdef public bint tracked
    cdef public long long hold, overhead, reached, bound, count, last, scan
    cdef long long[::1] flips

    cdef long long flip_before(self, long long distance)
    cdef long long free(self)
    cdef long long draw(self, long long moment)
    @cython.locals(scan=cython.longlong, due=cython.longlong)
    cdef long long allowed(self, long long moment, long long refresh)
    cdef void show(self, long long moment, long long scan)


cdef class Cpu:
    cdef public long long kickoff, cap
    cdef public bint cap_at_present, throttle
    cdef public long long latency
    cdef public bint waitable
    cdef public long long frames, start, kicked, called, added

    @cython.locals(
        cap=cython.longlong,
        latency=cython.longlong,
        start=cython.longlong,
        called=cython.longlong,
        added=cython.longlong,
    )
    cdef void frame(self, long long work, long long done, Chain one, Chain two)


cdef class Gpu:
    cdef public long long idle, begun, drawn, complete

    @cython.locals(
        early=Chain,
        late=Chain,
        done=cython.longlong,
        now=cython.longlong,
        before=cython.longlong,
    )
    cdef void frame(self, long long work, Cpu cpu, Chain one, Chain two)


cdef class Screen:
    cdef public long long refresh, longest, begin, count, flipped

    @cython.locals(ready=cython.longlong, flip=cython.longlong)
    cdef long long show(self, long long complete, Chain one, Chain two)
    @cython.locals(repeats=cython.longlong, end=cython.longlong, waits=cython.bint)
    cdef long long variable(self, long long moment, Chain chain)


@cython.locals(
    start="long long[::1]",
    called="long long[::1]",
    added="long long[::1]",
    begun="long long[::1]",
    drawn="long long[::1]",
    complete="long long[::1]",
    flip="long long[::1]",
    scan_begin="long long[::1]",
    scan_count="long long[::1]",
    reached="long long[::1]",
    bound="long long[::1]",
    planes=cython.longlong,
    n=cython.longlong,
    done=cython.longlong,
    first=cython.longlong,
    last=cython.longlong,
    lower=Chain,
    upper=Chain,
    one=Chain,
    two=Chain,
    gpu=Gpu,
)
cpdef run(
    long long[::1] cpu_times,
    long long[::1] gpu_times,
    long long[::1] masks,
    list chains,
    Cpu cpu,
    Screen screen,
    long long frames_in_flight,
    bint synchronous,
    object line,
)
