"""Whole games: list them, let bots play them, measure bots, replay records."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from ..core.errors import BadInput
from .completion import BOTS, FILE, FOLDER, GAME, SET
from .help import Choice, Whole, command, say, say_table
from .shared import (
    Kind,
    Seconds,
    consume,
    describe_points,
    format_count,
    gather,
    json_option,
    leave,
    picture_kind,
    picture_options,
    print_json,
    progress,
    read_options,
    read_replay,
    write_picture,
)

if TYPE_CHECKING:
    from ..record import Replay

FAILED_BOT_EXIT_CODE = 1
"""The exit code if a bot has failed: all games were played, but its results do not count."""

game_option = click.option(
    "--game", default="classic", show_default=True, metavar="GAME", type=GAME, is_eager=True,
    help="The game.",
)  # fmt: skip
seed_option = click.option(
    "--seed", default="0", show_default=True, metavar="S",
    help="The same seed gives the same games.",
)  # fmt: skip
option_option = click.option(
    "--option", "words", multiple=True, metavar="NAME=VALUE",
    help="An option of the game, such as target=120; dalapapa games lists them.",
)  # fmt: skip
seconds_option = click.option(
    "--seconds", default=1.0, show_default=True, metavar="S", type=Seconds(0.001, 60),
    help="How long a bot that thinks ahead may take for a turn, at most 60.",
)  # fmt: skip
engine_option = click.option(
    "--engine", default="local", show_default=True, type=Choice(["local", "ray"]),
    help="Where to play: on this machine, or on a Ray cluster.",
)  # fmt: skip


@command()
@click.argument("name", required=False, type=GAME)
@json_option
def games(name: str | None, as_json: bool) -> None:
    """List the games, or only NAME, with the number of players and the options."""
    from ..games import find_game, list_entries

    entries = [
        entry for entry in list_entries() if name is None or entry.name == find_game(name).name
    ]
    if as_json:
        return print_json(entries)
    for entry in entries:
        minimum, maximum = entry.players
        say(f"{entry.name}: {minimum} to {maximum} players")
        for option in entry.options:
            default = f"{option.name}={json.dumps(option.default)}"
            say(f"    {default:<20} {option.description} ({option.allowed})", 8)
    return None


@command()
@game_option
@click.option("--players", required=True, metavar="BOT,BOT[,...]", type=BOTS,
              help="The bots in clockwise order: levels, or exec:COMMAND.")  # fmt: skip
@click.option("--games", "count", default=100, show_default=True, metavar="N",
              type=Whole(1, 10_000_000), help="How many games to play.")  # fmt: skip
@seed_option
@click.option("--target", metavar="POINTS", type=Whole(),
              help="Short for --option target=POINTS.")  # fmt: skip
@option_option
@seconds_option
@click.option("--records", metavar="DIR", help="Write a record of every game to this folder.",
              type=FOLDER)  # fmt: skip
@click.option("--jobs", default=1, show_default=True, metavar="J", type=Whole(1, 1024),
              help="How many processes share the games.")  # fmt: skip
@engine_option
@click.option("--set", "set_name", metavar="SET", type=SET,
              help="The set: 120, 72, or a .json or .csv file; default: the game's.")  # fmt: skip
@json_option
def simulate(
    game: str, players: str, count: int, seed: str, target: int | None, words: tuple[str, ...],
    seconds: float, records: str | None, jobs: int, engine: str, set_name: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Play games between bots and count who wins.

    Ctrl+C stops it and shows the results so far.
    """
    import time

    import msgspec

    from ..bots import arena
    from ..core.files import make_folder
    from ..core.tiles import load
    from ..games.options import to_set_choice

    options = read_options(words)
    if target is not None:
        if options.get("target", target) != target:
            raise BadInput("Use either --target or --option target, not both.", "usage")
        options["target"] = target
    if set_name is not None:
        options["set"] = msgspec.to_builtins(to_set_choice(load(set_name)))
    names = tuple(name.strip() for name in players.split(","))
    what = arena.Simulation(game, names, options, seed, count, records, seconds)
    arena.check_simulation(what)
    if records is not None:
        make_folder(records)
    started = time.perf_counter()
    totals = arena.SimulationTotals(what)
    with progress(f"{game}: {players}", count) as advance:

        def note(score: arena.Score) -> None:
            totals.add(score)
            advance(1)

        stop = consume(arena.play_games(what, jobs, engine), note)
    spent = time.perf_counter() - started
    failed: list[str] = []
    if totals.games:
        summary = totals.summarize()
        if as_json:
            print_json(summary)
        else:
            _print_simulation(summary, spent)
        failed = arena.describe_failures(names, summary.get("failures", [0] * len(names)))
    if stop is not None:
        leave(f"Interrupted after {totals.games} of {count} games.", stop)
    _exit_if_failed(failed)


