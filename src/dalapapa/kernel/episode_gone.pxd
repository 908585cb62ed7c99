# C types for episode_gone.py (Cython's augmenting file): the same names, nothing else.
cimport cython

from dalapapa.kernel.episode cimport Episode

cdef int PLAY, OVER, PASS


cdef class GoneEpisode(Episode):
    cdef int first, figure, lays_again, passes
    cdef int[::1] counts
    cdef bint again

    @cython.locals(step=cython.int, seat=cython.int)
    cdef int _deal(self) except -1
    @cython.locals(tile=cython.int, key=cython.longlong)
    cdef int _lay_figure(self) except -1
    @cython.locals(seat=cython.int)
    cdef void _count(self) noexcept
    @cython.locals(seat=cython.int)
    cdef int _after_laying(self, int contacts, int points) except -1
    cdef void _next(self) noexcept
    @cython.locals(step=cython.int, other=cython.int)
    cdef int _write_facts(self, int seat) except -1
