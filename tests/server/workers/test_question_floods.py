"""Floods of questions that are computed: others are answered, and nothing is left behind.

How fast other players' moves are meanwhile is measured in `test_floods.py`.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest

from dalapapa.client import RefusedForNow, Server
from dalapapa.server.workers.questions import Questions
from tests.support import flooding
from tests.support.flooding import HARD_FRAME
from tests.support.metrics import parse_metrics
from tests.support.processes import find_family, has_ended
from tests.support.serving import PATIENCE, served, server_from
from tests.support.waiting import wait_until, wait_until_sync

pytestmark = pytest.mark.anyio

EASY_FRAME: dict[str, Any] = {"width": 4, "height": 4, "pile": 1}
REFUSALS = {"429 too_fast", "429 too_many", "503 busy"}
"""A status and a code each; `flooding.name_answer` sees to the sentence."""

MORE_WORKER_MEMORY_MB = 250
"""For each worker process, all of its libraries included; it has 100."""

FLOOD_S = 20


def count_workers(questions: Questions) -> int:
    return sum(len(one.processes) for one in (questions.quick, questions.slow, questions.solver))


async def test_others_are_answered_while_one_address_floods_the_solver() -> None:
    """With the shares of a real server; only the time of a question is shorter."""
    limits: dict[str, Any] = {"share_an_address": 0.3, "solver_at_once": 10, "solver_seconds": 0.3}
    answers: Counter[str] = Counter()
    async with asyncio.timeout(PATIENCE), served(**limits) as here, Server(here.url) as server:
        solver = here.services.questions.solver
        await server.ask("POST", "/solve", **EASY_FRAME)
        is_over = False

        async def flood(eve: Server) -> None:
            while not is_over:
                answer = await eve.http.post("/solve", json=HARD_FRAME)
                code = "" if answer.is_success else f" {answer.json()['code']}"
                assert answer.is_success or answer.json()["message"].endswith(".")
                answers[f"{answer.status_code}{code}"] += 1

        async with server_from(here.url, "127.0.0.2") as eve:
            floods = [asyncio.create_task(flood(eve)) for _ in range(20)]
            await wait_until(lambda: answers["429 too_many"] > 20, "a flood that is refused")
            assert solver.pending <= 3, "its share"
            for _ in range(3):
                found = await server.ask("POST", "/solve", **EASY_FRAME)
                assert found["complete"] or found["layouts"]
            is_over = True
            await asyncio.gather(*floods)
        assert set(answers) <= {"200", *REFUSALS}, answers
        await wait_until(lambda: solver.pending == 0, "a solver that is free")
        assert await server.ask("POST", "/solve", **EASY_FRAME)
        assert len(solver.processes) == 1
        processes = [worker.process for worker in solver.processes]
    assert not any(process.is_alive() for process in processes), "none is left behind"


def wait_for_refusals(url: str, code: str) -> None:
    """Until the queue of questions, or an address's share of it, has been full many times."""
    transport = httpx.HTTPTransport(local_address="127.0.0.98", verify=False)
    with httpx.Client(trust_env=False, timeout=PATIENCE, transport=transport) as http:

        def is_full() -> bool:
            found = parse_metrics(http.get(f"{url}/metrics").text)
            return found.get(f'dalapapa_refusals_total{{code="{code}"}}', 0) > 20

        # Slower than the limit of requests.
        wait_until_sync(is_full, f"questions that are refused as {code}", interval=0.2)


def memory_mb(pid: int) -> float:
    return flooding.Process("", pid).memory


@pytest.mark.thorough
@pytest.mark.parametrize("crowd", ["", ", ten addresses"])
@pytest.mark.parametrize(
    ("attack", "path"),
    [("solver questions", "/solve"), ("best turns", "/best"), ("advice", "/coach")],
)
def test_a_long_flood_of_questions(attack: str, path: str, crowd: str, tmp_path: Path) -> None:
    position, free = flooding.full_position()
    questions: dict[str, dict[str, Any]] = {
        "/solve": EASY_FRAME,
        "/best": {"position": position, "hand": free[:2]},
        "/coach": {"hand": free[:1]},
    }
    question = questions[path]
    with flooding.server(tmp_path, 100) as process:

        async def ask() -> float:
            """Ask as people do, again in a moment if the server is busy; how long it took."""
            began = time.monotonic()

            async def ask_once() -> bool:
                try:
                    await server.ask("POST", path, **question)
                except RefusedForNow:
                    return False
                return True

            async with server_from(process.url, "127.0.0.99") as server:
                server.http.timeout = httpx.Timeout(PATIENCE)
                await wait_until(ask_once, f"an answer from {path}")
            return time.monotonic() - began

        before = asyncio.run(ask())
        workers = set(find_family(process.pid)[1:])
        attackers = flooding.Attackers(process.url, [attack + crowd], FLOOD_S)
        attackers.begin(skip_calm=True)
        wait_for_refusals(process.url, "busy" if crowd else "too_many")
        during = asyncio.run(ask())
        family = find_family(process.pid)
        memory = [memory_mb(pid) for pid in family if not has_ended(pid)]
        seen = attackers.end()
        after = asyncio.run(ask())
        print(f"{attack}{crowd}: {before:.1f} s, {during:.1f} s, {after:.1f} s; {memory}; {seen}")
        codes = {name.partition(": ")[2] for name in seen}
        assert codes - {"200"} <= REFUSALS, seen
        assert codes & REFUSALS, "it was a flood"
        assert len(family) <= len(workers) + 2, "one kind of worker, and what starts it"
        assert max(memory) < MORE_WORKER_MEMORY_MB, memory
        assert sum(memory) < MORE_WORKER_MEMORY_MB * len(family)
    wait_until_sync(lambda: all(map(has_ended, family)), "the end of all processes")
