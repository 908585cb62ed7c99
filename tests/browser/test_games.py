"""Each of the eight games, from the table to its result."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import table
from people import People
from process import Process


@pytest.mark.parametrize("game", ["classic", "auction", "conquest", "gone", "72"])
def test_a_game_of_turns_by_keyboard_alone(people: People, server: Process, game: str) -> None:
    page = table.sit(people, table.create(server, game))
    table.play_by_keys(page)
    expect(page.get_by_role("dialog")).to_contain_text("Ann")
    page.screenshot(path=f"/tmp/tester/{game}.png")
