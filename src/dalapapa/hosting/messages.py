"""The socket's messages, both ways (`docs/protocol.md`). JSON texts with a `type`.

Everything that a viewer is told about a running game is made here, from `Game.view` and `visible`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ..core.errors import BadInput, DalapapaError
from ..core.notation import Laying, print_position
from ..games.bag import commitment
from ..games.events import visible
from ..games.game import View
from ..games.installed import Guarded
from ..games.plain import SCALARS, plain
from ..games.turns import TurnState
from ..kernel.table import Table
from ..server.monitoring import metrics
from . import layings
from .log import Clock, TableState

MAX_BYTES = 16_384
"""A longer message is not read."""

ShortText = Annotated[str, Meta(max_length=64)]
Id = Annotated[str, Meta(min_length=1, max_length=64)]
"""Chosen by the client; it comes back with the answer."""


class Hello(
    msgspec.Struct, frozen=True, tag="hello", tag_field="type", forbid_unknown_fields=True,
    rename={"wanted": "with"},
):  # fmt: skip
    """The first message: the tokens of one's seats (none for a spectator).

    `with` names what else should come with each table; unknown names are ignored.
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
"""All that people can say to each other: nothing that anybody would have to watch over."""


class Greet(msgspec.Struct, frozen=True, tag="greet", tag_field="type", forbid_unknown_fields=True):
    """Say one of a few words to everybody at the table, from one of your seats."""

    id: Id
    seat: int
    greeting: Greeting


class Remind(
    msgspec.Struct, frozen=True, tag="remind", tag_field="type", forbid_unknown_fields=True
):
    """Call a player for whom the table waits."""

    id: Id
    seat: int


FromClient = Hello | Play | Legal | Ping | Greet | Remind
_decoder = msgspec.json.Decoder(FromClient)


def read(data: str | bytes) -> FromClient:
    """A message of a client; refuses everything else with one sentence."""
    if len(data) > MAX_BYTES:
        raise BadInput("This message is too long.", "too_long")
    try:
        message: FromClient = _decoder.decode(data)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeError, RecursionError) as error:
        reason = str(error).splitlines()[0][:100] if str(error) else "it cannot be read"
        raise BadInput(f"This is not a message: {reason}.", "malformed_message") from None
    return message


def refused(error: DalapapaError, id: str | None = None) -> bytes:
    """Why something was not done."""
    metrics.REFUSALS.add(error.code)
    told = {"type": "refused", **error.to_json()}
    return msgspec.json.encode(told if id is None else {**told, "id": id})


def told(what: str, **fields: Any) -> bytes:
    """Any other message."""
    return msgspec.json.encode({"type": what, **fields})


_encode = msgspec.json.Encoder().encode


def _blank(view: type[View]) -> dict[str, Any]:
    """The fields of a view in their order, with their defaults."""
    return {field.name: field.default for field in msgspec.structs.fields(view)}


