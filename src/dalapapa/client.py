"""A Python client for the server, for bots, tests and load generators.

    async with Server("http://127.0.0.1:8072") as server:
        new = await server.create(game="classic", seats=[None, "medium"], host="Ann")
        async with server.watch(new["id"], new["token"]) as seat:
            print(await seat.play(MyBot()))

`docs/socket.md` describes the messages. Their data are dictionaries, with the types of this module;
`Viewer.view` and `Viewer.play` use the values of the library. It needs the extra `client`.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import deque
from typing import Any, Literal, NotRequired, Self, TypeAlias, TypedDict, cast

import msgspec

from .bots.bot import Bot, Choice, read_choice
from .core.errors import BadInput, DalapapaError, Unavailable
from .core.extras import require
from .core.notation import Laying, shorten
from .games import find_game
from .games.events import Outcome
from .games.game import AnyGame, View
from .games.moves import AnyMove, move_to_json
from .games.plain import read_view

try:
    import httpx
    from websockets.asyncio.client import ClientConnection, connect
    from websockets.exceptions import ConnectionClosed, WebSocketException
except ModuleNotFoundError:
    require("client")
    raise

RETRY_DELAY_S = 0.1
"""Seconds to wait if the server is busy, or the client has asked too much."""


MoveData: TypeAlias = dict[str, Any]
"""A move as in records: `player`, `move`, and the fields of its kind."""

ViewData: TypeAlias = dict[str, Any]
"""A view as JSON (`docs/protocol-fields.md`); `Viewer.view` gives it as a value."""


class SeatData(TypedDict):
    """A seat as all viewers may see it."""

    name: str
    program: str | None
    free: bool
    away: bool
    replaced: bool
    hints: int


class TableData(TypedDict):
    """An online table as all viewers may see it; with the seed once the game is over."""

    id: str
    game: str
    options: dict[str, Any]
    phase: Literal["waiting", "playing", "over"]
    visibility: Literal["public", "private"]
    spectators: Literal["none", "public", "all"]
    pace: int
    aids: Literal["all", "places", "none"]
    hands: Literal["own", "open"]
    absence: int
    countdown: int
    hints: Literal["yes", "alone", "no"]
    seats: list[SeatData]
    clock: dict[str, Any]
    commitment: str
    begins: int | None
    deadline: int | None
    timer: int | None
    rematch: str | None
    host: int | None
    capabilities: list[str]
    time_runs_for: NotRequired[int | None]
    time_left: NotRequired[list[int]]
    seed: NotRequired[str]


class NewTableData(TypedDict):
    """A table that was created, with the token of your seats."""

    id: str
    token: str
    seats: list[int]
    table: TableData


class VersionData(TypedDict):
    """The version at which a change is durable."""

    version: int


class Refused(DalapapaError):
    """The server refused a request; `code` says why."""


class RefusedForNow(Refused, Unavailable):
    """The server cannot answer any request now: its database is unavailable, or it is full."""


class Disconnected(Unavailable):
    """The connection is closed. Watch again: no accepted move is lost."""

    default_code = "disconnected"


def _make_refusal(data: dict[str, Any]) -> Refused:
    for_now = ("busy", "full", "no_database", "stopping")
    kind = RefusedForNow if data["code"] in for_now else Refused
    return kind(data["message"], data["code"], **data.get("values", {}))


class Server:
    """A server at a URL."""

    def __init__(self, url: str) -> None:
        try:
            place = httpx.URL(url)
        except httpx.InvalidURL:
            place = httpx.URL()
        if place.scheme not in ("http", "https") or not place.host or (place.port or 0) > 65535:
            raise BadInput(
                "The address of a server must look like http://127.0.0.1:8072, not"
                f" {shorten(url, 200)}.",
                "bad_url",
            )
        self.url: str = str(place).rstrip("/")
        self.http: httpx.AsyncClient = httpx.AsyncClient(
            base_url=f"{self.url}/api",
            timeout=30,
            trust_env=False,
            verify=place.scheme == "https",  # Loading certificates takes 50 ms.
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def ask(self, method: str, path: str, token: str | None = None, **body: Any) -> Any:
        """Send a request over HTTP and return the answer; raise `Refused`."""
        return (await self._request(method, path, token, body)).json()

    async def _request(
        self, method: str, path: str, token: str | None, body: dict[str, Any]
    ) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        content = msgspec.json.encode(body) if method != "GET" else None
        if content is not None:
            headers["Content-Type"] = "application/json"
        try:
            answer = await self.http.request(method, path, content=content, headers=headers)
        except httpx.TransportError:
            raise Disconnected(f"The server at {self.url} does not answer.") from None
        if answer.is_success:
            return answer
        try:
            raise _make_refusal(answer.json())
        except (ValueError, KeyError, TypeError):
            raise Refused(
                f"The server at {self.url} answered with the HTTP status {answer.status_code}.",
                "http",
            ) from None

    async def create(self, **settings: Any) -> NewTableData:
        """Create a table (`NewTable` in the OpenAPI document); return its id, token and seats."""
        return cast(NewTableData, await self.ask("POST", "/tables", **settings))

    async def sit(self, table: str, seat: int, name: str) -> str:
        """Take a seat, and return its token."""
        answer = await self.ask("POST", f"/tables/{table}/seats/{seat}", name=name)
        token: str = answer["token"]
        return token

    async def leave(self, table: str, seat: int, token: str) -> VersionData:
        """Leave a seat."""
        left = await self.ask("DELETE", f"/tables/{table}/seats/{seat}", token)
        return cast(VersionData, left)

    async def come_back(self, table: str, seat: int, token: str) -> VersionData:
        """Return to a seat that was left."""
        back = await self.ask("POST", f"/tables/{table}/seats/{seat}/return", token)
        return cast(VersionData, back)

    async def record(self, table: str, token: str | None = None) -> bytes:
        """Return the record of a game as a file; private tables need a token."""
        return (await self._request("GET", f"/tables/{table}/record", token, {})).content

    def watch(self, table: str, *tokens: str) -> Viewer:
        """Watch a table, as the owner of some seats or as a spectator."""
        return Viewer(self.url, table, tokens)


class Viewer:
    """A table as one viewer sees it, always at the newest version that has arrived."""

    def __init__(self, url: str, id: str, tokens: tuple[str, ...]) -> None:
        self.address: str = f"ws{url.removeprefix('http')}/api/tables/{id}/socket"
        self.tokens = tokens
        self.version: Any = -1
        self.table: TableData
        """Set as soon as the connection is open, like the two below."""
        self.yours: list[int] = []
        """Your seats."""
        self.views: dict[str, ViewData] = {}
        """By seat, or `spectator`."""
        self.events: deque[Any] = deque(maxlen=1000)
        """Events that have arrived; code that reads them clears them."""
        self._connection: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        self._answers: dict[str | None, asyncio.Future[Any]] = {}
        self._ended: DalapapaError | None = None

    async def __aenter__(self) -> Self:
        try:
            self._connection = await connect(
                self.address, max_size=4_000_000, compression=None, proxy=None, open_timeout=30
            )
        except (OSError, ValueError, WebSocketException) as error:
            raise Disconnected(f"Cannot connect to the table: {type(error).__name__}.") from None
        try:
            await self._send({"type": "hello", "tokens": list(self.tokens)})
            self._reader = asyncio.create_task(self._read())
            await self.changed()
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._reader is not None:
            self._reader.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reader
        if self._connection is not None:
            await self._connection.close()

    async def changed(self) -> None:
        """Wait until there is something new since the last call."""
        if self._ended is not None:
            raise self._ended
        await self._news.wait()
        self._news.clear()
        if self._ended is not None:
            raise self._ended

    @property
    def game(self) -> AnyGame:
        """The rules of the game."""
        return find_game(self.table["game"])

    def view(self, seat: int | None = None) -> View:
        """What one of your seats (by default the first) sees, or a spectator, as a value."""
        shown = self.yours[0] if seat is None and self.yours else seat
        return read_view(self.game, self.views["spectator" if shown is None else str(shown)])

    async def play(self, bot: Bot[Any], seat: int | None = None) -> Outcome:
        """Let a bot play one of your seats (by default the first) to the end of the game.

        An illegal choice of the bot raises `Refused`. The bot thinks in a thread.
        """
        number = self._find_seat(seat)
        bot.sit_down(self.game, secrets.token_hex(16))
        while self.table["phase"] != "over":
            version = self.version
            playing = self.table["phase"] == "playing"
            moves = await self.legal(number) if playing else []
            if self.version != version:
                continue  # The list may be of another version than the view.
            if not moves:
                await self.changed()
                continue
            chosen = await asyncio.to_thread(bot.choose, self.view(number))
            try:
                await self.move(chosen, seat=number)
            except Refused:
                if self.version == version:
                    raise
        outcome = self.view(number).outcome
        assert outcome is not None
        return outcome

    def _find_seat(self, seat: int | None) -> int:
        if seat is None and not self.yours:
            raise BadInput("You have no seat at this table: watch it with a token.", "no_seat")
        return self.yours[0] if seat is None else seat

    async def legal(self, seat: int | None = None, tile: str | None = None) -> list[MoveData]:
        """Return the legal moves of one of your seats (by default the first), or of one domino."""
        number = self._find_seat(seat)
        message: dict[str, Any] = {"type": "legal", "id": secrets.token_hex(8), "seat": number}
        if tile is not None:
            message["tile"] = tile
        answer = await self._answer(message)
        moves: list[MoveData] = answer["moves"]
        return moves

    async def move(
        self,
        move: Choice,
        version: int | None = None,
        id: str | None = None,
        seat: int | None = None,
    ) -> int:
        """Make a move, and return the version at which it is durable; raise `Refused`.

        A laying or text is a move of `seat`, by default of your first one.
        """
        mark = id or secrets.token_hex(8)
        if isinstance(move, AnyMove | Laying | str):
            view = self.view(self._find_seat(seat))
            move = move_to_json(read_choice(move, self.game, view))
        message: dict[str, Any] = {"type": "move", "id": mark, "move": move}
        if version is not None:
            message["version"] = version
        answer = await self._answer(message)
        made: int = answer["version"]
        return made

    async def _answer(self, message: dict[str, Any]) -> Any:
        while True:
            if self._ended is not None:
                raise self._ended
            future = self._answers[message["id"]] = asyncio.get_running_loop().create_future()
            await self._send(message)
            try:
                return await future
            except Refused as error:
                if error.code == "too_early":  # A race starts for all players at the same time.
                    await asyncio.sleep(float(error.values["wait"]) / 1000)
                elif error.code in ("too_fast", "too_many", "busy"):
                    await asyncio.sleep(RETRY_DELAY_S)
                else:
                    raise

    async def _send(self, message: dict[str, Any]) -> None:
        assert self._connection is not None
        try:
            await self._connection.send(msgspec.json.encode(message).decode())
        except ConnectionClosed:
            if self._reader is not None:  # It gets the reason, if the server has sent one.
                await asyncio.wait([self._reader])
            raise self._ended or Disconnected("The connection is closed.") from None

    async def _read(self) -> None:
        assert self._connection is not None
        closed = Disconnected("The connection is closed.")
        ended: DalapapaError = closed
        try:
            async for data in self._connection:
                ended = self._take(msgspec.json.decode(data)) or closed
        except ConnectionClosed:
            pass
        finally:
            self._ended = ended
            self._news.set()
            for future in self._answers.values():
                if not future.done():
                    future.set_exception(ended)
                    future.exception()  # Otherwise asyncio warns that no caller has retrieved it.

    def _take(self, message: dict[str, Any]) -> DalapapaError | None:
        """Handle a message; a refusal without an id may be the last message of the server."""
        match message["type"]:
            case "table":
                self.version = message["version"]
                self.table = message["table"]
                self.yours = message["yours"]
                self.views = message["views"]
                self.events.extend(message["events"])
                self._news.set()
            case "refused":
                error = _make_refusal(message)
                # Malformed messages have no id. Answers come in the order of the questions.
                asked = message.get("id", next(iter(self._answers), None))
                future = self._answers.pop(asked, None)
                if future is not None and not future.done():
                    future.set_exception(error)
                return None if "id" in message else error
            case _:
                future = self._answers.pop(message.get("id"), None)
                if future is not None and not future.done():
                    future.set_result(message)
        return None
