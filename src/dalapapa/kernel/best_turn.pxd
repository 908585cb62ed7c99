# C types for best_turn.py (Cython's augmenting file): the same names, nothing else.
cimport cython

from dalapapa.kernel.lookup cimport Lookup
from dalapapa.kernel.table cimport Table

cdef int NO_POINTS, FRONT_COUNT


@cython.final
cdef class TurnSearch:
    cdef Table table
    cdef Lookup lookup
    cdef int[::1] pair_first, pair_second, pair_upright, pair_mask
    cdef long long[::1] pair_need, parts
    cdef unsigned long long[::1] pair_groups, pair_halves, pair_edges
    cdef unsigned long long[::1] cell_groups, cell_halves, cell_edges
    cdef int[::1] cell_reach
    cdef int[::1] pose, pair, points, near, near_cells, met, met_part, part_discs
    cdef int pair_count, most, most_pairs, charge
    cdef int best_points
    cdef long long best_first, best_second

    cdef int prepare(self, Table table) except -1
    @cython.locals(pairs=cython.int)
    cdef int restart(self) except -1
    cdef int _make_room(self, int pairs) except -1
    @cython.locals(ones=cython.int, others=cython.int)
    cdef int run(self, int one, int other) except -1
    @cython.locals(number=cython.int, pose=cython.int, pair=cython.int, cell=cython.int)
    cdef list list_one(self, int tile)
    @cython.locals(first=cython.longlong, second=cython.longlong)
    cdef void _offer(self, int points, int pose, int cell, int pose2, int cell2) noexcept
    @cython.locals(table=Table, count=cython.int, place=cython.int, here=cython.int,
                   direction=cython.int, near=cython.int)
    cdef void _scan(self) noexcept
    @cython.locals(pair=cython.int, forward=cython.bint, one=cython.int, other=cython.int)
    cdef void _add_pair(self, int here, int near, int direction) noexcept
    @cython.locals(table=Table, bit=cython.ulonglong, groups=cython.ulonglong,
                   halves=cython.ulonglong, edges=cython.ulonglong, reach=cython.int,
                   direction=cython.int, colour=cython.int, old=cython.int, sides=cython.int,
                   quarter=cython.int, across=cython.int, near=cython.int, group=cython.int)
    cdef void _note_surroundings(self, int place, int cell) noexcept
    @cython.locals(lookup=Lookup, count=cython.int, pair=cython.int, need=cython.longlong,
                   upright=cython.int, turn=cython.int, pose=cython.int, parts=cython.longlong,
                   first=cython.int, second=cython.int, points=cython.int)
    cdef int _list(self, int tile, int start) noexcept
    @cython.locals(table=Table, lookup=Lookup, number=cython.int, pose=cython.int, pair=cython.int,
                   cell=cython.int, discs=cython.int, so_far=cython.int, near_count=cython.int,
                   other_number=cython.int, pair2=cython.int, shared=cython.bint,
                   first=cython.int, second=cython.int, points=cython.int, pose2=cython.int,
                   place=cython.int, reach=cython.int)
    cdef int _try_pairs(self, int start, int count, int other, int far, int far_count,
                        bint leaning) except -1
    @cython.locals(table=Table, count=cython.int, half=cython.int, cell=cython.int,
                   direction=cython.int, near=cython.int)
    cdef int _mark_near(self, int first, int second) noexcept
    @cython.locals(place=cython.int)
    cdef void _unmark_near(self, int count, int first, int second) noexcept
    @cython.locals(table=Table, sizes=cython.int, number=cython.int, group=cython.int,
                   known=cython.bint, earlier=cython.int, edge=cython.int)
    cdef int _open_sizes(self) noexcept
    @cython.locals(table=Table, lookup=Lookup, direction=cython.int, beside=cython.int,
                   need_here=cython.longlong, need_beside=cython.longlong,
                   old_here=cython.longlong, old_beside=cython.longlong, need=cython.longlong,
                   old=cython.longlong, upright=cython.int, mask=cython.int,
                   own_discs=cython.int, old_discs=cython.int, shared=cython.int,
                   other_order=cython.int, most=cython.int, turn=cython.int, pose2=cython.int,
                   cell2=cython.int, forward=cython.bint, first=cython.int, second=cython.int,
                   points=cython.int, parts=cython.longlong)
    cdef void _try_near(self, int here, int other, int pose, int cell, int so_far, int discs,
                        int reach, bint leaning) noexcept
    @cython.locals(table=Table, count=cython.int, part_count=cython.int, part=cython.int,
                   start=cython.int, closes=cython.int, slot=cython.int, place=cython.int,
                   cell=cython.int, direction=cython.int, old=cython.int, sides=cython.int,
                   colour=cython.int, quarter=cython.int, across=cython.int)
    cdef int _group_points(self, long long parts, int first, int second, int upright,
                           int turn) noexcept
    @cython.locals(table=Table, again=cython.bint, place=cython.int, group=cython.int,
                   meetings=cython.int, also=cython.int, points=cython.int, part=cython.int,
                   fresh=cython.int)
    cdef int _closing_points(self, int count, int part_count) noexcept


@cython.locals(some=cython.longlong)
cdef int _mask(long long need, int upright) noexcept
cdef int _turned_mask(int mask, int turn) noexcept
@cython.locals(idle=TurnSearch, turn=cython.int)
cpdef list all_points(Table table, int tile)
@cython.locals(idle=TurnSearch)
cpdef object search(Table table, list hand, int charge)
