"""The command line: `dalapapa COMMAND` (`docs/notation.md`).

Every command prints for people, or one JSON document with `--json`; wrong use and bad input
end with one line on stderr and exit code 2. Modules are imported where they are used, so
that a short command answers at once.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import click

from . import __version__
from .errors import BadInput, DalapapaError

if TYPE_CHECKING:
    from .kernel.table import Table
    from .record import Replay
    from .tiles import TileSet

MAX_INPUT = 4_000_000
"""Bytes that are read from standard input or a file."""

set_option = click.option(
    "--set", "set_name", default="120", show_default=True, metavar="SET",
    help="The set: 120, 72, or a .json or .csv file.",
)  # fmt: skip
position_option = click.option(
    "--position", required=True, metavar="P",
    help="Layings separated by spaces, or - for standard input; '' is the empty table.",
)  # fmt: skip
database_option = click.option(
    "--database", metavar="URL",
    help="sqlite:///FILE or postgresql://...; else a file in your home.",
)  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
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


class Seconds(click.FloatRange):
    """A time in a range, which a number that is none would pass."""

    def convert(self, value: Any, *context: Any) -> Any:
        seconds = super().convert(value, *context)
        if math.isnan(seconds):
            raise BadInput("--seconds is a number of seconds.", "bad_seconds")
        return seconds


seconds_option = click.option(
    "--seconds", default=1.0, show_default=True, metavar="S", type=Seconds(0.001, 60),
    help="What a turn may take a program that thinks ahead.",
)  # fmt: skip
engine_option = click.option(
    "--engine", default="local", show_default=True, type=click.Choice(["local", "ray"]),
    help="Where to play them.",
)  # fmt: skip


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True)
@click.version_option(__version__, prog_name="dalapapa")
@click.pass_context
def commands(context: click.Context) -> None:
    """Dalapapa, François Haffner's tile-laying game: play, study and verify it."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@commands.command()
@set_option
@click.option(
    "--check", "checked", metavar="SET", help="Say which of the known facts hold for a set."
)
@json_option
def tiles(set_name: str, checked: str | None, as_json: bool) -> None:
    """List the dominoes of a set, or check one against what is known of the author's."""
    import msgspec

    from .tiles import load

    if checked is not None:
        return _print_facts(load(checked), as_json)
    chosen = load(set_name)
    if as_json:
        return _print_json(msgspec.to_builtins(chosen.tiles))
    click.echo(f"{'name':<8}{'figure':<10}{'recto':<9}{'verso':<9}pile")
    for tile in chosen.tiles:
        figure, pile = tile.figure or "-", tile.pile or "-"
        click.echo(f"{tile.name:<8}{figure:<10}{tile.recto:<9}{tile.verso:<9}{pile}")
    return None


def _print_facts(chosen: TileSet, as_json: bool) -> None:
    import msgspec

    from .facts import check_facts

    facts = check_facts(chosen)
    if as_json:
        return _print_json(msgspec.to_builtins(facts))
    verdicts = {True: "holds", False: "does not hold", None: "not known"}
    for one in facts:
        reason = f" ({one.reason})" if one.reason else ""
        click.echo(f"{one.fact}  {verdicts[one.holds]:<14} {one.says}{reason}")
    return None


@commands.command()
@position_option
@click.option("--tile", "name", required=True, metavar="NAME", help="The domino to lay.")
@set_option
@json_option
def legal(position: str, name: str, set_name: str, as_json: bool) -> None:
    """Every legal laying of one domino, with its classic points."""
    found = _table(position, set_name).scored(name)
    if as_json:
        return _print_json([{"laying": str(at), **earned.to_json()} for at, earned in found])
    if not found:
        click.echo(f"{name} cannot be laid.")
    for at, earned in found:
        click.echo(f"{earned.points:>4}  {at!s:<20} {_in_words(earned.to_json())}")
    return None


@commands.command()
@position_option
@click.option("--hand", multiple=True, required=True, metavar="NAME [NAME]",
              help="One or two dominoes.")  # fmt: skip
@click.argument("second", nargs=-1, metavar="")
@click.option("--top", default=1, show_default=True, type=click.IntRange(1, 1_000_000),
              help="How many turns to show.")  # fmt: skip
