"""Link previews: what is said and drawn of a page, in the reader's language, and what is not."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest

from dalapapa import rulebook
from dalapapa.client import Server
from dalapapa.core.errors import MissingExtra
from dalapapa.server.app import create_app
from dalapapa.server.http import page_previews, static
from dalapapa.server.http.context import negotiate_language
from dalapapa.server.http.page_previews import MAX_LOOKUPS, PagePreviews, read_link_query
from dalapapa.server.notify.config import NotifyConfig
from dalapapa.server.storage.store import Store
from dalapapa.server.traffic.allowed_hosts import AllowedHosts
from dalapapa.server.workers import preview_images
from dalapapa.server.workers.pool import Workers
from dalapapa.texts import LANGUAGES, say
from tests.support.online_games import give_up, start_duel
from tests.support.paths import ROOT
from tests.support.serving import PATIENCE, Served, a_second_later, served
from tests.support.waiting import run_other_tasks

pytestmark = pytest.mark.anyio  # Workers draw the pictures.

PNG = b"\x89PNG\r\n\x1a\n"
POSITION = "DRBGY+0@0,0 DBGYR+1@0,-2"


@pytest.fixture
async def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Served]:
    """With a build of our own."""
    (tmp_path / "index.html").write_text("<html><head><title>x</title></head></html>")
    (tmp_path / "preload.json").write_text(
        '{"pages": {}, "tables": {}, "waiting": [], "texts": "/texts.js", "languages": ["en"]}'
    )
    (tmp_path / "preview.png").write_bytes(PNG + b"the motif")
    monkeypatch.setattr(static, "FOLDER", tmp_path)
    async with served() as here:
        yield here


async def ask(here: Served, path: str, **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(timeout=PATIENCE, trust_env=False, verify=False) as client:
        return await client.get(here.url + path, headers=headers)


async def read_preview(
    here: Served, path: str, language: str = "en", **headers: str
) -> dict[str, str]:
    answer = await ask(here, path, **{"accept-language": language, **headers})
    assert answer.status_code == 200
    found = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)" />', answer.text)
    return {name: unescape(text) for name, text in found}


async def picture(here: Served, address: str) -> bytes:
    answer = await ask(here, address.removeprefix(here.url))
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    return answer.content


# -- words -----------------------------------------------------------------------------------------


async def test_every_page_has_a_title_and_a_description(here: Served) -> None:
    for path in ("/", "/problems", "/new", "/lesson", "/t/", "/replay", "/analysis"):
        found = await read_preview(here, path)
        assert found["og:title"] == "Dalapapa"
        assert found["og:description"] == found["description"] == say("previews", "about", "en")
        assert found["og:url"] == here.url + path
        assert found["og:image"] == f"{here.url}/preview.png"
        assert found["twitter:card"] == "summary_large_image"
        assert (await picture(here, found["og:image"])).startswith(PNG)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_previews_are_in_the_language_of_the_reader(here: Served, language: str) -> None:
    found = await read_preview(here, "/rules/classic", f"{language}-XX,en;q=0.5")
    assert found["og:locale"] == language
    assert f"# {found['og:title']}" == rulebook.page("classic", language).splitlines()[0]
    day = await read_preview(here, "/problem?date=2026-11-16", language)
    assert say("previews", "turn", language) in day["og:title"]
    assert "2026" in day["og:title"]


def test_unknown_languages_fall_back_to_english() -> None:
    assert (
        negotiate_language("")
        == negotiate_language("*")
        == negotiate_language("pt-BR,ja;q=0.9")
        == "en"
    )
    assert negotiate_language("pt, de-CH;q=0.8") == "de"


async def test_addresses_in_previews_name_the_requested_host(here: Served) -> None:
    found = await read_preview(here, "/problem?date=2026-11-16", host="my-house.local:8072")
    assert found["og:url"] == "http://my-house.local:8072/problem?date=2026-11-16"
    assert found["og:image"].startswith("http://my-house.local:8072/api/problem/preview.png?")
    safe = await read_preview(here, "/", **{"x-forwarded-proto": "https", "host": "my-house.local"})
    assert safe["og:url"] == "https://my-house.local/"
    refused = await ask(here, "/", host="evil.example")
    assert refused.status_code == 421


@contextlib.asynccontextmanager
async def served_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hosts: AllowedHosts, url: str = ""
) -> AsyncIterator[Served]:
    """A server that answers to some names, with the build of `here`."""

    def create(*given: Any, **named: Any) -> Any:
        return create_app(*given, **{**named, "hosts": hosts, "notify": NotifyConfig(url=url)})

    monkeypatch.setattr("tests.support.serving.create_app", create)
    async with served(f"sqlite+aiosqlite:///{tmp_path / 'more.db'}") as other:
        yield other


EVIL = (
    "evil.example", "evil.example:80", "203.0.113.66", "[2001:db8::66]",
    "evil.local@evil.example", 'x"><script>', "evil.example/t",
)  # fmt: skip


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("url", ["", "https://play.example.org"])
async def test_a_host_that_is_not_allowed_is_never_in_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    """Also where any name is answered: then the configured URL or no host stands in links."""
    async with served_for(tmp_path, monkeypatch, AllowedHosts(["*", "mine.example"]), url) as other:
        for host in EVIL:
            for path in ("/", "/problem?date=2026-11-16", "/nothing-here"):
                answer = await ask(other, path, host=host, accept="text/html")
                assert "evil" not in str(answer.headers).lower() + answer.text
                assert "203.0.113.66" not in answer.text + str(answer.headers)
                assert "2001:db8" not in answer.text
            found = await read_preview(other, "/problem?date=2026-11-16", host=host)
            assert found["og:url"] == f"{url}/problem?date=2026-11-16"
            assert found["og:image"].startswith(f"{url}/api/problem/preview.png?")
        mine = await read_preview(other, "/", host="mine.example:8072")
        assert mine["og:url"] == "http://mine.example:8072/"


@pytest.mark.usefixtures("here")
async def test_other_headers_and_request_targets_name_no_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served_for(tmp_path, monkeypatch, AllowedHosts(["mine.example"])) as other:
        for name in ("x-forwarded-host", "x-host", "forwarded", "x-original-host", "origin"):
            found = await ask(other, "/", **{name: "evil.example", "host": "mine.example"})
            assert "evil" not in found.text
        port = int(other.url.rpartition(":")[2])
        for request in (
            b"GET http://evil.example/ HTTP/1.1\r\nHost: mine.example\r\n\r\n",
            b"GET http://evil.example/t/x HTTP/1.1\r\nHost: mine.example\r\n\r\n",
            b"GET //evil.example/ HTTP/1.1\r\nHost: mine.example\r\n\r\n",
            b"GET / HTTP/1.0\r\n\r\n",
            b"GET / HTTP/1.0\r\nHost: evil.example\r\n\r\n",
            b"GET http://evil.example/ HTTP/1.0\r\n\r\n",
        ):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
            answer = (await asyncio.wait_for(reader.read(), PATIENCE)).decode()
            writer.close()
            assert answer.startswith("HTTP/1.")
            _, _, body = answer.partition("\r\n\r\n")
            head = body if "421" not in answer.splitlines()[0] else ""  # It names what it refuses.
            assert "//evil" not in head.replace("://mine.example//evil", "")


def test_links_name_allowed_hosts_only() -> None:
    hosts = AllowedHosts(["mine.example", "203.0.113.5", "*"])
    for host in (
        "mine.example", "MINE.example.:80", "203.0.113.5:8072", "my-house.local", "attic",
        "localhost:8072", "127.0.0.1", "192.168.1.5:8072", "[::1]:80", "[fe80::1]",
    ):  # fmt: skip
        assert hosts.may_name(host), host
    for host in (*EVIL, "", "x y", "8.8.8.8", "mine.example.evil.example"):
        assert not hosts.may_name(host), host


async def test_nothing_in_an_address_becomes_markup(here: Served) -> None:
    for path in ('/rules/"><script>', "/problem?date=%22%3E%3Cscript%3E", '/analysis?p="><b>x',
                 "/t/%22%3E%3Cscript%3E", "/problem?seed=<b>&grade=x", "/?%00%ff"):  # fmt: skip
        answer = await ask(here, path)
        assert answer.status_code == 200
        assert "<script>" not in answer.text
        assert "<b>" not in answer.text


async def test_previews_show_the_phase_of_a_table_without_names(
    here: Served, tmp_path: Path
) -> None:
    async with Server(here.url) as server:
        new = await server.create(game="classic", seats=[None, None], host="Secret Ann")
        waiting = await read_preview(here, f"/t/{new['id']}")
        assert waiting["og:title"] == "Come and play: The classic game"
        assert waiting["og:image"] == f"{here.url}/api/tables/{new['id']}/preview.png"
        table, _, bob = await start_duel(server)
        assert (await read_preview(here, f"/t/{table}"))["og:title"].startswith(
            "A game in progress"
        )
        await give_up(server, table, 1, bob)
        assert "Ann" not in str(waiting)
    unknown = await read_preview(here, "/t/nothing-here")
    assert unknown["og:title"] == "Dalapapa"


@pytest.mark.parametrize("archived", [False, True])
async def test_a_preview_of_a_table_that_is_not_in_memory(
    database: str, here: Served, archived: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served(database) as other, Server(other.url) as server:
        new = await server.create(game="gone", seats=["easy", "easy"], pace=0)
        async with server.watch(new["id"]) as viewer:
            while viewer.table["phase"] != "over":
                await viewer.changed()
        if archived:
            from dalapapa.server.storage.retention import Retention
            from dalapapa.server.storage.retention_policy import RetentionPolicy

            assert (
                await Retention(other.store, RetentionPolicy(over=0), a_second_later()).sweep()
            ).archived == 1
    monkeypatch.setattr(page_previews, "LOOKUP_TIMEOUT_S", PATIENCE)
    async with served(database) as again:
        assert again.tables.held(new["id"]) is None
        found = await read_preview(again, f"/replay/{new['id']}", "fr")
        assert found["og:title"].startswith("Revois cette partie")


async def test_a_page_does_not_wait_for_the_database(
    here: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = asyncio.Event()

    async def slow(_store: Store, _id: str) -> Any:
        await free.wait()
        raise OSError("and then it fails")

    monkeypatch.setattr(Store, "glimpse", slow)
    monkeypatch.setattr(page_previews, "LOOKUP_TIMEOUT_S", 0.01)
    try:
        for _ in range(2 * MAX_LOOKUPS):
            assert (await read_preview(here, "/t/somewhere"))["og:title"] == "Dalapapa"
    finally:
        free.set()


async def test_lookups_of_pages_are_limited() -> None:
    free, asked = asyncio.Event(), 0

    async def look() -> str:
        nonlocal asked
        asked += 1
        await free.wait()
        return "seen"

    previews = PagePreviews()
    waiting = [asyncio.create_task(previews.look_up(look())) for _ in range(10)]
    await run_other_tasks(5)
    free.set()
    found = await asyncio.gather(*waiting)
    assert asked == found.count("seen") == MAX_LOOKUPS
    await previews.close()


def test_a_plus_in_a_link_is_a_plus() -> None:
    assert read_link_query("p=A+0@0,0_B-1@2,2&h=X%2CY&s") == {"p": "A+0@0,0_B-1@2,2", "h": "X,Y"}


# -- pictures --------------------------------------------------------------------------------------


def size(png: bytes) -> tuple[int, int]:
    assert png.startswith(PNG)
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


def test_the_default_preview_has_the_right_size() -> None:
    motif = (ROOT / "web" / "public" / "preview.png").read_bytes()
    assert size(motif) == size(preview_images.draw_default_preview()) == (1200, 630)
    assert len(motif) < 100_000


async def test_positions_and_problems_are_drawn(here: Served) -> None:
    link = "/analysis?p=" + POSITION.replace(" ", "_") + "&h=PGBYR"
    found = await read_preview(here, link)
    assert found["og:title"] == say("previews", "position", "en")
    first = await picture(here, found["og:image"])
    assert size(first) == (1200, 630)
    assert await picture(here, found["og:image"]) == first
    for kind in ("turn", "frame"):
        page = await read_preview(here, f"/problem?kind={kind}&date=2026-11-16")
        assert size(await picture(here, page["og:image"])) == (1200, 630)
    long = await read_preview(here, "/analysis?p=" + "A" * 5000)
    assert long["og:image"].endswith("/preview.png")


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("position=nonsense", "malformed_laying"),
        ("hand=UNKNOWN", "unknown_domino"),
        ("hand=" + ",".join(["PRYGB"] * 19), "bad_hand"),
        ("size=5", "malformed"),
        ("set=121", "malformed"),
    ],
)
async def test_impossible_pictures_are_refused(here: Served, query: str, code: str) -> None:
    answer = await ask(here, f"/api/preview.png?{query}")
    assert answer.status_code in (409, 422)
    assert answer.json()["code"] == code


async def test_only_what_a_spectator_may_see_is_drawn(here: Served) -> None:
    motif = PNG + b"the motif"
    async with Server(here.url) as server:
        for spectators in ("public", "none"):
            new = await server.create(
                game="classic", seats=[None, "easy"], host="Ann", pace=0, spectators=spectators,
                options={"first": 0},
            )  # fmt: skip
            address = f"/api/tables/{new['id']}/preview.png"
            assert await picture(here, address) == motif  # Nothing lies there yet.
            async with server.watch(new["id"], new["token"]) as seat:
                moves = await seat.legal()
                await seat.move(next(move for move in moves if move["move"] == "lay"))
            shown = await picture(here, address)
            assert (shown == motif) == (spectators == "none")
            assert shown == motif or size(shown) == (1200, 630)


async def test_without_the_extra_there_is_the_picture_of_the_client(
    here: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Workers, "ask", missing)
    found = await picture(here, f"/api/preview.png?position={POSITION.replace('+', '%2B')}")
    assert found == PNG + b"the motif"


async def missing(*_args: object, **_options: object) -> bytes:
    """What a worker says where the extra is not installed; it needs no process to say it."""
    raise MissingExtra("A PNG picture needs more.", "no_png")
