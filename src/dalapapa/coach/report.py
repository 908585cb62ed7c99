"""Advice and reviews as text for a terminal, in the six languages."""

from __future__ import annotations

from math import ceil, floor
from textwrap import wrap
from unicodedata import combining, east_asian_width

from ..bots.estimate import Estimate
from ..core.points import Turn
from ..record import make_printable
from .advice import Advice
from .reviewer import Review, Reviewed
from .words import check_language, explain, format_count, format_decimal, format_percent, say

WIDTH = 78
INDENT = "      "
SPACE = "\N{NO-BREAK SPACE}"

TURN_NAME_COLUMNS, CHANCE_NAME_COLUMNS, MAX_NAME_COLUMNS = 10, 14, 24
"""Columns for a name beside its turn, above its chances, and anywhere: longer ones are cut."""


def format_advice(advice: Advice, language: str = "en") -> str:
    """Format the best turns, each with its points, its chance and the reason."""
    check_language(language)
    if not advice.options:
        return say("no_turn", language)
    lines = []
    for number, option in enumerate(advice.options, start=1):
        judged = option.judged
        lines.append(
            f"{number:>2}. {format_count('points', judged.turn.points, language):<11}"
            f"{_format_layings(judged.turn)}"
        )
        chance = format_interval(option.chance, language)
        points = _format_points(option.next, language)
        if option.chance.exact:  # The game is over.
            lines += _wrap(say("outlook_over", language, chance=chance))
            lines += _wrap(explain(option.remarks, language))
            continue
        lines += _wrap(say("outlook", language, chance=chance, points=points))
        lines += _wrap(explain(option.remarks, language))
        left = judged.leaves
        if left.reply is not None:
            text = say(
                "most_of_one",
                language,
                tile=left.reply.tiles[0],
                points=format_count("points", left.reply.points, language),
                mean=format_decimal(left.mean, language),
            )
            lines += _wrap(text)
        if left.kept is not None:
            key = "keeps_domino" if left.kept_points else "keeps_idle"
            points = format_count("points", left.kept_points, language)
            lines += _wrap(say(key, language, tile=left.kept, points=points))
    return "\n".join(lines)


def format_review(review: Review, language: str = "en") -> str:
    """Format a review, from the turns to the biggest chances missed."""
    check_language(language)
    names = [_cut(make_printable(player.name), MAX_NAME_COLUMNS) for player in review.players]
    lines = []
    if review.measure == "chance":
        lines += [format_losses_title(review, language), ""]
        lines += _format_turns(review, names, language)
    lines += ["", say(f"title_{'chances' if review.measure == 'chance' else 'full'}", language)]
    lines += ["", *_format_curve(review, names, language)]
    lines += ["", say("title_missed", language), ""]
    for number in review.missed:
        lines += _format_missed(review, review.turns[number - 1], names, language)
    if not review.missed:
        lines.append(say("none_missed", language))
    lines.append("")
    for summary in _format_summaries(review, names, language):
        lines += wrap(summary, WIDTH, subsequent_indent=INDENT)
    return "\n".join(lines).strip()


def format_losses_title(review: Review, language: str) -> str:
    """The title of the list of lost points, rounds or wrong ways."""
    kind = "rounds" if review.rounds else review.unit
    return say(f"title_{kind}", language)


def format_interval(one: Estimate, language: str) -> str:
    """ "62% [58, 66]", or the number alone where it is exact."""
    text = format_percent(one.value, language)
    # Rounded outwards, so that less than a percent is not shown as nothing.
    low, high = floor(round(100 * one.low, 2)), ceil(round(100 * one.high, 2))
    return text if one.exact else f"{text}{SPACE}[{low},{SPACE}{high}]"


def _format_points(one: Estimate, language: str) -> str:
    low, high = format_decimal(one.low, language), format_decimal(one.high, language)
    comma = "," if language == "en" else ";"
    return f"{format_decimal(one.value, language)}{SPACE}[{low}{comma}{SPACE}{high}]"


def _format_layings(turn: Turn | None) -> str:
    return " ".join(map(str, turn.layings)) if turn and turn.layings else "-"


def _wrap(text: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)


