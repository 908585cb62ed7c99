"""An external program at a table of a server: it sits down, plays by the socket, and leaves.

It also leaves if it is given up, and if this process ends by SIGTERM. Then the table's stand-in
plays on (`docs/bots.md`).
"""

from __future__ import annotations

import asyncio
import secrets
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..bots.external import MAX_FAILURES, ExternalPlayer, Overtaken, make_greeting
from ..client import Disconnected, Refused, Server, Viewer
from ..core.errors import BadInput, Conflict, DalapapaError, Unavailable
from ..games import find_game

MAX_RECONNECTS = 10
"""Attempts to reach the server again after a lost connection, one a second."""

Report = Callable[[str], None]


async def play(
    url: str,
    table: str,
    command: Sequence[str],
    *,
    seat: int | None = None,
    name: str | None = None,
    seconds: float = 10.0,
    report: Report,
) -> Any:
    """Play one game with a program, in a seat or the first free one; return how it ended."""
    with suppress(NotImplementedError, ValueError):  # Not everywhere, and not in every thread.
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    async with Server(url) as server:
        summary = (await server.ask("GET", f"/tables/{quote(table, safe='')}"))["table"]
        game = find_game(summary["game"])
        place = _find_free_seat(summary) if seat is None else seat
        tiles = game.tiles(game.parse_options(summary["options"]))
        hello = make_greeting(game.name, place, tiles, seconds, secrets.token_hex(16))
        guest = ExternalPlayer(command, hello, report)
        outcome = None
        try:
            # Before it sits down, so that no table waits for a program that does not start.
            own = await guest.start()
            token = await server.sit(table, place, name or own or Path(command[0]).name)
            report(f"The bot sits in seat {place}.")
            try:
                outcome = await _stay(server, table, token, place, guest)
            finally:
                if outcome is None:
                    with suppress(DalapapaError):
                        await server.leave(table, place, token)
        finally:
            await guest.process.close(**({} if outcome is None else {"outcome": outcome}))
    return outcome


def _find_free_seat(table: dict[str, Any]) -> int:
    for number, seat in enumerate(table["seats"]):
        if seat["free"]:
            return number
    raise Conflict("This table has no free seat.", "seat_taken")


async def _stay(server: Server, table: str, token: str, seat: int, guest: ExternalPlayer) -> Any:
    """Play to the end, and reconnect after lost connections."""
    lost = 0
    while True:
        try:
            async with server.watch(table, token) as viewer:
                lost = 0
                return await _play(viewer, seat, guest)
        except Disconnected:
            lost += 1
            if lost == MAX_RECONNECTS:
                raise
            await asyncio.sleep(1)


async def _play(viewer: Viewer, seat: int, guest: ExternalPlayer) -> Any:
    while viewer.table["phase"] != "over":
        version = viewer.version
        moves = await viewer.legal(seat) if viewer.table["phase"] == "playing" else []
        if viewer.version != version:
            continue  # The list may be of another version than the view.
        if not moves:
            await viewer.changed()
            continue
        events = list(viewer.events)
        viewer.events.clear()
        try:
            await guest.play(viewer.views[str(seat)], moves, events, _maker(viewer, version))
        except Disconnected:
            raise
        except Unavailable:  # The server, for a while: nothing is wrong with the program's move.
            await asyncio.sleep(1)
        except (Refused, Overtaken):  # It is asked again.
            pass
        if guest.given_up:
            raise BadInput(
                f"The program failed {MAX_FAILURES} times in a row and left the table; the"
                " game goes on without it.",
                "given_up",
            )
    return viewer.views[str(seat)]["outcome"]


def _maker(viewer: Viewer, version: int) -> Callable[[dict[str, Any]], Any]:
    """A function that makes a move; a refusal counts only if the table did not change meanwhile."""

    async def make(move: dict[str, Any]) -> None:
        try:
            await viewer.move(move)
        except Refused as error:
            if viewer.version != version:
                raise Overtaken(str(error)) from None
            raise

    return make
