"""What the tests take from the shell that starts them: nothing that changes what they find.

`conftest.py` imports this module before all others; processes that tests start inherit it.
"""

from __future__ import annotations

import os
import tempfile

KEPT = ("DALAPAPA_TEST", "DALAPAPA_REQUIRE_ALL")
"""Variables of the tests themselves."""

DROPPED = (
    "DALAPAPA_",  # Settings of the product.
    "LISTEN_", "NOTIFY_SOCKET", "XDG_DATA_HOME", "LOCALAPPDATA", "RAY_ADDRESS",  # It reads them.
    "LC_", "LANG",  # Texts of the system, and how they are encoded: without, UTF-8.
    "COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "PY_COLORS",  # How to print.
    "PG", "SQLALCHEMY_",  # Where a database is.
    "PYTEST_ADDOPTS", "PYTEST_PLUGINS",  # For this run, not for those inside tests.
    "MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES",  # Of `make test`; they would reach another make.
    "DEBUG", "PWDEBUG", "NODE_OPTIONS", "SOURCE_DATE_EPOCH",  # Playwright, Node.js, builds.
    "PYTHONDEVMODE", "PYTHONDONTWRITEBYTECODE", "PYTHONIOENCODING", "PYTHONOPTIMIZE", "PYTHONUTF8",
    "PYTHONVERBOSE",
    "PYTHONWARNINGS", "PYTHONSTARTUP", "PYTHONHASHSEED", "PYTHONUNBUFFERED",
    "PYTHONFAULTHANDLER", "PYTHONTRACEMALLOC", "PYTHONASYNCIODEBUG", "PYTHONINSPECT",
    "PYTHONSAFEPATH", "PYTHONNODEBUGRANGES", "PYTHONPROFILEIMPORTTIME",
)  # fmt: skip
"""How the names of other variables begin."""

HERE = "localhost,127.0.0.1,::1"


def clean_environment(environment: dict[str, str]) -> dict[str, str]:
    """The variables that stay. A proxy is for downloads, not for servers of this machine."""
    stay = {
        name: value
        for name, value in environment.items()
        if name.startswith(KEPT) or not name.startswith(DROPPED)
    }
    stay["TERM"] = "xterm-256color"  # Some terminals of tests show colours and bars.
    stay["TMPDIR"] = tempfile.gettempdir()  # Browsers and Node.js look no further than /tmp.
    for name in ("no_proxy", "NO_PROXY"):
        stay[name] = ",".join(filter(None, (environment.get(name), HERE)))
    return stay


def clean_surroundings() -> None:
    """Set the environment and the umask of this process."""
    stay = clean_environment(dict(os.environ))
    for name in set(os.environ) - set(stay):
        del os.environ[name]
    os.environ.update(stay)
    os.umask(0o022)


clean_surroundings()
