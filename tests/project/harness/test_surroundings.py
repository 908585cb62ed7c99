"""The tests find the same for all settings of the shell."""

from __future__ import annotations

import os
import tempfile

from tests.support.surroundings import HERE, clean_environment


def test_variables_that_change_what_tests_find_are_dropped() -> None:
    environment = {
        "DALAPAPA_NOTIFY": "x", "DALAPAPA_TEST_SEED": "7", "LC_ALL": "de_DE", "LANG": "C",
        "PYTHONOPTIMIZE": "2", "PYTEST_ADDOPTS": "-x", "MAKEFLAGS": "n", "PWDEBUG": "1",
        "PYTHONPATH": "here", "PGPORT": "1", "PATH": "/bin", "TZ": "UTC",
        "TERM": "dumb", "https_proxy": "http://127.0.0.1:1", "no_proxy": "example.org",
    }  # fmt: skip
    assert clean_environment(environment) == {
        "DALAPAPA_TEST_SEED": "7", "PYTHONPATH": "here", "PATH": "/bin", "TZ": "UTC",
        "TERM": "xterm-256color", "TMPDIR": tempfile.gettempdir(),
        "https_proxy": "http://127.0.0.1:1", "no_proxy": f"example.org,{HERE}", "NO_PROXY": HERE,
    }  # fmt: skip


def test_the_environment_of_this_process_is_clean() -> None:
    assert clean_environment({**os.environ, "no_proxy": "", "NO_PROXY": ""}).items() >= {
        (name, value) for name, value in os.environ.items() if name.lower() != "no_proxy"
    }
    assert os.umask(0o022) == 0o022
