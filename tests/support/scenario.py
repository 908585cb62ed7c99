"""Readable scenarios: a game with forced draws, and what must come of every move.

A scenario is a text file. `#` begins a comment. First what is given:

    game classic                 the game
    players 2
    option target 60             any option of the game, as JSON (or yes, no)
    domino RED RRRRRRR GGGGGGG   a domino of a set of its own (else the standard set); several
    domino A B RRRRRRR GGGGGGG   equal ones may stand on a line
    bag RED BLUE ...             the order of draws; `...` puts the rest of the set behind
    bag ... refused bad_target   the game refuses to begin
    seed abc                     instead of `bag`: the order that follows from a seed
    given scores 58 59           scores at the end of the setup (to begin near an end);
    given tokens 0 2             so, too, tokens (the reserve has the rest of 24)
    given markers_left 1 12      and markers
    given mistakes 2 0           Alex: mistakes made so far

then moves and facts, in order:

    0 lay PRYGB+0@0,0            player 0 lays; a move may say what comes of it:
    0 lay ... -> 2 contacts, closes Y7 R3, charge 4, points 7
    0 end -> drew A B, reached   what the player drew; the target was reached
    1 call 4                     auction: call, raise BID, follow, pass, decline
    1 pass -> won 2 for 6, paid 2 -6, paid 0 6
    0 end -> no drew             nothing of this kind happened
    0 mark 2,1                   conquest: a mark on the disc at that address
    0 lay ... -> marks lost 0 1  the players whose marks a junction took away
    0 end -> counted 1 G5        a mark of player 1 on a closed green group of 5
    0 take A -> took A           races: take, take_out, put_back, give_up
    0 fills A+0@0,0 B+0@2,0      the player takes (in puzzle) and lays these, one by one
    0 announce 9                 alex; then lay and end to show the turn
    0 end -> proved 0 9 of 10    what was announced, and what it was worth
    0 end -> punished 0 2 points -9, shows 1 with 7     the second mistake; the next one shows
    time up                      the time that runs has run out
    1 lay ... -> put back A      before or after: any event of the move may be named
    1 pass refused cannot_pass   the move is refused with this code, and nothing changes
    scores 9 0                   facts about the state
    hand 1 A B
    bag has 3
    active 1
    actors 1 0 2                 who may act
    asked 2                      whom a table of programs asks next
    table has 5                  dominoes on the table
    tokens 2 2 reserve 20        72: tokens; `markers left 12 12`, `markers 0@2,1`
    marks 0@2,1 1@4,1            marks on the table; `marks left 3 2`
    frame 0 has 8                races; also `held 0 A`, `held 0 nothing`, `middle has 112`
    drawn A B                    alex; also `phase show`, `round 2`, `mistakes 1 0`, `sitting 1`
    seconds 60                   the time that runs; 0: none
    limit 1200                   alex: the time of the whole game; `limit up`: it is over
    over winners 0 1 reason blocked; `going`: not over

A scenario may instead be about a table only: `position ...` and then `lay ...` (no player),
`refused CODE lay ...`, and `closed 7 6 5 2 1 1` for the sizes of its closed groups.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from dalapapa.core.errors import DalapapaError
from dalapapa.core.notation import Laying
from dalapapa.core.tiles import standard
from dalapapa.games import find_game
from dalapapa.games.bag import Bag, fill_bag
from dalapapa.games.events import (
    AuctionWon,
    Drew,
    Event,
    Framed,
    GaveUp,
    Laid,
    MarkCounted,
    MarkerPut,
    MarkerTakenBack,
    MarksLost,
    Paid,
    PassedOver,
    PremiumGivenBack,
    PremiumTaken,
    Proved,
    Punished,
    Revealed,
    RoundBegan,
    RoundSkipped,
    Showed,
    Showing,
    TakenOut,
    TargetReached,
    TimeRanOut,
    TokensMoved,
    Took,
    TurnEnded,
    Undone,
    WentBack,
)
from dalapapa.games.moves import (
    Announce,
    Call,
    Decline,
    End,
    Follow,
    GiveUp,
    Lay,
    Mark,
    Move,
    NoMore,
    Pass,
    PlayAgain,
    PutBack,
    Raise,
    Take,
    TakeOut,
    TimeUp,
    Undo,
)
from dalapapa.games.options import TileRow, resolve_set
from dalapapa.kernel.table import Table


def run(path: Path) -> Table:
    """Play a scenario; an AssertionError names its line. The table at its end."""
    scenario = Scenario()
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        words = line.split("#")[0].strip()
        if words:
            try:
                scenario.read(words)
            except (AssertionError, DalapapaError) as error:
                raise AssertionError(f"{path.name}:{number}: {words}\n  {error}") from error
    assert scenario.checks, f"{path.name} checks nothing"
    return scenario.table


class Scenario:
    def __init__(self) -> None:
        self.game: Any = None
        self.players = 2
        self.options: dict[str, Any] = {}
        self.dominoes: list[TileRow] = []
        self.bag: list[str] = []
        self.given: dict[str, Any] = {}
        self.state: Any = None
        self.table: Table = Table(standard())
        self.checks = 0

    def read(self, line: str) -> None:
        head, *rest = line.split()
        if head.isdigit():
            self.play(line)
        elif hasattr(self, f"say_{head}"):
            getattr(self, f"say_{head}")(rest)
        else:
            raise AssertionError(f"a scenario has no line {head!r}")

    # -- what is given -----------------------------------------------------------------------

    def say_game(self, words: list[str]) -> None:
        self.game = find_game(words[0])

    def say_players(self, words: list[str]) -> None:
        self.players = int(words[0])

    def say_option(self, words: list[str]) -> None:
        value = " ".join(words[1:])
        self.options[words[0]] = json.loads({"yes": "true", "no": "false"}.get(value, value))

    def say_domino(self, words: list[str]) -> None:
        *names, recto, verso = words
        self.dominoes += [TileRow(name, recto, verso) for name in names]

    def say_given(self, words: list[str]) -> None:
        self.given[words[0]] = tuple(map(int, words[1:]))
        if words[0] == "tokens":
            self.given["reserve"] = 24 - sum(self.given["tokens"])

    def say_position(self, words: list[str]) -> None:
        self.table = Table(" ".join(words), self.table.tiles)

    def say_bag(self, words: list[str]) -> None:
        if words[0] == "has":
            self.fact(len(self.state.bag), int(words[1]))
            return
        if "refused" in words:
            at = words.index("refused")
            self.refused(words[at + 1], lambda: self.start(words[:at]))
        else:
            self.take(self.start(words))

    def start(self, words: list[str]) -> Any:
        if self.dominoes:
            self.options["set"] = msgspec.to_builtins(self.dominoes)
        options = self.game.parse_options(self.options)
        names = self.game.tiles(options).names
        order = [word for word in words if word != "..."]
        if "..." in words:
            order += [name for name in names if name not in order]
        return self.game.start(self.players, options, Bag(tuple(order), "scenario"))

    def say_seed(self, words: list[str]) -> None:
        options = self.game.parse_options(self.options)
        bag = fill_bag(self.game.tiles(options).names, words[0])
        self.take(self.game.start(self.players, options, bag))

    # -- moves -------------------------------------------------------------------------------

    def play(self, line: str) -> None:
        expected, _, wanted = line.partition("->")
        player, kind, *rest = expected.split()
        plain: dict[str, Any] = {
            "end": End, "pass": Pass, "undo": Undo, "decline": Decline, "follow": Follow,
            "replay": PlayAgain, "put_back": PutBack, "give_up": GiveUp,
        }  # fmt: skip
        move: Move
        if kind == "fills":
            for laying in rest:
                if hasattr(self.state, "held"):
                    self.play(f"{player} take {laying.partition('+')[0].partition('-')[0]}")
                self.play(f"{player} lay {laying}")
            return
        if kind == "lay":
            move = Lay(int(player), Laying.parse(rest.pop(0)))
        elif kind in ("call", "raise"):
            move = (Call if kind == "call" else Raise)(int(player), int(rest.pop(0)))
        elif kind == "mark":
            x, y = rest.pop(0).split(",")
            move = Mark(int(player), (int(x), int(y)))
        elif kind == "take":
            move = Take(int(player), rest.pop(0))
        elif kind == "take_out":
            move = TakeOut(int(player), rest.pop(0))
        elif kind == "announce":
            move = Announce(int(player), int(rest.pop(0)), getattr(self.state, "round", 1))
        elif kind == "pass" and self.game.name == "alex":
            best = self.game.view(self.state, None).announced
            move = NoMore(int(player), best, self.state.round)
        else:
            move = plain[kind](int(player))
        self.make(move, rest, wanted)

    def say_time(self, words: list[str]) -> None:
        expected, _, wanted = " ".join(words).partition("->")
        timer = self.game.timer(self.state)
        self.make(TimeUp(timer.number if timer else 1), expected.split()[1:], wanted)

    def make(self, move: Move, rest: list[str], wanted: str) -> None:
        if rest[:1] == ["refused"]:
            before = repr(self.state), str(self.table.layings)
            self.refused(rest[1], lambda: self.game.apply(self.state, move))
            assert (repr(self.state), str(self.table.layings)) == before
            return
        step = self.game.apply(self.state, move)
        self.take(step)
        self.compare(step.events, wanted)

    def take(self, step: Any) -> None:
        self.state = step.state
        if self.given and self.state.phase != "setup":
            self.state = msgspec.structs.replace(self.state, **self.given)
            self.given = {}
        if self.state.table is not None:
            self.table = self.state.table

    def refused(self, code: str, call: Any) -> None:
        try:
            call()
        except DalapapaError as error:
            self.fact(error.code, code)
        else:
            raise AssertionError(f"was allowed, but should be refused with {code}")

    def compare(self, events: tuple[Event, ...], wanted: str) -> None:
        said = {word for event in events for word in in_words(event)}
        for words in filter(None, (part.strip() for part in wanted.split(","))):
            self.checks += 1
            if words.startswith("no ") and words != "no points":
                unwanted = words.removeprefix("no ")
                assert not any(word.startswith(unwanted) for word in said), sorted(said)
                continue
            assert words in said, f"wanted {words!r}, got {sorted(said)}"
            if words.endswith("contacts") and "closes" not in wanted:
                assert not any(word.startswith("closes") for word in said), sorted(said)

    # -- facts -------------------------------------------------------------------------------

    def fact(self, got: Any, wanted: Any) -> None:
        self.checks += 1
        assert got == wanted, f"got {got!r}, wanted {wanted!r}"

    def say_scores(self, words: list[str]) -> None:
        self.fact(self.state.scores, tuple(map(int, words)))

    def say_hand(self, words: list[str]) -> None:
        self.fact(self.state.hands[int(words[0])], tuple(words[1:]))

    def say_active(self, words: list[str]) -> None:
        self.fact(self.state.active, int(words[0]))

    def say_table(self, words: list[str]) -> None:
        self.fact(len(self.state.table), int(words[1]))

    def say_tokens(self, words: list[str]) -> None:
        self.fact([*map(str, self.state.tokens), "reserve", str(self.state.reserve)], words)

    def say_markers(self, words: list[str]) -> None:
        if words[:1] == ["left"]:
            self.fact(self.state.markers_left, tuple(map(int, words[1:])))
        else:
            self.fact(placed(self.state.markers), words)

    def say_actors(self, words: list[str]) -> None:
        self.fact(self.game.actors(self.state), tuple(map(int, words)))

    def say_frame(self, words: list[str]) -> None:
        self.fact(len(self.state.frames[int(words[0])]), int(words[2]))

    def say_held(self, words: list[str]) -> None:
        self.fact(self.state.held[int(words[0])] or "nothing", words[1])

    def say_middle(self, words: list[str]) -> None:
        self.fact(len(self.state.middle), int(words[1]))

    def say_drawn(self, words: list[str]) -> None:
        self.fact(list(self.state.drawn), words)

    def say_phase(self, words: list[str]) -> None:
        self.fact([self.state.phase], words)

    def say_round(self, words: list[str]) -> None:
        self.fact(self.state.round, int(words[0]))

    def say_mistakes(self, words: list[str]) -> None:
        self.fact(self.state.mistakes, tuple(map(int, words)))

    def say_sitting(self, words: list[str]) -> None:
        self.fact(self.state.sitting_out, tuple(map(int, words)))

    def say_limit(self, words: list[str]) -> None:
        if words[0] == "up":
            expected, _, wanted = " ".join(words[1:]).partition("->")
            self.make(TimeUp(0), expected.split(), wanted)
        else:
            limit = self.game.time_limit(self.state)
            self.fact(limit.seconds if limit else 0, int(words[0]))

    def say_seconds(self, words: list[str]) -> None:
        timer = self.game.timer(self.state)
        self.fact(timer.seconds if timer else 0, int(words[0]))

    def say_asked(self, words: list[str]) -> None:
        self.fact(self.game.next_actors(self.state), tuple(map(int, words)))

    def say_marks(self, words: list[str]) -> None:
        if words[:1] == ["left"]:
            self.fact(self.state.marks_left, tuple(map(int, words[1:])))
        else:
            self.fact(placed(self.state.marks), words)

    def say_going(self, words: list[str]) -> None:
        self.fact([*words, self.game.outcome(self.state)], [None])

    def say_over(self, words: list[str]) -> None:
        outcome = self.game.outcome(self.state)
        assert outcome is not None, "the game is not over"
        reason = words.index("reason")
        self.fact(list(outcome.winners), [int(word) for word in words[1:reason]])
        self.fact(outcome.reason, words[reason + 1])

    def say_lay(self, words: list[str]) -> None:
        if self.dominoes and not len(self.table):
            self.table = Table(resolve_set(tuple(self.dominoes)))
        line = " ".join(words)
        expected, _, wanted = line.partition("->")
        laying = Laying.parse(expected.strip())
        self.compare((Laid(0, laying, self.table.lay(laying)),), wanted)

    def say_refused(self, words: list[str]) -> None:
        laying = Laying.parse(words[2])
        layings = self.table.layings
        self.refused(words[0], lambda: self.table.lay(laying))
        assert self.table.layings == layings

    def say_closed(self, words: list[str]) -> None:
        sizes = [group.size for group in self.table.groups() if group.closed]
        self.fact(sizes, [int(word) for word in words])


def placed(marks: Any) -> list[str]:
    """Marks or markers as scenarios write them."""
    return [f"{mark.player}@{mark.disc[0]},{mark.disc[1]}" for mark in marks]


def in_words(event: Event) -> list[str]:
    """The words for an event that a scenario may ask for."""
    match event:
        case Drew(tiles=tiles) if tiles:
            return ["drew " + " ".join(tiles)]
        case WentBack(tile=tile):
            return [f"put back {tile}"]
        case Laid(scores=False, earned=earned):
            return ["no points", f"{earned.contacts} contacts"]
        case Laid(earned=earned, charge=charge):
            words = [f"{earned.contacts} contacts", f"discs {earned.disc_points}"]
            if earned.groups:
                words.append("closes " + " ".join(f"{g.colour}{g.size}" for g in earned.groups))
            if charge:
                words.append(f"charge {charge}")
            return [*words, f"points {event.points}"]
        case Undone(points=points):
            return [f"points {points}"]
        case TurnEnded(turn_points=points):
            return [f"turn {points}"]
        case PassedOver(player=player):
            return [f"passed over {player}"]
        case TargetReached():
            return ["reached"]
        case AuctionWon(player=player, bid=bid):
            return [f"won {player} for {bid}"]
        case Paid(player=player, points=points):
            return [f"paid {player} {points}"]
        case MarksLost(players=players):
            return ["marks lost " + " ".join(map(str, players))]
        case TokensMoved(player=player, tokens=tokens):
            return [f"tokens {player} {tokens:+}"]
        case MarkerPut(player=player, colour=colour, points=points):
            return [f"marker {player} {colour}{points}"]
        case MarkerTakenBack(points=points):
            return [f"points {points}"]
        case PremiumTaken(player=player):
            return [f"premium {player}"]
        case PremiumGivenBack(player=player, points=points):
            return [f"premium of {player} back {points}"]
        case Showed(tiles=tiles):
            return ["showed " + " ".join(tiles)]
        case MarkCounted(player=player, colour=colour, points=points):
            return [f"counted {player} {colour}{points}"]
        case Took(tile=tile):
            return [f"took {tile}"]
        case TakenOut(laying=laying):
            return [f"taken out {laying.tile}"]
        case Framed(contacts=contacts):
            return [f"{contacts} contacts"]
        case GaveUp(player=player):
            return [f"gave up {player}"]
        case RoundBegan(round=number, tiles=tiles):
            return [f"round {number}", "shown " + " ".join(tiles)]
        case RoundSkipped(round=number):
            return [f"round {number} skipped"]
        case TimeRanOut():
            return ["time ran out"]
        case Showing(player=player, announced=announced):
            return [f"shows {player} with {announced}"]
        case Proved(player=player, points=points, shown=shown):
            return [f"proved {player} {points} of {shown}"]
        case Punished(player=player, mistake=mistake, points=points):
            return [f"punished {player} {mistake} points {points}"]
        case Revealed(best=best):
            return [f"best {best.points}" if best else "best nothing"]
        case _:
            return []