@set_option
@json_option
def best(
    position: str, hand: tuple[str, ...], second: tuple[str, ...], top: int, set_name: str,
    as_json: bool,
) -> None:  # fmt: skip
    """The best classic turns with one or two dominoes, exactly."""
    names = [name for word in (*hand, *second) for name in word.replace(",", " ").split()]
    if not 1 <= len(names) <= 2:
        raise BadInput(f"A hand is one or two dominoes, not {len(names)}.", "bad_hand")
    table = _table(position, set_name)
    if top == 1:
        turn = table.best_turn(names)
        turns = [turn] if turn else []
    else:
        turns = table.best_turns(names, top)
    if as_json:
        return _print_json([turn.to_json() for turn in turns])
    if not turns:
        click.echo("Nothing can be laid.")
    for turn in turns:
        charge = "  (4 for the second domino are paid)" if len(turn.layings) == 2 else ""
        click.echo(f"{turn.points:>4}  {' '.join(map(str, turn.layings))}{charge}")
    return None


@commands.command()
@position_option
@set_option
@json_option
def groups(position: str, set_name: str, as_json: bool) -> None:
    """The groups of discs on the table, open and closed."""
    from .tiles import COLOUR_NAMES

    found = _table(position, set_name).groups()
    if as_json:
        return _print_json([group.to_json() for group in found])
    if not found:
        click.echo("The table is empty.")
    for group in found:
        state = "closed" if group.closed else "open"
        discs = " ".join(f"{x},{y}" for x, y in group.discs)
        click.echo(f"{group.size:>4}  {COLOUR_NAMES[group.colour]:<7}{state:<7}{discs}")
    return None


@commands.command()
@click.argument("file")
@json_option
def replay(file: str, as_json: bool) -> None:
    """Verify a record (FILE, or - for standard input), move by move."""
    from .record import printable

    told = _replayed(file)
    if as_json:
        return _print_json(told.to_json())
    names = [printable(player.name) for player in told.record.players]
    for number, move in enumerate(told.entries, start=1):
        words = _in_words(move["parts"]) if "parts" in move else ""
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


@commands.command()
@click.argument("words", nargs=-1, metavar="[RECORD]")
@click.option("--position", metavar="P",
              help="Instead of a record: layings, or - for standard input.")  # fmt: skip
@click.option("--hand", multiple=True, metavar="NAME [NAME]",
              help="With --position: one or two dominoes.")  # fmt: skip
@click.option("--scores", metavar="N,N[,...]",
              help="With --position: scores in the order of play, yours first.")  # fmt: skip
@click.option("--target", type=int, metavar="POINTS", help="With --position: 60 without it.")
@click.option("--began", type=int, metavar="N",
              help="With --position: who began the round, N seats after you.")  # fmt: skip
@click.option("--top", type=click.IntRange(1, 8), metavar="K",
              help="With --position: how many turns to show, 5 without it.")  # fmt: skip
@click.option("--language", default="en", show_default=True, metavar="L",
              help="en, fr, de, nl, es or it.")  # fmt: skip
@click.option("--seconds", default=0.2, show_default=True, metavar="S",
              type=Seconds(0.01, 10), help="How long to think about a turn.")  # fmt: skip
@click.option("-o", "--output", metavar="FILE.svg",
              help="Of a record: draw chances and lost points, too.")  # fmt: skip
@click.option("--set", "set_name", metavar="SET",
              help="With --position: the set, 120, 72, or a .json or .csv file.")  # fmt: skip
@json_option
def analyse(
    words: tuple[str, ...], position: str | None, hand: tuple[str, ...], language: str,
    seconds: float, output: str | None, as_json: bool, **situation: Any,
) -> None:  # fmt: skip
    """Ask the coach about a finished game (RECORD, or - for standard input), or a position.

    Of a record: what each turn lost, the chances to win, the biggest chances missed. Of a position
    and a hand: the best turns, what each leaves, and why (docs/coach.md).
    """
    from .coach.words import check_language

    check_language(language)
    if position is not None:
        if output is not None:
            raise BadInput("-o draws the review of a record, not of a position.", "usage")
        return _advise(position, (*hand, *words), language, seconds, as_json, situation)
    if hand or any(value is not None for value in situation.values()):
        raise BadInput("A hand and scores belong to a --position.", "usage")
    if len(words) != 1:
        raise BadInput(f"Give one record, or a --position; these are {len(words)}.", "usage")
    return _review(words[0], language, seconds, output, as_json)


