"""Builds the compiled kernel, for which the `.pxd` files give the types.

Everything else is in pyproject.toml.
"""

from Cython.Build import cythonize
from setuptools import Extension, setup

NAMES = ("kit", "table", "best_turn", "solver")

kernel = cythonize(
    [
        Extension(
            f"dalapapa.{name}",
            [f"src/dalapapa/{name}.py"],
            depends=[f"src/dalapapa/{part}.pxd" for part in NAMES],
            extra_compile_args=["-O3"],
        )
        for name in NAMES
    ],
    build_dir="build",  # Keeps the generated C out of the package.
    compiler_directives={
        "language_level": "3",
        "annotation_typing": False,
        "boundscheck": False,
        "wraparound": False,
        "initializedcheck": False,
        "cdivision": True,
        "embedsignature": True,
    },
)
for extension in kernel:
    # Without a C compiler the build goes on: the same files run interpreted, with a warning.
    extension.optional = True

setup(ext_modules=kernel)
