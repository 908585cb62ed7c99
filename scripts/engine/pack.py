"""Compile a folder of Python modules and put it into a zip file.

    pack.py FOLDER FILE OPTIMISATION

The Python that will load the modules runs this (web/engine/run.mjs). The same folder always gives
the same bytes: names are sorted, times are fixed, and compiled modules are not compared with their
source, which is not there.
"""

from __future__ import annotations

import sys
from importlib.util import MAGIC_NUMBER, source_hash
from marshal import dumps
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The first time that a zip file can name."""

UNCHECKED_HASH = (1).to_bytes(4, "little")
"""The flags of a compiled module that is never compared with its source (PEP 552)."""


def compile_module(source: bytes, name: str, optimisation: int) -> bytes:
    """A module as a `.pyc` file."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=optimisation)
    return MAGIC_NUMBER + UNCHECKED_HASH + source_hash(source) + dumps(code)


def pack(folder: Path, file: Path, optimisation: int) -> None:
    """Write all files below a folder into a zip file, Python modules compiled."""
    with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            name, data = path.relative_to(folder).as_posix(), path.read_bytes()
            if path.suffix == ".py":
                name, data = f"{name}c", compile_module(data, name, optimisation)
            entry = ZipInfo(name, EARLIEST)
            entry.compress_type = ZIP_DEFLATED
            entry.create_system = 3  # Unix, wherever it is built.
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    file.chmod(0o644)


if __name__ == "__main__":
    source, target, level = sys.argv[1:]
    pack(Path("/host" + source), Path("/host" + target), int(level))
