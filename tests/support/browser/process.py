"""A server in a process of its own, as `make play` starts it; it can be killed and come back."""

from __future__ import annotations

import atexit
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx

from tests.support import steady_play
from tests.support.chance import NAME_FILE
from tests.support.serving import GENEROUS, PATIENCE, uncounted

DATE = "2026-11-16T09:00:00+00:00"
"""What the clocks of servers and pages showed when the tests began, on every date. It is a
Monday: its problem is easy, and the best turn one domino (test_problems.py)."""

_folder = tempfile.TemporaryDirectory(prefix="dalapapa-")
atexit.register(_folder.cleanup)
TEST_NAME = Path(_folder.name) / "test"
"""A file: servers read here which test runs now."""

LIMITS = {**GENEROUS, "messages_per_second": 10_000, "messages_at_once": 10_000}


class Process:
    """`dalapapa play` on a database; the port stays the same when it starts again."""

    def __init__(
        self, folder: Path, packages: Path | None = None, more: tuple[str, ...] = ()
    ) -> None:
        """`packages`: a folder with what else is installed; `more`: options to start it with."""
        self.more = more
        self.environment = {
            **uncounted(), steady_play.DATE: DATE, NAME_FILE: str(TEST_NAME),
        }  # fmt: skip
        self.starts = 0
        if packages:
            known = filter(None, [str(packages), self.environment.get("PYTHONPATH")])
            self.environment["PYTHONPATH"] = os.pathsep.join(known)
        self.database = f"sqlite:///{folder / 'tables.db'}"
        self.port = 0
        self.child: subprocess.Popen[str] | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.starts += 1
        words = [steady_play.__file__, "play", "--no-browser", "--port", str(self.port)]
        limits = [f"--limit={name}={value}" for name, value in LIMITS.items()]
        self.child = subprocess.Popen(
            [sys.executable, *words, "--database", self.database, *limits, *self.more],
            stdout=subprocess.PIPE, text=True,
            env={**self.environment, steady_play.START_NUMBER: str(self.starts)},
        )  # fmt: skip
        assert self.child.stdout
        line = self.child.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        if not found:
            self.stop(signal.SIGKILL)
        assert found, f"the server did not start: {line}"
        self.port = int(found[1])

    @staticmethod
    def now() -> int:
        """What its clock shows, in milliseconds since 1970."""
        return steady_play.milliseconds_at(DATE)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Politely, or with `SIGKILL` as a crash."""
        if self.child is None:
            return
        self.child.send_signal(how)
        self.child.communicate(timeout=PATIENCE)
        self.child = None

    def ask(self, path: str, token: str | None = None, **body: Any) -> Any:
        """GET, or POST if there is something to say."""
        answer = httpx.request(
            "POST" if body else "GET",
            f"{self.url}/api{path}",
            json=body or None,
            headers={"Authorization": f"Bearer {token}"} if token else {},
            timeout=PATIENCE,
            trust_env=False,
            verify=False,  # It takes 50 ms to load certificates, which are not needed here.
        )
        assert answer.status_code < 400, answer.text
        return answer.json()
