"""The tables of a device and the sessions that watch them.

Every change is a call of `DeviceTables.act`, which notes what to store and what to send.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from ...core.errors import BadInput, DalapapaError, NotFound
from ...games.bag import make_seed
from ...hosting import protocol
from ...hosting.commands import (
    check_owner,
    check_room,
    check_undo_room,
    end_timer,
    find_mover,
    hash_move_id,
    read_own_move,
)
from ...hosting.encoder import compose_may
from ...hosting.entries import Entry, Sat
from ...hosting.layings import LayingsCache
from ...hosting.seat_answers import list_moves
from ...hosting.settings import Settings, check_set_size, find_tiles
from ...hosting.state import TableState, advance, clean_name
from ...hosting.stored import StoredEntry, StoredTable
from ...hosting.tokens import hash_token
from ..messages import FAILURE
from .messages import Effects, Load, Sent, ThinkingQuestion, Write, write_line
from .table import DeviceTable, Session, build_table, check_known_bots, load_table, write_table

logger: logging.Logger = logging.getLogger("dalapapa")

MAX_UNWATCHED_TABLES = 8
"""Tables in memory that no page watches; the store has all of them."""


def make_unknown_table() -> NotFound:
    """The refusal where there is no table."""
    return NotFound("There is no such table.", "unknown_table")


class NotLoaded(Exception):
    """The event concerns a table that is not in memory."""

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self.id = id


class DeviceTables:
    """All tables of a device that are in memory, at the time of the latest event."""

    def __init__(self) -> None:
        self.now = 0
        self.effects: Effects = Effects()
        self.tables: dict[str, DeviceTable] = {}
        self.sessions: dict[str, Session] = {}
        self.layings: LayingsCache = LayingsCache()
        self.unreadable: dict[str, DalapapaError] = {}
        """Why tables could not be loaded, until the event that asked for them is repeated."""
        self._last_question = 0

    # -- tables ----------------------------------------------------------------------------------

    def find(self, id: str) -> DeviceTable:
        """A table by its id."""
        if id in self.unreadable:
            raise self.unreadable.pop(id)
        if id not in self.tables:
            raise NotLoaded(id)
        return self.tables[id]

    def load(self, event: Load) -> None:
        """Take a table from the store; one that is here has got a longer log there."""
        known = self.tables.pop(event.id, None)
        self.unreadable.pop(event.id, None)
        if not event.table:
            self.unreadable[event.id] = make_unknown_table()
            return
        try:
            table = load_table(event.id, event.table, event.log)
        except DalapapaError as error:
            self.unreadable[event.id] = error
            return
        self._keep(table)
        if known is not None:
            table.sessions = known.sessions
            if known.thought is not None:
                self.cancel(known.thought.id)
            self._broadcast(table)

    def _keep(self, table: DeviceTable) -> None:
        """Hold a table in memory, and release those that no page has watched for longest."""
        unwatched = [one for one in self.tables.values() if not one.sessions]
        for other in unwatched[: max(0, len(unwatched) - MAX_UNWATCHED_TABLES + 1)]:
            del self.tables[other.id]
        self.tables[table.id] = table

    def delete(self, id: str) -> None:
        """Delete a table, also one that cannot be read; its sessions end."""
        self.effects.deleted.append(id)
        if (table := self.tables.pop(id, None)) is None:
            return
        if table.thought is not None:
            self.cancel(table.thought.id)
        for session in [one for one in self.sessions.values() if one.table == id]:
            del self.sessions[session.id]
            self._end(session.id, make_unknown_table())

    def create(
        self, settings: Settings, seated: Sequence[Sat], id: str, seed: str | None = None
    ) -> DeviceTable:
        """Create a table with its first players."""
        check_known_bots(settings)
        check_set_size(settings)
        tiles = find_tiles(settings).identity
        stored = StoredTable(id, self.now, settings, seed or make_seed(), tiles)
        table = DeviceTable(stored)
        for sat in seated:
            entry = replace(sat, name=clean_name(sat.name))
            after = advance(table.state, entry, self.now)
            table.apply(StoredEntry(after.version, self.now, entry), after, self.now)
        self._keep(table)
        self.effects.writes.append(write_table(table))
        return table

    def add(self, stored: StoredTable, log: Sequence[StoredEntry]) -> DeviceTable:
        """Add a verified table that was played elsewhere."""
        table = build_table(stored, log)
        self._keep(table)
        self.effects.writes.append(write_table(table))
        return table

    def act(
        self,
        table: DeviceTable,
        make_entry: Callable[[TableState], Entry],
        move_id: str | None = None,
    ) -> int:
        """Make an entry, store it, and send the new state to all sessions; the new version.

        An entry whose hashed `move_id` is known is not made again.
        """
        if move_id is not None and move_id in table.versions:
            return table.versions[move_id]
        entry = make_entry(table.state)
        check_room(table.state, entry)
        check_undo_room(table.state, entry)
        at = max(self.now, table.state.at)
        after = advance(table.state, entry, at)
        stored = StoredEntry(after.version, at, entry, move_id)
        table.apply(stored, after, self.now)
        self.effects.writes.append(Write(table.id, [write_line(stored)], table.summarize()))
        self._broadcast(table)
        return stored.number

    # -- sessions --------------------------------------------------------------------------------

    def open_session(self, id: str, table: str) -> None:
        try:
            self.find(table)
        except DalapapaError as error:
            self._end(id, error)
            return
        self.sessions[id] = Session(id, table)

    def _end(self, session: str, error: DalapapaError) -> None:
        """End a session with the reason."""
        self._send(session, protocol.encode_refusal(error))
        self.effects.closed.append(session)

    def close_session(self, id: str) -> None:
        session = self.sessions.pop(id, None)
        if session is not None and session.table in self.tables:
            self.tables[session.table].sessions.pop(id, None)

    def receive(self, session_id: str, data: bytes) -> None:
        """Answer a message of a session."""
        session = self.sessions.get(session_id)
        if session is None:
            return  # It has ended, and knows why.
        id = None
        try:
            message = protocol.read_message(data)
            id = None if isinstance(message, protocol.Hello) else message.id
            self._answer(session, self.find(session.table), message)
        except NotLoaded:
            raise
        except DalapapaError as error:
            self._send(session_id, protocol.encode_refusal(error, id))
        except Exception:
            logger.exception("A message to a table failed.")
            failure = protocol.RefusedMessage(
                FAILURE["code"], FAILURE["message"], UNSET, UNSET if id is None else id
            )
            self._send(session_id, protocol.encode_message(failure))

    def _answer(self, session: Session, table: DeviceTable, message: protocol.FromClient) -> None:
        if isinstance(message, protocol.Hello):
            self._greet(session, table, message)
            return
        if not session.has_greeted:
            raise BadInput("Say hello first.", "no_hello")
        answer: protocol.ServerMessage
        match message:
            case protocol.Play(id=id):
                version = self.move(table, session.seats, message.move, message.version, id)
                answer = protocol.Accepted(id, version)
            case protocol.Legal(id=id):
                moves = self._list_moves(table.state, session.seats, message)
                answer = protocol.LegalMoves(id, table.state.version, msgspec.Raw(moves))
            case protocol.Ping(id=id):
                answer = protocol.Pong(id, self.now, table.state.version)
            case protocol.Greet(id=id, seat=seat, greeting=greeting):
                check_owner(session.seats, seat)
                greeted = protocol.encode_message(protocol.GreetingMessage(seat, greeting))
                for other in table.sessions.values():
                    if other is not session and "company" in other.wants:
                        self._send(other.id, greeted)
                answer = protocol.Done(id)
            case protocol.Remind(id=id):
                check_owner(session.seats, message.seat)
                answer = protocol.Done(id, reached=False)
        self._send(session.id, protocol.encode_message(answer))

    def _greet(self, session: Session, table: DeviceTable, hello: protocol.Hello) -> None:
        """A page may say hello again, with other tokens."""
        session.tokens, session.wants, session.has_greeted = hello.tokens, hello.wanted, True
        self._find_seats(session, table)
        table.sessions[session.id] = session
        if table.attended_since is None:
            table.attended_since = self.now
        self._send(session.id, self._encode(session, table, news=False))
        self._send_presence(session, table)
        self._announce_removal(session, table)

    def _broadcast(self, table: DeviceTable) -> None:
        encoded: dict[tuple[tuple[int, ...], bool], bytes] = {}
        for session in table.sessions.values():
            self._find_seats(session, table)
            key = session.seats, "moves" in session.wants
            if key not in encoded:
                encoded[key] = self._encode(session, table, news=True)
            self._send(session.id, encoded[key])
            self._send_presence(session, table)
            self._announce_removal(session, table)

    def _encode(self, session: Session, table: DeviceTable, news: bool) -> bytes:
        state, number, cache = table.state, table.encoder.number, self.layings
        may = None
        if "moves" in session.wants and session.seats:
            for seat in session.seats:
                if not cache.knows_may(number, state, seat):
                    computation = cache.compute_may(number, state, seat)
                    while not computation.done:
                        computation.advance()
            may = compose_may(state, session.seats, lambda seat: cache.may(number, state, seat))
        return table.encoder.encode(state, session.seats, self.now, news, may)

    def _send_presence(self, session: Session, table: DeviceTable) -> None:
        """Everyone who has not left is here: on this device."""
        seats = [
            protocol.SeatPresence(None if seat.owner is None else "left" if seat.away else "here")
            for seat in table.state.seats
        ]
        if "company" in session.wants and seats != session.known_presence:
            session.known_presence = seats
            self._send(session.id, protocol.encode_message(protocol.PresenceMessage(seats, 0)))

    def _announce_removal(self, session: Session, table: DeviceTable) -> None:
        """Inform a guest, once, whom the host has removed."""
        removed = table.state.removed
        if removed and not session.seats and not session.knows_removal:
            session.knows_removal = any(hash_token(token) in removed for token in session.tokens)
            if session.knows_removal:
                self._send(session.id, protocol.encode_message(protocol.RemovedMessage()))

    def _find_seats(self, session: Session, table: DeviceTable) -> None:
        mine = {seat for token in session.tokens for seat in table.seats_of(token)}
        session.seats = tuple(sorted(mine))

    def _send(self, session: str, message: bytes) -> None:
        self.effects.sent.append(Sent(session, msgspec.Raw(message)))

    # -- moves -----------------------------------------------------------------------------------

    def move(
        self,
        table: DeviceTable,
        seats: tuple[int, ...],
        move: dict[str, Any],
        version: int | None = None,
        nonce: str | None = None,
    ) -> int:
        """Make a move for one of the seats that the sender owns."""
        player = find_mover(move, seats)
        owner, move_id = table.state.seats[player].owner, hash_move_id(player, nonce)
        if move_id is None or move_id not in table.versions:
            self.end_timer(table)
        return self.act(
            table, lambda state: read_own_move(state, player, owner, move, version), move_id
        )

    def _list_moves(
        self, state: TableState, seats: tuple[int, ...], asked: protocol.Legal
    ) -> bytes:
        check_owner(seats, asked.seat)
        if state.game_state is None:
            return b"[]"
        view = state.game.view(state.game_state, asked.seat)
        return list_moves(state.game.name, view, asked.tile, state.settings.aids != "all")

    def end_timer(self, table: DeviceTable) -> bool:
        """End or restart a timer that has run out before anything else; whether it was done."""
        entry = end_timer(table.state, self.now, table.attended_since)
        if entry is not None:
            self.act(table, lambda _: entry)
        return entry is not None

    # -- questions to the other worker -----------------------------------------------------------

    def ask(self, method: str, arguments: Any) -> int:
        """Ask the other worker; the number of the question."""
        self._last_question += 1
        self.effects.questions.append(ThinkingQuestion(self._last_question, method, arguments))
        return self._last_question

    def cancel(self, question: int) -> None:
        """Do not wait for an answer any more."""
        self.effects.cancelled.append(question)
