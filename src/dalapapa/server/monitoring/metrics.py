"""Figures for Prometheus, of this process: counters, histograms, and gauges read when asked for.

Our own few lines instead of `prometheus_client`: no dependency, no locks (all of it happens in the
event loop, or counts approximately), and an observation costs a bisect and two additions. Labels
come from bounded sets: routes, codes, kinds of workers. Nothing is personal.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ... import __version__

if TYPE_CHECKING:
    from ..app import Services

MAX_SERIES = 400
"""Combinations of labels that one figure has at most; beyond, they are counted as `other`."""

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
ENTRIES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0)

Labels = tuple[str, ...]


class Counter:
    """Something that only grows, for each combination of labels."""

    kind = "counter"

    def __init__(self, name: str, help: str, *labels: str) -> None:
        self.name, self.help, self.labels = name, help, labels
        self.values: dict[Labels, float] = {} if labels else {(): 0}

    def add(self, *labels: str, by: float = 1) -> None:
        """Count one more."""
        labels = _bounded(labels, self.values)
        self.values[labels] = self.values.get(labels, 0) + by

    def lines(self) -> Iterable[str]:
        """In Prometheus' form."""
        for labels, value in self.values.items():
            yield f"{self.name}{_written(zip(self.labels, labels, strict=True))} {_number(value)}"


class Histogram:
    """How often something was how large, for each combination of labels."""

    kind = "histogram"

    def __init__(self, name: str, help: str, bounds: tuple[float, ...], *labels: str) -> None:
        self.name, self.help, self.bounds, self.labels = name, help, bounds, labels
        self.series: dict[Labels, Series] = {} if labels else {(): Series(bounds)}

    def of(self, *labels: str) -> Series:
        """The series of some labels: who observes often keeps it."""
        labels = _bounded(labels, self.series)
        found = self.series.get(labels)
        if found is None:
            found = self.series[labels] = Series(self.bounds)
        return found

    def observe(self, value: float, *labels: str) -> None:
        """Count a value."""
        self.of(*labels).observe(value)

    def lines(self) -> Iterable[str]:
        """In Prometheus' form: each bucket counts what is not larger than its bound."""
        for labels, series in self.series.items():
            named = list(zip(self.labels, labels, strict=True))
            below = 0
            for bound, count in zip(
                [*map(_number, self.bounds), "+Inf"], series.counts, strict=True
            ):
                below += count
                yield f"{self.name}_bucket{_written([*named, ('le', bound)])} {below}"
            yield f"{self.name}_sum{_written(named)} {_number(series.sum)}"
            yield f"{self.name}_count{_written(named)} {below}"


class Series:
    """The counts of one histogram and one combination of labels."""

    __slots__ = ("bounds", "counts", "sum")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.sum = 0.0

    def observe(self, value: float) -> None:
        """Count a value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value


class Gauge(NamedTuple):
    """Something that is read when it is asked for, perhaps by one label."""

    name: str
    help: str
    read: Callable[[Services], float | Mapping[str, float] | Mapping[Labels, float]]
    label: str = ""
    """One name, or several with commas; then the values of labels are tuples."""
    kind: str = "gauge"
    is_private: bool = False
    """Whether it is shown only to requests from the machine itself."""

    def lines(self, services: Services) -> Iterable[str]:
        """In Prometheus' form."""
        value = self.read(services)
        if isinstance(value, Mapping):
            names = self.label.split(",")
            for label, one in value.items():
                labels = (label,) if isinstance(label, str) else label
                yield f"{self.name}{_written(zip(names, labels, strict=True))} {_number(one)}"
        else:
            yield f"{self.name} {_number(value)}"


MOVE_SECONDS = Histogram(
    "dalapapa_move_seconds", "People's moves: from read to durable and told.", SECONDS
)
COMMIT_SECONDS = Histogram("dalapapa_commit_seconds", "Commits of entries.", SECONDS)
COMMIT_ENTRIES = Histogram("dalapapa_commit_entries", "Entries of a commit.", ENTRIES)
QUESTION_SECONDS = Histogram(
    "dalapapa_question_seconds", "Jobs of workers, with waiting.", SECONDS, "kind", "job"
)
HTTP_SECONDS = Histogram("dalapapa_http_seconds", "Answers over HTTP.", SECONDS, "route")
HTTP_REQUESTS = Counter(
    "dalapapa_http_requests_total", "Requests over HTTP.", "method", "route", "status"
)
REFUSALS = Counter("dalapapa_refusals_total", "Refusals that were told.", "code")
SOCKETS_OPENED = Counter("dalapapa_sockets_opened_total", "Sockets that were opened.")
SOCKETS_CLOSED = Counter("dalapapa_sockets_closed_total", "Sockets that ended.", "reason")
PAUSES = Counter(
    "dalapapa_pauses_total", "Times that reading was paused: a client sent too much.", "kind"
)
NOTICES = Counter(
    "dalapapa_notices_total", "Players who were told of their turns.", "kind", "outcome"
)
LOOP_LAG_SECONDS = Histogram(
    "dalapapa_loop_lag_seconds", "How late the event loop is, ten times a second.", SECONDS
)
WORKERS_ENDED = Counter(
    "dalapapa_workers_ended_total", "Workers that died or took too long.", "kind", "reason"
)

