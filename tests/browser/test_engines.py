"""The same journeys in Firefox, WebKit and Chromium: some every day, all in `make test-all`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.browser.engines import journeys
from tests.support.browser.engines.open_page import open_page
from tests.support.browser.engines.pictures import unlike
from tests.support.browser.engines.start import CANNOT
from tests.support.browser.process import Process
from tests.support.browser.table import create
from tests.support.browser.texts import t
from tests.support.paths import ROOT
from tests.support.thoroughness import daily
from tests.support.waiting import wait_until_sync

ENGINES = ("firefox", "webkit", "chromium")
DOCS = ROOT / "docs" / "browsers.md"
PICTURES = ROOT / "build" / "engines"

ALIKE = 0.06
"""The share of tiles that may differ. Two pages that are not the same differ in 0.3 of them."""


# Most other tests are in Chromium.
@pytest.mark.parametrize("name", daily(ENGINES, ["firefox", "webkit"]))
def test_a_short_journey(name: str, tmp_path: Path, server: Process) -> None:
    with open_page(name, tmp_path, server) as page:
        journeys.home(page)
        journeys.classic(page, server, "mouse", 2)
        journeys.classic(page, server, "keyboard", 1)
        journeys.race(page, server)
        journeys.problem(page, server)
        journeys.dark(page)
        journeys.phone(page, server)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ENGINES)
def test_all_journeys(name: str, tmp_path: Path, server: Process) -> None:
    with open_page(name, tmp_path, server) as page:
        journeys.home(page)
        journeys.lesson(page)
        journeys.classic(page, server, "keyboard")
        finished = journeys.classic(page, server, "mouse")
        journeys.replay(page, finished)
        journeys.race(page, server)
        journeys.race_by_holes(page, server)
        journeys.problem(page, server)
        journeys.pinch(page)
        journeys.dark(page)
        journeys.phone(page, server)
        journeys.printing(page)
        if "download" not in CANNOT[name]:
            page.press_button(t("print_open"))
            wait_until_sync(
                lambda: any(one.read_bytes()[:5] == b"%PDF-" for one in tmp_path.glob("*/*.pdf")),
                "a PDF that is downloaded",
            )


@pytest.mark.thorough
@pytest.mark.parametrize("name", ENGINES)
def test_a_finger_plays_the_whole_game(name: str, tmp_path: Path, server: Process) -> None:
    with open_page(name, tmp_path, server) as page:
        page.open("/")
        kind = journeys.pointer_of_a_tap(page)
        if "touch" in CANNOT[name]:
            assert kind == "mouse", f"{name} can be touched now: say so in engines/start.py"
        else:
            assert kind == "touch"
            journeys.classic(page, server, "touch")


@pytest.mark.thorough
@pytest.mark.parametrize("name", ENGINES)
def test_the_server_goes_and_comes_back(name: str, tmp_path: Path, own_server: Process) -> None:
    with open_page(name, tmp_path, own_server) as page:
        journeys.reconnect(page, own_server)
        journeys.without_network(page, own_server)
        page.forget_troubles()  # Every engine reports a lost server in its own words.


@pytest.mark.thorough
@pytest.mark.parametrize("name", ENGINES)
def test_dark_like_the_system(name: str, tmp_path: Path, server: Process) -> None:
    with open_page(name, tmp_path, server, dark=True) as page:
        journeys.dark(page, by_the_system=True)


@pytest.mark.thorough
def test_pictures_are_alike(tmp_path: Path, server: Process) -> None:
    """The same tables and pages in each engine; to be looked at in build/engines."""
    classic = create(server)
    puzzle = create(server, "puzzle", seats=[None, None], guests=["Bob"])
    known = {**classic.known, **puzzle.known}
    (tmp_path / "played").mkdir()
    with open_page("chromium", tmp_path / "played", server) as page:
        page.remember(tables=known)
        page.open(classic.path)
        while page.count(journeys.LAID) < 10:
            journeys.turn(page, "keyboard")
        page.wait(journeys.MINE)
    seen: dict[str, dict[str, bytes]] = {}
    for name in ENGINES:
        with open_page(name, tmp_path, server) as page:
            page.remember(tables=known)
            seen[name] = {
                "table": page.picture(classic.path, ".held-face"),
                "race": page.picture(puzzle.path, ".pool-item .face"),
                "home": page.picture("/", ".demonstration .laid"),
            }
            page.remember(tables=known, theme="dark")
            seen[name]["dark"] = page.picture(classic.path, ".held-face")
            page.remember(tables=known)
            page.resize(390, 844)
            seen[name]["phone"] = page.picture(classic.path, ".held-face")
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name, pictures in seen.items():
        for what, picture in pictures.items():
            (PICTURES / f"{what}-{name}.png").write_bytes(picture)
    far = {
        f"{what} in {name}": share
        for name in ("firefox", "webkit")
        for what, picture in seen[name].items()
        if (share := unlike(picture, seen["chromium"][what])) > ALIKE
    }
    assert far == {}


def test_limits_of_engines_are_documented() -> None:
    words = DOCS.read_text()
    names = {"webkit": "WebKit"}
    for name, limits in CANNOT.items():
        for limit, reason in limits.items():
            assert f"| {names[name]} | {limit} | {reason} |" in words
