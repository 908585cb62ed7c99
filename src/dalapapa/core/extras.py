"""Optional dependencies, such as `pip install ".[server]"` in a checkout.

Rules, table, solver, bots, the command line and drawings need few packages. Code that needs more
calls `require` first, so that a missing package is reported like any other refusal.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec

from .errors import MissingExtra

MODULES = {
    "client": ("httpx", "websockets"),
    "server": (
        *("aiosqlite", "alembic", "httptools", "httpx", "prometheus_client", "sqlalchemy"),
        *("starlette", "uvicorn", "websockets"),
    ),
    "postgres": ("asyncpg",),
    "fleet": ("asyncpg", "nats"),
    "notify": ("cryptography", "httpcore"),
    "print": ("reportlab", "resvg_py"),
    "rl": ("PIL", "gymnasium", "numpy", "pettingzoo", "resvg_py"),
    "ray": ("ray",),
}
"""The modules that each extra of pyproject.toml brings."""

PURPOSES = {
    "client": "Playing at a server",
    "server": "The server",
    "postgres": "PostgreSQL",
    "fleet": "A message bus",
    "notify": "Web push",
    "print": "Printing",
    "rl": "The learning environment",
    "ray": "A Ray cluster",
}


def require(extra: str, purpose: str = "", code: str | None = None) -> None:
    """Refuse if an extra is not installed, with the command that installs it."""
    if not all(map(_is_installed, MODULES[extra])):
        raise MissingExtra(
            f"{purpose or PURPOSES[extra]} needs more packages: in a checkout of Dalapapa, run"
            f' pip install ".[{extra}]".',
            code,
        )


def _is_installed(module: str) -> bool:
    """Whether a module can be imported, without importing it."""
    if module in sys.modules:
        return sys.modules[module] is not None
    return find_spec(module) is not None
