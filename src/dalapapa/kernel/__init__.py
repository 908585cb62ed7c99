"""The compiled kernel: the table, its best turns, and the solver of frames.

Each file is ordinary Python; the `.pxd` file beside it gives the same names C types.
"""
