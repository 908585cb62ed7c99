# C types for episode.py (Cython's augmenting file): the same names, nothing else.
cimport cython

from dalapapa.kernel.group_marks cimport GroupMarks
from dalapapa.kernel.lookup cimport Lookup, Torus
from dalapapa.kernel.painter cimport Painter
from dalapapa.kernel.table cimport Table

cdef int FRONT_COUNT, MIN_X, MAX_X, MIN_Y, MAX_Y, ROOM
cdef int SETUP, OVER, FIRST_DOMINOES, FACE, POSES, MAX_FACT


cdef class Episode:
    cdef Table table
    cdef readonly Painter painter
    cdef GroupMarks marks
    cdef object chance
    cdef str seed
    cdef readonly int players, slots, others, limit
    cdef bint by_score, marking
    cdef int tiles_count, mark_from, other_from, width, stride
    cdef signed char[::1] hand_row, unseen_row, faces, seen
    cdef short[::1] facts_row
    cdef int facts_at
    cdef double[::1] rewards_row
    cdef int[::1] place_in_set, hands, held, before, bag, poses, columns, rows
    cdef readonly int[::1] scores
    cdef int bag_next, bag_end
    cdef readonly int laid, phase, active, actor, turn, made
    cdef int shuffles
    cdef readonly bint terminated, truncated

    cdef int _deal(self) except -1
    cdef int _after_laying(self, int contacts, int points) except -1
    cdef int _choose(self, int number) except -1
    cdef int _mark(self, int x, int y) except -1
    cdef int _allow(self) except -1
    cdef int _write_facts(self, int seat) except -1

    @cython.locals(seat=cython.int, tile=cython.int)
    cpdef int begin(self, object order, str seed) except -1
    @cython.locals(place=cython.int)
    cdef int _fill(self, object order) except -1
    cpdef bint is_legal(self, long long number) except -1
    @cython.locals(seat=cython.int, area=cython.int, place=cython.int, plane=cython.int,
                   column=cython.int, row=cython.int)
    cpdef int act(self, int number) except -1
    @cython.locals(pose=cython.int, table=Table, cell=cython.int, second=cython.int,
                   contacts=cython.int, points=cython.int, counters=cython.int)
    cdef int _lay(self, int slot, int turned, int column, int row) except -1
    @cython.locals(cell=cython.int)
    cdef int _put(self, int pose, int column, int row) except -1
    @cython.locals(at=cython.int, tile=cython.int, place=cython.int)
    cdef int _taken(self, int slot) noexcept
    @cython.locals(table=Table, number=cython.int, row=cython.int, column=cython.int,
                   cell=cython.int)
    cdef int _grow(self) except -1
    @cython.locals(slot=cython.int, keys=list)
    cdef int _lay_elsewhere(self) except -1
    @cython.locals(lookup=Lookup, column=cython.int, row=cython.int)
    cdef int _lay_key(self, int slot, long long key) except -1
    @cython.locals(slot=cython.int)
    cdef bint _can_lay(self, bint several) except -1
    @cython.locals(table=Table, keys=list, count=cython.int, number=cython.int, here=cython.int,
                   direction=cython.int, near=cython.int, need=cython.longlong,
                   forward=cython.bint, turn=cython.int, pose=cython.int, cell=cython.int)
    cdef list _list_keys(self, int tile, bint several)

    @cython.locals(_number=cython.int)
    cdef void _draw(self, int seat, int count) noexcept
    @cython.locals(place=cython.int)
    cdef int _put_back(self, list dominoes) except -1
    @cython.locals(best=cython.int, winners=cython.int, seat=cython.int, total=cython.double,
                   won=cython.double, mean=cython.double, own=cython.double)
    cdef void _reward(self) noexcept

    @cython.locals(number=cython.int, turned=cython.int, column=cython.int, row=cython.int)
    cdef int _paint_turn(self, int value) except -1
    @cython.locals(held=cython.int, start=cython.int)
    cdef int _allow_layings(self, int charge, bint several) except -1
    @cython.locals(stuck=cython.bint)
    cdef int _allow_if_stuck(self, int number, bint several) except -1
    @cython.locals(painter=Painter, x=cython.int, y=cython.int, side=cython.int,
                   column=cython.int, row=cython.int)
    cdef int _allow_mark(self, int group) except -1
    @cython.locals(held=cython.int, slot=cython.int, start=cython.int, face=cython.int,
                   bit=cython.int, place=cython.int)
    cpdef int look(self, int seat) except -1
    cdef void _write_fact(self, int value) noexcept
    @cython.locals(number=cython.int, owner=cython.int, edge=cython.int)
    cdef int _paint_marks(self, int seat) except -1


@cython.locals(game=cython.int, episode=Episode)
cpdef int first_illegal(list episodes, int[::1] numbers) except -2
@cython.locals(game=cython.int, episode=Episode)
cpdef list act_all(list episodes, int[::1] numbers, signed char[::1] agents, int[::1] counts)