class Telling:
    """Encodes a table, and remembers the parts of it that stay unchanged.

    States are frozen: what is the same thing as before looks the same. So each part is encoded
    once, however many viewers see it and for as long as it stays.
    """

    def __init__(self, id: str) -> None:
        self.id = id
        self.number = layings.next_number()
        """Under which lists of layings are cached."""
        self._state: TableState | None = None
        self._known: dict[int, tuple[object, msgspec.Raw]] = {}
        """Parts of this state by their identity, held so that it stays theirs."""
        self._before: dict[int, tuple[object, msgspec.Raw]] = {}
        """Those of the state before."""
        self._fields: dict[str, Any] = {}
        """What all viewers see alike of this state..."""
        self._common: dict[str, Any] = {}
        """... and all fields of a view, with these as they are told."""
        self._views: dict[int | None, dict[str, Any]] = {}
        """The views of this state, in encoded parts: viewers may have any subset of the seats."""
        self._events: msgspec.Raw | None = None
        """What happened last, if all viewers see it alike."""
        self._table: Table | None = None
        self._layings: tuple[Laying, ...] = ()
        self._position = ""
        """Their text."""
        self._written_position = msgspec.Raw()
        self._summary_of: object = None
        self._summary = msgspec.Raw()

    def table(
        self,
        state: TableState,
        seats: tuple[int, ...],
        now: int,
        news: bool,
        may: Mapping[str, msgspec.Raw] | None = None,
    ) -> bytes:
        """A table as the owner of some seats, or a spectator (none), may see it.

        `news`: with the events of the last entry; else as it is, to begin with or after a gap.
        `may`: what the seats may do, encoded (`layings.py`); None for viewers who do not ask.
        """
        ours = not isinstance(state.game, Guarded)  # What others make may change in place.
        if state is not self._state:
            self._go_on_to(state, ours)
        message: dict[str, Any] = {
            "type": "table",
            "version": state.version,
            "now": now,
            "at": state.at,
            "table": self._summary,
            "yours": seats,
            "views": views(state, seats, self._view if ours else None),
            "events": self._told_events(state, seats) if news else (),
        }
        if may is not None:
            message["may"] = may
        if state.settings.hands == "open" and (hands := open_hands(state, seats)) is not None:
            message["hands"] = hands
        return _encode(message)

    def _go_on_to(self, state: TableState, ours: bool) -> None:
        """Encode what all viewers of a state see."""
        self._state = state
        self._known, self._before = {}, self._known
        self._views.clear()
        times = (state.begins, state.deadline(), state.timer, state.clock)
        key = (state.settings, state.seats, state.phase, state.rematch, times)
        if key != self._summary_of:
            self._summary = msgspec.Raw(_encode(summary(self.id, state)))
            self._summary_of = key
        self._events = None
        if not ours or state.game_state is None:
            return
        if not self._common:
            self._common = {**_blank(state.game.view_type), "game": state.game.name}
        before, self._fields = self._fields, state.game.state_fields(state.game_state)
        for name, value in self._fields.items():
            if value is not before.get(name, self):
                self._common[name] = value if type(value) in SCALARS else self._part(value)
        if all(visible(event, None) is event for event in state.events):
            self._events = msgspec.Raw(_encode([self._part(event) for event in state.events]))

    def _told_events(self, state: TableState, seats: tuple[int, ...]) -> Any:
        if self._events is not None and not _blind(state, seats):
            return self._events
        show = plain if isinstance(state.game, Guarded) else self._part
        return [show(event) for event in seen(state, seats)]

    def _view(self, viewer: int | None) -> dict[str, Any]:
        """What `plain` makes of a view."""
        assert self._state is not None
        if viewer in self._views:
            return self._views[viewer]
        shown = self._common.copy()
        shown["viewer"] = viewer
        for name, value in self._state.game.view_fields(self._state.game_state, viewer).items():
            shown[name] = value if type(value) in SCALARS else self._part(value)
        self._views[viewer] = shown
        return shown

    def _part(self, value: Any) -> Any:
        """What `plain` makes of a part, or what it made of it before."""
        kind = type(value)
        if kind in SCALARS:
            return value
        if kind is tuple:
            plain_already = SCALARS.issuperset(map(type, value))
            return value if plain_already else [self._part(item) for item in value]
        if kind is Table:
            return self._told_position(value)
        key = id(value)
        known = self._known.get(key)
        if known is None:
            known = self._before.get(key) or (value, msgspec.Raw(_encode(plain(value))))
            self._known[key] = known
        return known[1]

    def _told_position(self, table: Table) -> msgspec.Raw:
        if table is not self._table:
            layings, known = table.layings, len(self._layings)
            if known and layings[:known] == self._layings:
                new = layings[known:]
                self._position += " " + print_position(new) if new else ""
            else:
                self._position = print_position(layings)
            self._table, self._layings = table, layings
            self._written_position = msgspec.Raw(_encode(self._position))
        return self._written_position


def table(id: str, state: TableState, seats: tuple[int, ...], now: int, news: bool) -> bytes:
    """A table that is sent once."""
    return Telling(id).table(state, seats, now, news)


