"""Where the files of the repository are that tests read."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
FIXTURES = TESTS / "fixtures"
PERFT = TESTS / "perft"
SCENARIOS = TESTS / "scenarios"
