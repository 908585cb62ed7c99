"""Running the server: a port to listen on, a database, and the browser."""

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
from typing import Any

import click
import msgspec
import uvicorn
from starlette.applications import Starlette

from ...core.errors import BadInput, Unavailable
from ...core.files import make_folder, shown
from ...hosting.protocol import MAX_MESSAGE_BYTES
from ..app import create_app
from ..clock import SYSTEM_CLOCK, SystemClock
from ..monitoring import logging_setup
from ..notify.config import Notify
from ..storage.permissions import make_folder_private
from ..storage.retention_policy import RetentionPolicy
from ..storage.store import Store
from ..traffic.allowed_hosts import Hosts, host_name
from ..traffic.limits import Limits
from ..traffic.proxies import LOOPBACK, Networks, trusted_peers
from ..ws.connection import Wire
from .connections import HttpConnection
from .data_dir import DATABASE_NAME, find_data_folder
from .lockfile import only_server
from .takeover import GracefulServer, handed_over, watchdog_interval

DEFAULT_PORT = 8072

OTHER_FILES = 200
"""Files that a process has open besides connections: the database, workers, what it reads."""

UNSENT = 131_072
"""Bytes of an answer that this machine keeps for who does not take it (Linux doubles it)."""

PATIENCE = 60
"""Seconds until somebody who takes nothing of what is sent has gone, though still connected."""


def default_database() -> str:
    """The file of a household's tables."""
    folder = find_data_folder()
    make_folder(str(folder))
    make_folder_private(folder)
    return f"sqlite:///{folder / DATABASE_NAME}"


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
        listener.setsockopt(socket.SOL_SOCKET, _alone(), 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT)  # Inherited as well.
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Of Linux; connections inherit it.
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * PATIENCE)
        listener.bind((host, DEFAULT_PORT if port is None else port))
        listener.listen(2048)
    except (OSError, TypeError, UnicodeError) as error:
        listener.close()
        if port is None and getattr(error, "errno", None) in (errno.EADDRINUSE, errno.EACCES):
            return listen(host, 0)
        raise BadInput(_why_not(host, port, error), "cannot_listen") from None
    return listener


def _alone() -> int:
    """The option by which a port has one server, also right after another has ended.

    On Windows, SO_REUSEADDR would let a second one listen on the same port.
    """
    return getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)


def _why_not(host: str, port: int | None, error: Exception) -> str:
    """Why nobody can listen there, and what to do."""
    place = f"Cannot listen on port {DEFAULT_PORT if port is None else port} of {shown(host)}"
    match getattr(error, "errno", None):
        case errno.EADDRINUSE:
            return (
                f"{place}: another program uses this port. End that program, or choose another"
                " port with --port (0 takes any free one)."
            )
        case errno.EACCES:
            return f"{place}: you may not use this port; choose one above 1023 with --port."
        case errno.EADDRNOTAVAIL:
            return f"{place}: this machine does not have this address."
    return f"Cannot listen on {shown(host)}: this is not an address of this machine."


def configured(
    app: Starlette, proxies: tuple[str, ...] | None = None, **changes: Any
) -> uvicorn.Config:
    """How the application is served; `proxies` are those that the operator names."""
    app.state.gate.proxies = Networks(proxies or ())
    settings: dict[str, Any] = {
        "access_log": False,  # No trace of who looked at what.
        "log_config": None,  # `logs.configure`.
        "log_level": "warning",
        "ws": Wire,
        "ws_max_size": MAX_MESSAGE_BYTES,
        "ws_ping_interval": 20,
        "ws_ping_timeout": 20,
        "timeout_graceful_shutdown": 5,
        "server_header": False,
        "http": partial(HttpConnection, app.state.gate),
        "forwarded_allow_ips": trusted_peers(LOOPBACK if proxies is None else proxies),
    }
    config = uvicorn.Config(app, **{**settings, **changes})
    logging.getLogger("uvicorn.error").addFilter(_in_a_sentence)
    return config


