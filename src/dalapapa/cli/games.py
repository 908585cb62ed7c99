"""Whole games: which there are, between programs, and from a record."""

from __future__ import annotations

import json
from typing import Any

import click

from ..errors import BadInput
from .shared import (
    Seconds,
    gathered,
    in_words,
    json_option,
    leave,
    print_json,
    progress,
    read_options,
    read_replay,
)

game_option = click.option(
    "--game", default="classic", show_default=True, metavar="G", help="The game."
)
seed_option = click.option(
    "--seed", default="0", show_default=True, metavar="S",
    help="The same seed gives the same games.",
)  # fmt: skip
wishes_option = click.option(
    "--option", "wishes", multiple=True, metavar="NAME=VALUE",
    help="An option, such as target=120; `dalapapa games` lists them.",
)  # fmt: skip
seconds_option = click.option(
    "--seconds", default=1.0, show_default=True, metavar="S", type=Seconds(0.001, 60),
    help="What a turn may take a program that thinks ahead.",
)  # fmt: skip
engine_option = click.option(
    "--engine", default="local", show_default=True, type=click.Choice(["local", "ray"]),
    help="Where to play them.",
)  # fmt: skip


@click.command()
@click.argument("name", required=False)
@json_option
def games(name: str | None, as_json: bool) -> None:
    """The games with their numbers of players and their options (NAME: of one game)."""
    import msgspec

    from ..games import catalogue, find

    found = [entry for entry in catalogue() if name is None or entry.name == find(name).name]
    if as_json:
        return print_json(msgspec.to_builtins(found))
    for entry in found:
        least, most = entry.players
        click.echo(f"{entry.name}: {least} to {most} players")
        for option in entry.options:
            default = f"{option.name}={json.dumps(option.default)}"
            click.echo(f"    {default:<20} {option.description} ({option.allowed})")
    return None


@click.command()
@game_option
@click.option("--players", required=True, metavar="BOT,BOT[,...]",
              help="The programs in clockwise order.")  # fmt: skip
@click.option("--games", "count", default=100, show_default=True, metavar="N",
              type=click.IntRange(1, 10_000_000), help="How many games.")  # fmt: skip
@seed_option
@click.option("--target", metavar="POINTS", type=int, help="The target, as --option target=POINTS.")
@wishes_option
@seconds_option
@click.option("--records", metavar="DIR", help="Write a record of every game to this folder.")
@click.option("--jobs", default=1, show_default=True, metavar="J", type=click.IntRange(1, 1024),
              help="Processes to spread the games over.")  # fmt: skip
@engine_option
@click.option("--set", "set_name", metavar="SET",
              help="The set: 120, 72, or a file; without it, the game's own.")  # fmt: skip
