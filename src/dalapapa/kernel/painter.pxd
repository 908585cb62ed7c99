# C types for painter.py (Cython's augmenting file): the same names, nothing else.
cimport cython

from dalapapa.kernel.lookup cimport Lookup, Torus
from dalapapa.kernel.table cimport Table

cdef int FRONT_COUNT, MIN_X, MAX_X, MIN_Y, MAX_Y
cdef int LAID, SIDES, TURN, GROUP, CLOSED, MARKED, POSES, MOST


@cython.final
cdef class Painter:
    cdef readonly int size, area, planes, left, top, count, layings
    cdef signed char[::1] board, mask
    cdef int[::1] legal
    cdef short[::1] points

    @cython.locals(counters=cython.int, across=cython.int, down=cython.int, moved=cython.bint)
    cpdef bint centre(self, Table table) except -1
    @cython.locals(counters=cython.int, west=cython.int, north=cython.int, column=cython.int,
                   row=cython.int)
    cdef int place_of(self, Table table, int cell) noexcept
    @cython.locals(at=cython.int, counters=cython.int, row=cython.int, column=cython.int,
                   x=cython.int, y=cython.int, cell=cython.int, place=cython.int, side=cython.int,
                   edge=cython.int)
    cpdef int paint(self, Table table) except -1
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
    @cython.locals(group=cython.int, disc=cython.int, side=cython.int, place=cython.int,
                   at=cython.int)
    cdef void _paint_ring(self, Table table, int edge, int owner) noexcept
    @cython.locals(column=cython.int, row=cython.int)
    cpdef int paint_turn(self, int x, int y, int value) except -1

    @cython.locals(number=cython.int)
    cpdef int forbid_all(self) except -1
    cpdef int allow(self, int number) except -1
    @cython.locals(first_plane=cython.int, number=cython.int, here=cython.int,
                   direction=cython.int, near=cython.int, need=cython.longlong,
                   forward=cython.bint, pose=cython.int, turn=cython.int, cell=cython.int,
                   plane=cython.int)
    cpdef int allow_layings(self, Table table, int tile, int slot, int charge) except -1
    @cython.locals(place=cython.int, number=cython.int)
    cdef int _allow_laying(self, Table table, int pose, int cell, int plane, int charge) except -1

    @cython.locals(points=cython.int, number=cython.int, group=cython.int, known=cython.bint,
                   earlier=cython.int, edge=cython.int)
    cdef int fresh_points(self, Table table) noexcept
