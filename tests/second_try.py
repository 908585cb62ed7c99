"""A second try for tests that wait for browsers or processes, and for no others.

On a busy machine such a test may wait too long once. Tests with the marker `waits` that fail are
run again when all others are done, each alone in a process of its own; the run fails if one fails
again. How many there were, which and why, is said at the end of every run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Generator

import pytest

MAX_TRIES = 8
"""More failures than that have another reason than a busy machine."""

MAX_LINES, MAX_COLUMNS = 12, 300
"""Of why a test failed at first."""

_LAST = "DALAPAPA_LAST_TRY"
_again: list[pytest.TestReport] = []


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, object, object]:
    """Inside the loop of pytest-cov, which then counts what the second tries ran, too."""
    done = yield
    config = session.config
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or hasattr(config, "workerinput") or _LAST in os.environ:
        return done
    failed = [*reporter.stats.get("failed", ()), *reporter.stats.get("error", ())]
    waiting = {report.nodeid: report for report in failed if "waits" in report.keywords}
    if len(waiting) > MAX_TRIES:
        return done
    for test, first in waiting.items():
        words = [sys.executable, "-m", "pytest", "--color=no", "-p", "no:cacheprovider", test]
        last = subprocess.run(
            words, cwd=config.rootpath, env={**os.environ, _LAST: "1"},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        _again.append(first)
        if last.returncode:
            first.sections.append(("Second try", last.stdout))
            continue
        for kind in ("failed", "error"):
            reports = reporter.stats.get(kind, [])
            session.testsfailed -= sum(report.nodeid == test for report in reports)
            reporter.stats[kind] = [report for report in reports if report.nodeid != test]
        reporter.stats.setdefault("tried again", []).append(first)
    return done


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if _LAST in os.environ:
        return
    tests = f"{len(_again)} test{'s were' if len(_again) != 1 else ' was'} tried again"
    terminalreporter.write_line(f"{tests}{':' if _again else ''}")
    for report in _again:
        told = report.longreprtext.strip()
        terminalreporter.write_line(f"  {report.nodeid} ({told.splitlines()[-1]})")
        # Who wonders later why it failed has nothing else to go by.
        for line in [line for line in told.splitlines() if line.startswith("E  ")][:MAX_LINES]:
            terminalreporter.write_line(f"    {line[1:].strip()[:MAX_COLUMNS]}")
