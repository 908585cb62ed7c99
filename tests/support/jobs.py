"""Jobs of workers that run in the process of the test."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from dalapapa.server.workers.pool import Job, Workers


def run_jobs_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all workers run their jobs as coroutines of this process."""
    tasks: list[asyncio.Task[Any]] = []
    close = Workers.close

    def submit(_: Workers, job: Job) -> asyncio.Task[Any]:
        tasks.append(asyncio.create_task(job.function(*job.args)))
        return tasks[-1]

    def close_and_cancel(workers: Workers) -> None:
        close(workers)
        for task in tasks:
            task.cancel()

    monkeypatch.setattr(Workers, "submit", submit)
    monkeypatch.setattr(Workers, "close", close_and_cancel)
