"""Start the server: listen on a port, open the database and the browser."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import faulthandler
import gc
import logging
import os
import platform
import re
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec
import uvicorn
from starlette.applications import Starlette

from ...core.errors import BadInput, Unavailable
from ...core.files import format_name, make_folder
from ...hosting.protocol import MAX_MESSAGE_BYTES
from ..app import create_app
from ..bus.choose import make_bus
from ..clock import SYSTEM_CLOCK, SystemClock
from ..monitoring import logging_setup
from ..notify.config import NotifyConfig
from ..storage.connection.permissions import make_folder_private
from ..storage.retention_policy import RetentionPolicy
from ..storage.store import Store
from ..traffic.allowed_hosts import AllowedHosts, parse_host
from ..traffic.limits import Limits
from ..traffic.proxies import LOOPBACK, TrustedProxies, list_trusted_peers
from ..ws.wire import Wire
from .connections import HttpConnection
from .lockfile import lock_database
from .takeover import GracefulServer, find_watchdog_interval, take_inherited_sockets

DATABASE_NAME = "tables.db"

DEFAULT_PORT = 8072

RESERVED_FILES = 200
"""Files that a process opens besides connections: the database, workers, and files to read."""

SEND_BUFFER_BYTES = 131_072
"""The size of the send buffer of a connection, which Linux doubles."""

UNACKNOWLEDGED_TIMEOUT_S = 60
"""Seconds until a peer that acknowledges nothing counts as disconnected."""


def find_data_folder() -> Path:
    """Return the folder of a household's database, which may not exist yet.

    It follows the convention of each platform. `platformdirs` would replace only the `match`, and
    since its version 4 it ignores `LOCALAPPDATA`: a database that was stored there would be lost.
    """
    if xdg := os.environ.get("XDG_DATA_HOME"):
        return Path(xdg) / "dalapapa"
    home = Path.home()
    legacy = home / ".local" / "share" / "dalapapa"
    if (legacy / DATABASE_NAME).exists():  # Early versions used it on all systems.
        return legacy
    match platform.system():
        case "Darwin":
            return home / "Library" / "Application Support" / "dalapapa"
        case "Windows":
            local = os.environ.get("LOCALAPPDATA")
            return (Path(local) if local else home / "AppData" / "Local") / "dalapapa"
        case _:
            return legacy


def prepare_default_database() -> str:
    """Return the URL of the household's database, in a private folder."""
    folder = find_data_folder()
    make_folder(str(folder))
    make_folder_private(folder)
    return f"sqlite:///{folder / DATABASE_NAME}"


def add_driver(url: str) -> str:
    """Add our driver to a database URL as people write it."""
    for plain, full in (
        ("sqlite://", "sqlite+aiosqlite://"),
        ("postgresql://", "postgresql+asyncpg://"),
        ("postgres://", "postgresql+asyncpg://"),
    ):
        if url.startswith(plain):
            # This driver calls sslmode ssl.
            return full + re.sub(r"([?&])sslmode=", r"\1ssl=", url.removeprefix(plain))
    return url


def listen(host: str, port: int | None) -> socket.socket:
    """Listen on a port; without one, on the default port or, if it is taken, on a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY only for sockets whose protocol is named.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        # A port has one server, also right after another has ended. On Windows, SO_REUSEADDR would
        # let a second one listen on the same port.
        exclusive = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
        listener.setsockopt(socket.SOL_SOCKET, exclusive, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux only. Connections inherit both.
            timeout_ms = 1000 * UNACKNOWLEDGED_TIMEOUT_S
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, timeout_ms)
        listener.bind((host, DEFAULT_PORT if port is None else port))
        listener.listen(2048)
    except (OSError, TypeError, UnicodeError) as error:
        listener.close()
        if port is None and getattr(error, "errno", None) in (errno.EADDRINUSE, errno.EACCES):
            return listen(host, 0)
        raise BadInput(_explain_listen_error(host, port, error), "cannot_listen") from None
    return listener


def _explain_listen_error(host: str, port: int | None, error: Exception) -> str:
    place = f"Cannot listen on port {DEFAULT_PORT if port is None else port} of {format_name(host)}"
    match getattr(error, "errno", None):
        case errno.EADDRINUSE:
            return (
                f"{place}: another program uses this port. Stop that program, or choose"
                " another port with --port (0 takes any free one)."
            )
        case errno.EACCES:
            return f"{place}: you may not use this port; choose one above 1023 with --port."
        case errno.EADDRNOTAVAIL:
            return (
                f"{place}: this machine does not have this address; choose another one with --host."
            )
    return (
        f"Cannot listen on {format_name(host)}: this is not an address of this machine; choose"
        " another one with --host."
    )


def make_config(
    app: Starlette, proxies: tuple[str, ...] | None = None, **changes: Any
) -> uvicorn.Config:
    """Return the configuration of uvicorn; `proxies` are those that the operator names."""
    app.state.gate.proxies = TrustedProxies(proxies or ())
    settings: dict[str, Any] = {
        "access_log": False,  # Requests of visitors are not recorded.
        "log_config": None,  # `logging_setup.configure`.
        "log_level": "warning",
        "ws": Wire,
        "ws_max_size": MAX_MESSAGE_BYTES,
        "ws_ping_interval": 20,
        "ws_ping_timeout": 20,
        "timeout_graceful_shutdown": 5,
        "server_header": False,
        "http": partial(HttpConnection, app.state.gate),
        "forwarded_allow_ips": list_trusted_peers(LOOPBACK if proxies is None else proxies),
    }
    config = uvicorn.Config(app, **{**settings, **changes})
    logging.getLogger("uvicorn.error").addFilter(_shorten_uvicorn_message)
    return config


def _shorten_uvicorn_message(record: logging.LogRecord) -> bool:
    """Replace messages of uvicorn; an unavailable database has a sentence of its own."""
    if refused := re.search(
        r"^Traceback(?s:.*)\ndalapapa\.core\.errors\.\w+: (.+)", str(record.msg)
    ):
        record.msg = refused[1]
    if "graceful" in str(record.msg):
        record.msg = "The server cut off these unfinished requests: %s."
    return True


class ServerOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of `dalapapa play`."""

    host: str = "127.0.0.1"
    port: int | None = None
    """Without one, the default port or, if it is taken, a free one."""
    fd: int | None = None
    """An inherited listening socket, instead of host and port (`takeover.py`)."""
    names: tuple[str, ...] = ()
    """Host names of the server, besides the default ones (`allowed_hosts.py`)."""
    proxies: tuple[str, ...] | None = None
    """Addresses and networks of proxies (`proxies.py`). Without any, those of this machine are
    trusted, but count as clients as well."""
    open_browser: bool = True
    database: str | None = None
    """A URL; without one, the household's file."""
    limits: Limits = Limits()
    keep: RetentionPolicy = RetentionPolicy()
    notify: NotifyConfig = NotifyConfig()
    broker: str | None = None
    """Addresses of NATS servers, separated by commas (`bus/`)."""
    backups: str | None = None
    """The folder of backups, whose age is a metric."""
    drain: float = 0
    """Seconds for which the server continues after a signal to stop."""
    log: logging_setup.LogFormat = "text"
    log_level: logging_setup.Level = "warning"
    log_addresses: bool = False


