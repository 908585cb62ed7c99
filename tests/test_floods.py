"""Nobody freezes the others: players' moves while strangers do their worst (`flooding.py`)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import flooding
from dalapapa.server.log import MAX_ENTRIES

PROMISED = 0.5
"""Seconds: ten times the players' p99 on a machine that has nothing else to do."""

NOISE = 8
"""Times the calm p99, on a machine that has much else to do."""

NEVER = 5
"""Seconds that no noise explains, nor eleven attacks at once: before, one made moves take 22."""

MORE_MEMORY = 80
"""Megabytes that an attack may take: before, it took 400 and 550."""


def bounded(figures: flooding.Figures) -> None:
    print(figures)
    assert figures.during < NEVER, figures
    assert figures.memory - figures.memory_before < MORE_MEMORY, figures


def test_all_attacks_at_once(tmp_path: Path) -> None:
    """Each from its own address, so that none is refused for another."""
    with flooding.server(tmp_path, 2000) as process:
        bounded(asyncio.run(flooding.measured(process, [*flooding.ATTACKS], 3)))


@pytest.mark.thorough
@pytest.mark.parametrize("attack", [*flooding.ATTACKS, *flooding.CROWDS])
def test_each_attack_for_longer(attack: str, tmp_path: Path) -> None:
    with flooding.server(tmp_path, MAX_ENTRIES - 10) as process:
        figures = asyncio.run(flooding.measured(process, [attack], 15))
    bounded(figures)
    assert figures.during < max(PROMISED, NOISE * figures.calm), figures
