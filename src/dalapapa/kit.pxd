# C types for kit.py (Cython's augmenting file): the same names, nothing else.
cimport cython


@cython.final
cdef class Kit:
    cdef public object tiles
    cdef public list names
    cdef public dict index
    cdef public int count, reach
    cdef public int[::1] first, second, pattern, popcount, disc_points, slot_direction
    cdef public int[::1] coordinate, rank
    cdef public long long[::1] fit, parts
    cdef public unsigned long long one


@cython.final
cdef class Torus:
    cdef public int size
    cdef public int[::1] step, edge
