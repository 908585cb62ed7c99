"""Link previews: what a page says of itself to those who show links, and the pictures for that.

The words are those of a page that anybody with the link may open, without the names of players:
others keep previews, where nobody who wants to be forgotten can reach them. Pages do not wait for
more than a short look into the database, and only a few look at a time.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from html import escape
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote, unquote, urlencode

import msgspec
from msgspec import Meta
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from .... import problems as problem_room
from .... import rulebook
from ....core.errors import DalapapaError, Malformed, MissingExtra
from ....core.tiles import STANDARD
from ....texts import LANGUAGES, say
from ...schemas import Body, Position, SetName
from ...storage.store import ID
from ...traffic.allowed_hosts import Hosts
from ...workers import preview_images
from .. import static
from ..context import Call
from ..routing import Routes
from .problems import WhichProblem
from .tables import TablePath

routes = Routes("/api")

PNG = ("image/png",)

KEPT = {"cache-control": "public, max-age=86400"}
"""Of what never changes."""

FRESH = {"cache-control": "public, max-age=60"}
"""Of what goes on."""

LOOK = 0.15
"""Seconds that a page waits for the database to say what a link is about."""

MOST_LOOKS = 4
"""Looks at once; else the page says something more general."""

MAX_LINK = 3000
"""Letters of a position in a link whose picture is offered."""

HOST = re.compile(r"[A-Za-z0-9._:\[\]-]{1,255}")


class Told(NamedTuple):
    """What is said of a page; the picture by its path."""

    title: str
    text: str
    image: str = "/preview.png"


# -- pictures ----------------------------------------------------------------------------------


class PositionPreview(Body, frozen=True, kw_only=True):
    """A position to draw, and dominoes in hand."""

    position: Position = ""
    hand: Annotated[str, Meta(max_length=400, description="Names, with commas.")] = ""
    set: SetName = "120"


@routes.add("GET", "/preview.png", media=PNG, refuses=[404, 409])
async def position(call: Call, query: PositionPreview) -> Response:
    """A picture of a position for link previews, 1200 by 630."""
    hand = tuple(filter(None, query.hand.split(",")))
    wanted = preview_images.of_position, query.position, hand, query.set
    return await _picture(call, KEPT, *wanted)


@routes.add("GET", "/problem/preview.png", media=PNG, refuses=[404])
async def problem(call: Call, query: WhichProblem) -> Response:
    """A picture of a problem for link previews, without its solution."""
    return await _picture(call, KEPT, preview_images.of_problem, query.wanted)


@routes.add("GET", "/tables/{id}/preview.png", media=PNG)
async def table(call: Call, path: TablePath) -> Response:
    """A picture of what everybody sees on a table, for link previews."""
    live = await call.tables.find(path.id)
    state = live.state
    shown = None if state.game_state is None else state.game_state.table
    if state.settings.spectators == "none" and state.phase != "over":
        shown = None
    if shown is None or not len(shown):
        return _motif()
    return await _picture(
        call, FRESH, preview_images.of_table, shown, key=("table", live.id, state.version)
    )


async def _picture(
    call: Call,
    headers: dict[str, str],
    job: Callable[..., bytes],
    *args: Any,
    key: tuple[object, ...] | None = None,
) -> Response:
    """Drawn once for all who ask; where nothing can be drawn, the picture of all pages."""
    name = ("preview", *(key or (job.__name__, *args)))
    kept, slow = call.services.kept, call.services.questions.slow
    found = kept.get(name)
    try:
        if found is None:
            found = await call.wait(kept.of(name, slow.ask(job, *args, address=call.address)))
    except MissingExtra:
        return _motif()
    return Response(found.data, headers=headers, media_type="image/png")


def _motif() -> Response:
    """The picture that the client brings."""
    path = static.FOLDER / "preview.png"
    if not path.is_file():
        raise HTTPException(404)  # The browser client is not built.
    return Response(path.read_bytes(), headers=FRESH, media_type="image/png")


# -- words -------------------------------------------------------------------------------------


def language_of(accepted: str) -> str:
    """The first of the reader's languages that we speak."""
    wishes = [wish.strip()[:2].lower() for wish in accepted.split(",")]
    return next((wish for wish in wishes if wish in LANGUAGES), "en")


def read_link(query: str) -> dict[str, str]:
    """What stands behind `?` in a link of ours: a plus is a plus, as layings have it."""
    parts = [part.partition("=") for part in query.split("&")]
    return {name: unquote(value) for name, _, value in parts if value}


def _query(request: Request) -> str:
    """What stands behind `?`. Not from `request.url`, of which the host of a request is a part."""
    text: bytes = request.scope["query_string"]
    return text.decode(errors="replace")


