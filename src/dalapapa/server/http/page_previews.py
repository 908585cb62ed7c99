"""Link previews: the `<head>` of a page, which messengers and social networks show with its link.

It says no more than a page that anyone with the link may open, and does not name players: others
cache previews, and an operator who removes a name cannot reach them. A page waits for the database
only for a moment, and only a few pages at a time.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine, Mapping
from html import escape
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote, unquote, urlencode

import msgspec
from starlette.requests import Request

from ... import problems, rulebook
from ...core.errors import DalapapaError, Malformed
from ...core.tiles import STANDARD
from ...hosting.questions import ProblemQuery
from ...texts import say
from ..services import Services
from ..storage.rows import ID
from ..traffic.allowed_hosts import AllowedHosts
from ..workers import preview_images
from .context import negotiate_language

LOOKUP_TIMEOUT_S = 0.15
"""How long a page waits for the database to find the table or challenge of a link."""

MAX_LOOKUPS = 4
"""Concurrent lookups; beyond, a page has a more general preview."""

MAX_IMAGE_QUERY = 3000
"""Characters of a position in a link whose picture is offered."""

HOST = re.compile(r"[A-Za-z0-9._:\[\]-]{1,255}")

T = TypeVar("T")


class PagePreview(NamedTuple):
    """Title, description, and the path of the picture."""

    title: str
    text: str
    image: str = "/preview.png"


def read_link_query(query: str) -> dict[str, str]:
    """The query of a link of the client, where a plus is a plus, as in layings."""
    parts = [part.partition("=") for part in query.split("&")]
    return {name: unquote(value) for name, _, value in parts if value}


def _read_query(request: Request) -> str:
    """The query of a request. Not from `request.url`, which has the host of the request."""
    text: bytes = request.scope["query_string"]
    return text.decode(errors="replace")


class PagePreviews:
    """Describes pages; `public_url` is the address of the server for players, if it is known."""

    def __init__(self, hosts: AllowedHosts | None = None, public_url: str = "") -> None:
        self.hosts: AllowedHosts = hosts or AllowedHosts()
        self.public_url = public_url
        self._lookups: set[asyncio.Task[Any]] = set()

    async def render_head(self, request: Request) -> str:
        language = negotiate_language(request.headers.get("accept-language", ""))
        try:
            preview = await self.describe(request, language)
        except DalapapaError:
            preview = _describe_site(language)
        base = self._find_base_url(request)
        query = f"?{text}" if (text := _read_query(request)) else ""
        properties: Mapping[str, str] = {
            "og:type": "website",
            "og:site_name": "Dalapapa",
            "og:locale": language,
            "og:title": preview.title,
            "og:description": preview.text,
            "og:url": f"{base}/{quote(request.scope['path'].lstrip('/'), safe='/%')}{query}",
            "og:image": base + preview.image,
            "og:image:width": str(preview_images.WIDTH),
            "og:image:height": str(preview_images.HEIGHT),
            "og:image:alt": preview.title,
        }
        names = {"description": preview.text, "twitter:card": "summary_large_image"}
        return "".join(
            [
                *[f'<meta name="{name}" content="{escape(text)}" />'
                  for name, text in names.items()],
                *[f'<meta property="{name}" content="{escape(text)}" />'
                  for name, text in properties.items()],
            ]
        )  # fmt: skip

    def _find_base_url(self, request: Request) -> str:
        """The beginning of the server's addresses; without a host if the request's is not ours."""
        host = request.headers.get("host", "")
        if HOST.fullmatch(host) and self.hosts.may_name(host):
            return f"{request.scope['scheme']}://{host}"
        return self.public_url

    async def describe(self, request: Request, language: str) -> PagePreview:
        page, _, rest = request.scope["path"].removeprefix("/").partition("/")
        query = read_link_query(_read_query(request))
        services: Services = request.app.state.services
        match page:
            case "t" | "replay" if ID.fullmatch(rest):
                return await self._describe_table(services, rest, language)
            case "challenge" if ID.fullmatch(rest):
                return await self._describe_challenge(services, rest, language)
            case "problem":
                return _describe_problem(query, language)
            case "analysis" if query.get("p"):
                return _describe_position(query, language)
            case "new" | "rules" if rest in rulebook.GAMES:
                return PagePreview(*rulebook.describe_game(rest, language))
        return _describe_site(language)

    async def _describe_table(self, services: Services, id: str, language: str) -> PagePreview:
        live = services.tables.held(id)
        found: tuple[str, str] | None = None
        if live is None:
            found = await self.look_up(services.store.glimpse(id))
        else:
            found = live.state.settings.game, live.state.phase
        if found is None:
            return _describe_site(language)
        name, goal = rulebook.describe_game(found[0], language)
        title = say("previews", found[1], language, game=name)
        return PagePreview(title, goal, f"/api/tables/{id}/preview.png")

    async def _describe_challenge(self, services: Services, id: str, language: str) -> PagePreview:
        """Without a picture of the game, which players must not see before they play."""
        found = await self.look_up(services.challenges.find(id))
        if found is None:
            return _describe_site(language)
        name, _ = rulebook.describe_game(found.settings.game, language)
        title = say("previews", "challenge", language, game=name)
        return PagePreview(title, say("previews", "challenge_text", language))

    async def look_up(self, query: Coroutine[Any, Any, T]) -> T | None:
        """The result of a query, if the database answers soon; else None."""
        if len(self._lookups) >= MAX_LOOKUPS:
            query.close()
            return None
        task = asyncio.create_task(query)
        self._lookups.add(task)
        task.add_done_callback(self._lookups.discard)
        await asyncio.wait({task}, timeout=LOOKUP_TIMEOUT_S)
        # A query of SQLite must not be cancelled half-way: it ends by itself.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return None if not task.done() or task.exception() else task.result()

    async def close(self) -> None:
        await asyncio.gather(*self._lookups, return_exceptions=True)


def _describe_site(language: str) -> PagePreview:
    return PagePreview("Dalapapa", say("previews", "about", language))


def _describe_problem(query: dict[str, str], language: str) -> PagePreview:
    given = {name: text for name, text in query.items() if name in ProblemQuery.__struct_fields__}
    if "date" not in given and "seed" not in given:
        kind = "frame" if given.get("kind") == "frame" else "turn"
        return PagePreview(*_describe_problem_kind(kind, None, language))
    try:
        request = msgspec.convert(given, ProblemQuery, strict=False).request
    except msgspec.ValidationError as error:
        raise Malformed(str(error)) from None
    words = _describe_problem_kind(request.kind, request.date, language)
    return PagePreview(*words, f"/api/problem/preview.png?{urlencode(given)}")


def _describe_problem_kind(kind: str, date: str | None, language: str) -> tuple[str, str]:
    title = say("previews", kind, language)
    if date is not None:
        day = problems.parse_date(date)
        month = f"{day.month:02}"
        text = say("previews", "date", language, day=day.day, month=month, year=day.year)
        title = f"{title}, {text}"
    return title, say("previews", f"{kind}_text", language)


def _describe_position(query: dict[str, str], language: str) -> PagePreview:
    words = say("previews", "position", language), say("previews", "position_text", language)
    given = {"position": query["p"].replace("_", " "), "hand": query.get("h", "")}
    link = urlencode({**given, "set": query["s"] if query.get("s") in STANDARD else "120"})
    if len(link) > MAX_IMAGE_QUERY:
        return PagePreview(*words)
    return PagePreview(*words, f"/api/preview.png?{link}")
