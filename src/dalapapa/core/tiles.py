"""The dominoes: the set of 120, the set of 72, and sets loaded from a file.

The sets are generated from six figures, not listed (`docs/tiles.md`). A face is seven
colour letters in the order C W NW NE E SE SW: the centre, then clockwise from the west.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, cached_property
from hashlib import sha256
from itertools import permutations
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import msgspec

from .errors import BadSet, OtherSet, UnknownDomino
from .files import read
from .notation import shorten

COLOURS = "RYGB"
COLOUR_NAMES = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}

FIGURES = {
    "P": "pyramid",
    "B": "bridge",
    "C": "column",
    "A": "arrow",
    "D": "diagonal",
    "Z": "zigzag",
}

STANDARD = {"120": "PBCADZ", "72": "CADZ"}
"""The standard sets, and the figures they are made of."""

MAX_DOMINOES = 500
"""The largest set that the table supports; a file with more is refused."""

MAX_FILE_BYTES = 1_000_000

_BLANKS = re.compile(r"[ \t\r\n]*")

_ORDER = ("C", "W", "NW", "NE", "E", "SE", "SW")
_MIRROR = {"W": "E", "E": "W", "NW": "NE", "NE": "NW", "SW": "SE", "SE": "SW"}

# The places of the pair of colour b and of the single c on the recto. The centre is b, the rest a.
_PLACES = {
    "P": ({"NW", "NE"}, "W"),
    "B": ({"W", "E"}, "NW"),
    "C": ({"NW", "SW"}, "W"),
    "A": ({"NW", "SW"}, "E"),
    "D": ({"NW", "SE"}, "W"),
    "Z": ({"NW", "SE"}, "NE"),
}

_SELF_MIRRORED = "CA"
"""Figures that are their own mirror image: `Cabcd` and `Ccdab` are two sides of one domino."""


class Tile(msgspec.Struct, frozen=True):
    """One domino. `figure` and `pile` are None where the set does not have them."""

    name: str
    figure: str | None
    recto: str
    verso: str
    pile: int | None

    def face(self, side: str) -> str:
        """Return the seven colours of the recto (`+`) or the verso (`-`)."""
        return self.recto if side == "+" else self.verso


class SetIdentity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Identifies the exact dominoes of a set, by name and fingerprint."""

    name: str
    fingerprint: str


class TileSet:
    """An immutable set of dominoes: `for tile in tiles`, `tiles["PRYGB"]`, `"PRYGB" in tiles`.

    The order is fixed. Tables and games never change a set, so that threads may share it.
    """

    def __init__(self, name: str, tiles: tuple[Tile, ...]) -> None:
        self.name = name
        self.tiles = tiles
        if len(self.by_name) != len(tiles):
            raise BadSet(f"{self} has two dominoes with the same name.")
        if not 1 <= len(tiles) <= MAX_DOMINOES:
            raise BadSet(f"{self} has {len(tiles)} dominoes; it must have 1 to {MAX_DOMINOES}.")

    @cached_property
    def by_name(self) -> dict[str, Tile]:
        """The dominoes by name."""
        return {tile.name: tile for tile in self.tiles}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names in the order of the set, from which the bag is shuffled."""
        return tuple(tile.name for tile in self.tiles)

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256, in hexadecimal digits, of the rows `name recto verso` and a line feed each.

        It distinguishes different sets of the same name.
        """
        rows = "".join(f"{tile.name} {tile.recto} {tile.verso}\n" for tile in self.tiles)
        return sha256(rows.encode()).hexdigest()

    @cached_property
    def identity(self) -> SetIdentity:
        """The identity in records and online tables; a custom set has the name `own`."""
        return SetIdentity(self.name if self.name in STANDARD else "own", self.fingerprint)

    def __getitem__(self, name: str) -> Tile:
        if name not in self:
            raise self.unknown(name)
        return self.by_name[name]

    def unknown(self, name: object) -> UnknownDomino:
        """Make the refusal of a name.

        It has a hint for the common mistake: the name of the back of a column or an arrow.
        """
        if not isinstance(name, str):
            return UnknownDomino(f"The name of a domino must be a text, not {shorten(name)}.")
        # Named after its other side: `Cabcd` for `Ccdab`.
        front = name[:1] + name[3:] + name[1:3] if len(name) == 5 else name
        is_back = front in self and self.by_name[front] == standard().by_name.get(front)
        sentence = f"There is no domino {shorten(name)} in {self}"
        if is_back:
            return UnknownDomino(f"{sentence}: it is the back of {front}.", name=name, front=front)
        return UnknownDomino(f"{sentence}.")

    def pile(self, number: int) -> tuple[str, ...]:
        """List the names of a pile of Arlequin."""
        return tuple([tile.name for tile in self.tiles if tile.pile == number])

    def __contains__(self, what: object) -> bool:
        if isinstance(what, Tile):
            return self.by_name.get(what.name) == what
        return isinstance(what, str) and what in self.by_name

    def __iter__(self) -> Iterator[Tile]:
        return iter(self.tiles)

    def __len__(self) -> int:
        return len(self.tiles)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TileSet) and self.tiles == other.tiles

    def __hash__(self) -> int:
        return hash(self.tiles)

    def __str__(self) -> str:
        return f"the set {self.name}"

    def __repr__(self) -> str:
        for name in STANDARD:
            if self == standard(name):
                return f"standard({name!r})"
        return f"TileSet({self.name!r}, {self.tiles!r})"