def _in_a_sentence(record: logging.LogRecord) -> bool:
    """What uvicorn logs, in words of ours; a database that is gone has its own sentence."""
    if refused := re.search(r"^Traceback(?s:.*)\ndalapapa\.errors\.\w+: (.+)", str(record.msg)):
        record.msg = refused[1]
    if "graceful" in str(record.msg):
        record.msg = "Requests that were still under way have been cut off: %s."
    return True


class Hosting(msgspec.Struct, frozen=True, kw_only=True):
    """How a server is run."""

    host: str = "127.0.0.1"
    port: int | None = None
    """Without one, the usual port or, if it is taken, a free one."""
    fd: int | None = None
    """A listening socket that was handed over, instead of host and port (`takeover.py`)."""
    names: tuple[str, ...] = ()
    """That it answers to, besides the usual ones (`hosts.py`)."""
    proxies: tuple[str, ...] | None = None
    """Addresses and networks of proxies (`proxies.py`). Without any, those of this machine are
    believed, but count as clients as well."""
    open_browser: bool = True
    database: str | None = None
    """A URL; without one, the household's file."""
    limits: Limits = Limits()
    keep: RetentionPolicy = RetentionPolicy()
    notify: Notify = Notify()
    """How players are told that it is their turn."""
    backups: str | None = None
    """The folder of backups, whose age is in the metrics."""
    drain: float = 0
    """Seconds that it serves on when told to stop."""
    log: logging_setup.Form = "text"
    log_level: logging_setup.Level = "warning"
    log_addresses: bool = False


def serve(how: Hosting, clock: SystemClock = SYSTEM_CLOCK) -> None:
    """Serve until interrupted, and open the browser where there is a screen."""
    logging_setup.configure(how.log, how.log_level, how.log_addresses)
    kept_in = with_driver(how.database or default_database())
    with only_server(kept_in) as note:
        _serve(how, kept_in, note, clock)


def _serve(how: Hosting, kept_in: str, note: Callable[[str], None], clock: SystemClock) -> None:
    asyncio.run(_check(kept_in))
    given = handed_over(how.fd)
    listeners = given or [listen(how.host, how.port)]
    host, port = listeners[0].getsockname()[:2]
    if not given:
        host = how.host  # As it was written.
    own = (how.host,) if host_name(how.host) else ()
    names = Hosts((*how.names, *own))
    limits = _within_files(how.limits)
    app = create_app(kept_in, limits, clock, how.keep, names, how.notify, how.backups)
    url = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
    note(url)
    if watchdog_interval() is not None:
        faulthandler.enable()  # systemd ends a frozen process by SIGABRT: the log says where.
    server = GracefulServer(configured(app, how.proxies), how.drain)
    _collect_seldom()
    _give_way_soon()
    threading.Thread(target=_announce, args=(server, url, how.open_browser), daemon=True).start()
    try:
        server.run(sockets=listeners)
    except KeyboardInterrupt:
        pass
    finally:
        for listener in listeners:
            listener.close()
    if not server.started:
        raise Unavailable("The server could not start.", "cannot_start")
    click.echo("Goodbye.")


def _within_files(limits: Limits) -> Limits:
    """As many connections as this process may have open files, with some left for the rest."""
    if sys.platform == "win32":
        return limits
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.connections + limits.sockets + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
        room = max(2, soft - OTHER_FILES)
        if room < limits.connections + limits.sockets:
            connections = min(limits.connections, room // 2)
            sockets = min(limits.sockets, room - connections)
            limits = msgspec.structs.replace(limits, connections=connections, sockets=sockets)
    return limits


def _give_way_soon() -> None:
    """Threads that read logs or pickle questions hold up moves for half a millisecond, not five.

    A move takes the interpreter several times, and each time may wait that long.
    """
    sys.setswitchinterval(0.0005)


def _collect_seldom() -> None:
    """Hardly anything here goes in circles, so looking for it took a tenth of the time of moves."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


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
