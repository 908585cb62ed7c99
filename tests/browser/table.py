"""Tables for tests: set up by the API, played through the page."""

from __future__ import annotations

import contextlib
import re
from typing import Any, NamedTuple

from playwright.sync_api import Page, TimeoutError, expect

from people import WAIT, People
from process import Process

expect.set_options(timeout=WAIT)


class Table(NamedTuple):
    """A table whose first seats are ours, as the server told it."""

    id: str
    token: str
    game: str

    @property
    def path(self) -> str:
        return f"/t/{self.id}"

    @property
    def known(self) -> dict[str, tuple[str, str]]:
        return {self.id: (self.token, self.game)}


def create(server: Process, game: str = "classic", **settings: Any) -> Table:
    """A table; by default Ann against a program that does not think about being followed."""
    asked = {"seats": [None, "greedy"], "host": "Ann", "pace": 0, "game": game, **settings}
    new = server.ask("/tables", **asked)
    return Table(new["id"], new["token"], game)


def sit(people: People, table: Table, **options: Any) -> Page:
    """Somebody who sits at a table, looking at it."""
    page = people.arrive(tables=table.known, **options)
    page.goto(table.path)
    return page


def status(page: Page) -> str:
    """What the table says is expected of whom."""
    return page.locator(".status").first.inner_text()


def over(page: Page) -> bool:
    """Whether the page says how the game ended."""
    return page.locator(".result, .table.over").count() > 0


SEEN = """() => ({
  over: !!document.querySelector("dialog.result"),
  mine: document.title.startsWith("●"),
  laid: document.querySelectorAll(".table-board .domino").length,
  buttons: [...document.querySelectorAll(".table-tray button:not(.held-face)")]
    .filter((one) => one.offsetParent).map((one) => one.innerText).join(" | "),
  hand: [...document.querySelectorAll(".held-face")].map((one) => one.ariaLabel).join(" | "),
  players: document.querySelector(".players")?.innerText,
  status: document.querySelector(".status")?.innerText,
})"""


def seen(page: Page) -> dict[str, Any]:
    """What somebody at the table sees at a glance."""
    found: dict[str, Any] = page.evaluate(SEEN)
    return found


def changed(page: Page, before: dict[str, Any], patience: float = 5_000) -> None:
    """Wait until something else is seen; or a while, if the key came too early to do anything."""
    same = f"(before) => JSON.stringify(({SEEN})()) !== before"
    with contextlib.suppress(TimeoutError):
        wanted = page.evaluate("(before) => JSON.stringify(before)", before)
        page.wait_for_function(same, arg=wanted, timeout=patience)


def play_by_keys(page: Page, most: int = 200) -> None:
    """Play a game of turns to its end, with nothing but the keyboard."""
    for _ in range(most):
        now = seen(page)
        if now["over"]:
            return
        words = now["buttons"]
        if "No auction" in words or re.search(r"\bN$", words, re.MULTILINE):
            page.keyboard.press("n")
        elif not now["mine"]:
            pass
        elif "End turn" in words:
            page.keyboard.press("e")
        elif re.search(r"\bPass|draw", words):
            page.keyboard.press("p")
        elif now["hand"]:
            page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
        changed(page, now)
    raise AssertionError(f"the game does not end: {seen(page)}")