def mirror(face: str) -> str:
    """Mirror a face: W<->E, NW<->NE, SW<->SE."""
    return "".join(face[_ORDER.index(_MIRROR.get(place, place))] for place in _ORDER)


def half_turn(face: str) -> str:
    """Turn a face by a half-turn: W<->E, NW<->SE, NE<->SW."""
    return face[0] + face[4:] + face[1:4]


def count_halves(face: str) -> Counter[str]:
    """Count halves by colour; the centre counts as two (our reading of `docs/tiles.md`, F4)."""
    return Counter(face[0] + face)


def _pile(recto: str, verso: str) -> int | None:
    """Find the pile of Arlequin: its colour and blue have four halves together on each face."""
    faces = count_halves(recto), count_halves(verso)
    for pile, partner in enumerate("YRG", start=1):
        if all(face["B"] + face[partner] == 4 for face in faces):
            return pile
    return None


def _generate(letters: str) -> tuple[Tile, ...]:
    tiles = []
    for letter in letters:
        pair, single = _PLACES[letter]
        for a, b, c, d in permutations(COLOURS):
            if letter in _SELF_MIRRORED and COLOURS.index(a) > COLOURS.index(c):
                continue  # This is the back of a domino that has another name.
            recto = "".join(
                b if place == "C" or place in pair else c if place == single else a
                for place in _ORDER
            )
            complement = str.maketrans(a + b + c + d, c + d + a + b)
            verso = mirror(recto).translate(complement)
            name = letter + a + b + c + d
            tiles.append(Tile(name, FIGURES[letter], recto, verso, _pile(recto, verso)))
    return tuple(tiles)


def standard(name: str | int = "120") -> TileSet:
    """Return the author's set of 120 dominoes, or his set 72 without pyramids and bridges."""
    known = str(name)
    if known in STANDARD:
        return _make_standard(known)
    raise BadSet(
        f"There is no standard set {shorten(name)}: choose 120 or 72. load_set reads sets of"
        " your own from files.",
        "unknown_set",
    )


@cache
def _make_standard(name: str) -> TileSet:
    return TileSet(name, _generate(STANDARD[name]))


def check_identity(what: str, named: SetIdentity | None, own: SetIdentity) -> None:
    """Refuse `what` ("This record") if it was not played with exactly these dominoes."""
    if named is None:
        raise OtherSet(
            f"{what} does not name its dominoes: it comes from an early version that"
            " Dalapapa can no longer read."
        )
    if named.name != own.name:
        raise OtherSet(
            f"{what} names the set {shorten(named.name)}, but its options ask for {own.name}."
        )
    if named.fingerprint != own.fingerprint:
        raise OtherSet(
            f"{what} uses different dominoes under the name {named.name}: their"
            f" fingerprint is {shorten(named.fingerprint, 12)}, and that of this set is"
            f" {shorten(own.fingerprint, 12)}."
        )


