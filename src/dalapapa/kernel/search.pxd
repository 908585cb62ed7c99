# C types for search.py (Cython's augmenting file): the same names, nothing else.
cimport cython

from dalapapa.kernel.table cimport Table


@cython.final
cdef class Search:
    cdef Table _table
    cdef int _most, _depth

    @cython.locals(table=Table)
    cpdef place(self, object number)
    cpdef unplace(self)
    @cython.locals(count=cython.longlong, size=cython.longlong)
    cpdef object laying(self, object number)
    @cython.locals(table=Table, pose=cython.int)
    cpdef object number(self, object laying)
