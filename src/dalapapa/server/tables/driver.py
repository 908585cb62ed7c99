"""The drivers of live tables: bots move and clocks run out while anyone watches a table."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Callable, Coroutine
from typing import Any

from ...bots.arena import derive_bot_seed
from ...bots.pacing import MIN_REACTION_MS
from ...core.errors import BrokenGame, Conflict, DalapapaError, RuleRefusal
from ...games.moves import Move
from ...hosting.entries import Entry, Moved
from ...hosting.state import STAND_IN_BOT, TableState
from ..workers.bots import BotWorkers, choose_next_bot
from .commands import TableCommands
from .live import LiveTable, TableViewer

logger: logging.Logger = logging.getLogger("dalapapa")

BOT_TAKEOVER_DELAY_MS = 3_000
"""How long a process leaves a due bot to the process that moved it last, which may be dead."""

RETRY_DELAY_S = 0.5
"""The time after which a failed database or bot is tried again."""

CLOCK_CHECK_INTERVAL_S = 0.2
"""The pause between checks of the clock while a bot thinks."""


class TableDriver:
    """Moves bots and ends clocks at tables with viewers: one task for each table that needs it."""

    def __init__(self, commands: TableCommands, bots: BotWorkers) -> None:
        self.commands = commands
        self.store = commands.store
        self.clock = commands.registry.clock
        self.bus = commands.registry.bus
        self.bots = bots
        self.on_watch: Callable[[LiveTable], None] | None = None
        """Called when a viewer begins to watch a table."""
        commands.registry.drive = self.start

    def watch(self, live: LiveTable, viewer: TableViewer) -> None:
        """Send every change to a viewer from now on."""
        if not live.viewers and self.bus is not None:
            self.bus.follow(live.id)
        live.viewers.add(viewer)
        if self.on_watch is not None:
            self.on_watch(live)
        self.start(live)

    def unwatch(self, live: LiveTable, viewer: TableViewer) -> None:
        """Send no more changes to a viewer."""
        live.viewers.discard(viewer)
        if not live.viewers:
            if self.bus is not None:
                self.bus.unfollow(live.id)
            live.wake_driver.set()  # It need not wait for a move that no viewer sees.

    def start(self, live: LiveTable) -> None:
        """Start the driver of a table that needs one and has none."""
        state = live.state
        if live.driver is not None and not live.driver.done():
            return
        is_timed = state.next_timer() is not None or state.clock is not None
        is_needed = is_timed or any(seat.played_by for seat in state.seats)
        if is_needed and live.viewers and not live.closing_error and state.accepts_moves:
            live.driver = asyncio.create_task(self._run(live))

    async def _run(self, live: LiveTable) -> None:
        while live.viewers and not live.closing_error:
            live.wake_driver.clear()
            state = live.state
            try:
                if not state.accepts_moves:
                    break
                if not await self._step(live, state):
                    await _wait_for_change(live, live.next_deadline())
            except BrokenGame as error:
                live.close(error)
            except RuleRefusal as error:
                # The table has changed meanwhile. The pause keeps a mistake from spinning.
                logger.debug("the table refused the move of a bot: %s", error.code)
                await asyncio.sleep(0.01)
            except DalapapaError as error:  # The database or a bot, and they may come back.
                if self.store.write_trouble.reason is None:  # Else the store has logged it.
                    logger.warning("a bot cannot move now: %s", error)
                await self._wait_to_retry(live)
            except Exception:  # A mistake in a bot must not end the game for people.
                logger.warning("a bot failed", exc_info=True)
                await asyncio.sleep(RETRY_DELAY_S)
        live.driver = None

    async def _wait_to_retry(self, live: LiveTable) -> None:
        """Pause; bots do not think about moves that cannot be stored."""
        await asyncio.sleep(RETRY_DELAY_S)
        while self.store.write_trouble.reason is not None and live.viewers:
            await asyncio.sleep(RETRY_DELAY_S)

    async def _step(self, live: LiveTable, state: TableState) -> bool:
        """Do what is due now; False if all that remains is to wait."""
        at = live.time.now()
        if await self.commands.end_timer(live, state):
            return True
        if state.begins is not None and at < state.begins:
            await _wait_for_change(live, state.begins)
            return True
        asked = state.game.next_actors(state.game_state)
        deadline = live.next_deadline()
        if deadline is not None and at >= deadline:
            await self._play(live, state, asked[0], state.seats[asked[0]].played_by or STAND_IN_BOT)
            return True
        bots = {seat: bot for seat in asked if (bot := state.seats[seat].played_by)}
        if not bots:
            return False
        guests = await self.bots.packages.find_guests(bots.values())
        seat, pause, longest = choose_next_bot(
            state.game, state.game_state, bots, state.settings.pace, guests
        )
        due = max(live.bots_asked_at, state.begins or 0) + int(1000 * longest)
        until = due + BOT_TAKEOVER_DELAY_MS
        if self.store.postgres and not live.leads_bots and at < until:
            await _wait_for_change(live, until if deadline is None else min(until, deadline))
            return True
        if pause and not await self._pause(live, state, pause):
            return True
        bot = live.state.seats[seat].played_by
        if bot is not None and seat in live.state.game.next_actors(live.state.game_state):
            await self._play(live, live.state, seat, bot)
        return True

    async def _pause(self, live: LiveTable, state: TableState, seconds: float) -> bool:
        """Let a bot take its time; False if there is something else to do first.

        Where several act at once, the moves of the others do not restart its time.
        """
        is_turn = state.game.clock_player(state.game_state) is not None
        end = self.clock.monotonic() + seconds  # Other processes may set the table's time.
        while (left := end - self.clock.monotonic()) > 0:
            at, deadline = live.time.now(), live.next_deadline()
            if deadline is not None and at >= deadline:
                return False
            live.wake_driver.clear()
            until = at + math.ceil(1000 * left)
            await _wait_for_change(live, until if deadline is None else min(until, deadline))
            if (
                not live.viewers
                or not live.state.accepts_moves
                or (is_turn and live.state is not state)
            ):
                return False
        if live.state is not state:
            await asyncio.sleep(max(0, live.changed_at + MIN_REACTION_MS - live.time.now()) / 1000)
        return True

    async def _play(self, live: LiveTable, state: TableState, seat: int, bot: str) -> None:
        """Ask a bot for a move, and make it if the table has not changed in the meantime."""
        game = state.game
        # It depends on the bot's own moves alone: the same bag and play get the same replies.
        seed = derive_bot_seed(f"{state.seed}/{live.move_counts[seat]}", seat)
        if game.is_installed:
            thinking = self.bots.packages.choose(state, seat, bot, seed)
        else:
            view = game.view(state.game_state, seat)
            thinking = self.bots.choose(game.name, bot, seed, view)
        move = await self._await_bot(live, thinking)
        if move is None:
            return
        is_bot_seat = state.seats[seat].played_by is not None

        def make_entry(present: TableState) -> Entry:
            is_turn = game.clock_player(state.game_state) is not None
            has_changed = is_turn and present.version != state.version
            has_returned = is_bot_seat and present.seats[seat].played_by is None
            if has_changed or has_returned:
                raise Conflict("The table has changed in the meantime.", "stale")
            return Moved(move, "program" if is_bot_seat else "time")

        await self.commands.act(live, make_entry)

    async def _await_bot(self, live: LiveTable, thinking: Coroutine[Any, Any, Move]) -> Move | None:
        """The move of a bot; None if a timer runs out first."""
        task = asyncio.create_task(thinking)
        try:
            while not task.done():
                await asyncio.wait({task}, timeout=CLOCK_CHECK_INTERVAL_S)
                if await self.commands.end_timer(live, live.state):
                    return None
            return task.result()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def _wait_for_change(live: LiveTable, until: int | None) -> None:
    """Wait until the table changes or its time is `until`."""
    seconds = None if until is None else max(0.0, (until - live.time.now()) / 1000)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(live.wake_driver.wait(), seconds)


class UnattendedGames:
    """Keeps games going without spectators while a player waits for a notification.

    It watches a table as long as bots are to move or a time has run out there.
    """

    def __init__(self, driver: TableDriver) -> None:
        self.driver = driver

    def keep_going(self, live: LiveTable) -> None:
        """Watch a table until a person has to move, or the game ends."""
        if self._is_needed(live):
            self.driver.watch(live, self)

    def on_change(self, live: LiveTable) -> None:
        """Stop watching when a person has to move, or the game has ended."""
        if not self._is_needed(live):
            self.driver.unwatch(live, self)

    def on_close(self, error: DalapapaError) -> None:
        """Do nothing: a closed table drops its viewers."""

    def _is_needed(self, live: LiveTable) -> bool:
        state = live.state
        if not state.accepts_moves:
            return False
        deadline = live.next_deadline()
        is_late = deadline is not None and live.time.now() >= deadline
        return is_late or any(state.seats[seat].played_by for seat in live.waits)
