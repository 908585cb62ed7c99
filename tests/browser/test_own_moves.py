"""Moves that only the game of a package has: buttons, lists, the log, and the form of a table."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support import market_game
from tests.support.browser import table
from tests.support.browser.accessibility import find_barriers
from tests.support.browser.held_socket import Held
from tests.support.browser.people import People
from tests.support.browser.process import Process
from tests.support.browser.texts import t
from tests.support.installing import put, put_example

SWAPPER = """
from dalapapa.bots import Bot

class Swapper(Bot):
    games = ("swapping",)

    def choose(self, view):
        swaps = [move for move in view.legal if type(move).__name__ == "Swap"]
        return (swaps or view.legal)[0]
"""

SWAP = "Swap a domino"
HELP = "Put a domino back into the bag and draw another one, once per turn."
WATCH_ANNOUNCEMENTS = """() => {
  window.announced = [];
  const note = (changes) => changes.flatMap(({ addedNodes }) => [...addedNodes])
    .forEach((node) => window.announced.push(node.textContent));
  new MutationObserver(note).observe(document.getElementById("announcer"), { childList: true });
}"""


@pytest.fixture(scope="module")
def with_moves(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A server with the example `swapping`, a bot that swaps, and a game with many moves."""
    packages = tmp_path_factory.mktemp("packages")
    put_example(packages, "swapping")
    put(packages, "swapper", SWAPPER, "dalapapa.bots", swapper="swapper:Swapper")
    source = Path(market_game.__file__).read_text()
    put(packages, "market_game", source, market="market_game:GAME")
    process = Process(tmp_path_factory.mktemp("with-moves"), packages)
    yield process
    process.stop()


def sit(people: People, server: Process, game: str, opponent: str = "greedy", **more: Any) -> Page:
    """Ann, whose turn is the first after the setup."""
    new = table.create(server, game=game, seats=[None, opponent])
    page = table.sit(people, new, server=server, **more)
    table.lay_by_keys(page)
    expect(page.locator(".held")).to_have_count(2)
    return page


def log(page: Page) -> Locator:
    return page.locator(".log li")


def open_list(page: Page, name: str) -> Locator:
    page.get_by_role("button", name=name).click()
    return page.get_by_role("region", name=name)


def test_the_form_has_the_options_in_the_readers_language(
    people: People, with_moves: Process
) -> None:
    page = people.arrive(server=with_moves, language="fr")
    page.goto("/new/swapping")
    expect(
        page.get_by_text("Avant de poser, tu peux payer pour échanger un domino.")
    ).to_be_visible()
    page.get_by_text(t("more_options", "fr")).click()
    cost = page.get_by_role("spinbutton", name="Coût d’un échange")
    expect(cost).to_have_value("2")
    expect(cost).to_have_accessible_description(
        f"en points ({t('allowed_range', 'fr', least=0, most=9)})"
    )


def test_a_form_has_fields_for_all_kinds_of_options(people: People, with_moves: Process) -> None:
    page = people.arrive(server=with_moves, language="it")  # The texts are English only.
    page.goto("/new/market")
    page.get_by_text(t("more_options", "it")).click()
    mood = page.get_by_role("combobox", name="Mood")
    assert mood.locator("option").all_inner_texts() == ["Calm <br>", "busy"]
    mood.select_option("busy")
    page.get_by_role("textbox", name="motto").fill("Cheap & fresh")
    page.get_by_role("spinbutton", name="stalls 2").fill("9")
    with page.expect_request("**/api/tables") as sent:
        page.get_by_role("button", name=t("start_and_invite", "it")).click()
    options = json.loads(sent.value.post_data or "")["options"]
    assert options == {"mood": "busy", "motto": "Cheap & fresh", "stalls": [3, 9]}


