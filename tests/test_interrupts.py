"""Ctrl+C: real processes get a SIGINT at several moments, and end soon.

As on a terminal, the whole group of processes gets it.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from command_line import run
from dalapapa import interrupts
from signals import hear_signals
from waiting import wait_until_sync

SOON = 30
"""Seconds until a command that is interrupted has ended. It takes one, as `interrupts.GRACE` says;
a busy machine needs more. Without Ctrl+C each command here takes minutes, or never ends."""

SLOW = ("simulate", "--players", "expert,expert", "--games", "50")


class Ended(NamedTuple):
    code: int
    out: str
    err: str


def interrupted(
    words: tuple[str, ...], ready: Callable[[int], bool], path: Path | None = None
) -> Ended:
    """What a command says when Ctrl+C is pressed as soon as it is `ready` (told its id).

    Python finds modules in `path` first.
    """
    environment = {**os.environ, **({"PYTHONPATH": str(path)} if path else {})}
    with subprocess.Popen(
        [sys.executable, "-m", "dalapapa", *words], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=hear_signals, env=environment,
    ) as process:  # fmt: skip

        def is_ready() -> bool:
            assert process.poll() is None, "it ended too early"
            return ready(process.pid)

        try:
            wait_until_sync(is_ready, "a command that is ready", interval=0.005)
            family = members(process.pid)
            os.killpg(process.pid, signal.SIGINT)
            out, err = process.communicate(timeout=SOON)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    wait_until_sync(lambda: not any(map(alive, family)), f"the end of {family}", SOON)
    assert "Traceback" not in err
    return Ended(process.returncode, out, err)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def members(pid: int) -> list[int]:
    """A process and all that come from it."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # It has just ended.
            parents[int(entry.parent.name)] = int(entry.read_text().rpartition(")")[2].split()[1])
    found = [pid]
    for parent in found:
        found += [child for child, its_parent in parents.items() if its_parent == parent]
    return found


def after(seconds: float) -> Callable[[int], bool]:
    end = time.monotonic() + seconds
    return lambda _: time.monotonic() > end


def with_family(count: int) -> Callable[[int], bool]:
    return lambda pid: len(members(pid)) > count


def loaded(module: str) -> Callable[[int], bool]:
    """Whether a compiled module is there: then all before it is imported."""
    return lambda pid: module in Path(f"/proc/{pid}/maps").read_text()


# Python runs a module of this name before anything else. What takes long is tested.
IMPORTING = """
import importlib.abc, pathlib, sys, time

class Slow(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "dalapapa.cli":
            pathlib.Path(__file__).with_name("importing").touch()
            time.sleep(1000)

sys.meta_path.insert(0, Slow())
"""


def test_while_it_starts(tmp_path: Path) -> None:
    """While Python imports the command line: no traceback, nothing said."""
    (tmp_path / "sitecustomize.py").write_text(IMPORTING)
    importing = tmp_path / "importing"
    ended = interrupted(SLOW, lambda _: importing.exists(), tmp_path)
    assert ended == (130, "", "")


def test_the_end_takes_no_more_than_a_second() -> None:
    assert interrupts.GRACE < 1


