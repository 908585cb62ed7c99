# C types for episode_72.py (Cython's augmenting file): the same names, nothing else.
cimport cython

from dalapapa.kernel.episode cimport Episode
from dalapapa.kernel.group_marks cimport GroupMarks
from dalapapa.kernel.table cimport Table

cdef int SETUP, PLAY, OVER, GROUP_COUNT
cdef int END, PASS, REPLAY


cdef class Episode72(Episode):
    cdef int fixed_dealer, hand, figure, first_reserve, first_tokens, replay_price, premium
    cdef int markers_each, dealer, reserve, passes, premium_owner, last_turns
    cdef int[::1] tokens, markers_left

    @cython.locals(seat=cython.int)
    cdef int _deal(self) except -1
    @cython.locals(step=cython.int)
    cdef int _next_in_setup(self) except -1
    cdef void _move_tokens(self, int tokens) noexcept
    @cython.locals(start=cython.int, held=cython.int, place=cython.int)
    cdef int _pass(self) except -1
    @cython.locals(seat=cython.int, table=Table, group=cython.int)
    cdef int _mark(self, int x, int y) except -1
    cdef int _end_turn(self) except -1
    cdef void _begin_turn(self) noexcept
    cdef void _end_game(self) noexcept
    @cython.locals(table=Table, several=cython.bint, slot=cython.int, best=cython.int,
                   chosen=cython.longlong, tile=cython.int, key=cython.longlong,
                   column=cython.int, row=cython.int, cell=cython.int, points=cython.int)
    cdef int _lay_elsewhere(self) except -1
    @cython.locals(several=cython.bint)
    cdef int _allow(self) except -1
    @cython.locals(left=cython.bint)
    cdef int _allow_more(self) except -1
    @cython.locals(marks=GroupMarks, table=Table, group=cython.int)
    cdef int _allow_markers(self) except -1
    @cython.locals(step=cython.int, other=cython.int)
    cdef int _write_facts(self, int seat) except -1
