"""Matches that begin in the middle: from a position, or from a record; and moves as text."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from dalapapa import (
    BadInput,
    BadOptions,
    BadRecord,
    Bot,
    DalapapaError,
    GiveUp,
    Match,
    Move,
    Replay,
    Table,
    TimeUp,
    read_record,
)
from dalapapa.games import REGISTRY
from dalapapa.games.classic import Classic
from dalapapa.record import dump

POSITION = "PRYGB+0@0,0 BBGYR-0@0,-1"


# -- from a position -------------------------------------------------------------------------------


def test_a_match_begins_from_a_position() -> None:
    match = Match(
        players=["Ann", "Bob"], position=POSITION, hands=["CRYGB ZYRGB", ["BRYGB"]],
        scores=[50, 40], seed=1,
    )  # fmt: skip
    assert match.table == Table(POSITION)
    assert (match.to_act, match.scores, match.state.phase) == ((0,), (50, 40), "play")
    view: Any = match.view("Ann")
    assert (view.hand, view.hand_counts, view.scores) == (("CRYGB", "ZYRGB"), (2, 1), (50, 40))
    assert view.bag_count == 120 - 5
    events = match.play(match.legal[0])
    assert match.scores == (50 + sum(getattr(event, "points", 0) for event in events), 40)
    match.play("end")
    assert match.copy().scores == match.scores
    seen = {name for state in (match.state,) for hand in state.hands for name in hand}  # type: ignore[attr-defined]
    assert not seen & {laying.tile for laying in match.table.layings}
    with pytest.raises(BadInput, match="began from a position") as refusal:
        match.record()
    assert refusal.value.code == "no_record"


@pytest.mark.parametrize("game", ["classic", "auction", "conquest", "gone", "72"])
def test_bots_play_on_from_a_position(game: str) -> None:
    match = Match(game, ["expert", "easy"], position="CRYGB+0@0,0", seed=2, seconds=0.02)
    assert match.view(0).legal or match.view(1).legal
    same = Match(game, ["expert", "easy"], position=match.table, seed=2, seconds=0.02)
    assert match.run() == same.run() is not None
    assert match.moves == same.moves
    assert match.scores == (match.outcome or same.outcome).scores  # type: ignore[union-attr]


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a race": ({"game": "puzzle", "position": ""}, "no_position"),
    "a game without turns": ({"game": "alex", "players": 3, "position": ""}, "no_position"),
    "no scores": ({"game": "gone", "scores": [3, 4]}, "bad_scores"),
    "scores as text": ({"scores": [3, "4"]}, "bad_scores"),
    "too few scores": ({"scores": [3]}, "bad_scores"),
    "one hand": ({"hands": ["PRYGB"]}, "bad_hands"),
    "hands as text": ({"hands": "PRYGB"}, "bad_hands"),
    "a domino twice": ({"hands": ["PRYGB", "PRYGB"]}, "bad_hands"),
    "a laid domino": ({"hands": ["PRYGB", "CRYGB"], "position": POSITION}, "bad_hands"),
    "too many dominoes": ({"hands": ["PRYGB DRYGB CRYGB", "BRYGB"]}, "bad_hands"),
    "nothing to begin with": ({"hands": ["", "PRYGB"]}, "bad_hands"),
    "an unknown domino": ({"hands": ["XXXXX", ""]}, "unknown_domino"),
    "an illegal position": ({"position": "PRYGB+0@3,0"}, "not_at_origin"),
    "no position": ({"position": 3}, "bad_table"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_an_impossible_beginning_is_refused(what: str) -> None:
    words, code = REFUSED[what]
    with pytest.raises(DalapapaError) as refusal:
        Match(**words)
    assert refusal.value.code == code


# -- from a record ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", REGISTRY)
def test_a_recorded_game_goes_on_from_any_move(game: str, tmp_path: Path) -> None:
    players = ["Ann", *["random"] * max(1, REGISTRY[game].seats[0] - 1)]
    options = {"minutes": 5} if REGISTRY[game].is_race else {}
    match = Match(game, players, seed="tuesday", options=options)
    rng = Random(1)
    for _ in range(12):
        quiet = [move for move in match.legal if not isinstance(move, GiveUp | TimeUp)]
        match.play(rng.choice(quiet))
    match.save(tmp_path / "half.json")
    with pytest.raises(BadRecord) as refusal:
        Match.resume(tmp_path / "half.json")
    assert refusal.value.code == "running"
    with pytest.raises(BadRecord) as refusal:
        Match.resume(tmp_path / "half.json", seed="monday")
    assert refusal.value.code == "wrong_seed"
    whole = Match.resume(tmp_path / "half.json", seed="tuesday")
    assert dump(whole.record()) == dump(match.record())
    assert (whole.state, whole.players) == (match.state, match.players)
    early = Match.resume(match.record(), 5, seed="tuesday")
    assert early.moves == match.moves[:5]
    for move in match.moves[5:]:
        early.play(move)
    assert dump(early.record()) == dump(match.record())


def test_a_finished_game_is_resumed_with_other_players() -> None:
    match = Match(players=["medium", "easy"], seed="x")
    match.run()
    replay = read_record(dump(match.record()))
    assert dump(Match.resume(replay).record()) == dump(match.record())
    resumed = Match.resume(replay, 10)
    assert [player.program for player in resumed.players] == ["medium", "easy"]
    assert resumed.run() is not None
    other = Match.resume(replay, 10, players=["expert", "Bob"], seconds=0.02)
    assert [player.name for player in other.players] == ["expert 1", "Bob"]
    for wrong in (-1, len(replay) + 1, "3"):
        with pytest.raises(BadInput, match="move must be a number from 0 to"):
            Match.resume(replay, wrong)  # type: ignore[arg-type]


class Own(Classic):
    """A game that no package registers."""

    name = "own"


class Last(Bot[Any]):
    """The last legal move."""

    def choose(self, view: Any) -> Move:
        move: Move = view.legal[-1]
        return move


def test_a_record_of_an_unregistered_game_is_read_with_its_rules() -> None:
    match = Match(Own(), [Last, "random"], seed="x")
    match.run()
    data = dump(match.record())
    assert read_record(data, game=Own()).moves == match.moves
    resumed = Match.resume(data, 4, game=Own())
    assert [player.program for player in match.players] == ["Last", "random"]
    assert [str(player.program) for player in resumed.players] == ["UNSET", "random"]
    with pytest.raises(BadRecord, match="of 'own', not classic"):
        read_record(data, game=Classic())


# -- moves as text, and what people see ------------------------------------------------------------


@pytest.mark.parametrize("game", REGISTRY)
def test_every_move_is_played_as_its_text(game: str) -> None:
    rules = REGISTRY[game]
    options = {"minutes": 5} if rules.is_race else {}
    match = Match(game, max(2, rules.seats[0]), seed="7", options=options)
    rng = Random(7)
    for _ in range(40):
        if match.over:
            break
        move = rng.choice(match.legal)
        same = match.copy()
        match.play(move)
        same.play(str(move), seat=move.player)
        assert same.moves[-1] == match.moves[-1] == move


def test_a_replay_is_short_and_shows_itself_in_notebooks() -> None:
    match = Match(players=["<b>Ann</b>", "medium"], seed="x")
    while not match.over:
        match.run()
        if not match.over:
            match.play(match.legal[0])
    replay: Replay = read_record(dump(match.record()))
    assert repr(replay) == str(replay)
    assert repr(replay).startswith("<Replay classic: <b>Ann</b>, medium 2; ")
    assert len(repr(replay)) < 120
    page = replay._repr_html_()
    assert "<b>" not in page
    assert page.count("<tr>") == len(replay) + 1
    assert "<svg" in page
    for game in ("puzzle", "arlequin"):
        race = Match(game, players=["random"], seed="1")
        race.run()
        assert "<svg" not in read_record(dump(race.record()))._repr_html_()


def test_groups_know_their_cells() -> None:
    table = Table(POSITION)
    yellow, red = table.groups()
    assert yellow.cells == ((0, -1), (0, 0), (1, -1), (1, 0))
    assert red.cells == ((0, -1), (1, -1))
    covered = {cell for laying in table.layings for cell in laying.cells}
    for group in table.groups():
        assert set(group.cells) <= covered


@pytest.mark.parametrize(
    ("guess", "right"),
    [
        ("legal_moves", "use legal"),
        ("current_player", "use to_act"),
        ("history", "use moves"),
        ("scroes", "Did you mean 'scores'?"),
    ],
)
def test_a_match_names_what_was_meant(guess: str, right: str) -> None:
    with pytest.raises(AttributeError, match=guess) as refusal:
        getattr(Match(seed=1), guess)
    assert right in str(refusal.value)
    assert not hasattr(Match(seed=1), "nothing_like_that")


def test_a_record_starts_no_program(tmp_path: Path) -> None:
    mark = tmp_path / "started"
    match = Match(players=["Ann", "novice"], seed="x")
    match.run(6)
    record = match.record()
    forged = msgspec.structs.replace(
        record,
        players=[
            record.players[0],
            msgspec.structs.replace(record.players[1], program=f"exec:touch {mark}"),
        ],
    )
    resumed = Match.resume(dump(forged), seed="x")
    assert not mark.exists()
    assert all(bot is None for bot in resumed._bots.bots)


def test_as_many_players_resume_as_have_played() -> None:
    match = Match(players=3, seed="x")
    with pytest.raises(BadOptions, match="3 players, not 2"):
        Match.resume(dump(match.record()), seed="x", players=["Ann", "Bob"])


def test_an_error_of_the_rules_is_not_taken_for_a_misspelt_name() -> None:
    class Broken(Classic):
        def actors(self, state: Any) -> tuple[int, ...]:
            return state.nothing_of_this_name  # type: ignore[no-any-return]

    match: Any = Match(Classic(), players=2, seed="x")
    match._game = Broken()
    with pytest.raises(AttributeError, match="nothing_of_this_name"):
        match.to_act  # noqa: B018
