"""Firefox by WebDriver BiDi, which it speaks itself: no other program is needed."""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import subprocess
import time
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.support.browser.engines.driver import Actions, called, kill_session
from tests.support.waiting import wait_until_sync

PREFERENCES = {
    # Requests go to our server only.
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.contentblocking.report.lockwise.enabled": False,
    "browser.newtabpage.enabled": False,
    "browser.pagethumbnails.capturing_disabled": True,
    "browser.safebrowsing.blockedURIs.enabled": False,
    "browser.safebrowsing.downloads.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.search.update": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    # Pages hear that they are left, as with people; remote control turns that off.
    "dom.disable_beforeunload": False,
    "dom.push.connection.enabled": False,
    "extensions.blocklist.enabled": False,
    "extensions.getAddons.cache.enabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.dns.disablePrefetch": True,
    "network.manage-offline-status": False,
    "network.proxy.type": 0,
    "network.sntp.pools": "",
    "security.remote_settings.intermediates.enabled": False,
    "services.settings.server": "data:,#remote-settings-dummy/v1",
    "signon.autofillForms": False,
    "toolkit.telemetry.server": "",
    "trailhead.firstrun.didSeeAboutWelcome": True,
    # One page, quickly started.
    "browser.sessionstore.resume_from_crash": False,
    "dom.ipc.processCount": 1,
    "dom.ipc.processPrelaunch.enabled": False,
    "intl.accept_languages": "en-GB, en",
    "toolkit.cosmeticAnimations.enabled": False,
    "ui.prefersReducedMotion": 1,
    "dom.w3c_touch_events.enabled": 1,
    "browser.download.folderList": 2,
    "browser.download.useDownloadDir": True,
    "browser.helperApps.neverAsk.saveToDisk": "application/pdf",
    "pdfjs.disabled": True,
}

EXPECTED = "A ServiceWorker intercepted the request"
"""What is still being loaded when the page is left; Firefox calls it unexpected."""

REPLACED = ("AbortError", "NS_BINDING_ABORTED", "no such frame", "DiscardedBrowsingContext")
"""How Firefox says that the page which was asked is no longer there."""

REPLACING_S = 30
"""Seconds until the next page takes questions; a busy machine may need many."""


class Firefox:
    """A Firefox of its own, with an empty profile."""

    def __init__(self, program: str, folder: Path, *, dark: bool = False) -> None:
        self.troubles: list[str] = []
        profile = folder / "firefox"
        profile.mkdir(parents=True)
        chosen = {
            **PREFERENCES,
            "ui.systemUsesDarkTheme": int(dark),
            "browser.download.dir": str(folder),
        }
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in chosen.items()
        ]
        (profile / "user.js").write_text("\n".join(lines))
        words = ["--headless", "--no-remote", "--profile", str(profile)]
        self.child = subprocess.Popen(
            [program, *words, "--remote-debugging-port", "0"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        self.realm: str | None = None
        self.left: str | None = None
        """The page before: what fails in it because it is left is expected."""
        self.numbers = itertools.count(1)
        with contextlib.ExitStack() as stack:
            stack.callback(kill_session, self.child)
            self.socket = stack.enter_context(
                connect(
                    f"{self._address(profile / 'WebDriverBiDiServer.json')}/session",
                    max_size=None, compression=None, proxy=None,
                )
            )  # fmt: skip
            capabilities = self._send("session.new", capabilities={})["capabilities"]
            self.version = capabilities["browserVersion"]
            self._send("session.subscribe", events=["log.entryAdded", "network.responseCompleted"])
            tree = self._send("browsingContext.getTree")
            self.context = tree["contexts"][0]["context"]
            self.end = stack.pop_all()

    def _address(self, log: Path) -> str:
        """Where Firefox listens, which it writes into a file of its profile."""

        def find() -> str | None:
            ended = self.child.poll()
            assert ended is None, f"Firefox ended with {ended}"
            with contextlib.suppress(FileNotFoundError, json.JSONDecodeError):
                found = json.loads(log.read_text())
                return f"ws://{found['ws_host']}:{found['ws_port']}"
            return None

        return wait_until_sync(find, "the start of Firefox")

    def _ask(self, method: str, **parameters: Any) -> Any:
        """Once more, if a page took the place of the one that was asked."""
        until = time.monotonic() + REPLACING_S
        while True:
            try:
                return self._send(method, **parameters)
            except RuntimeError as error:
                replaced = any(words in str(error) for words in REPLACED)
                if not replaced or time.monotonic() > until:
                    raise
            time.sleep(0.2)  # No event says when the next page takes questions.

    def _send(self, method: str, **parameters: Any) -> Any:
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv(60))
            if message.get("id") == number:
                if message["type"] == "error":
                    raise RuntimeError(f"{message['error']}: {message['message']}")
                return message["result"]
            self._hear(message)

    def _hear(self, event: dict[str, Any]) -> None:
        params = event.get("params", {})
        if event.get("method") == "log.entryAdded" and params["level"] in ("error", "warn"):
            if EXPECTED not in params["text"] and not self._is_left(params["source"]):
                self.troubles.append(f"{params['type']}: {params['text']}")
        elif event.get("method") == "network.responseCompleted":
            answer = params["response"]
            # A picture on its own page has no icon, so Firefox asks for the one of old.
            if answer["status"] >= 400 and not answer["url"].endswith("/favicon.ico"):
                self.troubles.append(f"answered {answer['status']}: {answer['url']}")

    def _is_left(self, source: dict[str, Any]) -> bool:
        return self.left is not None and self.left == source["realm"]

    def go(self, url: str) -> None:
        self.left = self.realm
        self._ask("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def run(self, function: str, *arguments: Any) -> Any:
        reply = self._ask(
            "script.callFunction",
            functionDeclaration=called(function),
            arguments=[{"type": "string", "value": json.dumps(arguments)}],
            target={"context": self.context},
            awaitPromise=True,
            userActivation=False,
        )
        self.realm = reply["realm"]
        if reply["type"] == "exception":
            raise RuntimeError(reply["exceptionDetails"]["text"])
        return json.loads(reply["result"]["value"])

    def perform(self, actions: Actions) -> None:
        self._send("input.performActions", context=self.context, actions=actions)

    def resize(self, width: int, height: int) -> None:
        size = {"width": width, "height": height}
        self._send("browsingContext.setViewport", context=self.context, viewport=size)

    def picture(self) -> bytes:
        reply = self._send("browsingContext.captureScreenshot", context=self.context)
        return base64.b64decode(reply["data"])

    def close(self) -> None:
        with self.end, contextlib.suppress(ConnectionClosed):
            self._send("browser.close")