class SeatCompany(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether the player of a seat is there; null: it is a program's, or free."""

    state: Literal["here", "away", "left"] | None
    since: int | None = None
    """Since when somebody is away."""
    replace: int | None = None
    """From when on the others may let a program play."""


class CompanyTold(msgspec.Struct, frozen=True, tag="company", tag_field="type"):
    """Who is there: for those who have asked for `company` in their hello."""

    seats: list[SeatCompany]
    spectators: int


class SeatSummary(msgspec.Struct):
    """What everybody may know of a seat."""

    name: str
    program: str | None
    free: bool
    away: bool
    replaced: bool
    """It is away because the others let a program play, not because its player left."""
    hints: int


class TableSummary(msgspec.Struct):
    """What everybody may know of a table; the seed once the game is over."""

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


def summary(id: str, state: TableState) -> TableSummary:
    """What everybody may know of a table."""
    settings, clock = state.settings, state.clock
    return TableSummary(
        id=id,
        game=settings.game,
        options=settings.options,
        phase=state.phase,
        visibility=settings.visibility,
        spectators=settings.spectators,
        pace=settings.pace,
        aids=settings.aids,
        hands=settings.hands,
        absence=settings.absence,
        countdown=settings.countdown,
        hints=settings.hints,
        seats=[
            SeatSummary(name, seat.program, seat.free, seat.away, seat.replaced, seat.hints)
            for name, seat in zip(state.names(), state.seats, strict=True)
        ],
        clock=settings.clock,
        commitment=commitment(state.seed),
        begins=state.begins,
        deadline=state.deadline(),
        timer=state.timer.number if state.timer else None,
        rematch=state.rematch,
        host=state.host if state.game_state is None else None,
        time_runs_for=clock.player if clock else UNSET,
        time_left=clock.left if clock and settings.clock.kind == "bank" else UNSET,
        seed=state.seed if state.phase == "over" else UNSET,
    )


def views(
    state: TableState,
    seats: tuple[int, ...],
    look: Callable[[int | None], Any] | None = None,
) -> dict[str, Any]:
    """What the owner of some seats sees, by seat; for a spectator under `spectator`."""
    if state.game_state is None:
        return {}
    if look is None:
        look = lambda viewer: plain(state.game.view(state.game_state, viewer))  # noqa: E731
    if seats:
        return {str(seat): look(seat) for seat in seats}
    found = {}
    if state.settings.spectators != "none" or state.phase == "over":
        found["spectator"] = look(None)
    if state.settings.spectators == "all" or state.phase == "over":
        for seat in range(len(state.seats)):
            found[str(seat)] = look(seat)
    return found


def compose_may(
    state: TableState, seats: tuple[int, ...], known: Callable[[int], bytes | None]
) -> dict[str, msgspec.Raw]:
    """What some seats may do, by seat, as far as it is known and fits into a message.

    Seats that are to act come first; the others have room if some is left.
    """
    if not layings.has_may(state):
        return {}
    actors = state.game.actors(state.game_state)
    found: dict[int, bytes] = {}
    room = layings.MAX_MESSAGE_BYTES
    for seat in sorted(seats, key=lambda seat: seat not in actors):
        encoded = known(seat)
        if encoded is not None and len(encoded) <= room:
            found[seat] = encoded
            room -= len(encoded)
    return {str(seat): msgspec.Raw(found[seat]) for seat in seats if seat in found}


def open_hands(state: TableState, seats: tuple[int, ...]) -> tuple[tuple[str, ...], ...] | None:
    """The dominoes of everybody, where all have agreed to play with open hands; else None."""
    if state.settings.hands != "open" or _blind(state, seats):
        return None
    found = state.game_state
    return found.hands if isinstance(found, TurnState) else None


def _blind(state: TableState, seats: tuple[int, ...]) -> bool:
    """Whether a viewer may see nothing of the game."""
    return not seats and state.settings.spectators == "none" and state.phase != "over"


def seen(state: TableState, seats: tuple[int, ...]) -> list[Any]:
    """The events of the last entry as a viewer may see them."""
    if _blind(state, seats):
        return []
    own = set(seats)
    if state.settings.hands == "open" or (not seats and state.settings.spectators == "all"):
        own = set(range(len(state.seats)))
    return [visible(event, e if (e := getattr(event, "player", None)) in own else None)
            for event in state.events]  # fmt: skip
