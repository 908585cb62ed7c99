"""The kernel compiled for Python's limited API, as one wheel for all versions would have it.

    python -m benchmarks.limited_api

It compiles a copy of the package and plays with it and with the installed one in turns, each in a
process of its own. It needs Cython and a C compiler (Linux). What is counted is processor time.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]
LIMITED = ("-DPy_LIMITED_API=0x030b0000", "-DCYTHON_LIMITED_API=1")
ROUNDS = 3
"""Processes of each kind."""


def compile_limited(package: Path) -> None:
    """Compile the kernel of a copy of the package."""
    kernel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["dalapapa"]["kernel"]
    words = [
        word for name, value in kernel["directives"].items() for word in ("-X", f"{name}={value}")
    ]
    headers = sysconfig.get_paths()["include"]
    for name in kernel["modules"]:
        source, code = f"{package.name}/kernel/{name}.py", package.parent / f"{name}.c"
        cython = [sys.executable, "-m", "cython", *words, source, "-o", str(code)]
        subprocess.run(cython, cwd=package.parent, check=True, capture_output=True)
        made = package / "kernel" / f"{name}.abi3.so"
        gcc = ["cc", "-shared", "-fPIC", "-O3", "-g0", "-s", "-w", *LIMITED, f"-I{headers}"]
        subprocess.run([*gcc, str(code), "-o", str(made)], check=True)


def measure_time(work: Callable[[], object], repeats: int) -> float:
    """Microseconds of processor time for one call: the median of several tries."""
    tries = []
    for _ in range(9):
        started = time.process_time()
        for _ in range(repeats):
            work()
        tries.append((time.process_time() - started) / repeats * 1e6)
    return median(tries)


def play() -> None:
    """Print what some questions take, in this process."""
    from dalapapa import Match, Table

    match = Match("classic", ["medium", "medium"], seed="limited")
    match.run(40)
    table = Table(match.table or ())
    hand, names = list(table.free[:2]), table.free[:20]
    found = {
        "best": measure_time(lambda: table.best(hand), 60),
        "legal": measure_time(lambda: [table.legal(name) for name in names], 30),
        "game": measure_time(lambda: Match("classic", ["medium"] * 2, seed="1").run(), 3),
    }
    print(" ".join(f"{name}={value:.1f}" for name, value in found.items()))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "dalapapa"
        left_out = shutil.ignore_patterns("web", "*.so", "__pycache__")
        shutil.copytree(ROOT / "src" / "dalapapa", package, ignore=left_out)
        compile_limited(package)
        for _ in range(ROUNDS):
            for kind, path in (("full API", ROOT / "src"), ("limited API", Path(folder))):
                environment = {**os.environ, "PYTHONPATH": f"{path}{os.pathsep}{ROOT}"}
                words = [sys.executable, "-m", "benchmarks.limited_api", "--play"]
                done = subprocess.run(
                    words, env=environment, cwd=ROOT, check=True, capture_output=True, text=True
                )
                print(f"{kind}: microseconds {done.stdout.strip()}", flush=True)


if __name__ == "__main__":
    play() if "--play" in sys.argv else main()