def _exit_if_failed(sentences: list[str]) -> None:
    """End with the sentences about bots that failed, once the results are printed."""
    for sentence in sentences:
        click.echo(sentence, err=True)
    if sentences:
        sys.exit(FAILED_BOT_EXIT_CODE)


def _print_simulation(summary: dict[str, Any], seconds: float) -> None:
    from ..bots import format_bot_name

    count = summary["games"]
    click.echo(f"{format_count(count, 'game')} of {summary['game']}, seed {summary['seed']}")
    titles = ("player", "wins", "share", "mean", "least", "most")
    rows = [
        [
            format_bot_name(name), str(wins), f"{wins / count:.1%}",
            f"{summary['score_mean'][seat]:.2f}",
            str(summary["score_min"][seat]), str(summary["score_max"][seat]),
        ]
        for seat, (name, wins) in enumerate(zip(summary["players"], summary["wins"], strict=True))
    ]  # fmt: skip
    say_table(titles, rows, (17, 8, 8, 9, 7, 6))
    victories = "victory" if summary["shared"] == 1 else "victories"
    say(f"{summary['shared']} shared {victories}; {summary['dominoes_mean']:.1f} dominoes a game")
    click.echo(format_speed(count, seconds))


def format_speed(count: int, seconds: float) -> str:
    """Format the speed: "62 games a second", or "1 game in 4.2 s" for slow games."""
    speed = count / max(seconds, 1e-6)
    if speed >= 9.95:
        return f"{speed:.0f} games a second"
    if speed >= 1.05:
        return f"{speed:.1f} games a second"
    each = seconds / count
    return f"1 game in {each:.{1 if each < 99.95 else 0}f} s"


@command()
@game_option
@click.option("--levels", metavar="BOT,BOT[,...]", type=BOTS,
              help="The bots, weakest first; default: all levels of the game.")  # fmt: skip
@click.option("--players", default=2, show_default=True, metavar="P", type=Whole(2, 10),
              help="How many players sit at a table.")  # fmt: skip
@click.option("--games", "count", metavar="N", type=Whole(1, 1_000_000),
              help="How many games each pair plays; default: 100 from every seat.")  # fmt: skip
@click.option("--apart", default=2, show_default=True, metavar="STEPS",
              type=Whole(1, 1000),
              help="Pair only bots that are at most STEPS ranks apart.")  # fmt: skip
@seed_option
@option_option
@seconds_option
@click.option("--jobs", default=0, show_default=True, metavar="J", type=Whole(0, 1024),
              help="How many processes share the games; 0 for one per core.")  # fmt: skip
@engine_option
@click.option(
    "--times", is_flag=True, help="Also show how long turns took, which differs between runs."
)
@click.option("--resume", metavar="FILE", type=FILE,
              help="Keep results in FILE, and continue from it if it exists.")  # fmt: skip
@click.option("-o", "--output", "outputs", multiple=True, metavar="FILE", type=FILE,
              help="Write a picture (.svg or .png) or the figures (.json).")  # fmt: skip
