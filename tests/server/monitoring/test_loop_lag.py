"""The histogram of the event loop's lag, with a clock that stands still."""

from __future__ import annotations

import asyncio
import re

import httpx
import pytest

from dalapapa.server.monitoring import metrics
from dalapapa.server.monitoring.loop_lag import INTERVAL_S, MAX_MISSED_TICKS, LoopLag
from tests.support.serving import served
from tests.support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.anyio


def empty() -> metrics.HistogramSeries:
    return metrics.HistogramSeries(metrics.SECONDS)


def counts(series: metrics.HistogramSeries) -> dict[float, int]:
    """How many values are not larger than a bound, for the buckets that have any."""
    bounds = (*series.bounds, float("inf"))
    return {bound: count for bound, count in zip(bounds, series.counts, strict=True) if count}


async def test_lateness_is_measured_at_every_tick() -> None:
    seconds, late = 0.0, iter([0.0, 0.003, 0.02])
    series = empty()

    async def sleep(pause: float) -> None:
        nonlocal seconds
        try:
            seconds += pause + next(late)
        except StopIteration:
            raise asyncio.CancelledError from None

    lag = LoopLag(lambda: seconds, sleep, series)
    with pytest.raises(asyncio.CancelledError):
        await lag.measure()
    assert counts(series) == {0.001: 1, 0.005: 1, 0.025: 1}
    assert series.sum == pytest.approx(0.023)


def test_a_frozen_loop_counts_every_missed_tick() -> None:
    """Otherwise 7 s without any answer would be one value among a hundred good ones."""
    series = empty()
    lag = LoopLag(series=series)
    for _ in range(100):
        lag.count(0.0)
    lag.count(7.06)
    assert sum(series.counts) == 100 + 71
    assert sum(series.counts[bound] for bound in (-1, -2, -3, -4)) > 40, "over 2.5 s"
    assert series.sum == pytest.approx(sum(7.06 - INTERVAL_S * tick for tick in range(71)))


def test_a_machine_that_slept_for_a_day_costs_no_time() -> None:
    series = empty()
    LoopLag(series=series).count(86_400)
    assert sum(series.counts) == MAX_MISSED_TICKS


async def test_a_server_measures_by_itself() -> None:
    async with (
        served() as here,
        httpx.AsyncClient(trust_env=False, timeout=PATIENCE, verify=False) as http,
    ):

        async def ticks() -> int:
            text = (await http.get(f"{here.url}/metrics")).text
            found = re.search(r"^dalapapa_loop_lag_seconds_count (\d+)\.0$", text, re.MULTILINE)
            assert found
            return int(found[1])

        before = await ticks()

        async def has_more() -> bool:
            return await ticks() > before + 1

        await wait_until(has_more, "two more ticks")
