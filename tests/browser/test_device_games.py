"""The games of a device: their place, their file, their way to a server and back, and the engine
that a page loads ahead."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.browser import table
from tests.support.browser.accessibility import find_barriers
from tests.support.browser.device import LOADED_MS, begin, engine_server, play_turns
from tests.support.browser.people import People
from tests.support.browser.process import Process
from tests.support.browser.texts import t, texts
from tests.support.waiting import wait_until_sync

__all__ = ["engine_server"]

pytestmark = pytest.mark.thorough

DAMAGE = """(id) => new Promise((resolve, reject) => {
  const opening = indexedDB.open("dalapapa tables");
  opening.onsuccess = () => {
    const transaction = opening.result.transaction("log", "readwrite");
    transaction.objectStore("log").put({ id, number: 1, line: { number: 1, at: 5 } });
    transaction.oncomplete = () => resolve(opening.result.close());
    transaction.onerror = () => reject(transaction.error);
  };
})"""

STORED = """async () => {
  const cache = await caches.open("engine");
  const manifest = await cache.match("/engine/manifest.json");
  if (!manifest) return false;
  const { files } = await manifest.json();
  const kept = files.map(({ path }) => cache.match(`/engine/${path}`));
  return (await Promise.all(kept)).every(Boolean);
}"""

COUNT_LOOKS = """() => {
  const { get } = Object.getOwnPropertyDescriptor(NetworkInformation.prototype, "saveData");
  window.looks = 0;
  Object.defineProperty(NetworkInformation.prototype, "saveData", {
    get() {
      window.looks++;
      return get.call(this);
    },
  });
}"""

COPY_BY = """(button) => new Promise((resolve) => {
  navigator.clipboard.writeText = async (text) => resolve(text);
  button.click();
})"""

DELETE = re.compile("^" + t("device_delete_game", game=""))


def open_menu(page: Page, entry: str) -> Locator:
    """Open the menu of a table, and a part of it."""
    page.get_by_role("button", name=t("table_menu_label")).click()
    page.get_by_role("button", name=f"{t(entry)} …").click()
    return page.get_by_role("dialog", name=t(entry))


def open_games(page: Page) -> Locator:
    page.goto("/")
    page.get_by_role("button", name=f"{t('device_games')} …").click()
    return page.get_by_role("dialog", name=t("device_games"))


def count(name: str, number: int) -> str:
    """A text with a number, in its plural form."""
    forms = texts("en")[name]
    assert isinstance(forms, dict)
    return forms["one" if number else "zero"].replace("{count}", str(number))


def path_of(page: Page) -> str:
    return urlsplit(page.url).path


def list_engine_files(page: Page) -> list[str]:
    """Collect what a page loads of the engine, from now on."""
    found: list[str] = []
    page.context.on("request", lambda request: found.append(urlsplit(request.url).path))
    return found


# -- where ---------------------------------------------------------------------------------------


def test_a_table_and_the_list_say_where_it_runs(people: People, engine_server: Process) -> None:
    page = begin(people, engine_server)
    here = path_of(page)
    there = table.create(engine_server)
    page.goto("/")
    known = json.dumps({"token": there.token, "game": "classic", "at": Process.now()})
    page.evaluate(
        """([id, known]) => {
          const tables = JSON.parse(localStorage["dalapapa.tables"]);
          localStorage["dalapapa.tables"] = JSON.stringify({ ...tables, [id]: JSON.parse(known) });
        }""",
        [there.id, known],
    )
    page.reload()
    for path, text in ((here, "device_here"), (there.path, "server_here")):
        entry = page.get_by_role("listitem").filter(has=page.locator(f'a[href="{path}"]'))
        expect(entry).to_contain_text(t(text))
    page.goto(there.path)
    expect(page.locator("header").get_by_text(t("server_here"))).to_be_visible()
    page.goto("about:blank")


def test_the_setting_decides_where_a_game_begins(people: People, engine_server: Process) -> None:
    page = people.arrive(server=engine_server)
    page.goto("/")
    page.get_by_role("button", name=t("settings")).click()
    page.get_by_role("radio", name=t("where_device")).check()
    page.keyboard.press("Escape")
    page.get_by_role("button", name=t("play_now"), exact=True).click()
    page.wait_for_url(re.compile("/t/device-"), timeout=LOADED_MS)
    table.my_turn(page)
    page.goto("about:blank")


# -- files ---------------------------------------------------------------------------------------


def test_games_are_saved_deleted_and_added_again(
    people: People, engine_server: Process, tmp_path: Path
) -> None:
    page = begin(people, engine_server)
    play_turns(page, 1)
    table.my_turn(page)
    address, laid = page.url, table.positions(page)
    dialog = open_games(page)
    with page.expect_download() as saving:
        dialog.get_by_role("button", name=t("device_export")).click()
    file = tmp_path / "games.json"
    saving.value.save_as(file)
    expect(dialog.locator(".note", has_text=count("device_exported", 1))).to_be_visible()

    dialog.get_by_role("button", name=DELETE).click()
    dialog.get_by_role("button", name=t("device_delete"), exact=True).click()
    expect(dialog.get_by_text(t("device_games_none"))).to_be_visible()

    chooser = dialog.locator("input[type=file]")
    damaged = json.loads(file.read_text())
    damaged["tables"][0]["table"]["seed"] = "another"
    for text in ("{", "[]", "[" * 100_000, json.dumps(damaged)):
        (tmp_path / "damaged.json").write_text(text)
        chooser.set_input_files(tmp_path / "damaged.json")
        expect(dialog.locator(".trouble", has_text=t("refused_bad_file"))).to_be_visible()
        expect(dialog.get_by_text(t("device_games_none"))).to_be_visible()
    chooser.set_input_files(file)
    expect(dialog.locator(".note", has_text=count("device_imported", 1))).to_be_visible(
        timeout=LOADED_MS
    )
    chooser.set_input_files(file)
    expect(dialog.locator(".note", has_text=count("device_imported", 0))).to_be_visible()
    page.goto(address)
    table.my_turn(page)
    assert table.positions(page) == laid
    play_turns(page, 1)
    table.my_turn(page)
    longer = table.positions(page)

    dialog = open_games(page)
    dialog.locator("input[type=file]").set_input_files(file)
    expect(dialog.locator(".note", has_text=count("device_imported", 0))).to_be_visible()
    page.goto(address)
    table.my_turn(page)
    assert table.positions(page) == longer, "a longer log is never overwritten"


def test_a_damaged_game_is_saved_as_it_is_and_deleted(
    people: People, engine_server: Process
) -> None:
    page = begin(people, engine_server)
    table.my_turn(page)
    damaged = page.url
    page.goto("/new/classic")
    page.locator("fieldset select").nth(1).select_option("novice")
    page.get_by_role("switch", name=t("device_switch")).check()
    page.get_by_role("button", name=t("start"), exact=True).click()
    page.wait_for_url(re.compile("/t/device-"), timeout=LOADED_MS)
    table.my_turn(page)
    good = page.url
    page.evaluate(DAMAGE, damaged.rpartition("/")[2])
    page.goto(damaged)
    expect(page.get_by_role("main").get_by_text(t("device_damaged"))).to_be_visible(
        timeout=LOADED_MS
    )
    page.get_by_role("button", name=f"{t('device_games')} …").click()
    dialog = page.get_by_role("dialog", name=t("device_games"))
    with page.expect_download() as saving:
        dialog.get_by_role("button", name=t("device_raw")).click()
    assert json.loads(Path(saving.value.path()).read_text())["log"][0] == {"number": 1, "at": 5}
    entry = dialog.get_by_role("listitem").filter(has_text=t("device_damaged"))
    entry.get_by_role("button", name=DELETE).click()
    entry.get_by_role("button", name=t("device_delete"), exact=True).click()
    expect(dialog.get_by_role("listitem")).to_have_count(1)
    page.goto(good)
    play_turns(page, 1)


# -- challenges ----------------------------------------------------------------------------------


def test_two_devices_compare_a_challenge_without_a_server(
    people: People, engine_server: Process
) -> None:
    """The link brings the game and the result to beat, and a link back brings the other result."""
    ann = begin(people, engine_server, "gone")
    table.play_by_keys(ann)
    dialog = table.result(ann)
    dialog.get_by_role("button", name=t("challenge_friends")).click()
    dialog.get_by_role("link", name=t("challenge_compare")).click()
    ann.wait_for_url(re.compile("/challenge/device-"))
    expect(ann.locator(".ranking li")).to_have_count(1, timeout=LOADED_MS)
    expect(ann.get_by_text(t("challenge_linked"))).to_be_visible()

    bob = people.arrive(server=engine_server)
    bob.goto(ann.url)
    bob.get_by_label(t("your_name")).fill("Bob")
    bob.keyboard.press("Enter")
    bob.wait_for_url(re.compile("/t/device-"), timeout=LOADED_MS)
    table.play_by_keys(bob)
    table.result(bob).get_by_role("link", name=t("challenge_compare")).click()
    expect(bob.locator(".ranking li")).to_have_count(2, timeout=LOADED_MS)
    expect(bob.locator(".ranking a")).to_have_text(["Bob"])
    expect(bob.locator(".ranking")).to_contain_text(t("challenge_original"))
    assert not find_barriers(bob)
    share = bob.get_by_role("button", name=t("challenge_link"))
    copied = bob.evaluate(COPY_BY, share.element_handle())

    assert copied != bob.url
    ann.goto(copied)
    expect(ann.locator(".ranking li")).to_have_count(2, timeout=LOADED_MS)
    expect(ann.locator(".ranking")).to_contain_text("Bob")
    for page in (ann, bob):
        page.goto("about:blank")


# -- to the server and back ----------------------------------------------------------------------


def test_a_game_moves_to_the_server_and_a_friend_takes_a_seat(
    people: People, engine_server: Process
) -> None:
    page = people.arrive(server=engine_server)
    page.goto("/new/classic")
    page.locator("fieldset select").nth(1).select_option("guest")
    page.get_by_role("switch", name=t("hands_switch")).check()
    page.get_by_role("switch", name=t("device_switch")).check()
    page.get_by_role("button", name=t("start"), exact=True).click()
    page.wait_for_url(re.compile("/t/device-"), timeout=LOADED_MS)
    play_turns(page, 3)
    laid = table.positions(page)
    open_menu(page, "move_to_server").get_by_role("button", name=t("move_to_server")).click()
    page.wait_for_url(re.compile("/t/moved-"))
    expect(page.locator("header").get_by_text(t("server_here"))).to_be_visible()
    expect(page.locator(".board .domino")).to_have_count(len(laid))
    assert table.positions(page) == laid

    links = open_menu(page, "move_links")
    friend = people.arrive(server=engine_server)
    friend.goto(links.get_by_role("textbox", name=t("link")).input_value())
    page.keyboard.press("Escape")
    expect(friend.locator(".board .domino")).to_have_count(len(laid))
    ready = re.compile("●")
    first, second = (page, friend) if ready.match(page.title()) else (friend, page)
    play_turns(first, 1)
    play_turns(second, 1)
    page.goto("/")
    expect(page.locator('a[href^="/t/device-"]')).to_have_count(0)
    friend.goto("about:blank")


def test_a_game_of_the_server_goes_on_here(people: People, engine_server: Process) -> None:
    there = table.create(engine_server)
    page = table.sit(people, there, server=engine_server)
    play_turns(page, 1)
    table.my_turn(page)
    laid = table.positions(page)
    open_menu(page, "move_to_device").get_by_role("button", name=t("move_to_device")).click()
    page.wait_for_url(re.compile("/t/device-"), timeout=LOADED_MS)
    expect(page.locator(".board .domino")).to_have_count(len(laid), timeout=LOADED_MS)
    assert table.positions(page) == laid
    play_turns(page, 1)
    stranger = people.arrive(server=engine_server)
    stranger.goto(there.path)
    expect(stranger.get_by_text(t("refused_moved_to_device"))).to_be_visible()
    stranger.goto("about:blank")


# -- ahead ---------------------------------------------------------------------------------------


def test_the_engine_is_loaded_after_a_game_is_usable_and_plays_without_a_server(
    people: People, engine_server: Process
) -> None:
    people.expected = ("ERR_CONNECTION", "ERR_EMPTY", "ERR_FAILED", "503")
    there = table.create(engine_server)
    page = people.arrive(server=engine_server, tables=there.known, service_workers="allow")
    paths = list_engine_files(page)
    page.goto("/")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.wait_for_load_state("networkidle")
    assert not any(path.startswith("/engine/") for path in paths), "no game is shown"
    page.goto(there.path)
    table.my_turn(page)
    assert not any(path.startswith("/engine/") for path in paths)
    wait_until_sync(lambda: page.evaluate(STORED), "the files of the engine")
    engine_server.stop()
    page.goto("/")
    page.get_by_role("button", name=t("play_now"), exact=True).click()
    page.wait_for_url(re.compile("/t/device-"), timeout=LOADED_MS)
    play_turns(page, 1)
    page.goto("about:blank")


SAVING = ("Emulation.setDataSaverOverride", {"dataSaverEnabled": True})
UNLIMITED = {"downloadThroughput": -1, "uploadThroughput": -1}
SLOW = ("Network.emulateNetworkConditions", {"offline": False, "latency": 400, **UNLIMITED})
"""Browsers on desks do not say that a connection is metered, but how slow it is."""


@pytest.mark.parametrize(("command", "arguments"), [SAVING, SLOW], ids=["saving", "slow"])
def test_nothing_is_loaded_ahead_for_people_who_save_or_pay(
    people: People, engine_server: Process, command: str, arguments: dict[str, Any]
) -> None:
    there = table.create(engine_server)
    page = people.arrive(server=engine_server, tables=there.known, service_workers="allow")
    page.add_init_script(f"({COUNT_LOOKS})()")
    paths = list_engine_files(page)
    page.goto("/")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send(command, arguments)
    page.goto(there.path)
    table.my_turn(page)
    asked = "navigator.connection.saveData || navigator.connection.effectiveType === '3g'"
    assert page.evaluate(asked)
    # Once for what any page keeps, once for the engine, and once by the test.
    wait_until_sync(lambda: page.evaluate("window.looks") >= 3, "the look at the connection")
    page.wait_for_load_state("networkidle")
    assert not any(path.startswith("/engine/") for path in paths)
