"""Requests about online tables and their answers, of a server over HTTP or of a device."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType, field
from msgspec.structs import asdict

from ..games import DEFAULT, REGISTRY
from .encoder import build_views, open_hands
from .entries import HintQuestion
from .protocol import TableSummary
from .seat_answers import SolverHint
from .settings import Settings, read_settings
from .state import TableState

PersonName = Annotated[str, Meta(max_length=100)]


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The base of all bodies: it refuses unknown fields."""


class NewTable(Body, frozen=True, kw_only=True):
    """A table to set up. Seats without a bot are for people."""

    game: str = DEFAULT
    options: dict[str, Any] = field(default_factory=dict)
    seats: Annotated[
        tuple[str | None, ...],
        Meta(
            min_length=1, max_length=10,
            description="For each seat the name of a bot, or null for a person.",
        ),
    ] = (None, "greedy")  # fmt: skip
    host: Annotated[PersonName, Meta(description="Your name; null to watch only.")] | None = None
    guests: Annotated[
        tuple[PersonName, ...],
        Meta(max_length=9, description="Names of other players at your screen."),
    ] = ()
    visibility: Literal["public", "private"] = "private"
    spectators: Annotated[
        Literal["none", "public", "all"],
        Meta(
            description="What is visible without a token: nothing, the table, or all hands; with"
            " `all`, players also see each other's hands."
        ),
    ] = "public"
    clock: dict[str, Any] = field(default_factory=dict)
    pace: Annotated[
        int, Meta(ge=0, le=10_000, description="Milliseconds that a bot takes for a move.")
    ] = 700
    aids: Literal["all", "places", "none"] = "all"
    hands: Literal["own", "open"] = "own"
    absence: Annotated[
        int,
        Meta(ge=0, le=86_400, description="Seconds until others may replace an absent player."),
    ] = 0
    countdown: Annotated[
        int, Meta(ge=0, le=60, description="Seconds until a race begins, once all seats are taken.")
    ] = 3
    hints: Annotated[
        Literal["yes", "alone", "no"],
        Meta(description="Whether the solver helps in a race: always, one player alone, or never."),
    ] = "alone"


class NewPlayer(Body, frozen=True, kw_only=True):
    """A player who sits down."""

    name: PersonName


class NewMove(Body, frozen=True, kw_only=True):
    """A move over HTTP."""

    move: dict[str, Any]
    version: int | None = None
    id: Annotated[str, Meta(min_length=1, max_length=64)] | None = None


class HintRequest(Body, frozen=True, kw_only=True):
    """A question to the solver about your own frame in a race."""

    question: HintQuestion = "place"
    width: Annotated[
        int, Meta(ge=1, le=60, description="Width of the frame to try first, if there are two.")
    ] | None = None  # fmt: skip
    id: Annotated[str, Meta(min_length=1, max_length=64)] | None = None


class TableCreated(msgspec.Struct):
    """A new table, and the seats that its token owns."""

    id: str
    token: str | None
    seats: tuple[int, ...]
    table: TableSummary


class SpectatorView(msgspec.Struct):
    """A table as a spectator sees it."""

    version: int
    table: TableSummary
    views: dict[str, dict[str, Any]]
    hands: tuple[tuple[str, ...], ...] | UnsetType = UNSET


class SeatTaken(msgspec.Struct):
    """The seat, and the token that owns it."""

    id: str
    seat: int
    token: str


class TableVersion(msgspec.Struct):
    """The version of the table after the request."""

    version: int


class HintAnswer(msgspec.Struct):
    """Whether the frame can be completed (null: unknown), and a laying on request."""

    version: int
    possible: bool | None
    laying: str | None
    width: Annotated[int, Meta(description="Width of the frame of the laying.")] | None


def answer_hint(version: int, question: HintQuestion, found: SolverHint) -> HintAnswer:
    """The answer to a question: the laying only if it was asked for, nothing if it is unknown."""
    if found.possible is None or question == "possible":
        return HintAnswer(version, found.possible, None, None)
    return HintAnswer(version, found.possible, found.laying, found.width)


class NewAttempt(Body, frozen=True, kw_only=True):
    """A player who takes up a challenge."""

    name: PersonName


class NewChallenge(msgspec.Struct):
    """The challenge that was made from a game."""

    id: str


class AttemptBegun(msgspec.Struct):
    """Your own attempt: its seat belongs to your token."""

    table: str
    seat: int


class Rematch(msgspec.Struct):
    """The table of the rematch."""

    id: str
    table: TableSummary


def show_to_spectator(table: TableSummary, state: TableState) -> SpectatorView:
    """A table as a spectator sees it."""
    hands = open_hands(state, ())
    return SpectatorView(
        state.version, table, build_views(state, ()), UNSET if hands is None else hands
    )


def make_settings(table: NewTable) -> Settings:
    """The settings of a table that is set up; refuses impossible ones."""
    settings = asdict(table)
    del settings["host"], settings["guests"]
    # Only ours: a server never imports packages, whose code may not end.
    if (game := REGISTRY.get(table.game)) is not None:
        settings["options"] = game.write_new_options(table.options)
    settings["seats"] = [{"program": program} for program in table.seats]
    return read_settings(settings)