def _advise(
    position: str, hand: tuple[str, ...], language: str, seconds: float, as_json: bool,
    situation: dict[str, Any],
) -> None:  # fmt: skip
    """The best turns of a position."""
    from .coach import Situation, advise
    from .coach.advice import DEALS
    from .coach.encode import advice_to_json
    from .coach.report import advice_as_text
    from .coach.reviewer import SECONDS

    names = [name for word in hand for name in word.replace(",", " ").split()]
    given: dict[str, Any] = {
        key: situation[key] for key in ("target", "began") if situation[key] is not None
    }
    if situation["scores"] is not None:
        written = situation["scores"].split(",")
        if not all(re.fullmatch(r" *-?[0-9]{1,5} *", score) for score in written):
            raise BadInput("--scores are whole numbers with commas, like 31,28.", "bad_scores")
        given["scores"] = tuple(map(int, written))
    table = _table(position, situation["set_name"] or "120")
    deals = max(2, round(DEALS * seconds / SECONDS))
    advice = advise(table, names, Situation(**given), situation["top"] or 5, deals)
    if as_json:
        return _print_json(advice_to_json(advice, language))
    return click.echo(advice_as_text(advice, language))


def _review(file: str, language: str, seconds: float, output: str | None, as_json: bool) -> None:
    """What the coach says about a record."""
    from .coach import review_of_record
    from .coach.encode import review_to_json
    from .coach.plot import plot
    from .coach.report import review_as_text
    from .files import write

    if output is not None and not output.lower().endswith(".svg"):
        raise BadInput(f"{output}: a plot is a .svg file.", "bad_output")
    told = _replayed(file)
    with _progress("analyse", 100, least=0) as advance:
        found = review_of_record(told, seconds, lambda share: advance(100 * share))
    if output is not None:
        write(output, plot(found, language).encode())
    if as_json:
        return _print_json(review_to_json(found, language))
    return click.echo(review_as_text(found, language))


@commands.command()
@click.argument("name", required=False)
@json_option
def games(name: str | None, as_json: bool) -> None:
    """The games with their numbers of players and their options (NAME: of one game)."""
    import msgspec

    from .games import catalogue, find

    found = [entry for entry in catalogue() if name is None or entry.name == find(name).name]
    if as_json:
        return _print_json(msgspec.to_builtins(found))
    for entry in found:
        least, most = entry.players
        click.echo(f"{entry.name}: {least} to {most} players")
        for option in entry.options:
            default = f"{option.name}={json.dumps(option.default)}"
            click.echo(f"    {default:<20} {option.description} ({option.allowed})")
    return None


@commands.command()
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

    from .bots import arena
    from .files import make_folder
    from .games.options import set_choice
    from .tiles import load

    options = _options(wishes)
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
    with _progress(f"{game}: {players}", count) as advance:
        scores = arena.simulate(what, jobs, advance, engine)
    spent = time.perf_counter() - started
    told = arena.summary(what, scores)
    if as_json:
        return _print_json(told)
    click.echo(f"{count} game{'s' * (count != 1)} of {game}, seed {seed}")
    click.echo(f"{'player':<14}{'wins':>8}{'share':>8}{'mean':>9}{'least':>7}{'most':>6}")
    for seat, name in enumerate(names):
        wins = told["wins"][seat]
        click.echo(
            f"{name:<14}{wins:>8}{wins / count:>8.1%}{told['score_mean'][seat]:>9.2f}"
            f"{told['score_min'][seat]:>7}{told['score_max'][seat]:>6}"
        )
    click.echo(f"{told['shared']} shared victories; {told['dominoes_mean']:.1f} dominoes a game")
    click.echo(f"{count / spent:.0f} games a second")
    return None


