"""What `tests/conftest.py` gives the tests of kernel and rules, where there is no server.

A plugin of pytest for `engine_pytest.py`.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from dalapapa.kernel.table import Table

settings.register_profile(
    "engine", deadline=None, max_examples=10, derandomize=True, database=None,
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.filter_too_much),
)  # fmt: skip
settings.load_profile("engine")


@pytest.fixture(scope="session")
def compiled_table() -> type[Table]:
    return Table


@pytest.fixture(scope="session")
def table_class() -> type[Table]:
    return Table


@pytest.fixture(scope="session")
def interpreted_table() -> type[Table]:
    pytest.skip("The engine has no sources of the kernel.")


@pytest.fixture(scope="session")
def longest() -> int:
    """How many dominoes a random position has at most."""
    return 120


@pytest.fixture
def uncounted() -> None:
    """Coverage is not counted here."""
