"""Behind a reverse proxy: limits count the clients that it forwards, and believe no other peer."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import socket
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from dalapapa import cli
from dalapapa.client import Server
from dalapapa.core.errors import BadInput
from dalapapa.server.monitoring import logging_setup
from dalapapa.server.traffic.proxies import (
    LOOPBACK,
    TrustedProxies,
    UntrustedForwards,
    list_trusted_peers,
    read_proxies,
)
from tests.support.forwarding import forwarding
from tests.support.missing import Missing
from tests.support.paths import ROOT
from tests.support.serving import served
from tests.support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.anyio


# -- the option ------------------------------------------------------------------------------------


def test_proxies_are_addresses_and_networks() -> None:
    assert read_proxies(["127.0.0.1,::1", "10.1.0.0/16 fd00::/8"]) == (
        *("127.0.0.1/32", "::1/128", "10.1.0.0/16", "fd00::/8"),
    )
    assert read_proxies(["none"]) == ()
    assert "10.1.7.7" in TrustedProxies(["10.1.0.0/16"])
    assert "::ffff:10.1.7.7" in TrustedProxies(["10.1.0.0/16"])
    assert "10.2.7.7" not in TrustedProxies(["10.1.0.0/16"])
    assert "?" not in TrustedProxies(["10.1.0.0/16"])
    assert list_trusted_peers(["10.1.0.0/16", "::1"]) == [
        "10.1.0.0/16",
        "::ffff:10.1.0.0/112",
        "::1",
    ]


@pytest.mark.parametrize(
    "word", ["nginx", "*", "10.0.0.5/8", "0.0.0.0/0", "::/0", "1.2.3", "none,"]
)
def test_other_proxies_are_refused_in_a_sentence(word: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_proxies([word, "10.0.0.1"])
    assert caught.value.code == "bad_proxy"


# -- a proxy of our own ----------------------------------------------------------------------------


@contextlib.asynccontextmanager
async def opened_sockets(
    url: str, table: str, addresses: list[str]
) -> AsyncIterator[list[ClientConnection]]:
    """One socket from each address, all opened at the same moment."""
    async with contextlib.AsyncExitStack() as stack:
        place = f"{url.replace('http', 'ws')}/api/tables/{table}/socket"
        opening = (
            connect(place, proxy=None, compression=None, local_addr=(own, 0)) for own in addresses
        )
        opened = await asyncio.gather(*opening)
        for one in opened:
            stack.push_async_callback(one.close)
        yield opened


def client_addresses(count: int) -> list[str]:
    return [f"127.0.1.{number}" for number in range(1, count + 1)]


async def get_status(url: str, address: str, **headers: str) -> int:
    """Ask once from an address; the header names have `_` for `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    transport = httpx.AsyncHTTPTransport(local_address=address, verify=False)
    async with httpx.AsyncClient(transport=transport, trust_env=False, timeout=PATIENCE) as http:
        return (await http.get(f"{url}/health", headers=named)).status_code


async def test_150_players_behind_a_proxy_have_sockets() -> None:
    """With the default of 100 sockets for one address, which all of them seemed to have."""
    async with served(sockets_an_address=100) as here, Server(here.url) as server:
        table = (await server.create(seats=[None, None]))["id"]
        async with (
            forwarding(here.url) as proxy,
            opened_sockets(proxy, table, client_addresses(150)),
        ):
            await wait_until(lambda: len(here.services.sockets.open) == 150, "150 sockets")


async def test_all_players_come_back_at_once_behind_a_named_proxy() -> None:
    """After a restart: connections are counted before a header says for whom they are."""
    proxies = read_proxies(["127.0.0.1"])
    async with (
        served(sockets_an_address=10, proxies=proxies) as here,
        Server(here.url) as server,
        forwarding(here.url) as proxy,
    ):
        table = (await server.create(seats=[None, None]))["id"]
        async with opened_sockets(proxy, table, client_addresses(60)):
            await wait_until(lambda: len(here.services.sockets.open) == 60, "60 sockets")


async def test_one_address_behind_a_proxy_has_the_limit_of_one() -> None:
    async with served(sockets_an_address=20) as here, Server(here.url) as server:
        table = (await server.create(seats=[None, None]))["id"]
        async with (
            forwarding(here.url) as proxy,
            opened_sockets(proxy, table, ["127.0.1.1"] * 20),
            opened_sockets(proxy, table, ["127.0.1.2"]),
        ):
            with pytest.raises(InvalidStatus) as refused:
                async with opened_sockets(proxy, table, ["127.0.1.1"]):
                    pass
            assert refused.value.response.status_code == 403


async def test_an_untrusted_peer_cannot_claim_another_address() -> None:
    async with served(requests_per_second=0.001, requests_at_once=2) as here:
        claims = [f"192.0.2.{number}" for number in range(4)]
        responses = [await get_status(here.url, "127.0.2.1", x_forwarded_for=one) for one in claims]
        assert responses == [200, 200, 429, 429]
        assert await get_status(here.url, "127.0.0.1", x_forwarded_for="192.0.2.9") == 200


async def test_the_last_hop_that_is_not_a_proxy_is_the_client() -> None:
    """What a client puts in front of the chain says nothing."""
    async with (
        served(requests_per_second=0.001, requests_at_once=2) as here,
        forwarding(here.url, append=True) as proxy,
    ):
        claims = ["192.0.2.1", "192.0.2.2, 127.0.0.1", "192.0.2.3, ::1"]
        responses = [await get_status(proxy, "127.0.1.1", x_forwarded_for=one) for one in claims]
        assert responses == [200, 200, 429]
        assert await get_status(proxy, "127.0.1.2", x_forwarded_for=claims[0]) == 200


async def test_two_proxies_in_a_row_are_passed_over() -> None:
    """The outer one is in a network that the operator names."""
    proxies = read_proxies(["127.0.0.1,127.0.3.0/24"])
    async with (
        served(proxies=proxies, requests_per_second=0.001, requests_at_once=1) as here,
        forwarding(here.url, append=True) as inner,
        forwarding(inner, own="127.0.3.7", append=True) as outer,
    ):
        for client in ("127.0.1.1", "127.0.1.2"):
            assert await get_status(outer, client) == 200
        assert await get_status(outer, "127.0.1.1", x_forwarded_for="192.0.2.1") == 429


async def test_only_the_named_proxies_are_believed() -> None:
    proxies = read_proxies(["127.0.3.0/24"])
    limits: dict[str, Any] = {"requests_per_second": 0.001, "requests_at_once": 1}
    async with (
        served(proxies=proxies, **limits) as here,
        forwarding(here.url, own="127.0.3.7") as named,
        forwarding(here.url, own="127.0.4.7") as other,
    ):
        responses = [await get_status(named, one) for one in client_addresses(3)]
        assert responses == [200, 200, 200]
        responses = [await get_status(other, one) for one in client_addresses(3)]
        assert responses == [200, 429, 429]
    async with served(proxies=read_proxies(["none"]), **limits) as here:
        responses = [
            await get_status(here.url, "127.0.0.1", x_forwarded_for=one)
            for one in client_addresses(2)
        ]
        assert responses == [200, 429]


async def test_a_forgotten_proxy_is_named_in_the_log_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with served() as here, forwarding(here.url, own="127.0.4.7") as proxy:
        for client in client_addresses(3):
            assert await get_status(proxy, client) == 200
            assert await get_status(here.url, "127.0.0.1", x_forwarded_for=client) == 200
    lines = [one.getMessage() for one in caplog.records if "X-Forwarded-For" in one.getMessage()]
    assert len(lines) == 1
    assert "127.0.4.7" in lines[0]
    assert "--proxy" in lines[0]


def test_public_addresses_are_logged_only_on_request(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    untrusted = UntrustedForwards()
    for number in range(50):
        untrusted.note(f"8.8.8.{number}")
    (line,) = caplog.messages
    assert "8.8.8" not in line
    monkeypatch.setattr(logging_setup, "LOG_ADDRESSES", True)
    for number in range(50):
        untrusted.note(f"8.8.8.{number}")
    assert "8.8.8.0" in caplog.messages[1]
    assert len(caplog.messages) <= 10


# -- what operators copy ---------------------------------------------------------------------------


def read_proxy_option(words: list[str]) -> tuple[str, ...]:
    """The proxies that a command line of ours names."""
    context = cli.commands.commands["play"].make_context("play", words)
    return read_proxies(context.params["proxies"])


def test_compose_trusts_the_network_through_which_the_proxy_comes() -> None:
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    command = compose["services"]["server"]["command"][1:]
    (pool,) = compose["networks"]["default"]["ipam"]["config"]
    default = re.compile(r"\$\{\w+:-([^}]+)\}")
    words = [default.sub(r"\1", word) for word in command]
    assert read_proxy_option(words) == (default.sub(r"\1", pool["subnet"]),)
    assert f"--proxy={pool['subnet']}" in command, "both change together"
    # A client on another machine must not be able to come in through that network.
    assert all(port.startswith("127.0.0.1:") for port in compose["services"]["server"]["ports"])


@pytest.mark.parametrize("variable", ["DALAPAPA_PROXY", "FORWARDED_ALLOW_IPS"])
def test_the_environment_names_proxies(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`FORWARDED_ALLOW_IPS` is the variable of uvicorn, which operators know."""
    monkeypatch.setenv(variable, "10.0.0.5,172.30.72.0/24")
    assert read_proxy_option(["--no-browser"]) == ("10.0.0.5/32", "172.30.72.0/24")
    assert read_proxy_option(["--no-browser", "--proxy=none"]) == ()


def test_compose_units_and_docs_name_the_variable_of_uvicorn() -> None:
    for name in ("compose.yaml", "deploy/dalapapa.service", "deploy/dalapapa@.service",
                 "docs/public-server.md"):  # fmt: skip
        assert "FORWARDED_ALLOW_IPS" in (ROOT / name).read_text(encoding="utf-8"), name


@pytest.mark.parametrize("unit", ["dalapapa.service", "dalapapa@.service"])
def test_units_name_their_proxy(unit: str) -> None:
    text = (ROOT / "deploy" / unit).read_text(encoding="utf-8")
    (command,) = re.findall(r"^ExecStart=\S+/dalapapa play (.+)$", text, re.MULTILINE)
    assert "--proxy" in command
    assert read_proxy_option(command.split()) == read_proxies(LOOPBACK)


# -- the documented proxies ------------------------------------------------------------------------


def read_documented_configuration(word: str) -> str:
    """The block of docs/public-server.md that contains a word, without its indentation."""
    page = (ROOT / "docs/public-server.md").read_text(encoding="utf-8")
    blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", page, re.MULTILINE)
    (found,) = [block for block in blocks if word in block]
    return re.sub(r"^    ", "", found, flags=re.MULTILINE)


def replace_once(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, f"{old!r} should be in the documentation once"
    return text.replace(old, new)


def prepare_nginx(folder: Path, port: int, server: str) -> list[str]:
    """Write the documented configuration, but for ports and TLS; return the command."""
    site = read_documented_configuration("proxy_set_header")
    site = re.sub(r"^ *ssl_.*\n", "", site, flags=re.MULTILINE)
    site = replace_once(site, "listen 443 ssl;", f"listen 127.0.0.1:{port};")
    site = replace_once(site, "server 127.0.0.1:8072;", f"server {server};")
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    Path(folder, "nginx.conf").write_text(
        f"pid {folder}/pid;\nerror_log stderr;\nevents {{ worker_connections 4000; }}\n"
        f"http {{\n{temporary}{site}}}\n"
    )
    how = "daemon off; user root;" if os.geteuid() == 0 else "daemon off;"
    return ["-p", f"{folder}", "-c", f"{folder}/nginx.conf", "-g", how]


def prepare_caddy(folder: Path, port: int, server: str) -> list[str]:
    """Write the documented configuration, but for ports and TLS; return the command."""
    site = read_documented_configuration("reverse_proxy")
    site = replace_once(site, "dalapapa.example {", f"http://127.0.0.1:{port} {{")
    site = replace_once(site, "127.0.0.1:8072", server)
    Path(folder, "Caddyfile").write_text(
        f"{{\n    admin off\n    log {{\n        level ERROR\n    }}\n}}\n{site}"
    )
    return ["run", "--config", f"{folder}/Caddyfile", "--adapter", "caddyfile"]


def prepare_haproxy(folder: Path, port: int, server: str) -> list[str]:
    """Write the documented configuration, but for ports and TLS; return the command."""
    site = read_documented_configuration("default_backend")
    site = replace_once(site, "bind :443 ssl crt /etc/ssl/dalapapa.pem", f"bind 127.0.0.1:{port}")
    site = replace_once(site, "127.0.0.1:8072", server)
    Path(folder, "haproxy.cfg").write_text(site)
    return ["-db", "-f", f"{folder}/haproxy.cfg"]


PROXIES = {
    "nginx": ("nginx-light", prepare_nginx),
    "caddy": ("caddy", prepare_caddy),
    "haproxy": ("haproxy", prepare_haproxy),
}
"""The Debian package of each documented proxy, and what prepares its start."""


@contextlib.contextmanager
def run_documented_proxy(name: str, url: str) -> Iterator[str]:
    """The address of a proxy with the documented configuration."""
    package, prepare = PROXIES[name]
    program = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    if program is None:
        raise Missing(name, f"Get it with `apt-get install {package}`.")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="dalapapa-") as folder:
        arguments = prepare(Path(folder), port, url.removeprefix("http://"))
        own = os.environ | {"XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder}
        with subprocess.Popen([program, *arguments], env=own) as process:
            try:
                yield f"http://127.0.0.1:{port}"
            finally:
                process.terminate()


async def answers(url: str) -> bool:
    with contextlib.suppress(httpx.TransportError):
        return await get_status(url, "127.0.0.1") == 200
    return False


@pytest.mark.thorough
@pytest.mark.parametrize("name", PROXIES)
async def test_a_documented_proxy_forwards_150_players(name: str) -> None:
    limits: dict[str, Any] = {"sockets_an_address": 100, "requests_at_once": 4}
    async with served(requests_per_second=0.001, **limits) as here, Server(here.url) as server:
        table = (await server.create(seats=[None, None]))["id"]
        with run_documented_proxy(name, here.url) as proxy:
            await wait_until(lambda: answers(proxy), name)
            async with opened_sockets(proxy, table, client_addresses(150)):
                await wait_until(lambda: len(here.services.sockets.open) == 150, "150 sockets")
            claims = [f"192.0.2.{number}" for number in range(6)]
            responses = [
                await get_status(proxy, "127.0.2.1", x_forwarded_for=one) for one in claims
            ]
            assert responses == [200] * 4 + [429] * 2
            for path in ("/metrics", "/ready"):
                async with httpx.AsyncClient(
                    trust_env=False, timeout=PATIENCE, verify=False
                ) as http:
                    assert (await http.get(proxy + path)).status_code == 403
