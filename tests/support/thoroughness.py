"""How hard tests look: as every day, or as `make test-all` does."""

import os
from collections.abc import Container, Iterable
from typing import Any

import pytest

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"


def daily(cases: Iterable[Any], every_day: Container[Any]) -> list[Any]:
    """All cases of a test; those that are not tried every day are marked `thorough`."""

    def seldom(case: Any) -> Any:
        values = case if isinstance(case, tuple) else (case,)
        return pytest.param(*values, marks=pytest.mark.thorough)

    return [case if case in every_day else seldom(case) for case in cases]


SQLITE_EVERY_DAY = pytest.mark.parametrize(
    "database", daily(["sqlite", "postgres"], ["sqlite"]), indirect=True
)
"""For a test of the fixture `database` whose code is the same for both; `test_store.py` and others
compare the two every day."""
