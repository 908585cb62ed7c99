"""The page that `dalapapa play` opens."""

from __future__ import annotations

import http.client
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from dalapapa.drawing import PALETTES
from dalapapa.errors import BadInput
from dalapapa.server import app
from dalapapa.server.page import SHAPES, random_table
from dalapapa.server.texts import LANGUAGES, TEXTS, preferred
from dalapapa.tiles import standard


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    server = app.listen("127.0.0.1", 0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_address[1]
    server.shutdown()
    thread.join()
    server.server_close()


def get(port: int, path: str, method: str = "GET", **headers: str) -> tuple[int, str, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, body, str(answer.headers)


def test_the_page_shows_a_table_and_the_whole_set(port: int) -> None:
    status, body, headers = get(port, "/?seed=a&lang=en")
    assert status == 200
    assert "default-src 'none'" in headers
    assert all(f"<code>{name}</code>" in body for name in standard().names)
    pictures = re.findall(r"<svg.*?</svg>", body, re.DOTALL)
    assert len(pictures) == 121
    for picture in pictures[:3]:
        ElementTree.fromstring(picture)
    assert not re.search(r'(src|href)="(https?:)?//', body), "no request leaves the machine"
    assert "<script" not in body


def test_every_look_and_language(port: int) -> None:
    for language in LANGUAGES:
        status, body, _ = get(port, f"/?seed=a&lang={language}")
        assert status == 200
        assert f'<html lang="{language}">' in body
        assert "François Haffner" in body
    for shape in SHAPES:
        for palette in PALETTES:
            status, body, _ = get(port, f"/?shape={shape}&palette={palette}&symbols=on")
            assert status == 200
            assert f'value="{palette}" selected' in body


def test_the_browsers_language_comes_first(port: int) -> None:
    _, body, _ = get(port, "/", **{"Accept-Language": "pt, nl;q=0.8, de;q=0.9"})
    assert '<html lang="de">' in body
    assert preferred("") == "en"
    assert preferred("fr-CH, fr;q=0.9, en;q=0.8") == "fr"
    assert preferred("it;q=0, es;q=x, *") == "en"


def test_texts_are_complete() -> None:
    keys = set(TEXTS["en"])
    for language in LANGUAGES:
        assert set(TEXTS[language]) == keys
        assert all(text.strip() for text in TEXTS[language].values())
        assert all("{}" in TEXTS[language][key] for key in keys if "{}" in TEXTS["en"][key])


def test_nonsense_is_answered_and_escaped(port: int) -> None:
    for path in ("/?shape=hearts", "/?palette=%3Cb%3E", "/?lang=xx", "/?" + "a=1&" * 50):
        status, body, headers = get(port, path)
        assert status == 400
        assert "text/plain" in headers
        assert body.count("\n") == 1
    status, body, _ = get(port, "/?seed=%22%3E%3Cscript%3E&lang=en")
    assert status == 200
    assert "<script" not in body
    assert get(port, "/nowhere")[0] == 404
    assert get(port, "/../../etc/passwd")[0] == 404
    with socket.create_connection(("127.0.0.1", port), timeout=30) as raw:
        raw.sendall(b"GET http://[ HTTP/1.0\r\n\r\n")
        assert b" 400 " in raw.recv(100)
    assert get(port, "/", "POST")[0] == 501
    status, body, _ = get(port, "/health")
    assert (status, body) == (200, "ok\n")
    status, body, _ = get(port, "/", "HEAD")
    assert (status, body) == (200, "")


def test_the_same_seed_gives_the_same_table() -> None:
    assert random_table(standard(), "x") == random_table(standard(), "x")
    assert random_table(standard(), "x") != random_table(standard(), "y")


def test_a_taken_port_is_told_or_avoided(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match="Cannot listen"):
        app.listen("127.0.0.1", port)
    monkeypatch.setattr(app, "DEFAULT_PORT", port)
    server = app.listen("127.0.0.1", None)
    assert server.server_address[1] != port
    server.server_close()


def test_both_kinds_of_addresses() -> None:
    try:
        server = app.listen("::1", 0)
    except BadInput:  # This machine has none of that kind.
        return
    assert server.server_address[0] == "::1"
    server.server_close()


def test_a_screen_is_needed_for_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.system", lambda: "Linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not app.has_screen()
    monkeypatch.setenv("DISPLAY", ":0")
    assert app.has_screen()
    monkeypatch.setattr("platform.system", lambda: "Darwin")
    monkeypatch.delenv("DISPLAY")
    assert app.has_screen()


def test_play_opens_the_browser_on_the_served_page(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = threading.Event()
    seen: list[str] = []

    def browse(url: str) -> None:
        status = http.client.HTTPConnection(url.split("/")[2], timeout=30)
        status.request("GET", "/health")
        seen.append(status.getresponse().read().decode())
        opened.set()

    def serve_a_little(server: app.Server) -> None:
        while not opened.is_set():
            server.handle_request()
        raise KeyboardInterrupt

    monkeypatch.setattr("webbrowser.open", browse)
    monkeypatch.setattr(app, "has_screen", lambda: True)
    monkeypatch.setattr(app.Server, "serve_forever", serve_a_little)
    monkeypatch.setattr(app.Server, "timeout", 1)
    app.serve("127.0.0.1", 0, open_browser=True)
    assert seen == ["ok\n"]


def test_play_starts_and_stops() -> None:
    words = [sys.executable, "-u", "-m", "dalapapa", "play", "--no-browser", "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert found, line
        assert get(int(found[1]), "/?lang=fr")[0] == 200
        process.send_signal(signal.SIGINT)
        assert "Goodbye." in process.stdout.read()
    assert process.returncode == 0
