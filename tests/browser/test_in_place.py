"""Alex: dominoes and sandglass stay in place while messages come and go."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import table
from tests.support.browser.geometry import SETTLED, wait_for_layout
from tests.support.browser.people import People
from tests.support.browser.process import Process
from tests.support.browser.texts import t

WHERE = """() => {
  const place = (one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return [left, top, width, height];
  };
  const faces = document.querySelectorAll(":is(.drawn li, .hand .held) .wood");
  const at = (selector) => place(document.querySelector(selector));
  return { dominoes: [...faces].map(place), board: [at(".board")], bar: [at(".turn-bar")],
    glass: [at(".sandglass")], sand: [at(".sandglass svg")] };
}"""

Where = dict[str, list[list[float]]]


def at(where: Where) -> dict[str, list[Any]]:
    """The same places, to a twentieth of a pixel."""
    return {name: [pytest.approx(one, abs=0.05) for one in all] for name, all in where.items()}


def find_nothing(page: Page) -> None:
    """Press the key until it is heard: soon after the same key it counts as pressed twice."""
    button = page.locator(".announcing button:enabled", has_text=t("nothing_found"))
    for _ in table.attempts(page, "a player who finds nothing"):
        table.press_key(page, "n")
        page.evaluate(table.PAINTED)
        page.wait_for_function(table.IDLE)
        if not button.count():
            return


@pytest.mark.parametrize(
    "look",
    [
        pytest.param({}, id="wide"),
        pytest.param({"phone": True}, id="phone"),
        pytest.param(
            {"phone": True, "viewport": (844, 390)}, id="side", marks=pytest.mark.thorough
        ),
        pytest.param({"language": "de"}, id="german", marks=pytest.mark.thorough),
    ],
)
def test_dominoes_and_sandglass_stay_in_place(
    people: People, server: Process, look: dict[str, Any]
) -> None:
    size = look.get("viewport")
    look = {name: value for name, value in look.items() if name != "viewport"}
    new = table.create(server, "alex", seats=[None, None], options={"end": "rounds", "rounds": 2})
    bobs = server.ask(f"/tables/{new.id}/seats/1", name="Bob")["token"]
    ann = table.sit(people, new, **look)
    bob = table.sit(people, new._replace(token=bobs), **look)
    for page in (ann, bob):
        if size:
            page.set_viewport_size({"width": size[0], "height": size[1]})
        page.locator(".drawn .wood").nth(3).wait_for()

    def same(page: Page, before: Where, dominoes: slice = slice(None)) -> None:
        wanted = {**before, "dominoes": before["dominoes"][dominoes]}

        def check() -> None:
            page.evaluate(SETTLED)
            assert page.evaluate(WHERE) == at(wanted)

        wait_for_layout(check)

    thinking = ann.evaluate(WHERE)
    assert len(thinking["dominoes"]) == 4
    assert bob.evaluate(WHERE) == at(thinking)
    # Announcing: the glass is turned, one leads and the other one may say more.
    ann.keyboard.press("1")
    ann.keyboard.press("Enter")
    expect(ann.locator(".sandglass.running")).to_be_visible()
    expect(ann.locator(".leading")).to_be_visible()
    expect(bob.get_by_role("button", name=t("no_more"))).to_be_enabled()
    same(ann, thinking)
    same(bob, thinking)
    # Showing: they are in the hand of one, and all see them.
    table.press_key(bob, "n")
    expect(ann.locator(".held-face")).to_have_count(4)
    same(ann, thinking)
    same(bob, thinking)
    # The first is laid: the second one stays where it was.
    laid = table.laid(ann).count()
    ann.locator(".held-face:not(.stuck)").first.wait_for()
    first = ann.locator(".held").first.locator(".held-face").first.get_attribute("data-tile")
    ann.keyboard.press("1")
    ann.keyboard.press("ArrowRight")
    ann.keyboard.press("Enter")
    expect(table.laid(ann)).to_have_count(laid + 1)
    left = ann.locator(".held-face").first
    expect(left).to_be_visible()
    rest = slice(2, 4) if left.get_attribute("data-tile") != first else slice(0, 2)
    same(ann, thinking, rest)
    same(bob, thinking, rest)
    # The result, and the next round.
    table.press_key(ann, "e")
    expect(ann.locator(".drawn .wood")).to_have_count(4)
    expect(ann.locator(".status")).to_contain_text(re.compile("2"))
    for page in (ann, bob):
        expect(page.get_by_role("button", name=t("nothing_found"))).to_be_enabled()
    same(ann, thinking)
    same(bob, thinking)
    for page in (ann, bob):
        find_nothing(page)
    table.result(ann)
    over = ann.evaluate(WHERE)
    assert over["glass"] == at(thinking)["glass"]
    assert over["board"] == at(thinking)["board"]
