"""What the scripts share that take pictures for README and docs.

Needs Playwright, Pillow and pypdfium2, which `make test` installs. `CHROMIUM` names a browser.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pypdfium2
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from dalapapa import Match
from dalapapa.hosting.entries import Moved, Sat, write_entry
from dalapapa.hosting.settings import SeatPlan, Settings, find_tiles
from dalapapa.server.ops.export import EntryLine, Head, TableLine, Tail

DOCS = Path(__file__).parents[1] / "docs"
PICTURES = DOCS / "pictures"
PORT = "8472"
"""Of the server, because an invite link and its QR code show it."""
TOKEN = "a-token-for-the-pictures-of-the-docs"
GAP_PX, BACKGROUND = 14, "#e9e2d3"
"""Between pictures that stand side by side."""


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """Start a browser: the one of this machine or, where there is none, Playwright's."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


# -- the server ----------------------------------------------------------------------------------


@contextlib.contextmanager
def serve(tables: Sequence[TableLine] = ()) -> Iterator[str]:
    """Start a server with these tables and no others; yield its address."""
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/tables.db"
        lines = [Head(), *tables, Tail(len(tables))]
        exported = Path(folder, "tables.jsonl")
        exported.write_bytes(b"".join([msgspec.json.encode(line) + b"\n" for line in lines]))
        command = [sys.executable, "-u", "-m", "dalapapa"]
        subprocess.run([*command, "import", "--database", database, str(exported)], check=True)
        with subprocess.Popen(
            [*command, "play", "--no-browser", "--port", PORT, "--database", database],
            stdout=subprocess.PIPE,
            text=True,
        ) as server:
            try:
                assert server.stdout
                found = re.search(r"http://[\d.]+:\d+", server.stdout.readline())
                assert found, "the server did not start"
                yield found[0]
            finally:
                server.terminate()


def request(url: str, path: str, data: Any = None) -> bytes:
    """What a server answers."""
    body = None if data is None else json.dumps(data).encode()
    request = urllib.request.Request(url + path, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        found: bytes = answer.read()
    return found


# -- tables with a known bag ---------------------------------------------------------------------


def play_best_turns(match: Match, dominoes: int = 120) -> None:
    """Let the person in seat 0 make the best turns, until so many dominoes lie on the table."""
    while match.run() is None and len(match.table.layings) < dominoes:
        view = match.view(0)
        turn = view.table.best(view.hand) if view.hand else None
        for laying in turn.layings if turn else ():
            match.play(laying)
        if match.to_act == (0,) and match.outcome is None:
            match.play("end" if turn else "pass")


def make_table_line(id: str, match: Match, guests: int = 0) -> TableLine:
    """Make an online table of a match; TOKEN opens the seats of its people.

    The last seats are free for so many guests, who have not come yet.
    """
    bots = [player.program for player in match.players]
    plans = tuple([SeatPlan(bot) for bot in bots])
    chosen = Settings(match.game.name, plans, visibility="public", pace=300)
    owner = hashlib.sha256(TOKEN.encode()).hexdigest()
    people = [(seat, one.name) for seat, one in enumerate(match.players) if not one.program]
    people = people[: len(people) - guests]
    entries = [
        *[Sat(seat, name, owner) for seat, name in people],
        *[Moved(move, "program" if bots[move.player] else "player") for move in match.moves],
    ]
    now = time.time_ns() // 1_000_000  # A server removes or archives tables of long ago.
    log = [
        EntryLine(number, now, msgspec.to_builtins(write_entry(entry)))
        for number, entry in enumerate(entries, 1)
    ]
    return TableLine(id, now, chosen, match.seed, tuple(log), find_tiles(chosen).identity)


# -- pages ---------------------------------------------------------------------------------------


def open_page(
    browser: Browser, url: str, *tables: TableLine, size: tuple[int, int], **options: Any
) -> Page:
    """Open a page of a new browser, which knows the token of these tables."""
    known = {one.id: {"token": TOKEN, "game": one.settings.game, "at": 0} for one in tables}
    entry = {"name": "dalapapa.tables", "value": json.dumps(known)}
    memory: Any = {"cookies": [], "origins": [{"origin": url, "localStorage": [entry]}]}
    context = browser.new_context(**{
        "viewport": {"width": size[0], "height": size[1]}, "locale": "en-GB",
        "color_scheme": "light", "storage_state": memory, "service_workers": "block", **options,
    })  # fmt: skip
    return context.new_page()


def take_picture(target: Any, animations: str = "disabled") -> Image.Image:
    """Take a screenshot of a page, or of a part of one, as it is when nothing moves."""
    data = target.screenshot(animations=animations)
    return Image.open(io.BytesIO(data)).convert("RGB")


def save_picture(picture: Image.Image, name: str, width: int, quality: int = 80) -> None:
    """Save a picture for the docs, scaled to a width, as a small file."""
    PICTURES.mkdir(exist_ok=True)
    height = round(picture.height * width / picture.width)
    scaled = picture.resize((width, height), Image.Resampling.LANCZOS)
    scaled.save(PICTURES / f"{name}.webp", quality=quality, method=6)


def render_page(pdf: bytes, page: int) -> Image.Image:
    """Render a page of a print."""
    document = pypdfium2.PdfDocument(pdf)
    return document[page - 1].render(scale=1.6).to_pil().convert("RGB")  # type: ignore[no-any-return]


def join_pictures(pictures: list[Image.Image], height: int) -> Image.Image:
    """Put pictures beside each other, equally high."""
    sized = [
        one.resize((round(one.width * height / one.height), height), Image.Resampling.LANCZOS)
        for one in pictures
    ]
    width = sum(one.width + GAP_PX for one in sized) + GAP_PX
    whole = Image.new("RGB", (width, height + 2 * GAP_PX), BACKGROUND)
    x = GAP_PX
    for one in sized:
        whole.paste(one, (x, GAP_PX))
        x += one.width + GAP_PX
    return whole
