"""The forms of what is asked and answered over HTTP, as the server's OpenAPI shows them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from .. import problems
from ..coach.advice import Situation
from ..coach.reviewer import Pace, Unit
from ..core.geometry import Disc
from ..core.points import ClosedGroup
from ..drawing.palettes import PaletteName
from ..games.events import Outcome
from ..kernel.solver import Faces
from ..problems import ProblemRequest
from ..record import Player
from ..texts import Language

MAX_POSITION = 20_000
"""Letters of a position."""

Position = Annotated[str, Meta(max_length=MAX_POSITION)]
TileName = Annotated[str, Meta(max_length=20)]
SetName = Literal["120", "72"]
Hand = Annotated[tuple[TileName, ...], Meta(min_length=1, max_length=2)]
Cause = Literal["player", "program", "time"]


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all bodies share: nothing that is not known."""


class TableQuestion(Body, frozen=True, kw_only=True):
    """A position."""

    position: Position = ""
    set: SetName = "120"


class LegalQuestion(TableQuestion, frozen=True, kw_only=True):
    """A position, and dominoes to lay on it."""

    tiles: Annotated[tuple[TileName, ...], Meta(min_length=1, max_length=10)]


class BestQuestion(TableQuestion, frozen=True, kw_only=True):
    """A position, and the dominoes of a turn."""

    hand: Hand
    top: Annotated[int, Meta(ge=1, le=100)] = 1


class FrameQuestion(TableQuestion, frozen=True, kw_only=True):
    """A frame to fill with a pile, or with named dominoes."""

    width: Annotated[int, Meta(ge=1, le=60)] = 8
    height: Annotated[int, Meta(ge=1, le=60)] = 10
    pile: Annotated[int, Meta(ge=1, le=3)] | None = None
    tiles: Annotated[tuple[TileName, ...], Meta(max_length=500)] = ()
    faces: Faces = "both"
    count: Annotated[int, Meta(ge=1, le=100)] = 1
    seed: Annotated[str, Meta(max_length=64)] = "0"


class CoachQuestion(TableQuestion, frozen=True, kw_only=True):
    """A position, a hand, and how a classic game stands: scores in the order of play."""

    hand: Hand
    scores: Annotated[
        tuple[Annotated[int, Meta(ge=-10_000, le=10_000)], ...],
        Meta(min_length=2, max_length=4, description="First of whoever is to move."),
    ] = (0, 0)
    target: Annotated[int, Meta(ge=60, le=240)] = 60
    began: Annotated[
        int, Meta(ge=0, le=3, description="Who began the round: seats after the first.")
    ] = 0
    top: Annotated[int, Meta(ge=1, le=8)] = 5
    language: Language = "en"


class PictureStyle(Body, frozen=True, kw_only=True):
    """The style of a picture."""

    shape: Literal["rounds", "squares", "octagons"] = "rounds"
    palette: PaletteName = "classic"
    symbols: bool = False
    theme: Literal["light", "dark"] = "light"
    pieces: Literal["black", "white"] = "black"
    names: bool = False
    numbers: bool = False


class ProblemQuery(Body, frozen=True, kw_only=True):
    """Which problem: that of a date or of a seed; without a grade, a date has its own."""

    kind: Literal["turn", "frame"] = "turn"
    date: Annotated[str, Meta(max_length=20)] | None = None
    seed: Annotated[str, Meta(max_length=problems.MAX_SEED)] | None = None
    grade: Annotated[int, Meta(ge=1, le=5)] | None = None

    @property
    def request(self) -> ProblemRequest:
        """The problem; raises a refusal if there is none."""
        return problems.request_for(self.kind, date=self.date, seed=self.seed, grade=self.grade)


# -- answers ---------------------------------------------------------------------------------


class ClosedByLaying(msgspec.Struct):
    """A group that a laying closes."""

    colour: str
    size: int
    discs: tuple[Disc, ...]


class Scored(msgspec.Struct):
    """A legal laying, and what it earns."""

    laying: str
    contacts: int
    disc_points: int
    groups: list[ClosedByLaying]
    group_points: int
    points: int


class GroupForm(ClosedByLaying):
    """A group on the table."""

    closed: bool


class BestTurn(msgspec.Struct):
    """Layings in order, and their points less the charge for the second."""

    layings: list[str]
    points: int


class Solutions(msgspec.Struct):
    """What the solver found; `complete` unless it gave up."""

    solutions: list[list[str]]
    complete: bool
    nodes: int


class HistoryEntry(msgspec.Struct):
    """What happened at one version of a table."""

    version: int
    at: int
    events: list[dict[str, Any]]


class ReplayMoment(msgspec.Struct):
    """What a spectator sees, and all hands (null where the game has none)."""

    events: list[dict[str, Any]]
    view: dict[str, Any]
    hands: list[list[str]] | None


class ReplayStep(ReplayMoment, kw_only=True):
    """A move, and the table after it; `cause` and `at` are known of tables."""

    move: dict[str, Any]
    cause: Cause | UnsetType = UNSET
    at: int | UnsetType = UNSET


