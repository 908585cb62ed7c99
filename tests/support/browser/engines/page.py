"""One page, as journeys see it: what people read, point at and press, in any engine."""

from __future__ import annotations

import json
import time
from typing import Any

from tests.support.browser.engines.driver import Actions, Driver
from tests.support.browser.process import Process
from tests.support.browser.table import PAINTED
from tests.support.waiting import wait_until_sync

WAIT = 30.0
"""Seconds for what a page does; a busy machine may need many."""

KEYS = {
    "ArrowRight": "\ue014", "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowDown": "\ue015",
    "Enter": "\ue007", "Escape": "\ue00c", "Tab": "\ue004", "Home": "\ue011", "End": "\ue010",
}  # fmt: skip

LISTEN = """() => {
  if (window.troubles) return;
  window.troubles = [];
  // That sizes are looked at once more in the next frame is nothing to worry about.
  addEventListener("error", ({ message }) =>
    message.startsWith("ResizeObserver loop") || troubles.push(`error: ${message}`));
  addEventListener("unhandledrejection", (event) => troubles.push(`rejected: ${event.reason}`));
  for (const kind of ["error", "warn"]) {
    const say = console[kind];
    console[kind] = (...words) => { troubles.push(`${kind}: ${words.join(" ")}`); say(...words); };
  }
}"""
"""Not every engine reports what goes wrong in a page, so the page remembers it."""

THERE = """(css, text) => [...document.querySelectorAll(css)].some((one) =>
  text === null || (one.innerText ?? one.textContent).includes(text))"""
"""Whether there is such a part; with the text, if one is given."""

AT = """(css, text) => {
  const name = (one) => one.getAttribute("aria-label") ?? one.innerText.trim().split("\\n")[0];
  const one = [...document.querySelectorAll(css)].find((one) => one.getClientRects().length
    && getComputedStyle(one).visibility === "visible" && (text === null || name(one) === text));
  if (!one) return null;
  const { left, top, width, height } = one.getBoundingClientRect();
  const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
  if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) {
    one.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    return null;
  }
  const seen = document.elementFromPoint(x, y);
  return seen && (one.contains(seen) || (one.ownerSVGElement && one.ownerSVGElement.contains(seen)))
    ? [x, y] : null;
}"""
"""The middle of the first such part in sight, where nothing lies over it.

A name is one line: below it there may be the key that does the same."""

RESTS_AT = f"""async (css, text) => {{
  const find = {AT};
  await document.fonts.ready;
  const before = find(css, text);
  await ({PAINTED})();
  const now = find(css, text);
  return before && now && before.join() === now.join() ? now : null;
}}"""
"""The same, if it has not moved while the page was painted twice.

A fixed time would not do: on a busy machine no frame may be painted in it, and the part moves when
the page first measures itself."""


