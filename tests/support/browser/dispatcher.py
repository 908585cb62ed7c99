"""A speech dispatcher that writes down what it is to say, instead of saying it.

It speaks as much of SSIP (the protocol of Speech Dispatcher) as Orca needs. Saying takes time, as
it does for a listener, so that it can show what was cut off by what came after it.
"""

from __future__ import annotations

import html
import re
import socketserver
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

LETTERS = 40.0
"""Letters in a second, as practised listeners have it."""

ANSWER = 5.0
"""Seconds after a key in which it is the reason for silence."""


@dataclass
class Saying:
    """Something that was to be said, and whether it was said to the end."""

    text: str
    at: float = field(default_factory=time.monotonic)
    stopped: float | None = None

    @property
    def ends(self) -> float:
        return self.at + len(self.text) / LETTERS

    @property
    def cut(self) -> bool:
        return self.stopped is not None and self.stopped < self.ends


@dataclass
class Key:
    """A key that was pressed; it silences what is being said."""

    name: str
    at: float = field(default_factory=time.monotonic)


class Dispatcher(socketserver.ThreadingUnixStreamServer):
    """Listens at a socket; `heard` is all that was to be said and all keys, in order."""

    daemon_threads = True

    def __init__(self, path: Path) -> None:
        super().__init__(str(path), _Client)
        self.heard: list[Saying | Key] = []
        self.news = threading.Condition()
        self.address = f"unix_socket:{path}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def sayings(self) -> list[Saying]:
        return [one for one in self.heard if isinstance(one, Saying)]

    def say(self, text: str) -> None:
        """One waits for the other, as in Speech Dispatcher."""
        with self.news:
            before = [one.ends for one in self.sayings[-1:] if one.stopped is None]
            self.heard.append(Saying(text, max([time.monotonic(), *before])))
            self.news.notify_all()

    def press(self, key: str) -> int:
        """A key is pressed; where in `heard` its answer begins."""
        with self.news:
            self.heard.append(Key(key))
            return len(self.heard)

    def stop_saying(self) -> None:
        """What is being said, and what waits, is not said any more."""
        with self.news:
            now = time.monotonic()
            for one in self.sayings:
                if one.stopped is None and one.ends > now:
                    one.stopped = now

    def wait(self, found: Callable[[], bool], seconds: float) -> bool:
        """Wait until what was heard is as wanted; whether it is."""
        with self.news:
            return self.news.wait_for(found, seconds)

    def cut_off(self) -> list[str]:
        """What was not said to the end, although no key was pressed."""
        keys = [one.at for one in self.heard if isinstance(one, Key)]
        return [
            one.text
            for one in self.sayings
            if one.cut and not any(0 <= (one.stopped or 0) - at < ANSWER for at in keys)
        ]

    def ends(self) -> float:
        """When all that is to be said will have been said."""
        with self.news:
            return max((one.ends for one in self.sayings if one.stopped is None), default=0)

    def transcript(self, since: int = 0) -> str:
        """What was pressed and what was said, in order; an ellipsis where a key stopped it."""
        return "".join(
            f"> {one.name}\n" if isinstance(one, Key) else f"{one.text}{' …' if one.cut else ''}\n"
            for one in self.heard[since:]
        )


class _Client(socketserver.StreamRequestHandler):
    server: Dispatcher

    def handle(self) -> None:
        numbers = count(1)
        while line := self.rfile.readline():
            words = line.decode().split()
            match [word.upper() for word in words]:
                case ["SPEAK", *_]:
                    self._answer("230 OK RECEIVING DATA")
                    self.server.say(self._text())
                    self._answer(f"225-{next(numbers)}", "225 OK MESSAGE QUEUED")
                case ["CHAR" | "KEY" | "SOUND_ICON", *_]:
                    self.server.say(" ".join(words[1:]))
                    self._answer(f"225-{next(numbers)}", "225 OK MESSAGE QUEUED")
                case ["STOP" | "CANCEL", *_]:
                    self.server.stop_saying()
                    self._answer("210 OK STOPPED")
                case ["HISTORY", "GET", "CLIENT_ID"]:
                    self._answer("245-1", "245 OK CLIENT ID SENT")
                case ["LIST", "OUTPUT_MODULES"]:
                    self._answer("250-written", "250 OK MODULE LIST SENT")
                case ["LIST", *_]:
                    self._answer("249-written\ten\tnone", "249 OK VOICE LIST SENT")
                case ["GET", *_]:
                    self._answer("251-0", "251 OK GET RETURNED")
                case ["QUIT"]:
                    self._answer("231 HAPPY HACKING")
                    return
                case _:
                    self._answer("200 OK")

    def _answer(self, *lines: str) -> None:
        self.wfile.write("".join(f"{line}\r\n" for line in lines).encode())

    def _text(self) -> str:
        """What is to be said, which ends with a dot by itself; without its marks."""
        lines = []
        while (line := self.rfile.readline().decode().rstrip("\r\n")) != ".":
            lines.append(line.removeprefix(".") if line.startswith("..") else line)
        plain = html.unescape(re.sub(r"<[^>]*>", "", " ".join(lines)))
        return " ".join(plain.split())
