"""Several people: at several browsers, at one screen, in several tabs; and a server gone."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, WebSocket, WebSocketRoute, expect

from tests.support.browser import table
from tests.support.browser.people import People
from tests.support.browser.played_games import choose_few_dominoes
from tests.support.browser.process import Process
from tests.support.browser.texts import t
from tests.support.waiting import wait_until_sync

API = "/tables"


def seat(page: Page, number: int) -> Locator:
    """A player in the list."""
    return page.locator(f".players .seat-{number}")


def test_two_browsers_and_a_spectator(people: People, server: Process) -> None:
    new = table.create(server, seats=[None, None])
    ann = table.sit(people, new)
    expect(ann.get_by_role("textbox", name="Link")).to_have_value(f"{server.url}{new.path}")
    bob = people.arrive()
    bob.goto(new.path)
    bob.get_by_label(t("your_name")).fill("Bob")
    bob.get_by_role("button", name=t("sit_down")).click()
    eve = people.arrive()
    eve.goto(new.path)
    for turn in range(4):
        active, other = (ann, bob) if turn % 2 == 0 else (bob, ann)
        table.play_turn(active)
        table.my_turn(other)
    for page in (ann, bob, eve):
        expect(table.laid(page)).to_have_count(4)
    assert table.positions(ann) == table.positions(bob) == table.positions(eve)
    expect(eve.get_by_role("group", name=t("your_hand")).locator("button")).to_have_count(0)
    expect(eve.locator(".turn-buttons")).to_have_count(0)
    bob.reload()
    table.my_turn(ann)
    expect(table.laid(bob)).to_have_count(4)
    expect(bob.locator(".log")).to_contain_text("Ann")


def test_the_host_sends_a_guest_away(people: People, server: Process) -> None:
    new = table.create(server, seats=[None, None, None])
    ann = table.sit(people, new)
    bob = people.arrive()
    bob.goto(new.path)
    bob.get_by_label(t("your_name")).fill("Bob")
    bob.get_by_role("button", name=t("sit_down")).click()
    remove = t("remove_guest", name="Bob")
    expect(seat(bob, 1)).to_contain_text(t("you"))
    expect(bob.get_by_role("button", name=t("remove_from_seat"))).to_have_count(0)
    # By keys: it is asked once more, with the harmless answer first in hand.
    ann.get_by_role("button", name=remove).press("Enter")
    expect(ann.get_by_role("button", name=t("cancel"))).to_be_focused()
    ann.keyboard.press("Enter")
    ann.get_by_role("button", name=remove).press("Enter")
    ann.get_by_role("group", name=remove).get_by_role("button", name=remove).press("Enter")
    expect(seat(ann, 1)).to_contain_text(t("free_seat"))
    expect(bob.locator(".trouble", has_text=t("removed_by_host"))).to_be_visible()
    bob.get_by_role("button", name=t("sit_down")).click()
    expect(seat(bob, 1)).to_contain_text("Bob")
    expect(bob.locator(".trouble")).to_have_count(0)


def test_two_tabs_on_one_seat_agree(people: People, server: Process) -> None:
    new = table.create(server)
    one = table.sit(people, new)
    two = one.context.new_page()
    two.goto(new.path)
    table.play_turn(one)
    table.my_turn(two)
    table.lay_by_keys(two)
    expect(table.laid(one)).to_have_count(table.laid(two).count())
    one.get_by_role("button", name=t("undo")).click()
    expect(two.locator(".turn-buttons button")).to_have_count(0)
    expect(one.locator(".turn-buttons button")).to_have_count(0)
    assert table.positions(one) == table.positions(two)
    # Both lay the same domino at once: one of them comes second, and both see the same table. (If
    # the news is quicker than the second key, that key ends the turn, and the program goes on.)
    for page in (one, two):
        expect(page.locator(".held-face:not(.stuck)").first).to_be_visible()
        page.keyboard.press("ArrowRight")
        expect(page.locator(".ghost.pinned")).to_be_attached()
    one.keyboard.press("Enter")
    two.keyboard.press("Enter")
    for page in (one, two):
        expect(page.locator(".ghost.pinned")).to_have_count(0)
        expect(table.laid(page).nth(2)).to_be_attached()
        table.my_turn(page)
    # The program's turn may reach one of them a moment earlier.
    wait_until_sync(
        lambda: table.positions(one) == table.positions(two),
        lambda: f"the same table: {table.positions(one)}, {table.positions(two)}",
    )


def test_the_server_is_killed_and_comes_back(people: People, own_server: Process) -> None:
    people.expected = ("ERR_CONNECTION_RE", "WebSocket connection to")  # Refused, or reset.
    new = table.create(own_server)
    page = table.sit(people, new, server=own_server)
    table.play_turn(page)
    table.my_turn(page)
    # Where the dominoes fit has been answered: no question is under way.
    page.locator(".held-face[aria-label*='fits in']").first.wait_for()
    page.wait_for_load_state("networkidle")
    before = table.positions(page)
    own_server.stop(signal.SIGKILL)
    expect(page.locator(".reconnecting")).to_be_visible()
    assert table.positions(page) == before, "what was committed stays in sight"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")  # Waits for the connection, and is carried out once.
    own_server.start()
    expect(page.locator(".reconnecting")).to_have_count(0)
    expect(table.laid(page)).to_have_count(len(before) + 1)
    table.end_turn(page)
    table.my_turn(page)
    assert table.positions(page)[: len(before)] == before


def test_a_hand_at_a_shared_screen_is_nowhere_until_it_is_uncovered(
    people: People, server: Process
) -> None:
    hands: dict[int, list[str]] = {}

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", read)

    def read(data: str | bytes) -> None:
        message: dict[str, Any] = json.loads(data)
        for seat, view in message.get("views", {}).items():
            hands[int(seat)] = view["hand"]

    new = table.create(server, seats=[None, None], guests=["Bob"])
    page = people.arrive(tables=new.known)
    page.on("websocket", listen)
    page.goto(new.path)
    for turn in range(4):
        name = ("Ann", "Bob")[turn % 2]
        uncover = page.get_by_role("button", name=t("i_am_here", name=name))
        uncover.wait_for()
        assert len(hands) == 2
        assert_nowhere(page, hands[0] + hands[1])
        page.keyboard.press("Escape")  # Nothing but its button uncovers a hand.
        page.keyboard.press("ArrowRight")
        assert_nowhere(page, hands[0] + hands[1])
        # The table stays in sight, with the last turn.
        assert table.laid(page).count() == turn
        table.commit(uncover)
        faces = page.locator(".held-face")
        expect(faces).to_have_count(2 * len(hands[turn % 2]))
        shown = set(faces.evaluate_all("(all) => all.map((one) => one.dataset.tile)"))
        assert shown == set(hands[turn % 2])
        assert_nowhere(page, hands[1 - turn % 2])
        table.play_turn(page)


def assert_nowhere(page: Page, names: list[str]) -> None:
    content = page.content() + page.locator("body").aria_snapshot()
    assert not [name for name in names if name in content]
    if page.locator(".privacy").count():
        assert page.locator(".held-face, .held").count() == 0


SEE_BUBBLES = """
window.bubbles = [];
new MutationObserver(() => {
  const all = document.querySelectorAll(".seat-1 .bubble");
  for (const { textContent } of all) window.bubbles.push(textContent);
}).observe(document, { subtree: true, childList: true, characterData: true });
"""
"""A bubble is gone after a few seconds; this remembers what Bob's have said."""


