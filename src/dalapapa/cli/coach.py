"""The coach: review a finished game, or advise about a position."""

from __future__ import annotations

import re
from typing import Any

import click

from ..core.errors import BadInput
from ..core.interrupts import watch_interrupts
from .completion import DOMINOES, FILE, LANGUAGE, SET
from .help import Whole, command, say
from .shared import (
    Seconds,
    json_option,
    leave,
    print_json,
    progress,
    read_replay,
    read_table,
    split_names,
)


@command()
@click.argument("words", nargs=-1, metavar="[RECORD]", type=FILE)
@click.option("--position", metavar="P",
              help="Layings instead of a record, or - for standard input.")  # fmt: skip
@click.option("--hand", multiple=True, metavar="NAME [NAME]", type=DOMINOES,
              help="With --position: one or two dominoes.")  # fmt: skip
@click.option("--scores", metavar="N,N[,...]",
              help="With --position: the scores in order of play, yours first.")  # fmt: skip
@click.option("--target", type=Whole(), metavar="POINTS",
              help="With --position: the target; default: 60.")  # fmt: skip
@click.option("--began", type=Whole(), metavar="N",
              help="With --position: the seat that began the round, counted from yours;"
                   " default: 0.")  # fmt: skip
@click.option("--top", type=Whole(1, 8), metavar="K",
              help="With --position: how many turns to show, 1 to 8; default: 5.")  # fmt: skip
@click.option("--language", default="en", show_default=True, metavar="LANGUAGE", type=LANGUAGE,
              help="The language: en, fr, de, nl, es or it.")  # fmt: skip
@click.option("--seconds", default=0.2, show_default=True, metavar="S",
              type=Seconds(0.01, 10), help="How long to think about each turn.")  # fmt: skip
@click.option("-o", "--output", metavar="FILE.svg", type=FILE,
              help="With a record: also draw chances and lost points.")  # fmt: skip
@click.option("--set", "set_name", metavar="SET", type=SET,
              help="With --position: the set, 120, 72, or a .json or .csv file.")  # fmt: skip
@json_option
def analyse(
    words: tuple[str, ...], position: str | None, hand: tuple[str, ...], language: str,
    seconds: float, output: str | None, as_json: bool, **situation: Any,
) -> None:  # fmt: skip
    """Ask the coach about a finished game or a position.

    For a game, give its RECORD (- for standard input): you see what each turn lost, each player's
    chances of winning and the biggest chances missed. For a position, give --position and
    --hand: you see the best turns, what each one leaves for the others, and why.
    """
    from ..coach.words import check_language

    check_language(language)
    if position is not None:
        if output is not None:
            raise BadInput("-o needs a record: it cannot draw the advice for a position.", "usage")
        return _advise(position, (*hand, *words), language, seconds, as_json, situation)
    if hand or any(value is not None for value in situation.values()):
        raise BadInput(
            "Options about a position, such as --hand and --scores, need --position.", "usage"
        )
    if len(words) != 1:
        many = (
            "Give one record, not several" if words else "Give a record, or --position and --hand"
        )
        raise BadInput(f"{many}.", "usage")
    return _review(words[0], language, seconds, output, as_json)


def _advise(
    position: str, hand: tuple[str, ...], language: str, seconds: float, as_json: bool,
    situation: dict[str, Any],
) -> None:  # fmt: skip
    from ..coach import Situation, advise
    from ..coach.advice import DEALS
    from ..coach.encode import encode_advice
    from ..coach.report import format_advice
    from ..coach.reviewer import TURN_REVIEW_S

    names = split_names(hand)
    if not names:
        raise BadInput("Give the dominoes in hand: --hand NAME, or --hand NAME NAME.", "bad_hand")
    given: dict[str, Any] = {
        key: situation[key] for key in ("target", "began") if situation[key] is not None
    }
    if situation["scores"] is not None:
        scores = situation["scores"].split(",")
        if not all(re.fullmatch(r" *-?[0-9]{1,5} *", score) for score in scores):
            raise BadInput(
                "--scores must be whole numbers separated by commas, like 31,28.", "bad_scores"
            )
        given["scores"] = tuple(map(int, scores))
    table = read_table(position, situation["set_name"] or "120")
    deals = max(2, round(DEALS * seconds / TURN_REVIEW_S))
    advice = advise(table, names, Situation(**given), situation["top"] or 5, deals)
    if as_json:
        return print_json(encode_advice(advice, language))
    return _say_lines(format_advice(advice, language))


def _review(file: str, language: str, seconds: float, output: str | None, as_json: bool) -> None:
    from ..coach import review_record
    from ..coach.encode import encode_review
    from ..coach.plot import plot
    from ..coach.report import format_review
    from ..coach.reviewer import Enough
    from ..core.files import check_writable, write

    if output is not None:
        if not output.lower().endswith(".svg"):
            raise BadInput(f"{output}: the file name must end with .svg.", "bad_output")
        check_writable(output)
    game = read_replay(file)
    with progress("analyse", 100, minimum=0) as advance, watch_interrupts() as request:

        def on_progress(share: float) -> None:
            advance(100 * share)
            if request.stop:
                raise Enough

        review = review_record(game, seconds, on_progress)
    if output is not None and not request.stop:
        write(output, plot(review, language).encode())
    if as_json:
        print_json(encode_review(review, language))
    else:
        _say_lines(format_review(review, language))
    if request.stop:
        files = "; no file was written" * (output is not None)
        leave(f"Interrupted after {len(review.turns)} turns{files}.")


def _say_lines(text: str) -> None:
    for line in text.split("\n"):
        say(line, len(line) - len(line.lstrip()) + 2)
