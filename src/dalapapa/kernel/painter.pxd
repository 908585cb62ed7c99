# C types for painter.py (Cython's augmenting file): the same names, nothing else.
cimport cython

from dalapapa.kernel.lookup cimport Lookup, Torus
from dalapapa.kernel.table cimport Table

cdef int FRONT_COUNT, MIN_X, MAX_X, MIN_Y, MAX_Y
cdef int LAID, SIDES, TURN, GROUP, CLOSED, MARKED, POSES, MAX_CELL_VALUE, COVERED


@cython.final
cdef class Painter:
    cdef readonly int size, area, planes, left, top, count
    cdef signed char[::1] board, mask
    cdef int[::1] legal
    cdef short[::1] points
    cdef unsigned short[::1] asks
    cdef int[::1] pairs, pair_at
    cdef long long[::1] needs
    cdef int pair_count

    @cython.locals(cells=cython.int, cell=cython.int, pair=cython.int)
    cpdef int watch(self, Table table) except -1
    @cython.locals(direction=cython.int, near=cython.int)
    cdef void watch_cell(self, Table table, int cell) noexcept
    @cython.locals(north=cython.int, west=cython.int)
    cdef void _watch_pairs(self, Table table, int cell) noexcept
    @cython.locals(place=cython.int, here=cython.longlong, near=cython.longlong, last=cython.int)
    cdef void _watch_pair(self, int pair, int one, int other) noexcept

    @cython.locals(counters=cython.int, across=cython.int, down=cython.int, moved=cython.bint)
    cpdef bint centre(self, Table table) except -1
    @cython.locals(counters=cython.int, west=cython.int, north=cython.int, column=cython.int,
                   row=cython.int)
    cdef int place_of(self, Table table, int cell) noexcept
    cdef int _is_inside(self, int column, int row) noexcept
    @cython.locals(at=cython.int, counters=cython.int, row=cython.int, column=cython.int,
                   first_row=cython.int, last_row=cython.int, first_column=cython.int,
                   last_column=cython.int, line=cython.int, cell=cython.int, place=cython.int,
                   side=cython.int, edge=cython.int, group=cython.int)
    cpdef int paint(self, Table table) except -1
    @cython.locals(left=cython.int, top=cython.int, moved=cython.bint, shift=cython.int, counters=cython.int,
                   end=cython.int, at=cython.int)
    cdef int follow(self, Table table) except -1
    @cython.locals(place=cython.int)
    cdef void paint_cell(self, Table table, int cell) noexcept
    @cython.locals(bit=cython.int)
    cdef void _paint_sides(self, int sides, int place) noexcept
    @cython.locals(size=cython.int)
    cdef void _paint_disc(self, Table table, int group, int place, int side) noexcept
    @cython.locals(number=cython.int)
    cdef void paint_fresh(self, Table table) noexcept
    @cython.locals(x=cython.int, y=cython.int, column=cython.int, row=cython.int, kind=cython.int,
                   cell=cython.int)
    cpdef int paint_mark(self, Table table, object disc, int owner) except -1
    @cython.locals(at=cython.int)
    cdef void clear_marks(self) noexcept
    @cython.locals(group=cython.int, disc=cython.int, side=cython.int, place=cython.int,
                   at=cython.int)
    cdef void paint_ring(self, Table table, int edge, int owner) noexcept
    @cython.locals(column=cython.int, row=cython.int)
    cpdef int paint_turn(self, int x, int y, int value) except -1

    @cython.locals(number=cython.int)
    cpdef int forbid_all(self) except -1
    cpdef int allow(self, int number) except -1
    @cython.locals(done=cython.int, number=cython.int, place=cython.int, plane=cython.int)
    cpdef int allow_layings(self, Table table, int[::1] hand, int start, int count,
                            int charge, bint several=*) except -1
    @cython.locals(fit=cython.longlong[::1], needs=cython.longlong[::1], pairs=cython.int[::1],
                   legal=cython.int[::1], found=cython.int, side=cython.int,
                   area=cython.int, mask=cython.int, shift=cython.int, west=cython.int,
                   north=cython.int, number=cython.int, need=cython.longlong, cell=cython.int,
                   upright=cython.int, column=cython.int, row=cython.int, even=cython.int,
                   even_inside=cython.int, odd=cython.int, odd_inside=cython.int, slot=cython.int,
                   pose=cython.int, plane=cython.int, turn=cython.int, fits=cython.int)
    cdef int _list_layings(self, Table table, int[::1] hand, int start, int count,
                           bint several) except -1
    @cython.locals(place=cython.int, plane=cython.int, column=cython.int, row=cython.int,
                   cell=cython.int)
    cdef int _write_points(self, Table table, int number, int[::1] hand, int start,
                          int charge) except -1
    @cython.locals(points=cython.int, number=cython.int, group=cython.int, known=cython.bint,
                   earlier=cython.int, edge=cython.int)
    cdef int fresh_points(self, Table table) noexcept
