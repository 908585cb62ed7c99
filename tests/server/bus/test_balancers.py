"""The balancers of `deploy/` with the real programs, in front of two server processes."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.buses import Fleet
from tests.support.crash import Party, Process, started
from tests.support.missing import Missing
from tests.support.nats import Broker
from tests.support.paths import ROOT
from tests.support.serving import PATIENCE
from tests.support.waiting import wait_until

TABLES = 6
PACKAGES = {"nginx": "nginx-light", "haproxy": "haproxy"}


class Balanced(Process):
    """The balancer, as players see it: a server that never dies."""

    def __init__(self, database: str, url: str) -> None:
        super().__init__(database)
        self.url = url

    def dead(self) -> bool:
        return False


def put_servers(text: str, pattern: str, urls: list[str]) -> str:
    """The configuration with the addresses of our servers instead of its own."""
    assert len(re.findall(pattern, text)) == len(urls)
    for url in urls:
        text = re.sub(pattern, url.removeprefix("http://"), text, count=1)
    return text


def prepare_nginx(folder: Path, port: int, urls: list[str]) -> list[str]:
    """Write the configuration, but for ports and TLS; return the command."""
    site = (ROOT / "deploy/fleet/nginx.conf").read_text(encoding="utf-8")
    site = re.sub(r"^ *ssl_.*\n", "", site, flags=re.MULTILINE)
    assert "listen 443 ssl;" in site
    site = site.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    site = put_servers(site, r"10\.0\.0\.\d+:8072", urls)
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"pid {folder}/pid;\nerror_log stderr crit;\nevents {{ worker_connections 4000; }}\n"
        f"http {{\n{temporary}{site}}}\n"
    )
    how = "daemon off; user root;" if os.geteuid() == 0 else "daemon off;"
    return ["-p", f"{folder}", "-c", f"{folder}/nginx.conf", "-g", how]


def prepare_haproxy(folder: Path, port: int, urls: list[str]) -> list[str]:
    """Write the configuration, but for ports and TLS; return the command."""
    site = (ROOT / "deploy/fleet/haproxy.cfg").read_text(encoding="utf-8")
    bind = "bind :443 ssl crt /etc/ssl/dalapapa.pem"
    assert bind in site
    site = site.replace(bind, f"bind 127.0.0.1:{port}")
    site = put_servers(site, r"10\.0\.0\.\d+:8072", urls)
    (folder / "haproxy.cfg").write_text(site)
    return ["-db", "-q", "-f", f"{folder}/haproxy.cfg"]


PREPARE = {"nginx": prepare_nginx, "haproxy": prepare_haproxy}


@contextlib.contextmanager
def run_balancer(name: str, urls: list[str]) -> Iterator[str]:
    """The address of a balancer in front of servers."""
    program = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    if program is None:
        raise Missing(name, f"Get it with `apt-get install {PACKAGES[name]}`.")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="dalapapa-") as folder:
        arguments = PREPARE[name](Path(folder), port, urls)
        with subprocess.Popen([program, *arguments], stdin=subprocess.DEVNULL) as process:
            try:
                yield f"http://127.0.0.1:{port}"
            finally:
                process.terminate()


async def answers(url: str) -> bool:
    """Whether a server answers behind the balancer."""
    async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as http:
        with contextlib.suppress(httpx.TransportError):
            return (await http.get(f"{url}/api/games")).status_code == 200
    return False


async def read_metric(process: Process, name: str) -> float:
    async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as http:
        text = (await http.get(f"{process.url}/metrics")).text
    (value,) = re.findall(rf"^{name} (\S+)$", text, re.MULTILINE)
    return float(value)


async def play_behind(name: str, fleet: Fleet, must_kill: bool) -> None:
    async with started(fleet.database, 2, fleet.broker) as servers:
        urls = [server.url for server in servers if server.url is not None]
        with run_balancer(name, urls) as url:
            await wait_until(lambda: answers(url), name)
            party = Party([Balanced(fleet.database, url)])
            tables = [await party.create("classic", [None, None]) for _ in range(TABLES)]
            async with asyncio.TaskGroup() as group:
                for table, token in tables:
                    group.create_task(party.watch(table))
                    for seat in (0, 1):
                        group.create_task(party.play(table, token, seat))
                if must_kill:
                    await party.some_moves(20)
                    await servers[0].kill()
            moves = await party.check()
            assert moves > 20 * TABLES
            await party.verify_records()
        if not must_kill:
            received = [await read_metric(one, "dalapapa_bus_messages_total") for one in servers]
            played = [await read_metric(one, "dalapapa_moves_total") for one in servers]
            assert min(played) > 0, "both have tables"
            # New tables come from the server that the client's address selects; then each is
            # played at one server, and the others hear nothing of it.
            assert max(received) < moves / 4, (received, played)


@pytest.mark.thorough
@pytest.mark.parametrize("name", PREPARE)
def test_a_balancer_keeps_a_table_at_one_server(
    name: str, postgres_database: str, broker: Broker
) -> None:
    asyncio.run(play_behind(name, Fleet(postgres_database, broker.url), must_kill=False))


@pytest.mark.thorough
@pytest.mark.parametrize("name", PREPARE)
def test_games_go_on_behind_a_balancer_when_a_server_dies(name: str, fleet: Fleet) -> None:
    asyncio.run(play_behind(name, fleet, must_kill=True))
