"""No client freezes the others: players' moves during attacks (`flooding.py`)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dalapapa.hosting.state import MAX_ENTRIES
from tests.support import flooding

PROMISED = 0.05
"""Seconds: the players' p99 during an attack, on a machine that has nothing else to do."""

NOISE = 12
"""Times the calm p99: on a busy machine calm players wait, too, and the promise is relative to
them. The factor is large, because attackers share the cores with the server, and because the
slowest moves of a few seconds vary: a busy moment may fall into the attack alone."""

NEVER = 5
"""Seconds that eleven attacks at once do not explain: before, one made moves take 22."""

NOISE_OF_ALL = 20
"""The same as `NOISE`, while all attack at once."""

MORE_MEMORY = 80
"""Megabytes that an attack may take: before, it took 400 and 550."""


def bounded(figures: flooding.Figures) -> None:
    print(figures)
    assert figures.during < max(NEVER, NOISE_OF_ALL * figures.calm), figures
    assert figures.memory - figures.memory_before < MORE_MEMORY, figures


def test_all_attacks_together_leave_players_fast(tmp_path: Path) -> None:
    """Each from its own address, so that none is refused for another."""
    with flooding.server(tmp_path, 2000) as process:
        bounded(asyncio.run(flooding.measured(process, [*flooding.ATTACKS], 3)))


@pytest.mark.thorough
@pytest.mark.parametrize("attack", [*flooding.ATTACKS, *flooding.CROWDS])
def test_each_attack_alone_leaves_players_fast(attack: str, tmp_path: Path) -> None:
    with flooding.server(tmp_path, MAX_ENTRIES - 10) as process:
        figures = asyncio.run(flooding.measured(process, [attack], 15))
    bounded(figures)
    assert figures.during < max(PROMISED, NOISE * figures.calm), figures
