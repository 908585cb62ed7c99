"""A table of this device: its state, its log, and the sessions that watch it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import asdict

from ...bots.registry import list_own_bots
from ...core.errors import DamagedTable, OtherSet
from ...core.tiles import check_identity
from ...games import find_game
from ...games.bag import hash_seed
from ...hosting.encoder import StateEncoder, share_summary
from ...hosting.entries import Entry, Moved
from ...hosting.protocol import SeatPresence
from ...hosting.settings import Settings, check_bots, find_tiles
from ...hosting.state import TableState, advance, open_table
from ...hosting.stored import StoredEntry, StoredTable
from ...hosting.tokens import find_seats, hash_token
from .messages import DeviceTableSummary, StoredLine, Write, read_line, write_line


class Session:
    """A page that watches a table, with what a socket of the server would know."""

    def __init__(self, id: str, table: str) -> None:
        self.id = id
        self.table = table
        self.has_greeted = False
        self.tokens: tuple[str, ...] = ()
        self.wants: tuple[str, ...] = ()
        self.seats: tuple[int, ...] = ()
        self.knows_removal = False
        self.known_presence: list[SeatPresence] = []


class BotPlan(msgspec.Struct, frozen=True):
    """The bot that acts next, and when it begins to think."""

    seat: int
    at: int
    state: TableState


class Thought(msgspec.Struct, frozen=True):
    """A move that the other worker has been asked for."""

    id: int
    seat: int
    state: TableState
    is_stand_in: bool
    """For a person whose time is up."""
    asked_at: int


class DeviceTable:
    """An online table in the memory of the host."""

    def __init__(self, stored: StoredTable, state: TableState | None = None) -> None:
        self.id: str = stored.id
        self.stored = stored
        self.state: TableState = state or open_table(stored.settings, stored.seed, stored.created)
        self.encoder: StateEncoder = StateEncoder(stored.id)
        self.log: list[StoredEntry] = []
        self.versions: dict[str, int] = {}
        """The versions that moves have made, by their hashed ids: none is carried out twice."""
        self.sessions: dict[str, Session] = {}
        self.changed_at: int = stored.created
        self.plan: BotPlan | None = None
        self.thought: Thought | None = None
        self.attended_since: int | None = None
        """Since when a page shows it."""
        self.retry_at = 0
        """When a bot that failed is asked again."""

    def entries(self) -> list[tuple[int, int, Entry]]:
        """The log for records, histories and replays (`hosting.replays.Log`)."""
        return [(one.number, one.at, one.entry) for one in self.log]

    def apply(self, stored: StoredEntry, state: TableState, now: int) -> None:
        """Append an entry whose result is known."""
        self.log.append(stored)
        self.state = state
        self.changed_at = now
        if stored.nonce is not None:
            self.versions[stored.nonce] = stored.number

    def replay(self, stored: StoredEntry) -> None:
        """Apply an entry of the store."""
        self.apply(stored, advance(self.state, stored.entry, stored.at), stored.at)

    def seats_of(self, token: str) -> tuple[int, ...]:
        """The seats that a token owns."""
        return find_seats((seat.owner for seat in self.state.seats), hash_token(token))

    def summarize(self) -> DeviceTableSummary:
        """The table in the list of one's own; all seats of people are on this device."""
        people = tuple(n for n, seat in enumerate(self.state.seats) if seat.owner is not None)
        summary = asdict(share_summary(self.id, self.state).summary)
        summary["yours"] = people
        return DeviceTableSummary(**summary, commitment=hash_seed(self.state.seed))


def count_moves(log: Sequence[StoredEntry], seat: int) -> int:
    """The number of moves of a seat, with those that were undone."""
    moves = (one.entry.move for one in log if isinstance(one.entry, Moved))
    return sum(getattr(move, "player", None) == seat for move in moves)


def check_known_bots(settings: Settings) -> None:
    """Refuse bots that a device does not have: those of other packages, and programs."""
    check_bots(settings, list_own_bots(find_game(settings.game)))


def load_table(id: str, table: bytes, log: bytes) -> DeviceTable:
    """A table from the store; raises `DamagedTable` or `OtherSet` if it cannot be played on."""
    try:
        stored = msgspec.json.decode(table, type=StoredTable)
        lines = msgspec.json.decode(log, type=list[StoredLine])
        if stored.id != id:
            raise ValueError("it has another id")
        check_known_bots(stored.settings)
        check_identity("This table", stored.set, find_tiles(stored.settings).identity)
        for number, line in enumerate(lines, start=1):
            if line.number != number:
                raise ValueError(f"there is no entry {number}")
        return build_table(stored, map(read_line, lines))
    except OtherSet:
        raise
    except Exception as error:  # A store may hold anything; the rules expect what they wrote.
        sentence = "This device cannot read this table any more."
        raise DamagedTable(sentence, id, type(error).__name__, str(error)) from None


def build_table(stored: StoredTable, log: Iterable[StoredEntry]) -> DeviceTable:
    """A table after its log."""
    table = DeviceTable(stored)
    for entry in log:
        table.replay(entry)
    return table


def write_table(table: DeviceTable) -> Write:
    """A whole table for the store."""
    log = [write_line(one) for one in table.log]
    return Write(table.id, log, table.summarize(), table.stored)
