"""Moves: what a player may ask for. Each is a value that says who asks.

The kinds of our games are below. A game may declare more in `Game.move_types`: the functions here
get them as `kinds`. Code that must not import the game keeps such a move as a `ForeignMove`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias, get_args, get_type_hints

import msgspec

from ..core.errors import IllegalMove
from ..core.geometry import Disc
from ..core.notation import Laying, shorten


class AnyMove(msgspec.Struct, frozen=True, tag_field="move", forbid_unknown_fields=True):
    """The base class of all moves."""


def _tag(kind: type[AnyMove]) -> str:
    """The name of a kind of move."""
    return str(kind.__struct_config__.tag)


class PlayersMove(AnyMove, frozen=True):
    """A move that a player makes."""

    player: int

    def __str__(self) -> str:
        """The move as text that `Match.play` reads, without its player: `call 6`."""
        names = [name for name in self.__struct_fields__ if name != "player"]
        return " ".join([_tag(type(self)), *(_word(getattr(self, name)) for name in names)])


class Lay(PlayersMove, frozen=True, tag="lay"):
    """Lay a domino from the hand."""

    laying: Laying

    def __str__(self) -> str:
        return str(self.laying)


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

    def __str__(self) -> str:
        return f"time_up {self.timer}"


class ForeignMove(PlayersMove, frozen=True, tag="foreign"):
    """A move of a kind that only its game knows, as data: `Game.resolve_move` makes the move."""

    data: dict[str, Any]
    """The move in the form of records, checked to be small plain data."""


Move: TypeAlias = PlayersMove | TimeUp

_OurMove = (
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

OUR_KINDS: tuple[type[Move], ...] = get_args(_OurMove)
"""The kinds of moves of our games."""

Kinds: TypeAlias = Sequence[type[PlayersMove]]
"""The kinds of moves that a game declares besides ours."""

TAG = re.compile(r"[a-z][a-z0-9_]{0,29}")
"""The name of a kind of move in text, records and messages."""

RESERVED_FIELDS = ("move", "points", "parts", "others", "draws", "score")
"""Names that records use beside those of a move's own fields."""

MAX_FOREIGN_MOVE_BYTES = 2000
"""The size of a move of a game's own kind, as JSON: every log and message holds it."""

_KINDS: dict[str, type[Move]] = {_tag(kind): kind for kind in OUR_KINDS}


def check_kinds(kinds: object) -> None:
    """Refuse kinds of moves that a game cannot declare."""
    if not isinstance(kinds, tuple):
        raise TypeError("its move_types must be a tuple")
    tags = set(_KINDS)
    for kind in kinds:
        if not (isinstance(kind, type) and issubclass(kind, PlayersMove)):
            raise TypeError(f"its kind of move {shorten(kind)} must be a subclass of PlayersMove")
        tag = kind.__struct_config__.tag
        if not isinstance(tag, str) or not TAG.fullmatch(tag):
            raise TypeError(f"{kind.__name__} needs a tag of lower-case letters, digits and _")
        if tag in tags:
            raise TypeError(f"another kind of move is called {tag}")
        tags.add(tag)
        for name, hint in get_type_hints(kind).items():
            if name in RESERVED_FIELDS:
                raise TypeError(
                    f"{kind.__name__} must not have a field called {name}, because records have one"
                )
            if hint is Laying and name != "laying":
                raise TypeError(f"{kind.__name__} must keep its laying in a field called laying")
        msgspec.json.Decoder(kind)  # Refuses types of fields that have no form in JSON.


def move_to_json(move: Move) -> dict[str, Any]:
    """A move in the form of records and messages."""
    if isinstance(move, ForeignMove):
        return dict(move.data)
    data: dict[str, Any] = {"player": move.player, "move": move.__struct_config__.tag}
    for field in move.__struct_fields__:
        if field != "player":
            value = getattr(move, field)
            if isinstance(value, Laying):
                value = str(value)
            data[field] = list(value) if isinstance(value, tuple) else value
    return data


def move_from_json(data: Any, kinds: Kinds = ()) -> Move:
    """The inverse of `move_to_json`; refuses all other data with one sentence."""
    if isinstance(data, dict) and "laying" in data:
        if not isinstance(data["laying"], str):
            raise IllegalMove("This is not a move: its laying must be text.", "malformed_move")
        laying = Laying.parse(data["laying"])
        if data.get("move") == "lay" and len(data) == 3 and type(data.get("player")) is int:
            return Lay(data["player"], laying)  # Most moves are like this, and time counts.
        data = {**data, "laying": msgspec.to_builtins(laying)}
    if isinstance(data, dict) and "player" not in data:
        raise IllegalMove("This is not a move: it must name its player.", "malformed_move")
    try:
        tag = data.get("move") if isinstance(data, dict) else None
        # Converting to one kind is faster than to the union of all.
        kind = _find_kind(tag, kinds) or _OurMove
        move: Move = msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        reason = str(error)[:200]  # It quotes the data, which may be long.
        raise IllegalMove(f"This is not a move: {reason}.", "malformed_move") from None
    except UnicodeEncodeError:  # A lone surrogate: JSON can hold it, UTF-8 cannot.
        raise IllegalMove("This is not a move: it is not plain text.", "malformed_move") from None
    return move


