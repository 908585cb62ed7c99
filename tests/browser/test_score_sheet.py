"""Who sits at the table and what they have done: faces, the score sheet, the last turn, the end."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import table
from tests.support.browser.geometry import DESK, LARGE_PHONE, SETTLED, box, boxes, wait_for_layout
from tests.support.browser.people import People
from tests.support.browser.played_games import play_against_bot
from tests.support.browser.process import Process
from tests.support.browser.texts import t
from tests.support.waiting import wait_until_sync


def test_a_bot_has_a_face_that_thinks(people: People, server: Process) -> None:
    page = table.sit(people, table.create(server, pace=10_000))
    face = page.locator(".player.seat-1 .portrait")
    expect(face).to_be_visible()
    expect(page.locator(".player.seat-0 .portrait")).to_have_count(0)
    expect(face).not_to_have_attribute("data-mood", "thinking")
    table.play_turn(page)
    expect(face).to_have_attribute("data-mood", "thinking")


def test_the_history_is_a_score_sheet_and_prose_on_demand(people: People, server: Process) -> None:
    page = table.sit(people, table.create(server))
    table.play_turn(page)
    table.my_turn(page)
    table.play_turn(page)
    table.my_turn(page)
    own = page.locator(".log li.seat-0").first
    expect(own.locator(".sheet-name")).to_have_text(re.compile(t("you"), re.IGNORECASE))
    assert own.locator(".sheet-faces .face").count() >= 1
    expect(page.locator(".log li.seat-1 .sheet-name").first).not_to_have_text(t("you"))
    # The parts make the sum: discs with their bonus, groups, and what a second domino costs.
    parts = page.locator(".log li.seat-1").first
    discs = [int(one) for one in parts.locator(".sheet-discs").all_inner_texts()]
    groups = [int(one) for one in parts.locator(".sheet-group").all_inner_texts()]
    charges = [
        int(one.replace("−", "-")) for one in parts.locator(".sheet-charge").all_inner_texts()
    ]
    points = sum(one + max(0, one - 2) for one in discs) + sum(groups) + sum(charges)
    assert int(parts.locator(".sheet > b").inner_text().replace("−", "-")) == points
    # Screen readers hear sentences, and everyone may read them.
    expect(own.get_by_role("button")).to_have_accessible_name(re.compile("^Ann, "))
    words = page.locator(".log-words")
    words.click()
    expect(page.locator(".sheet")).to_have_count(0)
    expect(own.get_by_text(re.compile("^Ann, "))).to_be_visible()
    words.click()
    expect(page.locator(".sheet").first).to_be_visible()


CONTRAST = """() => {
  const canvas = document.createElement("canvas")
    .getContext("2d", { willReadFrequently: true });
  const luminance = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const linear = (one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    const pixel = canvas.getImageData(0, 0, 1, 1).data;
    const [r, g, b] = [...pixel].slice(0, 3).map((one) => linear(one / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const part = (name) => document.querySelector(`.outlined.last .${name}`);
  const stroke = (name) => luminance(getComputedStyle(part(name)).stroke);
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const [halo, casing, line] = ["halo", "casing", "line"].map(stroke);
  return [ratio(halo, casing), ratio(casing, line)];
}"""


@pytest.mark.parametrize("palette", ["classic", "original", "red-green", "blue-yellow", "grey"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_last_turn_is_marked_on_every_palette(
    people: People, server: Process, palette: str, theme: str
) -> None:
    page = table.sit(people, table.create(server), settings={"palette": palette, "theme": theme})
    table.play_turn(page)
    table.my_turn(page)
    expect(page.locator(".outlined.last .halo").first).to_be_visible()
    for part in ("halo", "casing", "line"):
        expect(page.locator(f".outlined.last .{part}").first).to_have_css("fill", "none")
    # A light edge and a dark one: in any surroundings, one of them is seen.
    assert min(page.evaluate(CONTRAST)) >= 7


@pytest.mark.parametrize("size", [DESK, LARGE_PHONE], ids=["desk", "phone"])
def test_the_result_leaves_the_final_table_in_sight(
    people: People, server: Process, size: dict[str, int]
) -> None:
    id, token = play_against_bot(server)
    page = people.arrive(tables={id: (token, "classic")}, phone=size != DESK)
    page.set_viewport_size(size)  # type: ignore[arg-type]
    page.goto(f"/t/{id}")
    dialog = table.result(page)
    page.evaluate(SETTLED)

    def all_in_sight() -> None:
        covered = box(dialog)
        for one in boxes(table.laid(page)):
            assert not one.overlaps(covered), f"{one} is below the result {covered}"
            assert one.lies_in(box(page.locator(".board")))

    wait_for_layout(all_in_sight)
    # Each score in parts that make it.
    for player in page.locator(".ranking li").all():
        parts = player.locator(".score-parts").inner_text()
        numbers = [int(one.replace("−", "-")) for one in re.findall(r"[+−]\d+", parts)]
        score = player.locator(".score").inner_text()
        assert sum(numbers) == int(score.replace("−", "-")), parts


def read_places(page: Page) -> list[str]:
    page.keyboard.press("l")
    places = page.locator(".layings-list section").first.locator("li button")
    wait_until_sync(lambda: places.count() > 1, "a list of places")
    return places.all_inner_texts()


@pytest.mark.parametrize(("hints", "ranked"), [("alone", False), ("yes", True)])
def test_against_people_the_list_of_places_is_ranked_only_if_the_table_allows_it(
    people: People, server: Process, hints: str, ranked: bool
) -> None:
    new = table.create(server, seats=[None, None], hints=hints)
    bobs = server.ask(f"/tables/{new.id}/seats/1", name="Bob")["token"]
    pages = [
        table.sit(people, table.Table(new.id, token, "classic")) for token in (new.token, bobs)
    ]
    for page in (*pages, *pages, *pages):
        table.play_turn(page)
    table.my_turn(pages[0])
    places = read_places(pages[0])
    points = [int(found[1]) for one in places if (found := re.search(r"(\d+) point", one))]
    assert len(points) == len(places), "what a place earns is shown"
    assert (points == sorted(points, reverse=True)) == ranked
