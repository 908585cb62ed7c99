"""Each of the eight games, from the first page or the table to its result."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from dalapapa.core.notation import Laying
from dalapapa.games import REGISTRY
from tests.support.browser import table
from tests.support.browser.people import People
from tests.support.browser.played_games import choose_few_dominoes
from tests.support.browser.process import DATE, Process
from tests.support.browser.texts import t
from tests.support.thoroughness import daily

STEADY_MS = 600
"""How long a button must have meant the same before a press counts (`state/steadiness.ts`)."""


@pytest.mark.parametrize("game", daily(REGISTRY, ["classic", "puzzle", "alex"]))
def test_every_game_is_one_click_away(page: Page, game: str) -> None:
    page.goto("/")
    page.get_by_role("button", name=t("play_game", game=t(f"game_{game}")), exact=True).click()
    page.wait_for_url(re.compile("/t/"))
    expect(page.locator(".status").first).to_be_visible()
    expect(page.get_by_role("list", name=t("players"))).to_contain_text(t("you"))


@pytest.mark.parametrize("game", ["classic", "auction", "conquest", "gone", "72"])
def test_a_game_of_turns_by_keyboard_alone(people: People, server: Process, game: str) -> None:
    new = table.create(server, game, options=choose_few_dominoes(game))
    # On a phone those whose tray has most to say.
    page = table.sit(people, new, phone=game in ("auction", "gone", "72"))
    table.my_turn(page)
    table.watch_board(page)
    table.play_by_keys(page)
    assert len(table.boards(page)) == 1, "the board has jumped"
    dialog = table.result(page)
    expect(dialog.locator(".ranking li")).to_have_count(2)
    expect(dialog.locator(".ranking")).to_contain_text("Ann")
    dialog.get_by_role("button", name=t("result_rematch")).click()
    page.wait_for_url(re.compile("/t/"))
    expect(page.locator(".result")).to_have_count(0)


def test_a_mark_is_put_on_a_group(people: People, server: Process) -> None:
    page = table.sit(people, table.create(server, "conquest"))
    table.play_turn(page)
    table.my_turn(page)
    table.lay_by_keys(page)
    page.get_by_role("button", name=t("end_turn")).wait_for()
    page.keyboard.press("m")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    players = page.get_by_role("list", name=t("players"))
    marks = players.get_by_role("img", name=t("marks_left", count=2))
    expect(marks).to_have_count(1)
    page.get_by_role("button", name=t("undo")).click()
    expect(marks).to_have_count(0)


@pytest.mark.parametrize("game", ["classic", "72"])
def test_the_rules_show_layings_that_are_forbidden(page: Page, game: str) -> None:
    page.goto(f"/rules/{game}")
    pairs = page.locator(".rule-figures").last.locator(".rule-figure")
    expect(pairs).to_have_count(4)
    for place, crosses in enumerate([0, 1, 0, 1]):
        expect(pairs.nth(place).locator(".clash")).to_have_count(crosses)
    expect(pairs.locator(".clash circle").first).to_have_css("fill", "rgb(255, 255, 255)")
    # What the 72 are without is shown on both faces.
    expect(page.locator(".rule-figure .shape")).to_have_count(4 if game == "72" else 0)


@pytest.mark.thorough
def test_a_puzzle_is_filled_as_the_solver_says(people: People, server: Process) -> None:
    solved = server.ask("/solve", width=4, height=4, seed="1")
    layings = [Laying.parse(text) for text in solved["solutions"][0]]
    page = table.sit(people, table.create(server, "puzzle", seats=[None]))
    page.get_by_text(t("layings_list")).click()
    for number, laying in enumerate(layings):
        page.get_by_role("button", name=re.compile(rf"^{laying.tile}\.")).click()
        face = t("recto" if laying.side == "+" else "verso")
        way = t(f"direction_{laying.rotation}")
        place = t("place_words", row=laying.y, column=laying.x, direction=way)
        page.get_by_role("button", name=f"{face}, {place}", exact=True).click()
        expect(table.laid(page)).to_have_count(number + 1)
    assert sorted(table.positions(page)) == sorted(map(str, layings))
    dialog = table.result(page)
    expect(dialog).to_contain_text(t("result_alone_won"))
    expect(dialog.locator(".own-best")).to_contain_text(t("best_new").partition("{")[0])
    expect(dialog.get_by_role("table", name=t("race_times")).get_by_role("link")).to_have_count(4)
    # The replay shows the same times, and each leads to its moment.
    times = dialog.locator(".race-times a").all_inner_texts()
    dialog.get_by_role("link", name=t("result_replay")).click()
    splits = page.locator(".race-times button")
    expect(splits).to_have_text(times)
    splits.first.click()
    expect(page.locator(".replay-now time")).to_have_text(times[0])


def test_a_race_begins_for_all_at_once_and_without_hints(people: People, server: Process) -> None:
    new = table.create(server, "puzzle", seats=[None, None], countdown=15)
    page = table.sit(people, new)
    expect(
        page.get_by_role("main").get_by_text(t("hints_agreed", who=t("hints_alone")))
    ).to_be_visible()
    server.ask(f"/tables/{new.id}/seats/1", name="Bob")
    expect(page.locator(".countdown b")).to_have_text(re.compile(r"^\d+$"))
    expect(page.locator(".status")).to_contain_text(t("race_ready"))
    domino = page.locator('.pool-item[tabindex="0"]')
    domino.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".countdown")).to_have_count(0)
    expect(page.locator(".status .notice, .held-face")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator(".held-face")).to_have_count(2)
    page.keyboard.press("h")
    expect(page.locator(".status")).to_contain_text(t("refused_no_hints"))
    expect(page.get_by_role("button", name=t("show_place"))).to_have_count(0)


def test_arlequin_with_hints_and_giving_up(people: People, server: Process) -> None:
    page = table.sit(people, table.create(server, "arlequin", seats=[None]))
    page.locator(".status").first.wait_for()
    table.watch_board(page)
    for number in range(3):
        page.keyboard.press("h")
        expect(page.locator(".ghost.pinned")).to_be_attached()
        page.keyboard.press("Enter")
        expect(table.laid(page)).to_have_count(number + 1)
    assert len(table.boards(page)) == 1, "the frame has jumped"
    page.get_by_role("button", name=t("can_it_be")).click()
    expect(page.get_by_role("main").get_by_text(t("solver_yes"))).to_be_visible()
    page.get_by_role("button", name=t("give_up"), exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=t("give_up"), exact=True).click()
    dialog = table.result(page)
    expect(dialog).to_contain_text(t("result_alone_lost"))
    expect(dialog.locator(".race-times")).to_contain_text(t("problem_with_hints", count=4))
    expect(page.locator(".log")).to_contain_text(t("log_hint_place", name="Ann"))


def test_alex_announces_shows_and_is_judged(people: People, server: Process) -> None:
    options = {"end": "rounds", "rounds": 1, "sandglass": 180}
    page = table.sit(people, table.create(server, "alex", options=options))
    greedy = page.get_by_role("list", name=t("players")).get_by_role("listitem").nth(1)
    expect(greedy).to_contain_text(t("leads"))
    announce = page.get_by_role("button", name=re.compile(r"^Announce \d+"))
    end = page.get_by_role("button", name=t("end_showing"))
    # She leads and need not pass: once the bot has, she shows. If it sees more, she tops that. The
    # button may go at any moment, so that looking and clicking is one step in the page.
    expect(end.or_(announce).first).to_be_visible()
    while not end.is_visible():
        pressed = announce.evaluate_all("(all) => all.map((one) => (one.click(), one.textContent))")
        if page.locator(".press-refused").count():
            continue
        for text in pressed:
            expect(page.locator("button", has_text=text)).to_have_count(0)
        expect(end.or_(announce).first).to_be_visible()
    expect(page.locator(".log")).to_contain_text(re.compile(r"Ann announces \d+"))
    table.lay_by_keys(page)
    table.commit(end)
    dialog = table.result(page)
    expect(dialog.locator(".ranking li")).to_have_count(2)


def test_the_leader_of_alex_waits_for_the_others(people: People, server: Process) -> None:
    new = table.create(server, "alex", seats=[None, None])
    bobs = server.ask(f"/tables/{new.id}/seats/1", name="Bob")["token"]
    ann = table.sit(people, new)
    bob = table.sit(people, new._replace(token=bobs))
    ann.get_by_role("button", name=t("announce", points=1)).click()
    expect(ann.locator(".status")).to_contain_text(t("alex_lead", points=1))
    expect(ann.locator(".leading")).to_contain_text("the other player passes")
    expect(ann.locator(".announcing")).to_have_count(0)
    expect(bob.locator(".status")).to_contain_text(t("alex_top", name="Ann", points=1))
    table.commit(bob.get_by_role("button", name=t("announce", points=2)))
    expect(bob.locator(".leading")).to_be_visible()
    # Who is overtaken may announce again, or pass.
    expect(ann.get_by_role("button", name=t("announce", points=3))).to_be_enabled()
    table.commit(ann.get_by_role("button", name=t("no_more")))
    expect(bob.get_by_role("button", name=t("end_showing"))).to_be_visible()


def test_an_announcement_is_what_its_player_saw(people: People, server: Process) -> None:
    new = table.create(server, "alex", seats=[None, None])
    bobs = server.ask(f"/tables/{new.id}/seats/1", name="Bob")["token"]
    ann = people.arrive(tables=new.known)
    ann.clock.install(time=DATE)
    ann.goto(new.path)
    ann.get_by_role("button", name=t("announce", points=1)).hover()
    # From here on, only `run_for` moves the clock.
    ann.clock.pause_at(ann.evaluate("Date.now() + 1000"))
    move = {"player": 1, "move": "announce", "announced": 4, "round": 1}
    server.ask(f"/tables/{new.id}/moves", bobs, move=move)
    later = ann.get_by_role("button", name=t("announce", points=5))
    later.click()
    expect(later).to_contain_text(t("press_refused"))
    ann.keyboard.press("Enter")
    ann.keyboard.press("n")
    ann.clock.run_for(STEADY_MS)
    later.click()
    expect(ann.locator(".leading")).to_be_visible()
    (view,) = server.ask(f"/tables/{new.id}")["views"].values()
    assert view["announcements"] == [{"player": 1, "points": 4}, {"player": 0, "points": 5}]


def test_the_last_marker_of_72_can_be_taken_back(people: People, server: Process) -> None:
    """Every domino is a territory of one cell, for which programs do not spend their markers."""
    dominoes = [
        {"name": f"T{number}", "recto": "RGGGGGG", "verso": "RGGGGGG"} for number in range(40)
    ]
    options = {"set": dominoes, "dealer": 3}
    seats = [None, "greedy", "greedy", "greedy"]
    page = table.sit(people, table.create(server, "72", options=options, seats=seats))
    ann = page.get_by_role("list", name=t("players")).get_by_role("listitem").first
    table.my_turn(page)
    table.lay_by_keys(page)
    mark_down_to(page, range(5, 1, -1))
    table.end_turn(page)
    table.my_turn(page)
    table.lay_by_keys(page)
    mark_down_to(page, range(1, -1, -1))
    expect(page.locator(".status")).to_contain_text(t("last_marker"))
    expect(page.get_by_role("button", name=t("replay"))).to_have_count(0)
    expect(ann).to_contain_text(t("premium"))
    page.get_by_role("button", name=t("undo")).click()
    expect(ann.get_by_role("img", name=markers_left(1))).to_be_visible()
    expect(ann).not_to_contain_text(t("premium"))
    mark_down_to(page, range(0, -1, -1))
    table.end_turn(page)
    expect(table.result(page).locator(".ranking li")).to_have_count(4)


def markers_left(count: int) -> str:
    """What the markers of a player are called."""
    return f"{count} marker" if count else "no marker left"


def mark_down_to(page: Page, left: range) -> None:
    """Put markers until so many are left, by keyboard."""
    ann = page.get_by_role("list", name=t("players")).get_by_role("listitem").first
    for count in left:
        page.get_by_role("button", name=t("end_turn")).wait_for()
        page.keyboard.press("m")
        page.keyboard.press("Enter")
        expect(ann.get_by_role("img", name=markers_left(count))).to_be_visible()


def test_alex_with_nothing_more_to_say(people: People, server: Process) -> None:
    options = {"end": "rounds", "rounds": 1}
    page = table.sit(people, table.create(server, "alex", options=options))
    # Who has nothing more to say has heard what the others said.
    expect(page.get_by_role("list", name=t("announcements"))).to_contain_text("Nora")
    # On a phone on its side, the empty place of other buttons covers no number.
    page.set_viewport_size({"width": 844, "height": 390})
    expect(page.locator(".turn-buttons")).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    table.press_key(page, "n")
    expect(table.result(page).locator(".ranking li")).to_have_count(2)
