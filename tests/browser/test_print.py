"""The print page: everything can be chosen, seen and taken home."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pdfplumber
import pytest
from playwright.sync_api import Page, expect

from dalapapa.printing import WHAT, catalogue
from tests.support.browser.accessibility import find_barriers
from tests.support.browser.people import PHONE, People
from tests.support.browser.printed_pages import find_pictures, wait_for_pages
from tests.support.browser.process import Process
from tests.support.browser.texts import t

POSITION = "PRYGB+0@0,0 BYRGB+0@0,-1"


def link(page: Page, language: str = "en") -> str:
    """The address of the file."""
    href = page.get_by_role("link", name=t("print_open", language)).get_attribute("href")
    assert href
    return href


def parse_query(address: str) -> dict[str, str]:
    """The options in an address."""
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


def choose(page: Page, what: str) -> None:
    page.locator(f".print-card:has(#what-{what})").click()


@pytest.mark.thorough
def test_everything_can_be_chosen_and_is_shown(page: Page, server: Process) -> None:
    page.goto("/")
    page.get_by_role("link", name=t("print_nav"), exact=True).first.click()
    expect(page.get_by_role("heading", name=t("print_title"))).to_be_visible()
    expect(page.get_by_role("radio", name=t("print_what_set"))).to_be_checked()
    for what in WHAT:
        choose(page, what)
        if what == "position":
            expect(page.get_by_role("main").get_by_text(t("print_no_position"))).to_be_visible()
            expect(page.get_by_role("link", name=t("print_open"))).to_have_count(0)
            page.get_by_role("button", name=t("print_example")).click()
        page.wait_for_url(re.compile(f"what={what}&"))
        wait_for_pages(page)
        asked = link(page)
        assert parse_query(asked)["what"] == what
        pages: list[dict[str, Any]] = server.ask(f"/print/pages?{urlsplit(asked).query}")
        expect(find_pictures(page)).to_have_count(len(pages))
        titles = find_pictures(page).evaluate_all("(all) => all.map((one) => one.alt)")
        assert titles == [one["title"] for one in pages]
        labels = {one.name for one in catalogue() if not one.of or what in one.of} - {"what"}
        for name in labels:
            expect(page.get_by_text(t(f"print_option_{name}"), exact=True).first).to_be_visible()


def test_an_option_changes_pictures_and_link(page: Page) -> None:
    page.goto("/print")
    wait_for_pages(page)
    before = find_pictures(page).first.get_attribute("src")
    page.locator(".print-designs label", has_text=t("print_design_squares_original")).click()
    expect(page.get_by_role("main").get_by_text(t("print_warning_original"))).to_be_visible()
    expect(find_pictures(page).first).not_to_have_attribute("src", before or "")
    wait_for_pages(page)
    assert parse_query(link(page))["design"] == "squares-original"
    page.get_by_role("button", name=t("print_add_symbols")).click()
    expect(page.get_by_text(t("print_warning_original"))).to_have_count(0)
    page.get_by_label(t("print_option_size")).fill("96")
    expect(find_pictures(page)).to_have_count(24)
    expect(page.locator(".print-work", has_text="12 sheets of A4")).to_be_visible()
    page.locator(".print-flips label", has_text=t("print_flip_short")).click()
    page.get_by_label(t("print_offset_right")).fill("0.6")
    page.get_by_label(t("print_offset_down")).fill("-1.1")
    wished = {"what": "set", "design": "squares-original", "symbols": "true", "size": "96",
              "flip": "short", "offset": "0.6,-1.1", "paper": "a4", "language": "en"}  # fmt: skip
    page.wait_for_url(re.compile("offset=0.6%2C-1.1"))
    assert parse_query(page.url) == parse_query(link(page)) == wished
    wait_for_pages(page)
    assert parse_query(str(find_pictures(page).first.get_attribute("src"))) == {
        **wished,
        "page": "1",
    }


@pytest.mark.parametrize(
    ("path", "said", "sheets"),
    [
        ("/print?what=set", ["3 sheets of A4", t("print_both"), t("print_exact")], 6),
        ("/print?what=72&paper=letter", ["7 sheets of US Letter", t("print_one")], 7),
        pytest.param(
            "/print?what=set&arrangement=sheet&cover=true", ["4 sheets of A4", t("print_both")], 8,
            marks=pytest.mark.thorough,
        ),
        ("/print?what=booklet&pages=half&language=fr&paper=a4", [t("print_both")], None),
    ],
)  # fmt: skip
def test_the_file_has_the_pages_that_were_promised(
    page: Page, path: str, said: list[str], sheets: int | None
) -> None:
    page.goto(path)
    wait_for_pages(page)
    promise = page.locator(".print-work").inner_text()
    assert all(part in promise for part in said), promise
    with page.expect_download() as download:
        page.get_by_role("link", name=t("print_download")).click()
    what = parse_query(path)["what"]
    assert download.value.suggested_filename == f"dalapapa-{what}.pdf"
    file = download.value.path()
    assert file.read_bytes().startswith(b"%PDF")
    with pdfplumber.open(file) as pdf:
        assert len(pdf.pages) == find_pictures(page).count() == (sheets or len(pdf.pages))


@pytest.mark.thorough
def test_refusals_are_shown_where_they_belong(people: People) -> None:
    people.expected = ("/api/print/pages", "422")
    page = people.arrive(language="de-DE")
    page.goto("/print?what=set")
    wait_for_pages(page)
    size = page.get_by_label(t("print_option_size", "de"))
    too_large = t("print_refused_domino_too_large", "de", most=259)
    for value, text in (("500", too_large), ("", t("print_refused_bad_size", "de"))):
        size.fill(value)
        expect(page.locator("main .notice", has_text=text)).to_be_visible()
        expect(size).to_have_attribute("aria-invalid", "true")
        expect(page.get_by_role("link", name=t("print_open", "de"))).to_have_count(0)
    page.get_by_text(t("print_arrangement_sheet", "de")).click()
    size.fill("60")
    unsolved = t("print_refused_bad_arrangement", "de", most=48)
    expect(page.locator("main .notice", has_text=unsolved)).to_be_visible()
    size.fill("48")
    wait_for_pages(page)
    page.get_by_label(t("print_offset_right", "de")).fill("11")
    expect(
        page.get_by_role("main").get_by_text(t("print_refused_bad_offset", "de"))
    ).to_be_visible()
    page.goto("/print?what=position&position=PRYGB%2B0@0,0+BYRGB%2B0@0,0")
    fault = t("study_fault", "de", number=2, laying="BYRGB+0@0,0", reason=t("wrong_overlap", "de"))
    expect(page.get_by_role("main").get_by_text(fault)).to_be_visible()
    page.goto("/print?what=puzzle&frame=5x5")
    expect(page.get_by_role("main").get_by_text(t("print_refused_bad_frame", "de"))).to_be_visible()
    page.goto("/print?what=chess&design=stars&size=48&colour=red&offset=0,0&paper=a4")
    wait_for_pages(page)
    assert parse_query(link(page, "de")) == {"what": "set", "paper": "a4", "language": "de"}


def test_a_page_is_seen_large(page: Page) -> None:
    page.goto("/print?what=set")
    wait_for_pages(page)
    find_pictures(page).first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text("Sheet 1 of 3, front (pile 1)")
    page.keyboard.press("ArrowRight")
    expect(dialog.get_by_role("heading")).to_have_text("Sheet 1 of 3, back (pile 1)")
    dialog.get_by_role("button", name=t("print_page_on")).click()
    expect(dialog.get_by_role("img")).to_have_attribute("alt", "Sheet 2 of 3, front (pile 2)")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_a_link_gives_the_same_print_and_choices_are_kept(people: People) -> None:
    american = people.arrive(language="en-US")
    american.goto("/print")
    wait_for_pages(american)
    assert parse_query(link(american))["paper"] == "letter"
    american.locator(".choices label", has_text=t("print_ink_grey")).click()
    choose(american, "72")
    american.wait_for_url(re.compile("what=72.*ink=grey"))
    american.goto("/print")
    wait_for_pages(american)
    kept = parse_query(link(american))
    assert (kept["what"], kept["ink"], kept["language"]) == ("72", "grey", "en")
    french = people.arrive(language="fr-FR")
    french.goto(f"/print?{urlsplit(link(american)).query}")
    expect(french.locator(".print-sheets")).to_have_attribute("aria-busy", "false")
    assert parse_query(link(french, "fr")) == kept
    french.goto("/print?what=scores")
    assert parse_query(link(french, "fr")) == {"what": "scores", "paper": "a4", "language": "fr"}


def test_calibration_in_three_steps(page: Page) -> None:
    page.goto("/print?what=set")
    wait_for_pages(page)
    page.get_by_role("button", name=t("print_to_calibration")).click()
    for step in (1, 2, 3):
        expect(page.get_by_text(t(f"print_step_measure_{step}"))).to_be_visible()
    expect(find_pictures(page)).to_have_count(2)
    page.get_by_label(t("print_offset_right")).fill("0.4")
    page.get_by_label(t("print_offset_down")).fill("-0.3")
    expect(page.get_by_text(t("print_offset_checks"))).to_be_visible()
    page.get_by_role("button", name=t("print_to_set")).click()
    expect(find_pictures(page)).to_have_count(6)
    assert parse_query(link(page))["offset"] == "0.4,-0.3"


def test_a_position_comes_from_the_analysis(page: Page) -> None:
    page.goto(f"/analysis#p={POSITION.replace(' ', '_')}")
    page.locator("main").get_by_role("link", name=t("solver_print"), exact=True).click()
    expect(page.get_by_label(t("print_option_position"), exact=True)).to_have_value(POSITION)
    wait_for_pages(page)
    expect(find_pictures(page)).to_have_count(1)
    assert parse_query(link(page))["position"] == POSITION


def test_the_keyboard_is_enough(page: Page) -> None:
    page.goto("/print?what=set")
    wait_for_pages(page)
    page.get_by_role("radio", name=t("print_what_set")).focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name=t("print_what_72"))).to_be_checked()
    page.wait_for_url(re.compile("what=72"))
    wait_for_pages(page)
    page.get_by_role("link", name=t("print_open")).focus()
    expect(page.get_by_role("link", name=t("print_open"))).to_be_focused()


def test_a_telephone(people: People) -> None:
    page = people.arrive(phone=True, color_scheme="dark")
    page.goto("/print?what=set&design=squares-original")
    wait_for_pages(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.locator(".print-flips label", has_text=t("print_flip_short")).tap()
    assert parse_query(link(page))["flip"] == "short"
    expect(page.get_by_role("link", name=t("print_open"))).to_be_in_viewport()
    small = page.locator(
        "main :is(button, select, textarea, a, label:has(input)):visible"
    ).evaluate_all(
        """(all) => all.map((one) => [one.innerText || one.id, one.getBoundingClientRect()])
        .filter(([, box]) => box.width < 40 || box.height < 40)
        .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)"""
    )
    assert small == []
    assert find_barriers(page) == []


@pytest.mark.parametrize("what", ["set", "position"])
def test_no_barriers(people: People, what: str) -> None:
    people.expected = ("/api/print/pages", "422")
    page = people.arrive()
    page.goto(f"/print?what={what}&offset=0.6,0&size=999&design=squares-original")
    page.wait_for_load_state("networkidle")
    assert find_barriers(page) == []
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert find_barriers(page) == []