class Previews:
    """What pages say of themselves; `public_url` is where players reach the server, if known."""

    def __init__(self, hosts: Hosts | None = None, public_url: str = "") -> None:
        self.hosts = hosts or Hosts()
        self.public_url = public_url
        self._looks: set[asyncio.Task[Any]] = set()

    async def head(self, request: Request) -> str:
        """The lines for the head of a page."""
        language = language_of(request.headers.get("accept-language", ""))
        try:
            told = await self.told(request, language)
        except DalapapaError:
            told = Told("Dalapapa", say("previews", "about", language))
        base = self._base(request)
        query = f"?{text}" if (text := _query(request)) else ""
        lines: Mapping[str, str] = {
            "og:type": "website",
            "og:site_name": "Dalapapa",
            "og:locale": language,
            "og:title": told.title,
            "og:description": told.text,
            "og:url": f"{base}/{quote(request.scope['path'].lstrip('/'), safe='/%')}{query}",
            "og:image": base + told.image,
            "og:image:width": str(preview_images.WIDTH),
            "og:image:height": str(preview_images.HEIGHT),
            "og:image:alt": told.title,
        }
        named = {"description": told.text, "twitter:card": "summary_large_image"}
        return "".join(
            [
                *[f'<meta name="{name}" content="{escape(text)}" />'
                  for name, text in named.items()],
                *[f'<meta property="{name}" content="{escape(text)}" />'
                  for name, text in lines.items()],
            ]
        )  # fmt: skip

    def _base(self, request: Request) -> str:
        """The beginning of our addresses; without a host if the one of the request is not ours."""
        host = request.headers.get("host", "")
        if HOST.fullmatch(host) and self.hosts.may_name(host):
            return f"{request.scope['scheme']}://{host}"
        return self.public_url

    async def told(self, request: Request, language: str) -> Told:
        """What is said of the page that was asked for."""
        page, _, rest = request.scope["path"].removeprefix("/").partition("/")
        query = read_link(_query(request))
        match page:
            case "t" | "replay" if ID.fullmatch(rest):
                return await self._table(request, rest, language)
            case "challenge" if ID.fullmatch(rest):
                return await self._challenge(request, rest, language)
            case "problem":
                return _problem(query, language)
            case "analysis" if query.get("p"):
                return _position(query, language)
            case "new" | "rules" if rest in rulebook.GAMES:
                return Told(*rulebook.describe_game(rest, language))
        return Told("Dalapapa", say("previews", "about", language))

    async def _table(self, request: Request, id: str, language: str) -> Told:
        services = request.app.state.services
        live = services.tables.held(id)
        found: tuple[str, str] | None = None
        if live is None:
            found = await self.look(services.store.glimpse(id))
        else:
            found = live.state.settings.game, live.state.phase
        if found is None:
            return Told("Dalapapa", say("previews", "about", language))
        name, goal = rulebook.describe_game(found[0], language)
        title = say("previews", found[1], language, game=name)
        return Told(title, goal, f"/api/tables/{id}/preview.png")

    async def _challenge(self, request: Request, id: str, language: str) -> Told:
        """Without a picture of the game, which nobody should know beforehand."""
        found = await self.look(request.app.state.services.challenges.find(id))
        if found is None:
            return Told("Dalapapa", say("previews", "about", language))
        name, _ = rulebook.describe_game(found.settings.game, language)
        title = say("previews", "challenge", language, game=name)
        return Told(title, say("previews", "challenge_text", language))

    async def look(self, asked: Any) -> Any:
        """What the database says, if it says it at once; else None."""
        if len(self._looks) >= MOST_LOOKS:
            asked.close()
            return None
        task = asyncio.create_task(asked)
        self._looks.add(task)
        task.add_done_callback(self._looks.discard)
        await asyncio.wait({task}, timeout=LOOK)
        # SQLite cannot be left alone with half an answer: it ends by itself.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return None if not task.done() or task.exception() else task.result()

    async def close(self) -> None:
        """Look no more."""
        await asyncio.gather(*self._looks, return_exceptions=True)


def _problem(query: dict[str, str], language: str) -> Told:
    asked = {name: text for name, text in query.items() if name in WhichProblem.__struct_fields__}
    if "date" not in asked and "seed" not in asked:
        kind = "frame" if asked.get("kind") == "frame" else "turn"
        return Told(*_problem_words(kind, None, language))
    try:
        which = msgspec.convert(asked, WhichProblem, strict=False)
    except msgspec.ValidationError as error:
        raise Malformed(str(error)) from None
    wanted = which.wanted
    words = _problem_words(wanted.kind, wanted.date, language)
    return Told(*words, f"/api/problem/preview.png?{urlencode(asked)}")


def _problem_words(kind: str, date: str | None, language: str) -> tuple[str, str]:
    title = say("previews", kind, language)
    if date is not None:
        day = problem_room.parse_date(date)
        month = f"{day.month:02}"
        said = say("previews", "date", language, day=day.day, month=month, year=day.year)
        title = f"{title}, {said}"
    return title, say("previews", f"{kind}_text", language)


def _position(query: dict[str, str], language: str) -> Told:
    words = say("previews", "position", language), say("previews", "position_text", language)
    asked = {"position": query["p"].replace("_", " "), "hand": query.get("h", "")}
    link = urlencode({**asked, "set": query["s"] if query.get("s") in STANDARD else "120"})
    return Told(*words, f"/api/preview.png?{link}") if len(link) <= MAX_LINK else Told(*words)
