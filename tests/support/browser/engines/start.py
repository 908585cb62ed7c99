"""Where each engine is, what it is started with, and what it cannot do under a driver."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.support.browser.engines.driver import Driver
from tests.support.browser.engines.firefox import Firefox
from tests.support.browser.engines.webdriver import Chromedriver, OnScreen
from tests.support.browser.programs import (
    CHROMIUM_ARGUMENTS,
    find_chromedriver,
    find_chromium,
    find_firefox,
    find_webkit,
)

CANNOT: dict[str, dict[str, str]] = {
    "chromium": {},
    "firefox": {},
    "webkit": {
        "touch": "the driver turns every pointer into a mouse",
        "download": "the small browser shows the PDF and saves no file",
        "errors while loading": (
            "the driver reports no errors, and pages listen only after loading"
        ),
    },
}
"""What cannot be tried in an engine, and why. The journeys ask here, and skip nothing else."""


@contextlib.contextmanager
def started(name: str, folder: Path, *, dark: bool = False) -> Iterator[Driver]:
    """An engine with an empty memory, for a person who wants no motion."""
    with contextlib.ExitStack() as stack:
        driver: Driver
        if name == "firefox":
            driver = Firefox(find_firefox(), folder, dark=dark)
        elif name == "webkit":
            driver = _webkit(folder, dark, stack)
        else:
            driver = _chromium(folder, dark)
        stack.callback(driver.close)
        yield driver


def _chromium(folder: Path, dark: bool) -> Driver:
    browser, program = find_chromium(), find_chromedriver()
    switches = [
        *CHROMIUM_ARGUMENTS,
        "--headless=new",
        "--force-prefers-reduced-motion",
        "--hide-scrollbars",
    ]
    options = {
        "binary": browser,
        "args": [*switches, *(["--blink-settings=preferredColorScheme=0"] if dark else [])],
        "prefs": {
            "download.default_directory": str(folder),
            "intl.accept_languages": "en-GB",
            "plugins.always_open_pdf_externally": True,
        },
    }
    return Chromedriver(program, {"goog:chromeOptions": options}, {**os.environ}, folder)


def _webkit(folder: Path, dark: bool, stack: contextlib.ExitStack) -> Driver:
    browser = find_webkit()
    # Its window has to be somewhere, and would rather not be narrower than its buttons.
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", "1", "-screen", "0", "1920x1200x24", "-nolisten", "tcp",
         "-fbdir", str(folder)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    stack.callback(screen.communicate)
    stack.callback(screen.kill)
    assert screen.stdout
    display = screen.stdout.readline().strip()
    (folder / "gtk-3.0").mkdir(parents=True)
    (folder / "gtk-3.0" / "settings.ini").write_text("[Settings]\ngtk-enable-animations=0\n")
    (folder / "gtk-3.0" / "gtk.css").write_text(
        "* { min-width: 0; min-height: 0; padding: 0; margin: 0; font-size: 1px; }"
    )
    places = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_DOWNLOAD_DIR")
    environment = {
        **os.environ, **dict.fromkeys(places, str(folder)),
        "DISPLAY": f":{display}", "GDK_BACKEND": "x11",
        "LC_ALL": "en_GB.UTF-8", "LANGUAGE": "en_GB", "NO_AT_BRIDGE": "1",
        "WEBKIT_DISABLE_COMPOSITING_MODE": "1",  # Four times as fast where there is no GPU.
    }  # fmt: skip
    words = ["--automation", *(["--dark-mode"] if dark else [])]
    options = {"binary": browser, "args": words}
    asked = {"webkitgtk:browserOptions": options}
    driver = OnScreen("WebKitWebDriver", asked, environment, folder)
    driver.screen = folder / "Xvfb_screen0"
    return driver