def test_a_swap_by_mouse(people: People, with_moves: Process) -> None:
    page = sit(people, with_moves, "swapping")
    button = page.get_by_role("button", name=SWAP)
    expect(button).to_have_accessible_description(HELP)
    before = page.locator(".held-face[data-side='+']").evaluate_all(
        "(all) => all.map((one) => one.dataset.tile)"
    )
    swaps = open_list(page, SWAP)
    expect(swaps).to_contain_text(HELP)
    choices = swaps.locator(".chip")
    expect(choices).to_have_text([f"Swap {tile}" for tile in before])
    expect(choices.first.locator("svg.face")).to_have_count(2)
    assert find_barriers(page) == []
    choices.first.click()
    expect(swaps).to_have_count(0)
    expect(button).to_have_count(0)  # Once per turn.
    expect(log(page).first).to_have_text(f"Ann swaps {before[0]} (−2)")
    expect(page.locator(f".held-face[data-tile='{before[0]}']")).to_have_count(0)
    expect(page.locator(".held")).to_have_count(2)
    page.reload()
    expect(log(page).first).to_have_text(f"Ann swaps {before[0]} (−2)")


def test_a_swap_by_keys_and_by_ear(people: People, with_moves: Process) -> None:
    page = sit(people, with_moves, "swapping")
    expect(page.get_by_role("button", name=SWAP)).to_be_visible()
    page.evaluate(WATCH_ANNOUNCEMENTS)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text(t("key_own_moves"))
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    expect(page.get_by_role("button", name=SWAP)).to_be_focused()
    page.keyboard.press("Enter")
    choices = page.get_by_role("region", name=SWAP).locator(".chip")
    expect(choices.first).to_be_focused()
    expect(choices.first).to_have_accessible_name(re.compile("^Swap .*(red|blue|green|yellow)"))
    page.keyboard.press("ArrowDown")
    expect(choices.nth(1)).to_be_focused()
    page.keyboard.press("Escape")
    expect(choices).to_have_count(0)
    expect(page.get_by_role("button", name=SWAP)).to_be_focused()
    page.keyboard.press("Enter")
    expect(choices.first).to_be_focused()
    page.keyboard.press("Enter")
    expect(log(page).first).to_contain_text("Ann swaps")
    page.wait_for_function("() => window.announced.some((line) => line.includes('Ann swaps'))")
    expect(page.locator(".layings-list summary")).to_be_focused()


def test_undo_brings_the_button_back(people: People, with_moves: Process) -> None:
    page = sit(people, with_moves, "swapping")
    button = page.get_by_role("button", name=SWAP)
    expect(button).to_be_visible()
    table.lay_by_keys(page)
    expect(page.get_by_role("button", name=t("end_turn"))).to_be_visible()
    expect(button).to_have_count(0)
    page.keyboard.press("u")
    expect(button).to_be_visible()


def test_a_bot_swaps(people: People, with_moves: Process) -> None:
    page = sit(people, with_moves, "swapping", "swapper")
    page.evaluate(WATCH_ANNOUNCEMENTS)
    table.lay_by_keys(page)
    table.end_turn(page)
    swapped = log(page).filter(has_text=re.compile(r"[Ss]wapper.* swaps \w+ \(−2\)"))
    expect(swapped).to_have_count(1)
    page.wait_for_function("() => window.announced.some((line) => / swaps /.test(line))")


def test_a_move_that_is_no_longer_legal_is_refused(people: People, with_moves: Process) -> None:
    """The player has swapped at another device, of which this page has not heard yet."""
    new = table.create(with_moves, game="swapping", seats=[None, "greedy"])
    page = people.arrive(tables=new.known, server=with_moves)
    socket = Held(page, of='"type":"table"')
    page.goto(new.path)
    table.lay_by_keys(page)
    late = open_list(page, SWAP)
    other = table.sit(people, new, server=with_moves)
    socket.held = True
    swaps = open_list(other, SWAP)
    swaps.locator(".chip").first.click()
    expect(swaps).to_have_count(0)
    late.locator(".chip").last.click()
    expect(page.locator(".turn-bar .notice")).to_have_text("You can swap once, before you lay.")
    socket.release()
    expect(page.get_by_role("button", name=SWAP)).to_have_count(0)


