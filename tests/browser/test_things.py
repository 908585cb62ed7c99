"""Dominoes as things: room for them, what they lie on, and how they move."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from dalapapa.client import Server
from dalapapa.core.tiles import standard
from dalapapa.kernel.table import Table
from tests.support.browser import table
from tests.support.browser.people import People
from tests.support.browser.process import Process
from tests.support.browser.texts import t

MID_GAME = 30
"""Dominoes on the table."""

CELLS = """() => [".board .domino .wood", ".held-face .wood"]
  .map((name) => document.querySelector(name).getBoundingClientRect())
  .map(({ width, height }) => Math.min(width, height))"""
"""How large a cell is on the table, and in the hand."""


def mid_game(server: Process) -> table.Table:
    """A classic game in which both have laid well, and it is our turn."""
    new = table.create(server, options={"target": 150})

    async def play() -> None:
        async with Server(server.url).watch(new.id, new.token) as seat:
            while True:
                view: dict[str, Any] = seat.views["0"]
                moves = await seat.legal()
                if not moves:
                    await seat.changed()
                    continue
                laid = Table.parse(view["table"], standard())
                if len(laid.layings) >= MID_GAME and not view["turn"]:
                    return
                # What earns most near the middle: bags are drawn, and tables are higher or lower.
                worth = {
                    str(laying): earned.points - abs(laying.y)
                    for tile in view["hand"]
                    for laying, earned in laid.scored(tile)
                }
                best = max(moves, key=lambda move: worth.get(move.get("laying", ""), -99))
                ends = [move for move in moves if move["move"] == "end"]
                await seat.move(ends[0] if ends else best)

    # The browser has an event loop of its own in this thread.
    with ThreadPoolExecutor(1) as other:
        other.submit(lambda: asyncio.run(play())).result()
    return new


def test_in_mid_game_the_board_has_the_room(people: People, server: Process) -> None:
    page = table.sit(people, mid_game(server))
    table.my_turn(page)
    page.locator(".held-face:not(.stuck)").first.wait_for()
    # All places of the hand are in sight, too: choosing moves nothing.
    on_table, in_hand = page.evaluate(CELLS)
    assert on_table >= 38
    assert in_hand >= 44
    place = page.locator(".board").bounding_box()
    # Neither a domino in hand nor the list of all places takes any of it.
    page.locator(".held-face:not(.stuck)").first.click()
    page.get_by_text(t("layings_list")).click()
    expect(page.locator(".layings")).to_be_visible()
    assert page.locator(".board").bounding_box() == place
    page.get_by_text(t("layings_list")).click()
    # The score track of the print set is there on request.
    page.get_by_role("button", name=t("score_track")).click()
    expect(page.get_by_role("dialog").locator(".pawn.seat-0").first).to_be_visible()


MOVING = """() => document.getAnimations()
  .filter(({ effect }) => effect.target?.closest(".board, .hand"))
  .map(({ effect }) => effect.getComputedTiming().endTime)"""
"""Milliseconds after which each of what moves has come to rest."""


@pytest.mark.parametrize("motion", [True, False], ids=["motion", "reduced"])
def test_a_domino_is_turned_over(people: People, motion: bool) -> None:
    page = people.arrive(motion=motion)
    page.goto("/analysis#p=PRYGB+0@0,0_BYRGB+0@0,-1&h=CRYGB,ZYRBG")
    page.locator(".held-face:not(.stuck)").first.click()
    expect(page.locator(".held.taken")).to_be_visible()
    up = page.locator(".held-face.chosen").get_attribute("data-side")
    page.evaluate(f"""() => {{
      window.moved = [];
      const note = () => {{ moved.push(...({MOVING})()); requestAnimationFrame(note); }};
      note();
    }}""")
    page.keyboard.press("f")
    # What is drawn is true at once.
    down = "-" if up == "+" else "+"
    expect(page.locator(".held-face.chosen")).to_have_attribute("data-side", down)
    if motion:
        page.wait_for_function("() => moved.length > 0")
    moved: list[float] = page.evaluate("() => moved")
    assert all(one <= 300 for one in moved)
    assert bool(moved) == motion


def surface(page: Page) -> str:
    found: str = page.locator(".board").evaluate("(one) => getComputedStyle(one).backgroundImage")
    return found


def test_the_table_is_of_cloth_felt_or_wood(people: People) -> None:
    page = people.arrive()
    page.goto("/analysis#p=PRYGB+0@0,0")
    table.laid(page).wait_for()
    seen = {surface(page)}
    page.get_by_role("button", name=t("settings")).click()
    for name in ("felt", "wood"):
        page.get_by_role("radio", name=t(f"table_{name}")).check(force=True)
        seen.add(surface(page))
    assert len(seen) == 3
