"""The fixtures of all browser tests: see `tests/support/browser/fixtures.py`."""

import pytest

pytest.register_assert_rewrite("tests.support.browser.fixtures", "tests.support.browser.table")

from tests.support.browser.fixtures import (  # noqa: E402
    browser,
    finished,
    own_server,
    page,
    people,
    pytest_pyfunc_call,
    pytest_runtest_setup,
    server,
)

__all__ = [
    "browser",
    "finished",
    "own_server",
    "page",
    "people",
    "pytest_pyfunc_call",
    "pytest_runtest_setup",
    "server",
]