def serve(options: ServerOptions, clock: SystemClock = SYSTEM_CLOCK) -> None:
    """Serve until interrupted, and open the browser where there is a screen."""
    logging_setup.configure(options.log, options.log_level, options.log_addresses)
    database = add_driver(options.database or prepare_default_database())
    with lock_database(database) as note:
        _serve(options, database, note, clock)


def _serve(
    options: ServerOptions, database: str, note: Callable[[str], None], clock: SystemClock
) -> None:
    asyncio.run(_check_database(database, options.broker))
    inherited = take_inherited_sockets(options.fd)
    listeners = inherited or [listen(options.host, options.port)]
    host, port = listeners[0].getsockname()[:2]
    if not inherited:
        host = options.host  # As the user wrote it.
    own = (options.host,) if parse_host(options.host) else ()
    names = AllowedHosts((*options.names, *own))
    limits = _fit_file_limit(options.limits)
    app = create_app(
        database, limits, clock, options.keep, names, options.notify, options.backups,
        options.broker,
    )  # fmt: skip
    url = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
    note(url)
    if find_watchdog_interval() is not None:
        faulthandler.enable()  # systemd sends SIGABRT to a frozen process: the log says where.
    server = GracefulServer(make_config(app, options.proxies), options.drain)
    _tune_interpreter()
    threading.Thread(
        target=_announce, args=(server, url, options.open_browser), daemon=True
    ).start()
    try:
        server.run(sockets=listeners)
    except KeyboardInterrupt:
        pass
    finally:
        for listener in listeners:
            listener.close()
    if not server.started:
        raise Unavailable("The server could not start: the log says why.", "cannot_start")
    click.echo("The server has stopped.")


def _fit_file_limit(limits: Limits) -> Limits:
    """Reduce the limits on connections to the files that this process may open."""
    if sys.platform == "win32":
        return limits
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.connections + limits.sockets + RESERVED_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
        room = max(2, soft - RESERVED_FILES)
        if room < limits.connections + limits.sockets:
            connections = min(limits.connections, room // 2)
            sockets = min(limits.sockets, room - connections)
            limits = msgspec.structs.replace(limits, connections=connections, sockets=sockets)
    return limits


def _tune_interpreter() -> None:
    # A move takes the interpreter lock several times, and each time waits for this interval, which
    # is 5 ms by default, if a thread decodes logs or pickles jobs.
    sys.setswitchinterval(0.0005)
    # Collect rarely: there are few reference cycles, and a tenth of the time of moves was lost.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


async def _check_database(database: str, broker: str | None) -> None:
    """Refuse a database that cannot be opened or shared, before anything is served."""
    store = Store(database)
    make_bus(store, broker)
    await store.open()
    await store.close()


def _announce(server: uvicorn.Server, url: str, open_browser: bool) -> None:
    while not server.started and not server.should_exit:
        time.sleep(0.02)
    if server.started:
        click.echo(f"Dalapapa is at {url} (Ctrl+C stops it)")
        if open_browser and has_screen():
            webbrowser.open(url)


def has_screen() -> bool:
    """Whether a graphical browser can be opened (a text browser would take the terminal)."""
    if platform.system() == "Linux":
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True
