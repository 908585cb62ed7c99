"""The forms of what is sent and answered over HTTP, as the server's OpenAPI shows them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

MOST_POSITION = 20_000
"""Letters of a position."""

Position = Annotated[str, Field(max_length=MOST_POSITION)]
TileName = Annotated[str, Field(max_length=20)]
SetName = Literal["120", "72"]
Disc = tuple[int, int]


class Refusal(BaseModel):
    """Why something was not done."""

    code: str
    message: str


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
    """A turn, or a round of Alex, with its steps, its points and the best that was possible."""

    player: int | None
    first: int
    last: int
    points: int
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
