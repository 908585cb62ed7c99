"""The choice of bots shows their measured strength."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from dalapapa.bots import NICKNAMES, list_levels
from dalapapa.bots.ladder import list_wins_against_anchor
from dalapapa.games import find_game
from tests.support.browser.people import People
from tests.support.browser.texts import t
from tests.support.paths import ROOT

FIGURES = json.loads((ROOT / "docs" / "ladder.json").read_text())


@pytest.mark.parametrize("game", ["classic", "gone"])
def test_each_level_shows_how_strong_it_is(people: People, game: str) -> None:
    page = people.arrive()
    page.goto(f"/new/{game}")
    seat = page.get_by_label(t("seat_number", number=2), exact=True)
    page.get_by_text(t("levels_title")).click()
    wins = list_wins_against_anchor(FIGURES[game])
    for level in list_levels(find_game(game)):
        seat.select_option(level)
        words = t(f"suits_{level}")
        if level in wins and (count := round(100 * wins[level])):
            words += f" {t('wins_of_100', count=count, level=NICKNAMES['medium'])}"
        expect(page.locator(".places-form .strength")).to_contain_text(words)
        expect(seat).to_have_accessible_description(re.compile(f"^{re.escape(words)}"))
        expect(page.locator(".levels")).to_contain_text(words)
    for program in FIGURES[game]["programs"]:
        elo = f"{round(program['elo']):+}".replace("-", "−").replace("+0", "0")
        row = page.locator(".levels li", has=page.locator("b", has_text=NICKNAMES[program["name"]]))
        expect(row.locator("small")).to_have_text(f"Elo {elo}")
    seat.select_option("link")
    expect(page.locator(".places-form .strength")).to_have_count(0)


def test_one_chooses_whom_to_play_against(people: People) -> None:
    """On the first page; the choice is remembered, and no player is named after a level."""
    page = people.arrive()
    page.goto("/")
    game = page.locator(".chooser-game select")
    opponents = page.get_by_role("group", name=t("opponent"))
    for name, opponent in (("gone", NICKNAMES["strong"]), ("classic", "Vera")):
        game.select_option(name)
        opponents.get_by_text(opponent).click()
    page.get_by_role("button", name=t("play_now"), exact=True).click()
    vera = page.locator(".player", has_text="Vera")
    expect(vera).to_contain_text(t("level_expert"))
    page.goto("/")
    expect(page.get_by_role("radio", name=re.compile("^Vera"))).to_be_checked()
    expect(page.locator(".table-row").first).to_contain_text("Vera")
    page.get_by_role("button", name=t("play_game", game=t("game_gone")), exact=True).click()
    expect(page.locator(".player .name").last).to_have_text(NICKNAMES["strong"])
    expect(page.get_by_role("main")).not_to_contain_text(t("turn_of", name=t("level_strong")))
