"""A review as a picture: the chances with their intervals, what each turn lost, what was missed.

Names can be in any script, so the texts are texts, unlike those of `drawing`.
"""

from __future__ import annotations

from ..drawing.markup import escape_text
from ..drawing.palettes import SEATS
from ..record import make_printable
from .report import format_heading, format_losses_title
from .reviewer import Review
from .words import check_language, format_count, format_percent, say

WIDTH, CURVE, BARS = 760, 260, 110
"""Pixels of the picture, of the curve and of the bars."""

LEFT, RIGHT, TOP, GAP, LINE = 54, 16, 40, 56, 20

DASHES = ("", "10 5", "3 4", "14 4 3 4", "6 3", "2 6", "16 6", "8 3 2 3", "4 8", "12 3 2 3 2 3")
"""Dashes of the lines, for readers who cannot distinguish the colours of the seats."""

STYLE = """
text{font:13px system-ui,sans-serif;fill:#222}.title{font-weight:700}.soft{fill:#666}
.ground{fill:#fff}.grid{stroke:#ddd}.line{fill:none;stroke-width:2.5;stroke-linejoin:round}
.band{opacity:.15}.seat{font-size:10px}.missed{fill:#222}.number{fill:#fff;font-weight:700}
@media(prefers-color-scheme:dark){text{fill:#eee}.soft{fill:#aaa}.ground{fill:#1d1d1f}
.grid{stroke:#444}.line,.bar{filter:brightness(1.6)}.missed{fill:#eee}.number{fill:#111}}
"""


def plot(review: Review, language: str = "en") -> str:
    """The picture as SVG."""
    check_language(language)
    names = [make_printable(player.name) for player in review.players]
    legend = TOP + CURVE + 26
    bars = legend + LINE * ((len(names) + 3) // 4) + GAP - 14
    foot = bars + BARS + 46
    height = foot + LINE * (len(review.missed) + 1) if review.missed else foot - 14
    kind = "chances" if review.measure == "chance" else "full"
    title = say(f"title_{kind}", language)
    moves = format_count("moves", review.curve[-1].position, language)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>{escape_text(title)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="ground" width="{WIDTH}" height="{height}"/>',
        _text(LEFT, 22, title, "title"),
        *_grid(language),
        *_curves(review),
        *_legend(names, legend),
        _text(LEFT, bars - 20, format_losses_title(review, language), "title"),
        *_bars(review, bars),
        _text(LEFT, bars + BARS + 17, "0", "soft", "middle"),
        _text(WIDTH - RIGHT, bars + BARS + 17, moves, "soft", "end"),
        *_marks(review, bars),
        *_list_missed(review, names, foot, language),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">'
        f"{escape_text(text)}</text>"
    )


def _x(review: Review, position: int) -> float:
    last = max(1, review.curve[-1].position)
    return LEFT + (WIDTH - LEFT - RIGHT) * position / last


def _y(share: float) -> float:
    return TOP + CURVE * (1 - share)


def _grid(language: str) -> list[str]:
    found = []
    for quarter in range(5):
        y = _y(quarter / 4)
        found.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
        found.append(_text(LEFT - 6, y + 4, format_percent(quarter / 4, language), "soft", "end"))
    return found


def _curves(review: Review) -> list[str]:
    """First all intervals, then all lines, so that none hides another."""
    bands, lines = [], []
    for seat in range(len(review.players)):
        spots = [(_x(review, one.position), one.chances[seat]) for one in review.curve]
        upper = [f"{x:.1f} {_y(one.high):.1f}" for x, one in spots]
        lower = [f"{x:.1f} {_y(one.low):.1f}" for x, one in reversed(spots)]
        middle = [f"{x:.1f} {_y(one.value):.1f}" for x, one in spots]
        colour = SEATS[seat]
        if any(not one.exact for _, one in spots):
            bands.append(f'<path class="band" fill="{colour}" d="M{"L".join(upper + lower)}Z"/>')
        lines.append(
            f'<path class="line" stroke="{colour}" stroke-dasharray="{DASHES[seat]}" '
            f'd="M{"L".join(middle)}"/>'
        )
    return bands + lines


def _legend(names: list[str], top: float) -> list[str]:
    found = []
    column = (WIDTH - LEFT - RIGHT) / 4
    for seat, name in enumerate(names):
        x, y = LEFT + column * (seat % 4), top + LINE * (seat // 4)
        found.append(
            f'<path class="line" stroke="{SEATS[seat]}" stroke-dasharray="{DASHES[seat]}" '
            f'd="M{x:.1f} {y - 4:.1f}h34"/>'
        )
        short = name if len(name) <= 16 else f"{name[:15]}…"
        found.append(_text(x + 40, y, f"{seat + 1} {short}"))
    return found


def _bars(review: Review, top: float) -> list[str]:
    """A bar for each turn that lost something, with the number of its player."""
    most = max([turn.played.lost for turn in review.turns] + [1])
    foot = top + BARS
    found = [f'<path class="grid" d="M{LEFT} {foot}H{WIDTH - RIGHT}"/>']
    for share in (most, most // 2) if most > 1 else (most,):
        y = foot - BARS * share / most
        found.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
        found.append(_text(LEFT - 6, y + 4, str(share), "soft", "end"))
    found.append(_text(LEFT - 6, foot + 4, "0", "soft", "end"))
    wide = min(14.0, (WIDTH - LEFT - RIGHT) / max(1, len(review.turns)) * 0.7)
    for turn in review.turns:
        lost = turn.played.lost
        if lost > 0:
            x = _x(review, turn.played.first)
            high = BARS * lost / most
            seat = turn.played.player
            colour = "#666" if seat is None else SEATS[seat]
            found.append(
                f'<rect class="bar" fill="{colour}" x="{x - wide / 2:.1f}" y="{foot - high:.1f}" '
                f'width="{wide:.1f}" height="{high:.1f}"/>'
            )
            if seat is not None:
                found.append(_text(x, foot - high - 3, str(seat + 1), "seat", "middle"))
    return found


def _marks(review: Review, bars: float) -> list[str]:
    """The biggest chances missed, numbered, below the curve and below the bars."""
    found = []
    for place, number in enumerate(review.missed, start=1):
        x = _x(review, review.turns[number - 1].played.first)
        found += _dot(x, TOP + CURVE, place) + _dot(x, bars + BARS + 12, place)
    return found


def _dot(x: float, y: float, number: int) -> list[str]:
    return [
        f'<circle class="missed" cx="{x:.1f}" cy="{y:.1f}" r="9"/>',
        _text(x, y + 4.5, str(number), "number", "middle"),
    ]


def _list_missed(review: Review, names: list[str], top: float, language: str) -> list[str]:
    if not review.missed:
        return []
    found = [_text(LEFT, top + 6, say("title_missed", language), "title")]
    for place, number in enumerate(review.missed, start=1):
        y = top + 6 + LINE * place
        found += _dot(LEFT + 9, y - 4.5, place)
        found.append(
            _text(LEFT + 26, y, format_heading(review, review.turns[number - 1], names, language))
        )
    return found