@commands.command()
@game_option
@click.option("--levels", metavar="BOT,BOT[,...]",
              help="The programs, from the weakest; without it, the five levels.")  # fmt: skip
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
    from .bots import ladder as ladders
    from .bots import levels_of
    from .files import check_writable
    from .games import find

    for output in outputs:
        if not output.lower().endswith((".svg", ".png", ".json")):
            raise BadInput(f"{output}: a ladder is a .svg, .png or .json file.", "bad_output")
        check_writable(output)
    names = levels_of(find(game))
    if levels is not None:
        names = tuple(name.strip() for name in levels.split(","))
    what = ladders.Ladder(game, names, players, _options(wishes), seed, count or 0, seconds, apart)
    ladders.check_ladder(what)
    total = len(what.pairs) * what.bags * players
    with _progress(f"{game}: {len(names)} programs", total, least=0) as advance:
        told = ladders.summary(what, ladders.climb(what, jobs, advance, engine, resume), times)
    for output in outputs:
        _write_ladder(output, told)
    if as_json:
        return _print_json(told)
    return _print_ladder(told)


def _write_ladder(output: str, told: dict[str, Any]) -> None:
    """A ladder as a picture or as data, whichever the file's name asks for."""
    from .bots.ladder import picture
    from .drawing import to_png
    from .files import write

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


@commands.command()
@click.option("--pile", type=click.IntRange(1, 3), help="The dominoes of a pile of Arlequin.")
@click.option("--tiles", "names", metavar="NAME,...", help="The dominoes, by name.")
@click.option("--frame", "size", metavar="WxH",
              help="Cells of the frame; 8x10 for a pile of 40.")  # fmt: skip
@click.option("--position", default="", metavar="P",
              help="What lies in the frame already, or - for standard input.")  # fmt: skip
@click.option("--faces", default="both", show_default=True, type=click.Choice(["both", "recto"]),
              help="Which faces may be shown.")  # fmt: skip
@click.option("--count", default=1, show_default=True, metavar="N",
              type=click.IntRange(1, 100_000), help="How many solutions to find.")  # fmt: skip
@click.option("--seed", default="0", show_default=True, metavar="S",
              help="The same seed gives the same solutions.")  # fmt: skip
@click.option("--seconds", metavar="LIMIT", type=Seconds(0, 1e9),
              help="Give up after this time.")  # fmt: skip
@set_option
@json_option
def solve(
    pile: int | None, names: str | None, size: str | None, position: str, faces: Any, count: int,
    seed: str, seconds: float | None, set_name: str, as_json: bool,
) -> None:  # fmt: skip
    """Fill a frame with dominoes, every contact equal, or prove that it cannot be done.

    The cells of the frame are x 0 to W-1, y 0 to H-1; its border is free.
    """
    import textwrap
    import time

    from .kernel import solver
    from .notation import parse_position
    from .tiles import load

    if not seed.isprintable():
        raise BadInput("A seed is printable text.", "bad_seed")
    chosen = load(set_name)
    stock = _stock(chosen, pile, names)
    frame = solver.Frame.rectangle(*_frame_size(size, pile is not None and len(stock) == 40))
    laid = parse_position(_decode(_read("-")) if position == "-" else position)
    started = time.perf_counter()
    with _counter("solve") as show:

        def stop(nodes: int) -> bool:
            show(nodes)
            return seconds is not None and time.perf_counter() - started >= seconds

        found = solver.solve(
            frame, chosen, stock, laid, faces=faces, count=count, seed=seed, stop=stop
        )
    spent = time.perf_counter() - started
    if as_json:
        layouts = [[str(laying) for laying in layout] for layout in found.solutions]
        return _print_json(
            {
                "solutions": layouts,
                "complete": found.complete,
                "nodes": found.nodes,
                "seconds": round(spent, 6),
            }
        )
    for layout in found.solutions:
        click.echo(textwrap.fill(" ".join(map(str, layout)), 78, break_on_hyphens=False) + "\n")
    click.echo(_outcome(len(found.solutions), count, found.complete, found.nodes, spent))
    return None


@commands.command()
@position_option
@click.option("-o", "--output", required=True, metavar="FILE.svg|.png", help="The picture.")
@click.option("--shape", default="rounds", show_default=True, help="rounds, squares or octagons.")
@click.option("--palette", default="classic", show_default=True,
              help="classic, original, red-green, blue-yellow or grey.")  # fmt: skip
