"""Shared fixtures: the two tables under test, a PostgreSQL, and how hard hypothesis looks.

Every day it looks at the same examples, so that who has changed nothing has broken nothing;
`HYPOTHESIS_PROFILE=thorough` looks at many more, and at others each time.
"""

from __future__ import annotations

from tests.support import surroundings  # noqa: F401  # isort: skip  # First: the product reads some variables early.

import logging
import os
import random
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from coverage import Coverage
from hypothesis import HealthCheck, settings

from dalapapa.server.storage.connection import engine
from tests.support import interpreted, postgres
from tests.support.buses import Fleet
from tests.support.chance import repeatable_chance
from tests.support.nats import Broker, running_broker
from tests.support.serving import PATIENCE
from tests.support.thoroughness import THOROUGH

if TYPE_CHECKING:
    from dalapapa.kernel.table import Table

pytest_plugins = ["tests.support.skip_missing"]

# Building a position is slow next to drawing an integer, and a small set may not fit together.
_SLOW = (HealthCheck.too_slow, HealthCheck.filter_too_much)
_EVERY = settings(deadline=None, suppress_health_check=_SLOW)
settings.register_profile("everyday", _EVERY, max_examples=10, derandomize=True)
settings.register_profile("thorough", _EVERY, max_examples=500)
settings.load_profile("thorough" if THOROUGH else "everyday")


def pytest_xdist_auto_num_workers() -> int:
    """One process more than cores: many tests wait for browsers, servers and times."""
    return (os.cpu_count() or 1) + 1


def pytest_runtest_setup() -> None:
    """Commands print as into a pipe, without the width that an earlier test or library has set."""
    os.environ.pop("COLUMNS", None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run tests in a random order")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests that are slow and rarely fail to `make test-all`; shuffle if asked to."""
    seed = config.getoption("--shuffle")
    if seed is not None:
        random.Random(seed).shuffle(items)
    if THOROUGH:
        return
    left = {item for item in items if item.get_closest_marker("thorough")}
    config.hook.pytest_deselected(items=[item for item in items if item in left])
    items[:] = [item for item in items if item not in left]


@pytest.fixture(autouse=True)
def same_chance(request: pytest.FixtureRequest) -> Iterator[None]:
    """The same bags, ids and tokens each time; see `chance.py`."""
    with repeatable_chance(request.node.name):
        yield


@pytest.fixture(autouse=True)
def same_log_handlers() -> Iterator[None]:
    """What a command in this process logs goes nowhere after the test.

    Its standard error is closed then, and each line would be a traceback in a later test.
    """
    root, ours = logging.getLogger(), logging.getLogger("dalapapa")
    levels = root.level, ours.level
    yield
    root.handlers[:] = [one for one in root.handlers if type(one) is not logging.StreamHandler]
    root.setLevel(levels[0])
    ours.setLevel(levels[1])


@pytest.fixture
def anyio_backend() -> str:
    """Tests that are coroutines run as the server does."""
    return "asyncio"


@pytest.fixture
def uncounted() -> Iterator[None]:
    """No coverage: for tests that go the same way very often, which would take far longer."""
    counting = Coverage.current()
    if counting is not None:
        counting.stop()
    yield
    if counting is not None:
        counting.start()


@pytest.fixture(scope="session")
def compiled_table() -> type[Table]:
    """The class as imported; `test_table_is_compiled` fails if that is ordinary Python."""
    return interpreted.table_of("dalapapa")


@pytest.fixture(scope="session")
def interpreted_table() -> type[Table]:
    return interpreted.interpreted_table()


@pytest.fixture(
    scope="session",
    params=["compiled", pytest.param("interpreted", marks=pytest.mark.thorough)],
)
def table_class(request: pytest.FixtureRequest) -> type[Table]:
    """The compiled table, and in `make test-all` the interpreted one, which is the same source.

    `test_compiled_and_interpreted_are_the_same` compares them every day.
    """
    found: type[Table] = request.getfixturevalue(f"{request.param}_table")
    return found


@pytest.fixture(scope="session")
def longest(table_class: type[Table]) -> int:
    """How many dominoes a random position has at most: fewer for the slower table."""
    return 40 if table_class.__module__.startswith(interpreted.INTERPRETED) else 120


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A server of this process alone, started when its first test asks."""
    with postgres.server() as url:
        yield url


@pytest.fixture
def sqlite_database(tmp_path: Path) -> str:
    """The URL of an empty database in a file."""
    return f"sqlite+aiosqlite:///{tmp_path / 'tables.db'}"


@pytest.fixture
def postgres_database(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of an empty database in PostgreSQL.

    On a busy machine, a commit can take longer than a server may wait for it. What happens then is
    tested with a database that hangs (`test_hung_postgres.py`).
    """
    monkeypatch.setattr(engine, "ANSWER_TIMEOUT_S", PATIENCE)
    return postgres.fresh_database(postgres_url)


@pytest.fixture
def broker() -> Iterator[Broker]:
    """A NATS server of this test."""
    with running_broker() as broker:
        yield broker


@pytest.fixture(params=["postgres", "nats"])
def fleet(request: pytest.FixtureRequest, postgres_database: str) -> Fleet:
    """What server processes share, by each kind of bus, one after the other."""
    is_nats = request.param == "nats"
    return Fleet(postgres_database, request.getfixturevalue("broker").url if is_nats else None)


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> str:
    """The URL of an empty database of each kind, one after the other."""
    found: str = request.getfixturevalue(f"{request.param}_database")
    return found


@pytest.fixture
async def http(url: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the server at a module's `url`."""
    async with httpx.AsyncClient(
        base_url=url, timeout=PATIENCE, trust_env=False, verify=False
    ) as http:
        yield http
