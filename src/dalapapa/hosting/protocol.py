"""The messages of the socket, both ways (`docs/socket.md`): JSON texts with a `type`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ..core.errors import BadInput, DalapapaError
from .settings import Clock

MAX_MESSAGE_BYTES = 16_384
"""Bytes of a message from a client; longer ones are refused."""

ShortText = Annotated[str, Meta(max_length=64)]
Id = Annotated[str, Meta(min_length=1, max_length=64)]
"""An id chosen by the client; the answer repeats it."""


class Hello(
    msgspec.Struct, frozen=True, tag="hello", tag_field="type", forbid_unknown_fields=True,
    rename={"wanted": "with"},
):  # fmt: skip
    """The first message: the tokens of the client's seats (none for a spectator).

    `with` names what else each table should contain; unknown names are ignored.
    """

    tokens: Annotated[tuple[ShortText, ...], Meta(max_length=10)] = ()
    wanted: Annotated[tuple[ShortText, ...], Meta(max_length=10)] = ()


class Play(msgspec.Struct, frozen=True, tag="move", tag_field="type", forbid_unknown_fields=True):
    """A move. The same id is never carried out twice.

    With `version`, the move is refused as `stale` unless the table is still at that version.
    """

    id: Id
    move: dict[str, Any]
    version: int | None = None


class Legal(msgspec.Struct, frozen=True, tag="legal", tag_field="type", forbid_unknown_fields=True):
    """Ask for the legal moves of one of your seats; with `tile`, the layings of a domino."""

    id: Id
    seat: int
    tile: ShortText | None = None


class Ping(msgspec.Struct, frozen=True, tag="ping", tag_field="type", forbid_unknown_fields=True):
    """Ask for the server's time."""

    id: Id


Greeting = Literal["hello", "well_played", "thanks", "oops", "thinking", "good_game"]
"""All that people can say to each other: no text that would have to be moderated."""


class Greet(msgspec.Struct, frozen=True, tag="greet", tag_field="type", forbid_unknown_fields=True):
    """Send a greeting from one of your seats to everyone at the table."""

    id: Id
    seat: int
    greeting: Greeting


class Remind(
    msgspec.Struct, frozen=True, tag="remind", tag_field="type", forbid_unknown_fields=True
):
    """Remind a player whom the table waits for."""

    id: Id
    seat: int


FromClient = Hello | Play | Legal | Ping | Greet | Remind
_decoder = msgspec.json.Decoder(FromClient)


def read_message(data: str | bytes) -> FromClient:
    """A message of a client; refuses everything else with one sentence."""
    if len(data) > MAX_MESSAGE_BYTES:
        raise BadInput("This message is too long.", "too_long")
    try:
        message: FromClient = _decoder.decode(data)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeError, RecursionError) as error:
        reason = str(error).splitlines()[0][:100] if str(error) else "it cannot be read"
        raise BadInput(f"This is not a message: {reason}.", "malformed_message") from None
    return message


def encode_refusal(error: DalapapaError, id: str | None = None) -> bytes:
    """The message that a request was refused."""
    refusal = {"type": "refused", **error.to_json()}
    return msgspec.json.encode(refusal if id is None else {**refusal, "id": id})


def encode_message(type: str, **fields: Any) -> bytes:
    """Any other message."""
    return msgspec.json.encode({"type": type, **fields})


class SeatPresence(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether the player of a seat is connected; null: it is free, or for a bot."""

    state: Literal["here", "away", "left"] | None
    since: int | None = None
    """Since when the player is away."""
    replace: int | None = None
    """From when on the others may let a bot play."""


class PresenceMessage(msgspec.Struct, frozen=True, tag="company", tag_field="type"):
    """Who is connected: for clients that have asked for `company` in their hello."""

    seats: list[SeatPresence]
    spectators: int


class SeatSummary(msgspec.Struct):
    """A seat as all viewers may see it."""

    name: str
    program: str | None
    free: bool
    away: bool
    replaced: bool
    """It is away because the others let a bot play, not because its player left."""
    hints: int


class TableSummary(msgspec.Struct):
    """A table as all viewers may see it; with the seed once the game is over."""

    id: str
    game: str
    options: dict[str, Any]
    phase: Literal["waiting", "playing", "over"]
    visibility: Literal["public", "private"]
    spectators: Literal["none", "public", "all"]
    pace: int
    aids: Literal["all", "places", "none"]
    hands: Literal["own", "open"]
    absence: int
    countdown: int
    hints: Literal["yes", "alone", "no"]
    seats: list[SeatSummary]
    clock: Clock
    commitment: str
    begins: int | None
    deadline: int | None
    timer: int | None
    rematch: str | None
    host: int | None
    """The seat that may send guests away; null once the game has begun."""
    time_runs_for: int | UnsetType | None = UNSET
    time_left: tuple[int, ...] | UnsetType = UNSET
    seed: str | UnsetType = UNSET
