"""The page: a random legal table drawn as SVG, and every domino of the set."""

from __future__ import annotations

import secrets
from html import escape
from random import Random
from urllib.parse import urlencode

import msgspec

from ..drawing import PALETTES, GroupMark, Marks, Style, draw, draw_tile
from ..errors import BadOptions
from ..notation import print_position
from ..table import Table
from ..tiles import TileSet, standard
from .texts import LANGUAGES, TEXTS, preferred

SHAPES = ("rounds", "squares", "octagons")
DOMINOES = 36
"""Dominoes on the random table: about a game of two to 60 points."""


class Choice(msgspec.Struct, frozen=True):
    """What a visitor asks for, from the query of the link."""

    language: str
    seed: str
    shape: str = "rounds"
    palette: str = "classic"
    symbols: str = ""

    @staticmethod
    def of(wishes: dict[str, str], accepted_languages: str) -> Choice:
        """A choice from the query of a link; anything unknown is refused."""
        language = wishes.get("lang") or preferred(accepted_languages)
        if language not in LANGUAGES:
            raise BadOptions(f"Languages are {', '.join(LANGUAGES)}.", "unknown_language")
        choice = Choice(
            language,
            wishes.get("seed", secrets.token_hex(4))[:32],
            wishes.get("shape", "rounds"),
            wishes.get("palette", "classic"),
            "on" if wishes.get("symbols") else "",
        )
        choice.style()  # Refuses unknown shapes and palettes.
        return choice

    def style(self) -> Style:
        """How dominoes are drawn."""
        wishes = {"shape": self.shape, "palette": self.palette, "symbols": bool(self.symbols)}
        try:
            return msgspec.convert(wishes, Style)
        except msgspec.ValidationError as error:
            raise BadOptions(f"This look is unknown: {error}.", "unknown_look") from None

    def link(self, **changes: str) -> str:
        """A link to the same page with something else chosen."""
        wishes = {
            "lang": self.language,
            "seed": self.seed,
            "shape": self.shape,
            "palette": self.palette,
            "symbols": self.symbols,
            **changes,
        }
        return "/?" + urlencode({key: value for key, value in wishes.items() if value})


def random_table(tiles: TileSet, seed: str) -> Table:
    """A legal table; layings with more contacts are likelier, as in a game."""
    chance = Random(seed)
    names = list(tiles.names)
    chance.shuffle(names)
    table = Table(tiles)
    for name in names[:DOMINOES]:
        found = table.scored(name)
        if found:
            table.lay(found[int(len(found) * chance.random() ** 6)][0])
    return table


def page(choice: Choice) -> str:
    """The whole page as HTML."""
    say = TEXTS[choice.language]
    tiles = standard()
    table = random_table(tiles, choice.seed)
    closed = [GroupMark(g.discs, str(g.size)) for g in table.groups() if g.closed and g.size > 1]
    last = table.layings[-1:]
    picture = draw(
        table.layings,
        tiles,
        style=choice.style(),
        marks=Marks(groups=tuple(closed), last=last),
    )
    languages = " ".join(
        f'<a href="{escape(choice.link(lang=code))}" lang="{code}"{_here(code, choice)}>{code}</a>'
        for code in LANGUAGES
    )
    dominoes = "".join(
        f"<li>{draw_tile(tile, choice.style())}<code>{tile.name}</code>"
        f" <small>{escape(say['pile'].format(tile.pile))}</small></li>"
        for tile in tiles.tiles
    )
    return f"""<!doctype html>
<html lang="{choice.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dalapapa</title>
<link rel="icon" href="data:,">
<style>{STYLE}</style>
</head>
<body>
<header>
<h1>Dalapapa</h1>
<p>{escape(say["tagline"])}</p>
<nav>{languages}</nav>
</header>
<main>
<p>{escape(say["soon"])}</p>
<form action="/">
<fieldset>
<legend>{escape(say["look"])}</legend>
<input type="hidden" name="lang" value="{choice.language}">
<input type="hidden" name="seed" value="{escape(choice.seed)}">
{_select("shape", SHAPES, choice.shape, say)}
{_select("palette", tuple(PALETTES), choice.palette, say)}
<label><input type="checkbox" name="symbols"{" checked" if choice.symbols else ""}>
{escape(say["symbols"])}</label>
<button>{escape(say["show"])}</button>
</fieldset>
</form>
<section>
<h2>{escape(say["a_table"])}</h2>
<p><a class="button" href="{escape(choice.link(seed=secrets.token_hex(4)))}">
{escape(say["another"])}</a> {escape(say["closed_groups"])}</p>
<figure>{picture}</figure>
<details><summary>{escape(say["as_text"])}</summary>
<pre>{escape(print_position(table.layings))}</pre></details>
</section>
<section>
<h2>{escape(say["the_set"])} (120)</h2>
<p>{escape(say["faces"])}</p>
<ul class="set">{dominoes}</ul>
</section>
</main>
<footer><p>{escape(say["credit"])}</p></footer>
</body>
</html>
"""


def _here(code: str, choice: Choice) -> str:
    return ' aria-current="true"' if code == choice.language else ""


def _select(name: str, values: tuple[str, ...], chosen: str, say: dict[str, str]) -> str:
    options = "".join(
        f'<option value="{value}"{" selected" if value == chosen else ""}>'
        f"{escape(say[value])}</option>"
        for value in values
    )
    return f'<label>{escape(say[name])} <select name="{name}">{options}</select></label>'


STYLE = """
:root { color-scheme: light dark; --ink: #22201c; --paper: #f6f1e7; --line: #b9ae98;
  --accent: #14532d; --on-accent: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --ink: #f0eadd; --paper: #1d2422;
  --line: #55605b; --accent: #8fd6a8; --on-accent: #10231a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 72rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; }
h1 { margin: 0; font-size: 2rem; letter-spacing: .02em; }
header p { margin: 0; flex: 1; }
nav a { display: inline-block; padding: .5rem; color: inherit; }
nav a[aria-current] { font-weight: bold; text-decoration: none; }
fieldset { display: flex; flex-wrap: wrap; gap: .75rem 1.25rem; align-items: center;
  border: 1px solid var(--line); border-radius: .5rem; }
select, button, .button { font: inherit; min-height: 2.75rem; padding: .4rem .9rem;
  border-radius: .5rem; border: 1px solid var(--line); }
input[type=checkbox] { width: 1.4rem; height: 1.4rem; vertical-align: middle; }
button, .button { display: inline-block; background: var(--accent); color: var(--on-accent);
  border-color: transparent; text-decoration: none; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
figure { margin: 1rem 0; text-align: center; }
figure svg { max-width: 100%; height: auto; border-radius: .75rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.set { display: grid; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr));
  gap: 1rem; padding: 0; list-style: none; }
.set svg { display: block; width: 100%; height: auto; }
footer { margin-top: 2rem; border-top: 1px solid var(--line); font-size: .9rem; }
"""