def test_a_list_closes_when_its_moves_are_gone(people: People, with_moves: Process) -> None:
    new = table.create(with_moves, game="swapping", seats=[None, "greedy"])
    page = table.sit(people, new, server=with_moves)
    table.lay_by_keys(page)
    swaps = open_list(page, SWAP)
    other = table.sit(people, new, server=with_moves)
    open_list(other, SWAP).locator(".chip").first.click()
    expect(swaps).to_have_count(0)
    expect(page.locator(".layings-list summary")).to_be_focused()


def test_one_of_many_moves_is_found_by_words(people: People, with_moves: Process) -> None:
    page = sit(people, with_moves, "market")
    trades = open_list(page, "Trade")
    field = trades.get_by_role("searchbox", name=t("own_moves_search"))
    expect(field).to_be_focused()
    expect(trades.locator(".chip")).to_have_count(60)
    expect(trades).to_contain_text(t("own_moves_left", count=20))
    page.evaluate(WATCH_ANNOUNCEMENTS)
    tile = page.locator(".held-face").first.get_attribute("data-tile")
    field.fill(f"{str(tile).lower()} FOR 17")
    expect(trades.locator(".chip")).to_have_text(re.compile(rf"^{tile} to .+ for 17$"))
    page.wait_for_function("() => window.announced.length > 0")
    field.fill("for 99")
    expect(trades.locator(".chip")).to_have_count(0)
    expect(trades).to_contain_text(t("own_moves_found", count=0))
    field.fill("17")
    expect(trades.locator(".chip")).to_have_count(2)
    field.press("ArrowDown")
    expect(trades.locator(".chip").first).to_be_focused()
    field.fill(f"{tile} 17")
    field.press("Enter")
    expect(trades).to_have_count(0)
    line = log(page).filter(has_text="traded")
    expect(line).to_have_text(re.compile(rf"^Ann: traded \(tile {tile}, coins 17, .*x…\)$"))


def test_labels_are_texts_and_a_move_is_taken_back(people: People, with_moves: Process) -> None:
    page = sit(people, with_moves, "market")
    nap = page.get_by_role("button", name="<b>Nap</b>")
    naps = open_list(page, "<b>Nap</b>")
    expect(naps).to_contain_text("You can take it back.")
    naps.locator(".chip").click()
    expect(log(page).first).to_have_text("Ann naps & <i>snores</i>")
    expect(nap).to_have_count(0)
    page.get_by_role("button", name=t("undo")).click()
    expect(nap).to_be_visible()
    expect(log(page).first).to_contain_text("woken up (hours slept 8)")


def test_a_replay_shows_the_events(people: People, with_moves: Process) -> None:
    new = table.create(with_moves, game="swapping", seats=["swapper", "swapper"], host=None)
    page = people.arrive(server=with_moves, language="de")
    page.goto(new.path)
    result = page.locator("dialog.result")
    expect(result).to_be_visible(timeout=1000 * table.GAME_S)
    page.goto(f"/replay/{new.id}")
    expect(page.get_by_role("heading", level=1)).to_have_text(t("replay_of", "de", game="Tauschen"))
    expect(
        page.locator(".replay-log li").filter(has_text=re.compile(r" tauscht \w+ \(−2\)")).first
    ).to_be_visible()


@pytest.mark.parametrize("size", [(360, 740), (740, 360)])
def test_a_phone_has_room_for_the_buttons_and_the_list(
    people: People, with_moves: Process, size: tuple[int, int]
) -> None:
    page = sit(people, with_moves, "market", phone=True)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    trades = open_list(page, "Trade")
    page.evaluate(table.PAINTED)
    outside = page.evaluate("""() => [...document.querySelectorAll(".own-move, .own-moves")]
      .map((one) => one.getBoundingClientRect())
      .filter(({ left, right, top }) => left < 0 || right > innerWidth || top < 0).length""")
    assert outside == 0
    last = trades.locator(".chip").last
    last.scroll_into_view_if_needed()
    last.tap()
    expect(trades).to_have_count(0)
