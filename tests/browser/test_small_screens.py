"""320 pixels, 400 %, more space between letters, the system's colours, and no motion: nothing is
lost, and everything can be done."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

import narrow
import table
from dalapapa.games import REGISTRY
from people import People
from process import Process
from rooms import ROOMS, Room, at
from test_challenge_page import finished as played
from test_eight_games import few_dominoes
from test_rooms import finished as finished  # A fixture.
from texts import t


def ended(game: str) -> Room:
    """The end of a game of two programs."""

    def visit(people: People, server: Process, finished: str, look: dict[str, Any]) -> Page:
        seats = ["greedy", "greedy"]
        new = table.create(server, game, seats=seats, options=few_dominoes(game))
        page = people.arrive(**look)
        page.goto(new.path)
        table.result(page)
        return page

    return visit


def challenged(people: People, server: Process, finished: str, look: dict[str, Any]) -> Page:
    id, token = played(server)
    page = people.arrive(tables={id: (token, "classic")}, **look)
    page.goto(f"/t/{id}")
    page.get_by_role("button", name=t("challenge_friends")).click()
    page.get_by_role("link", name=t("challenge_compare")).click()
    page.locator(".ranking li").wait_for()
    return page


EVERYWHERE: dict[str, Room] = {
    **ROOMS,
    **{f"end of {game}": ended(game) for game in REGISTRY},
    "challenge": challenged,
    "missing": at("/nothing-here"),
    "own-replay": at("/replay"),
}

DAILY = ("home", "new-classic", "settings", "ghost", "puzzle", "alex", "lesson")
"""What is most used, and of each kind of page one."""


def look_around(people: People, server: Process, finished: str, room: str) -> list[str]:
    """What is in the way in a room, in every look."""
    page = EVERYWHERE[room](people, server, finished, {"phone": True})
    page.wait_for_load_state("networkidle")
    told = [
        f"{room}, {size['height']} high: {one}"
        for size in (narrow.PHONE, narrow.ENLARGED)
        for one in narrow.barriers(page, size)
    ]
    told += [f"{room}, colours of the system: {one}" for one in narrow.foreign(page)]
    people.leave()
    people.contexts.clear()
    return told


def test_nothing_is_in_the_way(people: People, server: Process, finished: str) -> None:
    assert [one for room in DAILY for one in look_around(people, server, finished, room)] == []


@pytest.mark.thorough
@pytest.mark.parametrize("room", [room for room in EVERYWHERE if room not in DAILY])
def test_nothing_is_in_the_way_elsewhere(
    people: People, server: Process, finished: str, room: str
) -> None:
    assert look_around(people, server, finished, room) == []
