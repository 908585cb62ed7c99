"""Write docs/environments: a page for each environment, with the baseline scores of bots.

    python scripts/write_environments.py [GAME... | all]

Without a name the pages are written from the committed figures (docs/environments/baselines.json);
with names, or `all`, the games are played first. The same seed gives the same figures.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dalapapa.adapters import zoo
from dalapapa.adapters.registry import list_environments
from dalapapa.bots.arena import Score, Simulation, play_games
from dalapapa.bots.estimate import Estimate, estimate_bounded_mean, estimate_mean
from dalapapa.games import REGISTRY, find_game
from dalapapa.rulebook import page as rules

FOLDER = Path(__file__).parents[1] / "docs" / "environments"
FIGURES = FOLDER / "baselines.json"
MARK = re.compile(r"(<!-- environments: made by make docs -->\n).*?(<!-- end -->)", re.DOTALL)

GAMES = 100
"""For each pair, half of them in each seat."""
SEED = "baseline"
PAIRS = (("random", "random"), ("novice", "random"), ("easy", "random"), ("medium", "random"),
         ("novice", "medium"), ("easy", "medium"), ("medium", "medium"))  # fmt: skip


def list_own_environments() -> list[str]:
    """The environments of this package only, even if others are installed."""
    return [name for name in list_environments() if name in REGISTRY]


def read() -> dict[str, Any]:
    """The committed figures by game."""
    figures: dict[str, Any] = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    return figures


def measure(game: str) -> list[dict[str, Any]]:
    """Play all pairs of bots, and return their mean returns in the rewards of the environment."""
    return [pair(game, one, other) for one, other in PAIRS]


def pair(game: str, one: str, other: str) -> dict[str, Any]:
    """Play one bot against the other, and return its mean returns."""
    scores: list[tuple[Score, int]] = []
    for seat, players in enumerate(((one, other), (other, one))):
        plan = Simulation(game, players, {}, SEED, GAMES // 2)
        scores += [(score, seat) for score in play_games(plan)]
    won = [_share_won(score, seat) for score, seat in scores]
    own = [score.outcome.scores[seat] for score, seat in scores]
    others = [score.outcome.scores[1 - seat] for score, seat in scores]
    return {
        "one": one,
        "other": other,
        "win": _to_list(estimate_bounded_mean(won)),
        "score": _to_list(estimate_mean([a - b for a, b in zip(own, others, strict=True)])),
        "own": round(sum(own) / len(own), 1),
        "others": round(sum(others) / len(others), 1),
        "moves": round(sum(score.moves for score, _ in scores) / len(scores), 1),
    }


def _share_won(score: Score, seat: int) -> float:
    winners = score.outcome.winners
    return 0.0 if len(winners) != 1 else 1.0 if seat in winners else -1.0


def _to_list(found: Estimate) -> list[float]:
    return [round(value, 3) for value in (found.value, found.low, found.high)]


# -- pages -------------------------------------------------------------------------------------


def pages(figures: dict[str, Any]) -> dict[str, str]:
    """All pages, by the name of their file."""
    return {
        "index.md": _index(figures),
        **{f"{game}.md": page(game, figures[game]) for game in list_own_environments()},
    }


def _index(figures: dict[str, Any]) -> str:
    """The page of all environments: the list between its marks is made from the figures."""
    rows = [
        "| environment | players | actions | `easy` against `random` | `easy` against `medium` |",
        "| --- | --- | ---: | ---: | ---: |",
    ]
    for game in list_own_environments():
        env = zoo.raw_env(game)
        seats = find_game(game).seats
        met = {(row["one"], row["other"]): row["win"][0] for row in figures[game]}
        rows.append(
            f"| [{game}]({game}.md) | {seats[0]} to {seats[-1]} | {env.actions.count:,}"
            f" | {met['easy', 'random']:+.2f} | {met['easy', 'medium']:+.2f} |"
        )
    rows += [
        "",
        "Each page contains the spaces of one environment and the scores of four simple bots. The"
        ' last two columns are mean returns with `rewards="win"`: +1 if a bot wins every game, -1'
        " if it loses every game.",
        "",
        "`python scripts/write_environments.py all` plays the games again.",
        "",
    ]
    text = (FOLDER / "index.md").read_text()
    return MARK.sub(lambda found: "\n".join([found[1], *rows, found[2]]), text)


def page(game: str, figures: list[dict[str, Any]]) -> str:
    """The page of one environment."""
    return "\n".join([*_head(game), *_spaces(game), *_scores(game, figures)]) + "\n"


def _head(game: str) -> Iterator[str]:
    lines = rules(game, "en").splitlines()
    seats = find_game(game).seats
    yield f"# Environment: {game}"
    yield ""
    yield (
        f"This page is for programmers who train a bot for `{game}`, with {seats[0]} to"
        f" {seats[-1]} agents. It has the spaces of the environment and scores to compare with;"
        " [learning environments](index.md) explains what all have in common."
    )
    yield ""
    yield f"{lines[4]} ([All rules](../rules.md).)"
    yield ""
    yield "```python"
    yield "from dalapapa.adapters import zoo"
    yield ""
    yield f'env = zoo.env("{game}", players=2, rewards="win")'
    yield "env.reset(seed=1)"
    yield "for agent in env.agent_iter():"
    yield "    observation, reward, terminated, truncated, info = env.last()"
    yield '    mask = observation["action_mask"]'
    yield "    over = terminated or truncated"
    yield "    env.step(None if over else env.action_space(agent).sample(mask))"
    yield "```"
    yield ""


def _spaces(game: str) -> Iterator[str]:
    env = zoo.raw_env(game, points=True)
    space = env.observation_space("player_0")
    actions, observer = env.actions, env.observer
    planes = (actions.count - len(observer.others) - 1) // actions.window**2
    yield "## Spaces"
    yield ""
    yield (
        f"`Discrete({actions.count})`: {planes} planes of {actions.window} x {actions.window} cells"
        f" for the {observer.slots} slots of the hand"
        f"{' and the marks' if observer.marking else ''}, then"
        f" {', '.join(f'`{name}`' for name in observer.others)} and `elsewhere`"
        " ([meaning of the numbers](index.md#actions))."
    )
    yield ""
    yield "| array | shape | type |"
    yield "| --- | --- | --- |"
    yield f"| `action_mask` | {_shape(space['action_mask'])} | {space['action_mask'].dtype} |"
    for name, box in space["observation"].items():
        only = " (with `points=True`)" if name == "points" else ""
        yield f"| `{name}`{only} | {_shape(box)} | {box.dtype} |"
    yield ""
    yield "The `facts` of two players, in order:"
    yield ""
    yield ", ".join(f"`{name}`" for name in env.fact_names) + "."
    yield ""


def _shape(box: Any) -> str:
    return " x ".join(map(str, box.shape))


def _scores(game: str, figures: list[dict[str, Any]]) -> Iterator[str]:
    yield "## Baseline scores"
    yield ""
    yield (
        f"Two players, {GAMES} games for each pair, half of them in each seat, on the bags of seed"
        f" `{SEED}`. `win` and `score` are the mean returns of the first bot under the"
        " two kinds of rewards, with 95% intervals; a bot against itself has 0. The points are"
        " those at the end of a game. `medium` takes the most points in every turn, and is also"
        " called `greedy`."
    )
    yield ""
    yield "| bot | against | `win` | 95% | `score` | 95% | points | against | moves |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for met in figures:
        won, lead = _describe_measurement(met, "win", 2), _describe_measurement(met, "score", 1)
        yield (
            f"| {met['one']} | {met['other']} | {won} | {lead}"
            f" | {met['own']:.1f} | {met['others']:.1f} | {met['moves']:.0f} |"
        )
    yield ""
    yield "The first two games of `medium` against `random`, on the command line:"
    yield ""
    yield "```sh"
    yield (f"dalapapa simulate --game {game} --players medium,random --games 2 --seed {SEED}")
    yield "```"
    yield ""
    yield "The [ladder](../ladder.md) shows how strong the other bots are."


def _describe_measurement(met: dict[str, Any], name: str, digits: int) -> str:
    if met["one"] == met["other"]:
        return "0 | "
    value, low, high = (f"{number:+.{digits}f}" for number in met[name])
    return f"{value} | {low} to {high}"


def main(games: list[str]) -> None:
    """Measure what is named, and write everything."""
    wanted = list_own_environments() if games == ["all"] else games
    if unknown := set(wanted) - set(list_own_environments()):
        sys.exit(f"There is no environment {', '.join(sorted(unknown))}.")
    FOLDER.mkdir(exist_ok=True)
    figures = read()
    for game in wanted:
        figures[game] = measure(game)
        FIGURES.write_text(json.dumps(figures, indent=1) + "\n")
    for name, text in pages(figures).items():
        (FOLDER / name).write_text(text)


if __name__ == "__main__":
    main(sys.argv[1:])
