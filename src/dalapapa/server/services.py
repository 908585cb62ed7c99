"""The services of an open server, assembled in one place and closed in the opposite order."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

import msgspec

from .bus.bus import Bus
from .bus.choose import make_bus
from .clock import SystemClock
from .listings.lobby import Lobby
from .listings.own_tables import OwnTables
from .monitoring import metrics
from .monitoring.loop_lag import LoopLag
from .notify.config import NotifyConfig
from .notify.scheduler import NotificationScheduler
from .payload import Payload
from .single_flight import SingleFlightCache
from .storage.readiness import Readiness
from .storage.retention import Retention
from .storage.retention_policy import RetentionPolicy
from .storage.solved_problems import SolvedProblems
from .storage.store import Store
from .tables.challenges import Challenges
from .tables.new_tables import NewTableLimits
from .tables.tables import Tables
from .traffic.connection_gate import ConnectionGate
from .traffic.limits import ConcurrencyLimit, Limits, TokenBuckets
from .workers.bots import BotWorkers
from .workers.packages import Packages
from .workers.pool import Workers
from .workers.questions import Questions
from .workers.reviews import Reviews
from .ws.sessions import ViewerSessions

MAX_ANSWER_BYTES = 32_000_000
"""The size of all cached answers."""

MAX_LONG_LOGS, MAX_LONG_LOGS_PER_ADDRESS = 6, 2
"""Long logs that are processed at the same time."""

TOKEN_RENEWALS_PER_MINUTE, TOKEN_RENEWAL_BURST = 1, 10
"""Limits for the seats of one table, because each renewal is an entry of its log."""


class Services(msgspec.Struct):
    """What handlers of requests and sockets use."""

    gate: ConnectionGate
    store: Store
    tables: Tables
    questions: Questions
    reviews: Reviews
    sockets: ViewerSessions
    finds: SolvedProblems
    challenges: Challenges
    readiness: Readiness
    retention: Retention
    lobby: Lobby
    own_tables: OwnTables
    notices: NotificationScheduler
    answers: SingleFlightCache[Payload]
    """Answers about tables and pictures."""
    long_logs: ConcurrencyLimit
    token_renewals: TokenBuckets
    backups: str | None = None
    """The folder whose newest file is the newest backup."""

    def workers(self) -> tuple[Workers, ...]:
        """All pools of worker processes."""
        questions = self.questions
        return (
            *(self.tables.bots.workers, *self.tables.packages.pools, self.reviews.workers),
            *(questions.quick, questions.slow, questions.solver),
        )

    def read_metrics(self) -> dict[str, metrics.Value]:
        """The readings of the server, by name."""
        package_questions = self.tables.packages.questions.pending
        return {
            "dalapapa_ready": self.readiness.last,
            "dalapapa_tables_live": len(self.tables.registry.cache),
            "dalapapa_sockets": len(self.sockets.open),
            "dalapapa_connections": len(self.gate.open),
            "dalapapa_turned_away_total": self.gate.refused.total(),
            "dalapapa_moves_total": self.tables.commands.move_count,
            "dalapapa_programs_waiting": self.tables.bots.pending,
            "dalapapa_questions_waiting": self.questions.waiting + package_questions,
            "dalapapa_reviews_waiting": self.reviews.under_way,
            "dalapapa_archived_total": self.retention.archived,
            "dalapapa_removed_total": self.retention.removed,
            "dalapapa_backup_time_seconds": metrics.read_backup_time(self.backups),
            "dalapapa_workers": {pool.kind: len(pool.processes) for pool in self.workers()},
            "dalapapa_top_talkers": self.gate.talkers.list_figures(),
            **_read_bus(self.tables.bus),
        }


def _read_bus(bus: Bus | None) -> dict[str, metrics.Value]:
    return {
        "dalapapa_bus_connected": {} if bus is None else bus.is_connected,
        "dalapapa_bus_messages_total": {} if bus is None else bus.received,
    }


@contextlib.asynccontextmanager
async def open_services(
    database: str,
    limits: Limits,
    clock: SystemClock,
    keep: RetentionPolicy,
    gate: ConnectionGate,
    notify: NotifyConfig,
    broker: str | None = None,
) -> AsyncIterator[Services]:
    """Open all services until the context ends; a failure closes those that are open.

    `broker`: addresses of NATS servers, instead of PostgreSQL's notifications.
    """
    async with contextlib.AsyncExitStack() as stack:
        lag = LoopLag()
        stack.push_async_callback(lag.close)
        lag.open()
        store = Store(database)
        stack.push_async_callback(store.close)
        bus = make_bus(store, broker)
        await store.open()
        packages = Packages(limits.make_slots(limits.questions_at_once))
        tables = Tables(store, BotWorkers(packages), clock, limits.tables, bus)
        tables.registry.cache.max_bytes = limits.table_memory_bytes
        tables.creator.limits = NewTableLimits(tables.creator.count, limits, clock)
        stack.push_async_callback(tables.close)
        await tables.open()
        notices = NotificationScheduler(tables, notify, limits, clock)
        stack.push_async_callback(notices.close)
        await notices.open()
        retention = Retention(store, keep, clock, tables.registry.cache, tables.creator.count)
        stack.push_async_callback(retention.close)
        tables.driver.on_watch = retention.note_viewer
        retention.open()
        questions = Questions(limits)
        stack.callback(questions.close)
        reviews = Reviews(limits)
        stack.push_async_callback(reviews.close)
        sockets = ViewerSessions(tables, questions.quick, limits, gate.talkers)
        stack.push_async_callback(sockets.close)
        answers = SingleFlightCache[Payload](
            max_bytes=MAX_ANSWER_BYTES, size_of=lambda payload: payload.size
        )
        stack.push_async_callback(answers.close)
        lobby = Lobby(tables)
        stack.push_async_callback(lobby.close)
        readiness = Readiness(store, clock)
        stack.push_async_callback(readiness.close)
        own_tables = OwnTables(tables)

        def clear_caches() -> None:
            for cache in (answers, reviews.cache, lobby, own_tables.cache):
                cache.clear()

        tables.sync.on_forget = clear_caches
        finds_per_hour = limits.finds_per_hour
        yield Services(
            gate=gate,
            store=store,
            tables=tables,
            questions=questions,
            reviews=reviews,
            sockets=sockets,
            finds=SolvedProblems(
                store, clock, TokenBuckets(finds_per_hour / 3600, finds_per_hour, clock)
            ),
            challenges=Challenges(tables, limits.share_an_address),
            readiness=readiness,
            retention=retention,
            lobby=lobby,
            own_tables=own_tables,
            notices=notices,
            answers=answers,
            long_logs=ConcurrencyLimit(MAX_LONG_LOGS, MAX_LONG_LOGS_PER_ADDRESS),
            token_renewals=TokenBuckets(TOKEN_RENEWALS_PER_MINUTE / 60, TOKEN_RENEWAL_BURST, clock),
        )
