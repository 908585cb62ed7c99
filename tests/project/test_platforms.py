"""What differs on Windows and macOS, as far as it can be tried here."""

from __future__ import annotations

import io
import os
import platform
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import dalapapa
from dalapapa import cli
from dalapapa.bots import external
from dalapapa.bots.external import split_command
from dalapapa.core.errors import BadOptions
from dalapapa.server.runtime import run
from dalapapa.server.runtime.run import find_data_folder

SOURCE = Path(dalapapa.__file__).parent


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, on a machine that names no folders."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("system", "folder"),
    [
        ("Linux", ".local/share/dalapapa"),
        ("FreeBSD", ".local/share/dalapapa"),
        ("Darwin", "Library/Application Support/dalapapa"),
        ("Windows", "AppData/Local/dalapapa"),
    ],
)
def test_the_data_folder_is_that_of_the_system(
    home: Path, monkeypatch: pytest.MonkeyPatch, system: str, folder: str
) -> None:
    monkeypatch.setattr(platform, "system", lambda: system)
    assert find_data_folder() == home / folder
    early = home / ".local" / "share" / "dalapapa"
    early.mkdir(parents=True)
    assert find_data_folder() == home / folder
    (early / "tables.db").touch()  # Of an early version: it stays in use.
    assert find_data_folder() == early
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "mine"))
    assert find_data_folder() == home / "mine" / "dalapapa"


def test_windows_names_the_folder_itself(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "system", lambda: "Windows")
    monkeypatch.setenv("LOCALAPPDATA", str(home / "D"))
    assert find_data_folder() == home / "D" / "dalapapa"


def test_on_windows_a_port_has_one_server(monkeypatch: pytest.MonkeyPatch) -> None:
    # Any harmless option stands for the one that only Windows has.
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_KEEPALIVE, raising=False)
    with run.listen("127.0.0.1", 0) as listener:
        assert listener.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        assert not listener.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)
    monkeypatch.undo()
    with run.listen("127.0.0.1", 0) as listener:
        assert listener.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)


@pytest.mark.parametrize(
    ("text", "windows", "words"),
    [
        (r"exec:C:\bots\ann.exe --level 3", True, [r"C:\bots\ann.exe", "--level", "3"]),
        (r'exec:"C:\My bots\ann.exe" -x', True, [r"C:\My bots\ann.exe", "-x"]),
        ("exec:'My bots/ann' -x", True, ["My bots/ann", "-x"]),
        (r"exec:./My\ bots/ann '#1'", False, ["./My bots/ann", "#1"]),
        ("python3 bot.py # 1", False, ["python3", "bot.py", "#", "1"]),
        ("a|b;c", False, ["a|b;c"]),
    ],
)
def test_commands_are_read_as_people_write_them(text: str, windows: bool, words: list[str]) -> None:
    assert split_command(text, windows) == words


@pytest.mark.parametrize("windows", [False, True])
@pytest.mark.parametrize("text", ["exec:", "exec:  ", 'exec:"ann'])
def test_malformed_commands_are_refused(text: str, windows: bool) -> None:
    with pytest.raises(BadOptions) as caught:
        split_command(text, windows)
    assert caught.value.code == "bad_command"


def test_on_windows_a_bot_ends_with_all_it_started(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Running:
        pid = 4711

        def kill(self) -> None:
            asked.append("kill")

    def note(words: list[str], **_: Any) -> None:
        asked.append(" ".join(words))

    monkeypatch.delattr(os, "killpg")
    monkeypatch.setattr(subprocess, "run", note)
    external.kill(Running())  # type: ignore[arg-type]
    assert asked == ["taskkill /F /T /PID 4711", "kill"]


def test_on_windows_pipes_are_utf_8_too(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="cp1252"))
    cli.write_utf8("win32")
    print("François → 🁣", flush=True)
    assert written.getvalue().decode() == f"François → 🁣{os.linesep}"


def test_texts_are_read_as_utf_8_on_every_system() -> None:
    without = re.compile(r"\.(?:read_text\(\)|write_text\((?:(?!encoding=).)*?\))")
    assert without.search("path.read_text()")
    for path in SOURCE.rglob("*.py"):
        assert not without.search(path.read_text(encoding="utf-8")), path
