"""Games at a server that tests start and play by its client."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from dalapapa.client import Refused, RefusedForNow, Server, Viewer
from dalapapa.core.tiles import standard
from tests.support.serving import first
from tests.support.waiting import wait_until


async def start_duel(server: Server, game: str = "puzzle", **more: Any) -> tuple[str, str, str]:
    """Create a table of two people; return its id and their tokens."""
    new = await server.create(game=game, seats=[None, None], host="Ann", **{"countdown": 0, **more})
    return new["id"], new["token"], await server.sit(new["id"], 1, "Bob")


async def give_up(server: Server, table: str, player: int, token: str, **more: Any) -> Any:
    move = {"player": player, "move": "give_up"}
    return await server.ask("POST", f"/tables/{table}/moves", token, move=move, **more)


async def play_to_the_end(server: Server, table: str, *tokens: str) -> None:
    """Play a game to its end with the first legal moves."""
    async with server.watch(table, *tokens) as viewer:
        while viewer.table["phase"] == "playing":
            for seat in viewer.yours:
                if moves := await viewer.legal(seat):
                    with contextlib.suppress(Refused):  # A bot was quicker.
                        await viewer.move(first(moves))
                    break
            else:
                await viewer.changed()


def read_deadline(seat: Viewer) -> int:
    """When the time of a player is up; 0 if none runs."""
    return seat.table["deadline"] or 0


async def choose_move(seat: Viewer) -> dict[str, Any]:
    moves = [move for own in seat.yours for move in await seat.legal(own)]
    return moves[0]


async def ask_until_available(ask: Callable[[], Awaitable[int]]) -> int:
    """Repeat a request until PostgreSQL answers again."""

    async def ask_once() -> int:
        try:
            return await ask()
        except RefusedForNow:
            return 0

    return await wait_until(ask_once, "PostgreSQL, which goes on")


def make_custom_set(size: int) -> list[dict[str, str]]:
    """Make dominoes of one's own for the settings of a table: 120 of them have 6 kB."""
    tiles = standard("120").tiles
    faces = [tiles[number % len(tiles)] for number in range(size)]
    return [
        {"name": f"D{number}", "recto": tile.recto, "verso": tile.verso}
        for number, tile in enumerate(faces)
    ]
