"""Light to load, installable, and polite without a network."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Response, expect

from dalapapa.core.tiles import standard
from dalapapa.games import REGISTRY
from dalapapa.kernel.table import Table
from tests.support.browser import table
from tests.support.browser.people import People
from tests.support.browser.process import Process
from tests.support.browser.texts import t
from tests.support.waiting import wait_until_sync

MOST = 120_000
"""Bytes of a first load, as they come over the wire, fonts included."""


def weighed(page: Page, path: str) -> dict[str, int]:
    """The bytes that a first visit transfers, by file."""
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(path)
    page.locator("main :is(h1, .status)").first.wait_for()
    page.wait_for_load_state("networkidle")
    sizes = {urlsplit(answer.url).path: answer.request.sizes() for answer in answers}
    return {
        path: size["responseBodySize"] + size["responseHeadersSize"] for path, size in sizes.items()
    }


def test_the_first_page_is_light(people: People) -> None:
    parts = weighed(people.arrive(), "/")
    assert 10_000 < sum(parts.values()) < MOST, parts


@pytest.mark.parametrize("game", REGISTRY)
def test_a_table_is_light(people: People, server: Process, game: str) -> None:
    # Against a person: on a slow machine, a bot wins a race meanwhile, and the result is loaded.
    new = table.create(server, game=game, seats=[None, None])
    server.ask(f"/tables/{new.id}/seats/1", name="Bob")
    parts = weighed(people.arrive(tables=new.known), new.path)
    assert 10_000 < sum(parts.values()) < MOST, parts


def test_a_second_visit_loads_only_the_page(people: People) -> None:
    page = people.arrive()
    page.goto("/")
    page.wait_for_load_state("networkidle")
    page.reload()
    page.wait_for_load_state("networkidle")
    sizes: list[int] = page.evaluate(
        """performance.getEntriesByType("resource")
        .filter(({ name }) => name.includes("/assets/")).map(({ transferSize }) => transferSize)"""
    )
    assert len(sizes) > 2
    assert sum(sizes) == 0


def test_it_can_be_installed(people: People) -> None:
    page = people.arrive(service_workers="allow")
    page.goto("/")
    session = page.context.new_cdp_session(page)
    manifest: dict[str, Any] = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert json.loads(manifest["data"])["name"] == "Dalapapa"
    problems = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    serious = [one for one in problems if one["errorId"] not in ("in-incognito",)]
    assert serious == []


@pytest.mark.thorough
def test_without_the_server_the_page_says_so_politely(people: People, own_server: Process) -> None:
    # A server that stops refuses what is under way: the problems of the week ahead.
    gone = ("ERR_CONNECTION", "ERR_EMPTY", "ERR_FAILED", "WebSocket connection to", "503")
    people.expected = gone
    page = people.arrive(server=own_server, service_workers="allow")
    page.goto("/")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    own_server.stop()
    page.reload()
    expect(page.get_by_role("heading", name="Dalapapa", exact=True)).to_be_visible()
    expect(page.get_by_role("main").get_by_text(t("refused_offline"))).to_be_visible()
    own_server.start()
    page.reload()
    expect(page.get_by_role("main").get_by_text(t("refused_offline"))).to_have_count(0)
    page.get_by_role("button", name=t("play_now"), exact=True).first.click()
    page.wait_for_url(re.compile("/t/"))
    expect(page.locator(".status").first).to_be_visible()
    page.goto("about:blank")  # The server is stopped before the page is left: ask nothing more.


def test_a_table_in_motion_has_few_layers(people: People) -> None:
    """Each part that was placed by `transform` would get a layer: too slow with 120 dominoes."""
    laid = Table(standard())
    for name in standard().names[:60]:
        laid.lay(laid.legal(name)[-1])
    page = people.arrive(motion=True, settings={"symbols": True})
    page.goto(f"/analysis#p={'_'.join(map(str, laid.layings))}")
    expect(page.locator(".board .domino")).to_have_count(len(laid.layings))
    layers: list[int] = []
    session = page.context.new_cdp_session(page)
    session.on(
        "LayerTree.layerTreeDidChange", lambda tree: layers.append(len(tree.get("layers", [])))
    )
    for domain in ("DOM", "LayerTree"):
        session.send(f"{domain}.enable")
    box = page.locator(".board").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 40, steps=4)
    expect(page.locator(".world.moving")).to_have_count(1)
    page.mouse.move(x + 60, y + 60, steps=4)
    page.evaluate(table.PAINTED)
    wait_until_sync(
        lambda: page.evaluate(table.PAINTED) or 1 < (layers or [0])[-1] < 30,
        lambda: f"few layers: {layers}",
    )
    page.mouse.up()
    expect(page.locator(".world.moving")).to_have_count(0)
