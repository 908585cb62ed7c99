"""Whole games: which there are, between programs, and from a record."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ..core.errors import BadInput
from .completion import FILE, FOLDER, GAME, PROGRAMS, SET
from .help import Whole, say, say_table
from .picture import Kind, picture_kind, picture_options, write_picture
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

if TYPE_CHECKING:
    from ..record import Replay

game_option = click.option(
    "--game", default="classic", show_default=True, metavar="GAME", type=GAME, is_eager=True,
    help="The game.",
)  # fmt: skip
seed_option = click.option(
    "--seed", default="0", show_default=True, metavar="S",
    help="The same seed gives the same games.",
)  # fmt: skip
wishes_option = click.option(
    "--option", "wishes", multiple=True, metavar="NAME=VALUE",
    help="An option of the game, such as target=120; dalapapa games lists them.",
)  # fmt: skip
seconds_option = click.option(
    "--seconds", default=1.0, show_default=True, metavar="S", type=Seconds(0.001, 60),
    help="How long a program that thinks ahead may take for a turn, at most 60.",
)  # fmt: skip
engine_option = click.option(
    "--engine", default="local", show_default=True, type=click.Choice(["local", "ray"]),
    help="Where to play: on this machine, or on a Ray cluster.",
)  # fmt: skip


@click.command()
@click.argument("name", required=False, type=GAME)
@json_option
def games(name: str | None, as_json: bool) -> None:
    """List the games, or only NAME, with the number of players and the options."""
    import msgspec

    from ..games import find_game, list_entries

    found = [
        entry for entry in list_entries() if name is None or entry.name == find_game(name).name
    ]
    if as_json:
        return print_json(msgspec.to_builtins(found))
    for entry in found:
        least, most = entry.players
        say(f"{entry.name}: {least} to {most} players")
        for option in entry.options:
            default = f"{option.name}={json.dumps(option.default)}"
            say(f"    {default:<20} {option.description} ({option.allowed})", 8)
    return None


@click.command()
@game_option
@click.option("--players", required=True, metavar="BOT,BOT[,...]", type=PROGRAMS,
              help="The programs in clockwise order: levels, or exec:COMMAND.")  # fmt: skip
@click.option("--games", "count", default=100, show_default=True, metavar="N",
              type=Whole(1, 10_000_000), help="How many games to play.")  # fmt: skip
@seed_option
@click.option("--target", metavar="POINTS", type=Whole(),
              help="Short for --option target=POINTS.")  # fmt: skip
@wishes_option
@seconds_option
@click.option("--records", metavar="DIR", help="Write a record of every game to this folder.",
              type=FOLDER)  # fmt: skip
@click.option("--jobs", default=1, show_default=True, metavar="J", type=Whole(1, 1024),
              help="How many processes share the games.")  # fmt: skip
@engine_option
@click.option("--set", "set_name", metavar="SET", type=SET,
              help="The set: 120, 72, or a .json or .csv file; usually the game's.")  # fmt: skip
@json_option
def simulate(
    game: str, players: str, count: int, seed: str, target: int | None, wishes: tuple[str, ...],
    seconds: float, records: str | None, jobs: int, engine: str, set_name: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Play games between programs and count who wins.

    Ctrl+C ends it with the results so far.
    """
    import time

    import msgspec

    from ..bots import arena
    from ..core.files import make_folder
    from ..core.tiles import load
    from ..games.options import set_choice

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
    from ..bots import format_bot_name

    count = told["games"]
    click.echo(f"{count} game{'s' * (count != 1)} of {told['game']}, seed {told['seed']}")
    titles = ("player", "wins", "share", "mean", "least", "most")
    rows = [
        [
            format_bot_name(name), str(wins),
            f"{wins / count:.1%}", f"{told['score_mean'][seat]:.2f}",
            str(told["score_min"][seat]), str(told["score_max"][seat]),
        ]
        for seat, (name, wins) in enumerate(zip(told["players"], told["wins"], strict=True))
    ]  # fmt: skip
    say_table(titles, rows, (17, 8, 8, 9, 7, 6))
    victories = "victory" if told["shared"] == 1 else "victories"
    say(f"{told['shared']} shared {victories}; {told['dominoes_mean']:.1f} dominoes a game")
    click.echo(format_speed(count, seconds))


def format_speed(count: int, seconds: float) -> str:
    """How fast games were played: "62 games a second", or "1 game in 4.2 s" for slow ones."""
    speed = count / max(seconds, 1e-6)
    if speed >= 9.95:
        return f"{speed:.0f} games a second"
    if speed >= 1.05:
        return f"{speed:.1f} games a second"
    each = seconds / count
    return f"1 game in {each:.{1 if each < 99.95 else 0}f} s"


@click.command()
@game_option
@click.option("--levels", metavar="BOT,BOT[,...]", type=PROGRAMS,
              help="The programs, weakest first; usually all levels of the game.")  # fmt: skip
@click.option("--players", default=2, show_default=True, metavar="P", type=Whole(2, 10),
              help="How many players sit at a table.")  # fmt: skip
@click.option("--games", "count", metavar="N", type=Whole(1, 1_000_000),
              help="How many games each pair plays; usually 100 from every seat.")  # fmt: skip
@click.option("--apart", default=2, show_default=True, metavar="STEPS",
              type=Whole(1, 1000),
              help="Programs play each other if they are at most this far apart.")  # fmt: skip
