"""W3C WebDriver over HTTP: WebKit by WebKitWebDriver, Chromium by chromedriver."""

from __future__ import annotations

import base64
import contextlib
import json
import socket
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from tests.support.browser.engines.driver import Actions, called, kill_session
from tests.support.browser.engines.pictures import on_screen
from tests.support.waiting import wait_until_sync

MAX_PORTS = 10


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _start(
    program: str, environment: dict[str, str], log: Path, stack: contextlib.ExitStack
) -> httpx.Client:
    """Start a driver, and return a client of it; the stack ends all of that.

    Another process may take the port before the driver does. Then the driver ends, and gets
    another port.
    """
    for _ in range(MAX_PORTS):
        with contextlib.ExitStack() as attempt:
            port = free_port()
            output = attempt.enter_context(log.open("w"))
            child = subprocess.Popen(
                [program, f"--port={port}"],
                env=environment, stdout=output, stderr=output, start_new_session=True,
            )  # fmt: skip
            attempt.callback(kill_session, child)
            address = f"http://127.0.0.1:{port}"
            http = attempt.enter_context(
                httpx.Client(base_url=address, timeout=60, trust_env=False, verify=False)
            )
            wait_until_sync(
                partial(_has_ended_or_answers, child, http),
                f"the start of {program}",
            )
            if child.poll() is None:
                stack.enter_context(attempt.pop_all())
                return http
    raise AssertionError(f"{program} does not start: {log.read_text()}")


def _has_ended_or_answers(child: subprocess.Popen[Any], http: httpx.Client) -> bool:
    """Whether the driver has ended, or a driver that takes sessions answers."""
    if child.poll() is not None:
        return True
    with contextlib.suppress(httpx.TransportError, ValueError, KeyError, TypeError):
        return http.get("/status").json()["value"]["ready"] is True
    return False


class WebDriver:
    """A browser behind a driver program."""

    def __init__(
        self, program: str, capabilities: dict[str, Any], environment: dict[str, str], folder: Path
    ) -> None:
        self.troubles: list[str] = []
        wanted = {"capabilities": {"alwaysMatch": capabilities}}
        with contextlib.ExitStack() as stack:
            self.http = _start(program, environment, folder / "driver.log", stack)
            response = self._answer(self.http.post("/session", json=wanted))
            self.version = response["capabilities"]["browserVersion"]
            self.session = f"/session/{response['sessionId']}"
            self.end = stack.pop_all()

    def _answer(self, response: httpx.Response) -> Any:
        value = response.json()["value"]
        if response.status_code != 200:
            raise RuntimeError(f"{value['error']}: {value['message']}")
        return value

    def _post(self, path: str, **body: Any) -> Any:
        return self._answer(self.http.post(f"{self.session}{path}", json=body))

    def go(self, url: str) -> None:
        self._post("/url", url=url)

    def run(self, function: str, *arguments: Any) -> Any:
        script = f"return ({called(function)})(arguments[0])"
        return json.loads(self._post("/execute/sync", script=script, args=[json.dumps(arguments)]))

    def perform(self, actions: Actions) -> None:
        self._post("/actions", actions=actions)

    def resize(self, width: int, height: int) -> None:
        """The window, until the page in it is as large as that."""
        around = self.run("() => [outerWidth - innerWidth, outerHeight - innerHeight]")
        self._post("/window/rect", width=width + around[0], height=height + around[1])

    def picture(self) -> bytes:
        return base64.b64decode(self._answer(self.http.get(f"{self.session}/screenshot")))

    def close(self) -> None:
        with self.end, contextlib.suppress(httpx.TransportError):
            self.http.delete(self.session)


class OnScreen(WebDriver):
    """WebKit, whose own pictures never come where nothing is composed: its screen shows it."""

    screen: Path

    def picture(self) -> bytes:
        script = """() => [screenX, screenY + outerHeight - innerHeight, innerWidth, innerHeight]"""
        return on_screen(self.screen, *self.run(script))


class Chromedriver(WebDriver):
    """Whose windows are never narrower than 500 pixels, but whose pages can be."""

    def resize(self, width: int, height: int) -> None:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._post("/goog/cdp/execute", cmd="Emulation.setDeviceMetricsOverride", params=size)
