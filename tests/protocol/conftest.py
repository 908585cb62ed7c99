"""The hosts, behind the addresses of a server."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from dalapapa.client import Server
from tests.support.device_server import served_device
from tests.support.serving import PLENTY, served
from tests.support.sockets import AdjustableClock


@pytest.fixture
def clock() -> AdjustableClock:
    return AdjustableClock()


@pytest.fixture(params=["server", "device"])
async def server(request: pytest.FixtureRequest, clock: AdjustableClock) -> AsyncIterator[Server]:
    if request.param == "device":
        async with served_device(clock) as (url, _), Server(url) as server:
            yield server
    else:
        async with (
            served(clock=clock, messages_per_second=PLENTY, messages_at_once=PLENTY) as here,
            Server(here.url) as server,
        ):
            yield server