class Page:
    """A page of one engine, at one server."""

    def __init__(self, driver: Driver, home: str) -> None:
        self.driver = driver
        self.home = home
        self.opened = False
        self.before: list[str] = []
        """What went wrong in pages that were left."""

    def open(self, path: str) -> None:
        self._go(path)
        self.run(LISTEN)

    def _go(self, path: str) -> None:
        if self.opened:
            self.before += self.run("() => window.troubles ?? []")
        self.driver.go(self.home + path)
        self.opened = True

    def remember(
        self, *, tables: dict[str, tuple[str, str]] | None = None, **settings: Any
    ) -> None:
        """What this browser knows from before: where one sits, and what one likes; nothing else."""
        known = {
            id: {"token": token, "game": game, "at": Process.now()}
            for id, (token, game) in (tables or {}).items()
        }
        kept = {"tables": known, **{f"setting.{name}": value for name, value in settings.items()}}
        self._go("/icon-192.png")
        self.run(
            """(kept) => {
              localStorage.clear();
              for (const [name, value] of kept) localStorage.setItem(`dalapapa.${name}`, value);
            }""",
            [(name, json.dumps(value)) for name, value in kept.items()],
        )

    def run(self, function: str, *arguments: Any) -> Any:
        return self.driver.run(function, *arguments)

    def wait(self, function: str, *arguments: Any, seconds: float = WAIT) -> Any:
        """Until the page's function returns something that is true."""
        return wait_until_sync(
            lambda: self.run(function, *arguments),
            lambda: f"{function} {arguments}\n{self.words()}",
            seconds,
        )

    def words(self) -> str:
        """What can be read."""
        seen = "() => [location.href, document.title, document.body.innerText].join('\\n')"
        return str(self.run(seen))

    def count(self, css: str) -> int:
        return int(self.run("(css) => document.querySelectorAll(css).length", css))

    def expect(self, css: str, text: str | None = None) -> None:
        """Until there is such a part; with the text, if one is given."""
        self.wait(THERE, css, text)

    def expect_count(self, css: str, count: int) -> None:
        self.wait("(css, count) => document.querySelectorAll(css).length === count", css, count)

    def gone(self, css: str, text: str | None = None) -> None:
        self.wait(f"(...wanted) => !({THERE})(...wanted)", css, text)

    def at(self, css: str, text: str | None = None) -> tuple[int, int]:
        """Where a part is, when it rests there."""
        x, y = wait_until_sync(
            lambda: self.run(RESTS_AT, css, text),
            lambda: f"a place to point at: {css} {text}\n{self.words()}",
            WAIT,
        )
        return x, y

    def point(self, x: float, y: float) -> None:
        self._mouse(_move(x, y))

    def click(self, css: str, text: str | None = None) -> None:
        self.click_at(*self.at(css, text))

    def press_button(self, text: str) -> None:
        """A button or link of this name, by mouse."""
        self.click("button, a, summary, [role=button]", text)

    def click_at(self, x: float, y: float) -> None:
        self._mouse(_move(x, y), _DOWN, _UP)

    def drag(self, *points: tuple[float, float]) -> None:
        """Take what is at the first point, carry it over the others, and drop it at the last."""
        first, *rest = points
        self._mouse(_move(*first), _DOWN, *(_move(*one, 60) for one in rest), _UP)

    def wheel(self, x: float, y: float, down: int) -> None:
        scroll = {"type": "scroll", "x": round(x), "y": round(y), "deltaX": 0, "deltaY": down}
        steps = [{**scroll, "duration": 0}]
        self.driver.perform([{"type": "wheel", "id": "wheel", "actions": steps}])

    def tap(self, css: str, text: str | None = None) -> None:
        self.tap_at(*self.at(css, text))

    def tap_at(self, x: float, y: float) -> None:
        self.driver.perform([_finger("finger", _move(x, y), _DOWN, _UP)])

    def touch(self, *fingers: list[tuple[float, float]]) -> None:
        """Fingers that go their ways at the same time."""
        actions: Actions = []
        for number, (first, *rest) in enumerate(fingers):
            steps = [_move(*first), _DOWN, *(_move(*one, 30) for one in rest), _UP]
            actions.append(_finger(f"finger{number}", *steps))
        self.driver.perform(actions)

    def press(self, key: str) -> None:
        value = KEYS.get(key, key)
        steps = [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self.driver.perform([{"type": "key", "id": "keys", "actions": steps}])

    def resize(self, width: int, height: int) -> None:
        self.driver.resize(width, height)
        self.wait("(width) => innerWidth === width", width)

    def troubles(self) -> list[str]:
        """What went wrong, as the engine reports it and as pages remember it."""
        return [*self.driver.troubles, *self.before, *self.run("() => window.troubles ?? []")]

    def forget_troubles(self) -> None:
        self.driver.troubles.clear()
        self.before.clear()
        self.run("() => { window.troubles = []; }")

    def picture(self, path: str, css: str) -> bytes:
        """A page when this part of it is there, with its fonts, and at rest."""
        self.open(path)
        self.expect(css)
        self.run("() => document.fonts.ready.then(() => true)")
        before, until = b"", time.monotonic() + WAIT
        while (now := self.driver.picture()) != before:
            assert time.monotonic() < until, f"{path} does not come to rest"
            before = now
            time.sleep(0.5)  # At rest is what looks the same after some time.
        return now

    def _mouse(self, *steps: dict[str, Any]) -> None:
        kind = {"pointerType": "mouse"}
        self.driver.perform(
            [{"type": "pointer", "id": "mouse", "parameters": kind, "actions": list(steps)}]
        )


_DOWN = {"type": "pointerDown", "button": 0}
_UP = {"type": "pointerUp", "button": 0}


def _move(x: float, y: float, milliseconds: int = 0) -> dict[str, Any]:
    return {"type": "pointerMove", "x": round(x), "y": round(y), "duration": milliseconds}


def _finger(name: str, *steps: dict[str, Any]) -> dict[str, Any]:
    kind = {"pointerType": "touch"}
    return {"type": "pointer", "id": name, "parameters": kind, "actions": list(steps)}
