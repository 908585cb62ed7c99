"""Round trips on a slow line: how often a player waits for the server, in a real Chromium.

A round trip takes a second, so that what the page itself does hardly counts; a line says how many
of them were waited for. Seen is what the player sees, confirmed what the server has sent.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import re
import tempfile
import time
from typing import Any

from dalapapa.client import Server

from .report import Column, Effort, Row, Rows, Section
from .server import processes
from .slow_line import slow_line

ROUND_TRIP = 1.0
SCREEN = {"width": 1280, "height": 800}
WAIT = 60_000
TURNS = ("classic", "auction", "conquest", "gone", "72")
RACES = ("puzzle", "arlequin")

HOME = ".now-play .primary"
PLACES = ".board .places rect"
LAID = ".board .domino"
SHOWN = ".board :is(.domino, .sent-domino)"


class Visit:
    """A page, and how long things take there."""

    def __init__(self, page: Any) -> None:
        self.page = page

    async def until(self, done: str, argument: object = None) -> float:
        """The round trips until something holds in the page."""
        began = time.perf_counter()
        await self.page.wait_for_function(done, arg=argument, timeout=WAIT, polling=20)
        return (time.perf_counter() - began) / ROUND_TRIP

    async def count(self, what: str) -> int:
        found: int = await self.page.locator(what).count()
        return found

    async def there(self, what: str, more_than: int = 0) -> float:
        return await self.until(
            "([what, count]) => document.querySelectorAll(what).length > count", [what, more_than]
        )

    async def press(self, what: str) -> None:
        """Immediately, on the first match: Playwright would wait until it stops moving."""
        await self.page.evaluate("(what) => document.querySelector(what).click()", what)

    async def turn(self) -> None:
        """Until it is one's turn, and a domino is in hand."""
        await self.until(
            "() => document.title.startsWith('●') && document.querySelector('.held-face')"
        )


TAKE = """(places) => {
  if (document.querySelector(places)) return true;
  document.querySelector(".held-face:not(.chosen)")?.click();
  return false;
}"""
"""Take one face after the other, until one has places that are shown."""

USABLE = """
  const looking = setInterval(() => {
    if (!document.querySelector(%r)) return;
    clearInterval(looking);
    window.usable = performance.now();
  }, 10);
"""
"""The page's own clock says when it can be used: its beginning is the browser's business."""


async def measure_home(visit: Visit) -> Rows:
    await visit.page.add_init_script(USABLE % HOME)
    await visit.page.goto("/", wait_until="commit")
    await visit.there(HOME)
    usable = await (await visit.page.wait_for_function("() => window.usable")).json_value()
    return {"Home: usable": {"trips": usable / 1000 / ROUND_TRIP}}


async def laying(visit: Visit) -> tuple[float, float]:
    """The domino in hand goes to its first place: until it is seen, and confirmed."""
    shown, laid = await visit.count(SHOWN), await visit.count(LAID)
    await visit.page.keyboard.press("ArrowRight")
    began = time.perf_counter()
    await visit.page.keyboard.press("Enter")
    seen = await visit.there(SHOWN, shown)
    await visit.there(LAID, laid)
    return seen, (time.perf_counter() - began) / ROUND_TRIP


async def measure_turns(visit: Visit, game: str) -> Rows:
    """As soon as the hand is seen, a domino is taken and laid; and in the next turn, two."""
    await visit.turn()
    rows: Rows = {f"{game}: pick to places": {"trips": await visit.until(TAKE, PLACES)}}
    seen, confirmed = await laying(visit)
    rows[f"{game}: laying to seen"] = {"trips": seen}
    rows[f"{game}: laying to confirmed"] = {"trips": confirmed}
    if game != "classic":
        return rows
    await visit.until("() => document.querySelectorAll('.held').length > 1")
    await visit.turn()
    rows[f"{game}: next turn, pick to places"] = {"trips": await visit.until(TAKE, PLACES)}
    await visit.page.keyboard.press("ArrowRight")
    await visit.there(".board .ghost")
    laid = await visit.count(LAID)
    began = time.perf_counter()
    await visit.page.keyboard.press("Enter")
    await visit.there(SHOWN, laid)
    await visit.until("() => document.querySelectorAll('.held').length === 1")
    await visit.until(TAKE, PLACES)
    trips = (time.perf_counter() - began) / ROUND_TRIP
    return {**rows, f"{game}: the second domino's places": {"trips": trips}}


