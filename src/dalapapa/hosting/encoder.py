"""Encodes the state of a table for each of its viewers.

All that viewers receive of a running game is made here, from `Game.view` and `visible`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from ..core.notation import Laying, print_position
from ..games.bag import hash_seed
from ..games.events import redact_event
from ..games.game import View
from ..games.plain import SCALARS, to_plain
from ..games.turns import TurnState
from ..kernel.table import Table
from . import layings
from .protocol import (
    SERVER_CAPABILITIES,
    Capabilities,
    SeatSummary,
    TableMessage,
    TableSummary,
    encode_message,
    find_capabilities,
)
from .state import TableState
from .tokens import find_seats, hash_token

_encode = msgspec.json.Encoder().encode


def _blank(view: type[View]) -> dict[str, Any]:
    """The fields of a view in their order, with their defaults."""
    return {field.name: field.default for field in msgspec.structs.fields(view)}


class StateEncoder:
    """Encodes the states of a table, and caches the parts that stay unchanged.

    States are frozen: an identical object has the same encoding. So each part is encoded once, for
    all viewers and all versions that contain it.
    """

    def __init__(self, id: str) -> None:
        self.id = id
        self.number: int = layings.next_number()
        """The number of the table in the cache of layings."""
        self._state: TableState | None = None
        self._known: dict[int, tuple[object, msgspec.Raw]] = {}
        """Encoded parts of this state by identity; the references keep the identities valid."""
        self._before: dict[int, tuple[object, msgspec.Raw]] = {}
        """Encoded parts of the previous state."""
        self._fields: dict[str, Any] = {}
        """The fields of this state that are the same for all viewers..."""
        self._common: dict[str, Any] = {}
        """... and all fields of a view, with these encoded."""
        self._views: dict[int | None, dict[str, Any]] = {}
        """The views of this state, in encoded parts: viewers may have any subset of the seats."""
        self._acting: tuple[int, ...] = ()
        self._invited: tuple[int, ...] = ()
        self._events: msgspec.Raw | None = None
        """The latest events, if they are the same for all viewers."""
        self._table: Table | None = None
        self._layings: tuple[Laying, ...] = ()
        self._position = ""
        """The text of these layings."""
        self._encoded_position = msgspec.Raw()
        self._summary_of: object = None
        self._summary = msgspec.Raw()

    def encode(
        self,
        state: TableState,
        seats: tuple[int, ...],
        now: int,
        news: bool,
        may: Mapping[str, msgspec.Raw] | None = None,
    ) -> bytes:
        """A table as the owner of some seats, or a spectator (none), may see it.

        `news`: with the events of the last entry; else without, at the beginning or after a gap.
        `may`: what the seats may do, encoded (`layings.py`); None for viewers that do not ask.
        """
        is_ours = not state.game.is_installed  # Workers have encoded the parts of the others.
        if state is not self._state:
            self._set_state(state, is_ours)
        is_open = state.settings.hands == "open"
        hands = open_hands(state, seats) if is_open else None
        is_blind = _blind(state, seats)
        return encode_message(
            TableMessage(
                version=state.version,
                now=now,
                at=state.at,
                table=self._summary,
                yours=seats,
                views=build_views(state, seats, self._view if is_ours else None),
                acting=() if is_blind else self._acting,
                invited=() if is_blind else self._invited,
                events=self._encode_events(state, seats) if news else (),
                may=UNSET if may is None else may,
                hands=UNSET if hands is None else hands,
            )
        )

    def _set_state(self, state: TableState, is_ours: bool) -> None:
        """Encode the parts of a new state that are the same for all viewers."""
        self._state = state
        self._known, self._before = {}, self._known
        self._views.clear()
        times = (state.begins, state.turn_deadline(), state.timer, state.time_limit, state.clock)
        key = (state.settings, state.seats, state.phase, state.rematch, times)
        if key != self._summary_of:
            self._summary = msgspec.Raw(_encode(summarize(self.id, state)))
            self._summary_of = key
        now = state.game_state
        self._acting = () if now is None else state.game.turn_actors(now)
        self._invited = () if now is None else state.game.actors_out_of_turn(now)
        self._events = None
        if not is_ours or state.game_state is None:
            return
        if not self._common:
            self._common = {**_blank(state.game.view_type), "game": state.game.name}
        before, self._fields = self._fields, state.game.state_fields(state.game_state)
        for name, value in self._fields.items():
            if value is not before.get(name, self):
                self._common[name] = value if type(value) in SCALARS else self._part(value)
        if all(redact_event(event, None) is event for event in state.events):
            self._events = msgspec.Raw(_encode([self._part(event) for event in state.events]))

    def _encode_events(self, state: TableState, seats: tuple[int, ...]) -> Any:
        if self._events is not None and not _blind(state, seats):
            return self._events
        encode = to_plain if state.game.is_installed else self._part
        return [encode(event) for event in visible_events(state, seats)]

    def _view(self, viewer: int | None) -> dict[str, Any]:
        """A view as `plain` shows it, in encoded parts."""
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
        """A part as `plain` shows it, encoded or from the cache."""
        kind = type(value)
        if kind in SCALARS:
            return value
        if kind is tuple:
            plain_already = SCALARS.issuperset(map(type, value))
            return value if plain_already else [self._part(item) for item in value]
        if kind is Table:
            return self._encode_position(value)
        key = id(value)
        known = self._known.get(key)
        if known is None:
            known = self._before.get(key) or (value, msgspec.Raw(_encode(to_plain(value))))
            self._known[key] = known
        return known[1]

    def _encode_position(self, table: Table) -> msgspec.Raw:
        if table is not self._table:
            layings, known = table.layings, len(self._layings)
            if known and layings[:known] == self._layings:
                new = layings[known:]
                self._position += " " + print_position(new) if new else ""
            else:
                self._position = print_position(layings)
            self._table, self._layings = table, layings
            self._encoded_position = msgspec.Raw(_encode(self._position))
        return self._encoded_position


def encode_table(id: str, state: TableState, seats: tuple[int, ...], now: int, news: bool) -> bytes:
    """Encode a table once."""
    return StateEncoder(id).encode(state, seats, now, news)


def summarize(id: str, state: TableState) -> TableSummary:
    """The summary of a table for all viewers."""
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
        commitment=hash_seed(state.seed),
        begins=state.begins,
        deadline=state.turn_deadline(),
        timer=state.timer.number if state.timer else None,
        ends=state.time_limit.deadline if state.time_limit else UNSET,
        rematch=state.rematch,
        host=state.host if state.game_state is None else None,
        capabilities=find_capabilities(id),
        time_runs_for=clock.player if clock else UNSET,
        time_left=clock.left if clock and settings.clock.kind == "bank" else UNSET,
        seed=state.seed if state.phase == "over" else UNSET,
    )


def build_views(
    state: TableState,
    seats: tuple[int, ...],
    look: Callable[[int | None], Any] | None = None,
) -> dict[str, Any]:
    """The views of the owner of some seats, by seat; for a spectator under `spectator`."""
    if state.game_state is None:
        return {}
    if look is None:
        look = lambda viewer: to_plain(state.game.view(state.game_state, viewer))  # noqa: E731
    if seats:
        return {str(seat): look(seat) for seat in seats}
    found = {}
    if not state.is_secret:
        found["spectator"] = look(None)
    if state.settings.spectators == "all" or state.phase == "over":
        for seat in range(len(state.seats)):
            found[str(seat)] = look(seat)
    return found


def compose_may(
    state: TableState, seats: tuple[int, ...], known: Callable[[int], bytes | None]
) -> dict[str, msgspec.Raw]:
    """The `may` of some seats, by seat, as far as it is known and fits into a message.

    Seats that are to act come first; the others have room if some is left.
    """
    if not layings.has_may(state):
        return {}
    actors = state.game.actors(state.game_state)
    found: dict[int, bytes] = {}
    room = layings.MAX_MAY_BYTES
    for seat in sorted(seats, key=lambda seat: seat not in actors):
        encoded = known(seat)
        if encoded is not None and len(encoded) <= room:
            found[seat] = encoded
            room -= len(encoded)
    return {str(seat): msgspec.Raw(found[seat]) for seat in seats if seat in found}


def open_hands(state: TableState, seats: tuple[int, ...]) -> tuple[tuple[str, ...], ...] | None:
    """All hands, where the players have agreed to play with open hands; else None."""
    if state.settings.hands != "open" or _blind(state, seats):
        return None
    found = state.game_state
    return found.hands if isinstance(found, TurnState) or state.game.is_installed else None


def _blind(state: TableState, seats: tuple[int, ...]) -> bool:
    """Whether a viewer may see nothing of the game."""
    return not seats and state.is_secret


def visible_events(state: TableState, seats: tuple[int, ...]) -> list[Any]:
    """The events of the last entry as a viewer may see them."""
    if _blind(state, seats):
        return []
    own = set(seats)
    if state.settings.hands == "open" or (not seats and state.settings.spectators == "all"):
        own = set(range(len(state.seats)))
    return [redact_event(event, e if (e := getattr(event, "player", None)) in own else None)
            for event in state.events]  # fmt: skip


# -- the list of a player's own tables ----------------------------------------------------------


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
    capabilities: Capabilities = SERVER_CAPABILITIES


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
            UNSET if outcome is None else outcome.winners, state.at, state.turn_deadline(),
            table.capabilities,
        ),
        tuple([seat.owner for seat in state.seats]),
        state.is_secret,
    )  # fmt: skip


def personalise(shared: SharedSummary, token: str) -> OwnTableSummary:
    """A summary for the owner of a token."""
    yours = find_seats(shared.owners, hash_token(token))
    asked = () if shared.is_secret and not yours else shared.summary.asked
    return msgspec.structs.replace(shared.summary, yours=yours, asked=asked)
