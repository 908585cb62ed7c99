"""Tables of a device behind the addresses of a server, so that its client can play at them.

This stands in for the worker of the browser: it stores what has to be stored before it sends
anything, ticks, and answers the questions of the host as the second worker does.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from itertools import count
from typing import Any

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from dalapapa.edition.device.host import DeviceHost
from dalapapa.edition.engine import answer
from dalapapa.server.clock import SystemClock
from dalapapa.server.runtime.run import listen
from tests.support.serving import LateClock, Server, no_errors
from tests.support.waiting import wait_until

CLOSED_FOR_GOOD = 4400


class Device:
    """A store, and a host that uses it."""

    def __init__(self, clock: SystemClock | None = None) -> None:
        self.clock = clock or LateClock()
        self.store: dict[str, dict[str, Any]] = {}
        """By id of the table: it, its log and its summary, as they are stored."""
        self.host = DeviceHost()
        self.sessions: dict[str, asyncio.Queue[str | None]] = {}
        self.replies: dict[int, asyncio.Future[Any]] = {}
        self.ids = count(1)
        self.thoughts: dict[int, asyncio.Task[None]] = {}
        self.is_thinking_allowed = asyncio.Event()
        self.is_thinking_allowed.set()
        self.wake_at: int | None = None
        """When the host wants the next tick."""
        self._alarm: asyncio.TimerHandle | None = None

    def restart(self) -> None:
        """End the worker, which loses everything but the store."""
        self.host = DeviceHost()
        for queue in self.sessions.values():
            queue.put_nowait(None)
        for thought in self.thoughts.values():
            thought.cancel()

    def send(self, **event: Any) -> None:
        """Give the host an event, and carry out its effects in their order."""
        effects = self.handle(event)
        while id := effects.get("load"):
            known = self.store.get(id)
            stored = {"table": known["table"], "log": known["log"]} if known else {}
            self._carry_out(self.handle({"type": "load", "id": id, **stored}))
            effects = self.handle(event)
        if refused := effects.get("refused"):
            self.replies.pop(event["id"]).set_result({"error": refused})
        self._carry_out(effects)

    def handle(self, event: dict[str, Any]) -> dict[str, Any]:
        text = msgspec.json.encode({"now": self.clock.now(), "event": event}).decode()
        effects: dict[str, Any] = msgspec.json.decode(self.host.handle(text))
        return effects

    def _carry_out(self, effects: dict[str, Any]) -> None:
        for write in effects.get("writes", ()):
            stored = self.store.setdefault(write["id"], {"log": []})
            stored["table"] = write.get("table", stored.get("table"))
            stored["log"] += write["log"]
            stored["summary"] = write["summary"]
        for deleted in effects.get("deleted", ()):
            self.store.pop(deleted, None)
        for sent in effects.get("sent", ()):
            if queue := self.sessions.get(sent["session"]):
                queue.put_nowait(msgspec.json.encode(sent["message"]).decode())
        for closed in effects.get("closed", ()):
            self.sessions[closed].put_nowait(None)
        for reply in effects.get("replies", ()):
            self.replies.pop(reply["id"]).set_result(reply)
        for cancelled in effects.get("cancelled", ()):
            self.thoughts.pop(cancelled).cancel()
        for question in effects.get("questions", ()):
            self.thoughts[question["id"]] = asyncio.create_task(self._think(**question))
        self._set_alarm(effects.get("wake_at"))

    def _set_alarm(self, at: int | None) -> None:
        self.wake_at = at
        if self._alarm is not None:
            self._alarm.cancel()
        if at is not None:
            seconds = max(0, at - self.clock.now()) / 1000
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(seconds, lambda: self.send(type="tick"))

    async def _think(self, id: int, method: str, arguments: Any) -> None:
        await self.is_thinking_allowed.wait()
        asked = msgspec.json.encode({"method": method, "arguments": arguments}).decode()
        reply = msgspec.json.decode(answer(asked, lambda _: None))
        del self.thoughts[id]
        self.send(type="answer", id=id, **reply)

    async def request(self, request: Request) -> Response:
        id = next(self.ids)
        future = self.replies[id] = asyncio.get_running_loop().create_future()
        path = request.url.path.removeprefix("/api")
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        body = await request.body()
        asked = {"method": request.method, "path": f"{path}?{request.url.query}", "token": token}
        self.send(type="request", id=id, **asked, body=msgspec.Raw(body or b"{}"))
        reply = await future
        error = reply.get("error")
        status = error.pop("status") if error else 200
        data = msgspec.json.encode(error or reply.get("answer"))
        return Response(data, status, media_type="application/json")

    async def watch(self, socket: WebSocket) -> None:
        await socket.accept()
        session = f"session {next(self.ids)}"
        queue = self.sessions[session] = asyncio.Queue[str | None]()
        self.send(type="open", session=session, table=socket.path_params["id"])

        async def forward() -> None:
            while (message := await queue.get()) is not None:
                await socket.send_text(message)
            await socket.close(CLOSED_FOR_GOOD)

        forwarding = asyncio.create_task(forward())
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                message = msgspec.Raw((await socket.receive_text()).encode())
                self.send(type="say", session=session, message=message)
        forwarding.cancel()
        del self.sessions[session]
        self.send(type="close", session=session)


@contextlib.asynccontextmanager
async def served_device(clock: SystemClock | None = None) -> AsyncIterator[tuple[str, Device]]:
    """Serve the tables of a device; yields the address and the device."""
    device = Device(clock)
    app = Starlette(
        routes=[
            WebSocketRoute("/api/tables/{id}/socket", device.watch),
            Route("/api/{path:path}", device.request, methods=["GET", "POST", "DELETE"]),
        ]
    )
    with contextlib.ExitStack() as stack:
        stack.enter_context(no_errors())
        listener = stack.enter_context(listen("127.0.0.1", 0))
        server = Server(uvicorn.Config(app, log_config=None, ws="websockets-sansio"))
        task = asyncio.create_task(server.serve([listener]))
        try:
            await wait_until(lambda: server.started or task.done(), "a server that has started")
            yield f"http://127.0.0.1:{listener.getsockname()[1]}", device
        finally:
            server.should_exit = True
            await task
            for thought in device.thoughts.values():
                thought.cancel()
            device._set_alarm(None)
