cimport cython

cdef long long SKIPPED, NUMBER, WORD, WORDS, NOTHING, BELOW_ZERO, GIVEN
cdef long long NEWLINE, MINUS, POINT, ZERO, NINE, LETTER_N, LETTER_A, LONGEST


cdef class Cells:
    cdef const unsigned char[::1] data
    cdef long long[::1] words
    cdef public long long delimiter, position, value, seen

    cdef void word(self)
    @cython.locals(at=cython.longlong)
    cdef bint repeats(self, long long begin, long long end, long long start)
    @cython.locals(left=cython.longlong)
    cdef bint number(self, long long digits, long long limit)
    @cython.locals(start=cython.longlong, count=cython.longlong)
    cdef long long whole(self, long long digits)
    @cython.locals(start=cython.longlong)
    cdef long long fraction(self, long long left)
    @cython.locals(ended=cython.bint)
    cdef bint leave(self, bint last)
    @cython.locals(index=cython.longlong, at=cython.longlong)
    cdef long long among(self, long long start, long long first, long long known, long long last)


@cython.locals(
    cells=Cells,
    last=cython.longlong,
    row=cython.longlong,
    place=cython.longlong,
    slot=cython.longlong,
    start=cython.longlong,
    before=cython.longlong,
    index=cython.longlong,
)
cpdef bint scan(
    const unsigned char[::1] data,
    long long delimiter,
    long long[::1] kinds,
    long long[::1] slots,
    long long[::1] digits,
    long long[::1] limits,
    long long rows,
    long long[::1] out,
    long long[::1] words,
    long long[::1] seen,
)
