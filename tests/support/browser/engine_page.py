"""A page of static files that asks the engine, in one of the three browser engines."""

from __future__ import annotations

import contextlib
import http.server
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from tests.support.browser.engines.driver import Driver
from tests.support.browser.engines.start import started
from tests.support.engine import find_engine, read_manifest, read_reply
from tests.support.waiting import wait_until_sync

PREFIX = "/somewhere/else"
"""The engine is served below this path: its addresses are relative."""

POLICY = (
    "default-src 'none'; connect-src 'self'; img-src data:; worker-src 'self';"
    " script-src 'self' 'wasm-unsafe-eval'"
)
"""A worker obeys the policy that comes with its own script."""

PAGE = """<!doctype html><title>Engine</title><link rel="icon" href="data:,">"""
"""Without an icon of its own, browsers would request one."""

LONG_S = 900
"""Seconds for one question: an expert's whole game on a busy machine."""


class StaticFiles(http.server.SimpleHTTPRequestHandler):
    """Files as any web host sends them, with a strict policy."""

    extensions_map = {  # noqa: RUF012 (a class attribute of the standard library)
        ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".json": "application/json",
        ".mjs": "text/javascript", ".wasm": "application/wasm", ".zip": "application/zip",
    }  # fmt: skip
    protocol_version = "HTTP/1.1"

    def translate_path(self, path: str) -> str:
        return super().translate_path(path.removeprefix(PREFIX))

    def end_headers(self) -> None:
        self.send_header("content-security-policy", POLICY)
        self.send_header("cache-control", "public, max-age=31536000, immutable")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


@contextlib.contextmanager
def serve_files(folder: Path) -> Iterator[str]:
    """Serve a folder below `PREFIX`; yields its address."""
    handler = partial(StaticFiles, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}{PREFIX}"
        finally:
            server.shutdown()
            thread.join()


START = """async (client, worker) => {
  const { Engine } = await import(new URL(client, location.href).href);
  const address = new URL(worker, location.href).href;
  window.startEngine = () => new Engine(() => new Worker(address, { type: "module" }));
  window.engine = startEngine();
  window.replies = [];
}"""

ASK = """(method, asked) => {
  const began = performance.now();
  const number = replies.push(null) - 1;
  engine.call(method, asked).then(
    (answer) => ({ answer }), ({ code, message }) => ({ error: { code, message } }),
  ).then((reply) => (replies[number] = { ...reply, ms: performance.now() - began }));
  return number;
}"""


class EnginePage:
    """A page with the client of the engine."""

    def __init__(self, driver: Driver, url: str, engine: Path) -> None:
        self.driver = driver
        self.url = url
        self.parts = read_manifest(engine)["parts"]
        self.ms = 0.0
        """How long the page waited for the last answer."""
        self.open()

    def open(self) -> None:
        """Open the page, with an engine that has not started."""
        self.driver.go(f"{self.url}/index.html")
        self.driver.run(START, self.parts["client"], self.parts["worker"])

    def ask(self, method: str, **arguments: Any) -> Any:
        """Ask the engine; an error is its code."""
        number = self.driver.run(ASK, method, arguments)
        # An answer may take longer than a driver waits for a function.
        reply = wait_until_sync(
            lambda: self.driver.run("(number) => replies[number]", number), method, LONG_S, 0.05
        )
        self.ms = reply["ms"]
        return read_reply(reply)


@contextlib.contextmanager
def open_engine_page(name: str, folder: Path) -> Iterator[EnginePage]:
    """Open a page of static files in a browser engine, in a new folder below this one."""
    engine = find_engine()
    files = folder / "files"
    files.mkdir()
    for path in engine.iterdir():
        (files / path.name).symlink_to(path)
    (files / "index.html").write_text(PAGE)
    own = folder / name
    own.mkdir()
    with serve_files(files) as url, started(name, own) as driver:
        yield EnginePage(driver, url, engine)
