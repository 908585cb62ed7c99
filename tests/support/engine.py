"""The engine for browsers: questions to it natively, in Node.js and on a page of a browser."""

from __future__ import annotations

import contextlib
import http.server
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from dalapapa.edition.engine import answer
from tests.support.browser.engines.driver import Driver
from tests.support.browser.engines.start import started
from tests.support.missing import Missing
from tests.support.paths import ROOT
from tests.support.waiting import wait_until_sync

BUILT = ROOT / "build" / "edition" / "engine"
"""Where `make engine` puts it."""

PREFIX = "/somewhere/else"
"""The engine is served below this path: its addresses are relative."""

POLICY = (
    "default-src 'none'; connect-src 'self'; worker-src 'self';"
    " script-src 'self' 'wasm-unsafe-eval'"
)
"""A worker obeys the policy that comes with its own script."""

LONG_S = 900
"""Seconds for one question: an expert's whole game on a busy machine."""

Question = tuple[str, dict[str, Any]]
"""A method and its arguments."""


def find_engine() -> Path:
    """The engine as `make engine` has built it."""
    if not (BUILT / "manifest.json").exists():
        raise Missing("the engine for browsers", "Build it with `make engine`.")
    return BUILT


def read_manifest(engine: Path) -> Any:
    return json.loads((engine / "manifest.json").read_text())


def ask(method: str, **arguments: Any) -> Any:
    """Ask the engine in this process; an error is its code."""
    return _open(json.loads(answer(write_question(method, arguments), lambda _: None)))


def write_question(method: str, arguments: dict[str, Any]) -> str:
    return json.dumps({"method": method, "arguments": arguments})


def _open(reply: dict[str, Any]) -> Any:
    return {"refused": reply["error"]["code"]} if "error" in reply else reply["answer"]


# -- in Node.js ---------------------------------------------------------------------------------


def run_in_node(
    script: Path, *words: str, whole_library: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run a script in the Python of the engine."""
    node = [sys.executable, str(ROOT / "scripts" / "build_web.py"), "node", "engine/run.mjs"]
    options = ["--engine", str(find_engine()), *(["--whole-library"] if whole_library else [])]
    return subprocess.run(
        [*node, *options, str(script), *words],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


def ask_in_node(questions: list[Question]) -> list[Any]:
    """Ask the engine in Node.js."""
    with tempfile.TemporaryDirectory() as folder:
        asked, answered = Path(folder, "questions.json"), Path(folder, "answers.json")
        asked.write_text(json.dumps([write_question(*question) for question in questions]))
        script = ROOT / "tests" / "support" / "engine_answers.py"
        done = run_in_node(script, f"/host{asked}", f"/host{answered}")
        assert done.returncode == 0, done.stderr[-2000:]
        return [_open(json.loads(text)) for text in json.loads(answered.read_text())]


# -- in browsers --------------------------------------------------------------------------------


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
        return _open(reply)


@contextlib.contextmanager
def open_engine_page(name: str, folder: Path) -> Iterator[EnginePage]:
    """Open a page of static files in a browser engine, in a new folder below this one."""
    engine = find_engine()
    files = folder / "files"
    files.mkdir()
    for path in engine.iterdir():
        (files / path.name).symlink_to(path)
    (files / "index.html").write_text("<!doctype html><title>Engine</title>")
    own = folder / name
    own.mkdir()
    with serve_files(files) as url, started(name, own) as driver:
        yield EnginePage(driver, url, engine)
