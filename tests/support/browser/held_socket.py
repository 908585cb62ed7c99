"""A page whose server seems to be silent for a while."""

from __future__ import annotations

import re
import time
from typing import Any

from playwright.sync_api import Page, WebSocketRoute

from tests.support.browser.people import WAIT


class Held:
    """The sockets of a page, whose server's words can be held back; and what the page has said."""

    def __init__(self, page: Page, of: str = "") -> None:
        """`of`: only messages with this text are held back."""
        self.page = page
        self.of = of
        self.held = False
        self.waiting: list[Any] = []
        self.said: list[str] = []
        page.route_web_socket(re.compile("/socket$"), self._connect)

    def _connect(self, near: WebSocketRoute) -> None:
        far = near.connect_to_server()

        def say(message: str | bytes) -> None:
            self.said.append(str(message))
            far.send(message)

        def hear(message: str | bytes) -> None:
            if self.held and self.of in str(message):
                self.waiting.append(lambda: near.send(message))
            else:
                near.send(message)

        near.on_message(say)
        far.on_message(hear)

    def release(self) -> None:
        self.held = False
        for one in self.waiting:
            one()
        self.waiting.clear()

    def moves(self, kind: str) -> int:
        return sum(f'"move":"{kind}"' in one for one in self.said)

    def expect(self, **moves: int) -> None:
        """The page has made so many moves of each kind; what it says takes a moment to get here."""
        until = time.monotonic() + WAIT / 1000
        while (made := {kind: self.moves(kind) for kind in moves}) != moves:
            assert time.monotonic() < until, made
            self.page.wait_for_timeout(20)  # Between two looks.
