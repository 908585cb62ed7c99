"""Six languages, switched at once, with nothing left behind."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import table
from tests.support.browser.people import People
from tests.support.browser.process import Process
from tests.support.browser.texts import LANGUAGES, t
from tests.support.thoroughness import daily

PATHS = (
    "/", "/new/classic", "/new/alex", "/lesson", "/rules/gone", "/analysis", "/solver", "/print",
    "/dominoes", "/companion", "/companion/sand", "/companion/first", "/companion/fit",
    "/companion/count",
)  # fmt: skip

LINES = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const parent = node.parentElement;
    if (parent.closest("script, noscript, style, option, kbd, code, svg, [aria-live]")) continue;
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


@pytest.mark.parametrize("path", daily([*PATHS, "/t/"], ["/", "/new/alex", "/analysis", "/t/"]))
def test_everything_is_said_in_every_language(people: People, server: Process, path: str) -> None:
    new = table.create(server)
    page = people.arrive(tables=new.known)
    page.goto(new.path if path == "/t/" else path)
    page.locator("main :is(h1, h2, .status)").first.wait_for()
    page.wait_for_load_state("networkidle")
    english = lines(page)
    words = re.compile(r"[^\W\d_]{3,}")
    for language in LANGUAGES:
        page.get_by_role("combobox").first.select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(
            page.get_by_role("link", name=t("rules", language), exact=True).first
        ).to_be_visible()
        expect(page.locator("main :is(h1, h2, .status)").first).to_be_visible()
        said = lines(page)
        assert not [line for line in said if re.fullmatch(r"[a-z]+(_[a-z0-9]+)+", line)]
        assert not [line for line in said if re.search(r"\{\w+\}", line)]
        same = {line for line in said & english if len(words.findall(line)) >= 3}
        assert not same or language == "en", f"not translated: {language}"


def test_the_language_is_switched_at_once_and_kept(people: People) -> None:
    page = people.arrive(language="de-AT")
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("button", name=t("play_now", "de"), exact=True).first).to_be_visible()
    page.evaluate("window.kept = true")
    page.get_by_role("combobox").first.select_option("it")
    expect(page.get_by_role("button", name=t("play_now", "it"), exact=True).first).to_be_visible()
    assert page.evaluate("window.kept"), "without reloading the page"
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "it")
