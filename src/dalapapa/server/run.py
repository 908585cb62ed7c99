"""Running the server: a port to listen on, a database, and the browser."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import platform
import re
import socket
import threading
import time
import webbrowser
from pathlib import Path
from typing import Any

import click
import uvicorn
from starlette.applications import Starlette

from ..errors import BadInput, Unavailable
from ..files import make_folder, shown
from .app import create_app
from .clock import SYSTEM_CLOCK, SystemClock
from .limits import Limits
from .messages import MAX_BYTES
from .store import Store

DEFAULT_PORT = 8072

PATIENCE = 60
"""Seconds until somebody who takes nothing of what is sent has gone, though still connected."""


def default_database() -> str:
    """The file of a household's tables."""
    folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "dalapapa"
    make_folder(str(folder))
    return f"sqlite:///{folder / 'tables.db'}"


def with_driver(url: str) -> str:
    """A database URL as people write it, with the driver that we use."""
    for plain, full in (
        ("sqlite://", "sqlite+aiosqlite://"),
        ("postgresql://", "postgresql+asyncpg://"),
        ("postgres://", "postgresql+asyncpg://"),
    ):
        if url.startswith(plain):
            # What everybody else calls sslmode, this driver calls ssl.
            return full + re.sub(r"([?&])sslmode=", r"\1ssl=", url.removeprefix(plain))
    return url


def listen(host: str, port: int | None) -> socket.socket:
    """A socket on a port; without one, on the usual port or, if it is taken, on a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # By name: only where it says TCP does asyncio send at once what is small (TCP_NODELAY).
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Of Linux; connections inherit it.
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * PATIENCE)
        listener.bind((host, DEFAULT_PORT if port is None else port))
        listener.listen(2048)
    except (OSError, TypeError, UnicodeError) as error:
        listener.close()
        if port is None and getattr(error, "errno", None) in (errno.EADDRINUSE, errno.EACCES):
            return listen(host, 0)
        reason = getattr(error, "strerror", None) or "this is not an address"
        raise BadInput(f"Cannot listen on {shown(host)}: {reason}.", "cannot_listen") from None
    return listener


def configured(app: Starlette, **changes: Any) -> uvicorn.Config:
    """How the application is served."""
    settings: dict[str, Any] = {
        "access_log": False,  # No trace of who looked at what.
        "log_level": "warning",
        "ws_max_size": MAX_BYTES,
        "ws_ping_interval": 20,
        "ws_ping_timeout": 20,
        "timeout_graceful_shutdown": 5,
        "server_header": False,
    }
    config = uvicorn.Config(app, **{**settings, **changes})
    logging.getLogger("uvicorn.error").addFilter(_worth_telling)
    return config


def _worth_telling(record: logging.LogRecord) -> bool:
    """Not what any stranger can fill a disk with: a traceback for each text that is none.

    Where the database goes away while the server starts, its sentence says all.
    """
    if refused := re.search(r"^Traceback(?s:.*)\ndalapapa\.errors\.\w+: (.+)", str(record.msg)):
        record.msg = refused[1]
    return not str(record.msg).startswith(("Invalid UTF-8", "opening handshake failed"))


def serve(
    host: str,
    port: int | None,
    open_browser: bool,
    database: str | None = None,
    limits: Limits | None = None,
    clock: SystemClock = SYSTEM_CLOCK,
) -> None:
    """Serve until interrupted, and open the browser where there is a screen."""
    kept_in = with_driver(database or default_database())
    asyncio.run(_check(kept_in))
    listener = listen(host, port)
    app = create_app(kept_in, limits, clock)
    place = f"[{host}]" if ":" in host else host
    url = f"http://{place}:{listener.getsockname()[1]}/"
    server = uvicorn.Server(configured(app))
    threading.Thread(target=_announce, args=(server, url, open_browser), daemon=True).start()
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        pass
    finally:
        listener.close()
    if not server.started:
        raise Unavailable("The server could not start.", "cannot_start")
    click.echo("Goodbye.")


async def _check(database: str) -> None:
    """Refuse a database that cannot be opened: in one sentence, before anything is served."""
    store = Store(database)
    await store.open()
    await store.close()


def _announce(server: uvicorn.Server, url: str, open_browser: bool) -> None:
    """Say where the game is as soon as it is there."""
    while not server.started and not server.should_exit:
        time.sleep(0.02)
    if server.started:
        click.echo(f"Dalapapa is at {url} (Ctrl+C ends it)")
        if open_browser and has_screen():
            webbrowser.open(url)


def has_screen() -> bool:
    """Whether a graphical browser can be opened (a text browser would take the terminal)."""
    if platform.system() == "Linux":
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True
