"""Ctrl+C: real processes get a SIGINT at several moments, and end soon.

As on a terminal, the whole group of processes gets it.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from dalapapa.core import interrupts
from tests.support.command_line import run
from tests.support.processes import find_family, has_ended, used_cpu_seconds
from tests.support.signals import hear_signals
from tests.support.waiting import PATIENCE, wait_until_sync

SLOW = ("simulate", "--players", "expert,expert", "--games", "50")


class Ended(NamedTuple):
    code: int
    out: str
    err: str


def interrupt(words: tuple[str, ...], ready: Callable[[int], bool], folder: Path) -> Ended:
    """Press Ctrl+C as soon as a command is `ready`, which gets its id; return how it ends.

    Python finds modules in `folder` first; there the command writes the files `out` and `err`.
    Without Ctrl+C each command here takes minutes, or never ends.
    """
    out, err = folder / "out", folder / "err"
    with (
        out.open("wb") as out_file,
        err.open("wb") as err_file,
        subprocess.Popen(
            [sys.executable, "-m", "dalapapa", *words],
            stdin=subprocess.PIPE, stdout=out_file, stderr=err_file,
            start_new_session=True, preexec_fn=hear_signals,
            env={**os.environ, "PYTHONPATH": str(folder)},
        ) as process,
    ):  # fmt: skip

        def is_ready() -> bool:
            assert process.poll() is None, f"it ended too early: {err.read_text()}"
            return ready(process.pid)

        try:
            wait_until_sync(is_ready, "a command that is ready", interval=0.005)
            family = find_family(process.pid)
            os.killpg(process.pid, signal.SIGINT)
            process.wait(PATIENCE)
            wait_until_sync(lambda: all(map(has_ended, family)), f"the end of {family}")
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert "Traceback" not in err.read_text()
    return Ended(process.returncode, out.read_text(), err.read_text())


# Python runs a module named `sitecustomize` before anything else.

NOTE_IMPORT = """
import importlib.abc, pathlib, sys, time

