"""Jobs that compare the games of a challenge: pure functions, which run in worker processes."""

from __future__ import annotations

import msgspec

from ...coach.encode import encode_turn
from ...coach.reviews import list_turns, select_stand_ins
from ...games.events import Laid
from ...games.undo import drop_undone, select_steps
from ...hosting.replays import make_logged_game
from ...hosting.settings import Settings
from ...hosting.state import replay
from ..schemas import ComparedEarned, ComparedGame, ComparedPart, ComparedTurn
from .replays import TableLog


def compare_game(settings: Settings, seed: str, created: int, log: TableLog, seat: int) -> bytes:
    """The game in a seat as JSON; null if it was closed."""
    state = replay(settings, seed, created, ((entry, at) for _, at, entry in log.entries()))
    game = state.game
    outcome = None if state.closed is not None else game.outcome(state.game_state)
    if outcome is None:
        return b"null"
    logged = make_logged_game(state, log)
    made = [one.entry for one in logged.moves]
    every = logged.steps()
    kept = drop_undone([one.move for one in made], every)
    steps, stand_ins = select_steps(kept, every), select_stand_ins(kept, logged.stand_ins)
    turns: list[ComparedTurn] = []
    total = 0
    for turn in list_turns(game, steps, stand_ins):
        if turn.player != seat:
            continue
        laid = [
            event
            for step in steps[turn.first + 1 : turn.last + 2]
            for event in step.events
            if isinstance(event, Laid) and event.player == seat and event.scores
        ]
        points = turn.points if turn.announced is None else turn.announced
        scores = getattr(steps[turn.last + 1].state, "scores", None)
        before, total = total, total + points if scores is None else scores[seat]
        turns.append(
            ComparedTurn(
                [str(laying) for laying in turn.layings],
                [
                    ComparedPart(
                        ComparedEarned(one.earned.contacts, list(one.earned.groups)), one.charge
                    )
                    for one in laid
                ],
                points,
                total - before - points,
                total,
                encode_turn(turn.best),
                turn.lost,
                turn.stand_in,
            )
        )
    counts_points = getattr(state.game_state, "scores", None) is not None
    own = all(one.cause == "player" for one in made if getattr(one.move, "player", None) == seat)
    return msgspec.json.encode(
        ComparedGame(
            state.names()[seat],
            outcome.scores[seat],
            list(outcome.scores),
            seat in outcome.winners,
            own,
            turns,
            outcome.scores[seat] - total if counts_points else 0,
        )
    )
