"""The files of the browser client as `web/` builds them, with their compressed versions."""

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

from ..payload import compress_async
from .context import negotiate_language
from .page_previews import PagePreviews

FOLDER = Path(os.environ.get("DALAPAPA_WEB") or Path(__file__).parents[2] / "web")
"""The build; the variable names another one while the client is developed (`web/README.md`)."""

ENGINE = Path(os.environ.get("DALAPAPA_ENGINE") or FOLDER / "engine")
"""The engine for browsers, if `make engine` has built it: pages then offer tables on the device."""

PAGES = (
    "t", "new", "lesson", "rules", "analysis", "solver", "replay", "dominoes", "print", "problems",
    "problem", "challenge", "companion", "samples",
)  # fmt: skip
"""The first segments of the client's paths; all of them get the same page."""

ENGINE_MANIFEST = "manifest.json"
ENGINE_LINK = '<meta id="engine" name="engine" content="/engine/" />'
"""How a page learns where the engine is."""

Handler = Callable[[Request], Awaitable[Response]]

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
    ".zip": "application/zip",
}

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self';"
    " img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self';"
    " form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
"""For the page: no resources of other origins, and nothing inline."""

ASSET_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""For assets: opened as a page of their own, they may load and run nothing."""

ENGINE_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self';"
    " frame-ancestors 'none'"
)
"""For the workers of the engine, which obey the policy of their own script."""

HEADERS = {"content-security-policy": PAGE_POLICY, "cache-control": "no-cache"}


async def serve_asset(request: Request) -> Response:
    """A file whose name has a digest of its content: browsers may cache it for ever."""
    response = _send_file(request, f"assets/{request.path_params['name']}")
    response.headers["cache-control"] = "max-age=31536000, immutable"
    response.headers["content-security-policy"] = ASSET_POLICY
    return response


async def serve_file(request: Request) -> Response:
    """Icons, the manifest, and the service worker for offline use."""
    return _send_file(request, "{name}.{kind}".format(**request.path_params))


async def serve_engine_file(request: Request) -> Response:
    """A file of the engine for browsers; all names but that of the manifest have a digest."""
    name: str = request.path_params["name"]
    path = ENGINE / name
    kind = MEDIA_TYPES.get(path.suffix)
    if kind is None or not _is_below(path, ENGINE):
        raise HTTPException(404)
    headers = {"content-security-policy": ENGINE_POLICY, "vary": "accept-encoding"}
    is_manifest = name == ENGINE_MANIFEST
    headers["cache-control"] = "no-cache" if is_manifest else "max-age=31536000, immutable"
    data = await asyncio.to_thread(path.read_bytes)
    if path.suffix != ".zip" and "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        data = await _compress_once(path, data)
    return Response(data, media_type=kind, headers=headers)


_compressed: dict[tuple[Path, int], bytes] = {}
"""Files of the engine by path and time, compressed once."""


async def _compress_once(path: Path, data: bytes) -> bytes:
    key = path, path.stat().st_mtime_ns
    if key not in _compressed:
        _compressed[key] = (await compress_async(data)).gzipped
    return _compressed[key]


async def serve_page(request: Request) -> Response:
    """The single page of the client, with links to the files that this path needs."""
    path: str = request.path_params["path"]
    if path and path.split("/", 1)[0] not in PAGES:
        raise HTTPException(404)
    if not (FOLDER / "index.html").exists():
        return PlainTextResponse(
            "The browser client is not built: run `make play` to build it.\n", 503
        )
    if not (FOLDER / "preload.json").exists():
        return _send_file(request, "index.html")
    name, _, rest = path.partition("/")
    build = msgspec.json.decode((FOLDER / "preload.json").read_bytes(), type=Preload)
    table = _find_table_files(request, rest, build) if name == "t" else []
    links = render_links(build, name, request.headers.get("accept-language", ""), table)
    engine = ENGINE_LINK if (ENGINE / ENGINE_MANIFEST).exists() else ""
    head = f"{request.state.preview}{engine}{links}</head>"
    text = (FOLDER / "index.html").read_text(encoding="utf-8").replace("</head>", head)
    return HTMLResponse(text, headers={**HEADERS, "vary": "accept-language"})


def render_links(build: Preload, page: str, accepted: str, table: list[str]) -> str:
    """Links to the files that a page needs, with texts in the reader's language.

    Because the page names them, the browser loads all of them at the same time.
    """
    language = negotiate_language(accepted, build.languages)
    files = build.pages.get(page) or Files([], [])
    texts = build.texts.format(page=page or "home", language=language)
    return "".join(map(_render_link, [*files.styles, *files.modules, *table, texts]))


def _render_link(file: str) -> str:
    rel = "stylesheet" if file.endswith(".css") else "modulepreload"
    return f'<link rel="{rel}" href="{file}" />'


def _find_table_files(request: Request, id: str, build: Preload) -> list[str]:
    """The files for a table in memory; a page does not wait for the database."""
    live = request.app.state.services.tables.held(id)
    if live is None:
        return []
    waiting = live.state.phase == "waiting"
    return build.waiting if waiting else build.tables.get(live.state.settings.game, [])


class Files(msgspec.Struct):
    """The files that a page needs in addition to those of all pages."""

    modules: list[str]
    styles: list[str]


class Preload(msgspec.Struct):
    """The manifest of the build (`web/build.mjs`)."""

    pages: dict[str, Files]
    tables: dict[str, list[str]]
    """By game: the files that its tables need in addition to the page of tables."""
    waiting: list[str]
    """The same for a table that waits for players."""
    texts: str
    languages: list[str]


def find_missing_page(request: Request) -> Response | None:
    """The client's page for a path that does not exist, if a person opens it in a browser.

    Other clients, and resources of pages, get the plain answer: then it is None.
    """
    is_page = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    if (
        not is_page
        or request.scope["path"].startswith("/api/")
        or not (FOLDER / "index.html").exists()
    ):
        return None
    response = _send_file(request, "index.html")
    response.status_code = 404
    return response


def _send_file(request: Request, name: str) -> Response:
    """A file of the build, compressed if the browser understands it."""
    path = FOLDER / name
    kind = MEDIA_TYPES.get(path.suffix)
    if kind is None or not _is_below(path, FOLDER):
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


def _is_below(path: Path, folder: Path) -> bool:
    """Whether a path is a file of a folder, even if a request tries to leave it."""
    try:
        return path.is_file() and path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):  # A name that is too long, or with a NUL in it.
        return False


def create_routes(previews: PagePreviews) -> list[Route]:
    """The client's routes, for one application.

    They are answered one after the other, and the event loop does other work in between. Otherwise
    fifty requests for pages at the same time would delay a move until all of them are answered.
    """
    turn = asyncio.Lock()

    async def serve_page_with_preview(request: Request) -> Response:
        # Before its turn, so that no other request waits for the database.
        request.state.preview = await previews.render_head(request)
        return await ordered_page(request)

    def answer_in_turn(handler: Handler) -> Handler:
        async def answer(request: Request) -> Response:
            async with turn:
                await asyncio.sleep(0)
                return await handler(request)

        return answer

    ordered_page = answer_in_turn(serve_page)
    routes = [
        Route("/assets/{name}", answer_in_turn(serve_asset)),
        Route("/engine/{name:path}", answer_in_turn(serve_engine_file)),
        Route("/{name}.{kind}", answer_in_turn(serve_file)),
        Route("/{path:path}", serve_page_with_preview),
    ]
    for route in routes:
        route.methods = {"GET"}
    return routes