@click.option("--symbols", is_flag=True, help="Draw the symbol of each colour.")
@click.option("--theme", default="light", show_default=True, help="A light or dark table.")
@click.option("--pieces", default="black", show_default=True, help="black or white dominoes.")
@click.option("--cell", default=48, show_default=True, type=int, help="Pixels of a cell, 4 to 400.")
@click.option("--names", is_flag=True, help="Write the name on each domino.")
@click.option("--numbers", is_flag=True, help="Number the layings.")
@click.option("--grid", is_flag=True, help="Draw the cells and their coordinates.")
@click.option("--groups", "show_groups", type=click.Choice(["closed", "all"]),
              help="Outline the groups with their sizes.")  # fmt: skip
@click.option("--last", default=0, metavar="N", type=click.IntRange(0, 2),
              help="Outline the last N layings.")  # fmt: skip
@click.option("--ghost", multiple=True, metavar="LAYING",
              help="Show a laying that is only considered, with its clashes.")  # fmt: skip
@set_option
def draw(
    position: str, output: str, show_groups: str | None, last: int, ghost: tuple[str, ...],
    set_name: str, **style: Any,
) -> None:  # fmt: skip
    """Draw a position as a picture."""
    from . import drawing
    from .files import write
    from .notation import Laying

    table = _table(position, set_name)
    ghosts = tuple(Laying.parse(text) for text in ghost)
    marks = drawing.Marks(
        groups=tuple(
            drawing.GroupMark(group.discs, str(group.size))
            for group in table.groups()
            if show_groups == "all" or (show_groups == "closed" and group.closed)
        ),
        last=table.layings[len(table) - min(last, len(table)) :],
        ghosts=ghosts,
        clashes=drawing.find_clashes((*table.layings, *ghosts), table.tiles),
    )
    svg = drawing.draw(table.layings, table.tiles, style=drawing.Style(**style), marks=marks)
    if output.lower().endswith(".png"):
        data = drawing.to_png(svg)
    elif output.lower().endswith(".svg"):
        data = svg.encode()
    else:
        raise BadInput(f"{output}: a picture is a .svg or a .png file.", "bad_output")
    write(output, data)
    click.echo(f"{output}: {len(table)} domino{'es' * (len(table) != 1)}")


