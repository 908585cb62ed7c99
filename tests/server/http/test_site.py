"""The browser client's files as the server sends them."""

from __future__ import annotations

import contextlib
import gzip
import http.client
import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from dalapapa.games import REGISTRY
from dalapapa.server.http import static
from dalapapa.texts import LANGUAGES
from tests.support.serving import PATIENCE, in_thread

BUILD = Path(static.__file__).parents[2] / "web"
PAGE = "<!doctype html><title>Dalapapa</title>"
SCRIPT = "export const a = 1;\n" * 100


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with in_thread() as url:
        yield url


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small build of our own, beside a file that must not be served."""
    (tmp_path / "secret.js").write_text("secret")
    made = tmp_path / "web"
    (made / "assets").mkdir(parents=True)
    (made / "index.html").write_text(PAGE)
    (made / "assets" / "main-ABC.js").write_text(SCRIPT)
    (made / "assets" / "main-ABC.js.gz").write_bytes(gzip.compress(SCRIPT.encode()))
    (made / "assets" / "main-ABC.js.br").write_bytes(b"packed with br")
    (made / "assets" / "notes.txt").write_text("of no kind that is sent")
    (made / "assets" / "away.js").symlink_to(tmp_path / "secret.js")
    (made / "app.webmanifest").write_text("{}")
    (made / "icon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    monkeypatch.setattr(static, "FOLDER", made)
    return made


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
"""What a browser accepts when it follows a link."""


def get(
    url: str, path: str, encoding: str = "identity", accept: str = "*/*", method: str = "GET"
) -> httpx.Response:
    """Sent as it is written: httpx would tidy some paths up."""
    headers = {"accept-encoding": encoding, "accept": accept}
    with httpx.Client(base_url=url, trust_env=False, timeout=PATIENCE, verify=False) as client:
        request = client.build_request(method, "/", headers=headers)
        request.url = request.url.copy_with(raw_path=path.encode())
        return client.send(request)


def raw(url: str, path: str, encoding: str) -> tuple[http.client.HTTPResponse, bytes]:
    """The bytes as they come over the wire."""
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=PATIENCE)
    with contextlib.closing(connection):
        connection.request("GET", path, headers={"accept-encoding": encoding})
        answer = connection.getresponse()
        return answer, answer.read()


# -- pages -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    ["/", "/t/abc", "/new", "/new/gone", "/lesson", "/rules/classic", "/analysis?position=x",
     "/solver", "/replay/abc", "/dominoes", "/companion", "/companion/sand", "/t/", "/t/a/b/c"],
)  # fmt: skip
def test_every_page_of_the_client_is_the_same_page(url: str, folder: Path, path: str) -> None:
    answer = get(url, path)
    assert answer.status_code == 200
    assert answer.text == PAGE
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache", "a new build is seen at once"


@pytest.mark.parametrize(
    "path", ["/nowhere", "/tt", "/T/abc", "/assets", "/assets/", "/index", "/api", "/api/nothing"]
)
def test_other_pages_are_not_found(url: str, folder: Path, path: str) -> None:
    answer = get(url, path)
    assert answer.status_code == 404
    assert answer.json()["code"] == "http"


@pytest.mark.parametrize(
    "path",
    ["/nowhere", "/nothing.txt", "/assets/main-OLD.js", "/T/abc", "/constructor", "/%E0%A4%A",
     "/a/b%2fc"],
)  # fmt: skip
def test_a_wrong_link_shows_our_own_page(url: str, folder: Path, path: str) -> None:
    answer = get(url, path, accept=BROWSER)
    assert answer.status_code == 404
    assert answer.text == PAGE
    assert answer.headers["content-type"] == "text/html; charset=utf-8"


def test_wrong_addresses_of_the_interface_stay_json(url: str, folder: Path) -> None:
    for path, method in (("/api/nothing", "GET"), ("/api/tables/none", "GET"), ("/x", "POST")):
        answer = get(url, path, accept=BROWSER, method=method)
        assert answer.status_code in (404, 405)
        assert answer.json()["code"] in ("http", "unknown_table")


def test_without_a_build_a_wrong_link_is_answered_plainly(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(static, "FOLDER", tmp_path / "nothing")
    assert get(url, "/nowhere", accept=BROWSER).json()["code"] == "http"


def test_without_a_build_the_page_says_how_to_get_one(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(static, "FOLDER", tmp_path / "nothing")
    answer = get(url, "/")
    assert answer.status_code == 503
    assert "make play" in answer.text
    assert get(url, "/assets/main.js").status_code == 404


# -- files -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/assets/main-ABC.js", "text/javascript; charset=utf-8"),
        ("/app.webmanifest", "application/manifest+json"),
        ("/icon.svg", "image/svg+xml"),
        ("/index.html", "text/html; charset=utf-8"),
    ],
)
def test_files_have_their_content_type(url: str, folder: Path, path: str, kind: str) -> None:
    answer = get(url, path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == kind


def test_hashed_files_are_cached_for_ever(url: str, folder: Path) -> None:
    headers = get(url, "/assets/main-ABC.js").headers
    assert headers["cache-control"] == "max-age=31536000, immutable"
    assert get(url, "/icon.svg").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("br", "br"),
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("identity", None),
        ("", None),
    ],
)
def test_files_are_compressed_as_the_browser_accepts(
    url: str, folder: Path, accepted: str, coding: str | None
) -> None:
    answer, body = raw(url, "/assets/main-ABC.js", accepted)
    assert answer.headers["content-encoding"] == coding
    assert "accept-encoding" in answer.headers["vary"].lower()
    assert int(answer.headers["content-length"]) == len(body)
    match coding:
        case "br":
            assert body == b"packed with br"
        case "gzip":
            assert gzip.decompress(body).decode() == SCRIPT
        case None:
            assert body.decode() == SCRIPT


def test_uncompressed_files_are_sent_as_they_are(url: str, folder: Path) -> None:
    answer, body = raw(url, "/icon.svg", "br, gzip")
    assert answer.headers["content-encoding"] is None
    assert body.startswith(b"<svg")


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../../secret.js",
        "/assets/..%2f..%2fsecret.js",
        "/assets/..%2F..%2Fsecret.js",
        "/assets/%2e%2e/%2e%2e/secret.js",
        "/../secret.js",
        "/..%2fsecret.js",
        "/%2e%2e%2fsecret.js",
        "/..\\secret.js",
        "/assets/..%5c..%5csecret.js",
        "//etc/passwd",
        "/assets/%2fetc%2fpasswd",
        "/assets/away.js",
        "/assets/notes.txt",
        "/assets/main-ABC.js.gz",
        "/assets/main-ABC.js%00.js",
        "/assets/%00.js",
        "/assets/" + "a" * 5000 + ".js",
        "/.js",
        "/assets/.js",
        "/%ff.js",
    ],
)
def test_files_outside_the_build_are_never_sent(url: str, folder: Path, path: str) -> None:
    answer = get(url, path)
    assert answer.status_code in (400, 404)
    assert "secret" not in answer.text


def test_assets_refuse_methods_that_write(url: str, folder: Path) -> None:
    for method in ("POST", "PUT", "DELETE"):
        answer = httpx.request(
            method, f"{url}/assets/main-ABC.js", trust_env=False, timeout=PATIENCE, verify=False
        )
        assert answer.status_code == 405


# -- safety ----------------------------------------------------------------------------------------


def test_assets_have_a_strict_content_security_policy(url: str, folder: Path) -> None:
    headers = get(url, "/assets/main-ABC.js").headers
    assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", ["/", "/icon.svg"])
def test_the_policy_forbids_other_hosts_and_inline_code(url: str, folder: Path, path: str) -> None:
    headers = get(url, path).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in headers


# -- the real build --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def page() -> str:
    assert (BUILD / "index.html").exists(), "the client is not built: run `make .stamps/web`"
    return (BUILD / "index.html").read_text()


def test_the_built_page_names_existing_files(page: str) -> None:
    named = re.findall(r'(?:src|href)="/([^"]+)"', page)
    assert len(named) >= 4
    assert all((BUILD / name).is_file() for name in named)
    assert "{main}" not in page
    assert "{style}" not in page


def test_the_built_page_has_nothing_inline_or_from_elsewhere(page: str) -> None:
    assert not re.search(r"<style|\son\w+=|style=|javascript:|https?://|//[a-z]", page)
    assert re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL) == [""]


def test_every_built_file_is_compressed(page: str) -> None:
    for path in BUILD.rglob("*"):
        if path.suffix in (".js", ".css", ".html", ".svg", ".webmanifest"):
            packed = path.with_name(path.name + ".gz")
            assert gzip.decompress(packed.read_bytes()) == path.read_bytes()
            assert path.with_name(path.name + ".br").exists(), "built with --fast"


def test_the_client_can_be_installed(page: str) -> None:
    manifest = json.loads((BUILD / "app.webmanifest").read_text())
    assert {"name", "short_name", "start_url", "display", "icons"} <= manifest.keys()
    assert manifest["display"] == "standalone"
    sizes = {icon["sizes"] for icon in manifest["icons"]}
    assert {"192x192", "512x512"} <= sizes
    for icon in manifest["icons"]:
        data = (BUILD / icon["src"]).read_bytes()
        if icon["type"] == "image/png":
            assert data.startswith(b"\x89PNG")
            width = int.from_bytes(data[16:20])
            assert f"{width}x{width}" == icon["sizes"]


def test_the_worker_keeps_exactly_this_build(page: str) -> None:
    worker = (BUILD / "worker.js").read_text()
    assert "{version}" not in worker
    files = json.loads(re.search(r"const FILES = (\[.*?\]);", worker)[1])  # type: ignore[index]
    built = {f"assets/{path.name}" for path in (BUILD / "assets").iterdir()}
    built = {name for name in built if not name.endswith((".gz", ".br"))}
    assert set(files) == built | {""}


def test_a_page_preloads_its_modules(url: str, folder: Path) -> None:
    (folder / "index.html").write_text("<!doctype html><head><title>Dalapapa</title></head>")
    pages = {
        "": {"modules": [], "styles": []},
        "t": {"modules": ["/play.js"], "styles": ["/play.css"]},
        "lesson": {"modules": [], "styles": ["/play.css", "/more.css"]},
    }
    files = {
        "pages": pages,
        "tables": {"gone": ["/turns.js", "/gone.js"]},
        "waiting": ["/waiting.js"],
        "texts": "/texts-{page}-{language}.js",
        "languages": ["en", "fr"],
    }
    (folder / "preload.json").write_text(json.dumps(files))

    def named(path: str, languages: str) -> list[str]:
        answer = httpx.get(
            url + path,
            headers={"accept-language": languages},
            trust_env=False,
            timeout=PATIENCE,
            verify=False,
        )
        assert answer.headers["content-security-policy"] == static.PAGE_POLICY
        return re.findall(r'rel="(?:modulepreload|stylesheet)" href="([^"]+)"', answer.text)

    assert named("/", "fr-CH, fr;q=0.9, en;q=0.8") == ["/texts-home-fr.js"]
    assert named("/t/abc", "pt, EN-gb;q=0.5") == ["/play.css", "/play.js", "/texts-t-en.js"]
    assert named("/lesson", "") == ["/play.css", "/more.css", "/texts-lesson-en.js"]
    # The game of a table in use is known, and so are its files.
    for seats, more in (
        ([None, "random"], ["/turns.js", "/gone.js"]),
        ([None] * 2, ["/waiting.js"]),
    ):
        settings = {"game": "gone", "seats": seats, "host": "Ann"}
        made = httpx.post(
            f"{url}/api/tables", json=settings, trust_env=False, timeout=PATIENCE, verify=False
        )
        table = named(f"/t/{made.json()['id']}", "")
        assert table == ["/play.css", "/play.js", *more, "/texts-t-en.js"]


def test_the_build_names_existing_files() -> None:
    known = json.loads((BUILD / "preload.json").read_text())
    tables = [*known["tables"].values(), known["waiting"]]
    parts = [some for page in known["pages"].values() for some in page.values()]
    files = {file for some in (*parts, *tables) for file in some}
    for page in known["pages"]:
        for language in known["languages"]:
            files.add(known["texts"].format(page=page or "home", language=language))
    assert set(known["pages"]) == {"", *static.PAGES}
    assert set(known["tables"]) == set(REGISTRY)
    assert set(known["languages"]) == set(LANGUAGES)
    assert all((BUILD / file.removeprefix("/")).is_file() for file in files)
    # Few enough to come at once: browsers have six connections with HTTP/1.1, and the last two are
    # small. Two files are those that every page begins with, and one is its texts.
    for page, more in (("", 0), ("t", max(map(len, tables)))):
        assert 3 + sum(map(len, known["pages"][page].values())) + more <= 8


# -- the engine ------------------------------------------------------------------------------------


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small engine, beside a file that must not be served."""
    (tmp_path / "secret.js").write_text("secret")
    made = tmp_path / "engine"
    (made / "pyodide-1").mkdir(parents=True)
    (made / "manifest.json").write_text("{}")
    (made / "engine.worker-1.js").write_text(SCRIPT)
    (made / "pyodide-1" / "pyodide.asm.wasm").write_bytes(b"\0asm")
    (made / "python-1.zip").write_bytes(b"PK")
    monkeypatch.setattr(static, "ENGINE", made)
    return made


