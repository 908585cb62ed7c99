"""A real Chromium, driven by Playwright, at a real server.

Playwright's synchronous interface keeps an event loop running in its thread, which no other test
of this process could bear: browsers, and the bodies of the tests here, have a thread of their own.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from dalapapa.client import Server
from tests.support.browser.people import People
from tests.support.browser.process import TEST_NAME, Process
from tests.support.browser.programs import CHROMIUM_ARGUMENTS, find_headless_shell
from tests.support.chance import write_name

T = TypeVar("T")
_thread = ThreadPoolExecutor(1, "browsers", sys.settrace, (None,))
"""Without coverage, which would double the time of Playwright; the server is elsewhere anyhow."""


def in_the_thread(work: Callable[..., T], *arguments: Any, **named: Any) -> T:
    return _thread.submit(work, *arguments, **named).result()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Name the test to servers, which draw by it (`chance.py`), before any fixture starts one."""
    write_name(TEST_NAME, item.nodeid)


@contextmanager
def drawing_for(name: str) -> Iterator[None]:
    """Inside, servers draw for what several tests share, whichever of them comes first."""
    before = TEST_NAME.read_text()
    write_name(TEST_NAME, name)
    yield
    write_name(TEST_NAME, before)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool:
    signature = pyfuncitem._fixtureinfo.argnames
    in_the_thread(pyfuncitem.obj, **{name: pyfuncitem.funcargs[name] for name in signature})
    return True


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = find_headless_shell()
    playwright = in_the_thread(sync_playwright().start)
    try:
        found = in_the_thread(
            playwright.chromium.launch, executable_path=program, args=CHROMIUM_ARGUMENTS
        )
        yield found
        in_the_thread(found.close)
    finally:
        in_the_thread(playwright.stop)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """One for all tests of this process."""
    process = Process(tmp_path_factory.mktemp("server"))
    yield process
    process.stop()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Process]:
    """One that a test may kill."""
    process = Process(tmp_path)
    yield process
    process.stop()


@pytest.fixture
def people(browser: Browser, server: Process) -> Iterator[People]:
    """The people at browsers in this test. An error in one of them fails it."""
    found = People(browser, server)
    yield found
    in_the_thread(found.leave)
    assert found.troubles == []


@pytest.fixture
def page(people: People) -> Page:
    """One person's page, at the server's address, with nothing open yet."""
    return in_the_thread(people.arrive)


@pytest.fixture(scope="session")
def finished(server: Process) -> str:
    """The id of a game that two programs have played."""

    async def play() -> str:
        async with Server(server.url) as client:
            new = await client.create(game="classic", seats=["greedy", "greedy"], pace=0)
            async with client.watch(new["id"]) as seat:
                while seat.table["phase"] != "over":
                    await seat.changed()
            return str(new["id"])

    with drawing_for("the finished game"):
        return asyncio.run(play())
