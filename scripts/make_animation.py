"""Make the animation and the still of README: a player lays a domino that closes a group.

python scripts/make_animation.py

The game is a real one from a seed, in a real Chromium. The clock of the page stands still between
frames, so every run shows the same, however slow the machine is. `docs/pictures/moment.json` says
what the still shows.
"""

from __future__ import annotations

import json

from pictures import (
    PICTURES,
    chromium,
    make_table_line,
    open_page,
    play_best_turns,
    save_picture,
    serve,
    take_picture,
)
from PIL import Image
from playwright.sync_api import Page

from dalapapa import Laying, Match

SEED, DOMINOES = "readme-1101", 11
"""The game, and how many dominoes lie on the table."""

LAYING, FACE = "AGRBY+3@-1,-1", "AGRBY front"
"""What Ann lays, and the face that she takes."""

SIZE = (1024, 640)
WIDTH = 800
FRAME_MS = 50
QUALITY, MAX_BYTES = 60, 1_000_000

STEP = """(ms) => {
  for (const animation of document.getAnimations()) {
    if (!animation.heldBack) {
      animation.heldBack = true;
      animation.pause();
      animation.currentTime = 0;
    }
    const { endTime } = animation.effect.getComputedTiming();
    const time = animation.currentTime + ms;
    if (time < endTime) animation.currentTime = time;
    else animation.finish();
  }
}"""
"""Moves everything on the page on by some milliseconds."""


class Film:
    """The frames of an animation, and how long each is shown."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[Image.Image] = []
        self.times: list[int] = []

    def shoot(self, seconds: float) -> None:
        """Film for some time, frame by frame."""
        for _ in range(round(1000 * seconds / FRAME_MS)):
            self.page.clock.run_for(FRAME_MS)
            self.page.evaluate(STEP, FRAME_MS)
            picture = take_picture(self.page, "allow")
            height = WIDTH * SIZE[1] // SIZE[0]
            picture = picture.resize((WIDTH, height), Image.Resampling.LANCZOS)
            if self.frames and picture.tobytes() == self.frames[-1].tobytes():
                self.times[-1] += FRAME_MS
            else:
                self.frames.append(picture)
                self.times.append(FRAME_MS)


CENTRES = """() => [...document.querySelectorAll(".board .domino")].map((domino) => {
  const { left, top, width, height } = domino.getBoundingClientRect();
  return [domino.dataset.laying, left + width / 2, top + height / 2];
})"""


def find_point(page: Page) -> tuple[float, ...]:
    """Find where the first cell of LAYING is on the screen, from where the dominoes are."""
    found = page.evaluate(CENTRES)
    cells = [Laying.parse(text).cells for text, _, _ in found]
    target = Laying.parse(LAYING).cells[0]
    point = []
    for axis in (0, 1):
        middles = [sum(cell[axis] for cell in both) / 2 for both in cells]
        pairs = sorted(zip(middles, [one[axis + 1] for one in found], strict=True))
        (low, low_px), (high, high_px) = pairs[0], pairs[-1]
        point.append(low_px + (high_px - low_px) / (high - low) * (target[axis] - low))
    return tuple(point)


def choose_place(page: Page, film: Film, points: int) -> None:
    """Point at the place, and turn the domino until it earns the points."""
    page.mouse.move(*find_point(page))
    film.shoot(0.8)
    badge = page.locator(".ghost-numbers")
    for _ in range(4):
        if f"+{points}" in badge.inner_text():
            return
        page.keyboard.press("r")
        film.shoot(0.7)
    raise SystemExit(f"No pose there earns {points} points.")


def take_board(page: Page) -> Image.Image:
    """Take a picture of the board alone."""
    box = page.locator(".room-board").bounding_box()
    assert box
    left, top = box["x"], box["y"]
    return take_picture(page).crop((left, top, left + box["width"], top + box["height"]))


def save_film(film: Film) -> None:
    """Save the animation, which must be small."""
    path = PICTURES / "play.webp"
    first, *rest = film.frames
    first.save(
        path, save_all=True, append_images=rest, duration=film.times, loop=0, quality=QUALITY,
        method=6, minimize_size=True,
    )  # fmt: skip
    size = path.stat().st_size
    print(f"{path.name}: {len(film.frames)} frames, {sum(film.times) / 1000} s, {size} bytes")
    if size > MAX_BYTES:
        raise SystemExit(f"The animation is larger than {MAX_BYTES} bytes.")


def main() -> None:
    """Make both pictures."""
    match = Match("classic", players=["Ann", "medium"], seed=SEED)
    play_best_turns(match, DOMINOES)
    earned = match.table.earned(LAYING)
    table = make_table_line("readme", match)
    with serve([table]) as url, chromium() as browser:
        page = open_page(browser, url, table, size=SIZE)
        page.clock.install()
        page.goto(f"{url}/t/{table.id}")
        page.locator(".held-face:not(.stuck)").first.wait_for()
        page.wait_for_load_state("networkidle")
        page.clock.pause_at(page.evaluate("Date.now()") + 3000)
        film = Film(page)
        film.shoot(1)
        page.locator(f'.held-face[title="{FACE}"]').click()
        film.shoot(0.8)
        choose_place(page, film, earned.points)
        film.shoot(1)
        still = take_board(page)
        page.keyboard.press("Enter")
        page.locator(f'.board .domino[data-laying="{LAYING}"]').wait_for()
        film.shoot(3)
    save_picture(still, "table", still.width)
    save_film(film)
    moment = {
        "position": str(match.table),
        "laying": LAYING,
        "points": earned.points,
        "score": match.scores[0],
    }
    (PICTURES / "moment.json").write_text(json.dumps(moment, indent=2) + "\n")


if __name__ == "__main__":
    main()
