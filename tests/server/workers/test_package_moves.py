"""Moves of a package's own kind in a server, which never imports the package."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Iterator
from pathlib import Path

import pytest

from dalapapa import record
from dalapapa.client import Server, Viewer
from dalapapa.server.ops.export import check_database, export_tables, import_tables
from tests.support.installing import installing, put, put_example
from tests.support.serving import PATIENCE, refusal, running

SWAPPER = """
from dalapapa.bots import Bot

class Swapper(Bot):
    games = ("swapping",)

    def choose(self, view):
        swaps = [move for move in view.legal if type(move).__name__ == "Swap"]
        return (swaps or view.legal)[0]
"""

LATER = """
from dalapapa.games.classic import Classic
from dalapapa.games.moves import PlayersMove

class Nap(PlayersMove, frozen=True, tag="nap"):
    pass

class Own(Classic):
    name = "own"

    def legal_moves(self, view):
        moves = super().legal_moves(view)
        return [*moves, Nap(view.player)] if moves and len(view.table) else moves

    def apply(self, state, move):
        return super().apply(state, move)

GAME = Own()
"""

NAPPER = """
from dalapapa.bots import Bot

class Napper(Bot):
    def choose(self, view):
        return view.legal[-1]
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the path; what is registered there is forgotten again."""
    with installing(tmp_path / "installed", monkeypatch) as folder:
        yield folder


def run(test: Awaitable[None]) -> None:
    asyncio.run(asyncio.wait_for(test, PATIENCE))


async def play(viewer: Viewer, made: set[str], most: int = 1000) -> None:
    """Play to the end, or so many moves: swap if possible, else the first legal move."""
    for _ in range(most):
        if viewer.table["phase"] == "over":
            return
        if moves := await viewer.legal(0):
            swaps = [move for move in moves if move["move"] == "swap"]
            move = (swaps or moves)[0]
            await viewer.move(move)
            made.add(move["move"])
        else:
            await viewer.changed()


def test_they_are_played_stored_and_read_again(
    path: Path, tmp_path: Path, sqlite_database: str
) -> None:
    """By people over the socket and by an installed bot, also after a restart of the server."""
    put_example(path, "swapping")
    put(path, "swapper", SWAPPER, "dalapapa.bots", swapper="swapper:Swapper")
    made: set[str] = set()
    written = bytearray()

    async def go() -> None:
        async with running(sqlite_database) as url, Server(url) as server:
            new = await server.create(game="swapping", seats=[None, "swapper"], host="Ann", pace=0)
            async with server.watch(new["id"], new["token"]) as seat:
                await play(seat, made, 12)
                while not await seat.legal(0):  # While it is Ann's turn, the table stays the same.
                    await seat.changed()
            assert "swap" in made
            before = await server.ask("GET", f"/tables/{new['id']}")
        async with running(sqlite_database) as url, Server(url) as server:
            after = await server.ask("GET", f"/tables/{new['id']}")
            assert {**after, "table": None} == {**before, "table": None}, "loaded from its log"
            async with server.watch(new["id"], new["token"]) as seat:
                for unknown in (
                    {"player": 0, "move": "nap"},
                    {"player": 0, "move": "swap", "tile": 5},
                    {"player": 0, "move": "swap", "tile": "x", "more": 1},
                    {"player": 0, "move": "swap", "tile": "x" * 3000},
                ):
                    assert await refusal(seat.move(unknown)) == "malformed_move"
                await play(seat, made)
                assert seat.table["phase"] == "over"
            written.extend(await server.record(new["id"]))
            shown = await server.ask("GET", f"/tables/{new['id']}/replay")
            assert [step["move"]["move"] for step in shown["steps"]].count("swap") > 1
            history = await server.ask("GET", f"/tables/{new['id']}/history")
            events = [event["event"] for entry in history for event in entry["events"]]
            assert "swapped" in events
            answer = await server.http.post("/replay", content=bytes(written))
            assert answer.json()["outcome"] == shown["outcome"]

    run(go())
    assert not {"swapping", "swapper"} & set(sys.modules), "the server process imports no package"
    replayed = record.replay(record.load(bytes(written)))
    assert {move["player"] for move in replayed.entries if move["move"] == "swap"} == {0, 1}

    async def check() -> None:
        lines: list[str] = []
        file = str(tmp_path / "tables.jsonl")
        assert (await check_database(sqlite_database, lines.append)).damaged == 0
        assert (await export_tables(sqlite_database, file, lines.append)).tables == 1
        other = f"sqlite+aiosqlite:///{tmp_path / 'other.db'}"
        assert (await import_tables(other, file, lines.append)).new == 1
        assert not lines

    run(check())


def test_our_games_refuse_an_unknown_kind(path: Path) -> None:
    put_example(path, "swapping")

    async def go() -> None:
        async with running() as url, Server(url) as server:
            new = await server.create(seats=[None, None], host="Ann", guests=["Bob"])
            async with server.watch(new["id"], new["token"]) as seat:
                assert await refusal(seat.move({"player": 0, "move": "swap"})) == "malformed_move"

    run(go())


@pytest.mark.parametrize("player", ["person", "bot"])
def test_a_kind_that_is_not_declared_is_never_stored(
    path: Path, sqlite_database: str, player: str
) -> None:
    """It appears only after the game was listed."""
    put(path, "later_kind", LATER, own="later_kind:GAME")
    put(path, "napper", NAPPER, "dalapapa.bots", napper="napper:Napper")

    async def go() -> None:
        async with running(sqlite_database) as url, Server(url) as server:
            other = "napper" if player == "bot" else None
            guests = [] if player == "bot" else ["Bob"]
            new = await server.create(
                game="own", seats=[None, other], host="Ann", guests=guests, pace=0
            )
            async with server.watch(new["id"], new["token"]) as seat:
                await seat.move((await seat.legal(0))[0])
                if player == "person":
                    assert await refusal(seat.legal(1)) == "broken_game"
                    nap = {"player": 1, "move": "nap"}
                    assert await refusal(seat.move(nap)) == "malformed_move"
                else:
                    while seat.version < 2:
                        await seat.changed()
        assert (await check_database(sqlite_database, print)).damaged == 0

    run(go())


# -- what pages are sent about them ----------------------------------------------------------------

PLAIN = """
from dalapapa.games.classic import Classic

