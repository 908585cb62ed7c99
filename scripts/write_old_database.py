"""Play at a server of this version and keep its database, which later versions have to open.

    python scripts/write_old_database.py

writes `tests/fixtures/version-0.1.0.sql.gz` (the database, as SQL) and `.json` (what the tables
came to, and the tokens of their players). `tests/server/storage/test_upgrade.py` opens it with
today's version, so existing files are never written again: a new version gets files of its own.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from dalapapa import __version__
from dalapapa.client import Refused, Server, Viewer
from dalapapa.games import REGISTRY

FOLDER = Path(__file__).parents[1] / "tests" / "fixtures"
RUNNING = 12
"""Moves of a table that plays on."""
MOST = 100
"""Moves of a game that is played to its end; then players give up, if they may."""

SETTINGS: dict[str, dict[str, Any]] = {
    "classic": {"clock": {"kind": "turn", "seconds": 86_400}, "spectators": "all"},
    "auction": {"clock": {"kind": "bank", "seconds": 86_400, "increment": 5}},
    "conquest": {"seats": [None, None, "novice"], "absence": 60},
    "gone": {"visibility": "public", "hands": "open"},
    "puzzle": {"visibility": "public", "countdown": 0, "hints": "yes"},
    "arlequin": {"seats": [None], "guests": [], "countdown": 0},
    "alex": {"options": {"sandglass": 180, "target": 30}},
    "72": {"visibility": "public", "spectators": "none", "aids": "none"},
}
"""What is agreed on beside the game, so that most settings occur."""


async def main() -> None:
    """Start a server, play, stop it, and write what it has kept."""
    with tempfile.TemporaryDirectory(prefix="dalapapa-") as folder:
        file = Path(folder, "tables.db")
        words = ["play", "--no-browser", "--port", "0", "--database", f"sqlite:///{file}",
                 "--limit", "tables_per_minute=10000",
                 "--limit", "requests_per_second=10000"]  # fmt: skip
        process = subprocess.Popen(
            [sys.executable, "-m", "dalapapa", *words], stdout=subprocess.PIPE, text=True
        )
        try:
            assert process.stdout is not None
            url = process.stdout.readline().split()[3]
            async with Server(url) as server:
                described = [await made for made in tables(server)]
        finally:
            process.terminate()
            process.wait()
        with closing(sqlite3.connect(file)) as connection:
            dump = "\n".join(connection.iterdump())
    base = FOLDER / f"version-{__version__}"
    with gzip.GzipFile(f"{base}.sql.gz", "wb", 9, mtime=0) as stream:
        stream.write(dump.encode())
    Path(f"{base}.json").write_text(json.dumps(described, indent=1) + "\n")


def tables(server: Server) -> list[Any]:
    """Of each game one that has not begun, one that is played and one that is over."""
    found = []
    for game in REGISTRY:
        people = REGISTRY[game].seats[0]
        settings = {
            "game": game, "seats": [None] * people, "host": "Ann",
            "guests": ["Bob 🁣"] * (people - 1), "pace": 0, **SETTINGS[game],
        }  # fmt: skip
        found += [play_moves(server, settings, "playing"), play_moves(server, settings, "over")]
    alone = {"game": "classic", "seats": [None, None], "host": "Zoë", "visibility": "public"}
    return [*found, play_moves(server, alone, "waiting")]


async def play_moves(server: Server, settings: dict[str, Any], phase: str) -> dict[str, Any]:
    """One table, played as far as it is wanted; what it came to."""
    new = await server.create(**settings)
    rng = Random(f"{settings['game']} {phase}")
    async with server.watch(new["id"], new["token"]) as seat:
        for number in range({"waiting": 0, "playing": RUNNING}.get(phase, 1000)):
            if seat.table["phase"] == "over":
                break
            await make_or_await_move(seat, rng, number > MOST)
        if phase == "playing":  # A player has left and come back.
            await server.leave(new["id"], 0, new["token"])
            await server.come_back(new["id"], 0, new["token"])
    view = await server.ask("GET", f"/tables/{new['id']}")
    assert view["table"]["phase"] == phase, (settings, view["table"]["phase"])
    record = await server.record(new["id"], new["token"]) if phase == "over" else b""
    if phase == "over" and settings["game"] == "gone":
        await server.ask("POST", f"/tables/{new['id']}/rematch", new["token"])
    return {
        "id": new["id"], "token": new["token"], "game": settings["game"], "phase": phase,
        "version": view["version"], "record": sha256(record).hexdigest() if record else None,
    }  # fmt: skip


async def make_or_await_move(seat: Viewer, rng: Random, in_haste: bool) -> None:
    """A move of one of the own seats, or the message about another player's move."""
    for own in rng.sample(seat.yours, len(seat.yours)):
        moves = await seat.legal(own)
        if not moves:
            continue
        # Who may end a turn often does, so that games end; who may give up does it only in the end.
        ends = ("give_up",) if in_haste else ("end", "no_more", "decline")
        quick = [one for one in moves if one["move"] in ends]
        wanted = quick or [one for one in moves if one["move"] != "give_up"]
        with suppress(Refused):
            await seat.move(rng.choice(wanted))
        return
    async with asyncio.timeout(5):
        await seat.changed()


if __name__ == "__main__":
    asyncio.run(main())
