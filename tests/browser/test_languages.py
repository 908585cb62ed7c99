"""Six languages, switched at once, with nothing left behind."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

import table
from people import People
from process import Process
from texts import LANGUAGES, t

PATHS = ("/", "/new/classic", "/new/alex", "/lesson", "/rules/gone", "/analysis", "/solver")

LINES = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const parent = node.parentElement;
    if (parent.closest("script, noscript, style, option, kbd, code, svg")) continue;
    if (node.data.trim()) found.push(node.data.trim());
  }
  for (const one of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
    const names = ["aria-label", "title", "placeholder"];
    found.push(...names.map((name) => one.getAttribute(name)).filter(Boolean));
  }
  return [...new Set(found)];
}"""


def lines(page: Page) -> set[str]:
    return set(page.evaluate(LINES))


def settled(page: Page) -> None:
    """Until what the page asked for is there."""
    page.locator("main :is(h1, h2, .status)").first.wait_for()
    page.wait_for_load_state("networkidle")


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_everything_is_said_in_the_language(people: People, server: Process, language: str) -> None:
    page = table.sit(people, table.create(server))
    english: dict[str, set[str]] = {}
    paths = [*PATHS, page.url]
    for code in ("en", language):
        for path in paths:
            page.goto(path)
            settled(page)
            choice = page.get_by_role("combobox").first
            choice.select_option(code)
            expect(page.locator("html")).to_have_attribute("lang", code)
            page.wait_for_load_state("networkidle")
            said = lines(page)
            raw = [line for line in said if re.fullmatch(r"[a-z]+(_[a-z0-9]+)+", line)]
            holes = [line for line in said if re.search(r"\{\w+\}", line)]
            assert not raw, f"{path}: names of texts"
            assert not holes, f"{path}: holes in texts"
            if code == "en":
                english[path] = said
                continue
            words = re.compile(r"[^\W\d_]{3,}")
            same = {line for line in said & english[path] if len(words.findall(line)) >= 3}
            assert not same, f"{path}: not translated"


def test_the_language_is_switched_at_once_and_kept(people: People) -> None:
    page = people.arrive(language="de-AT")
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("button", name=t("play_now", "de"), exact=True).first).to_be_visible()
    page.evaluate("window.kept = true")
    page.get_by_role("combobox").first.select_option("it")
    expect(page.get_by_role("button", name=t("play_now", "it"), exact=True).first).to_be_visible()
    assert page.evaluate("window.kept"), "without loading the page anew"
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "it")