class Note(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "dalapapa.cli":
            pathlib.Path(__file__).with_name("importing").touch()
            {then}

sys.meta_path.insert(0, Note())
"""

WAIT_LONGER = f"""
import dalapapa.core.interrupts
dalapapa.core.interrupts.GRACE_PERIOD_S = {PATIENCE}
"""
"""For tests of what a command prints: a busy machine may need more than a second for it."""


def write_first_module(folder: Path, source: str) -> None:
    (folder / "sitecustomize.py").write_text(source)


def after_import(folder: Path, seconds: float) -> Callable[[int], bool]:
    """So many seconds after Python began to import the command line."""
    write_first_module(folder, NOTE_IMPORT.format(then="return None"))
    began: list[float] = []

    def is_ready(_: int) -> bool:
        if not began and (folder / "importing").exists():
            began.append(time.monotonic())
        return bool(began) and time.monotonic() >= began[0] + seconds

    return is_ready


def with_family(count: int) -> Callable[[int], bool]:
    return lambda pid: len(find_family(pid)) > count


def test_while_it_starts(tmp_path: Path) -> None:
    """While Python imports the command line: no traceback, nothing said."""
    # An import that takes long is tested.
    write_first_module(tmp_path, NOTE_IMPORT.format(then="time.sleep(1000)"))
    importing = tmp_path / "importing"
    ended = interrupt(SLOW, lambda _: importing.exists(), tmp_path)
    assert ended == (130, "", "")


def test_the_end_takes_no_more_than_a_second() -> None:
    assert interrupts.GRACE_PERIOD_S < 1


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
            family = find_family(process.pid)
            before = records()
            os.killpg(process.pid, signal.SIGHUP)
            wait_until_sync(lambda: records() > before + 20, "more games")
            assert not any(map(has_ended, family))
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def test_an_interrupted_simulation_prints_what_was_played(tmp_path: Path) -> None:
    words = ("simulate", "--players", "greedy,greedy", "--json", "--seed", "cut")
    write_first_module(tmp_path, WAIT_LONGER)
    folder = tmp_path / "records"

    def ready(_: int) -> bool:
        return folder.exists() and len(list(folder.iterdir())) > 5

    given = (*words, "--games", "100000", "--jobs", "2", "--records", str(folder))
    ended = interrupt(given, ready, tmp_path)
    assert ended.code == 130
    answer = json.loads(ended.out)
    assert answer["games"] >= 1
    assert ended.err == f"Interrupted after {answer['games']} of 100000 games.\n"
    # The first games, as if no more had been asked for.
    assert run(*words, "--games", str(answer["games"])).json == answer


@pytest.mark.parametrize("grace", [interrupts.GRACE_PERIOD_S, 0])
def test_external_bots_end_as_well(tmp_path: Path, grace: float) -> None:
    """Those that workers have started, too, also when the workers have no time to end them."""
    write_first_module(
        tmp_path,
        f"import dalapapa.core.interrupts\ndalapapa.core.interrupts.GRACE_PERIOD_S = {grace}",
    )
    words = ("simulate", "--players", "exec:sleep 1000,greedy", "--games", "9", "--jobs", "2")
    ended = interrupt(words, with_family(4), tmp_path)
    assert (ended.code, ended.out) == (130, "")


@pytest.mark.thorough
def test_a_ladder_goes_on_from_its_journal(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    words = ("ladder", "--levels", "novice,easy,medium", "--jobs", "2", "--json")
    write_first_module(tmp_path, WAIT_LONGER)

    def ready(_: int) -> bool:
        return journal.exists() and journal.read_bytes().count(b"\n") > 9

    given = (*words, "--games", "1000", "--resume", str(journal), "-o", str(tmp_path / "a.svg"))
    ended = interrupt(given, ready, tmp_path)
    assert ended.code == 130
    assert "; no file was written." in ended.err
    answer = json.loads(ended.out)
    assert answer["games"] >= 4
    assert run(*words, "--games", str(answer["games"])).json == answer
    assert not (tmp_path / "a.svg").exists()


def test_the_solver_shows_what_it_has(tmp_path: Path) -> None:
    words = ("solve", "--pile", "1", "--faces", "recto", "--count", "100000", "--json")
    write_first_module(tmp_path, WAIT_LONGER)
    before: list[float] = []

    def ready(pid: int) -> bool:
        """Once the compiled solver is loaded, and two seconds of computing later: it searches."""
        if not before and "solver.c" in Path(f"/proc/{pid}/maps").read_text():
            before.append(used_cpu_seconds(pid))
        return bool(before) and used_cpu_seconds(pid) > before[0] + 2

    ended = interrupt(words, ready, tmp_path)
    assert ended.code == 130
    assert json.loads(ended.out)["complete"] is False


@pytest.mark.thorough
def test_a_server_says_goodbye(tmp_path: Path) -> None:
    """Although a client is connected, and on SIGTERM it would go on serving for a while."""
    lines: list[socket.socket] = []

    def ready(_: int) -> bool:
        found = re.match(
            r"Dalapapa is at http://127\.0\.0\.1:(\d+)/", (tmp_path / "out").read_text()
        )
        if not found:
            return False
        lines.append(socket.create_connection(("127.0.0.1", int(found[1])), timeout=PATIENCE))
        lines[0].sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        return bool(lines[0].recv(1))

    words = ("play", "--no-browser", "--port", "0", "--drain", "30")
    ended = interrupt((*words, "--database", f"sqlite:///{tmp_path}/tables.db"), ready, tmp_path)
    for line in lines:
        line.close()
    assert ended.code == 0
    assert ended.out.endswith("The server has stopped.\n")


@pytest.mark.thorough
@pytest.mark.parametrize("moment", [0, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 2, 4])
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
    ended = interrupt(given, after_import(tmp_path, moment), tmp_path)
    assert ended.code in (130, 0 if words[0] == "play" else 130)


LOST = """
import os, signal, sys
from dalapapa.core import interrupts

class Destroyed:
    def __del__(self):
        raise KeyboardInterrupt

signal.signal(signal.SIGINT, interrupts.end_immediately)
sys.unraisablehook = interrupts.end_if_interrupt_is_lost
Destroyed()
print("it went on")
"""


def test_an_interrupt_inside_a_destructor_is_not_lost() -> None:
    """Python would print a traceback there, and go on."""
    ended = subprocess.run([sys.executable, "-c", LOST], capture_output=True, timeout=PATIENCE)
    assert (ended.returncode, ended.stdout, ended.stderr) == (interrupts.EXIT_CODE, b"", b"")
