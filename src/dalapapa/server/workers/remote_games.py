"""Games of packages as the server process knows them, and what workers send about them.

The server never imports a package. What it needs of a game between two moves is in `RemoteState`:
a worker writes it after each step, as MessagePack, and the server decodes it by type. So a value of
a wrong type is found here, and nothing that a package has made is unpickled by the server.
"""

from __future__ import annotations

import asyncio
import logging
from functools import cached_property
from importlib.metadata import EntryPoint
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from ...bots.installed import log_failed_bot
from ...core.errors import BadOptions, BrokenGame
from ...core.options import Option
from ...core.tiles import STANDARD, Tile, TileSet, standard
from ...games.events import Event
from ...games.game import State
from ...games.game_texts import GameTexts
from ...games.installed import MAX_SEATS
from ...hosting.settings import Settings
from ...hosting.state import ClockState, RunningTimer, Seat, TableState
from ...kernel.table import Table
from ...texts import Language
from .pool import CORES

MAX_STEPS = max(1, CORES // 2)
"""Steps of one game that workers do at the same time. One worker more is there for other games."""

MAX_TABLE_BYTES = 4_000_000
"""What a worker sends about a table; no game between people comes near."""

SeatNumber = Annotated[int, Meta(ge=0, lt=MAX_SEATS)]

logger: logging.Logger = logging.getLogger("dalapapa")


class PackagePoint(msgspec.Struct, frozen=True):
    """An entry point: where a worker finds a game or a bot."""

    name: str
    value: str
    group: str

    def to_entry_point(self) -> EntryPoint:
        """The entry point, which loads it."""
        return EntryPoint(self.name, self.value, self.group)


class GameDescription(msgspec.Struct, frozen=True):
    """What menus and tables need to know about a game."""

    name: str
    module: str
    seats: tuple[int, int]
    """The smallest and the largest number of players."""
    menu: tuple[Option, ...]
    is_race: bool
    description: str
    charge: int | None
    """The cost of each domino after the first, if turns earn points."""
    bots: tuple[str, ...]
    levels: tuple[str, ...]
    bots_failure: str = ""
    """Why the game has no bots: then no table can be made."""
    texts: dict[Language, GameTexts] = {}


class BotDescription(msgspec.Struct, frozen=True):
    """What menus and tables need to know about a bot."""

    name: str
    title: str
    description: str
    games: tuple[str, ...]
    pace: float


class RemoteBot:
    """A bot of a package, as the server knows it."""

    def __init__(self, point: PackagePoint, description: BotDescription) -> None:
        self.point = point
        self.description = description
        self.name: str = description.name
        self.hung: bool = False
        """Whether it took too long or ended its worker: it is not asked again."""

    def plays(self, game: str) -> bool:
        """Whether it is for this game."""
        return not self.description.games or game in self.description.games

    def give_up(self, why: str) -> None:
        """Stop asking it: it leaves the menus, and the least move is made where it plays."""
        self.hung = True
        log_failed_bot(self.name, self.point.value, why)


class RemoteEvent(Event, frozen=True):
    """An event of a game of a package, encoded for the player whom it is about, and for others."""

    player: int | None
    full: bytes
    redacted: bytes

    def redact(self, viewer: int | None) -> Any:
        """The event as `to_plain` shows it, encoded."""
        is_own = viewer is not None and viewer == self.player
        return msgspec.Raw(self.full if is_own else self.redacted)


class RemoteState(State, frozen=True, kw_only=True, dict=True):
    """A state of a game of a package: opaque to the server, with all that a table asks it for."""

    options: None = None
    pickled: bytes = b""
    """The state itself, for workers; empty in the middle of a log, where no viewer sees it."""
    acting: tuple[SeatNumber, ...]
    next_acting: tuple[SeatNumber, ...]
    invited: tuple[SeatNumber, ...]
    clock_seat: SeatNumber | None
    seconds: dict[int, float]
    """How long the bots among those who act next take, on average."""
    views: tuple[bytes, ...]
    """What spectators see, then what each seat sees: encoded as `to_plain` shows it."""
    hands: tuple[tuple[str, ...], ...] | None
    position: str | None
    """The text of the common table; None in a race."""
    tiles: str | tuple[Tile, ...] | None
    """The dominoes of the common table: the name of a standard set, or all of them."""
    hanging_lists: set[tuple[int, str | None]] = msgspec.field(default_factory=set)
    """Lists of moves, by seat and domino, for which a worker took too long."""

    @property
    def size(self) -> int:
        """Bytes that it takes."""
        return len(self.pickled) + sum(map(len, self.views))

    @cached_property
    def table(self) -> Table | None:
        """The common table, for pictures; made when it is first needed."""
        if self.position is None or self.tiles is None:
            return None
        tiles = self.tiles
        known = standard(tiles) if isinstance(tiles, str) else TileSet("own", tiles)
        return Table.parse(self.position, known)

    def rest(self) -> None:
        """Do nothing: the tables are in workers."""


def describe_tiles(tiles: TileSet) -> str | tuple[Tile, ...]:
    """The dominoes of a table as `RemoteState.tiles` has them."""
    is_standard = tiles.name in STANDARD and tiles == standard(tiles.name)
    return tiles.name if is_standard else tiles.tiles


class RemoteGame:
    """The proxy of a game of a package, in place of a `Game` at the tables of a server.

    It has only what can be answered in the event loop. It is no `Game`, so that a call of anything
    else fails instead of doing what games do by default.
    """

    is_installed = True

    def __init__(self, point: PackagePoint, description: GameDescription) -> None:
        self.point = point
        self.description = description
        self.name: str = description.name
        self.is_race: bool = description.is_race
        self.hung = False
        """Whether a step took too long or ended its worker: it is not called again."""
        self.slots: asyncio.Semaphore = asyncio.Semaphore(MAX_STEPS)

    def outcome(self, state: RemoteState) -> Any:
        """How the game ended, or None while it goes on."""
        return state.outcome

    def actors(self, state: RemoteState) -> tuple[int, ...]:
        """The players who may act now."""
        return state.acting

    def next_actors(self, state: RemoteState) -> tuple[int, ...]:
        """The players whom a table of bots asks next."""
        return state.next_acting

    def actors_out_of_turn(self, state: RemoteState) -> tuple[int, ...]:
        """The players who may act out of turn."""
        return state.invited

    def turn_actors(self, state: RemoteState) -> tuple[int, ...]:
        """The players whose turn it is."""
        return tuple([seat for seat in state.acting if seat not in state.invited])

    def clock_player(self, state: RemoteState) -> int | None:
        """The player for whom the table's clock runs."""
        return state.clock_seat

    def view(self, state: RemoteState, viewer: int | None) -> msgspec.Raw:
        """What one player, or a spectator (None), may see, encoded."""
        number = 0 if viewer is None else viewer + 1
        if not 0 <= number < len(state.views):
            raise BadOptions(
                f"viewer must be the number of a seat, or None for a spectator, not {viewer!r}.",
                "unknown_viewer",
            )
        return msgspec.Raw(state.views[number])

    def report_broken(self, what: str, why: str) -> BrokenGame:
        """Log why the game is broken, for the operator; return the error for players."""
        module = self.description.module
        logger.warning("The game %s (%s) is broken: %s: %s", self.name, module, what, why)
        return BrokenGame(f"The game {self.name} is broken: it cannot continue.")


class RemoteTable(msgspec.Struct, frozen=True):
    """What `TableState` has besides its settings, its seed and its game: on the way between the
    server and a worker."""

    seats: tuple[Seat, ...]
    version: int
    at: int
    options: Any
    """As plain data."""
    begins: int | None
    timer: RunningTimer | None
    time_limit: RunningTimer | None
    clock: ClockState | None
    rematch: str | None
    removed: tuple[str, ...]
    closed: str | None
    game_state: RemoteState | None = None
    events: tuple[RemoteEvent, ...] = ()


SHARED_FIELDS = (
    "seats", "version", "at", "options", "begins", "timer", "time_limit", "clock",
    "rematch", "removed", "closed",
)  # fmt: skip


def select_shared(state: TableState | RemoteTable) -> dict[str, Any]:
    """The fields that both forms of a table have."""
    return {name: getattr(state, name) for name in SHARED_FIELDS}


def unpack_table(
    packed: RemoteTable, settings: Settings, seed: str, game: RemoteGame
) -> TableState:
    """The state of a table in the server, from what a worker has sent."""
    return TableState(
        settings,
        game,  # type: ignore[arg-type]  # Of a game, it has what is called here.
        seed,
        game_state=packed.game_state,
        events=packed.events,
        **select_shared(packed),
    )
