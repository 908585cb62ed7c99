"""Games and bots of other packages in a server: they run in workers, never in the event loop.

The server process does not import a package. It reads the entry points, asks a worker to describe
each (`game_jobs.py`), and holds proxies (`remote_games.py`). Where the server needs a game:

| place | for a game of a package |
| --- | --- |
| menus, texts, new tables, loading (`find`, `list_games`, `check_bots`) | the descriptions |
| a new table (`tables/creation.py`, `registry.py`) | `open_table` |
| an entry (`tables/commands.py:_act`), a log (`registry.py`) | `advance`, `replay` |
| messages, the lobby, presence, clocks, drivers (`hosting/encoder.py`, `listings/`, `tables/`) |
  `RemoteState`, which came with the last step |
| legal moves (`ws/move_lists.py`) | `list_moves` |
| bots (`tables/driver.py`, `workers/bots.py`) | `choose`, `ask_guest` |
| hints, challenges (`http/routes/tables.py`, `tables/challenges.py`) | `find_hint`,
  `anonymize_options` |
| records, replays, histories, reviews, comparisons | their jobs, `ask_about_game`, `adapt_job` |
| `dalapapa check`, `export`, `import`, `admin` | direct calls, in the process of the command |

A worker does the whole step of a table, with `hosting/state.py`, so that there is one way from an
entry to a state for all games. A step that takes longer than `CALL_LIMIT_S` or ends its worker
closes its table, and the game is not called again. Steps, questions and bots have separate workers,
so that a step never waits for the others. Installed packages are trusted: this protects against
mistakes, not against malice.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from functools import partial
from importlib.metadata import EntryPoint
from typing import Any, TypeVar, cast

import msgspec

from ...bots import installed as installed_bots
from ...bots.levels import BOT_NAMES
from ...bots.registry import list_own_bots
from ...core.errors import DalapapaError, IllegalMove, TooHard
from ...core.tiles import SetIdentity
from ...games import DEFAULT, REGISTRY, AnyGame, make_unknown_game
from ...games import installed as installed_games
from ...games.installed import check_name_is_free, format_error, list_points, log_left_out
from ...games.moves import Move, keep_move
from ...hosting.entries import Closed, Entry, Hinted, Rematched, Removed, Renewed
from ...hosting.settings import Settings, find_tiles
from ...hosting.state import TableState, advance, open_table
from ...hosting.stored import StoredEntry
from ..storage.quarantine import reading
from ..traffic.limits import ConcurrencyLimit
from . import game_jobs
from .game_jobs import GameFailure, in_package
from .pool import CORES, LostWorker, Workers
from .questions import NICENESS, QUESTION_TIMEOUT_S
from .remote_games import (
    MAX_STEPS,
    BotDescription,
    GameDescription,
    PackagePoint,
    RemoteBot,
    RemoteGame,
    RemoteTable,
    select_shared,
    unpack_table,
)

T = TypeVar("T")
RemoteT = TypeVar("RemoteT", RemoteGame, RemoteBot)

CALL_LIMIT_S = 5.0
"""The time limit of a step; games usually answer within milliseconds."""

TRIAL_LIMIT_S = 10.0
"""The time limit of importing and trying a package."""

THINKING_LIMIT_S = 60.0
"""The time limit of a bot that a game brings; a bot of its own package has `CALL_LIMIT_S`."""

MAX_ENTRIES_PER_JOB = 20
"""Entries of a log that a worker applies in one job."""

JOB_LIMIT_S = 4 * CALL_LIMIT_S
"""The time limit of a job with several entries."""

LOCAL_ENTRIES = Hinted | Rematched | Removed | Closed | Renewed
"""Entries that change nothing that only a worker knows."""


class Packages:
    """The games and bots of installed packages, and the workers in which they run."""

    def __init__(self, slots: ConcurrencyLimit | None = None) -> None:
        """`slots` limit the questions of an address."""
        self.steps: Workers = Workers(MAX_STEPS + 1, CALL_LIMIT_S, kind="game")
        size = max(1, CORES // 2)
        self.questions: Workers = Workers(
            size, QUESTION_TIMEOUT_S, slots, NICENESS, "game_question"
        )
        self.bots: Workers = Workers(size, THINKING_LIMIT_S, kind="game_program")
        self._games: asyncio.Task[dict[str, RemoteGame]] | None = None
        self._bots: asyncio.Task[dict[str, RemoteBot]] | None = None

    @property
    def pools(self) -> tuple[Workers, ...]:
        """All pools of worker processes."""
        return self.steps, self.questions, self.bots

    def close(self) -> None:
        """End the workers."""
        for task in (self._games, self._bots):
            if task is not None:
                task.cancel()
        for workers in self.pools:
            workers.close()

    # -- the catalogue -----------------------------------------------------------------------

    def describe_soon(self) -> None:
        """Begin to describe all packages, so that the first menu does not have to wait."""
        if self._games is None:
            self._games = asyncio.create_task(
                self._describe(
                    installed_games.ENTRY_POINT_GROUP, "game", game_jobs.describe_game,
                    GameDescription, RemoteGame, REGISTRY,
                )
            )  # fmt: skip
        if self._bots is None:
            self._bots = asyncio.create_task(
                self._describe(
                    installed_bots.ENTRY_POINT_GROUP, "bot", game_jobs.describe_bot,
                    BotDescription, RemoteBot, (),
                )
            )  # fmt: skip

    async def list_games(self) -> list[RemoteGame]:
        """The games of packages that work."""
        return [game for game in (await self._find_games()).values() if not game.hung]

    async def list_bots(self, game: str) -> list[RemoteBot]:
        """The bots of packages that play a game."""
        found = (await self._find_bots()).values()
        return [bot for bot in found if bot.plays(game) and not bot.hung]

    async def find(self, name: str) -> AnyGame:
        """A game by name: one of ours, or the proxy of one of a package."""
        if (ours := REGISTRY.get(name)) is not None:
            return ours
        found = await self._find_games()
        if name not in found:
            raise make_unknown_game(name, (*REGISTRY, *found))
        return cast(AnyGame, found[name])

    async def find_bot(self, name: str) -> RemoteBot | None:
        """A bot of a package by name; None if it is one of ours, or not installed."""
        return None if name in BOT_NAMES else (await self._find_bots()).get(name)

    async def find_guests(self, names: Iterable[str]) -> dict[str, RemoteBot]:
        """The bots of packages among some names."""
        found = [(name, await self.find_bot(name)) for name in names]
        return {name: guest for name, guest in found if guest is not None}

    async def list_known_bots(self, settings: Settings, is_new: bool = False) -> Collection[str]:
        """The names of the bots that may sit at a table; at a new one, none that hung."""
        game = await self.find(settings.game)
        if not game.is_installed:
            known = list_own_bots(game)
        else:
            remote = cast(RemoteGame, game)
            if remote.description.bots_failure:
                raise remote.report_broken("its bots", remote.description.bots_failure)
            known = remote.description.bots
        if {plan.program for plan in settings.seats} <= {None, *known}:
            return known
        guests = (await self._find_bots()).values()
        playing = (bot for bot in guests if bot.plays(settings.game))
        return (*known, *(bot.name for bot in playing if not (is_new and bot.hung)))

    async def _find_games(self) -> dict[str, RemoteGame]:
        self.describe_soon()
        assert self._games is not None
        return await asyncio.shield(self._games)

    async def _find_bots(self) -> dict[str, RemoteBot]:
        self.describe_soon()
        assert self._bots is not None
        return await asyncio.shield(self._bots)

    async def _describe(
        self,
        group: str,
        what: str,
        job: Callable[[PackagePoint], bytes],
        kind: type[Any],
        make: Callable[[PackagePoint, Any], RemoteT],
        taken: Collection[str],
    ) -> dict[str, RemoteT]:
        """Describe the entry points of a group; those that fail are left out and logged."""
        points = list_points(group)
        trials = [
            self.steps.ask(job, _make_point(point), time_limit_s=TRIAL_LIMIT_S) for point in points
        ]
        answers = await asyncio.gather(*trials, return_exceptions=True)
        found: dict[str, RemoteT] = {}
        for point, answer in zip(points, answers, strict=True):
            try:
                if isinstance(answer, BaseException):
                    raise answer
                entry = make(_make_point(point), msgspec.json.decode(answer, type=kind))
                check_name_is_free(what, entry.name, (*taken, *found))
            except (LostWorker, GameFailure) as error:
                log_left_out(what, point, error.reason)
            except Exception as error:
                log_left_out(what, point, format_error(error))
            else:
                found[entry.name] = entry
        return found

    # -- tables ------------------------------------------------------------------------------

    async def open_table(
        self, settings: Settings, seed: str, at: int
    ) -> tuple[TableState, SetIdentity]:
        """A new table of any game, and its dominoes."""
        game = await self.find(settings.game)
        if not game.is_installed:
            return open_table(settings, seed, at), find_tiles(settings).identity
        remote = cast(RemoteGame, game)
        paces = await self._find_paces(settings)
        answer = await self._step(remote, "start", game_jobs.open_packed, settings, seed, paces, at)
        packed, tiles = _decode(remote, "start", answer, tuple[RemoteTable, SetIdentity])
        return unpack_table(packed, settings, seed, remote), tiles

    async def advance(self, state: TableState, entry: Entry, at: int) -> TableState:
        """The state of a table of any game after an entry, or a refusal."""
        if not state.game.is_installed or isinstance(entry, LOCAL_ENTRIES):
            return advance(state, entry, at)
        states, refusal = await self._advance(state, [(entry, at)])
        if refusal is not None:
            raise refusal
        return states[-1]

    async def replay(
        self, table: str, state: TableState, log: Sequence[StoredEntry], is_watched: bool
    ) -> AsyncIterator[tuple[StoredEntry, TableState, bool]]:
        """The entries of a log, the state after each, and whether viewers can be shown it.

        If viewers watch the table, that is each one, else the last one of each job. Raises
        `DamagedTable` for a refusal.
        """
        size = 1 if is_watched else MAX_ENTRIES_PER_JOB
        for start in range(0, len(log), size):
            batch = log[start : start + size]
            states, refusal = await self._advance(state, [(one.entry, one.at) for one in batch])
            for stored, state in zip(batch, states, strict=False):
                yield stored, state, stored is batch[-1]
            if refusal is not None:
                with reading(table, batch[len(states)].number):
                    raise refusal

    async def anonymize_options(self, state: TableState, seat: int) -> dict[str, Any]:
        """The options of a game without the name of the player in a seat."""
        game, job = _find_game(state), game_jobs.anonymize_options
        answer = await self._step(game, "anonymize", job, state.settings, state.names(), seat)
        return _decode(game, "anonymize", answer, dict[str, Any])

    async def _advance(
        self, state: TableState, entries: Sequence[tuple[Entry, int]]
    ) -> tuple[list[TableState], DalapapaError | None]:
        game, settings, seed = _find_game(state), state.settings, state.seed
        packed = RemoteTable(**select_shared(state))
        answer, refusal = await self._step(
            game, "apply", game_jobs.advance_packed,
            settings, seed, await self._find_paces(settings), packed, _get_pickled(state), entries,
            limit_s=CALL_LIMIT_S if len(entries) == 1 else JOB_LIMIT_S,
        )  # fmt: skip
        states = _decode(game, "apply", answer, list[RemoteTable])
        return [unpack_table(one, settings, seed, game) for one in states], refusal

    async def _find_paces(self, settings: Settings) -> dict[str, float]:
        """The paces of the bots of packages at a table: a step does not import their packages."""
        guests = await self.find_guests(plan.program for plan in settings.seats if plan.program)
        return {name: guest.description.pace for name, guest in guests.items()}

    async def _step(
        self,
        game: RemoteGame,
        what: str,
        job: Callable[..., T],
        *args: Any,
        limit_s: float | None = None,
    ) -> T:
        """Run a step of a table. It goes on if the caller leaves: the game may hang in it."""
        step = self._run_step(game, what, job, args, limit_s)
        return await asyncio.shield(asyncio.create_task(step))

    async def _run_step(
        self, game: RemoteGame, what: str, job: Callable[..., T], args: Any, limit_s: float | None
    ) -> T:
        async with game.slots:
            if game.hung:
                why = (
                    "it took too long or ended its process before, so the server no longer calls it"
                )
                raise game.report_broken(what, why)
            try:
                job = partial(in_package, game.point, job)
                return await self.steps.ask(job, *args, time_limit_s=limit_s)
            except (LostWorker, GameFailure) as error:
                game.hung |= isinstance(error, LostWorker)
                raise game.report_broken(what, error.reason) from None

    # -- questions and bots ------------------------------------------------------------------

    async def list_moves(
        self, state: TableState, seat: int, tile: str | None, fixed_order: bool, address: str
    ) -> bytes:
        """The legal moves of a seat as JSON, or only the layings of one domino.

        A list that takes too long is refused, and the table goes on without it.
        """
        hanging: set[tuple[int, str | None]] = state.game_state.hanging_lists
        if (seat, tile) in hanging:
            raise TooHard("This is too hard for this server.")
        try:
            return await self._ask(
                state, "legal_moves", game_jobs.list_packed_moves, seat, tile, fixed_order,
                address=address, limit_s=CALL_LIMIT_S,
            )  # fmt: skip
        except LostWorker:
            hanging.add((seat, tile))
            raise

    async def find_hint(
        self, state: TableState, seat: int, width: int | None, seconds: float, address: str
    ) -> bytes:
        """The hint of the solver for a seat, as `jobs.find_hint` encodes it."""
        return await self._ask(
            state, "hint", game_jobs.find_packed_hint, seat, width, seconds,
            address=address, limit_s=CALL_LIMIT_S + seconds,
        )  # fmt: skip

    async def choose(self, state: TableState, seat: int, bot: str, seed: str) -> Move:
        """The move of a bot, one of ours, of the game's package, or of another one."""
        game, guest = _find_game(state), await self.find_bot(bot)
        job = partial(in_package, game.point, game_jobs.choose_packed_move)
        args = (game.name, state.game_state.pickled, seat, bot, seed)
        try:
            if guest is None:
                answer = await self.bots.ask(job, *args, False)
            else:
                answer = await self.ask_guest(guest, job, *args)
            return keep_move(msgspec.json.decode(answer))
        except (LostWorker, GameFailure) as error:
            raise game.report_broken("its bot", error.reason) from None
        except (msgspec.DecodeError, IllegalMove) as error:
            raise game.report_broken("its bot", format_error(error)) from None

    async def ask_guest(self, guest: RemoteBot, job: Callable[..., T], *args: Any) -> T:
        """Run a job in which a bot of a package chooses a move.

        Its last argument is whether the bot is given up, because it took too long now or before:
        then the job makes the least move.
        """
        if not guest.hung:
            try:
                return await self.bots.ask(job, *args, False, time_limit_s=CALL_LIMIT_S)
            except LostWorker as error:
                guest.give_up(error.reason)
        return await self.bots.ask(job, *args, True, time_limit_s=CALL_LIMIT_S)

    async def _ask(
        self,
        state: TableState,
        what: str,
        job: Callable[..., bytes],
        *args: Any,
        address: str,
        limit_s: float,
    ) -> bytes:
        """Ask about a state of a game."""
        game = _find_game(state)
        try:
            return await self.questions.ask(
                partial(in_package, game.point, job), game.name, state.game_state.pickled, *args,
                address=address, time_limit_s=limit_s,
            )  # fmt: skip
        except GameFailure as error:
            raise game.report_broken(what, error.reason) from None

    # -- jobs about logs and records ---------------------------------------------------------

    async def ask_about_game(
        self, name: str, workers: Workers, job: Callable[..., T], *args: Any, address: str
    ) -> T:
        """Run a job about a game from its log or its record: in these workers, or in ours."""
        adapted = await self.adapt_job(name, job)
        pool = workers if adapted is job else self.questions
        return await pool.ask(adapted, *args, address=address)

    async def adapt_job(self, name: str, job: Callable[..., T]) -> Callable[..., T]:
        """The job as workers run it: if the game is from a package, they import that first."""
        game = None if name in REGISTRY else (await self._find_games()).get(name)
        if game is None:
            return job
        return partial(game_jobs.run_about_game, game.point, game.name, job)


def read_record_game(data: bytes) -> str:
    """The name of a record's game, as far as it can be read: the job says what is wrong."""
    try:
        return msgspec.json.decode(data, type=_RecordHead).game
    except (msgspec.DecodeError, UnicodeDecodeError):
        return DEFAULT


class _RecordHead(msgspec.Struct):
    game: str = DEFAULT


def _find_game(state: TableState) -> RemoteGame:
    """The game of a table, which is known to be one of a package."""
    return cast(RemoteGame, state.game)


def _get_pickled(state: TableState) -> bytes | None:
    """The state of the game for a worker; None before the game."""
    return None if state.game_state is None else state.game_state.pickled


def _make_point(point: EntryPoint) -> PackagePoint:
    return PackagePoint(point.name, point.value, point.group)


def _decode(game: RemoteGame, what: str, answer: bytes, kind: type[T]) -> T:
    """What a worker has encoded; raises `BrokenGame` if it has a value of a wrong type."""
    try:
        return msgspec.msgpack.decode(answer, type=kind)
    except msgspec.DecodeError as error:
        raise game.report_broken(what, format_error(error)) from None
