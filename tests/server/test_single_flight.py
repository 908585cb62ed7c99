"""The cache that computes each value once for all concurrent callers."""

from __future__ import annotations

import asyncio

import pytest

from dalapapa.server.single_flight import Computation, SingleFlightCache
from tests.support.waiting import run_other_tasks

pytestmark = pytest.mark.anyio


class Source:
    """Computes values when a test allows it, and counts how often."""

    def __init__(self) -> None:
        self.begun = 0
        self.ready = asyncio.Event()

    def compute(self, value: str) -> Computation[str]:
        async def run() -> str:
            self.begun += 1
            await self.ready.wait()
            if value == "failure":
                raise ZeroDivisionError
            return value

        return run


async def start(cache: SingleFlightCache[str], source: Source, value: str, version: int = 1,
                can_abandon: bool = False) -> asyncio.Task[str]:  # fmt: skip
    """A caller that waits for a value of the key `key`."""
    asked = cache.get("key", version, source.compute(value), lambda: can_abandon)
    task = asyncio.create_task(asked)
    await run_other_tasks(3)
    return task


async def test_concurrent_callers_share_one_computation() -> None:
    cache, source = SingleFlightCache[str](), Source()
    callers = [await start(cache, source, f"caller {number}") for number in range(5)]
    source.ready.set()
    assert await asyncio.gather(*callers) == ["caller 0"] * 5
    assert await cache.get("key", 1, source.compute("later")) == "caller 0"
    assert (source.begun, cache.find("key", 1), len(cache)) == (1, "caller 0", 1)


async def test_another_version_is_computed_and_replaces_the_cached_one() -> None:
    cache, source = SingleFlightCache[str](), Source()
    source.ready.set()
    for version in (1, 2):
        value = f"version {version}"
        assert await cache.get("key", version, source.compute(value)) == value
    assert (cache.find("key", 1), cache.find("key", 2)) == (None, "version 2")


async def test_an_older_computation_does_not_replace_a_newer_value() -> None:
    cache, old, new = SingleFlightCache[str](), Source(), Source()
    first = await start(cache, old, "old", version=1)
    second = await start(cache, new, "new", version=2)
    new.ready.set()
    assert await second == "new"
    old.ready.set()
    assert await first == "old"
    assert cache.find("key", 2) == "new"


async def test_a_cancelled_caller_does_not_cancel_the_others() -> None:
    cache, source = SingleFlightCache[str](), Source()
    first, second = [await start(cache, source, "value", can_abandon=True) for _ in range(2)]
    first.cancel()
    await run_other_tasks(3)
    source.ready.set()
    assert await second == "value"


@pytest.mark.parametrize("can_abandon", [False, True])
async def test_without_callers_a_computation_ends_only_if_it_may(can_abandon: bool) -> None:
    cache, source = SingleFlightCache[str](), Source()
    caller = await start(cache, source, "value", can_abandon=can_abandon)
    caller.cancel()
    await run_other_tasks(3)
    source.ready.set()
    await run_other_tasks(3)
    assert cache.find("key", 1) == (None if can_abandon else "value")
    assert await cache.get("key", 1, source.compute("value")) == "value"
    assert source.begun == (2 if can_abandon else 1)


async def test_a_failure_reaches_all_callers_and_is_not_cached() -> None:
    cache, source = SingleFlightCache[str](), Source()
    callers = [await start(cache, source, "failure") for _ in range(2)]
    source.ready.set()
    outcomes = await asyncio.gather(*callers, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [ZeroDivisionError] * 2
    assert await cache.get("key", 1, source.compute("value")) == "value"


async def test_clear_drops_values_and_those_under_way() -> None:
    cache, source = SingleFlightCache[str](size_of=len), Source()
    cache.keep("other", 1, "kept")
    caller = await start(cache, source, "before")
    cache.clear()
    assert (len(cache), cache.bytes, cache.find("other", 1)) == (0, 0, None)
    source.ready.set()
    later = await cache.get("key", 1, source.compute("after"))
    assert (await caller, later, cache.find("key", 1)) == ("before", "after", "after")


async def test_entries_and_bytes_are_bounded_and_the_least_recently_used_leaves() -> None:
    cache = SingleFlightCache[str](max_entries=3, max_bytes=10, size_of=len)
    for key in "abc":
        cache.keep(key, 1, "xx")
    assert cache.find("a", 1) == "xx"
    cache.keep("d", 1, "xx")
    assert [key for key in "abcd" if cache.find(key, 1)] == ["a", "c", "d"]
    cache.keep("e", 1, "x" * 8)
    assert ([key for key in "acde" if cache.find(key, 1)], cache.bytes) == (["d", "e"], 10)
    cache.keep("d", 2, "x" * 11)
    assert (cache.find("d", 1), cache.find("d", 2), cache.bytes) == (None, None, 8)


async def test_without_entries_callers_still_share_computations() -> None:
    cache, source = SingleFlightCache[str](max_entries=0), Source()
    callers = [await start(cache, source, "value") for _ in range(3)]
    source.ready.set()
    assert await asyncio.gather(*callers) == ["value"] * 3
    assert (source.begun, len(cache)) == (1, 0)


async def test_close_cancels_all_computations() -> None:
    cache, source = SingleFlightCache[str](), Source()
    caller = await start(cache, source, "value")
    await cache.close()
    with pytest.raises(asyncio.CancelledError):
        await caller
