"""Take the pictures of docs/look.md, each of then and now, and those of paper.

python scripts/take_look.py THEN NOW

Both are servers that run (`dalapapa play --no-browser`): of an older version, and of this one.
Needs Playwright, Pillow and pypdfium2, which `make test` installs.
"""

from __future__ import annotations

import io
import json
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from dalapapa.printing import make_pdf

DOCS = Path(__file__).parents[1] / "docs"
WIDE, PHONE, ON_ITS_SIDE = (1280, 800), (390, 844), (844, 390)
HIGH = 430
"""Pixels of a picture in a pair."""
APART, GROUND = 14, "#e9e2d3"
TURNS = 7
PAPER = (("box", 1), ("booklet", 3), ("booklet", 14), ("extras", 1), ("board", 1))
"""Prints and their pages."""


def asked(url: str, path: str, data: Any = None) -> bytes:
    """What a server answers."""
    body = None if data is None else json.dumps(data).encode()
    request = urllib.request.Request(url + path, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        found: bytes = answer.read()
    return found


def seated(browser: Browser, url: str, **settings: Any) -> Page:
    """Ann at a new table."""
    new = json.loads(asked(url, "/api/tables", {"host": "Ann", "pace": 100, **settings}))
    known = json.dumps({new["id"]: {"token": new["token"], "game": settings["game"], "at": 0}})
    page = opened(browser, url, {"dalapapa.tables": known})
    page.goto(f"{url}/t/{new['id']}")
    return page


def opened(browser: Browser, url: str, known: dict[str, str] | None = None) -> Page:
    """A page of a new browser, which knows its tables."""
    memory: Any = {
        "cookies": [],
        "origins": [
            {
                "origin": url,
                "localStorage": [{"name": n, "value": v} for n, v in (known or {}).items()],
            }
        ],
    }
    context = browser.new_context(
        viewport={"width": WIDE[0], "height": WIDE[1]}, locale="en-GB", color_scheme="light",
        storage_state=memory, service_workers="block",
    )  # fmt: skip
    return context.new_page()


def finished(page: Page, url: str) -> str:
    """A game of two programs, who play while somebody watches."""
    wanted = {"game": "classic", "seats": ["medium", "easy"], "pace": 0}
    table: str = json.loads(asked(url, "/api/tables", wanted))["id"]
    page.goto(f"{url}/t/{table}")
    while json.loads(asked(url, f"/api/tables/{table}"))["table"]["phase"] != "over":
        page.wait_for_timeout(1000)
    return table


def taken(page: Page, wait: int = 2500) -> Image.Image:
    """The window, when nothing moves any more."""
    page.wait_for_timeout(wait)
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def printed(pdf: bytes, page: int) -> Image.Image:
    """A page of a print."""
    document = pypdfium2.PdfDocument(pdf)
    return document[page - 1].render(scale=1.6).to_pil().convert("RGB")  # type: ignore[no-any-return]


def scenes(browser: Browser, url: str) -> Iterator[tuple[str, Image.Image]]:
    """All that is compared, by name."""
    page = seated(browser, url, game="classic", seats=[None, "medium"])
    for turn in range(TURNS):
        page.wait_for_function("() => document.title.startsWith('●')")
        page.locator(".held-face:not(.stuck)").first.wait_for()
        page.keyboard.press("ArrowRight" if turn % 2 else "ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_timeout(500)
        page.keyboard.press("e")
        page.wait_for_timeout(1000)
    page.wait_for_function("() => document.title.startsWith('●')")
    yield "classic", taken(page)
    page.emulate_media(color_scheme="dark")
    yield "dark", taken(page, 500)
    page.emulate_media(color_scheme="light")
    for name, (width, height) in (("phone", PHONE), ("side", ON_ITS_SIDE)):
        page.set_viewport_size({"width": width, "height": height})
        yield name, taken(page, 1000)
    page.context.close()
    for name, seats in (("puzzle", [None]), ("alex", [None, "medium"])):
        page = seated(browser, url, game=name, seats=seats, countdown=0)
        yield name, taken(page)
        page.context.close()
    page = opened(browser, url)
    over = finished(page, url)
    for name, path in (
        ("home", "/"),
        ("problems", "/problems"),
        ("analysis", "/analysis#p=PRYGB+0@0,0_BYRGB+0@0,-1&h=CRYGB,ZYRBG"),
        ("replay", f"/replay/{over}#25"),
        ("result", f"/t/{over}"),
    ):
        page.goto("about:blank")
        page.goto(url + path)
        yield name, taken(page, 3500)
    page.context.close()
    yield "booklet", printed(asked(url, "/api/print/dalapapa.pdf?what=booklet"), 3)


def joined(pictures: list[Image.Image], high: int) -> Image.Image:
    """Pictures beside each other, equally high."""
    sized = [
        one.resize((round(one.width * high / one.height), high), Image.Resampling.LANCZOS)
        for one in pictures
    ]
    width = sum(one.width + APART for one in sized) + APART
    whole = Image.new("RGB", (width, high + 2 * APART), GROUND)
    x = APART
    for one in sized:
        whole.paste(one, (x, APART))
        x += one.width + APART
    return whole


def save(picture: Image.Image, path: Path) -> None:
    """A small file."""
    path.parent.mkdir(exist_ok=True)
    picture.save(path, quality=72, method=6)


def main(then: str, now: str) -> None:
    """All pairs, and paper."""
    paper = [printed(make_pdf({"what": what}), page) for what, page in PAPER]
    save(joined(paper, 380), DOCS / "look" / "paper.webp")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        before, after = (dict(scenes(browser, url)) for url in (then, now))
        browser.close()
    for name, picture in before.items():
        save(joined([picture, after[name]], HIGH), DOCS / "look" / f"{name}.webp")


if __name__ == "__main__":
    main(*(url.rstrip("/") for url in sys.argv[1:3]))