def test_workers_of_the_engine_may_compile_and_nothing_else_may(url: str, engine: Path) -> None:
    worker, page = get(url, "/engine/engine.worker-1.js"), get(url, "/")
    assert "'wasm-unsafe-eval'" in worker.headers["content-security-policy"]
    assert "wasm" not in page.headers["content-security-policy"]
    assert worker.headers["content-type"].startswith("text/javascript")
    assert "immutable" in worker.headers["cache-control"]
    assert get(url, "/engine/manifest.json").headers["cache-control"] == "no-cache"
    wasm = get(url, "/engine/pyodide-1/pyodide.asm.wasm")
    assert (wasm.headers["content-type"], wasm.content) == ("application/wasm", b"\0asm")
    for _ in range(2):  # The second time from memory.
        answer, data = raw(url, "/engine/engine.worker-1.js", "gzip")
        assert answer.headers["content-encoding"] == "gzip"
        assert gzip.decompress(data).decode() == SCRIPT
    answer, _ = raw(url, "/engine/python-1.zip", "gzip")
    assert answer.headers["content-encoding"] is None, "it is compressed already"
    for path in ("../secret.js", "%2e%2e/secret.js", "none.js", "pyodide-1", "x" * 5000 + ".js"):
        assert get(url, f"/engine/{path}").status_code == 404


def test_a_page_names_the_engine_only_if_it_is_there(url: str, engine: Path, folder: Path) -> None:
    preload = {"pages": {}, "tables": {}, "waiting": [], "texts": "", "languages": ["en"]}
    (folder / "preload.json").write_text(json.dumps(preload))
    (folder / "index.html").write_text("<head></head>")
    assert '<meta id="engine" name="engine" content="/engine/" />' in get(url, "/").text
    (engine / "manifest.json").unlink()
    assert "engine" not in get(url, "/").text
