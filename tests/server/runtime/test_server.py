"""What a browser meets, and `dalapapa play`; tables are in `test_api.py` and `test_sockets.py`."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn

from dalapapa import cli
from dalapapa.client import Disconnected, Server
from dalapapa.core.errors import BadInput
from dalapapa.server.runtime import run
from dalapapa.server.traffic.limits import address_of, limits_from
from tests.support.play_command import end_process, make_play_command, run_play
from tests.support.serving import PATIENCE, in_thread


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with in_thread() as url:
        yield url


def get(url: str, path: str, method: str = "GET", **headers: str) -> httpx.Response:
    return httpx.request(
        method, url + path, headers=headers, timeout=PATIENCE, trust_env=False, verify=False
    )


# -- at the door ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/", "/health", "/metrics", "/nowhere", "/api/tables", "/?lang=xx", "/api/tables/none"]
)
def test_every_answer_has_security_headers(url: str, path: str) -> None:
    headers = get(url, path).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] in ("no-store", "no-cache")
    assert "server" not in headers
    assert "set-cookie" not in headers
    assert "access-control-allow-origin" not in headers


def test_malformed_requests_are_answered(url: str) -> None:
    assert get(url, "/nowhere").json()["code"] == "http"
    assert get(url, "/nowhere").status_code == 404
    assert get(url, "/", "POST").status_code == 405
    host, port = url.removeprefix("http://").split(":")
    for nonsense in (
        b"GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        b"GET http://[ HTTP/1.0\r\n\r\n",
        b"GET /%ff%00 HTTP/1.0\r\n\r\n",
        b"\x16\x03\x01 hello\r\n\r\n",
    ):
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as raw:
            raw.sendall(nonsense)
            assert re.match(rb"HTTP/1\.1 40[04] ", raw.recv(100))


# -- for hosts -----------------------------------------------------------------------------------


def test_health(url: str) -> None:
    answer = get(url, "/health")
    assert (answer.status_code, answer.text) == (200, "ok\n")
    assert answer.headers["content-type"].startswith("text/plain")


def test_metrics_are_counts_and_nothing_personal(url: str) -> None:
    new = httpx.post(
        f"{url}/api/tables", json={"host": "Jacqueline", "visibility": "public"},
        timeout=PATIENCE, trust_env=False, verify=False
    ).json()  # fmt: skip
    text = get(url, "/metrics").text
    for secret in ("Jacqueline", new["id"], new["token"], "127.0.0.1", "classic"):
        assert secret not in text
    samples = dict(
        re.findall(r"^(dalapapa_[a-z_]+) (\d+\.0)$", text, re.MULTILINE),
    )
    assert samples["dalapapa_tables_live"] == "1.0"
    assert samples["dalapapa_sockets"] == "0.0"
    assert samples["dalapapa_moves_total"] == "0.0"
    assert samples["dalapapa_questions_waiting"] == "0.0"
    for line in text.splitlines():
        assert re.fullmatch(r"# (HELP|TYPE) \w+ .+|\w+(\{[^\n]+\})? [\d.e+-]+", line)
    assert text.count("# TYPE") == text.count("# HELP") >= len(samples)


def test_limits_are_read_from_the_command_line() -> None:
    assert limits_from({"sockets": 7}).sockets == 7
    for wrong in ({"sockets": "many"}, {"colour": 1}):
        with pytest.raises(BadInput) as caught:
            limits_from(wrong)
        assert caught.value.code == "bad_limits"


def test_databases_as_people_write_them() -> None:
    assert run.add_driver("sqlite:///a.db") == "sqlite+aiosqlite:///a.db"
    assert run.add_driver("postgres://h/d") == "postgresql+asyncpg://h/d"
    assert run.add_driver("postgresql://h/d") == "postgresql+asyncpg://h/d"
    assert run.add_driver("postgresql+asyncpg://h/d") == "postgresql+asyncpg://h/d"


def test_the_default_database_is_in_the_data_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert run.prepare_default_database() == f"sqlite:///{tmp_path}/data/dalapapa/tables.db"
    assert (tmp_path / "data" / "dalapapa").is_dir()


# -- listening -----------------------------------------------------------------------------------


def test_a_taken_port_is_reported_or_avoided(monkeypatch: pytest.MonkeyPatch) -> None:
    with run.listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BadInput, match="Cannot listen") as caught:
            run.listen("127.0.0.1", port)
        assert caught.value.code == "cannot_listen"
        monkeypatch.setattr(run, "DEFAULT_PORT", port)
        with run.listen("127.0.0.1", None) as other:
            assert other.getsockname()[1] != port


def test_the_server_listens_on_ipv4_and_ipv6() -> None:
    try:
        listener = run.listen("::1", 0)
    except BadInput:  # This machine has none of that kind.
        return
    assert listener.getsockname()[0] == "::1"
    listener.close()


@pytest.mark.parametrize("host", ["", "nowhere.invalid", "1.2.3.4", "a b", "\ud800", "x" * 300])
def test_wrong_listen_addresses_are_refused(host: str) -> None:
    if not host:  # All addresses of this machine.
        run.listen(host, 0).close()
        return
    with pytest.raises(BadInput) as caught:
        run.listen(host, 0)
    assert caught.value.code == "cannot_listen"
    assert "\n" not in str(caught.value)


def test_a_browser_is_opened_only_with_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.system", lambda: "Linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not run.has_screen()
    monkeypatch.setenv("DISPLAY", ":0")
    assert run.has_screen()
    monkeypatch.setattr("platform.system", lambda: "Darwin")
    monkeypatch.delenv("DISPLAY")
    assert run.has_screen()


def test_play_opens_the_browser_on_the_served_page(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[str] = []
    servers: list[uvicorn.Server] = []
    build = uvicorn.Server.__init__

    def remember(server: uvicorn.Server, config: uvicorn.Config) -> None:
        build(server, config)
        servers.append(server)

    def browse(url: str) -> None:
        seen.append(get(url.rstrip("/"), "/health").text)
        servers[0].should_exit = True

    monkeypatch.setattr(uvicorn.Server, "__init__", remember)
    monkeypatch.setattr("webbrowser.open", browse)
    monkeypatch.setattr(run, "has_screen", lambda: True)
    run.serve(run.ServerOptions(port=0, database=f"sqlite:///{tmp_path / 'tables.db'}"))
    assert seen == ["ok\n"]
    assert "The server has stopped." in capsys.readouterr().out


# -- as a command --------------------------------------------------------------------------------


def test_play_starts_and_stops(tmp_path: Path) -> None:
    with run_play(tmp_path, "--port", "0") as (process, url):
        assert get(url, "/?lang=fr").status_code == 200
        assert end_process(process, signal.SIGINT) == (0, "The server has stopped.\n", "")
    assert (tmp_path / "dalapapa" / "tables.db").exists()


def test_play_ends_while_bots_play_and_people_watch(tmp_path: Path) -> None:
    """Clients learn that the server restarts, and nothing is left behind."""

    async def watch(process: subprocess.Popen[str], url: str) -> None:
        async with Server(url) as server:
            new = await server.create(seats=["random", "random"], pace=0, options={"target": 240})
            async with server.watch(new["id"]) as viewer:
                async with asyncio.timeout(PATIENCE):
                    while viewer.version < 3:
                        await viewer.changed()
                    process.send_signal(signal.SIGINT)
                    with contextlib.suppress(Disconnected):
                        while True:
                            await viewer.changed()

    with run_play(tmp_path, "--port", "0") as (process, url):
        waiting = http.client.HTTPConnection(url.removeprefix("http://"), timeout=PATIENCE)
        waiting.request("GET", "/health")
        assert waiting.getresponse().read() == b"ok\n"
        asyncio.run(watch(process, url))
        out, errors = process.communicate(timeout=PATIENCE)
        waiting.close()
    assert (process.returncode, out, errors) == (0, "The server has stopped.\n", "")


def test_play_uses_another_port_if_its_port_is_taken(tmp_path: Path) -> None:
    with (
        run.listen("127.0.0.1", None) as taken,  # 8072, unless another process has it.
        run_play(tmp_path) as (process, url),
    ):
        assert url != f"http://127.0.0.1:{taken.getsockname()[1]}"
        assert get(url, "/health").text == "ok\n"
        assert end_process(process, signal.SIGINT)[0] == 0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--database", "nonsense"], "must be sqlite"),
        (["--database", "mysql://localhost/x"], "atabase"),
        (["--database", "sqlite:////nowhere/at/all/tables.db"], "Cannot open"),
        (["--database", "postgresql://127.0.0.1:1/x"], "Cannot open"),
        (["--database", "postgresql://127.0.0.1:x/x"], "must be sqlite"),
        (["--host", "nowhere.invalid"], "Cannot listen on nowhere.invalid"),
        (["--host", "1.2.3.4"], "Cannot listen"),
        (["--limit", "sockets=many"], "The limit sockets"),
        (["--limit", "sockets"], "NAME=VALUE"),
    ],
)
def test_wrong_use_of_play_is_one_line_and_code_2(
    words: list[str],
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["dalapapa", *make_play_command("--port", "0", *words)[4:]])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    out, errors = capsys.readouterr()
    assert (caught.value.code, out) == (2, "")
    assert reason in errors
    assert errors.count("\n") == 1, errors


def test_a_file_that_is_not_a_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Hello Ann,\n" * 1000)
    result = subprocess.run(
        make_play_command("--port", "0", "--database", f"sqlite:///{file}"),
        capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert (result.returncode, result.stderr.count("\n")) == (2, 1), result.stderr
    assert file.read_text().startswith("Hello Ann")


def test_a_database_that_goes_away_at_the_start_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Between the first look at it and the start of the application."""

    async def all_is_well(_database: str, _broker: str | None) -> None:
        pass

    monkeypatch.setattr(run, "_check_database", all_is_well)
    database = f"sqlite:///{tmp_path}/nowhere/tables.db"
    how = run.ServerOptions(port=0, open_browser=False, database=database)
    with pytest.raises(SystemExit, match="3"):
        run.serve(how)
    printed = capfd.readouterr().err
    assert "Cannot open the database: unable to open database file" in printed
    assert "Traceback" not in printed


def test_limits_count_a_household_of_ipv6_as_one_address() -> None:
    def of(host: str) -> str:
        return address_of({"client": (host, 1)})

    assert of("192.0.2.7") == "192.0.2.7"
    assert of("2001:db8:1:2::7") == of("2001:db8:1:2:ffff::9") != of("2001:db8:1:3::7")
    assert of("fe80::1%eth0") == of("fe80::2%eth0")
    assert of("::ffff:192.0.2.1") == of("192.0.2.1") != of("::ffff:192.0.2.2")
    assert of("::nonsense") == "::nonsense"
    assert address_of({}) == address_of({"client": None}) == "?"
