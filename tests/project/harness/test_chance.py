"""Chance can be repeated."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from pathlib import Path

from dalapapa.games.bag import make_seed
from tests.support.chance import repeatable_chance, seeded_secrets
from tests.support.paths import ROOT
from tests.support.waiting import PATIENCE


def test_a_name_gives_the_same_bags_and_another_name_gives_others() -> None:
    found = []
    for name in ("one", "one", "two"):
        with repeatable_chance(name):
            found.append((make_seed(), make_seed()))
    assert found[0] == found[1]
    assert len({seed for one in found for seed in one}) == 4


def test_seeded_secrets_look_like_real_ones() -> None:
    ours = seeded_secrets("x")
    assert len(ours.token_hex(16)) == len(secrets.token_hex(16))
    assert len(ours.token_urlsafe(12)) == len(secrets.token_urlsafe(12))
    assert 0 <= ours.SystemRandom().random() < 1


TEST = """
import pytest
from tests.support.chance import repeatable_chance
from dalapapa.games.bag import make_seed

@pytest.fixture(autouse=True)
def same_chance():
    with repeatable_chance("it"):
        yield

def test_it():
    assert make_seed() == ""
"""


def test_a_failure_shows_the_seed_which_can_be_given(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TEST)

    def run(seed: str) -> str:
        words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "test_it.py"]
        done = subprocess.run(
            [sys.executable, *words], cwd=tmp_path, capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT), "DALAPAPA_TEST_SEED": seed,
                 "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            timeout=PATIENCE,
        )  # fmt: skip
        assert done.returncode == 1, done.stdout + done.stderr
        return done.stdout

    first = run("7")
    assert "DALAPAPA_TEST_SEED=7" in first
    line = next(line for line in first.splitlines() if line.startswith("E  "))
    assert line in run("7")
    assert line not in run("8")
