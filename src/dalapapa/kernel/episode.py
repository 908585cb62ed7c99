"""A classic game for learning programs: actions are numbers, and its arrays stay up to date.

Like `table.py`, this is ordinary Python that the build compiles with the types of `episode.pxd`.
The rules are those of `games/classic/rules.py`, which says why; here they are a second time for
speed, without events, undo and old states, and tests play both side by side. What is written
for a seat is what the view of that seat has.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..core.tiles import COLOURS, TileSet
from .lookup import FRONT_COUNT, MAX_X, MAX_Y, MIN_X, MIN_Y, ROOM
from .painter import Painter
from .planes import FACE, POSES, NumberArray
from .table import Table

SETUP, PLAY, OVER = range(3)
"""The phases."""

FIRST_DOMINOES = 23
"""The dominoes that fit on the first torus: few games need a larger one."""

SHARED, EACH = 6, 3
"""Facts of the game, and of each player."""


class Terms(NamedTuple):
    """The options of a game."""

    players: int
    target: int
    first: int
    hand: int
    """The size of a refilled hand."""
    charge: int
    """The cost of the second domino of a turn, and of each after it."""
    limit: int
    """The number of moves after which a game is truncated."""
    by_score: bool
    """Whether rewards are changes of the score, or come with victory."""


class EpisodeArrays(NamedTuple):
    """The arrays of one game, flat."""

    board: NumberArray
    hand: NumberArray
    unseen: NumberArray
    facts: NumberArray
    mask: NumberArray
    legal: NumberArray
    points: NumberArray | None
    rewards: NumberArray


class Episode:
    """One game after the other, each with a bag in a given order."""

    def __init__(
        self,
        tiles: TileSet,
        terms: Terms,
        window: int,
        rows: EpisodeArrays,
        reshuffled: Callable[[tuple[int, ...], str, int], Sequence[int]],
    ) -> None:
        """`reshuffled` returns the order of a bag into which dominoes were put back."""
        self.players, self.target, self.first, self.hand = terms[:4]
        self.charge, self.limit, self.by_score = terms[4:]
        self.table = Table(tiles)._roomy(FIRST_DOMINOES)
        self.tiles_count = self.table.lookup.count
        self.painter = Painter(window, rows.board, rows.mask, rows.legal, rows.points)
        self.hand_row = rows.hand
        self.unseen_row = rows.unseen
        self.facts_row = rows.facts
        self.rewards_row = rows.rewards
        self.reshuffled = reshuffled
        self.seed = ""
        self.end = POSES * self.hand * window * window
        """The numbers of `end`, `pass` and `elsewhere` follow those of layings."""
        names = self.table.lookup.names
        places = {name: place for place, name in enumerate(tiles.names)}
        self.place_in_set = array("i", [places[name] for name in names])
        faces = [face for name in names for face in (tiles[name].recto, tiles[name].verso)]
        bits = [colour == one for face in faces for colour in face for one in COLOURS]
        self.faces = array("b", bits)
        self.width = 2 * FACE * len(COLOURS)
        self.hands = array("i", bytes(4 * self.players * self.hand))
        self.held = array("i", bytes(4 * self.players))
        self.scores = array("i", bytes(4 * self.players))
        self.before = array("i", bytes(4 * self.players))
        self.bag = array("i", bytes(4 * self.tiles_count))
        self.bag_next = self.bag_end = 0
        self.seen = array("b", bytes(self.tiles_count))
        """Whether a domino, by its number in the set, is on the table."""
        self.poses = array("i", bytes(4 * self.tiles_count))
        self.columns = array("i", bytes(4 * self.tiles_count))
        self.rows = array("i", bytes(4 * self.tiles_count))
        self.laid = 0
        """The layings so far."""
        self.phase = OVER
        self.active = self.turn = self.passed = self.made = self.shuffles = 0
        self.last_round = self.terminated = self.truncated = False

    # -- a game ------------------------------------------------------------------------------

    def begin(self, order: Sequence[int], seed: str) -> None:
        """Start a game, with dominoes (by their number in the lookup) in this order."""
        while self.table.log_depth:
            self.table._unplace()
        self.seed = seed
        self._fill(order)
        for seat in range(self.players):
            self.held[seat] = self.scores[seat] = 0
        for tile in range(self.tiles_count):
            self.seen[tile] = 0
        self.laid = self.turn = self.passed = self.made = self.shuffles = 0
        self.last_round = self.terminated = self.truncated = False
        self.phase = SETUP
        self.active = self.first
        self._all_draw(1)
        self.painter.watch(self.table)
        self.painter.paint(self.table)
        self.painter.forbid_all()
        self._ask()

    def _fill(self, order: Sequence[int]) -> None:
        """Fill the bag in this order."""
        self.bag_next = 0
        self.bag_end = len(order)
        for place in range(self.bag_end):
            self.bag[place] = order[place]

    def is_legal(self, number: int) -> bool:
        """Whether an action may be chosen now."""
        return 0 <= number < self.end + 3 and self.painter.mask[number] != 0

    def act(self, number: int) -> None:
        """Make the move of a legal action, and update the arrays."""
        for seat in range(self.players):
            self.before[seat] = self.scores[seat]
        self.made += 1
        area = self.painter.area
        if number < self.end:
            place = number % area
            plane = number // area
            column = self.painter.left + place % self.painter.size
            row = self.painter.top + place // self.painter.size
            self._lay(plane // POSES, plane % POSES, column, row)
        elif number == self.end:
            self._draw(self.active, self.hand - self.held[self.active])
            self._turn_over()
        elif number == self.end + 1:
            self.passed |= 1 << self.active
            self._turn_over()
        else:
            self._lay_elsewhere()
        self.terminated = self.phase == OVER
        self.truncated = not self.terminated and self.made >= self.limit
        self._reward()
        self.painter.forbid_all()
        if not self.terminated and not self.truncated:
            self._ask()

    def _lay(self, slot: int, turned: int, column: int, row: int) -> None:
        seat = self.active
        tile = self._taken(slot)
        pose = 8 * tile + turned
        self.poses[self.laid] = pose
        self.columns[self.laid] = column
        self.rows[self.laid] = row
        self.laid += 1
        self.seen[self.place_in_set[tile]] = 1
        table = self.table
        cell = (row & table.mask) << table.shift | (column & table.mask)
        table._place(pose, cell)
        second = table.torus.step[4 * cell + ((pose + 1) & 3)]
        self.painter.watch_cell(table, cell)
        self.painter.watch_cell(table, second)
        points = self.painter.fresh_points(table)
        self.painter.follow(table)
        self.painter.paint_cell(table, cell)
        self.painter.paint_cell(table, second)
        self.painter.paint_fresh(table)
        counters = table.counters_at
        if (
            table.mem[counters + MAX_X] - table.mem[counters + MIN_X] >= table.size - ROOM
            or table.mem[counters + MAX_Y] - table.mem[counters + MIN_Y] >= table.size - ROOM
        ):
            self._grow()
        if self.phase == SETUP:
            self._next_in_setup()
        else:
            self.scores[seat] += points - (self.charge if self.turn else 0)
            self.turn += 1
            self.passed = 0
            self._paint_turn(1)

    def _taken(self, slot: int) -> int:
        """Remove a domino from the hand of the active player."""
        at = self.active * self.hand
        tile = self.hands[at + slot]
        self.held[self.active] -= 1
        for place in range(slot, self.held[self.active]):
            self.hands[at + place] = self.hands[at + place + 1]
        return tile

    def _grow(self) -> None:
        """Lay the same layings on a torus twice as large."""
        table = Table(self.table.tiles)._roomy(self.table.size - ROOM)
        for number in range(self.laid):
            row, column = self.rows[number], self.columns[number]
            cell = (row & table.mask) << table.shift | (column & table.mask)
            table._place(self.poses[number], cell)
        self.table = table
        self.painter.watch(table)

    def _lay_elsewhere(self) -> None:
        """Find the first legal laying by its text, of the first domino that has one."""
        table = self.table
        for slot in range(self.held[self.active]):
            tile = self.hands[self.active * self.hand + slot]
            best = self._first_key(tile)
            if best >= 0:
                column = table.lookup.coordinate[best >> 12 & 4095]
                row = table.lookup.coordinate[best & 4095]
                self._lay(slot, best >> 24 & 7, column, row)
                break

    def _can_lay(self) -> bool:
        """Whether the active player can lay anything, even outside the window."""
        for slot in range(self.held[self.active]):
            if self._first_key(self.hands[self.active * self.hand + slot]) >= 0:
                return True
        return False

    def _first_key(self, tile: int) -> int:
        """Find the smallest key of a domino's layings, or -1."""
        table = self.table
        best = -1
        for number in range(table.mem[table.counters_at + FRONT_COUNT]):
            here = table.mem[table.front_at + number]
            for direction in range(4):
                near = table._partner_of(here, direction)
                if near < 0:
                    continue
                need = table._need_of(here, near, direction)
                forward = direction == 1 or direction == 2
                for turn in range(4):
                    pose = 8 * tile + 2 * turn + (direction & 1 ^ 1)
                    if not need & ~table.lookup.fit[pose]:
                        key = table._key_of(pose, here if forward == (turn & 1 == 0) else near)
                        if best < 0 or key < best:
                            best = key
        return best

    # -- the bag, and whose turn it is ---------------------------------------------------------

    def _draw(self, seat: int, count: int) -> None:
        for _number in range(count):
            if self.bag_next < self.bag_end:
                self.hands[seat * self.hand + self.held[seat]] = self.bag[self.bag_next]
                self.held[seat] += 1
                self.bag_next += 1

    def _all_draw(self, count: int) -> None:
        for number in range(self.players):
            self._draw((self.first + number) % self.players, count)

    def _next_in_setup(self) -> None:
        while self.phase == SETUP:
            self.active = (self.active + 1) % self.players
            if self.active == self.first:
                self.phase = PLAY
                self._all_draw(self.hand)
                if not self._seat_turn():
                    self._turn_over()
            else:
                self._exchange_unlayable()
                if self.held[self.active]:
                    break

    def _exchange_unlayable(self) -> None:
        seat = self.active
        put_back: list[int] = []
        while self.held[seat] and self._first_key(self.hands[seat * self.hand]) < 0:
            put_back.append(self.hands[seat * self.hand])
            self.held[seat] = 0
            self._draw(seat, 1)
        if put_back:
            inside = [self.bag[place] for place in range(self.bag_next, self.bag_end)]
            self.shuffles += 1
            self._fill(self.reshuffled(tuple(sorted(inside + put_back)), self.seed, self.shuffles))

    def _turn_over(self) -> None:
        self._paint_turn(0)
        while True:
            for seat in range(self.players):
                if self.scores[seat] >= self.target:
                    self.last_round = True
            if self.last_round and (self.active + 1) % self.players == self.first:
                self._over()
                break
            self.active = (self.active + 1) % self.players
            if self._seat_turn():
                break

    def _seat_turn(self) -> bool:
        """Whether the game is over, or the active player has something to play with."""
        if self.passed == (1 << self.players) - 1:
            self._over()
            return True
        self.turn = 0
        if self.held[self.active]:
            return True
        self.passed |= 1 << self.active
        return False

    def _over(self) -> None:
        self.turn = 0
        self.phase = OVER

    def _reward(self) -> None:
        """Share the reward: what one player gets, the others lose together."""
        best = self.scores[0]
        winners = 0
        for seat in range(self.players):
            best = max(best, self.scores[seat])
        for seat in range(self.players):
            winners += self.scores[seat] == best
        total = 0.0
        for seat in range(self.players):
            won = 0.0
            if self.by_score:
                won = self.scores[seat] - self.before[seat]
            elif self.phase == OVER and self.scores[seat] == best:
                won = 1.0 / winners
            self.rewards_row[seat] = won
            total += won
        mean = total / self.players
        for seat in range(self.players):
            own = self.rewards_row[seat]
            self.rewards_row[seat] = (own - mean) * self.players / (self.players - 1)

    # -- observations -------------------------------------------------------------------------

    def _paint_turn(self, value: int) -> None:
        """Return the dominoes of the current turn."""
        for number in range(self.laid - self.turn, self.laid):
            turned = self.poses[number] & 3
            column, row = self.columns[number], self.rows[number]
            self.painter.paint_turn(column, row, value)
            column += (turned == 0) - (turned == 2)
            row += (turned == 1) - (turned == 3)
            self.painter.paint_turn(column, row, value)

    def _ask(self) -> None:
        """List the legal actions of the active player."""
        painter = self.painter
        charge = self.charge if self.turn else 0
        start, held = self.active * self.hand, self.held[self.active]
        painter.allow_layings(self.table, self.hands, start, held, charge)
        if self.turn:
            painter.allow(self.end)
        elif not painter.count:
            painter.allow(self.end + 2 if self._can_lay() else self.end + 1)

    def look(self, seat: int) -> None:
        """Write what one player sees besides the board: their hand, and public information."""
        held = self.held[seat]
        for slot in range(self.hand):
            start = slot * self.width
            if slot < held:
                face = self.hands[seat * self.hand + slot] * self.width
                for bit in range(self.width):
                    self.hand_row[start + bit] = self.faces[face + bit]
            else:
                for bit in range(self.width):
                    self.hand_row[start + bit] = 0
        for place in range(self.tiles_count):
            self.unseen_row[place] = 1 - self.seen[place]
        for slot in range(held):
            self.unseen_row[self.place_in_set[self.hands[seat * self.hand + slot]]] = 0
        self.facts_row[0] = self.phase == SETUP
        self.facts_row[1] = self.laid
        self.facts_row[2] = self.bag_end - self.bag_next
        self.facts_row[3] = self.target
        self.facts_row[4] = self.turn
        self.facts_row[5] = self.last_round
        for step in range(self.players):
            other = (seat + step) % self.players
            at = SHARED + EACH * step
            self.facts_row[at] = other == self.active
            self.facts_row[at + 1] = self.held[other]
            self.facts_row[at + 2] = self.scores[other]


def first_illegal(episodes: list[Episode], numbers: NumberArray) -> int:
    """Find the first game whose action is not legal, or -1."""
    for game in range(len(episodes)):
        episode = episodes[game]
        if not episode.is_legal(numbers[game]):
            return game
    return -1


def act_all(
    episodes: list[Episode],
    numbers: NumberArray,
    agents: NumberArray,
    counts: NumberArray,
) -> list[int]:
    """Make a legal move in each game, and return the games that ended.

    The others show what the next player sees; `agents` has the seats, and `counts` how many
    actions are legal.
    """
    ended: list[int] = []
    for game in range(len(episodes)):
        episode = episodes[game]
        episode.act(numbers[game])
        if episode.terminated or episode.truncated:
            ended.append(game)
        else:
            episode.look(episode.active)
            agents[game] = episode.active
            counts[game] = episode.painter.count
    return ended
