"""Chance that can be repeated: each test has a seed, of its name and of `DALAPAPA_TEST_SEED`.

In the process of the tests, the server draws the bags of its games, ids and tokens from it. Where
several tables are set up at once, which of them gets which bag is still a matter of time.

Servers in processes of their own (`steady_play.py`) draw bags and the choices of bots from it.
Their ids and tokens stay random: a server that is killed and starts again must not use one twice.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from unittest import mock

from dalapapa.games import AnyGame, bag
from dalapapa.server.tables import commands, creation, driver
from dalapapa.server.workers import bots
from dalapapa.server.workers.remote_games import RemoteBot

SEED = os.environ.get("DALAPAPA_TEST_SEED", "0")

NAME_FILE = "DALAPAPA_TEST_NAME_FILE"
"""The variable that names the file in which the test that runs now is named."""


def seeded_secrets(seed: str) -> SimpleNamespace:
    """What takes the place of the module `secrets`."""
    rng = Random(seed)

    def token_urlsafe(nbytes: int) -> str:
        return base64.urlsafe_b64encode(rng.randbytes(nbytes)).rstrip(b"=").decode()

    return SimpleNamespace(
        token_hex=lambda nbytes: rng.randbytes(nbytes).hex(),
        token_urlsafe=token_urlsafe,
        SystemRandom=lambda: Random(rng.random()),
    )


@contextmanager
def repeatable_chance(name: str) -> Iterator[None]:
    """Inside, chance follows from the seed of the run and the name."""
    print(f"DALAPAPA_TEST_SEED={SEED}")  # Pytest shows it when the test fails.
    tokens = seeded_secrets(f"tokens {SEED} {name}")
    with (
        mock.patch.object(bag, "secrets", seeded_secrets(f"bags {SEED} {name}")),
        mock.patch.object(creation, "secrets", tokens),
        mock.patch.object(commands, "secrets", tokens),
        mock.patch.object(bots, "secrets", seeded_secrets(f"bots {SEED} {name}")),
    ):
        yield


def write_name(file: Path, name: str) -> None:
    """Name the test that runs now. A server that reads meanwhile finds the old name or the new."""
    new = file.with_suffix(".new")
    new.write_text(name)
    new.replace(file)


def current_name() -> str:
    """The test that runs now: as the file says, or as pytest said when this process began."""
    if file := os.environ.get(NAME_FILE):
        return Path(file).read_text()
    return os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]


def steady_chance(name: Callable[[], str]) -> None:
    """From now on, bags and the choices of bots follow from the seed of the run and the name.

    Bags are drawn from one stream, which begins again when another test runs. A choice of a bot
    follows from what the bot sees: it does not depend on what happens at other tables.
    """
    stream = Random()
    drawn_for: str | None = None

    def token_hex(nbytes: int) -> str:
        nonlocal drawn_for
        if drawn_for != (present := name()):
            drawn_for = present
            stream.seed(f"bags {SEED} {present}")
        return stream.randbytes(nbytes).hex()

    choose_next = bots.choose_next_bot

    def choose_next_bot(
        game: AnyGame,
        state: object,
        seats: dict[int, str],
        pace: int,
        guests: Mapping[str, RemoteBot],
    ) -> tuple[int, float, float]:
        def seeded() -> Random:
            return Random(f"bots {SEED} {name()} {[game.view(state, seat) for seat in seats]}")

        with mock.patch.object(bots, "secrets", SimpleNamespace(SystemRandom=seeded)):
            return choose_next(game, state, seats, pace, guests)

    mock.patch.object(bag, "secrets", SimpleNamespace(token_hex=token_hex)).start()
    mock.patch.object(driver, "choose_next_bot", choose_next_bot).start()
