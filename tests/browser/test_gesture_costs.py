"""Gestures read no layout while a pointer moves, and write positions once a frame."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.support.browser import table
from tests.support.browser.people import People
from tests.support.browser.process import Process

FRAMES, MOVES_PER_FRAME = 20, 5

COUNT_READS = """() => {
  globalThis.layoutReads = [];
  const note = (name) => {
    const [, , , caller] = new Error().stack.split("\\n");
    if (globalThis.isMoving) globalThis.layoutReads.push(`${name} ${caller}`);
  };
  const methods = [
    [Element, "getBoundingClientRect"], [Element, "getClientRects"], [Element, "checkVisibility"],
    [SVGGraphicsElement, "getBBox"], [SVGGraphicsElement, "getScreenCTM"],
    [Document, "elementFromPoint"], [Document, "elementsFromPoint"],
  ];
  for (const [{ prototype }, name] of methods) {
    const read = prototype[name];
    prototype[name] = function (...given) {
      note(name);
      return read.apply(this, given);
    };
  }
  const boxes = ["Left", "Top", "Width", "Height"];
  const getters = [
    ...boxes.flatMap((side) => [`client${side}`, `scroll${side}`].map((name) => [Element, name])),
    ...[...boxes, "Parent"].map((side) => [HTMLElement, `offset${side}`]),
    [HTMLElement, "innerText"],
  ];
  for (const [{ prototype }, name] of getters) {
    const property = Object.getOwnPropertyDescriptor(prototype, name);
    const get = function () {
      note(name);
      return property.get.call(this);
    };
    Object.defineProperty(prototype, name, { ...property, get });
  }
  const { getComputedStyle } = globalThis;
  globalThis.getComputedStyle = (...given) => {
    note("getComputedStyle");
    return getComputedStyle(...given);
  };
}"""
"""From now on, notes each read of the layout while `isMoving`."""

MOVE = """async ([moved, pointers, frames, movesPerFrame]) => {
  const writes = new Map();
  const watch = new MutationObserver((records) => {
    // The time of a frame is the same until the next one begins.
    const frame = document.timeline.currentTime;
    for (const { target } of records) {
      if (!target.matches(moved)) continue;
      writes.set(frame, (writes.get(frame) ?? 0) + 1);
    }
  });
  const attributeFilter = ["style", "transform"];
  watch.observe(document, { attributes: true, attributeFilter, subtree: true });
  for (let frame = 0; frame < frames; frame++) {
    await new Promise(requestAnimationFrame);
    globalThis.isMoving = frame > 0;  // With the first move, it is seen where the board is.
    for (let move = 0; move < movesPerFrame; move++) {
      const way = frame * movesPerFrame + move;
      for (const { id, type, x, y, dx, dy, wheel } of pointers) {
        const place = { clientX: x + dx * way, clientY: y + dy * way, bubbles: true };
        const down = { pointerId: id, pointerType: type, buttons: 1 };
        const target = document.querySelector(".board");
        target.dispatchEvent(
          wheel
            ? new WheelEvent("wheel", { ...place, deltaY: way % 40 < 20 ? -4 : 4 })
            : new PointerEvent("pointermove", { ...place, ...down }),
        );
      }
    }
  }
  await new Promise(requestAnimationFrame);
  globalThis.isMoving = false;
  watch.disconnect();
  return { reads: globalThis.layoutReads, writes: [...writes.values()] };
}"""
"""Moves pointers several times a frame. Returns the reads, and the writes of each frame."""

FINGERS = """([pointers, type]) => {
  Element.prototype.setPointerCapture = () => {};  // These pointers are made up.
  for (const { id, x, y } of pointers) {
    const place = { clientX: x, clientY: y, pointerId: id, pointerType: "touch", bubbles: true };
    document.querySelector(".board").dispatchEvent(new PointerEvent(type, place));
  }
}"""


def open_table(people: People, server: Process) -> Page:
    page = table.sit(people, table.create(server))
    table.play_turn(page)
    table.my_turn(page)
    page.evaluate(COUNT_READS)
    return page


def middle(page: Page) -> tuple[float, float]:
    box = page.locator(".board").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def check_costs(page: Page, moved: str, *pointers: dict[str, Any]) -> None:
    costs = page.evaluate(MOVE, [moved, list(pointers), FRAMES, MOVES_PER_FRAME])
    assert costs["reads"] == []
    assert max(costs["writes"]) == 1
    assert len(costs["writes"]) >= FRAMES - 2, "it follows the pointer"


def test_the_costs_of_panning(people: People, server: Process) -> None:
    page = open_table(people, server)
    x, y = middle(page)
    page.mouse.move(x, y + 150)
    page.mouse.down()
    page.mouse.move(x + 20, y + 150)
    check_costs(page, ".world", pointer(1, "mouse", x + 20, y + 150, 0.5, 0.3))
    page.mouse.up()


def test_the_costs_of_zooming_by_wheel(people: People, server: Process) -> None:
    page = open_table(people, server)
    x, y = middle(page)
    page.mouse.move(x, y)
    check_costs(page, ".world", {**pointer(1, "mouse", x, y, 0, 0), "wheel": True})


def test_the_costs_of_two_fingers(people: People, server: Process) -> None:
    page = open_table(people, server)
    x, y = middle(page)
    fingers = [
        pointer(11, "touch", x - 60, y + 150, -0.5, 0),
        pointer(12, "touch", x + 60, y + 150, 0.7, 0.1),
    ]
    page.evaluate(FINGERS, [fingers, "pointerdown"])
    check_costs(page, ".world", *fingers)
    page.evaluate(FINGERS, [fingers, "pointerup"])


def test_the_costs_of_dragging_a_domino(people: People, server: Process) -> None:
    page = open_table(people, server)
    held = page.locator(".held-face:not(.stuck)").first.bounding_box()
    assert held
    page.mouse.move(held["x"] + 20, held["y"] + 10)
    page.mouse.down()
    # Along the lower edge of the board, where nothing fits: there it follows the pointer.
    board = page.locator(".board").bounding_box()
    assert board
    x, y = board["x"] + 30, board["y"] + board["height"] - 20
    page.mouse.move(x, y, steps=5)
    page.locator(".carried").wait_for()
    check_costs(page, ".carried", pointer(1, "mouse", x, y, 1, 0))
    page.mouse.up()


def pointer(id: int, kind: str, x: float, y: float, dx: float, dy: float) -> dict[str, Any]:
    """A pointer at a place, and how far it goes with each move."""
    return {"id": id, "type": kind, "x": x, "y": y, "dx": dx, "dy": dy}
