"""Measure how strong the levels are, and write docs/ladder.json, .svg and the figures of .md.

    python scripts/write_ladder.py                  page and picture again, from the figures
    python scripts/write_ladder.py classic gone     measures these games; the others stay
    python scripts/write_ladder.py all              measures all games: `make ladder`

How many games are played, and with how much time, is in SETTINGS.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from dalapapa.bots import LEVELS, list_levels
from dalapapa.bots.ladder import (
    Ladder,
    list_wins_against_anchor,
    make_panel,
    play_ladder,
    summarize_ladder,
)
from dalapapa.drawing.chart import draw_chart
from dalapapa.games import REGISTRY, find_game

DOCS = Path(__file__).parents[1] / "docs"
FIGURES, PAGE, PICTURE = (DOCS / f"ladder.{ending}" for ending in ("json", "md", "svg"))

SEED = "ladder"
SETTINGS: dict[str, tuple[int, float]] = {
    "classic": (400, 0.25),
    **dict.fromkeys(("auction", "conquest", "gone"), (100, 0.25)),
}
"""Games that each pair plays, and seconds that a turn may take."""
USUAL = (200, 0.25)

MARK = re.compile(r"(<!-- figures: made by make ladder -->\n).*?(\n<!-- end -->)", re.DOTALL)


def measure(game: str) -> dict[str, Any]:
    """The ladder of one game, with the committed settings."""
    games, seconds = SETTINGS.get(game, USUAL)
    ladder = Ladder(game, list_levels(find_game(game)), seed=SEED, games=games, seconds=seconds)
    columns = (TextColumn(game), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(game, total=len(ladder.pairs) * games)
        return summarize_ladder(
            ladder, play_ladder(ladder, progress=lambda done: bar.advance(task, done))
        )


def read() -> dict[str, dict[str, Any]]:
    """The committed figures by game, in the order of the games."""
    figures = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    return {game: figures[game] for game in REGISTRY if game in figures}


def picture(figures: dict[str, dict[str, Any]]) -> str:
    """All games on one scale."""
    panels = [make_panel(result) for result in figures.values()]
    return draw_chart(panels, "Elo, medium is 0", columns=2)


def page(figures: dict[str, dict[str, Any]]) -> str:
    """The whole page: what is between its marks is made from the figures."""
    lines = [*_overview(figures)]
    for game, result in figures.items():
        lines += ["", f"## {game}", "", _how(result), "", *_levels(result), "", *_pairs(result)]
    return MARK.sub(lambda found: found[1] + "\n".join(lines) + found[2], PAGE.read_text())


def _overview(figures: dict[str, dict[str, Any]]) -> Iterator[str]:
    """The Elo of every level in every game that has it."""
    yield f"| Elo | {' | '.join(figures)} |"
    yield "| --- |" + " ---: |" * len(figures)
    for level in LEVELS:
        cells = [_elo(result, level) for result in figures.values()]
        yield f"| {level} | {' | '.join(cells)} |"


def _elo(result: dict[str, Any], level: str) -> str:
    elos = {program["name"]: program["elo"] for program in result["programs"]}
    return _signed(elos[level]) if level in elos else ""


def _levels(result: dict[str, Any]) -> Iterator[str]:
    """The levels of a game, the strongest first."""
    wins = list_wins_against_anchor(result)
    yield "| level | Elo | 95% | wins against medium |"
    yield "| --- | ---: | ---: | ---: |"
    for program in reversed(result["programs"]):
        name, ends = program["name"], " to ".join(map(_signed, program["elo_interval"]))
        won = f"{wins[name]:.1%}" if name in wins else ""
        yield f"| {name} | {_signed(program['elo'])} | {ends} | {won} |"


def _pairs(result: dict[str, Any]) -> Iterator[str]:
    """The pairs of a game."""
    yield "| pair | wins | 95% | lead | 95% |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for pair in result["pairs"]:
        wins = " to ".join(f"{end:.1%}" for end in pair["wins_interval"])
        lead = " to ".join(f"{end:+.1f}" for end in pair["lead_interval"])
        yield (
            f"| {pair['one']} - {pair['other']} | {pair['wins']:.1%} | {wins}"
            f" | {pair['lead']:+.1f} | {lead} |"
        )


def _how(result: dict[str, Any]) -> str:
    return (
        f"{result['players']} players, {result['games']} games for each pair, at most"
        f" {result['seconds']:g} s for a turn, seed `{result['seed']}`."
    )


def _signed(value: float) -> str:
    return f"{round(value):+}" if round(value) else "0"


def main(games: list[str]) -> None:
    """Measure, unless nothing is named, and write everything."""
    wanted = list(REGISTRY) if games == ["all"] else games
    if unknown := set(wanted) - REGISTRY.keys():
        sys.exit(f"There is no game {', '.join(sorted(unknown))}.")
    for game in wanted:
        figures = {**read(), game: measure(game)}
        FIGURES.write_text(json.dumps(figures, indent=1) + "\n")  # Each game as soon as it is done.
    figures = read()
    PAGE.write_text(page(figures))
    PICTURE.write_text(picture(figures))


if __name__ == "__main__":
    main(sys.argv[1:])
