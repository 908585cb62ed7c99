"""Builds the compiled kernel, for which the `.pxd` files give the types; everything else is in pyproject.toml."""

from Cython.Build import cythonize
from setuptools import Extension, setup

# Without a C compiler the build goes on: the same files then run interpreted, with a warning.
KERNEL = [
    Extension(
        f"dalapapa.{name}",
        [f"src/dalapapa/{name}.py"],
        depends=[f"src/dalapapa/{part}.pxd" for part in ("kit", "table", "best_turn")],
        extra_compile_args=["-O3"],
        optional=True,
    )
    for name in ("kit", "table", "best_turn")
]

setup(
    ext_modules=cythonize(
        KERNEL,
        compiler_directives={
            "language_level": "3",
            "annotation_typing": False,
            "boundscheck": False,
            "wraparound": False,
            "initializedcheck": False,
            "cdivision": True,
            "embedsignature": True,
        },
    ),
)
