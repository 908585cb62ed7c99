"""Chance that can be repeated: each test has a seed, of its name and of `DALAPAPA_TEST_SEED`.

The server draws the bags of its games, ids and tokens from it, in the process of the tests. Where
several tables are set up at once, which of them gets which bag is still a matter of time.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from types import SimpleNamespace
from unittest import mock

from dalapapa.games import bag
from dalapapa.server import programs, tables

SEED = os.environ.get("DALAPAPA_TEST_SEED", "0")


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
    with (
        mock.patch.object(bag, "secrets", seeded_secrets(f"bags {SEED} {name}")),
        mock.patch.object(tables, "secrets", seeded_secrets(f"tokens {SEED} {name}")),
        mock.patch.object(programs, "secrets", seeded_secrets(f"bots {SEED} {name}")),
    ):
        yield