@json_option
def simulate(
    game: str, players: str, count: int, seed: str, target: int | None, wishes: tuple[str, ...],
    seconds: float, records: str | None, jobs: int, engine: str, set_name: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Play games between programs."""
    import time

    import msgspec

    from ..bots import arena
    from ..files import make_folder
    from ..games.options import set_choice
    from ..tiles import load

    options = read_options(wishes)
    if target is not None:
        if options.get("target", target) != target:
            raise BadInput("--target and --option target are two targets.", "usage")
        options["target"] = target
    if set_name is not None:
        options["set"] = msgspec.to_builtins(set_choice(load(set_name)))
    names = tuple(name.strip() for name in players.split(","))
    what = arena.Simulation(game, names, options, seed, count, records, seconds)
    arena.check(what)
    if records is not None:
        make_folder(records)
    started = time.perf_counter()
    with progress(f"{game}: {players}", count) as advance:
        scores, complete = gathered(arena.played(what, jobs, engine), lambda _: advance(1))
    spent = time.perf_counter() - started
    if scores:
        told = arena.summary(what, scores)
        if as_json:
            print_json(told)
        else:
            _print_simulation(told, spent)
    if not complete:
        leave(f"Interrupted after {len(scores)} of {count} games.")


def _print_simulation(told: dict[str, Any], seconds: float) -> None:
    """How a simulation went, as a table."""
    from ..bots import called

    count = told["games"]
    click.echo(f"{count} game{'s' * (count != 1)} of {told['game']}, seed {told['seed']}")
    click.echo(f"{'player':<17}{'wins':>8}{'share':>8}{'mean':>9}{'least':>7}{'most':>6}")
    for seat, name in enumerate(told["players"]):
        wins = told["wins"][seat]
        click.echo(
            f"{called(name):<17}{wins:>8}{wins / count:>8.1%}{told['score_mean'][seat]:>9.2f}"
            f"{told['score_min'][seat]:>7}{told['score_max'][seat]:>6}"
        )
    victories = "victory" if told["shared"] == 1 else "victories"
    click.echo(f"{told['shared']} shared {victories}; {told['dominoes_mean']:.1f} dominoes a game")
    click.echo(f"{count / seconds:.0f} games a second")


@click.command()
@game_option
@click.option("--levels", metavar="BOT,BOT[,...]",
              help="The programs, from the weakest; without it, the game's levels.")  # fmt: skip
@click.option("--players", default=2, show_default=True, metavar="P", type=click.IntRange(2, 10),
              help="How many sit at a table.")  # fmt: skip
@click.option("--games", "count", metavar="N", type=click.IntRange(1, 1_000_000),
              help="How many games each pair plays; 100 from every seat without it.")  # fmt: skip
@click.option("--apart", default=2, show_default=True, metavar="STEPS",
              type=click.IntRange(1, 1000),
              help="How far apart programs are that still meet.")  # fmt: skip
@seed_option
@wishes_option
@seconds_option
@click.option("--jobs", default=0, show_default=True, metavar="J", type=click.IntRange(0, 1024),
              help="Processes to spread the games over; 0 is one for each core.")  # fmt: skip
@engine_option
@click.option("--times", is_flag=True, help="Tell what turns took, too: no seed decides that.")
@click.option("--resume", metavar="FILE",
              help="Keep what is known in FILE, and go on from it if it is there.")  # fmt: skip
@click.option("-o", "--output", "outputs", multiple=True, metavar="FILE.svg|.png|.json",
              help="Write a picture, or the figures.")  # fmt: skip
@json_option
def ladder(
    game: str, levels: str | None, players: int, count: int | None, apart: int, seed: str,
    wishes: tuple[str, ...], seconds: float, jobs: int, engine: str, times: bool,
    resume: str | None, outputs: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """Measure how strong programs are, by paired games (docs/ladder.md).

    Each pair plays every bag once from every seat.
    """
    from ..bots import ladder as ladders
    from ..bots import levels_of
    from ..files import check_writable
    from ..games import find

    for output in outputs:
        if not output.lower().endswith((".svg", ".png", ".json")):
            raise BadInput(f"{output}: a ladder is a .svg, .png or .json file.", "bad_output")
        check_writable(output)
    names = levels_of(find(game))
    if levels is not None:
        names = tuple(name.strip() for name in levels.split(","))
    what = ladders.Ladder(
        game, names, players, read_options(wishes), seed, count or 0, seconds, apart
    )
    ladders.check_ladder(what)
    total = len(what.pairs) * what.bags * players
    with progress(f"{game}: {len(names)} programs", total, least=0) as advance:
        played, complete = gathered(
            ladders.bags_of(what, jobs, engine, resume), lambda _: advance(players)
        )
    met: list[list[ladders.PlayedBag]] = [[] for _ in what.pairs]
    for place, bag in played:
        met[place].append(bag)
    if not complete:
        what, met = ladders.so_far(what, met)
    if what.games or complete:
        told = ladders.summary(what, met, times)
        if complete:
            for output in outputs:
                _write_ladder(output, told)
        if as_json:
            print_json(told)
        else:
            _print_ladder(told)
    if not complete:
        files = "; no file was written" * bool(outputs)
        leave(f"Interrupted after {len(played) * players} of {total} games{files}.")


def _write_ladder(output: str, told: dict[str, Any]) -> None:
    """A ladder as a picture or as data, whichever the file's name asks for."""
    from ..bots.ladder import picture
    from ..drawing import to_png
    from ..files import write

    if output.lower().endswith(".json"):
        data = (json.dumps(told, ensure_ascii=False, indent=1) + "\n").encode()
    elif output.lower().endswith(".png"):
        data = to_png(picture(told), scale=2)
    else:
        data = picture(told).encode()
    write(output, data)


def _print_ladder(told: dict[str, Any]) -> None:
    """A ladder as two tables: the programs, and the pairs that met."""
    from rich.console import Console
    from rich.table import Table as Grid

    def interval(ends: list[float], form: str) -> str:
        return " to ".join(format(end, form) for end in ends)

    timed = {"turn_mean": "a turn", "turn_longest": "longest"}
    timed = {key: title for key, title in timed.items() if key in told["programs"][0]}
    table = f"{told['game']}, {told['players']} players, {told['seconds']:g} s a turn"
    programs = Grid("program", title=table)
    for title in ("Elo", "95 %", *timed.values()):
        programs.add_column(title, justify="right")
    for entry in sorted(told["programs"], key=lambda entry: -entry["elo"]):
        programs.add_row(
            entry["name"], f"{entry['elo']:+.0f}", interval(entry["elo_interval"], "+.0f"),
            *(f"{1000 * entry[key]:.2f} ms" for key in timed),
        )  # fmt: skip
    pairs = Grid("pair", title=f"{told['games']} games for each pair")
    for title in ("wins", "95 %", "lead", "95 %"):
        pairs.add_column(title, justify="right")
    for pair in told["pairs"]:
        pairs.add_row(
            f"{pair['one']} - {pair['other']}",
            f"{pair['wins']:.1%}", interval(pair["wins_interval"], ".1%"),
            f"{pair['lead']:+.1f}", interval(pair["lead_interval"], "+.1f"),
        )  # fmt: skip
    console = Console(highlight=False, markup=False)
    console.print(programs)
    console.print(pairs)


@click.command()
@click.argument("file")
@json_option
def replay(file: str, as_json: bool) -> None:
    """Verify a record (FILE, or - for standard input), move by move."""
    from ..record import printable

    told = read_replay(file)
    if as_json:
        return print_json(told.to_json())
    names = [printable(player.name) for player in told.record.players]
    for number, move in enumerate(told.entries, start=1):
        words = in_words(move["parts"]) if "parts" in move else ""
        details = (move.get(key, "") for key in ("laying", "tile", "bid", "announced"))
        what = " ".join(str(part) for part in (move["move"], *details) if part != "")
        player = "-" if move["player"] is None else names[move["player"]]
        score = move.get("score", "")
        click.echo(f"{number:>4}  {player:<14}{what:<24}{move['points']:>4}{score:>5}  {words}")
    for name, score in zip(names, told.outcome.scores, strict=True):
        click.echo(f"{name}: {score}")
    winners = " and ".join(names[seat] for seat in told.outcome.winners) or "nobody"
    click.echo(f"Verified: {winners} won ({told.outcome.reason}).")
    return None
