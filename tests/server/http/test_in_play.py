"""Questions about a position that is in play without aids, from those who sit there."""

from __future__ import annotations

import random
from typing import Any

import pytest

from dalapapa.client import Server, Viewer
from dalapapa.core.notation import Laying, parse_position, print_position
from dalapapa.games import find_game
from dalapapa.kernel.table import Table
from dalapapa.server.http.in_play import MAX_MORE, is_about, turn_layings
from tests.support.serving import refusal, served, wait_for_no_sockets
from tests.support.waiting import wait_until

pytestmark = pytest.mark.anyio


def laid_out(seed: int, dominoes: int = 8) -> Table:
    rng, table = random.Random(seed), Table()
    while len(table) < dominoes:
        table.lay(rng.choice(table.legal(rng.choice(table.free))))
    return table


def moved(layings: list[Laying], x: int, y: int) -> list[Laying]:
    return [Laying(one.tile, one.side, one.rotation, one.x + x, one.y + y) for one in layings]


@pytest.mark.parametrize("seed", range(5))
def test_a_position_is_recognised_wherever_it_lies(seed: int) -> None:
    rng = random.Random(seed)
    table = laid_out(seed)
    laid = table.layings
    for turns in range(4):
        asked = moved(turn_layings(laid, turns), rng.randint(-9, 9), rng.randint(-9, 9))
        rng.shuffle(asked)
        assert is_about(asked, laid)
    more = [*laid, *(Table([*laid]).legal(table.free[0])[:1])]
    assert is_about(more, laid)
    assert not is_about(list(laid[:-1]), laid)
    other = list(laid)
    other[-1] = moved(other[-1:], 1, 0)[0]
    assert not is_about(other, laid)
    far = [*laid, *(Laying(name, "+", 0, 50, 50) for name in table.free[: MAX_MORE + 1])]
    assert not is_about(far, laid)


def test_a_turned_position_is_the_same_position() -> None:
    """Turning is checked by the table itself: what fits still fits."""
    table = laid_out(7)
    for turns in range(4):
        turned = turn_layings(table.layings, turns)
        assert turned[0].rotation == (table.layings[0].rotation + turns) % 4
        again = Table(moved(turned, -turned[0].x, -turned[0].y))
        assert sorted(g.size for g in again.groups()) == sorted(g.size for g in table.groups())


async def lay_some(viewer: Viewer, dominoes: int = 3) -> str:
    """Play until so many dominoes lie there."""
    while len(parse_position(viewer.views["0"]["table"])) < dominoes:
        moves = await viewer.legal(viewer.views["0"]["active"])
        await viewer.move(next((move for move in moves if move["move"] == "end"), moves[0]))
    position: str = viewer.views["0"]["table"]
    return position


QUESTIONS = ("/legal", "/best", "/coach")


async def ask(server: Server, position: str, hand: list[str]) -> list[str]:
    """The codes with which questions are refused; `answered` if they are not."""
    codes = []
    for path in QUESTIONS:
        key = "tiles" if path == "/legal" else "hand"
        try:
            body: dict[str, Any] = {"position": position, key: hand[:1]}
            await server.ask("POST", path, **body)
            codes.append("answered")
        except Exception as error:
            codes.append(getattr(error, "code", repr(error)))
    return codes


def free_of(position: str) -> list[str]:
    return list(Table.parse(position).free)


@pytest.mark.parametrize("aids", ["places", "none"])
async def test_questions_about_a_game_without_aids_are_refused(aids: str) -> None:
    async with served() as here, Server(here.url) as server:
        new = await server.create(seats=[None, None], host="Ann", guests=["Bob"], aids=aids)
        async with server.watch(new["id"], new["token"]) as viewer:
            position = await lay_some(viewer)
            hand = free_of(position)
            assert await ask(server, position, hand) == ["in_play"] * 3
            layings = parse_position(position)
            turned = turn_layings(layings, 1)
            elsewhere = print_position(moved(turned, -turned[0].x, -turned[0].y))
            assert await ask(server, elsewhere, hand) == ["in_play"] * 3
            assert await ask(server, str(layings[0]), hand) == ["answered"] * 3
            assert await refusal(server.ask("POST", "/best", position="x y z", hand=hand[:1])) == (
                "malformed_laying"
            )
            async with server.watch(new["id"]) as spectator:
                assert spectator.version == viewer.version
        # Who has left the table may ask, and so may others.
        await wait_for_no_sockets(here)
        assert await ask(server, position, hand) == ["answered"] * 3


async def test_questions_about_other_games_are_answered() -> None:
    async with served() as here, Server(here.url) as server:
        new = await server.create(seats=[None, None], host="Ann", guests=["Bob"])
        async with server.watch(new["id"], new["token"]) as viewer:
            position = await lay_some(viewer)
            assert await ask(server, position, free_of(position)) == ["answered"] * 3
        quiet = await server.create(seats=[None, None], host="Ann", guests=["Bob"], aids="none")
        async with server.watch(quiet["id"], quiet["token"]) as player:
            other = await lay_some(player, 4)
            assert await ask(server, position, free_of(position)) == ["answered"] * 3
        async with server.watch(quiet["id"]):  # Spectators have agreed on nothing.
            await wait_until(
                lambda: len(here.services.sockets.open) == 1, "the end of the other socket"
            )
            assert await ask(server, other, free_of(other)) == ["answered"] * 3


async def test_alex_is_in_play_while_everyone_looks() -> None:
    async with served() as here, Server(here.url) as server:
        new = await server.create(
            game="alex", seats=[None, None], host="Ann", guests=["Bob"], aids="none"
        )
        async with server.watch(new["id"], new["token"]) as viewer:
            view = viewer.views["0"]
            assert view["phase"] == "look"
            assert await ask(server, view["table"], view["drawn"]) == ["in_play"] * 3


async def test_lists_at_a_table_without_aids_have_no_points() -> None:
    """Also in 72, whose rules list the best first."""
    async with served() as here, Server(here.url) as server:
        new = await server.create(
            game="72", seats=[None, None], host="Ann", guests=["Bob"], aids="none"
        )
        async with server.watch(new["id"], new["token"]) as viewer:
            await lay_some(viewer, 4)
            moves = await viewer.legal(viewer.views["0"]["active"])
            lays = [move["laying"] for move in moves if move["move"] == "lay"]
            game = find_game("72")
            live = await here.tables.find(new["id"])
            now = live.state.game_state
            listed = [str(m.laying) for m in game.legal_moves(game.view(now, now.active))
                      if hasattr(m, "laying")]  # fmt: skip
            assert sorted(lays) == sorted(listed)
            for tile in now.hands[now.active]:
                own = [laying for laying in lays if laying.startswith(tile)]
                assert own == sorted(own)
