"""boardgame.io as a contender: its server with one of its stores, and the frames of its clients.

`boardgame/` has the package and a game with a state of the size of ours; `npm ci` there installs
it. Clients speak Socket.IO over a WebSocket: texts that begin with the numbers of their kinds.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec

from dalapapa.games.moves import Lay, Move

from .load import SEATS, Game, Place
from .wire import frame

FOLDER = Path(__file__).with_name("boardgame")
HOST = "127.0.0.1"
STATE = b'"_stateID":'
NUMBER = re.compile(rb"\d+")


def is_installed() -> bool:
    """Whether there is anything to compare with."""
    return (FOLDER / "node_modules").is_dir() and shutil.which("node") is not None


def read_version(data: bytes) -> int:
    """The number of moves of the state in a message."""
    at = data.find(STATE)
    if at < 0:
        return -1
    match = NUMBER.match(data, at + len(STATE))
    assert match
    return int(match[0])


@contextlib.contextmanager
def server(store: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """The port and the process of a server."""
    words = ["node", "server.js", *store]
    with subprocess.Popen(words, cwd=FOLDER, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            for line in process.stdout:
                if match := re.match(r"port (\d+)", line):
                    yield int(match[1]), process.pid
                    break
        finally:
            process.kill()


def make_games(port: int, played: list[tuple[list[str], list[Move]]]) -> list[Game]:
    """Matches with two players each, made one by one: each with its bag and its moves."""
    with httpx.Client(base_url=f"http://{HOST}:{port}/games/dominoes", timeout=60) as lobby:
        return [_game(lobby, port, bag, moves) for bag, moves in played]


def _game(lobby: httpx.Client, port: int, bag: list[str], moves: list[Move]) -> Game:
    new = {"numPlayers": SEATS, "setupData": {"bag": bag}}
    match = lobby.post("/create", json=new).raise_for_status().json()["matchID"]
    keys = []
    for seat in range(SEATS):
        joining = {"playerID": f"{seat}", "playerName": f"{seat}"}
        joined = lobby.post(f"/{match}/join", json=joining).raise_for_status()
        keys.append(joined.json()["playerCredentials"])
    path = "/socket.io/?EIO=4&transport=websocket"
    places = tuple(
        Place(HOST, port, path, frame(b"40/dominoes,"), b"40/dominoes",
              _event(["sync", match, f"{seat}", keys[seat], SEATS]))
        for seat in range(SEATS)
    )  # fmt: skip
    sent = []
    seat = 0
    for number, move in enumerate(moves):
        laying = isinstance(move, Lay)
        payload = {
            "type": "lay" if laying else "end",
            "args": [str(move.laying)] if isinstance(move, Lay) else [],
            "playerID": f"{seat}",
            "credentials": keys[seat],
        }
        action = {"type": "MAKE_MOVE", "payload": payload}
        sent.append((seat, _event(["update", action, number, match, f"{seat}"])))
        if not laying:
            seat = 1 - seat
    return Game(places, sent)


def _event(event: list[object]) -> bytes:
    return frame(b"42/dominoes," + msgspec.json.encode(event))
