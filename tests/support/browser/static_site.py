"""The static edition at a web host that knows nothing of it, below a deep path."""

from __future__ import annotations

import contextlib
import http.server
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from tests.support.paths import ROOT
from tests.support.scripting import script

PREFIX = "/a/deep/path"


def make_site(folder: Path, engine: Path | None = None) -> Path:
    """The client and the rules of the edition, and the engine if there is one."""
    edition: Any = script("build_edition")
    folder.mkdir(exist_ok=True)
    edition.write_client(edition.FOLDER, folder)
    edition.write_rules(folder)
    if engine:
        (folder / "engine").symlink_to(engine)
    return folder


DOCUMENTATION = """<!doctype html><title>Library</title><link rel="icon" href="data:,"><body>
<div class="highlight"><pre><code>&gt;&gt;&gt; points = 3
</code></pre></div>
<div class="highlight"><pre><code>&gt;&gt;&gt; points + 4
7
</code></pre></div>
</body>"""


def add_documentation(site: Path, folder: Path) -> None:
    """Two examples, in the form that the documentation has."""
    (folder / "site").mkdir(parents=True)
    shutil.copy(ROOT / "docs" / "site" / "run-examples.js", folder / "site")
    edition: Any = script("build_edition")
    for name in edition.RUNNABLE:
        (folder / f"{name}.html").write_text(DOCUMENTATION)
    edition.write_docs(folder, site / "docs")


class PlainFiles(http.server.SimpleHTTPRequestHandler):
    """Files below `PREFIX`, and nothing elsewhere."""

    protocol_version = "HTTP/1.1"

    def send_head(self) -> Any:
        if not self.path.startswith(f"{PREFIX}/"):
            self.send_error(404)
            return None
        return super().send_head()

    def translate_path(self, path: str) -> str:
        return super().translate_path(path.removeprefix(PREFIX))

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


class Host:
    """A web host that a test may stop."""

    def __init__(self, folder: Path) -> None:
        handler = partial(PlainFiles, directory=str(folder))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_port}{PREFIX}/"

    def stop(self) -> None:
        """Refuse connections from now on."""
        if self.thread.is_alive():
            self.server.shutdown()
            self.thread.join()
            self.server.server_close()


@contextlib.contextmanager
def host_site(folder: Path) -> Iterator[Host]:
    """Serve a folder."""
    host = Host(folder)
    try:
        yield host
    finally:
        host.stop()
