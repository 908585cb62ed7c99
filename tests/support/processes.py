"""What Linux knows about processes that tests have started."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def process_state(pid: int) -> str:
    """The letter of a process's state, as `ps` shows it; nothing if there is no such process."""
    fields = _read_fields(pid)
    return fields[0] if fields else ""


def has_ended(pid: int) -> bool:
    """Whether a process has ended; a zombie has."""
    return process_state(pid) in ("", "Z", "X")


def used_cpu_seconds(pid: int) -> float:
    """Seconds of computing that a process has used; none if there is no such process."""
    fields = _read_fields(pid)
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def find_family(pid: int) -> list[int]:
    """A process and all that come from it."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*"):
        if fields := _read_fields(int(entry.name)):
            parents[int(entry.name)] = int(fields[1])
    found = [pid]
    for parent in found:
        found += [child for child, its_parent in parents.items() if its_parent == parent]
    return found


def _read_fields(pid: int) -> list[str]:
    """The fields of `/proc/PID/stat` from the state on; none if the process is gone."""
    with contextlib.suppress(OSError):
        # The name of the program, in brackets, may contain anything.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return []
