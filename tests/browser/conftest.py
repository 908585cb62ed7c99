"""See `fixtures.py`; mypy knows of one module of this name only, the one above."""

import pytest

pytest.register_assert_rewrite("fixtures", "table")

from fixtures import browser, own_server, page, people, pytest_pyfunc_call, server  # noqa: E402

__all__ = ["browser", "own_server", "page", "people", "pytest_pyfunc_call", "server"]
