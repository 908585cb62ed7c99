"""Matches, records and programs of one's own, through the public library."""

from __future__ import annotations

import io
import pickle
import shlex
import sys
import threading
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalapapa import (
    BadInput,
    BadOptions,
    BadRecord,
    Bot,
    DalapapaError,
    Match,
    Table,
    compare,
    read_record,
)
from dalapapa.bots.arena import Simulation, derive_game_seed, play_numbered_game
from dalapapa.bots.ladder import Ladder, play_ladder, summarize_ladder
from dalapapa.core.errors import Conflict
from dalapapa.games import REGISTRY
from dalapapa.games.classic import Classic
from dalapapa.games.moves import Lay, Move, TimeUp
from dalapapa.record import dump
from tests.support.waiting import PATIENCE


class First(Bot[Any]):
    """The first legal move."""

    def choose(self, view: Any) -> Move:
        legal: list[Move] = view.legal
        return legal[0]


class Writer(Bot[Any]):
    """Says its moves in words, and has an `__init__` of its own."""

    def __init__(self, habit: str) -> None:
        self.habit = habit
        self.begun = 0

    def begin(self) -> None:
        self.begun += 1

    def choose(self, view: Any) -> Any:
        last = view.legal[-1]
        return str(last.laying) if isinstance(last, Lay) else {"move": self.habit}


@pytest.mark.parametrize("game", REGISTRY)
def test_a_match_writes_the_record_that_a_simulation_writes(game: str, tmp_path: Path) -> None:
    rules = REGISTRY[game]
    players = ("random", "easy", "novice", "random")[: max(2, rules.seats[0])]
    play_numbered_game(Simulation(game, players, {}, "7", 1, str(tmp_path)), 0)
    (path,) = tmp_path.iterdir()
    match = Match(game, players=players, seed=derive_game_seed("7", 0))
    outcome = match.run()
    assert dump(match.record()) == path.read_bytes()
    match.save(tmp_path / "same.json")
    record = read_record(tmp_path / "same.json")
    assert record.result == outcome == match.outcome
    assert record.moves == match.moves
    assert match.over
    assert match.to_act == ()
    assert match.legal == []
    assert match.scores == record.result.scores


def test_a_record_is_gone_through_move_by_move() -> None:
    match = Match(players=[First, "random"], seed="x")
    match.run()
    data = dump(match.record())
    for source in (data, io.BytesIO(data)):
        record = read_record(source)
        assert len(record) == len(list(record)) == len(match)
        assert (record.game, [one.program for one in record.players]) == (
            "classic",
            ["First", "random"],
        )
        table = Table()
        for move, events, position in record:
            if isinstance(move, Lay):
                table.lay(move.laying)
            assert position == table
            assert events
        assert record.positions[0] == Table()
        assert record.positions[-1] == match.table
    with pytest.raises(BadRecord):
        read_record(data.replace(b'"points": 2', b'"points": 3', 1))


def test_people_and_bots_take_turns() -> None:
    match = Match("classic", players=["Ann", "medium"], seed="x")
    assert [player.name for player in match.players] == ["Ann", "medium 2"]
    assert match.run() is None
    assert len(match) == 0
    rng = Random(1)
    while not match.over:
        if match.to_act == (0,):
            events = match.play(rng.choice(match.legal))
            assert events == match.events[-len(events) :]
        match.run()
    assert match.outcome is not None
    assert "over" in repr(match)
    assert match.record().result == match.outcome


@pytest.mark.parametrize("game", REGISTRY)
def test_every_game_is_played_by_its_legal_moves(game: str) -> None:
    """By people alone, with times that run out as moves."""
    rng = Random(5)
    players = max(2, REGISTRY[game].seats[0])
    options = {"minutes": 5} if REGISTRY[game].is_race else {}
    match = Match(game, players, seed="5", options=options)
    for _ in range(25):
        legal = match.legal
        if match.over:
            break
        assert {move.player for move in legal if move.player is not None} <= set(match.to_act)
        assert (match.timer is not None) == isinstance(legal[-1], TimeUp)
        match.play(rng.choice(legal[:-1] or legal))
    assert len(match) > 5


