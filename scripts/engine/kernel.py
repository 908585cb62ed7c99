"""Compile the kernel to WebAssembly, with Cython and the clang of Zig's wheel.

The C code is compiled for Python's limited API, so that the headers of any Python from 3.11 on do;
`pyconfig.h` describes the Python of the browser. Zig's headers of musl serve as those of the C
library, with the types that Emscripten defines.
"""

from __future__ import annotations

import importlib.util
import os
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[2]
SUFFIX = ".cpython-314-wasm32-emscripten.so"
"""The name that the Python of the browser gives to compiled modules."""

LIMITED_API = "0x030B0000"
SYSTEM_CONFIGURATION = "_sysconfigdata__emscripten_wasm32-emscripten.py"

COMPILE = (
    "cc", "-target", "wasm32-emscripten", "-mcpu=generic-extended_const", "-fPIC", "-O2",
    "-DNDEBUG", f"-DPy_LIMITED_API={LIMITED_API}", "-DCYTHON_LIMITED_API=1",
    "-fno-strict-aliasing", "-g0", "-w",
)  # fmt: skip
LINK = (
    "wasm-ld", "-shared", "--experimental-pic", "--unresolved-symbols=import-dynamic",
    "--no-entry", "--strip-all",
)  # fmt: skip


def compile_kernel(package: Path, standard_library: Path, work: Path) -> None:
    """Put a compiled module beside each module of the kernel in a copy of the package.

    `standard_library` is the zip file of Pyodide.
    """
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    kernel = settings["tool"]["dalapapa"]["kernel"]
    zig = _find_zig()
    headers = work / "headers"
    _copy_python_headers(headers / "python", standard_library)
    _copy_libc_headers(headers / "libc", zig.parent / "lib" / "libc" / "include")
    modules = [name for name in kernel["modules"] if (package / "kernel" / f"{name}.py").exists()]
    compile_one = partial(_compile_module, package, work, kernel["directives"], zig)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        list(threads.map(compile_one, modules))


def _find_zig() -> Path:
    found = importlib.util.find_spec("ziglang")
    if found is None or found.origin is None:
        raise SystemExit("ziglang, which compiles the engine, is missing: run `make engine`.")
    return Path(found.origin).with_name("zig.exe" if os.name == "nt" else "zig")


def _compile_module(
    package: Path, work: Path, directives: Mapping[str, object], zig: Path, name: str
) -> None:
    # The path of a module is part of its code, for tracebacks: it must not name this folder.
    source, translated = Path(package.name, "kernel", f"{name}.py"), work / f"{name}.c"
    chosen = {**directives, "show_performance_hints": False}
    words = [word for one, value in chosen.items() for word in ("-X", f"{one}={value}")]
    python = [sys.executable, "-m", "cython", *words, str(source), "-o", str(translated)]
    subprocess.run(python, cwd=package.parent, check=True)
    headers = work / "headers"
    includes = (f"-I{headers / 'python'}", "-isystem", str(headers / "libc"))
    _run_zig(zig, work, *COMPILE, *includes, "-c", translated.name, "-o", f"{name}.o")
    result = package.resolve() / "kernel" / f"{name}{SUFFIX}"
    _run_zig(zig, work, *LINK, f"--export=PyInit_{name}", f"{name}.o", "-o", str(result))


def _run_zig(zig: Path, work: Path, *words: str) -> None:
    """Run Zig, whose caches end with the folder of this build."""
    caches = {f"ZIG_{kind}_CACHE_DIR": str(work / "cache" / kind) for kind in ("GLOBAL", "LOCAL")}
    subprocess.run([zig, *words], cwd=work, env={**os.environ, **caches}, check=True)


def _copy_python_headers(folder: Path, standard_library: Path) -> None:
    """The headers of this Python, with the configuration of the Python in the browser."""
    shutil.copytree(sysconfig.get_paths()["include"], folder)
    with zipfile.ZipFile(standard_library) as archive:
        described = archive.extract(SYSTEM_CONFIGURATION, folder)
    known = runpy.run_path(described)["build_time_vars"]
    lines = [
        f"#define {name} {value}"
        for name, value in sorted(known.items())
        if isinstance(value, int) and value and re.fullmatch("[A-Z_][A-Z0-9_a-z]*", name)
    ]
    (folder / "pyconfig.h").write_text("\n".join(["#pragma once", *lines, ""]))


def _copy_libc_headers(folder: Path, known: Path) -> None:
    shutil.copytree(known / "generic-musl", folder)
    shutil.copytree(known / "riscv32-linux-musl", folder, dirs_exist_ok=True)
    types = folder / "bits" / "alltypes.h"
    types.write_text(types.read_text().replace("#define _Addr int", "#define _Addr long"))
