"""What operators install: units, timers and alerts name what there is, and do what they say."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from dalapapa import cli
from dalapapa.client import Server
from dalapapa.core.errors import Unavailable
from dalapapa.server.storage.store import Store
from tests.support.metrics import list_names
from tests.support.missing import Missing
from tests.support.paths import FIXTURES, ROOT
from tests.support.serving import LateClock, served
from tests.support.waiting import PATIENCE, wait_until

DEPLOY = ROOT / "deploy"
TROUBLESHOOTING = ROOT / "docs/troubleshooting.md"
SERVERS = ("dalapapa.service", "dalapapa@.service")


def read_unit(name: str) -> configparser.RawConfigParser:
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(DEPLOY / name)
    return unit


def find_program(name: str, package: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise Missing(name, f"Get it with `apt-get install {package}`.")
    return found


# -- units -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SERVERS)
def test_servers_have_a_watchdog_and_a_limit_of_memory(name: str) -> None:
    service = read_unit(name)["Service"]
    assert service["Type"] == "notify", "systemd knows nothing of pings otherwise"
    assert 10 <= int(service["WatchdogSec"]) <= 60
    assert service["Restart"] == "always"
    assert 10 <= int(service["MemoryMax"].removesuffix("%")) < 90
    assert service["OOMPolicy"] == "continue", "a worker's end is not that of the server"


def test_two_processes_fit_into_the_memory() -> None:
    assert 2 * int(read_unit("dalapapa@.service")["Service"]["MemoryMax"].removesuffix("%")) < 90


@pytest.mark.parametrize("name", ["dalapapa-backup", "dalapapa-backup-postgres"])
def test_every_backup_has_a_timer_and_is_watched(name: str) -> None:
    timer, service = read_unit(f"{name}.timer"), read_unit(f"{name}.service")["Service"]
    assert timer["Timer"]["Persistent"] == "true", "a machine that was off does it later"
    assert timer["Install"]["WantedBy"] == "timers.target"
    folder = re.search(r"(/var/lib/dalapapa/backups)/\$\(date", service["ExecStart"])
    assert folder
    server = "dalapapa@.service" if "postgres" in name else "dalapapa.service"
    assert f"--backups {folder[1]} " in read_unit(server)["Service"]["ExecStart"]
    database = re.findall(r"\w+:/{3,}\S+", service["ExecStart"])
    assert database == re.findall(r"\w+:/{3,}\S+", read_unit(server)["Service"]["ExecStart"])


@pytest.mark.thorough
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    program = find_program("systemd-analyze", "systemd")
    for path in DEPLOY.glob("dalapapa*"):
        text = path.read_text().replace("/opt/dalapapa/bin/dalapapa", "/bin/true")
        (tmp_path / path.name).write_text(text)
    names = [str(path).replace("@.", "@a.") for path in sorted(tmp_path.iterdir())]
    (tmp_path / "dalapapa@a.service").symlink_to("dalapapa@.service")
    done = subprocess.run(
        [program, "verify", "--man=no", "--recursive-errors=no", *names],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    said = [line for line in done.stderr.splitlines() if str(tmp_path) in line]
    assert not said, done.stderr
    assert done.returncode == 0, done.stderr


@pytest.mark.thorough
@pytest.mark.anyio
async def test_the_timer_of_postgresql_makes_a_backup(
    postgres_database: str, tmp_path: Path
) -> None:
    async with served(postgres_database) as here, Server(here.url) as server:
        new = await server.create(game="gone", seats=[None, None], host="Ann")
    url = postgres_database.replace("+asyncpg", "")
    command = read_unit("dalapapa-backup-postgres.service")["Service"]["ExecStart"]
    (shell, option, script) = shlex.split(command)
    script = script.replace("%%", "%").replace("/var/lib/dalapapa/backups", str(tmp_path))
    script = script.replace("postgresql:///dalapapa", url)
    script = script.replace("/opt/dalapapa/bin/dalapapa", f"{sys.executable} -m dalapapa")
    subprocess.run([shell, option, script], check=True)
    (copy,) = tmp_path.glob("*.jsonl")
    restored = f"sqlite:///{tmp_path}/restored.db"
    words = [sys.executable, "-m", "dalapapa", "restore", str(copy), restored]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    assert done.stdout == "1 table restored\n"
    assert new["id"] in copy.read_text()


# -- figures ---------------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_metrics_know_the_newest_backup(tmp_path: Path) -> None:
    async with (
        served() as here,
        httpx.AsyncClient(trust_env=False, timeout=PATIENCE, verify=False) as http,
    ):

        async def read_figure() -> str | None:
            text = (await http.get(f"{here.url}/metrics")).text
            found = re.search(r"^dalapapa_backup_time_seconds (\S+)$", text, re.MULTILINE)
            return found and found[1]

        assert await read_figure() is None
        here.services.backups = str(tmp_path / "backups")
        assert await read_figure() == "0.0", "there is no such folder yet"
        (tmp_path / "backups").mkdir()
        for name, at in (("2026-11-15", 1000), ("2026-11-16", 2000), (".dalapapa-draft", 3000)):
            (tmp_path / "backups" / name).write_text("")
            os.utime(tmp_path / "backups" / name, (at, at))
        assert await read_figure() == "2000.0"


@pytest.mark.anyio
async def test_metrics_say_that_it_is_not_ready_though_no_balancer_asks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, fails = LateClock(), True
    write = Store.try_to_write

    async def fail_or_write(store: Store, id: str) -> None:
        if fails:
            raise Unavailable("The disk is full.", "disk_full")
        await write(store, id)

    monkeypatch.setattr(Store, "try_to_write", fail_or_write)
    async with (
        served(clock=clock) as here,
        httpx.AsyncClient(trust_env=False, timeout=PATIENCE, verify=False) as http,
    ):

        async def is_ready() -> bool:
            text = (await http.get(f"{here.url}/metrics")).text
            return "\ndalapapa_ready 1.0\n" in text

        assert await is_ready(), "it was not tried yet"

        async def is_not_ready() -> bool:
            clock.ahead += 1000
            return not await is_ready()

        await wait_until(is_not_ready, "figures that say no")
        fails = False

        async def is_ready_again() -> bool:
            clock.ahead += 1000
            return await is_ready()

        await wait_until(is_ready_again, "figures that say yes")


# -- alerts ----------------------------------------------------------------------------------------


def read_rules() -> list[dict[str, Any]]:
    groups = yaml.safe_load((DEPLOY / "prometheus-alerts.yml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def test_alerts_ask_for_figures_that_exist() -> None:
    rules = read_rules()
    asked = " ".join(rule["expr"] for rule in rules)
    named = set(re.findall(r"\b(?:dalapapa|process)_\w+", asked))
    assert named <= list_names()
    for needed in (
        *("dalapapa_loop_lag_seconds_bucket", "dalapapa_ready", "dalapapa_refusals_total"),
        *("dalapapa_turned_away_total", "process_resident_memory_bytes"),
        *("dalapapa_commit_seconds_bucket", "dalapapa_workers_ended_total"),
        "dalapapa_backup_time_seconds",
    ):
        assert needed in named
    assert len({rule["alert"] for rule in rules}) == len(rules)


def test_alerts_ask_for_codes_that_are_sent() -> None:
    protocol = (ROOT / "docs/errors.md").read_text()
    for rule in read_rules():
        for codes in re.findall(r'code=~?"([^"]+)"', rule["expr"]):
            for code in codes.split("|"):
                assert f"`{code}`" in protocol, code


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", one.lower()).strip().replace(" ", "-") for one in headings}


def test_every_alert_says_what_to_do() -> None:
    known = anchors(TROUBLESHOOTING)
    for rule in read_rules():
        page, _, anchor = rule["annotations"]["what_to_do"].partition("#")
        assert page == TROUBLESHOOTING.name
        assert anchor in known, rule["alert"]
        assert rule["labels"]["severity"] in ("page", "warn")
        assert rule["annotations"]["summary"].endswith(".")


@pytest.mark.thorough
def test_alerts_fire_when_they_should(tmp_path: Path) -> None:
    """`fixtures/alerts_test.yml` has figures of a server that is well, and of one that is not."""
    program = find_program("promtool", "prometheus")
    shutil.copy(DEPLOY / "prometheus-alerts.yml", tmp_path)
    shutil.copy(FIXTURES / "alerts_test.yml", tmp_path)
    for words in (
        ["check", "rules", "prometheus-alerts.yml"],
        ["test", "rules", "alerts_test.yml"],
    ):
        done = subprocess.run(
            [program, *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


# -- the page --------------------------------------------------------------------------------------


def test_troubleshooting_names_figures_that_exist() -> None:
    known = {re.sub("_(bucket|sum|count)$", "", name) for name in list_names()}
    for name in re.findall(r"\b(?:dalapapa|process)_\w+", TROUBLESHOOTING.read_text()):
        assert name in known, name


def test_troubleshooting_names_commands_and_options_that_exist() -> None:
    page = TROUBLESHOOTING.read_text()
    blocks = re.findall(r"^```sh\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    commands = [shlex.split(line, comments=True) for line in lines]
    checked = 0
    for words in commands:
        if words[:3] == ["sudo", "-u", "dalapapa"]:
            words = words[3:]
        if words[0] == "dalapapa":
            context = cli.commands.make_context("dalapapa", words[1:])
            name, command, rest = cli.commands.resolve_command(context, words[1:])
            assert command is not None
            command.make_context(name, rest, parent=context)
            checked += 1
    assert checked >= 5
    options = set(re.findall(r"(?<![\w-])--[a-z-]+", page))
    ours = {one for param in cli.commands.commands["play"].params for one in param.opts}
    mentioned = {"--proxy", "--allow-host", "--keep", "--limit", "--notify", "--log-addresses"}
    assert mentioned <= options & ours