def saw_bubble(page: Page, greeting: str) -> None:
    page.wait_for_function("(text) => window.bubbles.includes(text)", arg=t(f"greet_{greeting}"))


def refuse_greetings(page: Page) -> Callable[[], None]:
    """Return a function; once it was called, greetings of this page are refused as too frequent."""
    refusing = False

    def connect(near: WebSocketRoute) -> None:
        far = near.connect_to_server()

        def say(text: str | bytes) -> None:
            message = json.loads(text)
            if refusing and message["type"] == "greet":
                refusal = {"type": "refused", "code": "too_often", "message": "Wait a moment."}
                near.send(json.dumps({**refusal, "id": message["id"]}))
            else:
                far.send(text)

        near.on_message(say)

    def refuse() -> None:
        nonlocal refusing
        refusing = True

    page.route_web_socket(re.compile("/socket$"), connect)
    return refuse


def test_a_late_answer_leaves_a_dialog_open_that_was_opened_again(
    people: People, server: Process
) -> None:
    new = table.create(server, seats=[None, None])
    server.ask(f"{API}/{new.id}/seats/1", name="Bob")
    page = people.arrive(tables=new.known)
    answers: list[Callable[[], None]] = []

    def connect(near: WebSocketRoute) -> None:
        far = near.connect_to_server()

        def say(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "greet":
                answer = json.dumps({"type": "done", "id": message["id"]})
                answers.append(lambda: near.send(answer))
            else:
                far.send(text)

        near.on_message(say)

    page.route_web_socket(re.compile("/socket$"), connect)
    page.goto(new.path)
    greet = page.get_by_role("button", name=t("greet"))
    dialog = page.get_by_role("dialog")
    greet.click()
    dialog.get_by_role("button", name=t("greet_hello")).click()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    greet.click()
    expect(dialog).to_be_visible()
    (answer,) = answers
    answer()
    page.evaluate(table.PAINTED)
    expect(dialog).to_be_visible()


def test_players_see_presence_and_greetings(people: People, server: Process) -> None:
    new = table.create(server, seats=[None, None])
    bob_token = server.ask(f"{API}/{new.id}/seats/1", name="Bob")["token"]
    bobs = new._replace(token=bob_token)
    ann, bob, eve = (
        people.arrive(tables=new.known),
        people.arrive(tables=bobs.known, phone=True),
        people.arrive(),
    )
    refuse = refuse_greetings(bob)
    for page in (ann, bob, eve):
        page.add_init_script(SEE_BUBBLES)
        page.goto(new.path)
    expect(seat(ann, 1).locator(".presence")).to_have_text(t("presence_here"))
    expect(seat(bob, 0).locator(".presence")).to_be_visible()
    expect(ann.get_by_label("1 spectator")).to_be_visible()
    expect(eve.get_by_role("button", name=t("greet"))).to_have_count(0)
    bob.get_by_role("button", name=t("greet")).click()
    dialog = bob.get_by_role("dialog")
    expect(dialog.locator(".greetings button")).to_have_count(6)
    dialog.get_by_role("button", name=t("greet_well_played")).click()
    expect(dialog).to_have_count(0)
    for page in (ann, bob, eve):
        saw_bubble(page, "well_played")
    expect(ann.locator("#announcer")).to_contain_text(f"Bob: {t('greet_well_played')}")
    # A player who does not want any hears no more of them at this table.
    ann.get_by_role("button", name=t("greet")).click()
    ann.get_by_role("switch", name=t("greet_mute")).check()
    ann.keyboard.press("Escape")
    expect(ann.locator(".bubble")).to_have_count(0)

    def greet(greeting: str) -> None:
        bob.get_by_role("button", name=t("greet")).click()
        dialog.get_by_role("button", name=t(f"greet_{greeting}")).click()

    for greeting in ("hello", "oops"):
        greet(greeting)
        expect(dialog).to_have_count(0)
        saw_bubble(eve, greeting)
    refuse()
    greet("thanks")
    expect(bob.locator(".trouble", has_text=t("refused_too_often"))).to_be_visible()
    assert set(ann.evaluate("window.bubbles")) == {t("greet_well_played")}


@pytest.mark.thorough
def test_an_absent_player_is_replaced_and_returns(people: People, server: Process) -> None:
    new = table.create(server, seats=[None, None], absence=1)
    bob_token = server.ask(f"{API}/{new.id}/seats/1", name="Bob")["token"]
    bob = table.sit(people, new._replace(token=bob_token))
    ann = seat(bob, 0)
    expect(ann.locator(".presence")).to_have_text(t("presence_away"))
    ann.get_by_role("button", name=t("remind_name", name="Ann")).click()
    expect(ann).to_contain_text(t("remind_missed", name="Ann"))
    ann.get_by_role("button", name=t("replace_name", name="Ann")).click()
    expect(ann.locator(".presence")).to_have_text(t("presence_left"))
    table.my_turn(bob)  # The program has laid her first domino.
    hers = table.sit(people, new)
    expect(hers.get_by_text(t("welcome_back")).first).to_be_visible()
    expect(ann.locator(".presence")).to_have_text(t("presence_here"))
    # She calls him, when his turn takes long; he sees it on the page and in the title.
    hers.clock.install()
    hers.clock.fast_forward(25_000)
    hers.get_by_role("button", name=t("remind_name", name="Bob")).click()
    expect(bob.locator(".reminder")).to_contain_text(t("reminder", name="Ann"))
    expect(bob).to_have_title(re.compile(t("reminder", name="Ann")))


def test_a_player_who_leaves_is_not_congratulated(people: People, server: Process) -> None:
    new = table.create(server, options=choose_few_dominoes("classic"))
    page = table.sit(people, new)
    table.my_turn(page)
    table.lay_by_keys(page)
    page.get_by_role("button", name=t("table_menu_label")).click()
    page.get_by_role("button", name=f"{t('leave_table')} …").click()
    table.commit(page.get_by_role("button", name=t("leave_table"), exact=True))
    result = table.result(page)
    expect(page.locator(".log")).to_contain_text("Ann leaves the game")
    replay = server.ask(f"/tables/{new.id}/replay")
    own = [turn for turn in replay["turns"] if turn["player"] == 0]
    by_bot = [turn for turn in own if turn.get("stand_in")]
    assert len(by_bot) >= len(own) - 1
    said = t("stand_in_turns", count=len(by_bot), all=len(own))
    expect(result.locator(".ranking li", has_text="Ann")).to_contain_text(said)
    expect(result.get_by_text(t("result_you_win"))).to_have_count(0)
    expect(result.locator(".celebration")).to_have_count(0)
    expect(result.get_by_role("button", name=t("challenge_friends"))).to_have_count(0)


def test_a_seat_continues_on_another_device(people: People, server: Process) -> None:
    new = table.create(server, seats=[None, None], guests=["Bob"], hands="open")
    here = table.sit(people, new)
    # Open hands: nothing is covered, and each sees what the other has.
    expect(here.locator(".held-face")).to_have_count(2)
    expect(here.get_by_role("list", name=t("hand_of", name="Bob")).locator("svg")).to_have_count(2)
    expect(here.locator(".privacy")).to_have_count(0)
    here.get_by_role("button", name=t("table_menu_label")).click()
    here.get_by_role("button", name=t("another_device")).click()
    moved = here.locator(".another-device")
    expect(moved.locator("svg.qr")).to_be_visible()
    expect(moved).to_contain_text(t("another_device_secret", names="Ann and Bob"))
    link = moved.get_by_role("textbox").input_value()
    assert link.split("#")[0] == f"{server.url}{new.path}"
    there = people.arrive(phone=True)
    asked: list[str] = []
    there.on("request", lambda request: asked.append(request.url))
    there.goto(link)
    expect(there.locator(".moved")).to_contain_text(t("seat_moved", names="Ann and Bob"))
    expect(there.locator(".held-face")).to_have_count(2)
    assert there.url == f"{server.url}{new.path}", "the token is seen nowhere"
    assert not [url for url in asked if new.token in url.split("#")[0]]
    there.reload()
    expect(there.locator(".held-face")).to_have_count(2)
    # The page asks before it forgets another seat here; an old link says so.
    old = people.arrive()
    old.goto(f"{new.path}#seat={'x' * 22}")
    expect(old.locator(".moved")).to_contain_text(t("seat_link_old"))
    there.goto(f"{new.path}#seat={'x' * 22}")
    there.get_by_role("button", name=t("seat_other_keep")).click()
    expect(there.locator(".held-face")).to_have_count(2)


def test_a_seat_link_is_replaced(people: People, server: Process) -> None:
    new = table.create(server, seats=[None, None], guests=["Bob"], hands="open")
    here = table.sit(people, new)
    there = people.arrive()
    there.goto(f"{new.path}#seat={new.token}")
    expect(there.locator(".held-face")).to_have_count(2)
    here.get_by_role("button", name=t("table_menu_label")).click()
    here.get_by_role("button", name=t("another_device")).click()
    link = here.locator(".another-device").get_by_role("textbox")
    before = link.input_value()
    here.get_by_role("button", name=t("seat_renew")).click()
    expect(link).not_to_have_value(before)
    after = link.input_value()
    # The browser with the old link watches from now on; this one plays, also after a reload.
    expect(there.locator(".held-face")).to_have_count(0)
    here.reload()
    expect(here.locator(".held-face")).to_have_count(2)
    old = people.arrive()
    old.goto(before)
    expect(old.locator(".moved")).to_contain_text(t("seat_link_old"))
    friend = people.arrive()
    friend.goto(after)
    expect(friend.locator(".moved")).to_contain_text(t("seat_moved", names="Ann and Bob"))


def test_a_closed_browser_resumes_at_the_table(people: People, server: Process) -> None:
    new = table.create(server)
    page = table.sit(people, new)
    table.play_turn(page)
    expect(table.laid(page)).to_have_count(2)  # Hers and the program's: the starting position.
    table.my_turn(page)
    before = table.positions(page)
    page.close()
    again = people.contexts[-1].new_page()
    again.goto("/")
    again.locator(f'a[href="{new.path}"]').first.click()
    table.my_turn(again)
    expect(table.laid(again)).to_have_count(2)
    assert table.positions(again) == before


def test_a_table_that_does_not_exist(page: Page) -> None:
    page.goto("/t/nothing-here")
    expect(page.get_by_role("heading", name=t("no_table_title"))).to_be_visible()


def test_open_spectating_warns_that_players_may_look(page: Page) -> None:
    page.goto("/new/classic")
    page.get_by_text(t("more_options"), exact=True).click()
    choice = page.get_by_label(t("spectators"), exact=True)
    warning = page.get_by_role("main").get_by_text(t("spectators_all_help"))
    expect(choice).to_be_visible()
    expect(warning).to_have_count(0)
    choice.select_option("all")
    expect(warning).to_be_visible()
    expect(choice).to_have_accessible_description(t("spectators_all_help"))


def test_a_page_that_does_not_exist(people: People) -> None:
    people.expected = ("404", "/api/groups")
    page = people.arrive()
    home = page.get_by_role("main").get_by_role("link", name=t("home"), exact=True)
    answer = page.goto("/nothing")
    assert answer
    assert answer.status == 404
    for title, *paths in (
        ("missing_title", "/nothing", "/constructor", "/t/%E0%A4%A", "/new/chess"),
        ("no_table_title", "/t/", "/t/a/b"),
        ("problems", "/problem?date=2999-01-01"),
    ):
        for path in paths:
            page.goto(path)
            expect(page.get_by_role("heading", name=t(title), level=1)).to_be_visible()
            expect(home).to_be_visible()
    page.goto("/analysis#p=XRYGB+0@0,0&h=PRYGB,QRYGB")
    # Said once, also when the server has found the first of them.
    said = page.get_by_role("main").locator(".trouble:visible")
    with page.expect_response("**/api/groups"):
        page.reload()
    expect(said).to_have_count(1)
    expect(said).to_contain_text(t("link_other_set", names="XRYGB and QRYGB"))
    home.click()
    expect(page.get_by_role("button", name=t("play_now"), exact=True)).to_be_visible()


def test_a_failing_part_of_the_page_leaves_the_rest_alive(people: People, server: Process) -> None:
    people.expected = ("TypeError", "Cannot read properties")
    played = table.create(server, seats=["easy", "novice"], pace=10_000, host=None)
    page = people.arrive()
    # A part of a page: an event without its line.
    event = {"event": "laid", "player": 0, "laying": "PRYGB+0@0,0", "scores": True, "charge": 0}
    page.route("**/history", lambda route: route.fulfill(json=[{"version": 1, "events": [event]}]))
    page.goto(played.path)
    part = page.locator(".room-side .trouble")
    expect(part).to_contain_text(t("broken_part"))
    expect(page.locator(".player .name")).to_have_text(["Milo", "Pia"])
    expect(page.locator(".room-board")).to_be_visible()
    # A page, while the header stays.
    page.route("**/api/problem?*", lambda route: route.fulfill(json={"kind": "turn"}))
    page.goto("/problem?date=2026-11-14")
    expect(page.get_by_role("heading", name=t("broken_title"))).to_be_visible()
    page.unroute("**/api/problem?*")
    page.get_by_role("button", name=t("reload")).click()
    expect(page.locator(".lesson-task")).to_be_visible()
