"""What a page may ask its engine, in this process."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dalapapa import Match, Table, __version__
from dalapapa.core.tiles import standard
from dalapapa.edition.methods import METHODS
from dalapapa.games import REGISTRY
from dalapapa.record import dump
from tests.support.engine import ask
from tests.support.engine_games import POSITION
from tests.support.paths import ROOT


def test_the_engine_describes_itself() -> None:
    description = ask("describe")
    assert description["version"] == __version__
    assert description["compiled"] is True
    assert list(description["games"]) == list(REGISTRY)
    assert description["games"]["classic"][-1] == "expert"


def test_the_client_knows_all_methods() -> None:
    source = (ROOT / "web" / "engine" / "methods.ts").read_text()
    declared = source.split("export interface Methods {")[1]
    assert re.findall(r"^  (\w+): \{", declared, re.MULTILINE) == list(METHODS)


def test_legal_layings_and_best_turns_are_those_of_the_table() -> None:
    table = Table(POSITION)
    legal = ask("legal", tiles=["BYRGB"], position=POSITION)["BYRGB"]
    assert [(one["laying"], one["points"]) for one in legal] == [
        (str(laying), earned.points) for laying, earned in table.scored("BYRGB")
    ]
    (best,) = ask("best", hand=["BRYGB", "CRYGB"], position=POSITION)
    turn = table.best("BRYGB CRYGB")
    assert turn
    assert best["points"] == turn.points == 4


def test_frames_are_solved() -> None:
    found = ask("solve", pile=1)
    assert found["complete"]
    assert len(found["solutions"][0]) == 40
    impossible = ask("solve", width=2, height=2, tiles=["BYRGB", "ZGBRY"], faces="recto")
    assert impossible["complete"]
    assert ask("solve", seconds=0) == {"refused": "malformed"}


def test_problems_are_those_of_the_day() -> None:
    problem = ask("problem", date="2026-11-19", solution=True)
    assert problem["grade"] == 3
    assert problem["solution"]
    assert "solution" not in ask("problem", seed="a")
    assert ask("problem", date="yesterday") == {"refused": "bad_date"}
    assert ask("problem") == {"refused": "bad_seed"}


@pytest.mark.parametrize("game", REGISTRY)
def test_a_game_is_played_by_its_log(game: str) -> None:
    """Each question carries the log, so any worker may answer it."""
    players = ["Ann", "Bob"][: REGISTRY[game].seats[-1]]
    turned = ask("begin", game=game, players=players, seed="log")
    moves: list[Any] = []
    while turned["outcome"] is None and len(moves) < 8:
        seat = turned["to_act"][0]
        seen = ask("view", log=turned["log"], seat=seat)
        move = ask("choose", log=turned["log"], seat=seat, bot="medium")
        assert move == ask("choose", log=turned["log"], seat=seat, bot="medium")
        assert seen["legal"] is None or move in seen["legal"] or game in ("auction", "alex")
        turned = ask("play", log=turned["log"], move=move)
        moves.append(move)
        assert turned["log"]["moves"] == moves
    match = Match(game, players=players, seed="log")
    for move in moves:
        match.play(move)
    assert ask("record", log=turned["log"]) == dump(match.record()).decode()


def test_a_view_shows_what_its_viewer_may_see() -> None:
    log = ask("begin", game="classic", players=["Ann", "Bob"], seed="view")["log"]
    views = [ask("view", log=log, seat=seat)["view"] for seat in (0, 1, None)]
    assert views[0]["hand"] != views[1]["hand"]
    assert views[2]["hand"] == []
    assert ask("view", log=log)["legal"] == []


def test_many_moves_are_listed_by_domino() -> None:
    log = ask("begin", game="arlequin", players=["Ann", "Bob"], seed="many")["log"]
    seen = ask("view", log=log, seat=0)
    assert seen["legal"] is None
    tile = standard().pile(seen["view"]["piles"][0])[0]
    layings = ask("view", log=log, seat=0, tile=tile)["legal"]
    assert layings
    assert {move["laying"][:5] for move in layings} == {tile}
    assert ask("view", log=log, tile=tile)["legal"] is None


def test_refused_moves_change_nothing() -> None:
    log = ask("begin", game="classic", players=["Ann", "Bob"], seed="refused")["log"]
    before = ask("view", log=log, seat=0)
    wrong = {"player": 0, "move": "lay", "laying": "PRYGB+0@50,50"}
    assert ask("play", log=log, move=wrong)["refused"]
    assert ask("view", log=log, seat=0) == before


def test_earlier_logs_stay_valid() -> None:
    """The page may go back, or ask again after its worker has ended."""
    first = ask("begin", game="classic", players=["Ann", "Bob"], seed="back")["log"]
    move = ask("view", log=first, seat=0)["legal"][0]
    second = ask("play", log=first, move=move)
    assert ask("play", log=first, move=move) == second
    assert len(ask("view", log=first, seat=0)["view"]["table"]) == 0


def test_a_random_seed_is_drawn_where_none_is_given() -> None:
    logs = [ask("begin", game="classic", players=["Ann", "Bob"])["log"] for _ in range(2)]
    assert logs[0]["seed"] != logs[1]["seed"]


def test_records_are_verified_and_reviewed() -> None:
    record = ask("simulate", game="classic", players=["medium", "easy"], seed="1")
    match = Match("classic", players=["medium", "easy"], seed="1")
    match.run()
    assert record == dump(match.record()).decode()
    verified = ask("verify", record=record)
    assert verified["scores"] == list(match.scores)
    review = ask("review", record=record, seconds=0.01, language="de")
    assert review["language"] == "de"
    assert ask("verify", record=record.replace("classic", "gone"))["refused"]
    assert ask("verify", record="{}") == {"refused": "malformed_record"}


def test_browsers_start_no_programs() -> None:
    players = ["exec:rm", "medium"]
    assert ask("begin", game="classic", players=players) == {"refused": "unknown_bot"}
    assert ask("simulate", game="classic", players=players) == {"refused": "unknown_bot"}
