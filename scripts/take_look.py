"""Take the pictures of docs/look.md, each of then and now.

python scripts/take_look.py THEN NOW

Both are servers that run (`dalapapa play --no-browser`): of an older version, and of this one.
Needs Playwright, Pillow and pypdfium2, which `make test` installs.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from pictures import (
    chromium,
    join_pictures,
    open_new_table,
    open_page,
    play_turns,
    render_page,
    request,
)
from PIL import Image
from playwright.sync_api import Browser, Page

DOCS = Path(__file__).parents[1] / "docs"
PHONE, ON_ITS_SIDE = (390, 844), (844, 390)
HIGH = 430
"""Pixels of a picture in a pair."""
TURNS = 7


def finish_game(page: Page, url: str) -> str:
    """A game of two bots, who play while a spectator watches."""
    wanted = {"game": "classic", "seats": ["medium", "easy"], "pace": 0}
    table: str = json.loads(request(url, "/api/tables", wanted))["id"]
    page.goto(f"{url}/t/{table}")
    while json.loads(request(url, f"/api/tables/{table}"))["table"]["phase"] != "over":
        page.wait_for_timeout(1000)
    return table


def take_picture(page: Page, wait: int = 2500) -> Image.Image:
    """The window, when nothing moves any more."""
    page.wait_for_timeout(wait)
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def scenes(browser: Browser, url: str) -> Iterator[tuple[str, Image.Image]]:
    """All that is compared, by name."""
    page = open_new_table(browser, url, game="classic", seats=[None, "medium"])
    play_turns(page, TURNS)
    yield "classic", take_picture(page)
    page.emulate_media(color_scheme="dark")
    yield "dark", take_picture(page, 500)
    page.emulate_media(color_scheme="light")
    for name, (width, height) in (("phone", PHONE), ("side", ON_ITS_SIDE)):
        page.set_viewport_size({"width": width, "height": height})
        yield name, take_picture(page, 1000)
    page.context.close()
    for name, seats in (("puzzle", [None]), ("alex", [None, "medium"])):
        page = open_new_table(browser, url, game=name, seats=seats, countdown=0)
        yield name, take_picture(page)
        page.context.close()
    page = open_page(browser, url)
    over = finish_game(page, url)
    for name, path in (
        ("home", "/"),
        ("problems", "/problems"),
        ("analysis", "/analysis#p=PRYGB+0@0,0_BYRGB+0@0,-1&h=CRYGB,ZYRBG"),
        ("replay", f"/replay/{over}#25"),
        ("result", f"/t/{over}"),
    ):
        page.goto("about:blank")
        page.goto(url + path)
        yield name, take_picture(page, 3500)
    page.context.close()
    yield "booklet", render_page(request(url, "/api/print/dalapapa.pdf?what=booklet"), 3)


def save(picture: Image.Image, path: Path) -> None:
    """A small file."""
    path.parent.mkdir(exist_ok=True)
    picture.save(path, quality=72, method=6)


def main(then: str, now: str) -> None:
    """All pairs."""
    with chromium() as browser:
        before, after = (dict(scenes(browser, url)) for url in (then, now))
    for name, picture in before.items():
        save(join_pictures([picture, after[name]], HIGH), DOCS / "look" / f"{name}.webp")


if __name__ == "__main__":
    main(*(url.rstrip("/") for url in sys.argv[1:3]))
