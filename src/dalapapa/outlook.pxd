# C types for outlook.py (Cython's augmenting file): the same names, nothing else.
cimport cython

from dalapapa.best_turn cimport Search
from dalapapa.table cimport Table

cdef int HAND, NOBODY, ROOM, MIN_X, MAX_X, MIN_Y, MAX_Y


@cython.final
cdef class Outlook:
    cdef Search search
    cdef readonly int players, turns, stride
    cdef int[::1] hands

    @cython.locals(room=cython.int, counters=cython.int, width=cython.int, height=cython.int)
    cdef int _prepare(self, Table table) except -1
    @cython.locals(table=Table, pose=cython.int, count=cython.int, one=cython.int,
                   other=cython.int)
    cpdef object play(self, object turn, object kept, object deals)
    @cython.locals(table=Table, deal=cython.int, start=cython.int, place=cython.int,
                   laid=cython.int, number=cython.int, player=cython.int)
    cdef int _play_all(self, int[::1] deals, int[::1] found, int count, int one,
                       int other) except -1
    @cython.locals(place=cython.int)
    cdef void _draw(self, int player, int[::1] deals, int start) noexcept
    @cython.locals(search=Search, at=cython.int, one=cython.int, other=cython.int)
    cdef int _turn(self, int player) except -1
    @cython.locals(table=Table, pose=cython.int, tile=cython.int)
    cdef int _lay(self, long long key, int at) except -1
