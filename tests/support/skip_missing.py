"""Skip tests that need a program which this machine lacks, and say so once at the end.

`make test` must pass on a laptop without root and without browsers. A continuous integration
server sets `DALAPAPA_REQUIRE_ALL=1`: there a missing program fails its tests.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator

import pytest

from tests.support.missing import PREFIX, Missing

REQUIRE_ALL = "DALAPAPA_REQUIRE_ALL"


def _skip_if_missing() -> Generator[None, object, object]:
    try:
        return (yield)
    except Missing as missing:
        if os.environ.get(REQUIRE_ALL):
            raise
        pytest.skip(str(missing))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, object, object]:
    return (yield from _skip_if_missing())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    return (yield from _skip_if_missing())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print one line for each missing program."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", ()):
        if isinstance(report.longrepr, tuple):
            reasons[report.longrepr[2].removeprefix("Skipped: ")] += 1
    for reason, count in sorted(reasons.items()):
        if reason.startswith(PREFIX):
            tests = f"{count} test{'s' * (count != 1)}"
            terminalreporter.write_line(f"Skipped {tests}. {reason}", yellow=True)
