# C types for solver.py (Cython's augmenting file): the same names, nothing else.
# `noexcept` marks what cannot raise; those functions touch only integers.
cimport cython

cdef long long ODD_BITS, ODD_PAIRS, ODD_NIBBLES
cdef int WORD, KEYS, NEEDS, POSE_BITS, POSE_MASK, NODES_PER_POLL, NEAR_END_DOMINOES
cdef int EXHAUSTED, COUNT_REACHED, PAUSED, GAVE_UP


@cython.final
cdef class Frame:
    cdef public tuple cells
    cdef public dict number, pair_of
    cdef public int cell_count, pair_count
    cdef public int[::1] near, pair_at, pair_first, pair_second, pair_upright
    cdef public int[::1] touch_cell, touch_power


@cython.final
cdef class FrameSearch:
    cdef public Frame frame
    cdef public int kind_count, words, pose_count, target, depth, base
    cdef public bint exact
    cdef public long long nodes, budget, wanted, elsewhere
    cdef public object stop
    cdef public list found
    cdef int[::1] digit, fit, need_of, part, need, covered, after, before, east, south
    cdef int[::1] left, kind_at, place_of, subset
    cdef int[::1] laid, start, at, end, choice
    cdef long long[::1] masks, free, met, bit

    @cython.locals(place=cython.int, kind=cython.int, word=cython.int, bit=cython.longlong,
                   pose=cython.int, slot=cython.int, power=cython.int, size=cython.int,
                   number=cython.int)
    cpdef int arrange(self, list kinds) except -1
    cpdef int put_for_good(self, int choice) except -1
    cpdef int take_all(self) except -1
    @cython.locals(near=cython.int, mark=cython.longlong)
    cpdef int run(self, long long patience, long long limit) except -1
    cdef int _keep(self) except -1
    @cython.locals(frame=Frame, words=cython.int, word=cython.int, best=cython.int,
                   least=cython.int, cell=cython.int, near=cython.int,
                   key=cython.int, many=cython.int)
    cdef int _choose(self) noexcept
    @cython.locals(word=cython.int, bits=cython.longlong, number=cython.int)
    cdef int _count(self, int key) noexcept
    @cython.locals(upright=cython.int)
    cdef int _key(self, int pair) noexcept
    @cython.locals(frame=Frame, top=cython.int, step=cython.int, side=cython.int,
                   pair=cython.int, key=cython.int, need=cython.int, word=cython.int,
                   bits=cython.longlong, low=cython.longlong, pose=cython.int, turn=cython.int)
    cdef void _list(self, int cell) noexcept
    @cython.locals(frame=Frame, pair=cython.int, pose=cython.int, kind=cython.int,
                   place=cython.int, slot=cython.int, cell=cython.int)
    cdef void _put(self, int choice) noexcept
    @cython.locals(frame=Frame, pair=cython.int, pose=cython.int, kind=cython.int,
                   place=cython.int, slot=cython.int, cell=cython.int)
    cdef void _take(self, int choice) noexcept


@cython.locals(x=cython.longlong)
cdef inline int _ones(long long bits) noexcept