@json_option
def ladder(
    game: str, levels: str | None, players: int, count: int | None, apart: int, seed: str,
    words: tuple[str, ...], seconds: float, jobs: int, engine: str, times: bool,
    resume: str | None, outputs: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """Measure how strong bots are by letting them play each other.

    Each pair plays every bag once from every seat. Ctrl+C stops it and shows the results so far.
    """
    from ..bots import ladder as ladders
    from ..bots import list_levels
    from ..bots.arena import describe_failures
    from ..core.files import check_writable
    from ..games import find_game

    for output in outputs:
        if not output.lower().endswith((".svg", ".png", ".json")):
            raise BadInput(
                f"{output}: the file name must end with .svg, .png or .json.", "bad_output"
            )
        check_writable(output)
    names = list_levels(find_game(game))
    if levels is not None:
        names = tuple(name.strip() for name in levels.split(","))
    what = ladders.Ladder(
        game, names, players, read_options(words), seed, count or 0, seconds, apart
    )
    ladders.check_ladder(what)
    total = len(what.pairs) * what.bags * players
    with progress(f"{game}: {len(names)} bots", total, minimum=0) as advance:
        played, stop = gather(
            ladders.play_bags(what, jobs, engine, resume), lambda _: advance(players)
        )
    met: list[list[ladders.PlayedBag]] = [[] for _ in what.pairs]
    for place, bag in played:
        met[place].append(bag)
    if stop is not None:
        what, met = ladders.cut_ladder(what, met)
    failed: list[str] = []
    if what.games or stop is None:
        summary = ladders.summarize_ladder(what, met, times)
        if stop is None:
            for output in outputs:
                _write_ladder(output, summary)
        if as_json:
            print_json(summary)
        else:
            _print_ladder(summary)
        bots = [(bot["name"], bot.get("failures", 0)) for bot in summary["programs"]]
        failed = describe_failures(*zip(*bots, strict=True))
    if stop is not None:
        files = "; no file was written" * bool(outputs)
        leave(f"Interrupted after {len(played) * players} of {total} games{files}.", stop)
    _exit_if_failed(failed)


def _write_ladder(output: str, summary: dict[str, Any]) -> None:
    """Write a ladder as a picture or as data, according to the name of the file."""
    from ..bots.ladder import draw_ladder
    from ..core.files import write
    from ..drawing import to_png

    if output.lower().endswith(".json"):
        data = (json.dumps(summary, ensure_ascii=False, indent=1) + "\n").encode()
    elif output.lower().endswith(".png"):
        data = to_png(draw_ladder(summary), scale=2)
    else:
        data = draw_ladder(summary).encode()
    write(output, data)


def _print_ladder(summary: dict[str, Any]) -> None:
    """Print a ladder as two tables: the bots, and the pairs that played."""

    def interval(ends: list[float], form: str) -> str:
        return " to ".join(format(end, form) for end in ends)

    timed = {"turn_mean": "a turn", "turn_longest": "longest"}
    timed = {key: title for key, title in timed.items() if key in summary["programs"][0]}
    say(f"{summary['game']}, {summary['players']} players, {summary['seconds']:g} s a turn")
    bots = [
        [
            entry["name"], f"{entry['elo']:+.0f}", interval(entry["elo_interval"], "+.0f"),
            *(f"{1000 * entry[key]:.2f} ms" for key in timed),
        ]
        for entry in sorted(summary["programs"], key=lambda entry: -entry["elo"])
    ]  # fmt: skip
    say_table(["bot", "Elo", "95%", *timed.values()], bots)
    say(f"\n{summary['games']} games for each pair")
    pairs = [
        [
            f"{pair['one']} - {pair['other']}",
            f"{pair['wins']:.1%}", interval(pair["wins_interval"], ".1%"),
            f"{pair['lead']:+.1f}", interval(pair["lead_interval"], "+.1f"),
        ]
        for pair in summary["pairs"]
    ]  # fmt: skip
    say_table(["pair", "wins", "95%", "lead", "95%"], pairs)


@command()
@click.argument("file", type=FILE)
@click.option("--at", type=Whole(0), metavar="N",
              help="With -o: draw the table after N moves; default: after all.")  # fmt: skip
@click.option("--seat", type=Whole(0, 9), metavar="N",
              help="With -o, in a race: draw the frame of this seat, counted from 0.")  # fmt: skip
@picture_options(required=False)
@json_option
def replay(
    file: str, at: int | None, seat: int | None, output: str | None, kind: Kind | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Verify a record move by move, or draw one of its positions with -o.

    FILE is the record, or - for standard input.
    """
    if output is not None:
        kind = picture_kind(output, kind, as_json)
        return _draw_replay(file, at, seat, output, kind, as_json)
    if at is not None or seat is not None or kind is not None:
        raise BadInput("--at, --seat and --format need -o FILE.", "usage")
    game = read_replay(file)
    if as_json:
        return print_json(game.to_json())
    return _print_replay(game)


def _draw_replay(
    file: str, at: int | None, seat: int | None, output: str, kind: Kind, as_json: bool
) -> None:
    from .. import drawing
    from ..games import find_game

    played = read_replay(file)
    moves = len(played.steps) - 1
    if at is not None and at > moves:
        raise BadInput(
            f"--at must be at most {moves}, the number of moves of this game, not {at}.", "bad_move"
        )
    state = played.steps[moves if at is None else at].state
    table = getattr(state, "table", None)
    if table is not None:
        if seat is not None:
            raise BadInput("--seat needs a race, in which each player fills a frame.", "usage")
        layings = table.layings
    else:
        frames = getattr(state, "frames", ((),))
        if seat is not None and seat >= len(frames):
            raise BadInput(
                f"--seat must be from 0 to {len(frames) - 1} in this game, not {seat}.", "bad_seat"
            )
        layings = frames[seat or 0]
    game = find_game(played.record.game)
    tiles = game.tiles(game.parse_options(played.record.options))
    write_picture(output, kind, drawing.draw(tuple(layings), tiles), len(layings), as_json)


def _print_replay(game: Replay) -> None:
    from ..record import make_printable

    names = [make_printable(player.name) for player in game.record.players]
    for number, move in enumerate(game.entries, start=1):
        words = describe_points(move["parts"]) if "parts" in move else ""
        details = (move.get(key, "") for key in ("laying", "tile", "bid", "announced"))
        what = " ".join(str(part) for part in (move["move"], *details) if part != "")
        player = "-" if move["player"] is None else names[move["player"]]
        score = move.get("score", "")
        say(f"{number:>4}  {player:<14}{what:<24}{move['points']:>4}{score:>5}  {words}")
    for name, score in zip(names, game.outcome.scores, strict=True):
        say(f"{name}: {score}")
    winners = " and ".join(names[seat] for seat in game.outcome.winners) or "no one"
    say(f"Verified: {winners} won ({game.outcome.reason}).")