class ReplayTurn(msgspec.Struct, kw_only=True):
    """A turn, a round of Alex or a laying of Gone and 72, compared with the best possible.

    Points are discs in Gone, cells in 72; `announced` is known of Alex only.
    """

    player: int | None
    first: int
    last: int
    layings: list[str]
    points: int
    best: BestTurn | None
    lost: int
    announced: int | UnsetType = UNSET


class Replay(msgspec.Struct, kw_only=True):
    """A whole game, step by step; `begins` and `hints` are known of races at tables."""

    game: str
    options: dict[str, Any]
    players: list[Player]
    begins: int | UnsetType = UNSET
    hints: list[int] | UnsetType = UNSET
    start: ReplayMoment
    steps: list[ReplayStep]
    turns: list[ReplayTurn]
    outcome: Outcome


# -- the coach -------------------------------------------------------------------------------


class EstimateForm(msgspec.Struct):
    """A number: exact, or the mean of samples with its 95 % interval."""

    value: float
    low: float
    high: float
    samples: int
    exact: bool


class CoachPart(msgspec.Struct):
    """What one domino of a turn brings."""

    laying: str
    contacts: int
    disc_points: int
    groups: list[ClosedGroup]
    group_points: int
    points: int
    charge: int


class CoachReply(msgspec.Struct):
    """The most that a single unseen domino earns after a turn."""

    points: int
    laying: str
    groups: list[ClosedGroup]
    tiles: list[str]


class CoachLeaves(msgspec.Struct):
    """What a turn leaves; all of it exact but `next`, the next player's turn."""

    unseen: int
    mean: float
    reply: CoachReply | None
    kept: str | None
    kept_points: int
    next: EstimateForm


class CoachTurn(BestTurn):
    """A turn with what it brings in parts, what it leaves, and why."""

    parts: list[CoachPart]
    leaves: CoachLeaves
    chance: EstimateForm
    why: str


class Advice(msgspec.Struct):
    """The best turns, the best chance to win first."""

    situation: Situation
    language: Language
    turns: list[CoachTurn]


class BetterTurn(BestTurn):
    """What would have been better, and the chance to win after it (classic)."""

    chance: EstimateForm | None


class ReviewTurn(ReplayTurn, kw_only=True):
    """A turn compared with what would have been better, given what its player could know."""

    number: int
    chance: EstimateForm | None
    better: BetterTurn | None
    lost_chance: EstimateForm | None
    why: str


class ReviewPlayer(msgspec.Struct):
    """How a player did; `pace` in races only."""

    name: str
    turns: int
    best_turns: int
    lost: int
    pace: Pace | UnsetType = UNSET


class ReviewMoment(msgspec.Struct):
    """Everybody's chance after so many moves, as an onlooker can know; of races, how full."""

    position: int
    chances: list[EstimateForm]


class Review(msgspec.Struct):
    """A game that is over as the coach sees it."""

    game: str
    language: Language
    unit: Unit
    measure: Literal["chance", "full"]
    players: list[ReviewPlayer]
    curve: list[ReviewMoment]
    turns: list[ReviewTurn]
    missed: list[int]
    winners: list[int]


# -- problems and prints ----------------------------------------------------------------------


class ProblemForm(msgspec.Struct):
    """A problem. Of a frame, `tiles` fill it; else they are the dominoes in hand.

    `solution` is given on request, `points` of the best turn and the `gap` to the best turn that
    leaves another table with it.
    """

    kind: str
    grade: int
    seed: str
    date: str | None
    position: list[str]
    frame: tuple[int, int] | None
    tiles: list[TileName]
    solution: list[str] | UnsetType = UNSET
    points: int | UnsetType = UNSET
    gap: int | UnsetType = UNSET


class Verdict(msgspec.Struct):
    """How good an attempt was; all but `solved` of turns only.

    `more` is what the best turn brings beyond its points; `other_order` tells that it is the best
    turn, but for the order of its layings.
    """

    solved: bool
    parts: list[Scored] | UnsetType = UNSET
    charge: int | UnsetType = UNSET
    points: int | UnsetType = UNSET
    more: int | UnsetType = UNSET
    other_order: bool | UnsetType = UNSET


class PrintedPage(msgspec.Struct):
    """A page of a print; sizes in millimetres."""

    title: str
    width: float
    height: float


# -- challenges ---------------------------------------------------------------------------------


class ComparedEarned(msgspec.Struct):
    """What a laying has earned."""

    contacts: int
    groups: list[ClosedGroup]


class ComparedPart(msgspec.Struct):
    """What a laying has earned, and what it cost."""

    earned: ComparedEarned
    charge: int


class ComparedTurn(msgspec.Struct):
    """A turn, and the score after it; `best` is the best that was possible."""

    layings: list[str]
    parts: list[ComparedPart]
    points: int
    total: int
    best: BestTurn | None
    lost: int


class ComparedGame(msgspec.Struct):
    """How a game of a challenge went; `own`: no program and no clock has moved for the player."""

    name: str
    score: int
    scores: list[int]
    won: bool
    own: bool
    turns: list[ComparedTurn]
