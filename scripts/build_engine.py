"""Build the engine for browsers: Python, the package and its compiled kernel as static files.

    python scripts/build_engine.py [FOLDER]

Everything comes from PyPI and npm, by the hashes of the lock files: Pyodide (web/engine), the
compilers (requirements/engine.lock) and the wheel of msgspec (requirements/run.lock). The same
sources give the same bytes. `docs/edition-engine.md` describes the result.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import build_web
from engine.contents import is_in_library, is_in_package
from engine.kernel import compile_kernel
from engine.wheels import unpack_wheel

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "dalapapa"
GLUE = ROOT / "web" / "engine"
PYODIDE = GLUE / "node_modules" / "pyodide"
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
OUT = ROOT / "build" / "edition" / "engine"

MAX_GZIP_BYTES = 7_000_000
"""Bytes of all files together, each compressed as web servers do."""

LIBRARY_OPTIMISATION = 2
"""The standard library without docstrings and assertions; the package keeps both."""
PACKAGE_OPTIMISATION = 0


def main() -> None:
    """Build the engine into a folder that replaces the previous one once it is complete."""
    out = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else OUT
    install_pyodide()
    new = out.with_name(f"{out.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        build(new, Path(folder))
    shutil.rmtree(out, ignore_errors=True)
    new.rename(out)  # Complete, or not there.
    total = json.loads((out / "manifest.json").read_text())["gzip_bytes"]
    print(f"The engine is in {os.path.relpath(out)}: {total / 1e6:.2f} MB (gzip).")


def install_pyodide() -> None:
    """Install the packages of web/engine/package-lock.json, if they are not there yet."""
    installed, lock = GLUE / "node_modules" / ".package-lock.json", GLUE / "package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        words = ("ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
        build_web.node("npm", "--prefix", str(GLUE), *words)
        installed.touch()
    build_web.install()


def build(out: Path, work: Path) -> None:
    """Build all files of the engine; raises `SystemExit` if one of the checks fails."""
    pyodide = copy_with_digest(PYODIDE, PYODIDE_FILES, out)
    library, package = work / "library", work / "package"
    unpack_library(library)
    unpack_wheel("msgspec", ROOT / "requirements" / "run.lock", package)
    copy_package(package / "dalapapa")
    compile_kernel(package / "dalapapa", PYODIDE / "python_stdlib.zip", work)
    remove_kernel_sources(package / "dalapapa")
    parts = {
        "pyodide": f"{pyodide}/",
        "library": pack(library, out, "python", LIBRARY_OPTIMISATION),
        "package": pack(package, out, "dalapapa", PACKAGE_OPTIMISATION),
    }
    python = json.loads((PYODIDE / "pyodide-lock.json").read_text())["info"]
    built = {"parts": parts, "python": python, "version": read_version()}
    build_web.node("engine/build.mjs", str(out), json.dumps(built))
    for name in ("worker", "client", "tables-worker", "device"):
        parts[name] = add_digest(out / f"engine.{name}.js").name
    write_manifest(out, parts, python["python"])
    try_engine(out)


# -- sources ------------------------------------------------------------------------------------


def unpack_library(folder: Path) -> None:
    """The modules of the standard library that the engine can use."""
    with zipfile.ZipFile(PYODIDE / "python_stdlib.zip") as archive:
        names = [name for name in archive.namelist() if name.endswith(".py")]
        archive.extractall(folder, [name for name in names if is_in_library(name)])


def copy_package(folder: Path) -> None:
    """The package, without what cannot run in a browser."""
    for path in sorted(SOURCE.rglob("*")):
        name = path.relative_to(SOURCE).as_posix()
        wanted = path.suffix in (".py", ".pxd", ".json") and path.is_file()
        if wanted and is_in_package(name):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, folder / name)


def remove_kernel_sources(package: Path) -> None:
    """Leave no interpreted module beside a compiled one."""
    for path in (package / "kernel").glob("*.so"):
        (package / "kernel" / f"{path.name.partition('.')[0]}.py").unlink()
    for path in package.rglob("*.pxd"):
        path.unlink()


# -- files with digests -------------------------------------------------------------------------


def digest(*contents: bytes) -> str:
    """The part of a file's name that changes with its content."""
    return hashlib.sha256(b"".join(contents)).hexdigest()[:12]


def add_digest(path: Path) -> Path:
    """Put the digest of a file into its name."""
    return path.rename(path.with_name(f"{path.stem}-{digest(path.read_bytes())}{path.suffix}"))


def copy_with_digest(source: Path, names: tuple[str, ...], out: Path) -> str:
    """Copy files that load one another by name into a folder with their digest; return its name."""
    folder = out / f"pyodide-{digest(*[(source / name).read_bytes() for name in names])}"
    folder.mkdir()
    for name in names:
        shutil.copyfile(source / name, folder / name)
    return folder.name


def pack(folder: Path, out: Path, name: str, optimisation: int) -> str:
    """Compile a folder of modules into a zip file; return its name."""
    file = out / f"{name}.zip"
    script = ROOT / "scripts" / "engine" / "pack.py"
    words = (str(script), str(folder.resolve()), str(file), str(optimisation))
    build_web.node("engine/run.mjs", *words)
    return add_digest(file).name


def list_files(out: Path) -> Iterator[dict[str, Any]]:
    """All files of the engine, with size and digest."""
    for path in sorted(path for path in out.rglob("*") if path.is_file()):
        data = path.read_bytes()
        yield {
            "path": path.relative_to(out).as_posix(),
            "bytes": len(data),
            "gzip_bytes": len(gzip.compress(data, 9, mtime=0)),
            "sha256": hashlib.sha256(data).hexdigest(),
        }


def write_manifest(out: Path, parts: dict[str, str], python: str) -> None:
    """Write the list of files, and check their size."""
    files = list(list_files(out))
    total = sum(file["gzip_bytes"] for file in files)
    if total > MAX_GZIP_BYTES:
        raise SystemExit(f"The engine has {total} bytes (gzip), but may have {MAX_GZIP_BYTES}.")
    npm = json.loads((PYODIDE / "package.json").read_text())
    manifest = {
        "version": read_version(),
        "built_with": {
            "pyodide": npm["version"],
            "python": python,
            **{name: version(name) for name in ("msgspec", "cython", "ziglang")},
            "headers": ".".join(map(str, sys.version_info[:3])),
        },
        "parts": parts,
        "gzip_bytes": total,
        "files": files,
    }
    (out / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")


def read_version() -> str:
    """The version of the package."""
    lines = (SOURCE / "__init__.py").read_text().splitlines()
    (line,) = [line for line in lines if line.startswith("__version__ = ")]
    return line.split('"')[1]


def try_engine(out: Path) -> None:
    """Start the engine by Node.js: it must find its modules, and its kernel must be compiled."""
    script = ROOT / "scripts" / "engine" / "check.py"
    build_web.node("engine/run.mjs", "--engine", str(out), str(script))


if __name__ == "__main__":
    main()
