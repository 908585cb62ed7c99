"""A game for learning programs: actions are numbers, and its arrays stay up to date.

Like `table.py`, this is ordinary Python that the build compiles with the types of `episode.pxd`.
This is what all games have: the table, hands and bag, the window, rewards. A subclass for each
family of games (`episode_points.py`, `episode_gone.py`, `episode_72.py`) has its rules a second
time, for speed: without events, undo and old states. `games/NAME/rules.py` says why they are so,
and tests play both side by side. What is written for a seat is what the view of that seat has.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..core.tiles import COLOURS, TileSet
from .group_marks import GroupMarks
from .lookup import FRONT_COUNT, MAX_X, MAX_Y, MIN_X, MIN_Y, ROOM
from .painter import Painter
from .planes import FACE, OVER, POSES, SETUP, NumberArray
from .table import Table

FIRST_DOMINOES = 23
"""The dominoes that fit on the first torus: few games need a larger one."""

MAX_FACT = 32767
"""The largest fact; the smallest is as far from 0."""


class Terms(NamedTuple):
    """The form of a game, apart from its rules."""

    players: int
    slots: int
    """The dominoes of a hand that have actions."""
    others: int
    """The number of actions without a place, before `elsewhere`."""
    limit: int
    """The number of moves after which a game is truncated."""
    by_score: bool
    """Whether rewards are changes of the score, or come with victory."""
    marks: int = 0
    """The number of marks that can lie on groups."""


class Chance(NamedTuple):
    """What follows from the seed of a game."""

    shuffle: Callable[[tuple[int, ...], str, int], Sequence[int]]
    """The order of a bag: of these dominoes, with this seed, after so many reshuffles."""
    number: Callable[[str, str], int]
    """A large number from the seed, for a purpose."""


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
        self, tiles: TileSet, terms: Terms, window: int, rows: EpisodeArrays, chance: Chance
    ) -> None:
        self.players: int = terms.players
        self.slots: int = terms.slots
        self.others: int = terms.others
        self.limit: int = terms.limit
        self.by_score: bool = terms.by_score
        self.table: Table = Table(tiles)._roomy(FIRST_DOMINOES)
        self.tiles_count: int = self.table.lookup.count
        self.painter: Painter = Painter(window, rows.board, rows.mask, rows.legal, rows.points)
        self.hand_row: NumberArray = rows.hand
        self.unseen_row: NumberArray = rows.unseen
        self.facts_row: NumberArray = rows.facts
        self.facts_at: int = 0
        """Where the next fact is written."""
        self.rewards_row: NumberArray = rows.rewards
        self.chance = chance
        self.seed: str = ""
        self.marking: bool = terms.marks > 0
        self.marks: GroupMarks = GroupMarks(4 * self.tiles_count + 8, terms.marks)
        self.mark_from: int = POSES * self.slots * window * window
        """The actions that mark groups follow those of layings..."""
        self.other_from: int = self.mark_from + 2 * self.marking * window * window
        """... then come those without a place, and `elsewhere`."""
        names = self.table.lookup.names
        places = {name: place for place, name in enumerate(tiles.names)}
        self.place_in_set: array[int] = array("i", [places[name] for name in names])
        faces = [face for name in names for face in (tiles[name].recto, tiles[name].verso)]
        bits = [colour == one for face in faces for colour in face for one in COLOURS]
        self.faces: array[int] = array("b", bits)
        self.width: int = 2 * FACE * len(COLOURS)
        self.stride: int = self.tiles_count
        """The dominoes of a seat begin at this multiple: a hand may become as large as the set."""
        self.hands: array[int] = array("i", bytes(4 * self.players * self.stride))
        self.held: array[int] = array("i", bytes(4 * self.players))
        self.scores: array[int] = array("i", bytes(4 * self.players))
        self.before: array[int] = array("i", bytes(4 * self.players))
        self.bag: array[int] = array("i", bytes(4 * self.tiles_count))
        self.bag_next: int = 0
        self.bag_end: int = 0
        self.seen: array[int] = array("b", bytes(self.tiles_count))
        """Whether a domino, by its number in the set, is on the table."""
        self.poses: array[int] = array("i", bytes(4 * self.tiles_count))
        self.columns: array[int] = array("i", bytes(4 * self.tiles_count))
        self.rows: array[int] = array("i", bytes(4 * self.tiles_count))
        self.laid: int = 0
        """The layings so far."""
        self.phase = OVER
        self.active = 0
        """The player whose turn it is."""
        self.actor = 0
        """The player who is to act: in an auction, another one."""
        self.turn: int = 0
        self.made: int = 0
        self.shuffles: int = 0
        self.terminated: bool = False
        self.truncated: bool = False

    # -- what games decide -------------------------------------------------------------------

    def _deal(self) -> None:
        """Start: the bag is full, everything else is empty."""
        raise NotImplementedError

    def _after_laying(self, contacts: int, points: int) -> None:
        """Go on after the active player has laid a domino, whose classic points are given."""
        raise NotImplementedError

    def _choose(self, number: int) -> None:
        """Make a move without a place, by its number among them."""
        raise NotImplementedError

    def _mark(self, x: int, y: int) -> None:
        """Put a mark on the group of a disc."""

    def _allow(self) -> None:
        """Decide who acts (`actor`), and list the legal actions."""
        raise NotImplementedError

    def _write_facts(self, seat: int) -> None:
        """Write the facts for a viewer, with `_write_fact`."""
        raise NotImplementedError

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
        self.laid = 0
        self.turn = 0
        self.made = 0
        self.shuffles = 0
        self.terminated = self.truncated = False
        self.marks.count = 0
        self._deal()
        self.painter.watch(self.table)
        self.painter.paint(self.table)
        self.painter.forbid_all()
        self._allow()

    def _fill(self, order: Sequence[int]) -> None:
        """Fill the bag in this order."""
        self.bag_next = 0
        self.bag_end = len(order)
        for place in range(self.bag_end):
            self.bag[place] = order[place]

    def is_legal(self, number: int) -> bool:
        """Whether an action may be chosen now."""
        return 0 <= number <= self.other_from + self.others and self.painter.mask[number] != 0

    def act(self, number: int) -> None:
        """Make the move of a legal action, and update the arrays."""
        for seat in range(self.players):
            self.before[seat] = self.scores[seat]
        self.made += 1
        area = self.painter.area
        place = number % area
        plane = number // area
        column = self.painter.left + place % self.painter.size
        row = self.painter.top + place // self.painter.size
        if number < self.mark_from:
            self._lay(plane // POSES, plane % POSES, column, row)
        elif number >= self.other_from + self.others:
            self._lay_elsewhere()
        elif number >= self.other_from:
            self._choose(number - self.other_from)
        elif plane - POSES * self.slots:
            self._mark(2 * column + 1, 2 * row + 2)
        else:
            self._mark(2 * column + 2, 2 * row + 1)
        self.terminated = self.phase == OVER
        self.truncated = not self.terminated and self.made >= self.limit
        self._reward()
        self.painter.forbid_all()
        if not self.terminated and not self.truncated:
            self._allow()

    def _lay(self, slot: int, turned: int, column: int, row: int) -> None:
        pose = 8 * self._taken(slot) + turned
        table = self.table
        cell = self._put(pose, column, row)
        second = table.torus.step[4 * cell + ((pose + 1) & 3)]
        self.painter.watch_cell(table, cell)
        self.painter.watch_cell(table, second)
        contacts = table.fresh_count - 1
        points = self.painter.fresh_points(table)
        self.painter.follow(table)
        self.painter.paint_cell(table, cell)
        self.painter.paint_cell(table, second)
        self.painter.paint_fresh(table)
        if self.marking:
            self.marks.follow(table)
        counters = table.counters_at
        if (
            table.mem[counters + MAX_X] - table.mem[counters + MIN_X] >= table.size - ROOM
            or table.mem[counters + MAX_Y] - table.mem[counters + MIN_Y] >= table.size - ROOM
        ):
            self._grow()
        self._after_laying(contacts, points)

    def _put(self, pose: int, column: int, row: int) -> int:
        """Put a domino on the table, and return the cell of its first half."""
        self.poses[self.laid] = pose
        self.columns[self.laid] = column
        self.rows[self.laid] = row
        self.laid += 1
        self.seen[self.place_in_set[pose >> 3]] = 1
        cell = (row & self.table.mask) << self.table.shift | (column & self.table.mask)
        self.table._place(pose, cell)
        return cell

    def _taken(self, slot: int) -> int:
        """Remove a domino from the hand of the active player."""
        at = self.active * self.stride
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
        if self.marking:
            self.marks.read(table)

    def _lay_elsewhere(self) -> None:
        """Find the first legal laying by its text, of the first domino that has one."""
        for slot in range(self.held[self.active]):
            keys = self._list_keys(self.hands[self.active * self.stride + slot], False)
            if keys:
                self._lay_key(slot, keys[0])
                break

    def _lay_key(self, slot: int, key: int) -> None:
        """Lay a domino of the hand where a key says."""
        lookup = self.table.lookup
        column, row = lookup.coordinate[key >> 12 & 4095], lookup.coordinate[key & 4095]
        self._lay(slot, key >> 24 & 7, column, row)

    def _can_lay(self, several: bool) -> bool:
        """Whether the active player can lay anything, even outside the window."""
        for slot in range(self.held[self.active]):
            if self._list_keys(self.hands[self.active * self.stride + slot], several):
                return True
        return False

    def _list_keys(self, tile: int, several: bool) -> list[int]:
        """List the layings of a domino, with several contacts if asked, in the order of their text.

        They are keys of `Table`, also outside the window: few moves ask for them.
        """
        table = self.table
        keys: list[int] = []
        count = table.mem[table.counters_at + FRONT_COUNT]
        if not count:
            keys += [table._key_of(POSES * tile + turned, 0) for turned in range(POSES)]
        for number in range(count):
            here = table.mem[table.front_at + number]
            for direction in range(4):
                near = table._partner_of(here, direction)
                if near < 0:
                    continue
                need = table._need_of(here, near, direction)
                if several and not need & (need - 1):
                    continue
                forward = direction == 1 or direction == 2
                for turn in range(4):
                    pose = POSES * tile + 2 * turn + (direction & 1 ^ 1)
                    if not need & ~table.lookup.fit[pose]:
                        cell = here if forward == (turn & 1 == 0) else near
                        keys.append(table._key_of(pose, cell))
        keys.sort()
        return keys

    # -- the bag -----------------------------------------------------------------------------

    def _draw(self, seat: int, count: int) -> None:
        for _number in range(count):
            if self.bag_next < self.bag_end:
                self.hands[seat * self.stride + self.held[seat]] = self.bag[self.bag_next]
                self.held[seat] += 1
                self.bag_next += 1

    def _put_back(self, dominoes: list[int]) -> None:
        """Put dominoes into the bag and shuffle it, if there are any."""
        if dominoes:
            inside = [self.bag[place] for place in range(self.bag_next, self.bag_end)]
            self.shuffles += 1
            names = tuple(sorted(inside + dominoes))
            self._fill(self.chance.shuffle(names, self.seed, self.shuffles))

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
        """Paint, or clear, the dominoes of the current turn."""
        for number in range(self.laid - self.turn, self.laid):
            turned = self.poses[number] & 3
            column, row = self.columns[number], self.rows[number]
            self.painter.paint_turn(column, row, value)
            column += (turned == 0) - (turned == 2)
            row += (turned == 1) - (turned == 3)
            self.painter.paint_turn(column, row, value)

    def _allow_layings(self, charge: int, several: bool) -> None:
        """Allow the layings of the active player's hand, with several contacts if asked."""
        held = min(self.held[self.active], self.slots)
        start = self.active * self.stride
        self.painter.allow_layings(self.table, self.hands, start, held, charge, several)

    def _allow_if_stuck(self, number: int, several: bool) -> None:
        """Without an action so far: the one without a place that passes, or `elsewhere`."""
        if not self.painter.count:
            stuck = not self._can_lay(several)
            self.painter.allow(self.other_from + (number if stuck else self.others))

    def _allow_mark(self, group: int) -> None:
        """Allow to mark a group by its first disc, if that is in the window."""
        painter, x, y = self.painter, self.marks.head_x[group], self.marks.head_y[group]
        side = x & 1  # The disc is on the east (0) or the south (1) of a cell.
        column, row = ((x - 1) >> 1, (y >> 1) - 1) if side else ((x >> 1) - 1, (y - 1) >> 1)
        column -= painter.left
        row -= painter.top
        if 0 <= column < painter.size and 0 <= row < painter.size:
            painter.allow(self.mark_from + (side * painter.size + row) * painter.size + column)

    def look(self, seat: int) -> None:
        """Write what one player sees besides the board: their hand, and public information."""
        held = self.held[seat]
        for slot in range(self.slots):
            start = slot * self.width
            if slot < held:
                face = self.hands[seat * self.stride + slot] * self.width
                for bit in range(self.width):
                    self.hand_row[start + bit] = self.faces[face + bit]
            else:
                for bit in range(self.width):
                    self.hand_row[start + bit] = 0
        for place in range(self.tiles_count):
            self.unseen_row[place] = 1 - self.seen[place]
        for slot in range(held):
            self.unseen_row[self.place_in_set[self.hands[seat * self.stride + slot]]] = 0
        if self.marking:
            self._paint_marks(seat)
        self.facts_at = 0
        self._write_fact(self.phase == SETUP)
        self._write_fact(self.laid)
        self._write_fact(self.bag_end - self.bag_next)
        self._write_facts(seat)

    def _write_fact(self, value: int) -> None:
        """Write the next fact."""
        self.facts_row[self.facts_at] = max(-MAX_FACT, min(MAX_FACT, value))
        self.facts_at += 1

    def _paint_marks(self, seat: int) -> None:
        """Paint the owners of groups as a player sees them: 1 is the player."""
        self.painter.clear_marks()
        for number in range(self.marks.count):
            owner = (self.marks.owners[number] - seat + self.players) % self.players + 1
            edge = self.marks.edge_of(self.table, number)
            self.painter.paint_ring(self.table, edge, owner)


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
            episode.look(episode.actor)
            agents[game] = episode.actor
            counts[game] = episode.painter.count
    return ended
