"""The judge: what players were promised and sent, beside what the database holds.

Pure: it gets a table with its log, and what its viewers noted. Tests that kill servers
(`crash.py`, `benchmarks/soak`) ask it afterwards; `test_judge.py` sees that it finds
what is wrong.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec

from dalapapa.core.errors import DalapapaError
from dalapapa.games.events import Showed, Undone, WentBack
from dalapapa.games.moves import move_to_json
from dalapapa.hosting import encoder
from dalapapa.hosting.entries import Moved
from dalapapa.hosting.state import TableState, advance
from dalapapa.hosting.state import open_table as opened_table
from dalapapa.hosting.stored import StoredEntry, StoredTable
from dalapapa.hosting.tokens import hash_token

UNSURE = {"no_database", "busy", "full", "too_fast", "too_many"}
"""Refusals after which it is unknown whether the move was made, or which say: try again."""


class Accepted(msgspec.Struct):
    """A move that a server called durable."""

    version: int
    mark: str
    move: dict[str, Any]


class Declined(msgspec.Struct):
    """A move that a server refused."""

    code: str
    mark: str
    move: dict[str, Any]


class Heard(msgspec.Struct):
    """All that came over one connection, and the seats that its viewer owns."""

    seats: tuple[int, ...]
    messages: list[bytes] = []
    in_order: bool = True
    """Whether the line is one that keeps the order of messages."""


class Promises(msgspec.Struct):
    """What servers sent to the people at one table."""

    accepted: list[Accepted] = []
    declined: list[Declined] = []
    heard: list[Heard] = []
    tokens: list[str] = []


class Findings(msgspec.Struct):
    """What is wrong; one line each."""

    lost: list[str] = []
    """A move was acknowledged, and is not there."""
    doubled: list[str] = []
    """A move was made twice."""
    made_anyway: list[str] = []
    """A move was refused, and is there."""
    untrue: list[str] = []
    """A viewer saw what the log does not give."""
    leaks: list[str] = []
    """A viewer received what only others may know."""

    def add(self, other: Findings) -> None:
        """Take in what was found elsewhere."""
        for kind in self.__struct_fields__:
            getattr(self, kind).extend(getattr(other, kind))

    def __bool__(self) -> bool:
        return any(getattr(self, kind) for kind in self.__struct_fields__)


def examine(kept: StoredTable | None, log: list[StoredEntry], promises: Promises) -> Findings:
    """Everything that is wrong with a table; nothing, if servers have kept their word."""
    if kept is None:
        return Findings(lost=["a table that was set up is gone"])
    found = _of_promises(log, promises)
    states = [opened_table(kept.settings, kept.seed, kept.created)]
    try:
        for stored in log:
            states.append(advance(states[-1], stored.entry, stored.at))
    except DalapapaError as error:
        found.lost.append(f"entry {len(states)} does not follow from those before: {error.code}")
        return found
    for heard in promises.heard:
        _of_connection(states, heard, promises.tokens, found)
    return found


def _of_promises(log: list[StoredEntry], promises: Promises) -> Findings:
    found = Findings()
    if [stored.number for stored in log] != list(range(1, len(log) + 1)):
        found.lost.append("the log has a gap")
    by_number = {stored.number: stored for stored in log}
    for one in promises.accepted:
        stored = by_number.get(one.version)
        if stored is None:
            found.lost.append(f"version {one.version} was acknowledged, and is not there")
        elif not isinstance(stored.entry, Moved) or (
            (move_to_json(stored.entry.move), stored.nonce) != (one.move, _nonce(one))
        ):
            found.lost.append(f"version {one.version} was acknowledged as another move")
    kept = Counter(stored.nonce for stored in log if stored.nonce is not None)
    found.doubled += [f"one id was made {n} times" for n in kept.values() if n > 1]
    versions: dict[str, set[int]] = {}
    for one in promises.accepted:
        versions.setdefault(_nonce(one), set()).add(one.version)
    found.doubled += [
        f"one id was acknowledged as versions {sorted(those)}"
        for those in versions.values()
        if len(those) > 1
    ]
    for refusal in promises.declined:
        if refusal.code not in UNSURE and _nonce(refusal) in kept.keys() - versions.keys():
            found.made_anyway.append(f"a move was refused ({refusal.code}), and is there")
    return found


def _nonce(move: Accepted | Declined) -> str:
    return hash_token(f"{move.move.get('player')} {move.mark}")


def _of_connection(
    states: list[TableState], heard: Heard, tokens: Iterable[str], found: Findings
) -> None:
    last = -1
    for data in heard.messages:
        text, message = data.decode(), msgspec.json.decode(data)
        found.leaks += [f"{message['type']}: a token" for token in tokens if token in text]
        version = message.get("version")
        if not isinstance(version, int):
            found.leaks += [
                f"{message['type']}: {what}" for what in _find_secrets(text, states[-1])
            ]
            continue
        if version >= len(states):
            found.untrue.append(f"version {version} was sent, and is not there")
            continue
        state = states[version]
        hidden = leaks(text, state, heard.seats)
        found.leaks += [f"{message['type']} {version}: {what}" for what in hidden]
        if message["type"] != "table":
            continue
        if tuple(message["yours"]) != heard.seats:
            found.untrue.append(f"version {version} listed the seats {message['yours']}")
        elif message["views"] != views(state, heard.seats):
            found.untrue.append(f"version {version} looked different")
        if heard.in_order and version <= last:
            found.untrue.append(f"version {version} was sent after {last}")
        last = version


def views(state: TableState, seats: tuple[int, ...]) -> Any:
    """What the owner of some seats sees, as it arrives."""
    return msgspec.json.decode(msgspec.json.encode(encoder.build_views(state, seats)))


# -- secrets -------------------------------------------------------------------------------------


def shown_to_all(state: TableState) -> set[str]:
    """Dominoes that the last entry showed to everybody, wherever they are now."""
    names = {event.tile for event in state.events if isinstance(event, WentBack)}
    names |= {event.laying.tile for event in state.events if isinstance(event, Undone)}
    return names | {n for event in state.events if isinstance(event, Showed) for n in event.tiles}


def hidden_from(state: TableState, seats: tuple[int, ...]) -> set[str]:
    """The dominoes that the owner of some seats (none: a spectator) must not know of."""
    game_state, settings = state.game_state, state.settings
    if game_state is None or state.phase == "over":
        return set()
    seen = set(seats)
    if (settings.spectators == "all" and not seats) or (
        settings.hands == "open" and (seats or settings.spectators != "none")
    ):
        seen = set(range(len(state.seats)))
    names = set(getattr(getattr(game_state, "bag", None), "names", ()))
    for seat, hand in enumerate(getattr(game_state, "hands", ())):
        if seat not in seen:
            names |= set(hand)
    return names - shown_to_all(state)


def leaks(text: str, state: TableState, seats: tuple[int, ...]) -> list[str]:
    """Secrets that a message contains."""
    found = sorted(hidden_from(state, seats) & set(re.findall(r"\w+", text)))
    return found + _find_secrets(text, state)


def _find_secrets(text: str, state: TableState) -> list[str]:
    """What must stay secret: the seed of a game that goes on, and hashes of tokens."""
    found = [state.seed] if state.phase != "over" and state.seed in text else []
    return found + [seat.owner for seat in state.seats if seat.owner and seat.owner in text]


# -- what servers write --------------------------------------------------------------------------


def tracebacks(text: str) -> list[str]:
    """The last line of each traceback in what a server wrote, and what it forgot to wait for."""
    found = []
    for part in text.split("Traceback (most recent call last)")[1:]:
        lines = [line for line in part.splitlines()[1:] if line[:1] not in ("", " ", "\t")]
        found.append(lines[0] if lines else "cut off")
    return found + [line for line in text.splitlines() if "was never awaited" in line]
