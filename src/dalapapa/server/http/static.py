"""The browser client's files, as they were built (`web/`): what is compressed is sent so."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

FOLDER = Path(os.environ.get("DALAPAPA_WEB") or Path(__file__).parents[2] / "web")
"""The build; another one, for those who work on the client (`web/README.md`)."""

PAGES = (
    "t", "new", "lesson", "rules", "analysis", "solver", "replay", "dominoes", "print", "problems",
    "problem", "challenge", "samples",
)  # fmt: skip
"""The first parts of the client's addresses; all of them get the same page."""

Handler = Callable[[Request], Awaitable[Response]]

KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self';"
    " img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self';"
    " form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
"""Nothing from elsewhere, and nothing inline."""

NO_PAGE = "default-src 'none'; frame-ancestors 'none'"
"""Of files that are parts of pages: opened as a page of their own, they may do nothing at all."""

HEADERS = {"content-security-policy": POLICY, "cache-control": "no-cache"}


async def asset(request: Request) -> Response:
    """A file whose name changes with what is in it: it may be kept for ever."""
    response = _sent(request, f"assets/{request.path_params['name']}")
    response.headers["cache-control"] = "max-age=31536000, immutable"
    response.headers["content-security-policy"] = NO_PAGE
    return response


async def file(request: Request) -> Response:
    """Icons, the manifest and the worker that keeps the client for times without a network."""
    return _sent(request, "{name}.{kind}".format(**request.path_params))


async def page(request: Request) -> Response:
    """The one page of the client, whatever it will show."""
    path: str = request.path_params["path"]
    if path and path.split("/", 1)[0] not in PAGES:
        raise HTTPException(404)
    if not (FOLDER / "index.html").exists():
        return PlainTextResponse("The browser client is not built: `make play` builds it.\n", 503)
    if not (FOLDER / "preload.json").exists():
        return _sent(request, "index.html")
    name, _, rest = path.partition("/")
    known = msgspec.json.decode((FOLDER / "preload.json").read_bytes(), type=Preload)
    table = _table_at(request, rest, known) if name == "t" else []
    links = named(known, name, request.headers.get("accept-language", ""), table)
    head = f"{request.state.preview}{links}</head>"
    text = (FOLDER / "index.html").read_text(encoding="utf-8").replace("</head>", head)
    return HTMLResponse(text, headers={**HEADERS, "vary": "accept-language"})


def named(known: Preload, page: str, languages: str, table: list[str]) -> str:
    """Links to what a page will want, in the first of the reader's languages that we speak.

    Named in the page, they come all at once instead of one after the other.
    """
    wishes = [wish.strip()[:2].lower() for wish in languages.split(",")]
    language = next((wish for wish in wishes if wish in known.languages), "en")
    files = known.pages.get(page) or Files([], [])
    texts = known.texts.format(page=page or "home", language=language)
    modules = [*files.modules, *table, texts]
    return "".join(
        [f'<link rel="stylesheet" href="{file}" />' for file in files.styles]
        + [f'<link rel="modulepreload" href="{file}" />' for file in modules]
    )


def _table_at(request: Request, id: str, known: Preload) -> list[str]:
    """What a table that is in use will want; a page does not wait for the database."""
    live = request.app.state.services.tables.held(id)
    if live is None:
        return []
    waiting = live.state.phase == "waiting"
    return known.waiting if waiting else known.tables.get(live.state.settings.game, [])


class Files(msgspec.Struct):
    """What a page needs besides what every page begins with."""

    modules: list[str]
    styles: list[str]


class Preload(msgspec.Struct):
    """What the build says of its files (`web/build.mjs`)."""

    pages: dict[str, Files]
    tables: dict[str, list[str]]
    """By game: what its table needs besides the page of tables."""
    waiting: list[str]
    """The same before a game, while players are missing."""
    texts: str
    languages: list[str]


def missing(request: Request) -> Response | None:
    """For whoever looks at an address where nothing is: the page of the client that says so.

    Programs, and what a page loads, get the plain answer.
    """
    looks = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    if (
        not looks
        or request.scope["path"].startswith("/api/")
        or not (FOLDER / "index.html").exists()
    ):
        return None
    response = _sent(request, "index.html")
    response.status_code = 404
    return response


def _sent(request: Request, name: str) -> Response:
    """A file of the build, compressed as the browser understands it."""
    path = FOLDER / name
    kind = KINDS.get(path.suffix)
    if kind is None or not _ours(path):
        raise HTTPException(404)
    headers = {**HEADERS, "vary": "accept-encoding"}
    accepted = request.headers.get("accept-encoding", "")
    for coding, ending in (("br", ".br"), ("gzip", ".gz")):
        packed = path.with_name(path.name + ending)
        if coding in accepted and packed.exists():
            headers["content-encoding"] = coding
            path = packed
            break
    return Response(path.read_bytes(), media_type=kind, headers=headers)


def _ours(path: Path) -> bool:
    """Whether a path is a file of the build, whatever was asked for."""
    try:
        return path.is_file() and path.resolve().is_relative_to(FOLDER.resolve())
    except (OSError, ValueError):  # A name that is too long, or with a NUL in it.
        return False


def routes() -> list[Route]:
    """The client's addresses, for one application.

    They are answered one after the other, with whatever else there is to do in between: else fifty
    pages asked for at once are answered in one go, and a move waits for all of them.
    """
    turn = asyncio.Lock()

    async def previewed(request: Request) -> Response:
        # Before its turn: nobody else waits for what the database says of a link.
        request.state.preview = await request.app.state.services.previews.head(request)
        return await ordered(request)

    def in_turn(handler: Handler) -> Handler:
        async def answer(request: Request) -> Response:
            async with turn:
                await asyncio.sleep(0)
                return await handler(request)

        return answer

    ordered = in_turn(page)
    found = [
        Route("/assets/{name}", in_turn(asset)),
        Route("/{name}.{kind}", in_turn(file)),
        Route("/{path:path}", previewed),
    ]
    for route in found:
        route.methods = {"GET"}
    return found
