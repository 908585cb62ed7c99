"""Readable scenarios: a game with forced draws, and what must come of every move.

A scenario is a text file. `#` begins a comment. First what is given:

    game classic                 the game
    players 2
    option target 60             any option of the game, as JSON (or yes, no)
    domino RED RRRRRRR GGGGGGG   a domino of a set of its own (else the standard set)
    bag RED BLUE ...             the order of draws; `...` puts the rest of the set behind
    given scores 58 59           scores at the end of the setup (to begin near an end);
    given tokens 0 2             so, too, tokens (the reserve has the rest of 24)
    given markers_left 1 12      and markers

then moves and facts, in order:

    0 lay PRYGB+0@0,0            player 0 lays; a move may say what comes of it:
    0 lay ... -> 2 contacts, closes Y7 R3, charge 4, points 7
    0 end -> drew A B, reached   what the player drew; the target was reached
    1 call 4                     auction: call, raise BID, follow, pass, decline
    1 pass -> won 2 for 6, paid 2 -6, paid 0 6
    0 mark 2,1                   conquest: a mark on the disc at that address
    0 lay ... -> marks lost 0 1  the players whose marks a junction took away
    0 end -> counted 1 G5        a mark of player 1 on a closed green group of 5
    1 lay ... -> put back A      before or after: any event of the move may be named
    1 pass refused cannot_pass   the move is refused with this code, and nothing changes
    scores 9 0                   facts about the state
    hand 1 A B
    bag has 3
    active 1
    actors 1 0 2
    table has 5                  dominoes on the table
    tokens 2 2 reserve 20        72: tokens; `markers left 12 12`
    marks 0@2,1 1@4,1            marks on the table; `marks left 3 2`
    over winners 0 1 reason blocked

A scenario may instead be about a table only: `position ...` and then `lay ...` (no player),
`refused CODE lay ...`, and `closed 7 6 5 2 1 1` for the sizes of its closed groups.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from dalapapa.errors import DalapapaError
from dalapapa.games import find
from dalapapa.games.bag import Bag
from dalapapa.games.events import (
    AuctionWon,
    Drew,
    Event,
    Laid,
    MarkCounted,
    MarkerPut,
    MarkerTakenBack,
    MarksLost,
    Paid,
    PassedOver,
    PremiumTaken,
    PutBack,
    Showed,
    TargetReached,
    TokensMoved,
    TurnEnded,
    Undone,
)
from dalapapa.games.game import TileRow, tile_set
from dalapapa.games.moves import (
    Call,
    Decline,
    End,
    Follow,
    Lay,
    Mark,
    Move,
    Pass,
    Raise,
    Replay,
    Undo,
)
from dalapapa.notation import Laying, parse_position
from dalapapa.table import Table
from dalapapa.tiles import standard


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
        self.game = find(words[0])

    def say_players(self, words: list[str]) -> None:
        self.players = int(words[0])

    def say_option(self, words: list[str]) -> None:
        value = " ".join(words[1:])
        self.options[words[0]] = json.loads({"yes": "true", "no": "false"}.get(value, value))

    def say_domino(self, words: list[str]) -> None:
        self.dominoes.append(TileRow(*words))

    def say_given(self, words: list[str]) -> None:
        self.given[words[0]] = tuple(map(int, words[1:]))
        if words[0] == "tokens":
            self.given["reserve"] = 24 - sum(self.given["tokens"])

    def say_position(self, words: list[str]) -> None:
        self.table = Table(self.table.tiles, parse_position(" ".join(words)))

    def say_bag(self, words: list[str]) -> None:
        if words[0] == "has":
            self.fact(len(self.state.bag), int(words[1]))
            return
        if self.dominoes:
            self.options["set"] = msgspec.to_builtins(self.dominoes)
        options = self.game.parse_options(self.options)
        names = self.game.tiles(options).names
        order = [word for word in words if word != "..."]
        if "..." in words:
            order += [name for name in names if name not in order]
        step = self.game.start(self.players, options, Bag(tuple(order), "scenario"))
        self.take(step)

    # -- moves -------------------------------------------------------------------------------

    def play(self, line: str) -> None:
        told, _, wanted = line.partition("->")
        player, kind, *rest = told.split()
        plain: dict[str, Any] = {
            "end": End, "pass": Pass, "undo": Undo, "decline": Decline, "follow": Follow,
            "replay": Replay,
        }  # fmt: skip
        move: Move
        if kind == "lay":
            move = Lay(int(player), Laying.parse(rest.pop(0)))
        elif kind in ("call", "raise"):
            move = (Call if kind == "call" else Raise)(int(player), int(rest.pop(0)))
        elif kind == "mark":
            x, y = rest.pop(0).split(",")
            move = Mark(int(player), (int(x), int(y)))
        else:
            move = plain[kind](int(player))
        if rest[:1] == ["refused"]:
            before = self.state
            layings = before.table.layings
            self.refused(rest[1], lambda: self.game.apply(self.state, move))
            assert self.state is before
            assert before.table.layings == layings
            return
        step = self.game.apply(self.state, move)
        self.take(step)
        self.compare(step.events, wanted)

    def take(self, step: Any) -> None:
        self.state = step.state
        if self.given and self.state.phase == "play":
            self.state = msgspec.structs.replace(self.state, **self.given)
            self.given = {}
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
        self.fact(self.state.markers_left, tuple(map(int, words[1:])))

    def say_actors(self, words: list[str]) -> None:
        self.fact(self.game.actors(self.state), tuple(map(int, words)))

    def say_marks(self, words: list[str]) -> None:
        if words[:1] == ["left"]:
            self.fact(self.state.marks_left, tuple(map(int, words[1:])))
        else:
            marks = [f"{m.player}@{m.disc[0]},{m.disc[1]}" for m in self.state.marks]
            self.fact(marks, words)

    def say_over(self, words: list[str]) -> None:
        outcome = self.game.outcome(self.state)
        assert outcome is not None, "the game is not over"
        reason = words.index("reason")
        self.fact(list(outcome.winners), [int(word) for word in words[1:reason]])
        self.fact(outcome.reason, words[reason + 1])

    def say_lay(self, words: list[str]) -> None:
        if self.dominoes and not len(self.table):
            self.table = Table(tile_set(tuple(self.dominoes)))
        line = " ".join(words)
        told, _, wanted = line.partition("->")
        laying = Laying.parse(told.strip())
        self.compare((Laid(0, laying, self.table.lay(laying)),), wanted)

    def say_refused(self, words: list[str]) -> None:
        laying = Laying.parse(words[2])
        layings = self.table.layings
        self.refused(words[0], lambda: self.table.lay(laying))
        assert self.table.layings == layings

    def say_closed(self, words: list[str]) -> None:
        sizes = [group.size for group in self.table.groups() if group.closed]
        self.fact(sizes, [int(word) for word in words])


def in_words(event: Event) -> list[str]:
    """The words for an event that a scenario may ask for."""
    match event:
        case Drew(tiles=tiles) if tiles:
            return ["drew " + " ".join(tiles)]
        case PutBack(tile=tile):
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
        case Showed(tiles=tiles):
            return ["showed " + " ".join(tiles)]
        case MarkCounted(player=player, colour=colour, points=points):
            return [f"counted {player} {colour}{points}"]
        case _:
            return []
