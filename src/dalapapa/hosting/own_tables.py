"""Summaries of online tables for the list of a player's own ones."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from .encoder import summarize
from .protocol import SeatSummary
from .state import TableState
from .tokens import find_seats, hash_token


class OwnTableSummary(msgspec.Struct, omit_defaults=True):
    """A table in the list of a player's own tables.

    `removed`: it cannot be opened any more. `later`: this server has too much to do; ask again.
    """

    id: str
    state: Literal["here", "removed", "later"]
    game: str | UnsetType = UNSET
    phase: Literal["waiting", "playing", "over"] | UnsetType = UNSET
    seats: list[SeatSummary] | UnsetType = UNSET
    yours: tuple[int, ...] | UnsetType = UNSET
    asked: tuple[int, ...] | UnsetType = UNSET
    """The seats for which the game waits."""
    winners: tuple[int, ...] | UnsetType = UNSET
    """Once the game is over."""
    changed: int | UnsetType = UNSET
    deadline: int | UnsetType | None = UNSET
    """When the time of a player is up."""


class SharedSummary(msgspec.Struct, frozen=True):
    """The summary of a table for all owners, and what decides how much each may know."""

    summary: OwnTableSummary
    owners: tuple[str | None, ...]
    is_secret: bool


def share_summary(id: str, state: TableState) -> SharedSummary:
    """The summary of a table for all its owners."""
    table = summarize(id, state)
    outcome = None if state.game_state is None else state.game.outcome(state.game_state)
    asked = tuple(state.game.next_actors(state.game_state)) if state.phase == "playing" else ()
    return SharedSummary(
        OwnTableSummary(
            id, "here", table.game, table.phase, table.seats, (), asked,
            UNSET if outcome is None else outcome.winners, state.at, state.deadline(),
        ),
        tuple([seat.owner for seat in state.seats]),
        state.is_secret,
    )  # fmt: skip


def personalise(shared: SharedSummary, token: str) -> OwnTableSummary:
    """A summary for the owner of a token."""
    yours = find_seats(shared.owners, hash_token(token))
    asked = () if shared.is_secret and not yours else shared.summary.asked
    return msgspec.structs.replace(shared.summary, yours=yours, asked=asked)
