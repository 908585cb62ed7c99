"""A blind player: Orca reads Chromium aloud, and the keyboard is a real one to both.

There is no screen and no sound: the screen is Xvfb, and what Orca says goes to `dispatcher.py`.
All of it has its own home, screen and bus, and touches nothing of the user who runs the tests.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from tests.support.browser.dispatcher import Dispatcher, Saying
from tests.support.browser.programs import (
    CHROMIUM_ARGUMENTS,
    ORCA_PACKAGES,
    find_chromium,
    find_orca,
)
from tests.support.waiting import wait_until_sync

T = TypeVar("T")

LISTENS = [
    "gdbus", "call", "--session", "--dest", "org.a11y.Bus", "--object-path", "/org/a11y/bus",
    "--method", "org.freedesktop.DBus.Properties.Set", "org.a11y.Status",
    "ScreenReaderEnabled", "<true>",
]  # fmt: skip
"""Says to programs that a screen reader listens."""

PATIENCE = 60.0
"""Seconds for something to be said; a busy machine may need many."""


class Listener:
    """A person who hears a page and presses keys, and does nothing else."""

    def __init__(self, folder: Path) -> None:
        find_orca()
        self.folder = folder
        self.voice = Dispatcher(folder / "speech")
        self.since = 0
        """Where in all that was heard the answer to the last key begins."""
        self.opened = 0
        """And where the page was opened."""
        self.children: list[subprocess.Popen[Any]] = []
        self.browser: subprocess.Popen[Any] | None = None
        tools = folder / "tools"
        tools.mkdir()
        # Orca asks it for other Orcas, to kill them or to give way: the user who runs the tests may
        # hear with one.
        (tools / "pgrep").write_text("#!/bin/sh\nexit 1\n")
        (tools / "pgrep").chmod(0o755)
        self.environment = {
            "HOME": str(folder),
            "XDG_RUNTIME_DIR": str(folder),
            "PATH": f"{tools}:/usr/local/bin:/usr/bin:/bin",
            "SPEECHD_ADDRESS": self.voice.address,
            "LC_ALL": "C.UTF-8",
            "NO_AT_BRIDGE": "0",
            "GSETTINGS_BACKEND": "memory",
        }
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        screen = ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"]
        self.environment["DISPLAY"] = f":{self._read_first_line(screen)}"
        bus = ["dbus-daemon", "--session", "--nofork", "--print-address=1"]
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = self._read_first_line(bus)
        launcher = next(command for command in ORCA_PACKAGES if command.endswith("launcher"))
        self._start([launcher, "--launch-immediately"])
        self._wait(lambda: self._run(*LISTENS), "a bus for screen readers")
        log = os.environ.get("ORCA_LOG")  # Slow, and complete.
        self._start(["orca", "--disable", "key-echo", *(["--debug-file", log] if log else [])])
        self.until("Screen reader on")

    def open(self, address: str) -> None:
        """A page, in a window without anything round it."""
        self.leave()
        profile = self.folder / "profile"
        shutil.rmtree(profile, ignore_errors=True)
        self.since = self.opened = len(self.voice.heard)
        self.browser = self._start([
            find_chromium(), *CHROMIUM_ARGUMENTS, "--force-renderer-accessibility",
            f"--user-data-dir={profile}", "--lang=en-GB", "--window-size=1280,900",
            "--window-position=0,0", "--test-type", f"--app={address}",
        ])  # fmt: skip
        window = self._wait(
            lambda: self._run("xdotool", "search", "--onlyvisible", "--class", "chromium").split(),
            "a window of the browser",
        )[-1]
        self._run("xdotool", "windowfocus", "--sync", window)

    def leave(self) -> None:
        """Close the page."""
        if self.browser:
            self.browser.terminate()
            self.browser.wait(PATIENCE)
            self.browser = None

    def key(self, name: str) -> None:
        """Press a key, as xdotool calls it. What is being said stops then."""
        self.since = self.voice.press(name)
        self._run("xdotool", "key", name)

    def answer(self, name: str, pattern: str) -> str:
        """Press a key, and listen until it is answered."""
        self.key(name)
        return self.until(pattern)

    def until(self, pattern: str) -> str:
        """Listen until something is said, since the last key; what was found may say more, too."""
        found: list[tuple[int, str]] = []

        def said() -> bool:
            for number, one in enumerate(self.voice.heard[self.since :], self.since):
                if isinstance(one, Saying) and re.search(pattern, one.text):
                    found.append((number, one.text))
                    return True
            return False

        if not self.voice.wait(said, PATIENCE):
            heard = self.voice.transcript().splitlines()[-12:]
            raise AssertionError(f"{pattern!r} was not said, but\n" + "\n".join(heard))
        self.since, text = found[-1]
        return text

    def rest(self) -> None:
        """Listen until all that was to be said has been said, as people do."""
        while (left := self.voice.ends() - time.monotonic()) > 0:
            time.sleep(left)  # Speech takes time, which is tested.

    def close(self) -> None:
        """End all that was started, also by what was started."""
        self.leave()
        for how in (signal.SIGTERM, signal.SIGKILL):
            for child in self._own():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, how)
            with contextlib.suppress(AssertionError):
                self._wait(lambda: not self._own(), "the end of all processes", 5)
        assert not self._own()
        for started in self.children:
            started.wait(PATIENCE)  # One that has just ended may not be reaped yet.
        self.voice.shutdown()
        self.voice.server_close()

    def _own(self) -> list[int]:
        """The processes that know our folder as theirs."""
        mark = f"XDG_RUNTIME_DIR={self.folder}".encode()
        own = []
        for child in self.children:
            child.poll()
        for process in Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                if process.name.isdigit():
                    variables = (process / "environ").read_bytes().split(b"\0")
                    own += [int(process.name)] if mark in variables else []
        return own

    def _start(self, words: list[str], **options: Any) -> subprocess.Popen[Any]:
        with (self.folder / f"{Path(words[0]).name}.out").open("w") as log:
            child = subprocess.Popen(
                words, env=self.environment, stderr=log, **{"stdout": log, **options}
            )
        self.children.append(child)
        return child

    def _read_first_line(self, words: list[str]) -> str:
        """Start something that says where it is to be found."""
        child = self._start(words, stdout=subprocess.PIPE, text=True)
        assert child.stdout
        with child.stdout:
            return str(child.stdout.readline()).strip()

    def _run(self, *words: str) -> str:
        answer = subprocess.run(
            words, env=self.environment, capture_output=True, text=True, check=False
        )
        return answer.stdout

    def _wait(self, found: Callable[[], T], otherwise: str, seconds: float = PATIENCE) -> T:
        """Ask until there is an answer."""
        return wait_until_sync(found, otherwise, seconds, interval=0.1)
