"""Questions and answers of the HTTP API: OpenAPI is generated from these structs."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from .. import problems
from ..coach.encode import BestTurn
from ..core.geometry import Disc
from ..core.points import ClosedGroup
from ..drawing.palettes import PaletteName
from ..hosting.requests import Body
from ..kernel.solver import Faces
from ..problems import ProblemRequest
from ..texts import Language

MAX_POSITION = 20_000
"""Characters of a position."""

Position = Annotated[str, Meta(max_length=MAX_POSITION)]
TileName = Annotated[str, Meta(max_length=20)]
SetName = Literal["120", "72"]
Hand = Annotated[tuple[TileName, ...], Meta(min_length=1, max_length=2)]
Cause = Literal["player", "program", "time"]


class LanguageQuery(msgspec.Struct):
    """The language of an answer."""

    language: Language = "en"


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
        Meta(min_length=2, max_length=4, description="The first is that of the player to move."),
    ] = (0, 0)
    target: Annotated[int, Meta(ge=60, le=240)] = 60
    began: Annotated[
        int,
        Meta(
            ge=0,
            le=3,
            description="The player who began the round, counted in seats after the first.",
        ),
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


class PositionPicture(PictureStyle, frozen=True, kw_only=True):
    """A position to draw, and the style."""

    position: Position = ""
    set: SetName = "120"


class ProblemQuery(Body, frozen=True, kw_only=True):
    """A problem by its date or its seed; without a grade, a date has a grade of its own."""

    kind: Literal["turn", "frame"] = "turn"
    date: Annotated[str, Meta(max_length=20)] | None = None
    seed: Annotated[str, Meta(max_length=problems.MAX_SEED)] | None = None
    grade: Annotated[int, Meta(ge=1, le=5)] | None = None

    @property
    def request(self) -> ProblemRequest:
        """The problem; raises a refusal if there is none."""
        return problems.make_request(self.kind, date=self.date, seed=self.seed, grade=self.grade)


# -- answers ---------------------------------------------------------------------------------


class Refusal(msgspec.Struct, omit_defaults=True):
    """Why a request was refused."""

    code: str
    message: str
    values: dict[str, float | str] = {}
    """The numbers in the message, if there are any."""


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


class GroupForm(msgspec.Struct):
    """A group on the table."""

    colour: str
    size: int
    closed: bool
    discs: tuple[Disc, ...]


class Solutions(msgspec.Struct):
    """What the solver found; `complete` unless it gave up, `exhausted` if there is nothing else."""

    solutions: list[list[str]]
    complete: bool
    nodes: int
    exhausted: bool


# -- problems and prints ----------------------------------------------------------------------


class Verdict(msgspec.Struct):
    """How good an attempt is; an attempt at a frame has only `solved`.

    `more` is how many points more the best turn earns; `other_order` is true if the layings are
    those of the best turn in another order.
    """

    solved: bool
    parts: list[Scored] | UnsetType = UNSET
    charge: int | UnsetType = UNSET
    points: int | UnsetType = UNSET
    more: int | UnsetType = UNSET
    other_order: bool | UnsetType = UNSET


class PrintedPage(msgspec.Struct):
    """A page of a print; sizes are in millimetres."""

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
    """A turn, and the score after it; `best` is the best possible turn."""

    layings: list[str]
    parts: list[ComparedPart]
    points: int
    others: int
    """Points since the turn before that no turn earned, such as payments in Auction."""
    total: int
    best: BestTurn | None
    lost: int
    stand_in: bool
    """Whether a bot played it for the player."""


class ComparedGame(msgspec.Struct):
    """A game of a challenge; `own`: no bot and no clock has moved for the player."""

    name: str
    score: int
    scores: list[int]
    won: bool
    own: bool
    turns: list[ComparedTurn]
    rest: int
    """Points after the last turn, such as payments, or marks that count at the end."""
