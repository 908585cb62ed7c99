"""The messages of the socket, both ways (`docs/socket.md`): JSON texts with a `type`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ..core.errors import BadInput, DalapapaError
from ..core.points import ClosedGroup
from ..games.game import View
from .settings import Clock

MAX_MESSAGE_BYTES = 16_384
"""Bytes of a message from a client; longer ones are refused."""

ShortText = Annotated[str, Meta(max_length=64)]
Id = Annotated[str, Meta(min_length=1, max_length=64)]
"""An id chosen by the client; the answer repeats it."""

# Games of other packages have options, moves and events of their own, so these stay open.
OptionsData = Annotated[dict[str, Any], "the options of a game"]
MoveData = Annotated[dict[str, Any], "a move"]
EventData = Annotated[dict[str, Any], "an event"]


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
    move: MoveData
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


class ServerMessage(msgspec.Struct, frozen=True, tag_field="type"):
    """The base class of all messages of the server."""


class SeatPresence(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether the player of a seat is connected; null: it is free, or for a bot."""

    state: Literal["here", "away", "left"] | None
    since: int | None = None
    """Since when the player is away."""
    replace: int | None = None
    """From when on the others may let a bot play."""


class PresenceMessage(ServerMessage, frozen=True, tag="company"):
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


Capability = Literal["share", "review", "verify", "delete", "move", "linked_challenge"]
"""What a host offers. `share`: others open the table by its link. `review`: the coach looks at the
finished game. `verify`: moves and times are verified, so that they count for everyone. `delete`:
its player deletes the table. `move`: it can move to a server. `linked_challenge`: a challenge of
the finished game is its link."""
Capabilities = tuple[Capability, ...]
SERVER_CAPABILITIES: Capabilities = ("share", "review", "verify")
DEVICE_CAPABILITIES: Capabilities = ("review", "delete", "move", "linked_challenge")

DEVICE_PREFIX, MOVED_PREFIX = "device-", "moved-"
"""The beginnings of the ids of tables on a device, and of those that a device moved to a server."""


def find_capabilities(id: str) -> Capabilities:
    """What the host of a table offers there."""
    if id.startswith(DEVICE_PREFIX):
        return DEVICE_CAPABILITIES
    if id.startswith(MOVED_PREFIX):
        return tuple([one for one in SERVER_CAPABILITIES if one != "verify"])
    return SERVER_CAPABILITIES


class TableSummary(msgspec.Struct):
    """A table as all viewers may see it; with the seed once the game is over."""

    id: str
    game: str
    options: OptionsData
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
    capabilities: Capabilities = SERVER_CAPABILITIES
    ends: int | UnsetType = UNSET
    """When the time that was agreed on for the whole game is over."""
    time_runs_for: int | UnsetType | None = UNSET
    time_left: tuple[int, ...] | UnsetType = UNSET
    seed: str | UnsetType = UNSET


class OfferedLaying(msgspec.Struct, frozen=True):
    """A laying of `May`; with what it would earn where the table allows to show that."""

    laying: str
    contacts: int | UnsetType = UNSET
    disc_points: int | UnsetType = UNSET
    groups: tuple[ClosedGroup, ...] | UnsetType = UNSET
    group_points: int | UnsetType = UNSET
    points: int | UnsetType = UNSET


class May(msgspec.Struct, frozen=True):
    """What a seat may do now."""

    moves: list[MoveData]
    """All legal moves but layings."""
    lays: bool
    """Whether the layings are legal moves; if not, they can be tried."""
    layings: dict[str, list[OfferedLaying]]
    """By domino."""
    hand: tuple[str, ...]
    """The dominoes that can be laid or tried now."""
    can_try: bool
    """Whether layings that are not legal now can be tried: others play, or bid."""
    charge: int
    """What the next laying of this turn costs."""
    aids: bool | UnsetType = UNSET
    """False while no legal place may be marked; otherwise missing."""


class TableMessage(ServerMessage, frozen=True, tag="table"):
    """A table as a viewer may see it.

    The parts are encoded already (`encoder.py`, `layings.py`); the annotations say what they are.
    """

    version: int
    now: int
    at: int
    """When the table came to this version."""
    table: Annotated[msgspec.Raw, TableSummary]
    yours: tuple[int, ...]
    views: Annotated[dict[str, Any], dict[str, View]]
    """By seat, or `spectator`."""
    acting: tuple[int, ...]
    """The seats whose turn it is."""
    invited: tuple[int, ...]
    """The seats that may act out of turn: before a turn of Auction, those who may call."""
    events: Annotated[Any, list[EventData]] = ()
    may: Annotated[Mapping[str, msgspec.Raw] | UnsetType, dict[str, May] | UnsetType] = UNSET
    """What the seats of the viewer may do; not in races, nor in games of other packages."""
    hands: tuple[tuple[str, ...], ...] | UnsetType = UNSET
    """All hands, where they are open."""


class Accepted(ServerMessage, frozen=True, tag="accepted"):
    """A move was carried out; it is durable."""

    id: str
    version: int


class RefusedMessage(ServerMessage, frozen=True, tag="refused"):
    """A request was refused, or with no `id`, the connection."""

    code: str
    message: str
    values: dict[str, float | str] | UnsetType = UNSET
    id: str | UnsetType = UNSET


class LegalMoves(ServerMessage, frozen=True, tag="legal"):
    """The answer to `legal`."""

    id: str
    version: int
    moves: Annotated[msgspec.Raw, list[MoveData]]


class Done(ServerMessage, frozen=True, tag="done"):
    """A greeting or a reminder was sent; `reached`: a page of the player was open."""

    id: str
    reached: bool | UnsetType = UNSET


class Pong(ServerMessage, frozen=True, tag="pong"):
    """The answer to `ping`."""

    id: str
    now: int
    version: int


class GreetingMessage(ServerMessage, frozen=True, tag="greeting"):
    """A player greets everyone at the table."""

    seat: int
    greeting: Greeting


class ReminderMessage(ServerMessage, frozen=True, tag="reminder"):
    """A player reminds another one that the table waits."""

    seat: int
    by: int


class RemovedMessage(ServerMessage, frozen=True, tag="removed"):
    """The host has sent this guest away."""


FromServer = (
    TableMessage
    | PresenceMessage
    | GreetingMessage
    | ReminderMessage
    | Accepted
    | RefusedMessage
    | LegalMoves
    | Done
    | Pong
    | RemovedMessage
)
encode_message = msgspec.json.Encoder().encode


def encode_refusal(error: DalapapaError, id: str | None = None) -> bytes:
    """The message that a request was refused."""
    return encode_message(
        RefusedMessage(error.code, str(error), error.values or UNSET, UNSET if id is None else id)
    )
