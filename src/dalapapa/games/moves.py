"""Moves: what a player may ask for. Each is a value that says who asks."""

from __future__ import annotations

from typing import Any

import msgspec

from ..errors import IllegalMove
from ..geometry import Disc
from ..notation import Laying


class Lay(msgspec.Struct, frozen=True, tag="lay", tag_field="move", forbid_unknown_fields=True):
    """Lay a domino from the hand."""

    player: int
    laying: Laying


class End(msgspec.Struct, frozen=True, tag="end", tag_field="move", forbid_unknown_fields=True):
    """End the own turn: the point of no return, for dominoes are drawn."""

    player: int


class Pass(msgspec.Struct, frozen=True, tag="pass", tag_field="move", forbid_unknown_fields=True):
    """Pass, when none of the dominoes in hand can be laid."""

    player: int


class Undo(msgspec.Struct, frozen=True, tag="undo", tag_field="move", forbid_unknown_fields=True):
    """Take back the last laying of the own turn."""

    player: int


class Call(msgspec.Struct, frozen=True, tag="call", tag_field="move", forbid_unknown_fields=True):
    """Call an auction for the turn, with an opening bid (rules 2)."""

    player: int
    bid: int


class Decline(
    msgspec.Struct, frozen=True, tag="decline", tag_field="move", forbid_unknown_fields=True
):
    """Say that one does not call an auction this turn (rules 2: programs are asked)."""

    player: int


class Raise(msgspec.Struct, frozen=True, tag="raise", tag_field="move", forbid_unknown_fields=True):
    """Bid more in an auction."""

    player: int
    bid: int


class Follow(
    msgspec.Struct, frozen=True, tag="follow", tag_field="move", forbid_unknown_fields=True
):
    """As the active player, take an auction's bid over at the same value."""

    player: int


class Mark(msgspec.Struct, frozen=True, tag="mark", tag_field="move", forbid_unknown_fields=True):
    """Put a mark on the group of a disc (rules 3), or a marker on a territory (rules 8)."""

    player: int
    disc: Disc


class Replay(
    msgspec.Struct, frozen=True, tag="replay", tag_field="move", forbid_unknown_fields=True
):
    """Pay two tokens to play a whole turn again (rules 8)."""

    player: int


class Take(msgspec.Struct, frozen=True, tag="take", tag_field="move", forbid_unknown_fields=True):
    """Take a domino in hand, from the middle or from the own frame (rules 5, 6)."""

    player: int
    tile: str


class PutBack(
    msgspec.Struct, frozen=True, tag="put_back", tag_field="move", forbid_unknown_fields=True
):
    """Put the domino in hand back into the middle (rules 5)."""

    player: int


class GiveUp(
    msgspec.Struct, frozen=True, tag="give_up", tag_field="move", forbid_unknown_fields=True
):
    """Stop filling the own frame (rules 5, 6)."""

    player: int


class Announce(
    msgspec.Struct, frozen=True, tag="announce", tag_field="move", forbid_unknown_fields=True
):
    """Announce a turn of so many points (rules 7)."""

    player: int
    announced: int


class TimeUp(
    msgspec.Struct, frozen=True, tag="time_up", tag_field="move", forbid_unknown_fields=True
):
    """A time has run out, such as the sandglass. No player's move: a server or a simulation's."""

    timer: int
    """Which one (`Game.timer`), so that the same news twice does no harm."""
    player: None = None


Move = (
    Lay
    | End
    | Pass
    | Undo
    | Call
    | Decline
    | Raise
    | Follow
    | Mark
    | Replay
    | Take
    | PutBack
    | GiveUp
    | Announce
    | TimeUp
)


def move_to_json(move: Move) -> dict[str, Any]:
    """A move in the form of records and messages."""
    data: dict[str, Any] = {"player": move.player, "move": move.__struct_config__.tag}
    for field in move.__struct_fields__:
        if field != "player":
            value = getattr(move, field)
            if isinstance(value, Laying):
                value = str(value)
            data[field] = list(value) if isinstance(value, tuple) else value
    return data


def move_from_json(data: Any) -> Move:
    """The inverse of `move_to_json`; refuses everything else with one sentence."""
    if isinstance(data, dict) and "laying" in data:
        if not isinstance(data["laying"], str):
            raise IllegalMove("This is not a move: its laying is not a text.", "malformed_move")
        data = {**data, "laying": msgspec.to_builtins(Laying.parse(data["laying"]))}
    try:
        move: Move = msgspec.convert(data, Move)
    except msgspec.ValidationError as error:
        raise IllegalMove(f"This is not a move: {error}.", "malformed_move") from None
    return move