def _format_turns(review: Review, names: list[str], language: str) -> list[str]:
    chances = any(turn.chance for turn in review.turns)
    rounds = review.rounds
    first = "round" if rounds else "turn" if review.unit == "points" else "laying"
    keys = [first, None, "announced" if rounds else "brought", "best", "lost"]
    keys += ["chance", "lost_chance"] if chances else []
    rows = [[say(f"column_{key}", language) if key else "" for key in keys]]
    for turn in review.turns:
        played = turn.played
        brought = played.points if played.announced is None else played.announced
        name = _cut(_name_player(played.player, names, language), TURN_NAME_COLUMNS)
        cells = [str(turn.number), name, str(brought)]
        cells.append(str(played.best.points) if played.best else "-")
        cells.append(str(played.lost) if played.lost > 0 else "-")
        if chances:
            chances_of_turn = (turn.chance, turn.lost_chance)
            cells += [format_interval(one, language) if one else "-" for one in chances_of_turn]
        rows.append(cells)
    return _align_columns(rows, left=1)


def _format_curve(review: Review, names: list[str], language: str) -> list[str]:
    """A line for each moment; of a race, for a dozen of them."""
    moments = review.curve
    if review.measure == "full":
        moments = (*moments[: -1 : len(moments) // 12 + 1], moments[-1])
    lines = []
    abreast = 4 if review.measure == "chance" else 8
    for seat in range(0, len(names), abreast):
        shown = slice(seat, seat + abreast)
        heads = [_cut(name, CHANCE_NAME_COLUMNS) for name in names[shown]]
        rows = [[say("column_move", language), *heads]]
        for moment in moments:
            cells = [format_interval(one, language) for one in moment.chances[shown]]
            rows.append([str(moment.position), *cells])
        lines += ["", *_align_columns(rows)] if seat else _align_columns(rows)
    return lines


def _name_player(player: int | None, names: list[str], language: str) -> str:
    return say("nobody", language) if player is None else names[player]


def _align_columns(rows: list[list[str]], left: int | None = None) -> list[str]:
    """Align rows under their heads, two spaces apart, to the right except for one column."""
    wide = [max(map(count_columns, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = []
        for number, (cell, width) in enumerate(zip(row, wide, strict=True)):
            room = " " * (width - count_columns(cell))
            cells.append(cell + room if number == left else room + cell)
        lines.append("  ".join(cells).rstrip())
    return lines


def count_columns(text: str) -> int:
    """The columns of a text in a terminal: letters of some scripts take two, accents none."""
    return sum(
        0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1
        for letter in text
    )  # fmt: skip


def _cut(text: str, width: int) -> str:
    if count_columns(text) <= width:
        return text
    while count_columns(text) >= width:
        text = text[:-1]
    return f"{text}…"


def _format_missed(review: Review, turn: Reviewed, names: list[str], language: str) -> list[str]:
    played = turn.played
    lines = [format_heading(review, turn, names, language)]
    if review.measure == "chance":
        own = Turn(played.layings, played.points)
        width = max(len(say(key, language)) for key in ("played", "better")) + 2
        lines.append(f"{INDENT}{say('played', language):<{width}}{_format_layings(own)}")
        lines.append(f"{INDENT}{say('better', language):<{width}}{_format_layings(turn.better)}")
    return [*lines, *_wrap(explain(turn.remarks, language))]


def format_heading(review: Review, turn: Reviewed, names: list[str], language: str) -> str:
    """The number of a turn, its player, and what it cost."""
    played, lost = turn.played, turn.lost_chance
    name = _name_player(played.player, names, language)
    if review.rounds:
        text = say("missed_round", language, number=turn.number)
    elif review.measure == "full":
        text = say("missed_way", language, number=played.first, name=name)
    else:
        key = "missed_turn" if review.unit == "points" else "missed_laying"
        text = say(key, language, number=turn.number, name=name)
    if lost is not None and lost.low > 0:
        return f"{text}: {say('column_lost_chance', language)} {format_interval(lost, language)}"
    return f"{text}: {format_count(review.unit, played.lost, language)}"


def _format_summaries(review: Review, names: list[str], language: str) -> list[str]:
    lines = []
    for name, player in zip(names, review.players, strict=True):
        if player.pace is not None:
            pace = player.pace
            moves = format_count("moves", pace.moves, language)
            lines.append(
                say("pace", language, name=name, framed=pace.framed, needed=pace.needed,
                    moves=moves, out=pace.taken_out)
            )  # fmt: skip
        elif not review.rounds and review.measure == "chance":
            lost = format_count(review.unit, player.lost, language)
            key = "summary" if review.unit == "points" else "summary_layings"
            lines.append(
                say(key, language, name=name, lost=lost, best=player.best_turns,
                    turns=player.turns)
            )  # fmt: skip
    return lines