COUNTED: tuple[Counter | Histogram, ...] = (
    MOVE_SECONDS, COMMIT_SECONDS, COMMIT_ENTRIES, QUESTION_SECONDS, HTTP_SECONDS, HTTP_REQUESTS,
    REFUSALS, SOCKETS_OPENED, SOCKETS_CLOSED, PAUSES, WORKERS_ENDED, NOTICES, LOOP_LAG_SECONDS,
)  # fmt: skip

STARTED = time.time()


def _memory(_services: Services) -> float:
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # Not Linux: the most there ever was.
        if sys.platform == "win32":
            return 0
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else 1024 * most


def _files(_services: Services) -> float:
    try:
        return len(os.listdir("/proc/self/fd"))
    except OSError:
        return 0


def _newest_backup(services: Services) -> float | Mapping[str, float]:
    """When the newest backup was made, in seconds since 1970; 0: there is none."""
    if services.backups is None:
        return {}
    with contextlib.suppress(OSError), os.scandir(services.backups) as found:
        whole = (one for one in found if not one.name.startswith(".") and one.is_file())
        return max((one.stat().st_mtime for one in whole), default=0)
    return 0


def _processor(_services: Services) -> float:
    used = os.times()
    return used.user + used.system


READ = (
    Gauge("dalapapa_info", "The version.", lambda _: {__version__: 1}, "version"),
    Gauge("dalapapa_ready", "Whether moves could be made durable when last tried.",
          lambda here: here.readiness.last),
    Gauge("dalapapa_tables_live", "Tables in memory.", lambda here: len(here.tables.live)),
    Gauge("dalapapa_sockets", "Open sockets.", lambda here: len(here.sockets.open)),
    Gauge("dalapapa_connections", "Open connections over HTTP.", lambda here: len(here.door.open)),
    Gauge("dalapapa_turned_away_total", "Too many, slow or long, for another host, or no HTTP.",
          lambda here: here.door.refused.total(), kind="counter"),
    Gauge("dalapapa_moves_total", "Moves made durable here.", lambda here: here.tables.moves,
          kind="counter"),
    Gauge("dalapapa_programs_waiting", "Programs to think.",
          lambda here: here.tables.programs.waiting),
    Gauge("dalapapa_questions_waiting", "Questions to answer.",
          lambda here: here.questions.waiting),
    Gauge("dalapapa_reviews_waiting", "Reviews to make.", lambda here: here.reviews.under_way),
    Gauge("dalapapa_archived_total", "Games archived here.", lambda here: here.retention.archived,
          kind="counter"),
    Gauge("dalapapa_removed_total", "Tables removed here.", lambda here: here.retention.removed,
          kind="counter"),
    Gauge("dalapapa_backup_time_seconds", "When the newest backup was made; 0: there is none.",
          _newest_backup),
    Gauge("dalapapa_workers", "Worker processes.",
          lambda here: {one.kind: len(one.alive) for one in here.workers()}, "kind"),
    Gauge("dalapapa_top_talkers", "What the busiest addresses sent in the last five minutes.",
          lambda here: here.door.talkers.list_figures(), "address,kind", is_private=True),
    Gauge("process_resident_memory_bytes", "Memory of the server process.", _memory),
    Gauge("process_cpu_seconds_total", "Time of a core that it has used.", _processor,
          kind="counter"),
    Gauge("process_open_fds", "Open files and connections.", _files),
    Gauge("process_start_time_seconds", "When it began, in seconds since 1970.",
          lambda _: STARTED),
)  # fmt: skip


def names() -> set[str]:
    """Of all series, as a dashboard asks for them."""
    found = {figure.name for figure in READ}
    for figure in COUNTED:
        if isinstance(figure, Histogram):
            found |= {f"{figure.name}_{part}" for part in ("bucket", "sum", "count")}
        else:
            found.add(figure.name)
    return found


def text(services: Services, is_private: bool = False) -> bytes:
    """All figures, in Prometheus' text format; those with addresses only for private use."""
    lines: list[str] = []
    for figure in (*READ, *COUNTED):
        if isinstance(figure, Gauge) and figure.is_private and not is_private:
            continue
        lines += [f"# HELP {figure.name} {figure.help}", f"# TYPE {figure.name} {figure.kind}"]
        lines += figure.lines(services) if isinstance(figure, Gauge) else figure.lines()
    return ("\n".join(lines) + "\n").encode()


def _bounded(labels: Labels, known: Mapping[Labels, object]) -> Labels:
    if labels in known or len(known) < MAX_SERIES:
        return labels
    return ("other",) * len(labels)


def _written(labels: Iterable[tuple[str, str]]) -> str:
    told = ",".join(f'{name}="{_escaped(value)}"' for name, value in labels)
    return f"{{{told}}}" if told else ""


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))
