"""The Python client plays whole games; so do the bots of docs/protocol.md and docs/bots.md."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from dalapapa import Bot, record
from dalapapa.client import Disconnected, Refused, Server, Viewer
from dalapapa.core.errors import BadInput
from dalapapa.games import REGISTRY
from dalapapa.games.moves import move_to_json
from tests.support.paths import ROOT
from tests.support.serving import PATIENCE, first, running, served

BOTS = [
    (page, code)
    for page in ("protocol.md", "bots.md")
    for code in re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text(), re.DOTALL)
    if "sys.argv" in code
]


def test_the_minimal_bot_has_at_most_thirty_lines_and_needs_no_other_part_of_the_package() -> None:
    page, code = BOTS[0]
    assert page == "protocol.md"
    assert len([line for line in code.splitlines() if line]) <= 30
    assert "dalapapa" not in code


@pytest.mark.parametrize(("page", "bot"), BOTS, ids=[page for page, _ in BOTS])
def test_the_bots_of_the_docs_play_a_whole_game(page: str, bot: str, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(bot)

    async def go() -> None:
        async with served() as server:
            process = await asyncio.create_subprocess_exec(
                sys.executable, str(tmp_path / "bot.py"), server.url, stdout=asyncio.subprocess.PIPE
            )
            out, _ = await process.communicate()
            assert process.returncode == 0
            outcome = ast.literal_eval(out.decode())
            (played,) = server.tables.registry.cache
            async with Server(server.url) as client:
                replayed = record.replay(record.load(await client.record(played)))
            assert list(replayed.outcome.scores) == outcome["scores"]
            assert replayed.outcome.reason == outcome["reason"] == "target"
            assert [player.name for player in replayed.record.players] == ["My bot", "medium 2"]

    asyncio.run(go())


async def play(seat: Viewer, moves: int) -> None:
    """A hasty player, for so many moves or until the game is over."""
    for _ in range(moves):
        while seat.table["phase"] == "playing" and not (legal := await seat.legal()):
            await seat.changed()
        if seat.table["phase"] == "over":
            break
        with contextlib.suppress(Refused):  # The program was quicker: an auction, an announcement.
            await seat.move(first(legal))


@pytest.mark.parametrize("game", REGISTRY)
def test_a_person_and_a_bot_play_every_game(game: str) -> None:
    async def go() -> None:
        async with running() as url, Server(url) as server:
            new = await server.create(
                game=game, seats=[None, "greedy"], host="Ann", pace=0, countdown=0
            )
            async with server.watch(new["id"], new["token"]) as seat:
                await asyncio.wait_for(play(seat, 4), PATIENCE)
                assert seat.views["0"]["game"] == game
                assert seat.events

    asyncio.run(go())


def test_people_meet_leave_and_come_back() -> None:
    async def go() -> None:
        async with running() as url, Server(url) as server:
            new = await server.create(seats=[None, None], host="Ann", pace=0)
            id, token = new["id"], new["token"]
            async with server.watch(id, token) as ann, server.watch(id) as spectator:
                assert (ann.table["phase"], ann.yours, ann.views) == ("waiting", [0], {})
                theirs = await server.sit(id, 1, "Bob")
                async with server.watch(id, theirs) as bob:
                    while ann.table["phase"] == "waiting":
                        await ann.changed()
                    assert bob.yours == [1]
                    await ann.move((await ann.legal())[0])
                    await server.leave(id, 1, theirs)
                    with pytest.raises(Refused) as caught:
                        await bob.move({"player": 1, "move": "end"})
                    assert caught.value.code in ("away", "not_your_turn")
                    await server.come_back(id, 1, theirs)
                    while spectator.version < 5:
                        await spectator.changed()
                    assert list(spectator.views) == ["spectator"]

    asyncio.run(go())


def test_a_move_sent_again_is_made_once() -> None:
    async def go() -> None:
        async with running() as url, Server(url) as server:
            new = await server.create(seats=[None, None], host="Ann", guests=["Bob"])
            async with server.watch(new["id"], new["token"]) as seat:
                assert seat.yours == [0, 1]
                move = (await seat.legal(0))[0]
                made = await seat.move(move, version=seat.version, id="once")
                assert await seat.move(move, id="once") == made
                assert seat.version == made
                with pytest.raises(Refused) as caught:
                    await seat.move((await seat.legal(1))[0], version=made - 1)
                assert caught.value.code == "stale"
            async with server.watch(new["id"], new["token"]) as again:
                assert await again.move(move, id="once") == made == again.version

    asyncio.run(go())


def test_a_client_that_is_too_fast_waits() -> None:
    """Without knowing of it: the client asks again."""

    async def go() -> None:
        async with (
            running(messages_per_second=50, messages_at_once=5) as url,
            Server(url) as server,
        ):
            new = await server.create(seats=[None, None], host="Ann", guests=["Bob"])
            async with server.watch(new["id"], new["token"]) as seat:
                asked = await asyncio.gather(*(seat.legal(0) for _ in range(20)))
                assert all(moves == asked[0] for moves in asked)

    asyncio.run(go())


def test_refusals_carry_their_code() -> None:
    async def refused(ask: Any) -> str:
        with pytest.raises((Refused, Disconnected)) as caught:
            await ask
        return str(caught.value.code)

    async def go() -> None:
        async with running() as url, Server(url) as server:
            assert await refused(server.create(game="chess")) == "unknown_game"
            assert await refused(server.create(colour="red")) == "malformed"
            assert await refused(server.record("nowhere")) == "unknown_table"
            assert await refused(server.ask("GET", "/nowhere")) == "http"
            assert await refused(server.watch("nowhere").__aenter__()) == "unknown_table"
            new = await server.create(seats=[None, None], host="Ann")
            assert await refused(server.leave(new["id"], 0, "wrong")) == "not_your_seat"
            async with server.watch(new["id"], new["token"]) as seat:
                assert await refused(seat.legal(1)) == "not_your_seat"
                assert await refused(seat.move({"player": 0, "move": "end"})) == "not_begun"
        async with Server(url) as server:
            assert await refused(server.create()) == "disconnected"
            assert await refused(server.watch(new["id"]).__aenter__()) == "disconnected"

    asyncio.run(go())


def test_unreadable_requests_are_refused_like_others() -> None:
    """Such a refusal has no id: it is for the question that waits longest. And all goes on."""

    async def go() -> None:
        async with asyncio.timeout(PATIENCE):
            async with running() as url, Server(url) as server:
                new = await server.create(seats=[None, None], host="Ann")
                seat = await server.watch(new["id"], new["token"]).__aenter__()
                wrong, right, later = await asyncio.gather(
                    seat.move({"player": 0}, id="x" * 65),
                    seat.legal(0),
                    seat.legal("0"),  # type: ignore[arg-type]
                    return_exceptions=True,
                )
                assert isinstance(wrong, Refused)
                assert isinstance(later, Refused)
                assert (wrong.code, right, later.code) == (
                    "malformed_message", [], "malformed_message",
                )  # fmt: skip
                assert await seat.legal(0) == []
            with pytest.raises(Disconnected):
                await seat.legal(0)
            await seat.__aexit__()

    asyncio.run(go())


def test_a_server_that_stops_is_noticed() -> None:
    async def go() -> None:
        async with running() as url:
            server = Server(url)
            new = await server.create(seats=[None, None], host="Ann")
            seat = await server.watch(new["id"], new["token"]).__aenter__()
        with pytest.raises(Disconnected):
            await seat.changed()
        with pytest.raises(Disconnected):
            await seat.legal(0)
        with pytest.raises(Disconnected):
            await server.record(new["id"])
        await seat.__aexit__()
        await server.http.aclose()

    asyncio.run(go())


class Typed(Bot[Any]):
    """Gives every form of a choice, one after the other."""

    def begin(self) -> None:
        self.made = 0

    def choose(self, view: Any) -> Any:
        self.made += 1
        move = view.legal[0]
        laying = getattr(move, "laying", None)
        return [move, str(laying or move), laying or move, move_to_json(move)][self.made % 4]


@pytest.mark.parametrize("game", ["classic", "auction"])
def test_a_bot_of_the_library_plays_a_seat(game: str) -> None:
    async def go() -> None:
        async with served() as server, Server(server.url) as client:
            new = await client.create(game=game, seats=[None, "medium"], host="Ann", pace=0)
            assert new["table"]["seats"][0]["name"] == "Ann"
            async with client.watch(new["id"], new["token"]) as seat:
                assert seat.view().player == seat.yours[0]
                outcome = await seat.play(Typed())
                assert seat.view().outcome == outcome
            replayed = record.replay(record.load(await client.record(new["id"])))
            assert replayed.outcome == outcome
            async with client.watch(new["id"]) as spectator:
                assert spectator.view().viewer is None
                with pytest.raises(BadInput):
                    await spectator.play(Typed())

    asyncio.run(go())


def test_an_illegal_choice_of_a_bot_is_refused() -> None:
    class Wrong(Bot[Any]):
        def choose(self, view: Any) -> Any:
            return {"player": view.viewer, "move": "end"}

    async def go() -> None:
        async with served() as server, Server(server.url) as client:
            new = await client.create(game="classic", seats=[None, "medium"], host="Ann", pace=0)
            async with client.watch(new["id"], new["token"]) as seat:
                with pytest.raises(Refused) as refusal:
                    await seat.play(Wrong())
                assert refusal.value.code == "must_lay"

    asyncio.run(go())