async def measure_races(visit: Visit, game: str, server: Server, id: str) -> Rows:
    await visit.there(".pool-item:not(.gone)")
    await visit.press(".pool-item:not(.gone)")
    rows: Rows = {f"{game}: pick to places": {"trips": await visit.there(PLACES)}}
    seen, confirmed = await laying(visit)
    rows[f"{game}: laying to seen"] = {"trips": seen}
    rows[f"{game}: laying to confirmed"] = {"trips": confirmed}
    if game != "puzzle":
        return rows

    async def read_held_domino() -> str | None:
        table = await server.ask("GET", f"/tables/{id}")
        found: str | None = table["views"]["spectator"]["held"][0]
        return found

    await visit.press(".pool-item:not(.gone)")
    while (first := await read_held_domino()) is None:
        await asyncio.sleep(0.01)
    await asyncio.sleep(2 * ROUND_TRIP)
    began = time.perf_counter()
    await visit.press(".pool-item:not(.gone):not(.held-here)")
    while await read_held_domino() in (None, first):
        await asyncio.sleep(0.01)
    # What the server knows now is known here half a round trip later.
    trips = (time.perf_counter() - began) / ROUND_TRIP + 0.5
    return {**rows, f"{game}: another domino instead": {"trips": trips}}


def measure(effort: Effort) -> Rows:
    del effort  # Waiting for a line is no effort.
    with (
        tempfile.TemporaryDirectory() as folder,
        processes(f"sqlite:///{folder}/tables.db", 1) as [server],
    ):
        return asyncio.run(measure_pages(server.url))


async def measure_pages(url: str) -> Rows:
    from tests.support.browser import programs

    playwright = importlib.import_module("playwright.async_api")
    rows: Rows = {}
    port = int(re.findall(r"\d+", url)[-1])
    async with (
        Server(url) as server,
        slow_line(port, ROUND_TRIP) as near,
        playwright.async_playwright() as started,
    ):
        browser = await started.chromium.launch(
            executable_path=programs.find_chromium(), args=programs.CHROMIUM_ARGUMENTS
        )
        context = await open_new_browser(browser, near, {})
        rows |= await measure_home(Visit(await context.new_page()))
        await context.close()
        for game in (*TURNS, *RACES):
            seats = [None] if game in RACES else [None, "greedy"]
            new = await server.create(game=game, seats=seats, host="Ann", pace=0)
            known = {new["id"]: {"token": new["token"], "game": game, "at": time.time() * 1000}}
            context = await open_new_browser(browser, near, known)
            visit = Visit(await context.new_page())
            await visit.page.goto(f"/t/{new['id']}", wait_until="commit")
            if game in TURNS:
                rows |= await measure_turns(visit, game)
            else:
                rows |= await measure_races(visit, game, server, new["id"])
            await context.close()
        await browser.close()
    return rows


async def open_new_browser(browser: Any, port: int, tables: dict[str, Any]) -> Any:
    """A browser that has never been here, and sits at these tables."""
    url = f"http://127.0.0.1:{port}"
    memory = [{"name": "dalapapa.tables", "value": json.dumps(tables)}]
    return await browser.new_context(
        base_url=url, viewport=SCREEN, locale="en-GB", service_workers="block",
        reduced_motion="reduce",
        storage_state={"cookies": [], "origins": [{"origin": url, "localStorage": memory}]},
    )  # fmt: skip


def trips(row: Row) -> str:
    return f"{row['trips']:.1f}"


TRIPS = Column("round trips", trips)
SECTION = Section("Waiting on a slow line", (TRIPS,), TRIPS, measure)
