"""Running the server: a port to listen on, a database, and the browser."""

from __future__ import annotations

import errno
import os
import platform
import socket
import threading
import time
import webbrowser
from pathlib import Path

import click
import uvicorn

from ..errors import BadInput
from ..files import make_folder, shown
from .app import create_app
from .limits import Limits
from .messages import MOST_BYTES

DEFAULT_PORT = 8072


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
            return full + url.removeprefix(plain)
    return url


def listen(host: str, port: int | None) -> socket.socket:
    """A socket on a port; without one, on the usual port or, if it is taken, on a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, DEFAULT_PORT if port is None else port))
        listener.listen(2048)
    except (OSError, TypeError, UnicodeError) as error:
        listener.close()
        if port is None and getattr(error, "errno", None) in (errno.EADDRINUSE, errno.EACCES):
            return listen(host, 0)
        reason = getattr(error, "strerror", None) or "this is not an address"
        raise BadInput(f"Cannot listen on {shown(host)}: {reason}.", "cannot_listen") from None
    return listener


def serve(
    host: str,
    port: int | None,
    open_browser: bool,
    database: str | None = None,
    limits: Limits | None = None,
) -> None:
    """Serve until interrupted, and open the browser where there is a screen."""
    listener = listen(host, port)
    app = create_app(with_driver(database or default_database()), limits)
    place = f"[{host}]" if ":" in host else host
    url = f"http://{place}:{listener.getsockname()[1]}/"
    config = uvicorn.Config(
        app,
        access_log=False,  # No trace of who looked at what.
        log_level="warning",
        ws_max_size=MOST_BYTES,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=5,
        server_header=False,
    )
    server = uvicorn.Server(config)
    threading.Thread(target=_announce, args=(server, url, open_browser), daemon=True).start()
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        pass
    finally:
        listener.close()
    if not server.started:
        raise BadInput("The server could not start.", "cannot_start")
    click.echo("Goodbye.")


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
