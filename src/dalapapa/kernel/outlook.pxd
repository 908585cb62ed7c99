# C types for outlook.py (Cython's augmenting file): the same names, nothing else.
cimport cython

from dalapapa.kernel.best_turn cimport TurnSearch
from dalapapa.kernel.lookup cimport Lookup
from dalapapa.kernel.table cimport Table

cdef int HAND, SIDES, COLOURS, MAX_POINTS, NO_TILE


@cython.final
cdef class Outlook:
    cdef TurnSearch search
    cdef readonly int players, turns, stride, patterns
    cdef int[::1] hands, starts, poses, best, first, earned, often
    cdef readonly list unseen

    @cython.locals(table=Table, lookup=Lookup, tile=cython.int, pose=cython.int, face=cython.longlong,
                   side=cython.int)
    cdef int _list_unseen(self, object hand) except -1
    @cython.locals(table=Table, pose=cython.int, tile=cython.int, most=cython.int)
    cpdef object leaves(self, object turn, object kept)
    @cython.locals(search=TurnSearch, lookup=Lookup, tile=cython.int, pair=cython.int,
                   need=cython.longlong, upright=cython.int, mask=cython.int, side=cython.int,
                   bits=cython.int, colour=cython.int, at=cython.int, number=cython.int,
                   place=cython.int, pose=cython.int, turned=cython.int, points=cython.int,
                   slots=cython.int, parts=cython.longlong)
    cdef int _look_at_all(self) except -1
    @cython.locals(points=cython.int, tile=cython.int, total=cython.longlong, one=cython.int,
                   other=cython.int, charge=cython.int, count=cython.double)
    cdef double _expected(self) except -1
    @cython.locals(one=cython.int, total=cython.longlong, other=cython.int, points=cython.int,
                   charge=cython.int, count=cython.double)
    cdef double _expected_beside(self, int kept) except -1
    @cython.locals(table=Table, pose=cython.int, count=cython.int, one=cython.int,
                   other=cython.int)
    cpdef object play(self, object turn, object kept, object deals)
    @cython.locals(table=Table, deal=cython.int, start=cython.int, place=cython.int,
                   laid=cython.int, number=cython.int, player=cython.int,
                   first_mean=cython.double, mean=cython.double)
    cdef int _play_all(self, int[::1] deals, int[::1] found, double[::1] luck, int count,
                       int one, int other) except -1
    @cython.locals(one=cython.int, other=cython.int, earned=cython.int, more=cython.int,
                   points=cython.int)
    cdef int _worth(self, int[::1] best, int player) noexcept
    @cython.locals(place=cython.int)
    cdef void _draw(self, int player, int[::1] deals, int start) noexcept
    @cython.locals(search=TurnSearch, at=cython.int, one=cython.int, other=cython.int)
    cdef int _turn(self, int player) except -1
    @cython.locals(table=Table, pose=cython.int, tile=cython.int)
    cdef int _lay(self, long long key, int at) except -1
