"""The coach: its remarks are true, repeatable, and use only what the player may know."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from string import Formatter
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dalapapa.bots.arena import play_game
from dalapapa.bots.estimate import estimate_bounded_mean, estimate_share, make_exact
from dalapapa.bots.lookahead import Prospect
from dalapapa.cli import commands
from dalapapa.coach import Review, Situation, advise, review_game, review_record
from dalapapa.coach.advice import Advice
from dalapapa.coach.encode import CoachReview, encode_advice, encode_review
from dalapapa.coach.futures import make_onlooker, play_on, play_out, redeal
from dalapapa.coach.plot import plot
from dalapapa.coach.races import find_wrong_ways
from dalapapa.coach.reasons import (
    Judged,
    Remark,
    compare_turns,
    compute_leaves,
    describe_parts,
    split_turn,
)
from dalapapa.coach.report import count_columns, format_advice, format_review
from dalapapa.coach.reviews import find_reviewer, list_turns
from dalapapa.coach.words import COUNTED_UNITS, explain, format_count, make_sentence, say
from dalapapa.core.errors import DalapapaError
from dalapapa.core.notation import Laying
from dalapapa.core.points import SECOND_DOMINO_CHARGE, Turn
from dalapapa.core.tiles import standard
from dalapapa.games import REGISTRY, find_game
from dalapapa.games.classic import Classic
from dalapapa.games.game import Step
from dalapapa.games.turns import TargetView
from dalapapa.kernel import solver
from dalapapa.kernel.lookup import lookup_of
from dalapapa.kernel.outlook import Outlook
from dalapapa.kernel.table import Table
from dalapapa.record import Recorder, dump, load, replay
from dalapapa.texts import LANGUAGES, texts

SOON = 0.02
"""Seconds of thought: tests need no good advice, only true one."""

NO_BREAK_SPACES = re.compile("[\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}]")


@cache
def game_of(name: str, *players: str, seed: str = "coach") -> Recorder:
    game = find_game(name)
    options = game.parse_options({"minutes": 5} if name == "puzzle" else {})
    return play_game(game, players or ("medium", "novice"), options, seed)[0]


def steps_of(recorder: Recorder) -> list[Step[Any]]:
    return [recorder.start, *(step for _, step in recorder.moves)]


@pytest.fixture
def few_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole games are played out from two moments only, and few of them."""
    for game in REGISTRY.values():
        monkeypatch.setattr(find_reviewer(game), "moments", 2, raising=False)  # Not of races.
    monkeypatch.setattr("dalapapa.coach.reviewer.PLAYOUT_GAMES", range(3, 5))


def reviewed(recorder: Recorder, seconds: float = SOON) -> Review:
    names = [player.name for player in recorder.players]
    moves = [move for move, _ in recorder.moves]
    return review_game(recorder.game, names, steps_of(recorder), moves, "key", seconds)


# -- numbers -------------------------------------------------------------------------------------


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_an_interval_holds_its_mean_and_stays_possible(values: list[float]) -> None:
    mean = estimate_bounded_mean(values, 0)
    assert 0 <= mean.low <= mean.value <= mean.high <= 1
    assert mean.samples == len(values)
    assert mean.low < mean.high, "samples are never certain"
    share = estimate_share(sum(values), len(values))
    assert 0 <= share.low <= share.value <= share.high <= 1
    assert share.low < share.high


@pytest.mark.parametrize("truth", [0.3, 0.9, 0.99])
@pytest.mark.parametrize("count", [8, 75])
def test_intervals_hold_the_truth_about_as_often_as_they_say(truth: float, count: int) -> None:
    """Of shares, of means, and of differences, of which most are nothing."""
    rng = Random("intervals")
    right = [0, 0, 0]
    for _ in range(400):
        values = [float(rng.random() < truth) for _ in range(count)]
        less = estimate_bounded_mean([value - 1 for value in values])
        for number, (one, share) in enumerate(
            [
                (estimate_share(sum(values), count), truth),
                (estimate_bounded_mean(values, 0), truth),
                (less, truth - 1),
            ]
        ):
            right[number] += one.low <= share <= one.high
    assert min(right) / 400 >= 0.9
    if (truth, count) == (0.3, 75):
        assert max(right) / 400 <= 0.98, "and they are no wider than that"


