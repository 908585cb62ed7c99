"""Write the parts of docs that are generated from the code, between their marks.

python scripts/write_protocol.py

A mark is `<!-- NAME: made by make docs -->`; what it made ends at `<!-- end -->`.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import asdict

from dalapapa.core.errors import IllegalMove
from dalapapa.core.geometry import Disc
from dalapapa.core.notation import Laying
from dalapapa.games import REGISTRY
from dalapapa.games import events as event_types
from dalapapa.games.game import View
from dalapapa.games.game_texts import MAX_LANGUAGE_BYTES
from dalapapa.games.moves import OUR_KINDS, Move, TimeUp, move_from_json, move_to_json
from dalapapa.hosting import commands, encoder, layings, protocol, seat_answers
from dalapapa.hosting import settings as hosting_settings
from dalapapa.hosting import state as table_state
from dalapapa.hosting.entries import Moved, Sat
from dalapapa.hosting.settings import SeatPlan, Settings
from dalapapa.hosting.state import TableState, advance, open_table
from dalapapa.kernel.table import Table
from dalapapa.server.notify.config import NotifyConfig
from dalapapa.server.runtime import request_limits
from dalapapa.server.storage.retention_policy import RetentionPolicy
from dalapapa.server.tables import live, undo_limit
from dalapapa.server.traffic.limits import MAX_BODY_BYTES, Limits
from dalapapa.server.workers.jobs import MAX_LIST_BYTES
from dalapapa.server.ws import frame_reader, output, session

EVENTS = [
    kind
    for kind in vars(event_types).values()
    if isinstance(kind, type) and issubclass(kind, event_types.Event) and kind.__struct_config__.tag
]
"""In the order of their module."""

DOCS = Path(__file__).parents[1] / "docs"
PAGES = tuple(
    DOCS / f"{name}.md"
    for name in ("limits", "notifications", "operations", "protocol-fields", "socket")
)

WORDS: dict[Any, str] = {
    int: "number",
    float: "number",
    str: "text",
    bool: "true or false",
    Table: "position",
    Laying: "laying",
    Disc: "disc",
}

FIELDS = {
    "game": "the name of the game",
    "options": "all options ([games.md](games.md))",
    "can_undo": "whether the viewer may `undo` now",
    "outcome": "how it ended, or null during the game",
    "table": "the layings, in the order in which they were made",
    "bag_count": "dominoes in the bag",
    "hand_counts": "number of dominoes in each hand",
    "active": "whose turn it is",
    "scores": "of each player",
    "bidding": "the auction under way",
    "marks_left": "of each player",
    "given_up": "who has given up",
    "held": "what each player has in hand",
    "piles": "the pile of each player",
    "round": "number of the round, from 1",
    "sitting_out": "who sits out this round",
    "shower": "who is showing a turn",
    "dealer": "seat of the dealer",
    "tokens": "of each player",
    "reserve": "tokens in the reserve",
    "markers": "on the table, in the order in which they were put down",
    "markers_left": "of each player",
}
"""Descriptions of fields that have none in the code."""

LIMITS = {
    "messages_at_once": "messages from one socket in a burst",
    "sockets_an_address": "open sockets of one address, which may also have twice as many other"
    " connections, and open as many new ones a second",
    "sockets": "open sockets in one process",
    "requests_at_once": "HTTP requests from one address in a burst",
    "pages_at_once": "pages and their files for one address in a burst",
}


def form(kind: Any, shapes: dict[str, Any]) -> str:
    """A type in words; what it is made of goes to `shapes`."""
    if kind in WORDS:
        return WORDS[kind]
    if get_origin(kind) is UnionType:
        parts = [form(part, shapes) for part in get_args(kind) if part is not NoneType]
        return " or ".join([*parts, "null"])
    if get_origin(kind) is tuple and get_args(kind)[-1] is ...:
        return f"list of {plural(form(get_args(kind)[0], shapes))}"
    tag = kind.__struct_config__.tag
    if tag is not None:
        return f"event `{tag}`"
    name = re.sub(r"(?<!^)(?=[A-Z])", " ", kind.__name__).lower()
    if name.startswith("options") or name.endswith("options"):
        return "object"
    if name not in shapes:
        shapes[name] = kind
    return name


def plural(word: str) -> str:
    """Several of them."""
    if word.startswith("list of "):
        return f"lists of {word.removeprefix('list of ')}"
    if word.startswith("event "):
        return f"events {word.removeprefix('event ')}"
    return word if " or " in word else f"{word}s"


def sentence(text: str | None) -> str:
    """A docstring in one line, for those who do not read Python."""
    line = " ".join((text or "").split()).replace(" (`visible`)", "").replace("|", "\\|")
    line = re.sub(r"\bNone\b", "null", line).rstrip(".")
    return line[:1].upper() + line[1:]


def read_descriptions(kind: type) -> dict[str, str]:
    """Read the descriptions of the fields of a class from its source."""
    found: dict[str, str] = {}
    for one in reversed(kind.__mro__):
        if not (issubclass(one, msgspec.Struct) and one.__module__.startswith("dalapapa")):
            continue
        body = ast.parse(textwrap.dedent(inspect.getsource(one))).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, after in zip(body.body, body.body[1:], strict=False):
            if isinstance(field, ast.AnnAssign) and isinstance(after, ast.Expr):
                assert isinstance(field.target, ast.Name)
                assert isinstance(after.value, ast.Constant)
                found[field.target.id] = sentence(str(after.value.value))
    return found


def state_of(view: type) -> type:
    """The state that a view shows: it says more about the fields they share."""
    name = view.__name__.replace("View", "State")
    found: type = getattr(sys.modules[view.__module__], name, view)
    return found


def own_fields(kind: type) -> list[str]:
    """The fields that a class adds."""
    return [name for name in kind.__annotations__ if name in kind.__struct_fields__]  # type: ignore[attr-defined]


def row(*cells: str) -> str:
    """A row of a table."""
    return f"| {' | '.join(cells)} |"


def head(*cells: str) -> list[str]:
    """The first rows of a table."""
    return [row(*cells), row(*["---"] * len(cells))]


# -- the sections ----------------------------------------------------------------------------


def views() -> list[str]:
    """The fields of the views, by the games that have them; and what those are made of."""
    having: dict[type, list[str]] = {}
    for game in REGISTRY.values():
        for kind in reversed(game.view_type.__mro__):
            if issubclass(kind, View):
                having.setdefault(kind, []).append(game.name)
    shapes: dict[str, Any] = {}
    lines = head("games", "field", "form", "what")
    seen: set[str] = set()
    for kind, games in having.items():
        names = "all" if kind is View else ", ".join(games)
        says = FIELDS | read_descriptions(state_of(kind)) | read_descriptions(kind)
        hints = get_type_hints(kind)
        for name in own_fields(kind):
            if name == "options" and kind is not View:
                continue
            words = "object" if name == "options" else form(hints[name], shapes)
            lines.append(row(names, f"`{name}`", words, sentence(says[name])))
            seen.add(name)
    assert seen >= FIELDS.keys(), FIELDS.keys() - seen
    lines += ["", *phases(), "", *parts(shapes)]
    return lines


def phases() -> list[str]:
    """What `phase` may be."""
    lines = head("game", "phases")
    for game in REGISTRY.values():
        kinds = state_of(game.view_type).__mro__
        found = [re.search(r"[Tt]he phases are (.*?)\.", kind.__doc__ or "") for kind in kinds]
        lines.append(row(game.name, next(match[1] for match in found if match)))
    return lines


def parts(shapes: dict[str, Any]) -> list[str]:
    """What the fields of views and events are made of."""
    for event in EVENTS:
        for kind in get_type_hints(event).values():
            form(kind, shapes)
    lines = head("object", "fields", "what")
    done: set[str] = set()
    while todo := [name for name in shapes if name not in done]:
        for name in todo:
            done.add(name)
            lines.append(row(name, fields(shapes[name], shapes), sentence(shapes[name].__doc__)))
    return lines


def fields(kind: Any, shapes: dict[str, Any] | None = None) -> str:
    """The fields of a struct with their forms."""
    hints = get_type_hints(kind)
    words = [
        f"`{name}` {form(hints[name], {} if shapes is None else shapes)}"
        for name in kind.__struct_fields__
    ]
    return ", ".join(words) or "-"


def events() -> list[str]:
    """All events."""
    lines = head("event", "fields", "what")
    for kind in EVENTS:
        tag = kind.__struct_config__.tag
        lines.append(row(f"`{tag}`", fields(kind), sentence(kind.__doc__)))
    return lines


def moves() -> list[str]:
    """All moves that a player may send, and the games that know them."""
    lines = head("move", "besides `player`", "games", "what")
    for kind in OUR_KINDS:
        if kind is TimeUp:
            continue
        games = [
            game.name
            for game in REGISTRY.values()
            if any(
                getattr(sys.modules[one.__module__], kind.__name__, None) is kind
                for one in type(game).__mro__
            )
        ]
        names = "all" if len(games) == len(REGISTRY) else ", ".join(games)
        hints = get_type_hints(kind)
        more = [f"`{n}` {form(hints[n], {})}" for n in kind.__struct_fields__ if n != "player"]
        tag = kind.__struct_config__.tag
        lines.append(row(f"`{tag}`", ", ".join(more) or "-", names, sentence(kind.__doc__)))
    return lines


def limits() -> list[str]:
    """What `dalapapa play --limit` sets."""
    says = LIMITS | read_descriptions(Limits)
    rows = [
        row(
            f"`{name}`", f"{value:,}" if type(value) is int else f"{value:,g}", sentence(says[name])
        )
        for name, value in asdict(Limits()).items()
    ]
    return [*head("limit", "default", "what"), *rows]


def describe_retention() -> list[str]:
    """What `dalapapa play --keep` sets."""
    rows = [
        row(
            f"`{name}`",
            str(getattr(RetentionPolicy(), name)),
            sentence(read_descriptions(RetentionPolicy)[name]),
        )
        for name in RetentionPolicy.__struct_fields__
    ]
    return [*head("kind", "days", "what"), *rows]


def describe_notifications() -> list[str]:
    """How players are notified of their turns."""
    return [
        *head("name", "default", "what"),
        *[
            row(
                f"`{name}`",
                str(getattr(NotifyConfig(), name)).lower(),
                sentence(read_descriptions(NotifyConfig)[name]),
            )
            for name in NotifyConfig.__struct_fields__
        ],
    ]


def bounds() -> list[str]:
    """What no setting changes."""
    rows = (
        ("bytes of a message to the socket", protocol.MAX_MESSAGE_BYTES),
        ("bytes of the body of a request", MAX_BODY_BYTES),
        ("chunks, or segments, of the body of a request", request_limits.MAX_BODY_PIECES),
        (
            "bytes of the lengths and extensions of its chunks, and of its trailer",
            request_limits.MAX_CHUNK_OVERHEAD_BYTES,
        ),
        ("bytes of the header of a request", request_limits.MAX_HEADER_BYTES),
        ("fields of the header of a request", request_limits.MAX_HEADER_FIELDS),
        ("seconds for a header to arrive", request_limits.HEADER_TIMEOUT_S),
        ("seconds for a body to arrive", request_limits.BODY_TIMEOUT_S),
        (
            "seconds for reading an answer more slowly than 1,000 bytes a second",
            request_limits.ANSWER_TIMEOUT_S,
        ),
        ("requests in one connection waiting for an answer", request_limits.MAX_PIPELINED_REQUESTS),
        ("bytes of the settings of a table", hosting_settings.MAX_SETTINGS_BYTES),
        ("dominoes of a custom set at a new table", hosting_settings.MAX_CUSTOM_DOMINOES),
        ("layings of a seat in `may`", layings.MAX_SEAT_LAYINGS),
        ("bytes of `may` in one message", layings.MAX_MAY_BYTES),
        ("moves in one answer to `legal` without a `tile`", seat_answers.MAX_MOVES),
        ("bytes of one answer to `legal` in games of installed packages", MAX_LIST_BYTES),
        ("bytes of the texts of an installed game in one language", MAX_LANGUAGE_BYTES),
        ("seconds until `hello`", session.HELLO_TIMEOUT_S),
        ("messages refused as `too_fast` before the socket is read slowly", session.MAX_TOO_FAST),
        ("seconds of a flood before the socket is closed", frame_reader.MAX_EXCESS_S),
        ("invalid messages before the socket is closed", session.MAX_MALFORMED),
        ("messages waiting for a viewer before versions are skipped", session.MAX_QUEUED_MESSAGES),
        ("bytes waiting for a viewer before versions are skipped", output.MAX_SOCKET_BYTES),
        ("bytes waiting for all viewers at one address", output.MAX_ADDRESS_BYTES),
        ("moves of a table whose ids are remembered", live.MOVE_ID_CACHE_SIZE),
        ("entries of a table: moves, sitting down, leaving, returning", table_state.MAX_ENTRIES),
        ("entries after which nothing can be taken back", commands.MAX_VERSION_TO_UNDO),
        (
            "times that a seat can take back in a burst; after that, once every two seconds",
            undo_limit.MAX_UNDOS_AT_ONCE,
        ),
    )
    return [*head("limit", "at most"), *[row(what, f"{most:,}") for what, most in rows]]


# -- a table as an example -------------------------------------------------------------------

ID, SEED, AT = "m3APxsXUin0Zgwbm", "a table for the docs", 1_790_000_000_000


def make_started_state() -> TableState:
    """Ann has sat down beside a program, and the game begins."""
    settings = Settings("classic", (SeatPlan(), SeatPlan("medium")))
    return advance(open_table(settings, SEED, AT), Sat(0, "Ann", "0" * 64), AT)


def first_move(state: TableState) -> dict[str, Any]:
    """What Ann does."""
    return move_to_json(state.game.legal_moves(state.game.view(state.game_state, 0))[0])


def table() -> list[str]:
    """The first message that answers `hello`."""
    return format_message(encoder.encode_table(ID, make_started_state(), (0,), AT, news=False))


def news() -> list[str]:
    """The message after a move."""
    state = make_started_state()
    after = advance(state, Moved(move_from_json(first_move(state))), AT + 3000)
    message = json.loads(encoder.encode_table(ID, after, (0,), AT + 3001, news=True))
    for name in ("table", "views"):
        message[name] = ...
    return format_message(json.dumps(message, default=lambda _: "..."))


def may() -> list[str]:
    """What comes with the news for clients that requested it, much shorten."""
    state = make_started_state()
    view = state.game.view(state.game_state, 0)
    listed = json.loads(layings.finish(layings.encode_may(state.game, view, True)) or "")
    for tile, places in listed["layings"].items():
        listed["layings"][tile] = places[:1]
    return format_message(json.dumps({"may": {"0": listed}}))


def answers() -> list[str]:
    """A move and other questions, each with what comes back."""
    state = make_started_state()
    move = first_move(state)
    listed = state.game.legal_moves(state.game.view(state.game_state, 0))
    late = IllegalMove("It is not your turn.", "not_your_turn")
    pairs: tuple[tuple[dict[str, Any], bytes], ...] = (
        ({"type": "legal", "id": "a1", "seat": 0},
         protocol.encode_message(protocol.LegalMoves("a1", 1, encode_moves(listed[:2])))),
        ({"type": "move", "id": "a2", "move": move, "version": 1},
         protocol.encode_message(protocol.Accepted("a2", 2))),
        ({"type": "move", "id": "a3", "move": {"player": 0, "move": "end"}},
         protocol.encode_refusal(late, "a3")),
        ({"type": "ping", "id": "a4"},
         protocol.encode_message(protocol.Pong("a4", AT + 5000, 2))),
    )  # fmt: skip
    lines = []
    for sent, back in pairs:
        protocol.read_message(json.dumps(sent))
        lines += [f"    > {json.dumps(sent)}", f"    < {json.dumps(json.loads(back))}"]
    return lines


def encode_moves(moves: list[Move]) -> msgspec.Raw:
    """Moves as JSON."""
    return msgspec.Raw(msgspec.json.encode([move_to_json(move) for move in moves]))


def format_message(message: str | bytes) -> list[str]:
    """A message, a field on each line, broken where it is long; never inside of a text."""
    lines = []
    for key, value in json.loads(message).items():
        text = re.sub(r'"[^"]*"', lambda found: found[0].replace(" ", "\0"), json.dumps(value))
        text = text.replace('": ', '":\0').replace('"..."', "...")
        lines += textwrap.wrap(
            f'"{key}": {text},', 96, initial_indent="      ", subsequent_indent="        ",
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
    lines[-1] = lines[-1].removesuffix(",")
    return ["    {", *[line.replace("\0", " ") for line in lines], "    }"]


SECTIONS: dict[str, Callable[[], list[str]]] = {
    "views": views,
    "events": events,
    "moves": moves,
    "limits": limits,
    "kept": describe_retention,
    "notified": describe_notifications,
    "bounds": bounds,
    "table": table,
    "news": news,
    "may": may,
    "answers": answers,
}

MARK = re.compile(r"(<!-- (\w+): made by make docs -->\n).*?(<!-- end -->)", re.DOTALL)


def page(path: Path) -> str:
    """A page as it should be."""
    return MARK.sub(
        lambda found: "\n".join([found[1], *SECTIONS[found[2]](), "", found[3]]), path.read_text()
    )


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(page(path))
