"""A blind player: Orca reads Chromium aloud, and the keyboard is a real one to both.

There is no screen and no sound: the screen is Xvfb, and what Orca says goes to `dispatcher.py`.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import chromium
from dispatcher import Dispatcher

PACKAGES = {
    "orca": "orca",
    "Xvfb": "xvfb",
    "xdotool": "xdotool",
    "dbus-daemon": "dbus",
    "gdbus": "libglib2.0-bin",
}
"""Debian's packages by the commands that are needed of them."""

LAUNCHER = "/usr/libexec/at-spi-bus-launcher"
PATIENCE = 60.0
"""Seconds for something to be said; a busy machine may need many."""


class NoOrca(Exception):
    """There is none, and it cannot be installed."""


def provide() -> None:
    """See to it that Orca and what it needs is there: 26 MB of packages, a minute."""
    with Path(tempfile.gettempdir(), "dalapapa-orca.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        missing = {name for command, name in PACKAGES.items() if not shutil.which(command)}
        if not Path(LAUNCHER).exists():
            missing.add("at-spi2-core")
        if missing and os.geteuid() == 0 and shutil.which("apt-get"):
            install = ["install", "-y", "--no-install-recommends", *sorted(missing)]
            for words in (["update"], install):
                subprocess.run(["apt-get", "-qq", *words], check=False, stdout=subprocess.DEVNULL)
        absent = [command for command in PACKAGES if not shutil.which(command)]
    if absent:
        raise NoOrca(
            f"The test by ear needs {', '.join(absent)}: apt-get install orca xvfb xdotool"
        )


class Listener:
    """Somebody who hears a page and presses keys, and does nothing else."""

    def __init__(self, folder: Path) -> None:
        provide()
        self.folder = folder
        self.voice = Dispatcher(folder / "speech")
        self.heard = 0
        """How much of what was said has been listened to."""
        self.children: list[subprocess.Popen[Any]] = []
        self.environment = {
            **os.environ,
            "HOME": str(folder),
            "XDG_RUNTIME_DIR": str(folder),
            "SPEECHD_ADDRESS": self.voice.address,
            "LC_ALL": "C.UTF-8",
        }
        screen = ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"]
        self.environment["DISPLAY"] = f":{self._told(screen)}"
        bus = ["dbus-daemon", "--session", "--nofork", "--print-address=1"]
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = self._told(bus)
        self._start([LAUNCHER, "--launch-immediately"])
        self._enable()
        self._start(["orca", "--replace", "--debug-file", str(folder / "orca.log")])
        self.until("Screen reader on")

    def open(self, address: str) -> None:
        """A page, in a window without anything round it."""
        self._start([
            chromium.find(), *chromium.ARGUMENTS, "--force-renderer-accessibility",
            f"--user-data-dir={self.folder / 'profile'}", "--lang=en-GB", "--window-size=1280,900",
            "--window-position=0,0", f"--app={address}",
        ])  # fmt: skip
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            found = self._run("xdotool", "search", "--onlyvisible", "--class", "chromium").split()
            if found:
                self._run("xdotool", "windowfocus", "--sync", found[-1])
                return
            time.sleep(0.2)
        raise AssertionError("no window opens")

    def key(self, name: str) -> None:
        """Press a key, as xdotool calls it. What is being said stops then."""
        self.voice.note(name)
        self._run("xdotool", "key", name)

    def answer(self, name: str, pattern: str) -> str:
        """Press a key, and listen until it is answered."""
        self.heard = len(self.voice.sayings)
        self.key(name)
        return self.until(pattern)

    def until(self, pattern: str) -> str:
        """Listen until something is said."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for number, one in enumerate(self.voice.sayings[self.heard :], self.heard):
                if re.search(pattern, one.text):
                    self.heard = number + 1
                    return one.text
            time.sleep(0.05)
        told = [one.text for one in self.voice.sayings[-8:]]
        raise AssertionError(f"nobody has said {pattern!r}, but {told}")

    def close(self) -> None:
        for child in reversed(self.children):
            child.terminate()
        for child in self.children:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(5)
            if child.poll() is None:
                child.kill()
                child.wait()
        self.voice.shutdown()
        self.voice.server_close()

    def _start(self, words: list[str], **options: Any) -> subprocess.Popen[Any]:
        log = (self.folder / f"{Path(words[0]).name}.out").open("w")
        with log:
            child = subprocess.Popen(
                words, env=self.environment, stderr=log, **{"stdout": log, **options}
            )
        self.children.append(child)
        return child

    def _told(self, words: list[str]) -> str:
        """Start something that says where it is to be found."""
        child = self._start(words, stdout=subprocess.PIPE, text=True)
        assert child.stdout
        return str(child.stdout.readline()).strip()

    def _run(self, *words: str) -> str:
        answer = subprocess.run(
            words, env=self.environment, capture_output=True, text=True, check=False
        )
        return answer.stdout

    def _enable(self) -> None:
        """Tell programs that somebody listens; as soon as there is anybody to tell it to."""
        words = [
            "gdbus", "call", "--session", "--dest", "org.a11y.Bus",
            "--object-path", "/org/a11y/bus", "--method",
            "org.freedesktop.DBus.Properties.Set", "org.a11y.Status",
            "ScreenReaderEnabled", "<true>",
        ]  # fmt: skip
        until = time.monotonic() + PATIENCE
        while not self._run(*words) and time.monotonic() < until:
            time.sleep(0.2)