def test_exact_chances_are_marked_as_exact() -> None:
    assert make_exact(0.5).exact
    assert (make_exact(0.5).low, make_exact(0.5).high) == (0.5, 0.5)
    assert not estimate_bounded_mean([0.5, 0.5]).exact
    assert estimate_share(0, 20).high > 0.05, "nothing in twenty does not mean never"


# -- what a turn earns and leaves ----------------------------------------------------------------


def positions() -> Iterator[tuple[Any, Turn]]:
    recorder = game_of("classic")
    for one in list_turns(recorder.game, steps_of(recorder))[2::7]:
        state = steps_of(recorder)[one.first].state
        assert one.best is not None
        yield recorder.game.view(state, one.player), one.best


def test_parts_and_leaves_agree_with_the_kernel() -> None:
    for view, turn in positions():
        parts = split_turn(view.table, turn.layings)
        assert sum(part.earned.points - part.charge for part in parts) == turn.points
        assert [part.charge for part in parts] == [0, SECOND_DOMINO_CHARGE][: len(parts)]
        left = compute_leaves(view.table, view.hand, turn)
        after = view.table.copy()
        for laying in turn.layings:
            after.lay(laying)
        outlook = Outlook(
            view.table, 2, 2, [lookup_of(after.tiles).index[name] for name in view.hand]
        )
        named = {number: name for name, number in lookup_of(after.tiles).index.items()}
        names = [named[number] for number in outlook.unseen]
        assert left.unseen == len(names)
        best = {name: after.best_turn([name]) for name in names}
        points = {name: turn.points if turn else 0 for name, turn in best.items()}
        assert left.mean == pytest.approx(sum(points.values()) / len(names), abs=1e-4)
        assert left.reply is not None
        assert left.reply.points == max(points.values())
        assert set(left.reply.tiles) == {n for n in names if points[n] == left.reply.points}
        kept = [lookup_of(after.tiles).index[left.kept]] if left.kept else []
        assert left.kept_points == outlook.leaves(turn.layings, kept)[0]
        for colour, sizes in left.closers.items():
            for size, count in sizes.items():
                closing = [
                    name for name in names
                    if any(group.colour == colour and group.size >= size
                           for _, earned in after.scored(name) for group in earned.groups)
                ]  # fmt: skip
                assert count == len(closing)


def test_the_best_turns_of_a_position() -> None:
    view, best = next(positions())
    advice = advise(view.table, view.hand, Situation((31, 28), 60), 4, deals=60)
    assert advice == advise(view.table, view.hand, Situation((31, 28), 60), 4, deals=60)
    every = {turn.layings: turn.points for turn in view.table.best_turns(view.hand, 1_000_000)}
    values = [option.chance.value for option in advice.options]
    assert values == sorted(values, reverse=True)
    assert 2 <= len(values) <= 4
    for option in advice.options:
        turn = option.judged.turn
        assert every[turn.layings] == turn.points <= best.points
        assert option.chance.samples == option.next.samples == 60
    encoded = msgspec.to_builtins(encode_advice(advice, "fr"))
    assert [turn["points"] for turn in encoded["turns"]] == [
        option.judged.turn.points for option in advice.options
    ]
    assert "exact" in json.dumps(encoded)
    for language in LANGUAGES:
        assert len(format_advice(advice, language).splitlines()) > 8


def test_a_turn_that_wins_is_the_best_turn() -> None:
    """In the last turn of the last round, only what brings a point more than the other has wins."""
    recorder = game_of("classic")
    played = max(list_turns(recorder.game, steps_of(recorder)), key=lambda one: one.best.points)  # type: ignore[union-attr]
    best = played.best
    assert best is not None
    state = steps_of(recorder)[played.first].state
    hand = state.hands[played.player]
    last = Situation((61 - best.points, 60), 60, began=1)
    options = advise(state.table, hand, last, deals=8).options
    assert options[0].judged.turn.points == best.points
    assert (options[0].chance, options[-1].chance) == (make_exact(1), make_exact(0))
    assert say("wins_less", "en") not in explain(options[0].remarks, "en")
    assert "100%: this turn ends the game" in format_advice(Advice(last, options))


EXAMPLE = """BYGBR+0@0,0 CRGYB-2@1,-1 BRGYB-2@1,1 ZRBGY-1@2,-1 BBRGY-1@-1,0 CGYBR+0@1,-2
PBRYG+0@-1,-2 DYGBR+0@1,-3"""

