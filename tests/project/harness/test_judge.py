"""The judge finds what is wrong: each doctored history, message or log is noticed."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from dalapapa.games.moves import move_to_json
from dalapapa.hosting import encoder
from dalapapa.hosting.entries import Moved, Sat
from dalapapa.hosting.settings import SeatPlan, Settings
from dalapapa.hosting.state import TableState, advance, open_table
from dalapapa.hosting.stored import StoredEntry, StoredTable
from dalapapa.hosting.tokens import hash_token
from tests.support.judge import Accepted, Declined, Findings, Heard, Promises, examine, tracebacks

SEED = "5eed" * 8


class History:
    """A game of two people, some moves long, with all messages that were truly sent about it."""

    def __init__(self) -> None:
        settings = Settings("classic", (SeatPlan(), SeatPlan()))
        self.kept = StoredTable("table", 0, settings, SEED)
        self.states = [open_table(settings, SEED, 0)]
        self.log: list[StoredEntry] = []
        self.promises = Promises(tokens=["ann's token", "bob's token"])
        self.heard = [Heard(seats) for seats in ((0,), (1,), ())]
        self.promises.heard += self.heard
        for seat in range(2):
            self.take(Sat(seat, f"P{seat}", hash_token(f"{seat}")))
        for number in range(8):
            game, state = self.state.game, self.state.game_state
            (player,) = game.next_actors(state)
            move = game.legal_moves(game.view(state, player))[-1]
            mark = f"m{number}"
            self.take(Moved(move), hash_token(f"{player} {mark}"))
            answer = Accepted(self.state.version, mark, move_to_json(move))
            self.promises.accepted.append(answer)

    @property
    def state(self) -> TableState:
        return self.states[-1]

    def take(self, entry: Any, nonce: str | None = None) -> None:
        self.log.append(StoredEntry(self.state.version + 1, 0, entry, nonce))
        self.states.append(advance(self.state, entry, 0))
        for heard in self.heard:
            heard.messages.append(encoder.encode_table("table", self.state, heard.seats, 0, True))

    def judged(self) -> Findings:
        return examine(self.kept, self.log, self.promises)


@pytest.fixture
def history() -> History:
    return History()


def only(found: Findings, kind: str) -> bool:
    """Whether something of one kind was found, and nothing of another."""
    return [one for one in found.__struct_fields__ if getattr(found, one)] == [kind]


def test_a_true_history_is_in_order(history: History) -> None:
    assert not history.judged()
    assert not tracebacks("WARNING: the database: it does not answer\n")


def test_a_lost_move_is_found(history: History) -> None:
    history.heard.clear()
    history.promises.heard.clear()
    history.log.pop()
    assert only(history.judged(), "lost")


def test_a_lost_move_is_found_where_another_one_is_in_its_place(history: History) -> None:
    last = history.log[-1]
    history.log[-1] = StoredEntry(last.number, 0, last.entry, hash_token("0 another"))
    assert only(history.judged(), "lost")


def test_a_gap_is_found(history: History) -> None:
    del history.log[4]
    assert "the log has a gap" in history.judged().lost


def test_a_lost_table_is_found(history: History) -> None:
    assert only(examine(None, [], history.promises), "lost")


def test_a_doubled_move_is_found(history: History) -> None:
    game, state = history.state.game, history.state.game_state
    (player,) = game.next_actors(state)
    again = game.legal_moves(game.view(state, player))[0]
    history.take(Moved(again), history.log[-1].nonce)
    assert only(history.judged(), "doubled")


def test_an_id_that_was_acknowledged_twice_is_found(history: History) -> None:
    first, second = history.promises.accepted[:2]
    history.promises.accepted.append(Accepted(second.version, first.mark, first.move))
    assert history.judged().doubled


def test_a_refused_move_that_was_made_is_found(history: History) -> None:
    last = history.promises.accepted.pop()
    refusal = Declined("not_your_turn", last.mark, last.move)
    history.promises.declined.append(refusal)
    assert only(history.judged(), "made_anyway")
    refusal.code = "no_database"  # Then it may have been made, and who wants to know asks again.
    assert not history.judged()


def test_a_leaked_domino_is_found(history: History) -> None:
    hand = history.state.game_state.hands[1]
    assert hand
    for heard in history.heard[::2]:
        answer = msgspec.json.decode(heard.messages[-1])
        answer["more"] = [hand[0]]
        heard.messages[-1] = msgspec.json.encode(answer)
        found = history.judged()
        assert only(found, "leaks")
        assert hand[0] in found.leaks[0]


@pytest.mark.parametrize("secret", [SEED, hash_token("1"), "bob's token"])
def test_a_leaked_seed_or_token_is_found(history: History, secret: str) -> None:
    message = {"type": "refused", "code": "stale", "message": f"Not {secret}."}
    history.heard[0].messages.append(msgspec.json.encode(message))
    assert only(history.judged(), "leaks")


def test_a_view_that_was_never_there_is_found(history: History) -> None:
    answer = msgspec.json.decode(history.heard[0].messages[-1])
    answer["views"]["0"]["scores"][0] += 1
    history.heard[0].messages[-1] = msgspec.json.encode(answer)
    assert only(history.judged(), "untrue")


def test_messages_in_the_wrong_order_are_found(history: History) -> None:
    history.heard[0].messages.append(history.heard[0].messages[-1])
    assert only(history.judged(), "untrue")
    history.heard[0].in_order = False
    assert not history.judged()


def test_messages_about_lost_moves_are_found(history: History) -> None:
    history.promises.accepted.pop()
    history.log.pop()
    assert only(history.judged(), "untrue")


def test_a_traceback_is_found() -> None:
    text = """WARNING: a bot failed
Traceback (most recent call last):
  File "x.py", line 1, in <module>
    fail()
ValueError: no
Dalapapa is at http://127.0.0.1:1/
Traceback (most recent call last):
  File "x.py", li"""
    assert tracebacks(text) == ["ValueError: no", "cut off"]
    forgotten = "x.py:1: RuntimeWarning: coroutine 'f' was never awaited"
    assert tracebacks(f"{forgotten}\n  f()\n") == [forgotten]
