"""See `fixtures.py`; mypy knows of one module of this name only, the one above."""

import pytest

pytest.register_assert_rewrite("fixtures", "table")

from fixtures import (  # noqa: E402
    browser,
    own_server,
    page,
    people,
    pytest_pyfunc_call,
    pytest_runtest_setup,
    server,
)

__all__ = [
    "browser",
    "own_server",
    "page",
    "people",
    "pytest_pyfunc_call",
    "pytest_runtest_setup",
    "server",
]