REASONS = {
    "en": "Closes a yellow group of 7. 1 point more now.",
    "fr": "Termine un groupe jaune de 7. 1 point de plus tout de suite.",
    "de": "Schließt eine gelbe Gruppe mit 7. Jetzt 1 Punkt mehr.",
    "nl": "Sluit een gele groep van 7. Nu 1 punt meer.",
    "es": "Cierra un grupo amarillo de 7. 1 punto más ahora.",
    "it": "Chiude un gruppo giallo da 7. 1 punto in più adesso.",
}


def test_the_authors_first_example() -> None:
    """Two discs and a yellow group of 7: 9 points, and here the victory, in the last turn."""
    table = Table.parse(EXAMPLE, standard())
    best = advise(table, ["AYRBG"], Situation((52, 60), 60, began=1), deals=8).options[0]
    assert best.judged.turn == Turn((Laying.parse("AYRBG+1@3,-1"),), 9)
    (part,) = best.judged.parts
    assert (part.earned.disc_points, part.earned.group_points, part.charge) == (2, 7, 0)
    assert best.chance == make_exact(1), "for all hands and draws"
    assert {language: explain(best.remarks, language) for language in LANGUAGES} == REASONS


def test_advice_where_nothing_can_be_laid_or_everything_is_free() -> None:
    for hand in (["CRYGB"], ["CRYGB", "ZYRBG"]):
        empty = advise(Table(standard()), hand, deals=4)
        assert [len(option.judged.turn.layings) for option in empty.options] == [1] * 5
        assert "0 discs" not in format_advice(empty)
    one = Table.parse("A+0@0,0", _alone())
    assert advise(one, ["B"]).options == ()
    assert format_advice(advise(one, ["B"]), "de") == "Nichts lässt sich legen."
    assert "Houdt B, die daar nergens past." in format_advice(advise(one, ["B", "C"]), "nl")


def _alone() -> Any:
    from dalapapa.core.tiles import from_rows

    rows = [{"name": "A", "recto": "RRRRRRR", "verso": "RRRRRRR"},
            {"name": "C", "recto": "RRRRRRR", "verso": "RRRRRRR"},
            {"name": "B", "recto": "GGGGGGG", "verso": "GGGGGGG"}]  # fmt: skip
    return from_rows("of this test", [(f"domino {n}", row) for n, row in enumerate(rows)])


@pytest.mark.parametrize(
    ("hand", "situation", "code"),
    [
        ([], Situation(), "bad_hand"),
        (["CRYGB"] * 2, Situation(), "bad_hand"),
        (["CRYGB", "ZYRBG", "ZYBRG"], Situation(), "bad_hand"),
        (["XXXXX"], Situation(), "unknown_domino"),
        (["PRYGB"], Situation(), "already_laid"),
        (["CRYGB"], Situation((1,)), "bad_players"),
        (["CRYGB"], Situation((1, 2, 3, 4, 5)), "bad_players"),
        (["CRYGB"], Situation(target=59), "bad_target"),
        (["CRYGB"], Situation(began=2), "bad_first"),
        (["CRYGB"], Situation(began=-1), "bad_first"),
    ],
)
def test_advice_that_cannot_be_given(hand: list[str], situation: Situation, code: str) -> None:
    with pytest.raises(DalapapaError) as refused:
        advise(Table.parse("PRYGB+0@0,0", standard()), hand, situation)
    assert refused.value.code == code


# -- chances -------------------------------------------------------------------------------------


def test_the_coach_does_not_know_what_is_hidden() -> None:
    """Other dominoes in other hands and in the bag change nothing that the coach says."""
    recorder = game_of("classic")
    steps = steps_of(recorder)
    played = list_turns(recorder.game, steps)[8]
    state, player = steps[played.first].state, played.player
    assert player is not None
    other = 1 - player
    hidden = [*state.hands[other], *state.bag.names]
    Random("hidden").shuffle(hidden)
    hands = list(state.hands)
    hands[other] = tuple(hidden[:2])
    bag = replace(state.bag, names=tuple(hidden[2:]), seed="another")
    changed = replace(state, hands=tuple(hands), bag=bag)
    assert changed != state
    views = [recorder.game.view(one, player) for one in (state, changed)]
    prospects = [Prospect(view, Random("seed")) for view in views]
    turn = Turn(played.layings, played.points)
    assert len({str(play_on(one, turn, one.deals(20))) for one in prospects}) == 1
    watching = [make_onlooker(recorder.game.view(one, other), "seed") for one in
                (state, redeal(state, "all hands"))]  # fmt: skip
    assert len({str(play_on(one, Turn((), 0), one.deals(20))) for one in watching}) == 1
    for name in ("gone", "auction", "alex"):
        recorder = game_of(name)
        state = steps_of(recorder)[-2].state
        again = redeal(state, "elsewhere")
        assert again != state
        assert len(again.bag) == len(state.bag)
        found = [play_out(recorder.game, one, 2, "seed") for one in (state, again)]
        assert found[0] == found[1]


