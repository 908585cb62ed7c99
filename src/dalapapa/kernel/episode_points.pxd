# C types for episode_points.py (Cython's augmenting file): the same names, nothing else.
cimport cython

from dalapapa.kernel.episode cimport Episode
from dalapapa.kernel.group_marks cimport GroupMarks
from dalapapa.kernel.table cimport Table

cdef int SETUP, PLAY, OVER, GROUP_COUNT
cdef int END, PASS, FOLLOW, DECLINE, BIDS, BID_STEP


cdef class ClassicEpisode(Episode):
    cdef int target, first, hand, charge, passed
    cdef bint last_round

    @cython.locals(number=cython.int)
    cdef int _let_all_draw(self, int count) except -1
    cdef int _next_in_setup(self) except -1
    @cython.locals(seat=cython.int)
    cdef int _exchange_unlayable(self) except -1
    @cython.locals(seat=cython.int)
    cdef int _end_turn(self) except -1
    cdef bint _ends_round(self) noexcept
    cdef bint _begin_turn(self) noexcept
    cdef void _reset_turn(self) noexcept
    cdef void _end_game(self) noexcept
    @cython.locals(step=cython.int, other=cython.int)
    cdef int _write_facts(self, int seat) except -1
    cdef void _write_more(self) noexcept
    cdef void _write_more_of(self, int seat) noexcept


cdef class AuctionEpisode(ClassicEpisode):
    cdef bint repeated, auctioned
    cdef int bids, bid, holder, asked, out, declined, home

    @cython.locals(home=cython.int, jump=cython.int)
    cdef bint _ends_round(self) noexcept
    @cython.locals(caller=cython.int)
    cdef int _allow(self) except -1
    @cython.locals(step=cython.int, seat=cython.int)
    cdef int _next_caller(self) noexcept
    @cython.locals(number=cython.int)
    cdef int _allow_bids(self) except -1
    @cython.locals(step=cython.int, seat=cython.int)
    cdef int _go_round(self) except -1
    cdef void _end_auction(self) noexcept
    @cython.locals(running=cython.bint)
    cdef void _write_more_of(self, int seat) noexcept


cdef class ConquestEpisode(ClassicEpisode):
    cdef bint finish_round, marked
    cdef int marks_each
    cdef int[::1] marks_left

    @cython.locals(seat=cython.int)
    cdef int _deal(self) except -1
    @cython.locals(marks=GroupMarks, table=Table, colours=cython.int, number=cython.int,
                   group=cython.int)
    cdef int _allow_marks(self) except -1
    @cython.locals(table=Table, number=cython.int, group=cython.int)
    cdef void _end_game(self) noexcept
