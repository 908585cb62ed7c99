"""A small HTTP server for the household: one page, no state, standard library only."""

from __future__ import annotations

import errno
import os
import platform
import socket
import sys
import threading
import webbrowser
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import click

from .. import __version__
from ..errors import BadInput, DalapapaError
from ..files import shown
from .page import Choice, page

DEFAULT_PORT = 8072

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:;"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD for the page and for `/health`."""

    server_version = f"dalapapa/{__version__}"
    sys_version = ""
    timeout = 30

    def do_GET(self) -> None:
        """Answer with the page."""
        self._answer(*self._find())

    def do_HEAD(self) -> None:
        """Answer with the headers of the page."""
        self._answer(*self._find(), body=False)

    def _find(self) -> tuple[HTTPStatus, str, str]:
        try:
            target = urlsplit(self.path)
        except ValueError:
            return HTTPStatus.BAD_REQUEST, "text/plain", "This is not an address.\n"
        if target.path == "/health":
            return HTTPStatus.OK, "text/plain", "ok\n"
        if target.path != "/":
            return HTTPStatus.NOT_FOUND, "text/plain", "There is no such page.\n"
        try:
            wishes = dict(parse_qsl(target.query, max_num_fields=20))
            choice = Choice.of(wishes, self.headers.get("Accept-Language", ""))
            return HTTPStatus.OK, "text/html", page(choice)
        except (DalapapaError, ValueError) as error:
            return HTTPStatus.BAD_REQUEST, "text/plain", f"{error}\n"

    def _answer(self, status: HTTPStatus, kind: str, text: str, body: bool = True) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        if body:
            self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing: no trace of who looked at what."""


class Server(ThreadingHTTPServer):
    """A server that a browser's closed tab does not frighten."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no news; anything else is a bug and is shown."""
        if not isinstance(sys.exc_info()[1], ConnectionError | TimeoutError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class Server6(Server):
    """The same for an address of the newer kind, such as ::1."""

    address_family = socket.AF_INET6


def listen(host: str, port: int | None) -> Server:
    """A server on a port; without one, on the usual port or, if it is taken, on a free one."""
    kind = Server6 if ":" in host else Server
    try:
        return kind((host, DEFAULT_PORT if port is None else port), Handler)
    except (OSError, TypeError, UnicodeError) as error:
        if port is None and getattr(error, "errno", None) in (errno.EADDRINUSE, errno.EACCES):
            return listen(host, 0)
        reason = getattr(error, "strerror", None) or "this is not an address"
        raise BadInput(f"Cannot listen on {shown(host)}: {reason}.", "cannot_listen") from None


def serve(host: str, port: int | None, open_browser: bool) -> None:
    """Serve until interrupted, and open the browser where there is a screen."""
    server = listen(host, port)
    shown = f"[{host}]" if ":" in host else host
    url = f"http://{shown}:{server.server_address[1]}/"
    click.echo(f"Dalapapa is at {url} (Ctrl+C ends it)")
    if open_browser and has_screen():
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        click.echo("Goodbye.")
    finally:
        server.server_close()


def has_screen() -> bool:
    """Whether a graphical browser can be opened (a text browser would take the terminal)."""
    if platform.system() == "Linux":
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True
