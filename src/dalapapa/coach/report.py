"""Advice and reviews as text for a terminal, in the six languages."""

from __future__ import annotations

from textwrap import wrap

from ..points import Turn
from .advice import Advice
from .estimate import Estimate
from .review import Review, Reviewed
from .words import check_language, counted, decimal, percent, say, why

WIDTH = 78
INDENT = "      "


def advice_as_text(advice: Advice, language: str = "en") -> str:
    """The best turns, each with its points, its chance and the reason."""
    check_language(language)
    if not advice.options:
        return say("no_turn", language)
    lines = []
    for number, option in enumerate(advice.options, start=1):
        judged = option.judged
        lines.append(
            f"{number:>2}. {counted('points', judged.turn.points, language):<11}"
            f"{_layings(judged.turn)}"
        )
        lines.append(
            f"{INDENT}{say('column_chance', language)} {interval(option.chance, language)}, "
            f"{say('column_next', language)} {_points(option.next, language)}"
        )
        lines += _wrapped(why(option.remarks, language))
        left = judged.leaves
        if left.reply is not None:
            told = say(
                "most_of_one",
                language,
                tile=left.reply.tiles[0],
                points=counted("points", left.reply.points, language),
                mean=decimal(left.mean, language),
            )
            lines += _wrapped(told)
        if left.kept is not None:
            points = counted("points", left.kept_points, language)
            lines += _wrapped(say("keeps_domino", language, tile=left.kept, points=points))
    return "\n".join(lines)


def review_as_text(review: Review, language: str = "en") -> str:
    """What a review tells, from the turns to the biggest chances missed."""
    check_language(language)
    names = [_printable(player.name) for player in review.players]
    lines = []
    if review.measure == "chance":
        lines += [say(f"title_{review.unit}", language), "", *_turns(review, names, language)]
    lines += ["", say(f"title_{'chances' if review.measure == 'chance' else 'full'}", language)]
    lines += ["", *_curve(review, names, language)]
    lines += ["", say("title_missed", language), ""]
    for number in review.missed:
        lines += _missed(review, review.turns[number - 1], names, language)
    if not review.missed:
        lines.append(say("none_missed", language))
    lines += ["", *_summaries(review, names, language)]
    return "\n".join(lines).strip()


def interval(one: Estimate, language: str) -> str:
    """ "62% [58, 66]", or the number alone where it is exact."""
    told = percent(one.value, language)
    return told if one.exact else f"{told} [{round(100 * one.low)}, {round(100 * one.high)}]"


def _points(one: Estimate, language: str) -> str:
    low, high = decimal(one.low, language), decimal(one.high, language)
    return f"{decimal(one.value, language)} [{low}; {high}]"


def _layings(turn: Turn | None) -> str:
    return " ".join(map(str, turn.layings)) if turn and turn.layings else "-"


def _wrapped(text: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)


def _printable(name: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in name)[:40]


def _turns(review: Review, names: list[str], language: str) -> list[str]:
    """A line for each turn."""
    chances = any(turn.chance for turn in review.turns)
    keys = ["column_brought", "column_best", "column_lost"]
    if chances:
        keys += ["column_chance", "column_lost_chance"]
    heads = [say(key, language) for key in keys]
    widths = [max(len(head) + 2, 8 if number < 3 else 18) for number, head in enumerate(heads)]
    who = max(map(len, names)) + 2
    first = say("column_turn", language)
    lines = [f"{first:<6}{'':<{who}}" + "".join(_column(heads, widths))]
    for turn in review.turns:
        played = turn.played
        name = "-" if played.player is None else names[played.player]
        cells = [str(played.points), str(played.best.points) if played.best else "-"]
        cells.append(str(played.lost) if played.lost > 0 else "-")
        if chances:
            cells.append(interval(turn.chance, language) if turn.chance else "-")
            lost = turn.lost_chance
            cells.append(interval(lost, language) if lost and not lost.exact else "-")
        lines.append(f"{turn.number:<6}{name:<{who}}" + "".join(_column(cells, widths)))
    return lines


def _column(cells: list[str], widths: list[int]) -> list[str]:
    return [f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True)]


def _curve(review: Review, names: list[str], language: str) -> list[str]:
    """A line for each moment; of a race, for a dozen of them."""
    moments = review.curve
    if review.measure == "full" and len(moments) > 12:
        moments = (*moments[:: len(moments) // 12], moments[-1])
    widths = [max(len(name) + 2, 20 if review.measure == "chance" else 8) for name in names]
    lines = ["      " + "".join(_column(names, widths))]
    for moment in moments:
        cells = [interval(one, language) for one in moment.chances]
        lines.append(f"{moment.position:>6}" + "".join(_column(cells, widths)))
    return lines


def _missed(review: Review, turn: Reviewed, names: list[str], language: str) -> list[str]:
    played = turn.played
    lines = [heading(review, turn, names, language)]
    if review.measure == "chance":
        own = Turn(played.layings, played.points)
        width = max(len(say(key, language)) for key in ("played", "better")) + 2
        lines.append(f"{INDENT}{say('played', language):<{width}}{_layings(own)}")
        lines.append(f"{INDENT}{say('better', language):<{width}}{_layings(turn.better)}")
    return [*lines, *_wrapped(why(turn.remarks, language))]


def heading(review: Review, turn: Reviewed, names: list[str], language: str) -> str:
    """Which turn is meant, and what it cost."""
    played, lost = turn.played, turn.lost_chance
    name = "-" if played.player is None else names[played.player]
    if review.game == "alex":
        told = say("missed_round", language, number=turn.number)
    elif review.measure == "full":
        told = say("missed_way", language, number=played.first, name=name)
    else:
        told = say("missed_turn", language, number=turn.number, name=name)
    if lost is not None and not lost.exact:
        return f"{told}: {say('column_lost_chance', language)} {interval(lost, language)}"
    return f"{told}: {counted(review.unit, played.lost, language)}"


def _summaries(review: Review, names: list[str], language: str) -> list[str]:
    lines = []
    for name, player in zip(names, review.players, strict=True):
        if player.pace is not None:
            pace = player.pace
            moves = counted("moves", pace.moves, language)
            lines.append(
                say("pace", language, name=name, framed=pace.framed, needed=pace.needed,
                    moves=moves, out=pace.taken_out)
            )  # fmt: skip
        elif review.game != "alex":
            lost = counted(review.unit, player.lost, language)
            lines.append(
                say("summary", language, name=name, lost=lost, best=player.best_turns,
                    turns=player.turns)
            )  # fmt: skip
    return lines