class Reversed(Classic):
    """A game that no package registers, and that shares its name with one of ours."""

    def legal_moves(self, view: Any) -> list[Move]:
        return super().legal_moves(view)[::-1]


class Unknown(Reversed):
    """A game of which no one has heard."""

    name = "unknown"


@pytest.mark.parametrize("game", [Reversed(), Unknown()])
def test_an_unregistered_game_is_played_by_its_own_rules(game: Reversed) -> None:
    match = Match(game, [First, "medium", "Ann"], seed="x")
    match.run(1)
    assert match.moves[0] == Match(players=3, seed="x").legal[-1]
    while not match.over:
        match.run()
        if match.to_act == (2,):
            match.play(match.view(2).legal[0])
    result = compare(First, "random", games=4, game=game, seed="x", jobs=1)
    assert result.games == 4


def test_time_is_a_move_and_seats_are_found() -> None:
    match = Match("alex", ["Ann", "Bob", "easy"], seed="2")
    assert len(match.to_act) > 1
    assert match.run() is None  # A player may always announce.
    match.play("announce 2", seat="Ann")
    assert match.timer is not None
    match.step()
    match.play("no_more", seat="Bob")
    if match.timer is not None:
        match.play("time_up")
    auction = Match("auction", ["Ann", "Bob", "Cid"], seed="2")
    while len(auction.to_act) == 1:
        auction.play(auction.legal[0])
    laying = next(move.laying for move in auction.legal if isinstance(move, Lay))
    with pytest.raises(DalapapaError) as refused:
        auction.play("decline")
    assert refused.value.code == "whose_move"
    events = auction.play(laying)
    assert events


def test_undo_and_copies() -> None:
    match = Match(seed="3")
    before = match.copy()
    while not match.view(match.to_act[0]).can_undo:
        before = match.copy()
        match.play(match.legal[0])
    assert len(before) == len(match) - 1
    match.undo()
    assert match.table == before.table
    assert match.moves[-1] != before.moves[-1]
    programs = Match(players=["easy", "random"], seed="3")
    programs.run(moves=9)
    assert len(programs) == 9
    copies = [programs.copy(), pickle.loads(pickle.dumps(programs))]
    assert {str(one.run()) for one in copies} == {str(programs.run())}


