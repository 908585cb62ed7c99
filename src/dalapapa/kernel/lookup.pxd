# C types for lookup.py (Cython's augmenting file): the same names, nothing else.
cimport cython


@cython.final
cdef class Lookup:
    cdef readonly object tiles
    cdef readonly list names
    cdef readonly dict index
    cdef readonly int count, reach
    cdef readonly int[::1] first, second, pattern, popcount, disc_points, slot_direction
    cdef readonly int[::1] coordinate, rank
    cdef readonly long long[::1] fit, parts
    cdef readonly unsigned long long one


@cython.final
cdef class Torus:
    cdef readonly int size
    cdef readonly int[::1] step, edge

    @cython.locals(size=cython.int, cell=cython.int, y=cython.int, x=cython.int, north=cython.int,
                   south=cython.int, east=cython.int, west=cython.int, at=cython.int)
    cdef void _fill(self) noexcept