def test_a_command_under_nohup_survives_the_end_of_its_terminal(tmp_path: Path) -> None:
    """SIGHUP stays ignored where it is, also by the processes that the command starts."""
    folder = tmp_path / "records"
    words = ("simulate", "--players", "greedy,greedy", "--games", "100000", "--jobs", "2")

    def records() -> int:
        return len(list(folder.iterdir())) if folder.exists() else 0

    with subprocess.Popen(
        [sys.executable, "-m", "dalapapa", *words, "--records", str(folder)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    ) as process:  # fmt: skip
        try:
            wait_until_sync(lambda: records() > 5, "the first games")
            family = members(process.pid)
            before = records()
            os.killpg(process.pid, signal.SIGHUP)
            wait_until_sync(lambda: records() > before + 20, "more games")
            assert all(map(alive, family))
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def test_a_simulation_tells_what_was_played(tmp_path: Path) -> None:
    words = ("simulate", "--players", "greedy,greedy", "--json", "--seed", "cut")
    folder = tmp_path / "records"

    def ready(_: int) -> bool:
        return folder.exists() and len(list(folder.iterdir())) > 5

    ended = interrupted(
        (*words, "--games", "100000", "--jobs", "2", "--records", str(folder)), ready
    )
    assert ended.code == 130
    told = json.loads(ended.out)
    assert told["games"] >= 1
    assert ended.err == f"Interrupted after {told['games']} of 100000 games.\n"
    # The first games, as if no more had been asked for.
    assert run(*words, "--games", str(told["games"])).json == told


def test_programs_of_others_end_as_well() -> None:
    """Those that workers have started, too."""
    words = ("simulate", "--players", "exec:sleep 1000,greedy", "--games", "9", "--jobs", "2")
    ended = interrupted(words, with_family(4))
    assert (ended.code, ended.out) == (130, "")


@pytest.mark.thorough
def test_a_ladder_goes_on_from_its_journal(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    words = ("ladder", "--levels", "novice,easy,medium", "--jobs", "2", "--json")

    def ready(_: int) -> bool:
        return journal.exists() and journal.read_bytes().count(b"\n") > 9

    ended = interrupted(
        (*words, "--games", "1000", "--resume", str(journal), "-o", str(tmp_path / "a.svg")), ready
    )
    assert ended.code == 130
    assert "; no file was written." in ended.err
    told = json.loads(ended.out)
    assert told["games"] >= 4
    assert run(*words, "--games", str(told["games"])).json == told
    assert not (tmp_path / "a.svg").exists()


def test_the_solver_shows_what_it_has() -> None:
    words = ("solve", "--pile", "1", "--faces", "recto", "--count", "100000", "--json")
    ended = interrupted(words, loaded("solver.c"))
    assert ended.code == 130
    if ended.out:  # Else it came before the search began.
        assert json.loads(ended.out)["complete"] is False


@pytest.mark.thorough
def test_a_server_says_goodbye(tmp_path: Path) -> None:
    """Although somebody is connected, and it would go on serving for a while on SIGTERM."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    lines: list[socket.socket] = []

    def ready(_: int) -> bool:
        try:
            lines.append(socket.create_connection(("127.0.0.1", port)))
        except OSError:
            return False
        lines[0].send(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        return bool(lines[0].recv(1))

    words = ("play", "--no-browser", "--port", str(port), "--drain", "30")
    ended = interrupted((*words, "--database", f"sqlite:///{tmp_path}/tables.db"), ready)
    for line in lines:
        line.close()
    assert ended.code == 0
    assert ended.out.endswith("Goodbye.\n")


@pytest.mark.thorough
@pytest.mark.parametrize("moment", [0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 2, 4])
@pytest.mark.parametrize(
    "words",
    [
        (*SLOW, "--jobs", "3"),
        (*SLOW, "--seconds", "60"),
        ("ladder", "--levels", "strong,expert", "--jobs", "3"),
        ("solve", "--pile", "1", "--faces", "recto", "--count", "100000"),
        ("groups", "--position", "-"),
        ("import", "-", "--database", "sqlite:///{folder}/tables.db"),
        ("play", "--no-browser", "--port", "0", "--database", "sqlite:///{folder}/tables.db"),
        ("analyse", "{record}", "--seconds", "10"),
        ("simulate", "--players", "exec:sleep 1000,greedy", "--games", "9"),
    ],
    ids=lambda words: " ".join(words[:3]),
)
def test_at_any_moment(words: tuple[str, ...], moment: float, tmp_path: Path) -> None:
    records = tmp_path / "records"
    if "{record}" in words:
        made = ("simulate", "--players", "greedy,greedy", "--games", "1", "--records", str(records))
        assert run(*made).code == 0
    given = tuple(
        word.format(folder=tmp_path, record=records / "classic-000000.json") for word in words
    )
    assert interrupted(given, after(moment)).code in (130, 0 if words[0] == "play" else 130)
