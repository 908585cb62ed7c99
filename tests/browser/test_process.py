"""Servers and drivers of the tests in processes of their own: chance, dates, and what is left."""

from __future__ import annotations

import signal
from pathlib import Path

import httpx
import pytest

from dalapapa.problems import make_request, problem_to_json
from tests.support.browser.engines.webdriver import WebDriver
from tests.support.browser.fixtures import drawing_for
from tests.support.browser.process import DATE, Process
from tests.support.waiting import PATIENCE, wait_until_sync


def deal(server: Process, name: str) -> tuple[str, str]:
    """Set up a table while a test of this name runs: its id, and what promises its bag."""
    with drawing_for(name):
        new = server.ask("/tables", game="classic", seats=[None, "greedy"], host="Ann")
    return new["id"], new["table"]["commitment"]


def test_bags_follow_from_the_name_of_the_test_and_ids_do_not(own_server: Process) -> None:
    first, another, second = (deal(own_server, name) for name in ("one", "other", "one"))
    assert first[1] == second[1] != another[1]
    own_server.stop(signal.SIGKILL)
    own_server.start()
    third = deal(own_server, "one")
    assert len({first[0], second[0], another[0], third[0]}) == 4
    assert third[1] not in (first[1], another[1]), "after a start other bags are drawn"


def test_a_server_has_the_date_of_the_tests(own_server: Process) -> None:
    """It counts who finds the problem of its own day, and not of another one."""
    answers = {}
    for date in (DATE[:10], "2026-12-14"):
        solution = problem_to_json(make_request("turn", date=date), solution=True)["solution"]
        answers[date] = httpx.post(
            f"{own_server.url}/api/problem/found",
            json={"kind": "turn", "date": date, "layings": solution, "mark": "m" * 16},
            trust_env=False,
            timeout=PATIENCE,
            verify=False,
        )
    counted, refused = answers.values()
    assert counted.json() == {"count": 1}
    assert refused.json()["code"] == "another_day"


def test_a_driver_that_ends_leaves_nothing(tmp_path: Path) -> None:
    program = tmp_path / "driver"
    program.write_text(f"#!/bin/sh\nsleep 1000 &\necho $! >> '{tmp_path}/started'\nexit 1\n")
    program.chmod(0o755)
    with pytest.raises(AssertionError, match="does not start"):
        WebDriver(str(program), {}, {"PATH": "/usr/bin:/bin"}, tmp_path)
    started = (tmp_path / "started").read_text().split()
    wait_until_sync(
        lambda: not any(is_running(pid) for pid in started), "the end of all that was started"
    )


def is_running(pid: str) -> bool:
    """Whether a process does something; one that was killed waits to be reaped."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
