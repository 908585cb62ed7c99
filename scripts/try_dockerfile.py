"""Run the steps of the Dockerfile without Docker, and its server as strictly as can be here.

python scripts/try_dockerfile.py [--python PROGRAM] [--postgres URL]

The steps run in a temporary folder that stands for the root of the image. What only an image has
(its base, apt-get, users) is not run, and is named. Then the server runs, as nobody if root starts
this, until it is healthy by HEALTHCHECK, answers and has ended; everything it writes outside of
/data and /tmp is an error. With --postgres, the command of compose.yaml runs as well, on that
database. This shows that the steps work; that the base images have what they promise, only Docker
can show.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PORT = "8072"
PLACES = ("/build", "/opt", "/data", "/tmp")
"""Of the image; they are in the temporary folder here."""

IMAGE_ONLY = re.compile(r"apt-get|useradd")
NOBODY = 65534
PATIENCE = 60
"""Seconds until the server is healthy."""


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """The instructions of a Dockerfile, each with what follows."""
    for line in re.sub(r"\\\n", " ", text).splitlines():
        if line.strip() and not line.startswith("#"):
            word, _, rest = line.partition(" ")
            yield word, rest.strip()


def context(ignore: str) -> list[Path]:
    """The files that Docker would be given, relative to here."""
    rules = [line for line in ignore.splitlines() if line and not line.startswith("#")]
    found = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [Path(name) for name in found.stdout.splitlines() if _is_included(name, rules)]


def _is_included(name: str, rules: list[str]) -> bool:
    """The last rule that fits decides; one of a folder fits all that is in it."""
    given = True
    parts = name.split("/")
    above = ["/".join(parts[:length]) for length in range(1, len(parts) + 1)]
    for rule in rules:
        pattern = rule.removeprefix("!").removeprefix("**/")
        names = parts if "**/" in rule else above
        if any(fnmatch.fnmatchcase(one, pattern) for one in names):
            given = rule.startswith("!")
    return given


class Image:
    """What the steps of a Dockerfile make."""

    def __init__(self, folder: Path, python: str) -> None:
        self.folder = folder
        self.work = folder
        # With this machine's environment, which knows how to reach registries.
        kept = {name: of for name, of in os.environ.items() if not name.startswith("PYTHON")}
        self.environment = {**kept, "PATH": f"{folder}/bin:{os.environ['PATH']}"}
        self.health: list[str] = []
        self.entry: list[str] = []
        self.command: list[str] = []
        for place in ("bin", *(place[1:] for place in PLACES)):
            (folder / place).mkdir()
        (folder / "bin" / "python").symlink_to(python)

    def here(self, text: str) -> str:
        """Places of the image as they are called here."""
        return re.sub(rf"(?<![\w.])({'|'.join(PLACES)})\b", rf"{self.folder}\1", text)

    def step(self, word: str, rest: str) -> None:
        """Carry out one instruction."""
        match word:
            case "FROM":
                print(f"  not tried: the image {rest}")
            case "RUN" if IMAGE_ONLY.search(rest):
                print(f"  not run: {rest}")
            case "RUN":
                print(f"  {rest}", flush=True)
                subprocess.run(
                    ["/bin/sh", "-ec", self.here(rest)],
                    cwd=self.work, env=self.environment, check=True,
                )  # fmt: skip
            case "WORKDIR":
                self.work = Path(self.here(rest))
                self.work.mkdir(parents=True, exist_ok=True)
            case "COPY" if rest.startswith("--from="):
                _, source, target = rest.split()
                assert source == target, rest  # All stages are in one folder here.
                assert Path(self.here(source)).is_dir()
            case "COPY":
                self._copy(*rest.split())
            case "ENV":
                for setting in self.here(rest).split():
                    name, _, value = setting.partition("=")
                    self.environment[name] = value.replace("$PATH", self.environment["PATH"])
            case "HEALTHCHECK":
                self.health = json.loads(rest[rest.index("[") :])
            case "ENTRYPOINT":
                self.entry = json.loads(rest)
            case "CMD":
                self.command = json.loads(rest)
            case "USER" | "VOLUME" | "EXPOSE":
                print(f"  {word} {rest}")
            case _:
                raise ValueError(f"This script does not know {word}.")

    def _copy(self, source: str, target: str) -> None:
        for file in context((ROOT / ".dockerignore").read_text(encoding="utf-8")):
            if source in (".", str(file)):
                place = self.work / (file if target == "." else target)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / file, place)

    def state(self) -> dict[str, int]:
        """Everything that the server may not write to, and when it was written."""
        free = tuple(f"{self.folder}/{place}" for place in ("data", "tmp"))
        return {
            str(path): path.lstat().st_mtime_ns
            for path in self.folder.rglob("*")
            if not str(path).startswith(free)
        }


@contextmanager
def start_process(image: Image, words: list[str], port: str) -> Iterator[subprocess.Popen[bytes]]:
    """The server, without rights, in an image that it cannot write to."""
    user = _nobody(image)
    if user:
        for place in ("data", "tmp"):
            os.chown(image.folder / place, NOBODY, NOBODY)
    environment = {name: image.environment[name] for name in ("PATH", "XDG_DATA_HOME")}
    environment |= {"HOME": f"{image.folder}/data", "TMPDIR": f"{image.folder}/tmp"}
    server = subprocess.Popen(
        [word.replace(PORT, port) for word in words],
        cwd=image.folder, env=environment, start_new_session=True, **user,
    )  # fmt: skip
    try:
        yield server
    finally:
        if server.poll() is None:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()


def _nobody(image: Image) -> dict[str, Any]:
    """Options to run a process as `nobody`, if root starts it and `nobody` may run Python."""
    user: dict[str, Any] = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    if os.geteuid() == 0:
        try:
            subprocess.run([image.folder / "bin" / "python", "-c", ""], cwd="/", **user, check=True)
        except OSError:
            print("  not tried as nobody, because that user may not run this Python (--python)")
        else:
            return user
    return {}


def try_server(image: Image, command: list[str]) -> None:
    """Start it, wait until it is healthy, look at it, end it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    check = [word.replace(PORT, port) for word in image.health]
    before = image.state()
    with start_process(image, [*image.entry, *command], port) as server:
        end = time.monotonic() + PATIENCE
        while subprocess.run(check, env=image.environment, capture_output=True).returncode:
            if server.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"The server is not healthy: {server.returncode}.")
            time.sleep(0.2)
        for path, expected in (("/", b"<script"), ("/api/games", b"classic")):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
                if expected not in answer.read():
                    raise SystemExit(f"{path} has an unexpected answer.")
        server.terminate()
        if server.wait(30) not in (0, -signal.SIGTERM):  # It must end with this signal.
            raise SystemExit(f"The server ended with {server.returncode}.")
    after = image.state()
    if written := {name for name in before | after if before.get(name) != after.get(name)}:
        raise SystemExit(f"The server wrote to {', '.join(sorted(written)[:5])}.")
    command_line = " ".join([*image.entry, *command])
    print(f"healthy, answered and ended: {command_line}", flush=True)


def read_compose_command(postgres: str) -> list[str]:
    """The command of compose.yaml, on another PostgreSQL."""
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    words = re.findall(r"^      - (play|--\S+)$", text, re.MULTILINE)
    words = [re.sub(r"\$\{\w+:-(.*)\}", r"\1", word) for word in words]
    return [re.sub(r"postgresql://\S+", postgres, word) for word in words]


def main() -> None:
    """All of it, in a temporary folder."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--python", default=sys.executable, help="the Python to use instead of that of the image"
    )
    parser.add_argument(
        "--postgres", metavar="URL", help="also try the command of compose.yaml, with this database"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dalapapa-image-") as folder:
        Path(folder).chmod(0o755)  # So that the user `nobody` can reach its files.
        image = Image(Path(folder), options.python)
        for word, rest in instructions((ROOT / "Dockerfile").read_text(encoding="utf-8")):
            image.step(word, rest)
        try_server(image, image.command)
        if options.postgres:
            try_server(image, read_compose_command(options.postgres))


if __name__ == "__main__":
    main()