def load(source: str | int | PathLike[str]) -> TileSet:
    """Load a set by name (`120`, `72`) or from a JSON or CSV file (`docs/tiles.md`)."""
    if type(source) is int:
        return standard(source)
    if not isinstance(source, str | PathLike):
        raise BadSet(f"A set must be a name or a file, not {shorten(source)}.", "unknown_set")
    source = fspath(source)
    if source in STANDARD:
        return standard(source)
    path = Path(source)
    if path.suffix.lower() not in (".json", ".csv"):
        raise BadSet(
            f"There is no set called {source!r}: use 120, 72, or a .json or .csv file.",
            "unknown_set",
        )
    data = read(source, MAX_FILE_BYTES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadSet(f"{source}, line {line}: this is not UTF-8 text.") from None
    rows = _json_rows(source, text) if path.suffix.lower() == ".json" else _csv_rows(source, text)
    return from_rows(path.stem, rows, source)


def from_rows(name: str, rows: list[tuple[str, Any]], source: str = "set") -> TileSet:
    """Make a set from (place, mapping) pairs; an error names the place of the first bad one."""
    tiles: list[Tile] = []
    places: dict[str, str] = {}
    for place, row in rows:
        tile = _tile(f"{source}, {place}", row)
        if tile.name in places:
            raise BadSet(
                f"{source}, {place}: the name {tile.name} is already in {places[tile.name]}."
            )
        places[tile.name] = place
        tiles.append(tile)
    if not tiles:
        raise BadSet(f"{source} contains no dominoes.")
    if len(tiles) > MAX_DOMINOES:
        raise BadSet(f"{source} has {len(tiles)} dominoes; a set can have at most {MAX_DOMINOES}.")
    return TileSet(name, tuple(tiles))


def _tile(place: str, row: Any) -> Tile:
    if not isinstance(row, dict):
        raise BadSet(f"{place}: a domino must be an object with name, recto and verso.")
    for key in ("name", "recto", "verso"):
        if not isinstance(row.get(key), str) or not row[key]:
            raise BadSet(f"{place}: the {key} is missing.")
    name, recto, verso = row["name"], row["recto"], row["verso"]
    if not (name.isascii() and name.isalnum() and len(name) <= 20):
        raise BadSet(
            f"{place}: a name must have 1 to 20 letters and digits, unlike {shorten(name, 30)}."
        )
    for key, face in (("recto", recto), ("verso", verso)):
        if len(face) != 7:
            raise BadSet(
                f"{place}: the {key} of {name} must have seven colours (C W NW NE E SE"
                f" SW), not {len(face)}."
            )
        for letter in face:
            if letter not in COLOURS:
                raise BadSet(
                    f"{place}: the {key} of {name} has the unknown colour {letter!r}: use"
                    " R, Y, G and B."
                )
    figure = row.get("figure") or None
    if figure is not None and not (
        isinstance(figure, str) and figure.isprintable() and len(figure) <= 40
    ):
        raise BadSet(
            f"{place}: the figure of {name} must be printable text of at most 40 characters."
        )
    return Tile(name, figure, recto, verso, _pile(recto, verso))


def _json_rows(source: str, text: str) -> list[tuple[str, Any]]:
    """List the dominoes of a JSON list, with the line on which each object begins."""
    decoder = json.JSONDecoder()
    lines, counted = 1, 0

    def line(index: int) -> str:
        """Return the line of a place in the text; places must ascend."""
        nonlocal lines, counted
        if index > counted:
            lines += text.count("\n", counted, index)
            counted = index
        return f"line {lines}"

    def skip(index: int) -> int:
        found = _BLANKS.match(text, index)
        return found.end() if found else index

    index = skip(0)
    if text[index : index + 1] != "[":
        raise BadSet(f"{source}, {line(index)}: a set must be a JSON list of dominoes.")
    rows: list[tuple[str, Any]] = []
    index = skip(index + 1)
    while rows or text[index : index + 1] != "]":
        place = line(index)
        try:
            value, end = decoder.raw_decode(text, index)
        except json.JSONDecodeError as error:
            raise BadSet(f"{source}, {line(error.pos)}: {error.msg}.") from None
        except (RecursionError, ValueError):
            raise BadSet(f"{source}, {place}: this is not a domino.") from None
        rows.append((place, value))
        index = skip(end)
        if text[index : index + 1] == "]":
            break
        if text[index : index + 1] != ",":
            raise BadSet(f"{source}, {line(index)}: the list is cut off or lacks a comma.")
        index = skip(index + 1)
    index = skip(index + 1)
    if index != len(text):
        raise BadSet(f"{source}, {line(index)}: there is text after the list.")
    return rows


def _csv_rows(source: str, text: str) -> list[tuple[str, Any]]:
    """List the dominoes of a CSV file with the columns name, recto, verso."""
    line = 0

    def lines() -> Iterator[str]:
        # The reader's own count lags behind when it fails.
        nonlocal line
        for row in io.StringIO(text, newline=""):
            line += 1
            yield row

    reader = csv.DictReader(lines(), strict=True)
    rows: list[tuple[str, Any]] = []
    try:
        if not {"name", "recto", "verso"} <= set(reader.fieldnames or ()):
            raise BadSet(
                f"{source}, line 1: the header must have the columns name, recto and verso."
            )
        rows.extend((f"line {line}", row) for row in reader)
    except csv.Error as error:
        raise BadSet(f"{source}, line {max(line, 1)}: {error}.") from None
    return rows
