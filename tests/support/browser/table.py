"""Tables for tests: set up by the API, played through the page."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.support.browser.people import WAIT, People
from tests.support.browser.process import Process
from tests.support.browser.texts import t

expect.set_options(timeout=WAIT)


class Table(NamedTuple):
    """A table whose first seats are ours, as the server sent it."""

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
    usual = {"seats": [None, "greedy"], "host": "Ann", "pace": 0, "countdown": 0}
    new = server.ask("/tables", **{**usual, "game": game, **settings})
    return Table(new["id"], new["token"], game)


def sit(people: People, table: Table, **options: Any) -> Page:
    """A person who sits at a table and looks at it."""
    page = people.arrive(tables=table.known, **options)
    page.goto(table.path)
    return page


def my_turn(page: Page) -> None:
    """Wait until the page's title says whose turn it is: its reader's."""
    expect(page).to_have_title(re.compile("●"))


def laid(page: Page) -> Locator:
    """The dominoes on the table."""
    return page.locator(".board .domino")


def positions(page: Page) -> list[str]:
    """What lies on the table, as text."""
    found: list[str] = laid(page).evaluate_all("(all) => all.map((one) => one.dataset.laying)")
    return found


PAINTED = """async () => {
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  await painted();
  await painted();
}"""
"""Until the page was painted, and what it does after that is done: it sets the title then."""

IDLE = """() => !document.querySelector(".sent-domino, [aria-busy=true]")"""
"""Whether the page waits for no answer to a move."""

LAID = f"""(before) =>
  document.querySelectorAll(".board .domino").length !== before || ({IDLE})()"""
"""There is another number of dominoes, or nothing is under way that would change it."""


def attempts(page: Page, what: str) -> Iterator[None]:
    """Try something again and again, until the caller is content or the time is over."""
    until = time.monotonic() + WAIT / 1000
    while time.monotonic() < until:
        yield
    raise AssertionError(f"waited for {what}: {seen(page)}")


def lay_by_keys(page: Page) -> None:
    """Take the first domino, walk to a place, lay it there; on until the server has sent it.

    As people do, it tries again where the table has changed under its fingers; but never while
    the server has still to answer, however long it takes.
    """
    before = laid(page).count()
    for _ in attempts(page, "a domino that is laid"):
        expect(page.locator(".held-face:not(.stuck)").first).to_be_visible()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        page.evaluate(PAINTED)
        page.wait_for_function(LAID, arg=before)
        if laid(page).count() != before:
            return


def play_turn(page: Page) -> None:
    """One whole turn by keyboard: lay a domino, and end the turn where that is to be said."""
    my_turn(page)
    passing = page.locator(".turn-buttons").get_by_text(t("pass"), exact=True)
    expect(passing.or_(page.locator(".held-face:not(.stuck)")).first).to_be_visible()
    if passing.is_visible():
        page.keyboard.press("p")
    else:
        lay_by_keys(page)
        page.evaluate(PAINTED)
        if page.get_by_role("button", name=t("end_turn")).count():
            end_turn(page)


def commit(button: Locator) -> None:
    """Press a button until that counts: a press is refused if its meaning has just changed."""
    refused = button.locator(".press-refused")
    for _ in attempts(button.page, "a press that counts"):
        button.click()
        if not refused.count():
            return


def press_key(page: Page, key: str) -> None:
    """Press a key until that counts, as `commit` does."""
    for _ in attempts(page, "a key that counts"):
        page.keyboard.press(key)
        if not page.locator(".press-refused").count():
            return


def end_turn(page: Page) -> None:
    """Say that the turn is over, and wait until the server has heard it."""
    button = page.get_by_role("button", name=t("end_turn"))
    commit(button)
    expect(button).to_have_count(0)
    page.evaluate(PAINTED)


def result(page: Page) -> Locator:
    """How the game ended, as a dialog; Gone lets people look at the table first."""
    dialog = page.locator("dialog.result")
    show = page.locator(".result-closed button")
    expect(dialog.or_(show).first).to_be_visible()
    with contextlib.suppress(TimeoutError):  # It opens by itself, too, and may be quicker.
        show.click(timeout=1_000)
    expect(dialog).to_be_visible()
    return dialog


SEEN = """() => ({
  over: !!document.querySelector("dialog.result, .result-closed"),
  mine: document.title.startsWith("●"),
  laid: document.querySelectorAll(".board .domino").length,
  buttons: [...document.querySelectorAll(".turn-buttons button, .game-panel button")]
    .map((one) => one.innerText).join(" | "),
  hand: [...document.querySelectorAll(".held-face")].map((one) => one.ariaLabel).join(" | "),
  players: document.querySelector(".players")?.innerText,
  status: document.querySelector(".status")?.innerText,
})"""


def seen(page: Page) -> dict[str, Any]:
    """What a person at the table sees at a glance."""
    found: dict[str, Any] = page.evaluate(SEEN)
    return found


def changed(page: Page, before: dict[str, Any]) -> None:
    """Wait until something else is seen; or nothing is under way, if the key came too early."""
    page.evaluate(PAINTED)
    acts = before["mine"] or before["buttons"]
    page.wait_for_function(
        f"""([before, acts]) =>
          JSON.stringify(({SEEN})()) !== JSON.stringify(before) || acts && ({IDLE})()""",
        arg=[before, bool(acts)],
        timeout=GAME_S * 1000,
    )


def watch_board(page: Page) -> None:
    """From now on, note where the board is and how large."""
    page.locator(".board").wait_for()
    page.evaluate("""() => {
      const board = document.querySelector(".board");
      window.boards = new Set();
      const note = () => {
        const { left, top, width, height } = board.getBoundingClientRect();
        boards.add([left, top, width, height].map(Math.round).join());
      };
      new ResizeObserver(note).observe(board);
      setInterval(note, 50);
    }""")


def boards(page: Page) -> list[str]:
    """The places and sizes that the board has had since `watch_board`."""
    found: list[str] = page.evaluate("() => [...window.boards]")
    return found


GAME_S = 600
"""Seconds for a whole game; a busy machine may need many."""


def play_by_keys(page: Page) -> None:
    """Play a game of turns to its end, with nothing but the keyboard."""
    until = time.monotonic() + GAME_S
    while time.monotonic() < until:
        now = seen(page)
        if now["over"]:
            return
        words = now["buttons"]
        if t("auction_decline") in words:
            page.keyboard.press("n")
        elif not now["mine"]:
            pass
        elif t("end_turn") in words:
            page.keyboard.press("e")
        elif t("pass") in words or t("gone_draw") in words:
            page.keyboard.press("p")
        elif now["hand"]:
            page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
        changed(page, now)
    raise AssertionError(f"the game does not end: {seen(page)}")
