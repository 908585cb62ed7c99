# C types for group_marks.py (Cython's augmenting file): the same names, nothing else.
cimport cython

from dalapapa.kernel.lookup cimport Lookup, Torus
from dalapapa.kernel.table cimport Table

cdef int GROUP_COUNT, MIN_X, MAX_X, MIN_Y, MAX_Y


@cython.final
cdef class GroupMarks:
    cdef int[::1] heads, head_x, head_y, marked, owners, xs, ys
    cdef int count

    @cython.locals(number=cython.int, edge=cython.int, group=cython.int, disc=cython.int)
    cdef void follow(self, Table table) noexcept
    @cython.locals(counters=cython.int, group=cython.int, row=cython.int, column=cython.int,
                   cell=cython.int, kind=cython.int, edge=cython.int)
    cdef void read(self, Table table) noexcept
    cdef void _restart(self, Table table, int group, int edge) noexcept
    @cython.locals(x=cython.int, y=cython.int)
    cdef void _compare(self, Table table, int group, int edge) noexcept
    @cython.locals(west=cython.int)
    cdef int _x_of(self, Table table, int edge) noexcept
    @cython.locals(north=cython.int)
    cdef int _y_of(self, Table table, int edge) noexcept
    cdef bint is_group(self, Table table, int group) noexcept
    @cython.locals(sides=cython.int)
    cdef int colour_of(self, Table table, int edge) noexcept

    cdef void put(self, int owner, int x, int y) noexcept
    @cython.locals(x=cython.int, y=cython.int, row=cython.int, column=cython.int, kind=cython.int,
                   cell=cython.int)
    cdef int edge_of(self, Table table, int number) noexcept
    cdef int group_of(self, Table table, int number) noexcept
    @cython.locals(group=cython.int, number=cython.int)
    cdef void tally(self, Table table) noexcept
    @cython.locals(kept=cython.int, number=cython.int)
    cdef void remove_crowded(self, Table table) noexcept
