"""The forms of what is sent and answered over HTTP, as the server's OpenAPI shows them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

MAX_POSITION = 20_000
"""Letters of a position."""

Position = Annotated[str, Field(max_length=MAX_POSITION)]
TileName = Annotated[str, Field(max_length=20)]
SetName = Literal["120", "72"]
Disc = tuple[int, int]


class Refusal(BaseModel):
    """Why something was not done."""

    code: str
    message: str
    values: dict[str, float] = Field(
        default_factory=dict, description="Figures of the sentence, if there are any."
    )


REFUSALS: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": Refusal, "description": "Refused."},
    503: {"model": Refusal, "description": "The server is full or busy, or its database is away."},
}
PICTURES: dict[int | str, dict[str, Any]] = {
    200: {"content": {"image/svg+xml": {}, "image/png": {}}, "description": "The picture."}
}
RECORD: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/json": {}}, "description": "The record (docs/records.md)."}
}


class Body(BaseModel):
    """What all bodies share: nothing that is not known."""

    model_config = ConfigDict(extra="forbid")


# -- questions -------------------------------------------------------------------------------


class TableQuestion(Body):
    """A position."""

    position: Position = ""
    set: SetName = "120"


class LegalQuestion(TableQuestion):
    """A position, and dominoes to lay on it."""

    tiles: list[TileName] = Field(min_length=1, max_length=10)


class BestQuestion(TableQuestion):
    """A position, and the dominoes of a turn."""

    hand: list[TileName] = Field(min_length=1, max_length=2)
    top: int = Field(1, ge=1, le=100)


class FrameQuestion(TableQuestion):
    """A frame to fill with a pile, or with named dominoes."""

    width: int = Field(8, ge=1, le=60)
    height: int = Field(10, ge=1, le=60)
    pile: int | None = Field(None, ge=1, le=3)
    tiles: list[TileName] = Field(default=[], max_length=500)
    faces: Literal["both", "recto"] = "both"
    count: int = Field(1, ge=1, le=100)
    seed: str = Field("0", max_length=64)


class Look(Body):
    """The style of a picture."""

    shape: Literal["rounds", "squares", "octagons"] = "rounds"
    palette: Literal["classic", "original", "red-green", "blue-yellow", "grey"] = "classic"
    symbols: bool = False
    theme: Literal["light", "dark"] = "light"
    pieces: Literal["black", "white"] = "black"
    names: bool = False
    numbers: bool = False


class PositionLook(Look):
    """A position to draw, and the style."""

    position: Position = ""
    set: SetName = "120"


# -- answers ---------------------------------------------------------------------------------


class Closed(BaseModel):
    """A group that a laying closes."""

    colour: str
    size: int
    discs: list[Disc]


class Scored(BaseModel):
    """A legal laying, and what it earns."""

    laying: str
    contacts: int
    disc_points: int
    groups: list[Closed]
    group_points: int
    points: int


class Group(BaseModel):
    """A group on the table."""

    colour: str
    size: int
    closed: bool
    discs: list[Disc]


class BestTurn(BaseModel):
    """Layings in order, and their points less the charge for the second."""

    layings: list[str]
    points: int


class Solutions(BaseModel):
    """What the solver found; `complete` unless it gave up."""

    solutions: list[list[str]]
    complete: bool
    nodes: int


class Rules(BaseModel):
    """A page of the rules, and what its figures show."""

    text: str
    figures: dict[str, dict[str, Any]]


class ReplayPlayer(BaseModel):
    """Who took part: a person, or a program."""

    name: str
    program: str = Field(default_factory=str, description="Of programs only.")


class Moment(BaseModel):
    """What a spectator sees, and all hands (null where the game has none)."""

    events: list[dict[str, Any]]
    view: dict[str, Any]
    hands: list[list[str]] | None


class ReplayStep(Moment):
    """A move, and the table after it; `cause` and `at` are known of tables."""

    move: dict[str, Any]
    cause: Literal["player", "program", "time"] = Field(
        default_factory=lambda: "player", description="At tables only."
    )
    at: int = Field(default_factory=int, description="At tables only.")


class ReplayTurn(BaseModel):
    """A turn, a round of Alex or a laying of Gone and 72, beside the best that was possible.

    Points are discs in Gone, cells in 72.
    """

    player: int | None
    first: int
    last: int
    layings: list[str]
    points: int
    lost: int
    announced: int = Field(default_factory=int, description="In Alex only.")
    best: BestTurn | None


class Result(BaseModel):
    """How the game ended."""

    scores: list[int]
    winners: list[int]
    reason: str


class Happened(BaseModel):
    """What happened at one version of a table."""

    version: int
    at: int
    events: list[dict[str, Any]]


class Replay(BaseModel):
    """A whole game, step by step."""

    game: str
    options: dict[str, Any]
    players: list[ReplayPlayer]
    start: Moment
    steps: list[ReplayStep]
    turns: list[ReplayTurn]
    outcome: Result


# -- the coach -------------------------------------------------------------------------------

Language = Literal["en", "fr", "de", "nl", "es", "it"]


class CoachQuestion(TableQuestion):
    """A position, a hand, and how a classic game stands: scores in the order of play."""

    hand: list[TileName] = Field(min_length=1, max_length=2)
    scores: list[Annotated[int, Field(ge=-10_000, le=10_000)]] = Field(
        default=[0, 0], min_length=2, max_length=4, description="First of whoever is to move."
    )
    target: int = Field(60, ge=60, le=240)
    began: int = Field(0, ge=0, le=3, description="Who began the round: seats after the first.")
    top: int = Field(5, ge=1, le=8)
    language: Language = "en"


class Estimate(BaseModel):
    """A number: exact, or the mean of samples with its 95 % interval."""

    value: float
    low: float
    high: float
    samples: int
    exact: bool


class CoachPart(BaseModel):
    """What one domino of a turn brings."""

    laying: str
    contacts: int
    disc_points: int
    groups: list[dict[str, Any]]
    group_points: int
    points: int
    charge: int


class CoachReply(BaseModel):
    """The most that a single unseen domino earns after a turn."""

    points: int
    laying: str
    groups: list[dict[str, Any]]
    tiles: list[str]


class CoachLeaves(BaseModel):
    """What a turn leaves; all of it exact but `next`, the next player's turn."""

    unseen: int
    mean: float
    reply: CoachReply | None
    kept: str | None
    kept_points: int
    next: Estimate