@seed_option
@wishes_option
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
    wishes: tuple[str, ...], seconds: float, jobs: int, engine: str, times: bool,
    resume: str | None, outputs: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    """Measure how strong programs are by letting them play each other.

    Each pair plays every bag once from every seat. Ctrl+C ends it with the results so far.
    """
    from ..bots import ladder as ladders
    from ..bots import list_levels
    from ..core.files import check_writable
    from ..games import find_game

    for output in outputs:
        if not output.lower().endswith((".svg", ".png", ".json")):
            raise BadInput(f"{output}: a ladder is a .svg, .png or .json file.", "bad_output")
        check_writable(output)
    names = list_levels(find_game(game))
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
    from ..core.files import write
    from ..drawing import to_png

    if output.lower().endswith(".json"):
        data = (json.dumps(told, ensure_ascii=False, indent=1) + "\n").encode()
    elif output.lower().endswith(".png"):
        data = to_png(picture(told), scale=2)
    else:
        data = picture(told).encode()
    write(output, data)


def _print_ladder(told: dict[str, Any]) -> None:
    """A ladder as two tables: the programs, and the pairs that met."""

    def interval(ends: list[float], form: str) -> str:
        return " to ".join(format(end, form) for end in ends)

    timed = {"turn_mean": "a turn", "turn_longest": "longest"}
    timed = {key: title for key, title in timed.items() if key in told["programs"][0]}
    say(f"{told['game']}, {told['players']} players, {told['seconds']:g} s a turn")
    programs = [
        [
            entry["name"], f"{entry['elo']:+.0f}", interval(entry["elo_interval"], "+.0f"),
            *(f"{1000 * entry[key]:.2f} ms" for key in timed),
        ]
        for entry in sorted(told["programs"], key=lambda entry: -entry["elo"])
    ]  # fmt: skip
    say_table(["program", "Elo", "95 %", *timed.values()], programs)
    say(f"\n{told['games']} games for each pair")
    pairs = [
        [
            f"{pair['one']} - {pair['other']}",
            f"{pair['wins']:.1%}", interval(pair["wins_interval"], ".1%"),
            f"{pair['lead']:+.1f}", interval(pair["lead_interval"], "+.1f"),
        ]
        for pair in told["pairs"]
    ]  # fmt: skip
    say_table(["pair", "wins", "95 %", "lead", "95 %"], pairs)


@click.command()
@click.argument("file", type=FILE)
@click.option("--at", type=Whole(0), metavar="N",
              help="With -o: the table after N moves; usually at the end.")  # fmt: skip
@click.option("--seat", type=Whole(0, 9), metavar="N",
              help="With -o, in a race: whose frame, counted from 0.")  # fmt: skip
@picture_options(required=False)
@json_option
def replay(
    file: str, at: int | None, seat: int | None, output: str | None, kind: Kind | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Verify a record move by move, or draw a moment of it with -o.

    FILE is the record, or - for standard input.
    """
    if output is not None:
        kind = picture_kind(output, kind, as_json)
        return _draw_replay(file, at, seat, output, kind, as_json)
    if at is not None or seat is not None or kind is not None:
        raise BadInput("--at, --seat and --format belong to a picture: add -o FILE.", "usage")
    told = read_replay(file)
    if as_json:
        return print_json(told.to_json())
    return _print_replay(told)


def _draw_replay(
    file: str, at: int | None, seat: int | None, output: str, kind: Kind, as_json: bool
) -> None:
    """A moment of a game as a picture."""
    from .. import drawing
    from ..games import find_game

    told = read_replay(file)
    moves = len(told.steps) - 1
    if at is not None and at > moves:
        raise BadInput(f"This game has {moves} moves: there is no move {at}.", "bad_move")
    state = told.steps[moves if at is None else at].state
    table = getattr(state, "table", None)
    if table is not None:
        if seat is not None:
            raise BadInput("--seat is for games in which everybody has a frame.", "usage")
        layings = table.layings
    else:
        frames = getattr(state, "frames", ((),))
        if seat is not None and seat >= len(frames):
            raise BadInput(f"There is no seat {seat} in this game.", "bad_seat")
        layings = frames[seat or 0]
    game = find_game(told.record.game)
    tiles = game.tiles(game.parse_options(told.record.options))
    write_picture(output, kind, drawing.draw(tuple(layings), tiles), len(layings), as_json)


def _print_replay(told: Replay) -> None:
    """A game, a line for each move."""
    from ..record import printable

    names = [printable(player.name) for player in told.record.players]
    for number, move in enumerate(told.entries, start=1):
        words = in_words(move["parts"]) if "parts" in move else ""
        details = (move.get(key, "") for key in ("laying", "tile", "bid", "announced"))
        what = " ".join(str(part) for part in (move["move"], *details) if part != "")
        player = "-" if move["player"] is None else names[move["player"]]
        score = move.get("score", "")
        say(f"{number:>4}  {player:<14}{what:<24}{move['points']:>4}{score:>5}  {words}")
    for name, score in zip(names, told.outcome.scores, strict=True):
        say(f"{name}: {score}")
    winners = " and ".join(names[seat] for seat in told.outcome.winners) or "nobody"
    say(f"Verified: {winners} won ({told.outcome.reason}).")
