"""W3C WebDriver over HTTP: WebKit by WebKitWebDriver, Chromium by chromedriver."""

from __future__ import annotations

import base64
import contextlib
import json
import socket
import subprocess
from pathlib import Path
from typing import Any

import httpx

from engines.driver import Actions, called, killed_on_failure
from engines.pictures import on_screen
from waiting import wait_until_sync


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


class WebDriver:
    """A browser behind a driver program."""

    def __init__(
        self, program: str, capabilities: dict[str, Any], environment: dict[str, str], folder: Path
    ) -> None:
        self.troubles: list[str] = []
        port = free_port()
        self.log = (folder / "driver.log").open("w")
        self.child = subprocess.Popen(
            [program, f"--port={port}"], env=environment, stdout=self.log, stderr=self.log
        )
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False)
        wanted = {"capabilities": {"alwaysMatch": capabilities}}
        with killed_on_failure(self.child):
            wait_until_sync(self._answers, f"the start of {program}")
            told = self._answer(self.http.post("/session", json=wanted))
        self.version = told["capabilities"]["browserVersion"]
        self.session = f"/session/{told['sessionId']}"

    def _answers(self) -> bool:
        with contextlib.suppress(httpx.TransportError):
            self.http.get("/status")
            return True
        return False

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
        with contextlib.suppress(httpx.TransportError):
            self.http.delete(self.session)
        self.http.close()
        self.child.kill()
        self.child.wait()
        self.log.close()


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
