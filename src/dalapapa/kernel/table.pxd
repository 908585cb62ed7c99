# C types for table.py (Cython's augmenting file): the same names, nothing else.
# `noexcept` marks what cannot raise; those functions touch only integers.
cimport cython

from dalapapa.kernel.lookup cimport Lookup, Torus

cdef int FRONT_COUNT, GROUP_COUNT, MIN_X, MAX_X, MIN_Y, MAX_Y, COUNTERS
cdef int FIRST_SIZE, ROOM


@cython.final
cdef class Table:
    cdef object _tiles
    cdef Lookup lookup
    cdef Torus torus
    cdef list placed
    cdef bint _frozen
    cdef bint _resting
    cdef bint _lending
    cdef int size
    cdef object block, log_block
    cdef int[::1] mem, log, fresh
    cdef int shift, mask
    cdef int need_at, side_at, where_at, front_at, group_at, next_at
    cdef int size_at, open_at, used_at, counters_at
    cdef int log_top, log_depth, fresh_count

    cpdef int rest(self) except -1
    cdef int _wake(self) except -1
    cdef int _forget_log(self) except -1
    @cython.locals(table=Table)
    cdef Table _with_block(self, object block)
    cpdef Table copy(self)
    cpdef int lend(self) except -1
    @cython.locals(table=Table)
    cpdef tuple followed(self, object laying)
    @cython.locals(table=Table, room=cython.int, counters=cython.int, width=cython.int,
                   height=cython.int)
    cpdef Table _roomy(self, int dominoes)
    cdef int _become(self, Table other) except -1

    @cython.locals(pose=cython.int, counters=cython.int)
    cpdef object lay(self, object laying)

    @cython.locals(tile=cython.int, place=cython.int, here=cython.int, direction=cython.int,
                   near=cython.int, need=cython.longlong, turn=cython.int, pose=cython.int)
    cdef list _keys(self, object name, bint one_will_do)

    cdef int _free_tile(self, object name) except -1

    @cython.locals(tile=cython.int, pose=cython.int, counters=cython.int, first=cython.int,
                   second=cython.int, need=cython.longlong)
    cdef int _check(self, object laying) except -1

    cdef int _reset(self, int size) except -1
    cdef int _attach(self) except -1
    cdef int _rebuild(self, int size) except -1
    cdef void _write(self, int at, int value) noexcept

    cdef int _cell(self, int x, int y) noexcept
    @cython.locals(near=cython.int)
    cdef int _partner_of(self, int here, int direction) noexcept
    @cython.locals(west=cython.longlong, east=cython.longlong)
    cdef long long _need_of(self, int here, int near, int direction) noexcept
    @cython.locals(counters=cython.int, west=cython.int, north=cython.int, x=cython.int,
                   y=cython.int, reach=cython.int)
    cdef long long _key_of(self, long long pose, int first) noexcept
    @cython.locals(pose=cython.longlong)
    cdef object _laying_of(self, long long key)

    @cython.locals(second=cython.int, start=cython.int, direction=cython.int)
    cdef int _place(self, int pose, int first) except -1
    @cython.locals(counters=cython.int, second=cython.int, room=cython.int, start=cython.int,
                   quarter=cython.int, number=cython.int)
    cdef int _cover(self, int pose, int first) except -1
    @cython.locals(start=cython.int)
    cdef void _unplace(self) noexcept
    @cython.locals(other=cython.int, colour=cython.int, at=cython.int)
    cdef void _meet(self, int cell, int direction) noexcept
    @cython.locals(count=cython.int)
    cdef void _join_front(self, int cell) noexcept
    @cython.locals(place=cython.int, count=cython.int, last=cython.int)
    cdef void _leave_front(self, int cell) noexcept
    @cython.locals(counters=cython.int, west=cython.int, north=cython.int, x=cython.int,
                   y=cython.int)
    cdef void _stretch(self, int cell) noexcept
    @cython.locals(edge=cython.int, group=cython.int)
    cdef void _found_group(self, int side) noexcept
    @cython.locals(cell=cython.int, direction=cython.int, edge=cython.int, colour=cython.int,
                   behind=cython.int, quarter=cython.int, across=cython.int, at=cython.int,
                   near=cython.int)
    cdef void _join_groups(self, int side, bint centre) noexcept
    @cython.locals(kept=cython.int, gone=cython.int, disc=cython.int, after=cython.int,
                   size=cython.int, meetings=cython.int)
    cdef void _merge(self, int edge, int near) noexcept
    @cython.locals(number=cython.int, cell=cython.int, direction=cython.int, group=cython.int)
    cdef object _fresh_earned(self)


cdef object _laying(object given)
cdef int _pose(int tile, int turn, int direction) noexcept
@cython.locals(forward=cython.bint)
cdef int _first(int here, int near, int direction, int turn) noexcept
