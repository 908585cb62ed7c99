"""What people do, written once, and done in every engine."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import urlsplit

from tests.support.browser import table
from tests.support.browser.engines.page import WAIT, Page
from tests.support.browser.people import DESK, PHONE
from tests.support.browser.process import Process
from tests.support.browser.texts import t

MINE = '() => document.title.startsWith("●")'
LAID = ".board .domino"
FITTING = ".held-face:not(.stuck)"

PLACE = """() => {
  const boxes = [...document.querySelectorAll(".places rect")]
    .map((one) => one.getBoundingClientRect());
  const [before, now] = [window.before, boxes.map(({ x, y }) => [x, y]).join()];
  window.before = now;
  if (now !== before) return null;
  const free = boxes.map(({ x, y, width, height }) => [x + width / 2, y + height / 2])
    .find(([x, y]) => document.elementFromPoint(x, y)?.closest(".board")
      && !document.elementFromPoint(x, y).closest("button"));
  return free ?? null;
}"""
"""A place where the domino in hand fits, when the table is at rest and nothing lies over it."""

OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def sit(page: Page, server: Process, game: str = "classic", **settings: Any) -> table.Table:
    """At a new table of one's own."""
    new = table.create(server, game, **settings)
    page.remember(tables=new.known)
    page.open(new.path)
    page.expect(".status")
    return new


def home(page: Page) -> None:
    """All of the first page, its settings as a dialog, and its fonts."""
    page.remember()
    page.open("/")
    page.expect("h1", "Dalapapa")
    page.expect_count(".game-card", 8)
    page.expect_count(".demonstration .laid", 10)
    page.wait("() => document.fonts.check('800 20px Outfit')")
    assert page.run(OVERFLOW) <= 0
    page.press_button(t("settings"))
    page.expect("dialog[open]")
    page.press("Escape")
    page.gone("dialog[open]")


def lay(page: Page, way: str) -> None:
    """One domino, with the mouse, the keyboard or a finger, until the server has sent it.

    As people do, it is tried again where the table has changed under the fingers.
    """
    before = page.count(LAID)
    until = time.monotonic() + WAIT
    while time.monotonic() < until:
        page.expect(FITTING)
        if way == "keyboard":
            page.press("ArrowRight")
            page.press("Enter")
        else:
            touch = way == "touch"
            if not page.count(".held-face.chosen"):
                (page.tap if touch else page.click)(FITTING)
            page.expect(".places rect")
            (page.tap_at if touch else page.click_at)(*page.wait(PLACE))
            page.run(table.PAINTED)
            if not page.count(".ghost.pinned"):
                continue  # The table moved in between, and the place with it.
            (page.tap if touch else page.click)("button", t("lay_here"))
        page.run(table.PAINTED)
        page.wait(table.LAID, before)
        if page.count(LAID) != before:
            page.gone(".ghost.pinned")
            return
    raise AssertionError(f"nothing can be laid: {page.words()}")


def turn(page: Page, way: str) -> None:
    """Lay a domino or pass, and end the turn where that is to be said."""
    page.wait(MINE)
    seen = page.wait(
        """(pass) => document.querySelector(".held-face:not(.stuck)") ? "lay"
          : document.querySelector(".turn-buttons")?.innerText.includes(pass) ? "pass" : null""",
        t("pass"),
    )

    def say(text: str, key: str) -> None:
        if way == "keyboard":
            page.press(key)
        else:
            (page.tap if way == "touch" else page.click)("button", text)

    if seen == "pass":
        say(t("pass"), "p")
        return
    before = page.count(LAID)
    lay(page, way)
    # During setup nothing announces it, and it may be one's own turn again immediately.
    then = """(end, most) => !document.title.startsWith("●") ? "theirs"
      : document.querySelector(".turn-buttons")?.innerText.includes(end) ? "end"
      : document.querySelector("dialog.result") ? "over"
      : document.querySelectorAll(".board .domino").length > most ? "again" : null"""
    if page.wait(then, t("end_turn"), before + 1) == "end":
        say(t("end_turn"), "e")
        page.gone(".turn-buttons", t("end_turn"))


def classic(page: Page, server: Process, way: str, turns: int | None = None) -> str:
    """Some turns of the classic game, or all of it; the board stays where it is."""
    new = sit(page, server)
    board = page.wait(BOARD)
    for _ in range(turns or 60):
        page.wait(f"() => ({MINE})() || !!document.querySelector('dialog.result, .result-closed')")
        if page.count("dialog.result, .result-closed"):
            break
        turn(page, way)
    assert page.run(BOARD) == board, "the board has jumped"
    if turns is None:
        page.expect("dialog.result .ranking", "Ann")
    return new.id