def shares_after(view: TargetView, points: int, line: tuple[int, ...]) -> tuple[float, ...]:
    return Prospect(view, Random("")).estimate_shares(points, line)


def test_chances_are_those_of_the_rules_at_the_end() -> None:
    recorder = game_of("classic")
    state = steps_of(recorder)[-4].state
    view = replace(recorder.game.view(state, 1), scores=(60, 50), viewer=1)
    assert shares_after(view, 9, ()) == (1, 0), "the last of the round has not arrived"
    assert shares_after(view, 10, ()) == (0.5, 0.5)
    assert shares_after(view, 11, ()) == (0, 1)
    first = replace(view, viewer=0, scores=(50, 50))
    assert shares_after(first, 10, (9,)) == (1, 0)
    assert shares_after(first, 10, (10, 30)) == (0.5, 0.5), "the round ends: no player plays on"
    assert sum(shares_after(first, 3, (4,))) == pytest.approx(1)
    empty = replace(first, bag_count=0)
    assert shares_after(empty, 3, (4, 0, 2, 0)) == (0, 1), "all is played"


# -- reviews -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("few_moments")
@pytest.mark.parametrize("name", REGISTRY)
def test_the_review_of_every_game(name: str) -> None:
    who = ("medium", "random") if name == "puzzle" else ("medium", "novice")
    # A game of Gone is short: in this one the novice makes mistakes.
    recorder = game_of(name, *who, seed="a long one" if name == "gone" else "coach")
    found = reviewed(recorder)
    steps = steps_of(recorder)
    end = steps[-1].state.outcome
    assert found.winners == end.winners
    assert found.curve[-1].position == len(steps) - 1
    for moment in found.curve:
        assert len(moment.chances) == 2
        for one in moment.chances:
            assert 0 <= one.low <= one.value <= one.high <= 1
            assert one.exact == (found.measure == "full" or moment is found.curve[-1])
        if found.measure == "chance":
            assert sum(one.value for one in moment.chances) == pytest.approx(1, abs=0.001)
    if found.measure == "chance":
        assert [t.played for t in found.turns] == list_turns(recorder.game, steps)
        wins = [one.value for one in found.curve[-1].chances]
        assert wins == [(seat in end.winners) / len(end.winners) for seat in range(2)]
    assert len(found.missed) <= 3
    assert len(set(found.missed)) == len(found.missed)
    for number in found.missed:
        turn = found.turns[number - 1]
        assert turn.number == number
        assert turn.remarks
        assert turn.better is not None or found.measure == "full"
    for seat, player in enumerate(found.players):
        own = [t.played.lost for t in found.turns if t.played.player == seat]
        assert player.lost == sum(lost for lost in own if lost > 0)
        assert (player.pace is not None) == (found.measure == "full")
    if name not in ("alex", "puzzle", "arlequin"):
        assert found.players[1].lost > 0, "novices lose something"
    for language in LANGUAGES:
        encoded = encode_review(found, language)
        assert msgspec.json.decode(msgspec.json.encode(encoded), type=CoachReview) == encoded
        text = format_review(found, language)
        assert "{" not in text
        assert max(map(len, text.splitlines())) <= 80
        ElementTree.fromstring(plot(found, language))
    what = {"discs": "layings", "cells": "layings", "points": "turns"}.get(found.unit)
    if what and name != "alex":
        assert f"; {what} without loss: " in format_review(found)


