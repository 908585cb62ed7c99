"""Notifications of turns while no page is open: the menu, the bell, and the worker."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import table
from tests.support.browser.people import People
from tests.support.browser.process import Process
from tests.support.browser.texts import t

DAYS = {"kind": "turn", "seconds": 3 * 86_400}

SUBSCRIBED = """
const keys = {
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
};
const endpoint = "https://push.example.org/x";
const subscription = { endpoint, toJSON: () => ({ endpoint, keys }) };
let subscribed = null;
PushManager.prototype.subscribe = async (options) => {
  if (options.applicationServerKey.length !== 87) throw new TypeError("no key");
  return (subscribed = subscription);
};
PushManager.prototype.getSubscription = async () => subscribed;
Notification.requestPermission = async () => "granted";
Object.defineProperty(Notification, "permission", { get: () => "default" });
"""
"""A browser whose push service works: that of the tests has none."""

HOLD_SUBSCRIPTIONS = """() => {
  const { fetch } = globalThis;
  const answered = new Promise((resolve) => (globalThis.releaseSubscriptions = resolve));
  globalThis.fetch = async (address, options) => {
    if (!String(address).endsWith("/notices/push")) return fetch(address, options);
    globalThis.isHeld = true;
    await answered;
    return fetch(address, options);
  };
}"""
"""Let requests to subscribe wait in the page. Playwright cannot hold them: where a service worker
controls the page, Chromium sometimes (5 of 50 times) reports no request after `page.route`, and
never sends it."""


@pytest.fixture(scope="module")
def notifying(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A server that notifies by push and by mail; its mail server does not answer."""
    words = ("push=mailto:host@example.org", "smtp=127.0.0.1:9", "security=none",
             "sender=table@example.org", "url=https://play.example.org")  # fmt: skip
    process = Process(
        tmp_path_factory.mktemp("notifying"), more=tuple(f"--notify={word}" for word in words)
    )
    yield process
    process.stop()


def sit(people: People, server: Process, **options: Any) -> Page:
    """A table with days for a turn."""
    new = table.create(server, clock=DAYS)
    page = people.arrive(server=server, tables=new.known, service_workers="allow", **options)
    page.add_init_script(SUBSCRIBED)
    page.goto(new.path)
    table.my_turn(page)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    return page


@pytest.mark.thorough
def test_the_bell_where_turns_take_days(people: People, notifying: Process) -> None:
    page = sit(people, notifying)
    expect(page.locator(".clock").first).to_have_text("3 days")
    page.get_by_role("button", name=t("notices_title")).click()
    part = page.get_by_role("region", name=t("notices_title"))
    switch = part.get_by_role("switch")
    expect(switch).not_to_be_checked()
    switch.click()
    expect(switch).to_be_checked()
    # It is still on when the page comes again; here the browser has to say so.
    page.keyboard.press("Escape")
    page.get_by_role("button", name=t("notices_title")).click()
    expect(switch).to_be_checked()
    switch.click()
    expect(switch).not_to_be_checked()

    part.get_by_label(t("notices_mail")).fill("ann@example.org")
    part.get_by_role("button", name=t("notices_mail_ask")).click()
    expect(part.get_by_text(t("notices_mail_asked", address="ann@example.org"))).to_be_visible()
    part.get_by_role("button", name=t("notices_mail_stop")).click()
    expect(part.get_by_label(t("notices_mail"))).to_have_value("ann@example.org")
    people.expected = ("answered 429", "429 (Too Many Requests)")
    part.get_by_role("button", name=t("notices_mail_ask")).click()
    expect(part.locator(".trouble")).to_have_text(t("refused_asked_already"))


def test_a_click_while_an_answer_is_slow_is_not_lost(people: People, notifying: Process) -> None:
    page = sit(people, notifying)
    page.get_by_role("button", name=t("notices_title")).click()
    part = page.get_by_role("region", name=t("notices_title"))
    page.evaluate(HOLD_SUBSCRIPTIONS)
    part.get_by_role("switch").click()
    page.wait_for_function("() => globalThis.isHeld")
    part.get_by_label(t("notices_mail")).fill("bea@example.org")
    part.get_by_role("button", name=t("notices_mail_ask")).dblclick()
    page.evaluate("releaseSubscriptions()")
    expect(part.get_by_text(t("notices_mail_asked", address="bea@example.org"))).to_be_visible()
    expect(part.get_by_role("switch")).to_be_checked()
    expect(part.locator(".trouble")).to_have_count(0)


def test_a_browser_that_forbids_it(people: People, notifying: Process) -> None:
    page = sit(people, notifying, phone=True)
    page.evaluate("""Notification.requestPermission = async () => "denied" """)
    page.get_by_role("button", name=t("table_menu_label")).click()
    part = page.get_by_role("region", name=t("notices_title"))
    part.get_by_role("switch").click()
    expect(part.locator(".notice")).to_have_text(t("notify_denied"))
    expect(part.get_by_role("switch")).not_to_be_checked()
    page.evaluate(
        """() => {
          Notification.requestPermission = async () => "granted";
          PushManager.prototype.subscribe = async () => {
            throw new DOMException("no", "AbortError");
          };
        }"""
    )
    part.get_by_role("switch").click()
    expect(part.locator(".note", has_text=t("notices_impossible"))).to_be_visible()


def test_where_the_host_offers_nothing(people: People, server: Process) -> None:
    page = table.sit(people, table.create(server, clock=DAYS))
    table.my_turn(page)
    with page.expect_response("**/api/notices"):
        page.get_by_role("button", name=t("table_menu_label")).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.get_by_role("region", name=t("notices_title"))).to_have_count(0)


def test_the_worker_shows_notifications(people: People, notifying: Process) -> None:
    page = people.arrive(server=notifying, service_workers="allow")
    session = page.context.new_cdp_session(page)
    found: list[dict[str, Any]] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda text: found.extend(text["registrations"]),
    )
    session.send("ServiceWorker.enable")
    page.goto("/")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    # The browser of the tests has nowhere to show it.
    [worker] = page.context.service_workers
    worker.evaluate(
        """() => {
          self.shown = new Promise((resolve) => {
            self.registration.showNotification = async (...shown) => resolve(shown);
          });
        }"""
    )
    news = {"title": "Your turn", "body": "Classic: Ann, Bob", "tag": "abc", "url": "/t/abc"}
    session.send(
        "ServiceWorker.deliverPushMessage",
        {
            "origin": f"{notifying.url}/",
            "registrationId": found[0]["registrationId"],
            "data": json.dumps(news),
        },
    )
    title, options = worker.evaluate("self.shown")
    assert title == "Your turn"
    assert options["body"] == "Classic: Ann, Bob"
    assert options["tag"] == "abc"
    assert options["data"] == {"url": "/t/abc"}
