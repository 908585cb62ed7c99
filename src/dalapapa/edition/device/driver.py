"""Moves bots and ends clocks at the tables of a device that are watched.

Nothing waits here: `drive` does what is due now, and returns when to look again.
"""

from __future__ import annotations

import math
from random import SystemRandom

import msgspec

from ...bots import make_bot
from ...bots.pacing import MIN_REACTION_MS, choose_next
from ...core.errors import RuleRefusal
from ...games.moves import move_from_json
from ...hosting.entries import Entry, Moved
from ...hosting.state import STAND_IN_BOT, TableState
from .messages import Answer, write_line
from .table import BotPlan, DeviceTable, Thought
from .tables import DeviceTables

RETRY_DELAY_MS = 500
"""The pause before a bot that failed is asked again."""

THINKING_LIMIT_MS = 120_000
"""The time after which a question is taken back and asked again: the thinking worker may hang.

It is long, because a review may come first.
"""


def drive(tables: DeviceTables, table: DeviceTable) -> int | None:
    """Do what is due at a table; when there will be more to do, if nothing else happens."""
    while table.sessions and table.state.accepts_moves:
        if tables.end_timer(table):
            continue
        _drop_outdated(tables, table)
        return _look(tables, table)
    if not table.sessions:
        table.attended_since = None
    table.plan = None
    _forget_thought(tables, table)
    return None


def _look(tables: DeviceTables, table: DeviceTable) -> int | None:
    """Ask a bot if it is due; the time of the next look."""
    state, now = table.state, tables.now
    if state.begins is not None and now < state.begins:
        return state.begins
    deadline = state.deadline()
    if table.thought is not None:
        late = table.thought.asked_at + THINKING_LIMIT_MS
        if now < late:
            return late if deadline is None or deadline <= now else min(late, deadline)
        _forget_thought(tables, table)
    if now < table.retry_at:
        return table.retry_at
    asked = state.game.next_actors(state.game_state)
    if deadline is not None and now >= deadline:
        _ask(tables, table, asked[0], state.seats[asked[0]].played_by)
        return now + THINKING_LIMIT_MS
    bots = {seat: bot for seat in asked if (bot := state.seats[seat].played_by)}
    if table.plan is None and bots:
        table.plan = _plan(state, bots, now)
    if table.plan is None:
        return deadline
    due = table.plan.at
    if table.plan.state is not state:
        due = max(due, table.changed_at + MIN_REACTION_MS)
    if now < due:
        return due if deadline is None else min(due, deadline)
    seat, table.plan = table.plan.seat, None
    if seat in bots:
        _ask(tables, table, seat, bots[seat])
        late = now + THINKING_LIMIT_MS
        return late if deadline is None else min(late, deadline)
    return now + MIN_REACTION_MS


def _plan(state: TableState, bots: dict[int, str], now: int) -> BotPlan:
    """Choose the bot that acts next, and let it take its time."""
    game = state.game
    seconds = {
        seat: make_bot(bot, game, "").seconds(game.view(state.game_state, seat))
        for seat, bot in bots.items()
    }
    seat, pause, _ = choose_next(seconds, state.settings.pace, _is_turn(state), SystemRandom())
    return BotPlan(seat, now + math.ceil(1000 * pause), state)


def _is_turn(state: TableState) -> bool:
    return state.game.clock_player(state.game_state) is not None


def _drop_outdated(tables: DeviceTables, table: DeviceTable) -> None:
    """Drop what was planned or asked for another turn.

    Where several act at once, the moves of the others do not restart a bot's time.
    """
    state, plan, thought = table.state, table.plan, table.thought
    if plan is not None and _is_turn_over(plan.state, state):
        table.plan = None
    if thought is None:
        return
    has_returned = not thought.is_stand_in and state.seats[thought.seat].played_by is None
    if has_returned or _is_turn_over(thought.state, state):
        _forget_thought(tables, table)


def _is_turn_over(asked: TableState, state: TableState) -> bool:
    """Whether a turn has ended since a bot was asked, or one has begun."""
    return asked is not state and (_is_turn(asked) or _is_turn(state))


def _forget_thought(tables: DeviceTables, table: DeviceTable) -> None:
    if table.thought is not None:
        tables.cancel(table.thought.id)
        table.thought = None


def _ask(tables: DeviceTables, table: DeviceTable, seat: int, bot: str | None) -> None:
    """Ask the other worker for a bot's move; without a bot, for a person whose time is up."""
    log = [write_line(one) for one in table.log]
    arguments = {"table": table.stored, "log": log, "seat": seat, "bot": bot or STAND_IN_BOT}
    question = tables.ask("think", arguments)
    table.thought = Thought(question, seat, table.state, bot is None, tables.now)


def receive_answer(tables: DeviceTables, event: Answer) -> None:
    """Make the move that a bot has chosen, unless the table does not wait for it any more."""
    asking = (
        table
        for table in tables.tables.values()
        if table.thought is not None and table.thought.id == event.id
    )
    table = next(asking, None)
    if table is None or table.thought is None:
        return
    thought, table.thought = table.thought, None
    if not event.answer:
        table.retry_at = tables.now + RETRY_DELAY_MS
        return
    move = move_from_json(msgspec.json.decode(event.answer))
    entry: Entry = Moved(move, "time" if thought.is_stand_in else "program")
    if not tables.end_timer(table):
        try:
            tables.act(table, lambda _: entry)
        except RuleRefusal:  # In a race, another player was quicker; the bot is asked again.
            table.retry_at = tables.now + MIN_REACTION_MS