def test_bots_in_processes_are_ended_and_not_copied(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code = tmp_path / "first.py"
    code.write_text(
        "import json, sys\n"
        "for message in map(json.loads, sys.stdin):\n"
        "    said = {'hello': {'type': 'hello', 'name': 'first'}}\n"
        "    if message['type'] == 'view':\n"
        "        move = message['moves'][0]\n"
        "        said['view'] = {'type': 'move', 'id': message['id'], 'move': move}\n"
        "    if message['type'] in said:\n"
        "        print(json.dumps(said[message['type']]), flush=True)\n"
    )
    command = f"exec:{shlex.join([sys.executable, str(code)])}"
    with Match(players=[command, "random"], seed="1", seconds=30) as match:
        match.run(moves=3)
        assert len(match) == 3
        with pytest.raises(BadInput) as refused:
            match.copy()
        assert refused.value.code == "cannot_copy"
    assert capfd.readouterr().err == ""  # It did not fail.


def snapshot(match: Match) -> tuple[object, ...]:
    return dump(match.record()), match.scores, match.to_act, match.events, str(match.table)


WRONG: list[Any] = [None, 3, b"", "", "end", "pass", "undo", "XXXXX+0@0,0", "call 2", "time_up", []]
WRONG += [{}, {"move": "end"}, {"move": 7}, {"player": 9, "move": "end"}, "mark 1,2", "take PRYGB"]
WRONG += [{"move": "lay", "laying": 5}, Lay(0, None), Lay("x", None), TimeUp(3), "announce x"]  # type: ignore[arg-type]


@pytest.mark.parametrize("game", ["classic", "auction", "alex", "conquest", "puzzle"])
@given(data=st.data())
def test_a_refusal_leaves_a_match_as_it_was(game: str, data: st.DataObject) -> None:
    match = Match(game, max(2, REGISTRY[game].seats[0]), seed=data.draw(st.integers(0, 50)))
    for _ in range(data.draw(st.integers(1, 6))):
        before = snapshot(match)
        try:
            if data.draw(st.booleans()):
                legal = match.legal
                match.play(legal[data.draw(st.integers(0, 10**6)) % len(legal)])
            else:
                seat = data.draw(st.sampled_from([None, 0, 1, 9, "Ann", 2.5, None]))
                match.play(data.draw(st.sampled_from(WRONG)), seat)  # type: ignore[arg-type]
        except DalapapaError as error:
            assert error.code
            assert snapshot(match) == before


def test_sharing_by_accident_is_noticed() -> None:
    class Meddler(Bot[Any]):
        def choose(self, view: Any) -> Move:
            match.play(view.legal[0])
            raise AssertionError

    match = Match(players=[Meddler, "random"], seed="1")
    with pytest.raises(Conflict) as refused:
        match.run()
    assert refused.value.code == "in_use"
    assert "Meddler" in str(refused.value.__notes__)

    entered, leave = threading.Event(), threading.Event()

    class Slow(Bot[Any]):
        def choose(self, view: Any) -> Move:
            entered.set()
            assert leave.wait(PATIENCE)
            return First.choose(self, view)  # type: ignore[arg-type]

    shared = Match(players=[Slow, "random"], seed="1")
    thread = threading.Thread(target=shared.run, args=(1,))
    thread.start()
    assert entered.wait(PATIENCE)
    with pytest.raises(Conflict):
        shared.run()
    leave.set()
    thread.join(PATIENCE)
    assert len(shared) == 1


# -- programs --------------------------------------------------------------------------------


def test_an_own_bot_needs_only_choose() -> None:
    writer = Writer("end")
    match = Match(players=[writer, First], seed="1")
    assert match.run() is not None
    assert writer.begun == 1
    assert match.players[0].program == "Writer"
    with pytest.raises(BadOptions, match="pass an instance"):
        Match(players=[Writer, First])
    with pytest.raises(BadOptions):
        Match(players=[object(), First])  # type: ignore[list-item]

    class Liar(Bot[Any]):
        def choose(self, view: Any) -> Any:
            del view

    lied = Match(players=[Liar, "random"], seed="1")
    with pytest.raises(DalapapaError, match="not None"):
        lied.run()
    assert len(lied) == 0


def test_bots_are_compared_with_an_interval() -> None:
    class Local(First):
        """That cannot be pickled."""

    one = compare(First, "random", games=6, seed="a")
    assert one == compare(First, "random", games=6, seed="a", jobs=1)
    assert one == compare(First(), "random", games=6, seed="a", jobs=2)
    assert one.games == 6
    assert one.wins.low <= one.wins.value <= one.wins.high
    assert one.lead.low < one.lead.value < one.lead.high
    assert compare(Local, "random", games=3).games == 4
    text = str(one)
    assert text.startswith("First against random: 6 games of classic, seed a\n")
    assert "95 % interval" in text
    assert one.better in (True, None)
    for wrong in ({"games": 0}, {"players": 1}, {"jobs": 0}, {"game": "chess"}, {"seed": "\n"}):
        with pytest.raises(BadOptions):
            compare(First, "random", **wrong)
    with pytest.raises(BadOptions):
        compare(First, "meduim")


def test_a_comparison_is_a_step_of_the_ladder() -> None:
    ladder = Ladder("gone", ("random", "easy"), seed="s", games=4)
    (pair,) = summarize_ladder(ladder, play_ladder(ladder, jobs=1))["pairs"]
    found = compare("random", "easy", games=4, game="gone", seed="s", jobs=1)
    assert round(found.wins.value, 4) == pair["wins"]
    assert round(found.lead.value, 2) == pair["lead"]
