"""Questions about a position that is in play: refused where the players agreed on no aids.

This deters, it proves nothing: another browser, another network or the command line still answer.
The server compares the position of a question with those of the online tables at which the asking
address has a seat, wherever on the plane it lies and however it is turned.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...core.errors import DalapapaError, Forbidden
from ...core.notation import Laying, parse_position
from ..ws.sessions import ViewerSessions

MAX_MORE = 2
"""Dominoes that a question may add to a position, as a turn does, and still be about it."""

MIN_LAID = 2
"""Dominoes on the table before there is anything to compare."""

MAX_COMPARED = 20
"""Online tables of one address that a question is compared with."""


Form = frozenset[tuple[str, str, int, int, int]]


def turn_layings(layings: Iterable[Laying], turns: int) -> list[Laying]:
    """The same layings after some quarter-turns clockwise around the cell 0,0."""
    found = list(layings)
    for _ in range(turns % 4):
        found = [Laying(one.tile, one.side, (one.rotation + 1) % 4, -one.y, one.x) for one in found]
    return found


def form_around(layings: Iterable[Laying], first: Laying) -> Form:
    """Layings turned and moved so that one of them lies as if it were laid first."""
    turned = turn_layings((first, *layings), -first.rotation)
    x, y = turned[0].x, turned[0].y
    return frozenset((one.tile, one.side, one.rotation, one.x - x, one.y - y) for one in turned[1:])


def is_about(asked: list[Laying], laid: tuple[Laying, ...]) -> bool:
    """Whether a question is about what lies on a table, or about one turn more."""
    if not MIN_LAID <= len(laid) <= len(asked) <= len(laid) + MAX_MORE:
        return False
    same = next((one for one in asked if one.tile == laid[0].tile), None)
    if same is None or same.side != laid[0].side:
        return False
    return form_around(laid, laid[0]) <= form_around(asked, same)


def check_not_in_play(sessions: ViewerSessions, address: str, position: str) -> None:
    """Refuse a question about a position in play without aids, for those who sit there."""
    tables = sessions.tables_without_aids(address)[:MAX_COMPARED]
    if not tables:
        return
    count = len(position.split())
    close = [laid for laid in tables if len(laid) <= count <= len(laid) + MAX_MORE]
    if not close:
        return
    try:
        asked = parse_position(position)
    except DalapapaError:
        return  # The handler of the request says what is wrong with it.
    if any(is_about(asked, laid) for laid in close):
        raise Forbidden(
            "This position is in play at your table, where you have agreed to play without aids:"
            " ask again when the game is over.",
            "in_play",
        )