class PrintCommand(click.Command):
    """Has the options that `printing` declares, which is asked only when they are needed."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        from .printing.options import WHAT, PrintOption, catalogue, write_text

        def usual(option: PrintOption) -> str:
            """The default as the help shows it."""
            if not option.default:
                return ""
            others = (f"; {write_text(option, what)} for {what}" for what in option.default_of)
            return f"  [default: {''.join((write_text(option), *others))}]"

        kinds = "\n".join(f"  {name:<12} {description}" for name, description in WHAT.items())
        self.epilog = f"\b\nWHAT is one of:\n{kinds}"
        declared = [
            click.Option(
                [f"--{option.name}"],
                is_flag=option.kind == "switch",
                # Not by click: an option that is not given has the default of its print.
                default=None,
                metavar=None if option.kind == "switch" else option.name.upper(),
                help=f"{option.description[0].upper()}{option.description[1:]}"
                f"{': ' if option.choices else ''}{', '.join(map(str, option.choices))}."
                f"{usual(option)}",
            )
            for option in catalogue()
            if option.name != "what"
        ]
        own = super().get_params(ctx)
        return [*own[:-1], *declared, own[-1]]


@commands.command("print", cls=PrintCommand)
@click.argument("what", default="set")
@click.option("-o", "--output", required=True, metavar="FILE.pdf", help="The file to write.")
@click.option("--set", "set_name", metavar="SET",
              help="Of set, position and puzzle: your own set, a .json or .csv file.")  # fmt: skip
def print_command(what: str, output: str, set_name: str | None, **wishes: Any) -> None:
    """Print and play: write WHAT (without it, the set) as a PDF.

    Print it at 100 %, the set on both sides of the paper. If the backs are not quite behind the
    fronts, print the calibration sheet and give what it tells as --offset.
    """
    from .files import write
    from .printing import make_sheets, print_options, read_texts, to_pdf
    from .tiles import load

    if not output.lower().endswith(".pdf"):
        raise BadInput(f"{output}: a print is a .pdf file.", "bad_output")
    if what == "position" and wishes["position"] == "-":
        wishes["position"] = _decode(_read("-"))
    told = {name: value for name, value in wishes.items() if value is not None}
    options = print_options(read_texts({"what": what, **told}))
    if "position" in told and what != "position":
        raise BadInput(f"A --position is for the print position, not for {what}.", "usage")
    sheets = make_sheets(options, load(set_name) if set_name else None)
    with _progress("print", len(sheets)) as advance:
        data = to_pdf(sheets, options, advance)
    write(output, data)
    click.echo(f"{output}: {len(sheets)} page{'s' * (len(sheets) != 1)}, {options.format.name}")


@commands.command()
@click.option("--date", metavar="YYYY-MM-DD", help="The day; without it, today.")
@click.option("--seed", metavar="S", help="Instead of a day: the same seed gives the same problem.")
@click.option("--grade", metavar="1..5", type=int,
              help="How hard, 1 to 5; else that of the weekday, or 3 with a seed.")  # fmt: skip
@click.option("--frame", is_flag=True, help="A frame to fill, instead of a turn to find.")
@click.option("--solution", is_flag=True, help="Show the solution, too.")
@click.option("-o", "--output", metavar="FILE.svg|.png|.pdf",
              help="A picture; a PDF has the solution on its second page.")  # fmt: skip
@click.option("--language", default="en", show_default=True,
              help="Of a PDF: en, fr, de, nl, es or it.")  # fmt: skip
@json_option
def problem(
    date: str | None, seed: str | None, grade: int | None, frame: bool, solution: bool,
    output: str | None, language: str, as_json: bool,
) -> None:  # fmt: skip
    """The problem of the day: find the best turn, or fill a frame (docs/problems.md)."""
    import datetime

    from . import problems

    if date is not None and seed is not None:
        raise BadInput("A problem is that of a date or of a seed, not of both.", "usage")
    day = datetime.date.today().isoformat() if date is None and seed is None else date
    wanted = problems.request_for("frame" if frame else "turn", date=day, seed=seed, grade=grade)
    if output is not None:
        _problem_file(output, wanted, solution, language)
    told = problems.to_json(wanted, solution)
    if as_json:
        return _print_json(told)
    of = f"of {wanted.date}" if wanted.date else f"with the seed {wanted.seed}"
    click.echo(f"Problem {of}, grade {wanted.grade} of 5")
    if frame:
        columns, rows = told["frame"]
        laid = {laying.tile for laying in problems.make(wanted).position}
        more = "" if laid else ", apart from turning the whole frame"
        click.echo(f"Fill {columns} x {rows} cells with these dominoes, every contact equal.")
        click.echo(f"There is one solution{more}.")
        click.echo(f"  dominoes  {' '.join(name for name in told['tiles'] if name not in laid)}")
    else:
        click.echo("Find the turn with the most points; the second domino costs 4.")
        click.echo(f"  hand      {' '.join(told['tiles'])}")
    if told["position"]:
        click.echo(f"  position  {' '.join(told['position'])}")
    if solution:
        click.echo(f"  solution  {' '.join(told['solution'])}", nl=frame)
        if not frame:
            click.echo(f"  ({told['points']} points, {told['gap']} more than in any other places)")
    if output is not None:
        click.echo(f"  picture   {output}")
    return None


def _problem_file(output: str, wanted: Any, solution: bool, language: str) -> None:
    """Write a problem as a picture or as a PDF."""
    from . import drawing, problems
    from .files import write

    ending = output.lower().rpartition(".")[2]
    if ending == "pdf":
        from .printing import print_options
        from .printing.problems import problem_pdf

        data = problem_pdf(print_options({"language": language}), wanted)
    elif ending in ("svg", "png"):
        svg = problems.draw_problem(problems.make(wanted), solution)
        data = svg.encode() if ending == "svg" else drawing.to_png(svg)
    else:
        raise BadInput(f"{output}: a picture is a .svg, .png or .pdf file.", "bad_output")
    write(output, data)


@commands.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535),
              help="The port; without it 8072, or any free one.")  # fmt: skip
@click.option("--no-browser", is_flag=True, help="Do not open the browser.")
@database_option
@click.option("--limit", "limits", multiple=True, metavar="NAME=VALUE",
              help="What the server allows, such as sockets=5000 (docs/hosting.md).")  # fmt: skip
def play(
    host: str, port: int | None, no_browser: bool, database: str | None, limits: tuple[str, ...]
) -> None:
    """Start the server and open the browser on it."""
    from .server.limits import limits_from
    from .server.run import serve

    serve(host, port, not no_browser, database, limits_from(_options(limits)))


@commands.command(context_settings={"ignore_unknown_options": True})
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED, metavar="COMMAND...")
@click.option("--server", "url", default="http://127.0.0.1:8072", show_default=True, metavar="URL",
              help="The server.")  # fmt: skip
@click.option("--table", required=True, metavar="ID", help="The table.")
@click.option("--seat", type=click.IntRange(0, 9), metavar="N",
              help="The seat, from 0; without it, the first free one.")  # fmt: skip
@click.option("--name", help="The name at the table; without it, the one the program tells.")
@click.option("--seconds", default=10.0, show_default=True, metavar="S",
              type=Seconds(0.01, 3600), help="What a move may take.")  # fmt: skip
@json_option
def bot(
    command: tuple[str, ...], url: str, table: str, seat: int | None, name: str | None,
    seconds: float, as_json: bool,
) -> None:  # fmt: skip
    """Let your own program (COMMAND) play at a table, by JSON lines (docs/adapters.md).

    What follows -- belongs to COMMAND, whatever it looks like.
    """
    import asyncio

    from .adapters import remote_bot

    def report(sentence: str) -> None:
        click.echo(sentence, err=True)

    playing = remote_bot.play(
        url, table, command, seat=seat, name=name, seconds=seconds, report=report
    )
    try:
        outcome = asyncio.run(playing)
    except asyncio.CancelledError:
        sys.exit(143)  # As after SIGTERM, which it was.
    if as_json:
        return _print_json(outcome)
    click.echo(f"Scores {outcome['scores']}, winners {outcome['winners']} ({outcome['reason']}).")
    return None


@commands.command("export")
@database_option
@click.argument("file")
def export_command(file: str, database: str | None) -> None:
    """Write all tables of a server, with their seeds and moves, to FILE."""
    import asyncio

    from .server.run import default_database, with_driver
    from .server.transfer import export_tables

    done = asyncio.run(export_tables(with_driver(database or default_database()), file))
    more = f"; {done.left_out} of other dominoes left out" if done.left_out else ""
    click.echo(f"{file}: {done.tables} table{'s' * (done.tables != 1)}{more}")


@commands.command("import")
@database_option
@click.argument("file")
def import_command(file: str, database: str | None) -> None:
    """Read the tables of FILE (or - for standard input), each played through, all or none.

    Tables that are there already stay as they are.
    """
    import asyncio

    from .server.run import default_database, with_driver
    from .server.transfer import import_tables

    came = asyncio.run(import_tables(with_driver(database or default_database()), file))
    click.echo(f"{came.new} new table{'s' * (came.new != 1)}; {came.already} stay as they are")


def _options(wishes: tuple[str, ...]) -> dict[str, Any]:
    """Options of a game from NAME=VALUE; a value is JSON where it can be, else text."""
    options: dict[str, Any] = {}
    for wish in wishes:
        name, equals, value = wish.partition("=")
        if not equals or not name:
            from .notation import shortened

            raise BadInput(f"An option is NAME=VALUE, not {shortened(wish)}.", "usage")
        try:
            options[name] = json.loads(value)
        except (ValueError, RecursionError):
            options[name] = value
    return options


def _in_words(parts: dict[str, Any]) -> str:
    """Points in parts: "3 discs 4, closes yellow 5, charge 4"."""
    from .tiles import COLOUR_NAMES

    contacts = parts["contacts"]
    words = [f"{contacts} disc{'s' * (contacts != 1)} {parts['disc_points']}"]
    words += [f"closes {COLOUR_NAMES[g['colour']]} {g['size']}" for g in parts["groups"]]
    if parts.get("charge"):
        words.append(f"charge {parts['charge']}")
    return ", ".join(words)


def _stock(chosen: TileSet, pile: int | None, names: str | None) -> list[str]:
    """The dominoes to fill a frame with: those of a pile, or those named."""
    if (pile is None) == (names is None):
        raise BadInput("Give the dominoes with either --pile or --tiles.", "bad_tiles")
    if names is None:
        stock = [tile.name for tile in chosen.tiles if tile.pile == pile]
        if not stock:
            raise BadInput(f"There is no pile {pile} in {chosen}.", "bad_tiles")
        return stock
    stock = [chosen[name].name for name in names.replace(",", " ").split()]
    if not stock:
        raise BadInput("--tiles names no domino.", "bad_tiles")
    for name, times in Counter(stock).items():
        if times > 1:
            raise BadInput(f"--tiles names {name} {times} times.", "bad_tiles")
    return stock


def _outcome(many: int, count: int, complete: bool, nodes: int, seconds: float) -> str:
    """What a search has come to, as a sentence."""
    if complete and not many:
        return "There is no solution."
    solutions = f"{many or 'No'} solution{'s' * (many != 1)}"
    if not complete:
        sentence = f"{solutions} found, but not everything was tried"
    elif many < count:
        sentence = f"There {'is' if many == 1 else 'are'} only {solutions}"
    else:
        sentence = f"{solutions} found"
    return f"{sentence} ({nodes} partial layouts in {seconds:.3f} s)."


def _frame_size(size: str | None, whole_pile: bool) -> tuple[int, int]:
    """The width and height of a frame written as WxH."""
    if size is None:
        if not whole_pile:
            raise BadInput("Give the frame with --frame WxH, like 8x10.", "bad_frame")
        return 8, 10
    found = re.fullmatch(r"([0-9]{1,9})x([0-9]{1,9})", size)
    if found is None:
        from .notation import shortened

        raise BadInput(f"{shortened(size)} is not a frame; one looks like 8x10.", "bad_frame")
    width, height = int(found[1]), int(found[2])
    if width * height % 2:
        raise BadInput(
            f"A frame of {width} x {height} is an odd number of cells; dominoes cover two each.",
            "bad_frame",
        )
    return width, height


def _table(position: str, set_name: str) -> Table:
    """The table of a position given as text, or on standard input."""
    from .kernel.table import Table
    from .tiles import load

    chosen: TileSet = load(set_name)
    return Table.parse(_decode(_read("-")) if position == "-" else position, chosen)


def _read(file: str) -> bytes:
    """The bytes of a file, or of standard input for `-`."""
    from .files import read

    if file != "-":
        return read(file, MAX_INPUT)
    if sys.stdin is None:
        raise BadInput("Standard input is closed.", "unreadable_file")
    try:
        data = sys.stdin.buffer.read(MAX_INPUT + 1)
    except OSError as error:
        raise BadInput(f"Standard input: {error.strerror or error}.", "unreadable_file") from None
    if len(data) > MAX_INPUT:
        raise BadInput(f"Standard input: more than {MAX_INPUT} bytes.", "too_large")
    return data


def _replayed(file: str) -> Replay:
    """A record that is verified, from a file or standard input."""
    from . import record
    from .files import shown

    data = _read(file)
    try:
        return record.replay(record.load(data))
    except DalapapaError as error:
        name = "Standard input" if file == "-" else shown(file)
        raise type(error)(f"{name}: {error}", error.code) from None


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput("Standard input is not UTF-8 text.", "not_text") from None


def _print_json(data: Any) -> None:
    click.echo(json.dumps(data, ensure_ascii=False))


@contextmanager
def _progress(title: str, total: int, least: int = 200) -> Iterator[Any]:
    """A progress bar on a terminal; nothing when piped, or for less than `least` pieces of work."""
    if not sys.stderr.isatty() or total < least:
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn(title), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda done: bar.advance(task, done)


@contextmanager
def _counter(title: str) -> Iterator[Any]:
    """A running count of nodes on a terminal; nothing when piped, or when the work is short."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    counted = TextColumn("{task.completed:,.0f} partial layouts")
    columns = (SpinnerColumn(), TextColumn(title), counted, TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda nodes: bar.update(task, completed=nodes)


def main() -> None:
    """The entry point: runs a command and turns every refusal into one line and code 2."""
    try:
        commands.main(prog_name="dalapapa", standalone_mode=False)
    except click.ClickException as error:
        _fail("usage", error.format_message())
    except DalapapaError as error:
        _fail(error.code, str(error))
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except OSError as error:
        _fail("unwritable_path", f"{error.filename or 'output'}: {error.strerror or error}.")


def _fail(code: str, sentence: str) -> None:
    line = " ".join(sentence.split())
    line = line if len(line) <= 600 else f"{line[:400]} ... {line[-180:]}"
    with suppress(OSError):  # Nobody may be listening on stderr either.
        click.echo(f"Error ({code}): {line}", err=True)
    sys.exit(2)