def test_a_review_of_a_long_game_has_fewer_moments(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(find_reviewer(REGISTRY["auction"]), "work", 1)
    monkeypatch.setattr("dalapapa.coach.reviewer.PLAYOUT_GAMES", range(1, 2))
    assert len(reviewed(game_of("auction")).curve) == 3 + 1, "and the end"


@pytest.mark.usefixtures("few_moments")
def test_on_a_large_table_fewer_games_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = game_of("gone")
    usual = reviewed(recorder).curve[0].chances[0].samples
    monkeypatch.setattr("dalapapa.coach.reviewer.USUAL_DOMINOES", 0.01)
    assert reviewed(recorder).curve[0].chances[0].samples < usual


@pytest.mark.usefixtures("few_moments")
def test_a_review_fits_a_terminal_for_all_names() -> None:
    found = reviewed(game_of("gone", *["novice"] * 6))
    names = (
        "\N{CJK UNIFIED IDEOGRAPH-540D}" * 50,
        "a\x1b[31m\nb",
        "e\N{COMBINING ACUTE ACCENT}" * 99,
    )
    players = [
        replace(player, name=name) for player, name in zip(found.players, names * 2, strict=True)
    ]
    found = replace(found, players=tuple(players))
    for language in LANGUAGES:
        lines = format_review(found, language).splitlines()
        table = lines[2 : lines.index("", 2)]
        assert len({count_columns(line) for line in table}) == 1, "columns stand below each other"
        assert max(map(count_columns, lines)) <= 80
        heads = [line for line in lines if line.lstrip().startswith(say("column_move", language))]
        assert len(heads) == 2, "four players abreast"
        assert all(NO_BREAK_SPACES.sub(" ", line).isprintable() for line in lines)
        ElementTree.fromstring(plot(found, language))


@pytest.mark.usefixtures("few_moments")
def test_the_same_record_has_the_same_review() -> None:
    recorder = game_of("conquest")
    replayed = replay(load(dump(recorder.record())))
    shares: list[float] = []
    found = review_record(replayed, SOON, shares.append)
    assert found == review_record(replayed, SOON)
    assert 0.9 < sum(shares) <= 1
    names = [player.name for player in recorder.players]
    moves = [move for move, _ in recorder.moves]
    key = replayed.record.commitment
    assert found == review_game(recorder.game, names, replayed.steps, moves, key, SOON)


def test_a_turn_is_compared_with_one_that_is_legal_and_better() -> None:
    recorder = game_of("classic")
    found = reviewed(recorder, 0.03)
    better = 0
    for turn in found.turns:
        assert turn.chance is not None
        if turn.better is None:
            assert turn.lost_chance is None or turn.lost_chance.low <= 0
            continue
        better += 1
        assert turn.lost_chance is not None
        state = steps_of(recorder)[turn.played.first].state
        parts = split_turn(state.table, turn.better.layings)
        assert sum(part.earned.points - part.charge for part in parts) == turn.better.points
        assert {part.laying.tile for part in parts} <= set(state.hands[turn.played.player])
        assert turn.better_chance is not None
        more = turn.better_chance.value - turn.chance.value
        assert turn.lost_chance.value == pytest.approx(more, abs=0.001)
        if turn is found.turns[-1]:
            assert turn.lost_chance.exact, "the game is over with it"
            assert "next player" not in explain(turn.remarks, "en")
            assert "drawn" not in explain(turn.remarks, "en")
        else:
            assert turn.lost_chance.low < turn.lost_chance.value < turn.lost_chance.high
    assert better > 3
    costs = [found.turns[number - 1].lost_chance for number in found.missed]
    assert [cost.value for cost in costs if cost] == sorted(
        [cost.value for cost in costs if cost], reverse=True
    )


def test_wrong_ways_are_proved() -> None:
    for seed in "abcdef":
        recorder = game_of("puzzle", "medium", "random", seed=seed)
        game: Any = recorder.game
        steps = steps_of(recorder)
        movers = [move.player for move, _ in recorder.moves]
        ways = find_wrong_ways(game, steps, movers)
        for way in ways:
            possible = []
            for state in (steps[way.first].state, steps[way.first + 1].state):
                view = game.view(state, way.player)
                found = solver.solve(
                    game.targets(view)[0], standard(), game.supply(view), view.frame
                )
                possible.append(bool(found.solutions))
            assert possible == [True, False]
            assert way.laying in steps[way.first + 1].state.frames[way.player]
            assert way.moves == sum(one == way.player for one in movers[way.first : way.last + 1])
        if ways:
            return
    raise AssertionError("chance never leads astray")


# -- words ---------------------------------------------------------------------------------------


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_every_text_is_there_in_six_languages_with_the_same_placeholders() -> None:
    for key, by_language in texts("coach").items():
        assert set(by_language) == set(LANGUAGES), key
        forms = {
            language: list(text.values()) if isinstance(text, dict) else [text]
            for language, text in by_language.items()
        }
        wanted = {frozenset(fields(one[-1])) for one in forms.values()}
        assert len(wanted) == 1, key
        for language, found in forms.items():
            for text in found:
                assert text.strip() == text
                if language == "fr":
                    assert not re.search(r" [:;!?%]", text), "no-break space"


def judged(points: int, **leaves: Any) -> Judged:
    table = Table.parse("PRYGB+0@0,0", standard())
    turn = table.best_turn(["CRYGB"])
    assert turn is not None
    left = replace(compute_leaves(table, ["CRYGB"], turn), **leaves)
    return Judged(replace(turn, points=points), split_turn(table, turn.layings), left)


SENTENCES = {
    "en": "1 point less now, but no single domino can close a blue group of 9 or more next.",
    "fr": "1 point de moins tout de suite, mais aucun domino ne peut alors terminer à lui seul un "
    "groupe bleu de 9 ou plus.",
    "de": "Jetzt 1 Punkt weniger, aber kein einzelner Stein kann danach eine blaue Gruppe mit 9 "
    "oder mehr schließen.",
    "nl": "Nu 1 punt minder, maar geen enkele steen kan daarna in zijn eentje een blauwe groep "
    "van 9 of meer sluiten.",
    "es": "1 punto menos ahora, pero después ninguna ficha puede cerrar por sí sola un grupo azul "
    "de 9 o más.",
    "it": "1 punto in meno adesso, ma dopo nessuna tessera può chiudere da sola un gruppo blu da "
    "9 o più.",
}


def test_a_reason_in_six_languages() -> None:
    safe = judged(5, closers={}, mean=4.0)
    open_ = judged(6, closers={"B": {9: 30}}, mean=4.1)
    remark = compare_turns(safe, open_, True, 50)
    assert {language: make_sentence(remark, language) for language in LANGUAGES} == SENTENCES
    back = compare_turns(open_, safe, False, 50)
    assert make_sentence(back, "en") == (
        "1 point more now, but 30 dominoes can then close a blue group of 9 or more."
    )


def test_reasons_speak_for_the_verdict() -> None:
    rich, poor = judged(7, closers={}, mean=5.0), judged(5, closers={}, mean=4.0)
    assert make_sentence(compare_turns(rich, poor, True, 9), "en") == "2 points more now."
    assert make_sentence(compare_turns(poor, rich, True, 9), "en") == (
        "2 points less now, but a domino of the next player then earns 4.0 points on average "
        "instead of 5.0."
    )
    assert make_sentence(compare_turns(poor, rich, False, 9), "de") == "Jetzt 2 Punkte weniger."
    assert compare_turns(poor, rich, None, 9).then == Remark("wins_as_often")
    assert compare_turns(poor, rich, None, 0, over=True).then == Remark("changes_nothing")
    same = judged(5, closers={}, mean=4.0, kept="A", kept_points=9)
    less = judged(5, closers={}, mean=4.0, kept="B", kept_points=3)
    assert make_sentence(compare_turns(same, less, True, 9), "en") == (
        "Just as many points now, and the domino that stays in hand could then earn 9 points "
        "instead of 3."
    )
    assert compare_turns(less, same, True, 9).then == Remark("wins_more")


def test_numbers_below_zero_are_counted_like_others() -> None:
    for language, one, none in (("en", "-1 point", "0 points"), ("fr", "-1 point", "0 point")):
        assert (format_count("points", -1, language), format_count("points", 0, language)) == (
            one,
            none,
        )
        assert format_count("points", -2, language) == "-2 points"


def test_a_turn_is_described_in_words() -> None:
    position = Table.parse("PRYGB+0@0,0 BYRGB+0@0,-1", standard())
    layings = [Laying.parse("AYRBG-3@1,-2"), Laying.parse("ZRYGB-3@0,-2")]
    parts = split_turn(position, layings)
    assert make_sentence(describe_parts(parts[:1]), "en") == "Closes a single disc."
    assert make_sentence(describe_parts(parts), "nl") == (
        "Sluit met beide stenen 2 losse schijven: de tweede levert 5 punten op en kost er 4."
    )
    groups = [("G", 7), ("Y", 3)]
    remark = Remark("closes", {"groups": groups, "more": 1})
    assert make_sentence(remark, "it") == (
        "Chiude un gruppo verde da 7, un gruppo giallo da 3 e un altro gruppo."
    )
    for key in ("lays_again", "draws_nothing", "makes_discs"):
        for language in LANGUAGES:
            text = make_sentence(Remark(key, {"discs": 3}), language)
            assert say(COUNTED_UNITS["discs"], language, 3) in text


# -- the command line ----------------------------------------------------------------------------


def run(*words: str, stdin: bytes | None = None) -> Any:
    return CliRunner().invoke(commands, ["analyse", *words], input=stdin)


def test_analyse_prints_a_review_and_draws_it(tmp_path: Path) -> None:
    path, picture = tmp_path / "game.json", tmp_path / "plot.svg"
    path.write_bytes(dump(game_of("classic").record()))
    words = ("--seconds", "0.01", "--language", "es", "-o", str(picture))
    result = run(str(path), *words)
    assert result.exit_code == 0
    assert "Las mayores oportunidades perdidas" in result.output
    assert "Las mayores oportunidades perdidas" in picture.read_text()
    result = run("-", "--json", "--seconds", "0.01", stdin=path.read_bytes())
    again = review_record(replay(load(path.read_bytes())), 0.01)
    expected = msgspec.to_builtins(encode_review(again))
    assert result.output == json.dumps(expected, ensure_ascii=False) + "\n"
    assert len(again.missed) == 3


def test_analyse_advises() -> None:
    words = ("--position", "PRYGB+0@0,0", "--hand", "CRYGB", "ZYRBG", "--seconds", "0.01")
    answer = json.loads(run(*words, "--scores", "31,28,40", "--target", "80", "--json").output)
    assert answer["situation"] == {"scores": [31, 28, 40], "target": 80, "began": 0}
    assert run(*words, "--top", "1", "--language", "it").output.startswith(" 1. ")


RUNNING = json.dumps(
    {
        "format": "dalapapa-record/1", "game": "classic", "options": {},
        "players": [{"name": "a"}, {"name": "b"}], "commitment": "", "moves": [],
        "set": {"name": "120", "fingerprint": standard().fingerprint},
    }
).encode()  # fmt: skip


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([], "usage"),
        (["a", "b"], "usage"),
        (["--hand", "CRYGB", "-"], "usage"),
        (["--scores", "1,2", "-"], "usage"),
        (["--position", "", "--hand", "CRYGB", "-o", "x.svg"], "usage"),
        (["--position", "", "--hand", "CRYGB", "--scores", "1;2"], "bad_scores"),
        (["--position", "", "--hand", "CRYGB", "--scores", ""], "bad_scores"),
        (["--position", "", "--hand", "CRYGB", "--scores", "1"], "bad_players"),
        (["--position", "", "--hand", "CRYGB", "--target", "7"], "bad_target"),
        (["--position", "", "--hand", "CRYGB", "--began", "5"], "bad_first"),
        (["--position", "x", "--hand", "CRYGB"], "malformed_laying"),
        (["--position", ""], "bad_hand"),
        (["-", "--language", "la"], "unknown_language"),
        (["-", "-o", "plot.png"], "bad_output"),
        (["-"], "running"),
        (["/nowhere/at/all"], "unreadable_file"),
        (["-", "--seconds", "nan"], "bad_seconds"),
    ],
)
def test_analyse_refuses(words: list[str], code: str) -> None:
    result = run(*words, stdin=RUNNING)
    assert isinstance(result.exception, DalapapaError)
    assert result.exception.code == code
    assert result.output == ""


@given(st.binary(max_size=60), st.text(max_size=12), st.text(max_size=12))
def test_analyse_survives_nonsense(data: bytes, position: str, hand: str) -> None:
    for words in (["-"], ["--position", position, "--hand", hand, "--scores", hand]):
        result = run(*words, stdin=data)
        assert result.exit_code
        assert isinstance(result.exception, DalapapaError | SystemExit)


def test_a_game_without_a_review_says_so() -> None:
    class Unknown(Classic):
        """The classic game of a package without a `review.py`."""

        name = "unknown"

    game = Unknown()
    recorder = play_game(game, ("greedy", "random"), game.parse_options({}), "coach")[0]
    assert list_turns(game, steps_of(recorder)) == []
    with pytest.raises(DalapapaError, match="cannot review games of unknown") as caught:
        reviewed(recorder)
    assert caught.value.code == "no_review"
