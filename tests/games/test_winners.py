"""One hook decides who wins, and everything agrees with it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dalapapa import Match, games, record
from dalapapa.adapters import zoo
from dalapapa.client import Server
from dalapapa.games.events import Ended
from dalapapa.games.game import Game
from tests.support.installing import installing, put
from tests.support.serving import PATIENCE, running

LOWEST = """
from dalapapa.games.classic import Classic
from dalapapa.games.classic.observer import ClassicObserver
from dalapapa.games.game import GameParts


class Lowest(Classic):
    name = "lowest"
    parts = GameParts(observer=ClassicObserver)

    def winners(self, state, scores):
        return (scores.index(min(scores)),)


GAME = Lowest()
"""


def test_a_games_own_winners_are_the_same_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with installing(tmp_path / "installed", monkeypatch) as path:
        put(path, "lowest_game", LOWEST, lowest="lowest_game:GAME")
        match = Match("lowest", ["medium", "random"], seed="x")
        outcome = match.run()
        assert outcome is not None
        assert outcome.scores[0] > outcome.scores[1]
        assert outcome.winners == (1,)
        assert match.state.outcome == outcome == match.view().outcome == match.record().result
        assert match.events[-1] == Ended(outcome)
        data = record.dump(match.record())
        assert record.replay(record.load(data)).outcome == outcome

        env = zoo.raw_env("lowest", rewards="win")
        env.reset(seed=1)
        while not any(env.terminations.values()):
            env.step(max(env.legal_moves))
        won = env.game_state.outcome.winners
        assert len(won) == 1
        assert env.rewards[env.possible_agents[won[0]]] == 1

        async def go() -> None:
            async with running() as url, Server(url) as server:
                answer = await server.http.post("/replay", content=data)
                assert answer.json()["outcome"]["winners"] == [1]
                new = await server.create(game="lowest", seats=["medium", "random"], pace=0)
                async with server.watch(new["id"]) as viewer:
                    while viewer.table["phase"] != "over":
                        await viewer.changed()
                    shown = viewer.views["spectator"]["outcome"]
                assert shown["winners"] == [shown["scores"].index(min(shown["scores"]))]
                stored = record.load(await server.record(new["id"]))
                assert list(record.replay(stored).outcome.winners) == shown["winners"]

        asyncio.run(asyncio.wait_for(go(), PATIENCE))


def test_no_second_hook_can_contradict_it() -> None:
    classic = type(games.REGISTRY["classic"])
    with pytest.raises(TypeError, match="Own must not define outcome: define winners instead"):
        type("Own", (classic,), {"outcome": Game.outcome})