class Own(Classic):
    name = "own"

GAME = Own()
"""

HUGE = """
from dalapapa.games.classic import Classic
from dalapapa.games.moves import PlayersMove

class Bid(PlayersMove, frozen=True, tag="bid"):
    text: str

class Own(Classic):
    name = "own"
    move_types = (Bid,)

    def legal_moves(self, view):
        moves = super().legal_moves(view)
        if moves and len(view.table):
            moves += [Bid(view.player, f"{number:04}" + "x" * 1900) for number in range(2000)]
        return moves

GAME = Own()
"""


def test_the_texts_are_sent_in_the_language_of_the_reader(path: Path) -> None:
    put_example(path, "swapping")
    put(path, "plain_game", PLAIN, own="plain_game:GAME")

    async def go() -> None:
        async with running() as url, Server(url) as server:
            for language, title in (("fr", "Échange"), ("en", "Swapping")):
                texts = await server.ask("GET", f"/games/swapping/texts?language={language}")
                assert texts["title"] == title
                assert list(texts["moves"]) == ["swap"]
            listed = {game["name"]: game for game in await server.ask("GET", "/games")}
            assert listed["swapping"]["title"] == "Swapping"
            assert listed["own"]["title"] == "Own"
            assert "texts" not in listed["swapping"], "menus stay short"
            for without in ("own", "classic"):
                assert await server.ask("GET", f"/games/{without}/texts?language=de") == {}
            assert await refusal(server.ask("GET", "/games/chess/texts")) == "unknown_game"
            assert await refusal(server.ask("GET", "/games/own/texts?language=tlh"))

    run(go())
    assert not {"swapping", "swapping_texts"} & set(sys.modules)


def test_a_list_of_huge_moves_is_refused_and_the_table_goes_on(path: Path) -> None:
    put(path, "huge_kind", HUGE, own="huge_kind:GAME")

    async def go() -> None:
        async with running() as url, Server(url) as server:
            new = await server.create(game="own", seats=[None, None], host="Ann", guests=["Bob"])
            async with server.watch(new["id"], new["token"]) as seat:
                await seat.move((await seat.legal(0))[0])
                for _ in range(2):  # Computed, and remembered.
                    assert await refusal(seat.legal(1)) == "too_many_moves"
                (tile,) = seat.views["1"]["hand"]
                before = seat.version
                await seat.move((await seat.legal(1, tile))[0])
                assert seat.version == before + 1

    run(go())
