"""Moves: what a player may ask for. Each is a value that says who asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, get_args

import msgspec

from ..core.errors import IllegalMove
from ..core.geometry import Disc
from ..core.notation import Laying, shorten


class AnyMove(msgspec.Struct, frozen=True, tag_field="move", forbid_unknown_fields=True):
    """The base class of all moves."""


class PlayersMove(AnyMove, frozen=True):
    """A move that a player makes."""

    player: int


class Lay(PlayersMove, frozen=True, tag="lay"):
    """Lay a domino from the hand."""

    laying: Laying


class End(PlayersMove, frozen=True, tag="end"):
    """End your turn: the point of no return, because dominoes are drawn."""


class Pass(PlayersMove, frozen=True, tag="pass"):
    """Pass, if none of the dominoes in hand can be laid."""


class Undo(PlayersMove, frozen=True, tag="undo"):
    """Take back the last laying of your turn."""


class Call(PlayersMove, frozen=True, tag="call"):
    """Call an auction for the turn, with an opening bid (rules 2)."""

    bid: int


class Decline(PlayersMove, frozen=True, tag="decline"):
    """Decline to call an auction this turn (rules 2: bots are asked)."""


class Raise(PlayersMove, frozen=True, tag="raise"):
    """Bid more in an auction."""

    bid: int


class Follow(PlayersMove, frozen=True, tag="follow"):
    """As the active player, take over an auction's bid at the same value."""


class Mark(PlayersMove, frozen=True, tag="mark"):
    """Put a mark on the group of a disc (rules 3), or a marker on a territory (rules 8)."""

    disc: Disc


class PlayAgain(PlayersMove, frozen=True, tag="replay"):
    """Pay two tokens to play a whole turn again (rules 8)."""


class Take(PlayersMove, frozen=True, tag="take"):
    """Take a domino from the middle (rules 5)."""

    tile: str


class TakeOut(PlayersMove, frozen=True, tag="take_out"):
    """Take a domino out of your frame, in hand (rules 5) or to the pile (rules 6)."""

    tile: str


class PutBack(PlayersMove, frozen=True, tag="put_back"):
    """Put the domino in hand back into the middle (rules 5)."""


class GiveUp(PlayersMove, frozen=True, tag="give_up"):
    """Stop filling your frame (rules 5, 6)."""


class Announce(PlayersMove, frozen=True, tag="announce"):
    """Announce the points of a turn (rules 7)."""

    announced: int
    round: int
    """Its round: an announcement that arrives late must not count in the next one."""


class NoMore(PlayersMove, frozen=True, tag="no_more"):
    """Announce nothing above the highest announcement: pass, in Alex (rules 7)."""

    announced: int
    """The highest announcement that the player knows, or 0: a newer one may still be topped."""
    round: int


class TimeUp(AnyMove, frozen=True, tag="time_up"):
    """A time has run out, such as the sandglass. A server or a simulation makes this move."""

    timer: int
    """The number of the timer (`Game.timer`), so that a repeated message does no harm."""
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
    | PlayAgain
    | Take
    | TakeOut
    | PutBack
    | GiveUp
    | Announce
    | NoMore
    | TimeUp
)

_KINDS: dict[Any, type[Move]] = {kind.__struct_config__.tag: kind for kind in get_args(Move)}


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
    """The inverse of `move_to_json`; refuses all other data with one sentence."""
    if isinstance(data, dict) and "laying" in data:
        if not isinstance(data["laying"], str):
            raise IllegalMove("This is not a move: its laying is not a text.", "malformed_move")
        laying = Laying.parse(data["laying"])
        if data.get("move") == "lay" and len(data) == 3 and type(data.get("player")) is int:
            return Lay(data["player"], laying)  # Most moves are like this, and time counts.
        data = {**data, "laying": msgspec.to_builtins(laying)}
    if isinstance(data, dict) and "player" not in data:
        raise IllegalMove("This is not a move: it does not say whose.", "malformed_move")
    try:
        tag = data.get("move") if isinstance(data, dict) else None
        # Converting to one kind is faster than to the union of all.
        kind = _KINDS.get(tag, Move) if isinstance(tag, str) else Move
        move: Move = msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        reason = str(error)[:200]  # It quotes the data, which may be long.
        raise IllegalMove(f"This is not a move: {reason}.", "malformed_move") from None
    except UnicodeEncodeError:  # A lone surrogate: JSON can hold it, UTF-8 cannot.
        raise IllegalMove("This is not a move: it is no plain text.", "malformed_move") from None
    return move


def read_move(given: object, player: int | None, legal: Callable[[], Iterable[Move]]) -> Move:
    """Read a move as people write it, for a player who is to act.

    It may be a move, a laying, a dict as in records, or text: `PRYGB+0@0,0`, `end`, `call 6`,
    `mark 3,4`, `take PRYGB`. Missing words are taken from the first legal move of that kind.
    """
    if isinstance(given, AnyMove):
        return given  # type: ignore[return-value]  # All kinds are listed in Move.
    if isinstance(given, Laying):
        given = {"move": "lay", "laying": str(given)}
    if isinstance(given, dict):
        return move_from_json({"player": player, **given})
    if not isinstance(given, str) or not given.strip():
        raise IllegalMove(f"{shorten(given)} is not a move.", "malformed_move")
    kind, *words = given.split()
    if "@" in kind:
        kind, words = "lay", [kind, *words]
    if kind not in _KINDS:
        known = ", ".join(tag for tag in _KINDS if tag != "lay")
        raise IllegalMove(
            f"{shorten(given)} is not a move: that is a laying such as PRYGB+0@0,0, or one of"
            f" {known}.",
            "malformed_move",
        )
    fields = [name for name in _KINDS[kind].__struct_fields__ if name != "player"]
    if len(words) > len(fields):
        raise IllegalMove(f"{shorten(given)}: that is too much for {kind}.", "malformed_move")
    data: dict[str, object] = {"player": player, "move": kind}
    data.update({name: _value(word) for name, word in zip(fields, words, strict=False)})
    if len(words) < len(fields):
        found = next((move for move in legal() if move.__struct_config__.tag == kind), None)
        if found is None:
            raise IllegalMove(f"No player can {kind.replace('_', ' ')} now.", "illegal_move")
        data = {**move_to_json(found), **data, "player": found.player}
    return move_from_json(data)


def _value(word: str) -> object:
    """A word of a move: a number, two numbers (a disc), or a name."""
    try:
        numbers = [int(number) for number in word.split(",")]
    except ValueError:
        return word
    return numbers if "," in word else numbers[0]
