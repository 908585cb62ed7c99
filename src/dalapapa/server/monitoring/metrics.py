"""Metrics of this process: counters and histograms, and readings taken for each scrape.

`prometheus_client` writes them (`exposition.py`), but values are counted here: in a fifth of the
time, and with a limit on the number of series. Counting needs no locks: it happens in the event
loop, and counts of other threads may be approximate. Nothing is personal, except the addresses of
floods, which only requests from this machine receive.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from bisect import bisect_left
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ... import __version__

MAX_SERIES = 400
"""Combinations of labels that one metric can have; others are counted as `other`."""

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
ENTRIES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0)

Labels = tuple[str, ...]
Value = float | Mapping[str, float] | Mapping[Labels, float]
"""One value, or one for each label, or for each combination of labels."""


class Counter:
    """A value that only grows, for each combination of labels."""

    def __init__(self, name: str, help: str, *labels: str) -> None:
        self.name: str = name
        self.help: str = help
        self.labels: tuple[str, ...] = labels
        self.values: dict[Labels, float] = {} if labels else {(): 0}

    def add(self, *labels: str, by: float = 1) -> None:
        labels = _limit_series(labels, self.values)
        self.values[labels] = self.values.get(labels, 0) + by


class Histogram:
    """How many values are at most as large as each bound, for each combination of labels."""

    def __init__(self, name: str, help: str, bounds: tuple[float, ...], *labels: str) -> None:
        self.name: str = name
        self.help: str = help
        self.bounds: tuple[float, ...] = bounds
        self.labels: tuple[str, ...] = labels
        self.series: dict[Labels, HistogramSeries] = {} if labels else {(): HistogramSeries(bounds)}

    def get_series(self, *labels: str) -> HistogramSeries:
        """Return the series of some labels; callers that observe often keep it."""
        labels = _limit_series(labels, self.series)
        series = self.series.get(labels)
        if series is None:
            series = self.series[labels] = HistogramSeries(self.bounds)
        return series

    def observe(self, value: float, *labels: str) -> None:
        self.get_series(*labels).observe(value)


class HistogramSeries:
    """The counts of one histogram and one combination of labels."""

    __slots__ = ("bounds", "counts", "sum")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds: tuple[float, ...] = bounds
        self.counts: list[int] = [0] * (len(bounds) + 1)
        self.sum: float = 0.0

    def observe(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value


class Reading(NamedTuple):
    """A metric whose value is read for each scrape."""

    name: str
    help: str
    labels: Labels = ()
    is_counter: bool = False
    is_private: bool = False
    """Whether only requests from this machine receive it."""


MOVE_SECONDS = Histogram(
    "dalapapa_move_seconds",
    "Time of a person's move, from reading it until it is durable and sent.",
    SECONDS,
)
COMMIT_SECONDS = Histogram("dalapapa_commit_seconds", "Time to commit entries.", SECONDS)
COMMIT_ENTRIES = Histogram("dalapapa_commit_entries", "Entries in one commit.", ENTRIES)
QUESTION_SECONDS = Histogram(
    "dalapapa_question_seconds",
    "Time of jobs in workers, including the time in the queue.",
    SECONDS,
    "kind",
    "job",
)
HTTP_SECONDS = Histogram(
    "dalapapa_http_seconds", "Time to answer a request over HTTP.", SECONDS, "route"
)
HTTP_REQUESTS = Counter(
    "dalapapa_http_requests_total", "Requests over HTTP.", "method", "route", "status"
)
REFUSALS = Counter("dalapapa_refusals_total", "Refusals that were sent.", "code")
SOCKETS_OPENED = Counter("dalapapa_sockets_opened_total", "Sockets that were opened.")
SOCKETS_CLOSED = Counter("dalapapa_sockets_closed_total", "Sockets that ended.", "reason")
PAUSES = Counter(
    "dalapapa_pauses_total",
    "How often the server paused reading because a client sent too much.",
    "kind",
)
NOTICES = Counter(
    "dalapapa_notices_total", "Notifications of turns, by outcome.", "kind", "outcome"
)
LOOP_LAG_SECONDS = Histogram(
    "dalapapa_loop_lag_seconds", "Delay of the event loop, measured ten times a second.", SECONDS
)
WORKERS_ENDED = Counter(
    "dalapapa_workers_ended_total", "Workers that died or took too long.", "kind", "reason"
)

COUNTERS = (
    HTTP_REQUESTS, REFUSALS, SOCKETS_OPENED, SOCKETS_CLOSED, PAUSES, WORKERS_ENDED, NOTICES,
)  # fmt: skip
HISTOGRAMS = (
    MOVE_SECONDS, COMMIT_SECONDS, COMMIT_ENTRIES, QUESTION_SECONDS, HTTP_SECONDS, LOOP_LAG_SECONDS,
)  # fmt: skip

READINGS = (
    Reading("dalapapa_info", "The version of the server.", ("version",)),
    Reading("dalapapa_ready", "Whether the last check could make a move durable."),
    Reading("dalapapa_tables_live", "Tables in memory."),
    Reading("dalapapa_sockets", "Open sockets."),
    Reading("dalapapa_connections", "Open connections over HTTP."),
    Reading("dalapapa_turned_away_total", "Connections refused: too many, slow or long,"
            " for another host, or not HTTP.", is_counter=True),
    Reading("dalapapa_moves_total", "Moves that this process has made durable.", is_counter=True),
    Reading("dalapapa_bus_connected", "Whether messages of other server processes arrive."),
    Reading("dalapapa_bus_messages_total", "Messages of other server processes.", is_counter=True),
    Reading("dalapapa_programs_waiting", "Moves of bots that wait for a worker."),
    Reading("dalapapa_questions_waiting", "Questions that wait for a worker."),
    Reading("dalapapa_reviews_waiting", "Reviews that wait for a worker."),
    Reading("dalapapa_archived_total", "Games that this process has archived.", is_counter=True),
    Reading("dalapapa_removed_total", "Tables that this process has removed.", is_counter=True),
    Reading("dalapapa_backup_time_seconds",
            "Time of the newest backup, in seconds since 1970; 0 without one."),
    Reading("dalapapa_workers", "Worker processes.", ("kind",)),
    Reading("dalapapa_top_talkers", "Traffic of the busiest addresses in the last five minutes.",
            ("address", "kind"), is_private=True),
    Reading("process_resident_memory_bytes", "Memory of the server process."),
    Reading("process_cpu_seconds_total", "Processor time of the server process.", is_counter=True),
    Reading("process_open_fds", "Open files and connections of the server process."),
    Reading("process_start_time_seconds", "Start of the server process, in seconds since 1970."),
)  # fmt: skip

STARTED = time.time()


def read_process() -> dict[str, Value]:
    """Return the readings of this process; the server adds its own."""
    used = os.times()
    return {
        "dalapapa_info": {__version__: 1},
        "process_resident_memory_bytes": _measure_memory(),
        "process_cpu_seconds_total": used.user + used.system,
        "process_open_fds": _count_files(),
        "process_start_time_seconds": STARTED,
    }


def read_backup_time(folder: str | None) -> Value:
    """Return when the newest backup in a folder was made; 0 without one."""
    if folder is None:
        return {}
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        files = (entry for entry in entries if not entry.name.startswith(".") and entry.is_file())
        return max((file.stat().st_mtime for file in files), default=0)
    return 0


def _measure_memory() -> float:
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # Not Linux: the maximum so far.
        if sys.platform == "win32":
            return 0
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else 1024 * peak


def _count_files() -> float:
    try:
        return len(os.listdir("/proc/self/fd"))
    except OSError:
        return 0


def _limit_series(labels: Labels, known: Mapping[Labels, object]) -> Labels:
    if labels in known or len(known) < MAX_SERIES:
        return labels
    return ("other",) * len(labels)
