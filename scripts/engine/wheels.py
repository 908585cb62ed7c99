"""Wheels for the Python of browsers, checked against the hashes of a lock file."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PLATFORM = (
    "--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14",
    "--implementation", "cp", "--abi", "cp314",
)  # fmt: skip


def unpack_wheel(name: str, lock: Path, folder: Path) -> None:
    """Download the wheel of a package that a lock file names, and unpack its modules."""
    with tempfile.TemporaryDirectory() as downloads:
        required = Path(downloads, f"{name}.lock")
        required.write_text(cut_requirement(name, lock.read_text()))
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
             "--no-deps", "--only-binary=:all:", "--require-hashes", *PLATFORM,
             "--requirement", required, "--dest", downloads],
            check=True,
        )  # fmt: skip
        (wheel,) = Path(downloads).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if name.endswith((".py", ".so"))]
            archive.extractall(folder, names)


def cut_requirement(name: str, lock: str) -> str:
    """The version and the hashes of one package of a lock file."""
    lines = lock.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(f"{name}=="))
    end = next(number for number in range(start, len(lines)) if not lines[number].endswith("\\"))
    return "\n".join([*lines[start : end + 1], ""])