BOARD = """() => {
  const { left, top, width, height } = document.querySelector(".board").getBoundingClientRect();
  return [left, top, width, height].map(Math.round).join();
}"""

FLOOR = """() => {
  const floor = document.querySelector(".board .frame-floor")?.getBoundingClientRect();
  return floor && [floor.left, floor.top, floor.width / 4];
}"""


def race(page: Page, server: Process) -> None:
    """A domino is dragged from the middle into the frame; the next one is turned at the hand."""
    sit(page, server, "puzzle", seats=[None, None], guests=["Bob"])
    x, y = page.at(".pool-item .face")
    left, top, cell = page.wait(FLOOR)
    page.drag((x, y), (x - 30, y + 10), (left + cell / 2, top + cell / 3), (left + 40, top + 40))
    page.expect_count(LAID, 1)
    page.click(".pool-item:not(.gone)")
    face = "() => document.querySelector('.held-face.chosen svg')?.getAttribute('viewBox')"
    lying = page.wait(face)
    page.press_button(t("turn"))
    page.wait(f"(lying) => ({face})() !== lying", lying)


def race_by_holes(page: Page, server: Process) -> None:
    """A hole, a domino that fits there, the tick: row by row."""
    sit(page, server, "puzzle", seats=[None, None], guests=["Bob"])
    page.at(".pool-item .face")
    left, top, cell = page.wait(FLOOR)
    for laid in range(3):
        page.click_at(left + cell * 0.5, top + cell * (laid + 0.5))
        page.expect_count(".board .hole", 1)
        page.click(".pool-item.fits:not(.gone)")
        page.click("button", t("lay_here"))
        page.expect_count(LAID, laid + 1)


def problem(page: Page, server: Process) -> None:
    """The hints of a problem lead to its solution."""
    page.remember()
    page.open("/problem?date=2026-11-16")
    page.expect(".lesson-task", t("problem_how"))
    query = urlsplit(page.run("() => location.href")).query
    asked = server.ask(f"/problem?{query}&solution=true")
    for number in range(len(asked["solution"])):
        for _ in range(1 if number else 3):
            page.press_button(t("problem_hint"))
        page.press_button(t("lay_here"))
        page.expect_count(LAID, len(asked["position"]) + number + 1)
    page.press_button(t("problem_my_turn"))
    page.expect(".lesson-task", "Found")


def lesson(page: Page) -> None:
    """All its steps, by its own hints."""
    page.remember()
    page.open("/lesson")
    for step in ("match", "discs", "over", "group", "undo", "both"):
        page.expect(".lesson-rule", t(f"lesson_{step}"))
        if step == "undo":
            page.press_button(t("undo"))
            page.expect(".lesson-task", t("lesson_undo_task_2"))
        for _ in range(2 if step == "both" else 1):
            page.press_button(t("problem_hint"))
            page.press_button(t("lay_here"))
            page.gone("button", t("lay_here"))
        if step == "both":
            page.expect(".lesson-sum", "+12 −4 +8 = +16")
            page.press_button(t("end_turn"))
        points = {"group": 9, "both": 16}.get(step, 0)
        page.expect(".lesson-task", t(f"lesson_{step}_done", count=points))
        page.press_button(t("lesson_next"))
    page.expect("h1, h2", t("lesson_end_title"))


def replay(page: Page, finished: str) -> None:
    """From the end to the beginning and one step on, by keys and buttons."""
    page.open(f"/replay/{finished}")
    page.press_button(t("replay_last"))
    page.wait("() => document.querySelectorAll('.board .domino').length > 3")
    whole = page.count(LAID)
    page.press_button(t("replay_first"))
    page.wait("(whole) => document.querySelectorAll('.board .domino').length < whole", whole)
    for _ in range(3):
        page.press_button(t("replay_forward"))
    page.wait("() => document.querySelectorAll('.board .domino').length > 0")


