"""A supervisor that holds a listening socket, as systemd does."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import IO

from tests.support.crash import LIMITS
from tests.support.serving import PATIENCE, uncounted
from tests.support.waiting import wait_until

# systemd's own way: file 3 is the socket, and the variables say for whom it is.
START = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
os.execv(sys.argv[2], sys.argv[2:])
"""


class ServerAddress:
    """The address of a server, for all processes behind it."""

    def __init__(self, url: str, database: str) -> None:
        self.url = url
        self.database = database

    def dead(self) -> bool:
        return False


class Supervisor:
    """Holds a listening socket, as systemd does, and passes it to processes."""

    def __init__(self, database: str, listener: socket.socket) -> None:
        self.database = database
        self.listener = listener
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self.running: list[tuple[subprocess.Popen[bytes], IO[bytes]]] = []

    def start(
        self,
        *words: str,
        environment: dict[str, str] | None = None,
        program: tuple[str, str] = ("-m", "dalapapa"),
    ) -> subprocess.Popen[bytes]:
        """Start a process; `program` is what Python runs."""
        fd = self.listener.fileno()
        command = [sys.executable, *program, "play", "--no-browser", *words]
        command += [f"--database={self.database}", "--log=json"]
        command += [f"--limit={name}=1000000" for name in LIMITS]
        output = tempfile.TemporaryFile()  # noqa: SIM115
        process = subprocess.Popen(
            [sys.executable, "-c", START, str(fd), *command],
            pass_fds=[fd], env={**uncounted(), **(environment or {})}, stdout=output, stderr=output,
        )  # fmt: skip
        self.running.append((process, output))
        return process

    def read_output(self, process: subprocess.Popen[bytes]) -> str:
        """Read what a process has written so far."""
        output = next(output for one, output in self.running if one is process)
        # Without moving the position, at which the process writes.
        size = os.fstat(output.fileno()).st_size
        return os.pread(output.fileno(), size, 0).decode()

    async def serving(self, process: subprocess.Popen[bytes]) -> None:
        """Wait until a process says that it serves."""

        def serves() -> bool:
            said = self.read_output(process)
            assert process.poll() is None, said
            return "Dalapapa is at" in said

        await wait_until(serves, "a process that serves")

    async def stop(self, process: subprocess.Popen[bytes]) -> None:
        """End a process politely, and wait for its end."""
        process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(process.wait, PATIENCE)

    def close(self) -> None:
        for process, output in self.running:
            process.kill()
            process.wait()
            output.seek(0)
            said = output.read().decode()
            output.close()
            assert "Traceback" not in said, said


@contextlib.contextmanager
def run_supervisor(database: str) -> Iterator[Supervisor]:
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listener:
        found = Supervisor(database, listener)
        try:
            yield found
        finally:
            found.close()
