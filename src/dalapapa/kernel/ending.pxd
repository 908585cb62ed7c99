# C types for ending.py (Cython's augmenting file): the same names, nothing else.
cimport cython

from dalapapa.kernel.best_turn cimport TurnSearch
from dalapapa.kernel.table cimport Table

cdef int HAND, NO_TILE, BOTH, INFINITE


@cython.final
cdef class Ending:
    cdef TurnSearch search
    cdef int[::1] hands, needs
    cdef readonly int left, last
    cdef int charge
    cdef long long budget

    @cython.locals(table=Table, pose=cython.int, found=cython.int)
    cpdef int worth(self, object turn, int points, int least) except? -30000
    @cython.locals(at=cython.int)
    cdef int _lay(self, int pose, int cell, int player) except -1
    @cython.locals(at=cython.int)
    cdef int _take_back(self, int tile, int player) except -1
    cdef int _over(self, int player, int passed, int least, int most) except? -30000
    @cython.locals(layings=list)
    cdef int _turn(self, int player, int passed, int least, int most) except? -30000
    @cython.locals(best=cython.int)
    cdef int _first_laid(self, int player, int least, int most) except? -30000
    @cython.locals(key=cython.longlong, points=cython.int, pose=cython.int, floor=cython.int,
                   charge=cython.int, found=cython.int)
    cdef int _best_of(self, list layings, int player, bint second, int best, int least,
                      int most) except? -30000
    @cython.locals(search=TurnSearch, scanned=cython.bint, place=cython.int, tile=cython.int,
                   number=cython.int, pose=cython.int, pair=cython.int, cell=cython.int,
                   key=cython.longlong)
    cdef list _layings(self, int player)