def keep_move(data: Any) -> Move:
    """A move of an unknown game: one of our kinds, or a `ForeignMove`."""
    tag = data.get("move") if isinstance(data, dict) else None
    if not isinstance(tag, str) or tag in _KINDS or not TAG.fullmatch(tag):
        return move_from_json(data)
    if type(data.get("player")) is not int:
        raise IllegalMove("This is not a move: it must name its player.", "malformed_move")
    if msgspec.json.decode(_check_plain(data)) != data:
        raise IllegalMove("This is not a move: it is not plain data.", "malformed_move")
    return ForeignMove(data["player"], data)


def check_declared(move: Move, kinds: Kinds) -> None:
    """Refuse a move that cannot be stored: of an undeclared kind, or with other than plain data."""
    if type(move) in OUR_KINDS:
        return
    if type(move) not in kinds:
        raise IllegalMove(
            f"{type(move).__name__} is not a kind of move of this game: add it to move_types.",
            "malformed_move",
        )
    data = move_to_json(move)
    if move_from_json(msgspec.json.decode(_check_plain(data)), kinds) != move:
        raise IllegalMove(
            f"This {_tag(type(move))} changes when it is written and read: check its fields.",
            "malformed_move",
        )


def _check_plain(data: dict[str, Any]) -> bytes:
    """The JSON of a move; refuses what has none, or takes more than a move needs."""
    try:
        encoded = msgspec.json.encode(data)
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
        raise IllegalMove("This is not a move: it is not plain data.", "malformed_move") from None
    if len(encoded) > MAX_FOREIGN_MOVE_BYTES:
        raise IllegalMove(
            f"This is not a move: it has more than {MAX_FOREIGN_MOVE_BYTES} bytes.",
            "malformed_move",
        )
    return encoded


def _find_kind(tag: object, kinds: Kinds) -> type[Move] | None:
    """The kind with this tag, ours first."""
    if not isinstance(tag, str):
        return None
    return _KINDS.get(tag) or next((kind for kind in kinds if _tag(kind) == tag), None)


def read_move(
    given: object, player: int | None, legal: Callable[[], Iterable[Move]], kinds: Kinds = ()
) -> Move:
    """Read a move as people and bots write it, for a player who is to act.

    It may be a move, a laying, a dict as in records, or text: `PRYGB+0@0,0`, `end`, `call 6`,
    `mark 3,4`, `take PRYGB`. Missing words are taken from the first legal move of that kind.
    """
    if isinstance(given, PlayersMove | TimeUp):
        check_declared(given, kinds)
        return given
    if isinstance(given, Laying):
        given = {"move": "lay", "laying": str(given)}
    if isinstance(given, dict):
        return move_from_json({"player": player, **given}, kinds)
    if not isinstance(given, str) or not given.strip():
        raise IllegalMove(f"{shorten(given)} is not a move.", "malformed_move")
    tag, *words = given.split()
    if "@" in tag:
        tag, words = "lay", [tag, *words]
    kind = _find_kind(tag, kinds)
    if kind is None:
        known = ", ".join(_tag(one) for one in (*OUR_KINDS, *kinds) if one is not Lay)
        raise IllegalMove(
            f"{shorten(given)} is not a move: write a laying such as PRYGB+0@0,0, or one"
            f" of {known}.",
            "malformed_move",
        )
    fields = [name for name in kind.__struct_fields__ if name != "player"]
    if len(words) > len(fields):
        raise IllegalMove(f"{shorten(given)} has too many words for {tag}.", "malformed_move")
    data: dict[str, object] = {"player": None if kind is TimeUp else player, "move": tag}
    data.update({name: _value(word) for name, word in zip(fields, words, strict=False)})
    if len(words) < len(fields):
        found = next((move for move in legal() if type(move) is kind), None)
        if found is None:
            raise IllegalMove(f"No player can {tag.replace('_', ' ')} now.", "illegal_move")
        data = {**move_to_json(found), **data, "player": found.player}
    return move_from_json(data, kinds)


def _word(value: object) -> str:
    """A field of a move as a word; `_value` is the inverse."""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _value(word: str) -> object:
    """A word of a move: a number, two numbers (a disc), or a name."""
    try:
        numbers = [int(number) for number in word.split(",")]
    except ValueError:
        return word
    return numbers if "," in word else numbers[0]