def printing(page: Page) -> str:
    """What is printed is seen before, and its file is a PDF: the name of its link."""
    page.open("/print?what=scores")
    page.expect(".print-sheets[aria-busy=false]")
    page.run("() => document.querySelector('.print-sheet img').scrollIntoView()")
    page.wait(
        """() => {
          const first = document.querySelector(".print-sheet img");
          return first?.complete && first.naturalWidth > 0;
        }"""
    )
    address: str = page.run(
        """(text) => [...document.querySelectorAll("a")]
          .find((one) => one.innerText.trim() === text).getAttribute("href")""",
        t("print_open"),
    )
    begins = page.run(
        "(path) => fetch(path).then((answer) => answer.text()).then((text) => text.slice(0, 5))",
        address,
    )
    assert begins == "%PDF-"
    return address


def reconnect(page: Page, own_server: Process) -> None:
    """The server goes and comes back, and the move that was waiting is made."""
    sit(page, own_server)
    turn(page, "keyboard")
    page.wait(MINE)
    page.expect(".held-face[aria-label*='fits in']")
    before = page.count(LAID)
    own_server.stop()
    page.expect("body", t("reconnecting"))
    assert page.count(LAID) == before, "what was committed stays in sight"
    page.press("ArrowRight")
    page.press("Enter")
    own_server.start()
    page.gone("body", t("reconnecting"))
    page.expect_count(LAID, before + 1)


def without_network(page: Page, own_server: Process) -> None:
    """What was kept is there without the server, and says so."""
    page.remember()
    page.open("/")
    page.wait("() => navigator.serviceWorker.controller !== null")
    page.run("() => navigator.serviceWorker.ready.then(() => true)")
    own_server.stop()
    page.open("/")
    page.expect("h1", "Dalapapa")
    page.expect("body", t("refused_offline"))
    own_server.start()
    page.open("/")
    page.gone("body", t("refused_offline"))


def pinch(page: Page) -> None:
    """The wheel and Safari's events of a trackpad: both show the table larger."""
    page.remember()
    page.open("/analysis#p=PRYGB+0@0,0_BYRGB+0@0,-1")
    page.expect_count(LAID, 2)
    size = "() => document.querySelector('.board .domino').getBoundingClientRect().width"
    x, y = page.at(".board")
    before = page.run(size)
    page.wheel(x, y, -300)
    page.wait(f"(before) => ({size})() > before * 1.1", before)
    larger = page.run(size)
    page.run(
        """(clientX, clientY) => [["start", 1], ["change", 1.2], ["change", 1.4]]
          .map(([kind, scale]) => Object.assign(
            new Event(`gesture${kind}`, { bubbles: true, cancelable: true }),
            { scale, clientX, clientY }))
          .forEach((event) => document.querySelector(".board .domino").dispatchEvent(event))""",
        x, y,
    )  # fmt: skip
    page.wait(f"(before) => ({size})() > before * 1.1", larger)


def pointer_of_a_tap(page: Page) -> str:
    """What kind of pointer the page sees where a finger was meant."""
    page.run("() => addEventListener('pointerdown', (one) => { window.kind = one.pointerType; })")
    page.tap_at(5, 300)
    kind: str = page.wait("() => window.kind")
    return kind


DARK = """() => {
  const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/\\d+/g);
  return document.documentElement.dataset.theme === "dark" && +red + +green + +blue < 240;
}"""


def dark(page: Page, *, by_the_system: bool = False) -> None:
    """Dark, because it was chosen, or because the system is."""
    page.remember(theme="auto" if by_the_system else "dark")
    page.open("/")
    page.wait(DARK)


SMALL = """() => [...document.querySelectorAll("button:not(.link, .bare), select")]
  .filter((one) => one.checkVisibility())
  .map((one) => [one.ariaLabel || one.innerText, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => width && (width < 40 || height < 40))
  .map(([name, { width, height }]) => `${name}: ${width} x ${height}`)"""
"""What a finger would miss; links in lists and pictures to press have rows of their own."""


def phone(page: Page, server: Process) -> None:
    """A small screen: nothing is wider than it or too small for a finger, and a turn is played."""
    page.resize(PHONE["width"], PHONE["height"])
    for path in ("/", "/print", "/problems"):
        page.open(path)
        page.expect("h1, h2")
        assert page.run(OVERFLOW) <= 0, path
        assert page.run(SMALL) == [], path
    sit(page, server)
    turn(page, "mouse")
    page.wait(MINE)
    assert page.run(OVERFLOW) <= 0
    assert page.run(SMALL) == []
    page.open("/")  # Now with a table in it.
    page.expect(".table-row .tool")
    assert page.run(SMALL) == []
    page.resize(DESK["width"], DESK["height"])
