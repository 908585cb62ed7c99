"""People at browsers: each has a context of its own, and all that goes wrong there is collected."""

from __future__ import annotations

import json
import os
import time
from typing import Any, Protocol
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response

from tests.support.browser.process import Process
from tests.support.chance import SEED, current_name

BLOCKED = "Service Worker registration blocked by Playwright"

WAIT = 30_000
"""Milliseconds for what a page does; a busy machine may need many."""

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}

STEADY = """([ahead, seed]) => {
  const { Date: RealDate, crypto } = globalThis;
  globalThis.Date = class Date extends RealDate {
    constructor(...given) {
      if (given.length) super(...given);
      else super(RealDate.now() + ahead);
    }
    static now() {
      return RealDate.now() + ahead;
    }
  };
  const getRandomValues = crypto.getRandomValues.bind(crypto);
  let state = 0;
  for (const letter of `${seed} ${history.length} ${location.href}`) {
    state = Math.imul(state ^ letter.codePointAt(0), 0x01000193) >>> 0;
  }
  const draw = () => {
    state = (state + 0x9e3779b9) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  crypto.getRandomValues = (values) =>
    values.byteLength > 4 ? getRandomValues(values) : (values.set(values.map(draw)), values);
}"""
"""A page whose date is that of the server, and whose problems and games for one player follow from
a seed. Tokens and the ids of messages, which must not come twice, stay random."""


def steady_page(number: int) -> str:
    """A script for all pages of the context of a test with this number."""
    ahead = Process.now() - time.time_ns() // 1_000_000
    return f"({STEADY})({json.dumps([ahead, f'{SEED} {current_name()} {number}'])})"


SLOW = os.environ.get("DALAPAPA_TEST_SLOW_PAGES") == "1"


def slow_down(page: Page) -> None:
    """Make Chromium compute and load slowly, as on a busy machine.

    A test that asks a page without waiting for it fails then, instead of once in a hundred runs.
    """
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 2})
    session.send("Network.enable")
    session.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 200, "downloadThroughput": -1, "uploadThroughput": -1},
    )


class Site(Protocol):
    """A server, or a host of static files."""

    @property
    def url(self) -> str: ...


class People:
    """Opens browsers for the people of one test."""

    def __init__(self, browser: Browser, server: Process) -> None:
        self.browser = browser
        self.server = server
        self.contexts: list[BrowserContext] = []
        self.troubles: list[str] = []
        self.expected: tuple[str, ...] = ()
        """Parts of troubles that the test asks for, such as a server that is gone."""

    def arrive(
        self,
        *,
        tables: dict[str, tuple[str, str]] | None = None,
        server: Site | None = None,
        phone: bool = False,
        motion: bool = False,
        language: str = "en-GB",
        settings: dict[str, Any] | None = None,
        **options: Any,
    ) -> Page:
        """A page of a new person.

        `tables` are those where the person sits: the token and the game by id. `settings` are as
        the client keeps them.
        """
        at = (server or self.server).url
        known = {
            id: {"token": token, "game": game, "at": Process.now()}
            for id, (token, game) in (tables or {}).items()
        }
        kept = {f"setting.{name}": value for name, value in (settings or {}).items()}
        memory: Any = [
            {"name": f"dalapapa.{name}", "value": json.dumps(value)}
            for name, value in {"tables": known, **kept}.items()
        ]
        if phone:
            options = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2, **options}
        # What is kept for times without a network is the business of one test.
        options = {"service_workers": "block", "color_scheme": "light", **options}
        context = self.browser.new_context(
            base_url=at,
            viewport=PHONE if phone else DESK,  # type: ignore[arg-type]
            locale=language,
            reduced_motion="no-preference" if motion else "reduce",
            storage_state={"cookies": [], "origins": [{"origin": at, "localStorage": memory}]},
            **options,
        )
        context.add_init_script(steady_page(len(self.contexts)))
        context.set_default_timeout(WAIT)
        self.contexts.append(context)
        context.on("console", self._console)
        context.on("weberror", lambda error: self._trouble(f"error: {error.error}"))
        context.on("request", lambda request: self._request(request, at))
        context.on("requestfailed", self._failed)
        context.on("response", self._response)
        page = context.new_page()
        if SLOW:
            slow_down(page)
        return page

    def leave(self) -> None:
        for context in self.contexts:
            context.close()

    def _trouble(self, text: str) -> None:
        if not any(part in text for part in (BLOCKED, *self.expected)):
            self.troubles.append(text)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._trouble(f"console: {message.text} ({message.location.get('url')})")

    def _request(self, request: Request, home: str) -> None:
        asked = urlsplit(request.url)
        if asked.scheme in ("data", "blob"):
            return
        if asked.netloc != urlsplit(home).netloc:
            self._trouble(f"a request to another host: {request.url}")

    def _failed(self, request: Request) -> None:
        # What was asked and is not wanted any more, because the page or the position changed.
        if request.failure != "net::ERR_ABORTED":
            self._trouble(f"failed: {request.url}: {request.failure}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self._trouble(f"answered {response.status}: {response.url}")
