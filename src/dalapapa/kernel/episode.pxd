# C types for episode.py (Cython's augmenting file): the same names, nothing else.
cimport cython

from dalapapa.kernel.lookup cimport Lookup, Torus
from dalapapa.kernel.painter cimport Painter
from dalapapa.kernel.table cimport Table

cdef int FRONT_COUNT, MIN_X, MAX_X, MIN_Y, MAX_Y, ROOM
cdef int SETUP, PLAY, OVER, FIRST_DOMINOES, FACE, SHARED, EACH, POSES


@cython.final
cdef class Episode:
    cdef Table table
    cdef readonly Painter painter
    cdef object reshuffled
    cdef str seed
    cdef readonly int players, target, first, hand, charge, limit
    cdef bint by_score
    cdef int tiles_count, end, width
    cdef signed char[::1] hand_row, unseen_row, faces, seen
    cdef short[::1] facts_row
    cdef double[::1] rewards_row
    cdef int[::1] place_in_set, hands, held, before, bag, poses, columns, rows
    cdef readonly int[::1] scores
    cdef int bag_next, bag_end
    cdef readonly int laid, phase, active, turn, made
    cdef int passed, shuffles
    cdef readonly bint last_round, terminated, truncated

    @cython.locals(seat=cython.int, tile=cython.int)
    cpdef int begin(self, object order, str seed) except -1
    @cython.locals(place=cython.int)
    cdef int _fill(self, object order) except -1
    cpdef bint is_legal(self, long long number) except -1
    @cython.locals(seat=cython.int, area=cython.int, place=cython.int, plane=cython.int,
                   column=cython.int, row=cython.int)
    cpdef int act(self, int number) except -1
    @cython.locals(seat=cython.int, tile=cython.int, pose=cython.int, table=Table,
                   cell=cython.int, second=cython.int, points=cython.int, counters=cython.int)
    cdef int _lay(self, int slot, int turned, int column, int row) except -1
    @cython.locals(at=cython.int, tile=cython.int, place=cython.int)
    cdef int _taken(self, int slot) noexcept
    @cython.locals(table=Table, number=cython.int, row=cython.int, column=cython.int,
                   cell=cython.int)
    cdef int _grow(self) except -1
    @cython.locals(table=Table, slot=cython.int, tile=cython.int, best=cython.longlong,
                   column=cython.int, row=cython.int)
    cdef int _lay_elsewhere(self) except -1
    @cython.locals(slot=cython.int)
    cdef bint _can_lay(self) noexcept
    @cython.locals(table=Table, best=cython.longlong, number=cython.int, here=cython.int,
                   direction=cython.int, near=cython.int, need=cython.longlong,
                   forward=cython.bint, turn=cython.int, pose=cython.int, key=cython.longlong)
    cdef long long _first_key(self, int tile) noexcept

    @cython.locals(_number=cython.int)
    cdef void _draw(self, int seat, int count) noexcept
    @cython.locals(number=cython.int)
    cdef void _all_draw(self, int count) noexcept
    cdef int _next_in_setup(self) except -1
    @cython.locals(seat=cython.int, place=cython.int)
    cdef int _exchange_unlayable(self) except -1
    @cython.locals(seat=cython.int)
    cdef int _turn_over(self) except -1
    cdef bint _seat_turn(self) noexcept
    cdef void _over(self) noexcept
    @cython.locals(best=cython.int, winners=cython.int, seat=cython.int, total=cython.double,
                   won=cython.double, mean=cython.double, own=cython.double)
    cdef void _reward(self) noexcept

    @cython.locals(number=cython.int, turned=cython.int, column=cython.int, row=cython.int)
    cdef int _paint_turn(self, int value) except -1
    @cython.locals(painter=Painter, charge=cython.int, start=cython.int, held=cython.int)
    cdef int _ask(self) except -1
    @cython.locals(held=cython.int, slot=cython.int, start=cython.int, face=cython.int,
                   bit=cython.int, place=cython.int, step=cython.int, other=cython.int,
                   at=cython.int)
    cpdef int look(self, int seat) except -1


@cython.locals(game=cython.int, episode=Episode)
cpdef int first_illegal(list episodes, int[::1] numbers) except -2
@cython.locals(game=cython.int, episode=Episode)
cpdef list act_all(list episodes, int[::1] numbers, signed char[::1] agents, int[::1] counts)