class CoachTurn(BestTurn):
    """A turn with what it brings in parts, what it leaves, and why."""

    parts: list[CoachPart]
    leaves: CoachLeaves
    chance: Estimate
    why: str


class Advice(BaseModel):
    """The best turns, the best chance to win first."""

    situation: dict[str, Any]
    language: Language
    turns: list[CoachTurn]


class BetterTurn(BestTurn):
    """What would have been better, and the chance to win after it (classic)."""

    chance: Estimate | None


class ReviewTurn(ReplayTurn):
    """A turn beside what would have been better, as its player could know."""

    number: int
    chance: Estimate | None
    better: BetterTurn | None
    lost_chance: Estimate | None
    why: str


class Pace(BaseModel):
    """How quickly a frame was filled."""

    framed: int
    needed: int
    moves: int
    taken_out: int


class ReviewPlayer(BaseModel):
    """How a player did."""

    name: str
    turns: int
    best_turns: int
    lost: int
    pace: Pace | None = Field(None, description="In races only.")


class ReviewMoment(BaseModel):
    """Everybody's chance after so many moves, as an onlooker can know; of races, how full."""

    position: int
    chances: list[Estimate]


class Review(BaseModel):
    """A game that is over as the coach sees it."""

    game: str
    language: Language
    unit: Literal["points", "discs", "cells", "moves"]
    measure: Literal["chance", "full"]
    players: list[ReviewPlayer]
    curve: list[ReviewMoment]
    turns: list[ReviewTurn]
    missed: list[int]
    winners: list[int]
