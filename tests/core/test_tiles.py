"""The dominoes: the facts of `docs/tiles.md`, and sets loaded from a file."""

from __future__ import annotations

import csv
import io
import json
import time
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from dalapapa.core.errors import BadInput, BadSet, DalapapaError, UnknownDomino
from dalapapa.core.notation import Laying
from dalapapa.core.tiles import (
    COLOURS,
    MAX_DOMINOES,
    MAX_FILE_BYTES,
    SetIdentity,
    Tile,
    TileSet,
    half_turn,
    load,
    mirror,
    standard,
)
from dalapapa.facts import check_facts
from dalapapa.kernel.solver import Frame, solve

SET = standard("120")
HALF_DISCS = ("W", "NW", "NE", "E", "SE", "SW")
OPPOSITE = {"W": "E", "E": "W", "NW": "SE", "SE": "NW", "NE": "SW", "SW": "NE"}


def faces(tiles: TileSet) -> list[str]:
    return [face for tile in tiles.tiles for face in (tile.recto, tile.verso)]


def turn_by_half(face: str) -> str:
    colour = dict(zip(HALF_DISCS, face[1:], strict=True))
    return face[0] + "".join(colour[OPPOSITE[place]] for place in HALF_DISCS)


def halves(face: str) -> Counter[str]:
    """Halves of each colour, the central disc counting as two (F4)."""
    return Counter(face[0] * 2 + face[1:])


# --- Facts ----------------------------------------------------------------------------------


def test_f1_120_dominoes_of_two_faces_with_seven_discs_in_four_colours() -> None:
    assert len(SET) == len(SET.tiles) == 120
    for face in faces(SET):
        assert len(face) == 7
        assert set(face) <= set("RYGB")
    assert set("".join(faces(SET))) == set("RYGB") == set(COLOURS)


def test_f1_all_dominoes_are_different_however_they_lie() -> None:
    def looks(tile: Tile) -> frozenset[str]:
        return frozenset(min(face, turn_by_half(face)) for face in (tile.recto, tile.verso))

    assert len({looks(tile) for tile in SET.tiles}) == 120
    assert len({min(face, turn_by_half(face)) for face in faces(SET)}) == 240
    assert len(set(SET.names)) == 120


def test_f2_the_half_discs_of_a_face_use_exactly_three_colours() -> None:
    assert all(len(set(face[1:])) == 3 for face in faces(SET))


def test_f2_no_colour_is_missing_on_both_faces() -> None:
    for tile in SET.tiles:
        assert set(tile.recto[1:]) | set(tile.verso[1:]) == set("RYGB")


def test_f3_opposite_faces_are_complementary() -> None:
    for tile in SET.tiles:
        a, b, c, d = tuple(tile.name[1:])
        recto, verso = halves(tile.recto), halves(tile.verso)
        assert (recto[a], recto[b], recto[c], recto[d]) == (3, 4, 1, 0)
        assert (verso[a], verso[b], verso[c], verso[d]) == (1, 0, 3, 4)
        assert (tile.recto[0], tile.verso[0]) == (b, d)


def test_f3_every_domino_has_four_halves_of_each_colour() -> None:
    for tile in SET.tiles:
        assert halves(tile.recto) + halves(tile.verso) == dict.fromkeys("RYGB", 4)


def test_f3_the_back_is_the_mirror_image_in_complementary_colours() -> None:
    for tile in SET.tiles:
        a, b, c, d = tuple(tile.name[1:])
        complement = str.maketrans(a + b + c + d, c + d + a + b)
        assert tile.verso == mirror(tile.recto).translate(complement)
        assert tile.recto == mirror(tile.verso).translate(complement), "turned over twice"


def test_mirroring_the_other_way_is_the_same_face_half_turned() -> None:
    for face in faces(SET):
        colour = dict(zip(HALF_DISCS, face[1:], strict=True))
        upside_down = {"NW": "SW", "SW": "NW", "NE": "SE", "SE": "NE", "W": "W", "E": "E"}
        other = face[0] + "".join(colour[upside_down[place]] for place in HALF_DISCS)
        assert turn_by_half(mirror(face)) == other == half_turn(mirror(face))


def test_f3_all_colours_are_represented_equally() -> None:
    assert Counter(face[0] for face in faces(SET)) == dict.fromkeys("RYGB", 60)
    assert Counter("".join(face[1:] for face in faces(SET))) == dict.fromkeys("RYGB", 360)


@pytest.mark.parametrize(("pile", "partner"), [(1, "Y"), (2, "R"), (3, "G")])
def test_f4_three_piles_of_40_with_four_halves_on_each_face(pile: int, partner: str) -> None:
    mine = [tile for tile in SET.tiles if tile.pile == pile]
    assert len(mine) == 40
    for tile in mine:
        for face in (tile.recto, tile.verso):
            assert halves(face)["B"] + halves(face)[partner] == 4


def test_f4_the_pile_is_where_the_partner_of_blue_stands() -> None:
    for tile in SET.tiles:
        a, b, c, d = tuple(tile.name[1:])
        partner = {a: c, c: a, b: d, d: b}["B"]
        assert tile.pile == {"Y": 1, "R": 2, "G": 3}[partner]


def test_f4_no_domino_fits_two_piles() -> None:
    for tile in SET.tiles:
        fits = [
            partner
            for partner in "YRG"
            if all(halves(f)["B"] + halves(f)[partner] == 4 for f in (tile.recto, tile.verso))
        ]
        assert len(fits) == 1


def test_f5_without_24_pyramids_and_24_bridges_72_are_left() -> None:
    assert Counter(tile.figure for tile in SET.tiles) == {
        "pyramid": 24,
        "bridge": 24,
        "column": 12,
        "arrow": 12,
        "diagonal": 24,
        "zigzag": 24,
    }
    left = tuple(tile for tile in SET.tiles if tile.figure not in ("pyramid", "bridge"))
    assert len(left) == 72
    assert standard("72").tiles == left
    assert all(tile.name[0] in "CADZ" for tile in left)


@pytest.mark.thorough
def test_f6_each_pile_fills_a_sheet_whose_back_is_filled_as_well() -> None:
    """With rectos only, as the printed sheets; the backs are seen in a mirror (rules 6)."""
    for pile in (1, 2, 3):
        names = [tile.name for tile in SET.tiles if tile.pile == pile]
        (front,) = solve(Frame.rectangle(8, 10), SET, names, faces="recto").solutions
        assert {laying.side for laying in front} == {"+"}
        assert {laying.tile for laying in front} == set(names)
        # Turned over from left to right, a quarter-turn becomes one the other way, and the first
        # half of a verso lies behind the second half of its recto.
        back = [
            Laying(one.tile, "-", -one.rotation % 4, 7 - x, y)
            for one in front
            for x, y in one.cells[1:]
        ]
        for layout in (front, back):
            assert solve(Frame.rectangle(8, 10), SET, names, layout).solutions == (
                tuple(sorted(layout, key=lambda one: min((y, x) for x, y in one.cells))),
            )


def test_the_standard_set_has_all_six_facts() -> None:
    assert [(one.fact, one.holds) for one in check_facts(SET)] == [
        (f"F{number}", True) for number in range(1, 7)
    ]


def test_facts_of_another_set() -> None:
    """Each broken in one way; the reason names the domino."""
    rows = {tile.name: tile for tile in SET.tiles}

    def holding(tiles: Iterable[Tile]) -> dict[str, bool | None]:
        return {one.fact: one.holds for one in check_facts(TileSet("own", tuple(tiles)))}

    less = [tile for tile in SET.tiles if tile.name != "PRYGB"]
    assert holding(less) == {
        "F1": False, "F2": True, "F3": True, "F4": False, "F5": False, "F6": False,
    }  # fmt: skip
    twice = [*less, Tile("X", None, half_turn(rows["PRYBG"].recto), rows["PRYBG"].verso, 3)]
    first = check_facts(TileSet("own", tuple(twice)))[0]
    assert (first.holds, first.reason) == (False, "PRYBG and X are the same")
    plain = Tile("X", None, "RRRRRRR", "GGGGGGG", None)
    found = {one.fact: one for one in check_facts(TileSet("own", (*less, plain)))}
    assert found["F1"].holds
    assert found["F2"].reason == "colours of the half-discs of X (RRRRRRR): 1"
    assert found["F3"].reason == "X has 8 R, 0 Y, 8 G, 0 B"
    assert found["F4"].reason == "X belongs to no pile"
    assert found["F5"].reason == "23 show a pyramid"


def test_a_fact_that_takes_too_long_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dalapapa.facts.MAX_NODES", 10)
    monkeypatch.setattr("dalapapa.facts.MAX_NODES_OF_SHEET", 10)
    assert check_facts(SET)[5].holds is None


def test_f7_only_in_bridges_is_the_central_disc_a_group_by_itself() -> None:
    """Its neighbours NW NE SE SW all have another colour, so that it is closed at once."""
    for tile in SET.tiles:
        for face in (tile.recto, tile.verso):
            neighbours = face[2] + face[3] + face[5] + face[6]
            assert (face[0] not in neighbours) == (tile.figure == "bridge")


def test_every_choice_of_three_half_discs_appears_once_in_every_colouring() -> None:
    """Ten choices up to a half-turn; the colouring is who sits on three, on two, on one."""

    def choice(places: set[str]) -> frozenset[frozenset[str]]:
        return frozenset((frozenset(places), frozenset(OPPOSITE[place] for place in places)))

    choices = {choice(set(three)) for three in combinations(HALF_DISCS, 3)}
    assert len(choices) == 10
    found: Counter[tuple[frozenset[frozenset[str]], tuple[str, ...]]] = Counter()
    for face in faces(SET):
        (three, n3), (two, n2), (one, n1) = Counter(face[1:]).most_common()
        assert (n3, n2, n1) == (3, 2, 1)
        assert face[0] == two
        places = {place for place, c in zip(HALF_DISCS, face[1:], strict=True) if c == three}
        found[choice(places), (three, two, one)] += 1
    colourings = list(permutations("RYGB", 3))
    assert found == {(places, colouring): 1 for places in choices for colouring in colourings}


def test_the_example_prygb() -> None:
    tile = SET["PRYGB"]
    assert tile == Tile("PRYGB", "pyramid", "YGYYRRR", "BGBBRGG", tile.pile)
    assert tile.pile == 1  # blue is d, its partner b is yellow
    assert tile.face("+") == "YGYYRRR"
    assert tile.face("-") == "BGBBRGG"


# The rows of the table in docs/tiles.md with a=R, b=Y, c=G, d=B, worked out by hand.
@pytest.mark.parametrize(
    ("name", "figure", "recto", "verso"),
    [
        ("PRYGB", "pyramid", "YGYYRRR", "BGBBRGG"),
        ("BRYGB", "bridge", "YYGRYRR", "BBGRBGG"),
        ("CRYGB", "column", "YGYRRRY", "BGGBRBG"),
        ("ARYGB", "arrow", "YRYRGRY", "BRGBGBG"),
        ("DRYGB", "diagonal", "YGYRRYR", "BGGBRGB"),
        ("ZRYGB", "zigzag", "YRYGRYR", "BGRBGGB"),
    ],
)
def test_each_figure_by_hand(name: str, figure: str, recto: str, verso: str) -> None:
    tile = SET[name]
    assert (tile.figure, tile.recto, tile.verso) == (figure, recto, verso)


def in_order(colours: Iterable[str]) -> bool:
    """Whether a comes before c: the side that names a column or an arrow."""
    a, _, c, _ = colours
    return "RYGB".index(a) < "RYGB".index(c)


def test_every_figure_stands_in_all_colourings_under_its_name() -> None:
    for letter in "PBCADZ":
        pattern = SET[letter + "RYGB"]
        for colours in permutations("RYGB"):
            if letter in "CA" and not in_order(colours):
                continue
            recolour = str.maketrans("RYGB", "".join(colours))
            tile = SET[letter + "".join(colours)]
            assert tile.recto == pattern.recto.translate(recolour)
            assert tile.verso == pattern.verso.translate(recolour)
            assert tile.figure == pattern.figure
    expected = {
        f + "".join(colours)
        for f in "PBCADZ"
        for colours in permutations("RYGB")
        if f in "PBDZ" or in_order(colours)
    }
    assert set(SET.names) == expected


def test_columns_and_arrows_are_one_domino_seen_from_both_sides() -> None:
    """Their backs have the same figure: turned over, `xabcd` is what `xcdab` would be."""
    for tile in SET.tiles:
        a, b, c, d = tuple(tile.name[1:])
        recolour = str.maketrans(a + b + c + d, c + d + a + b)
        same = tile.verso in (
            tile.recto.translate(recolour), turn_by_half(tile.recto.translate(recolour))
        )  # fmt: skip
        assert same == (tile.name[0] in "CA")


@pytest.mark.parametrize(("back", "front"), [("CGBRY", "CRYGB"), ("AGBRY", "ARYGB")])
def test_the_name_of_a_back_is_refused_with_a_hint(back: str, front: str) -> None:
    for tiles in (SET, standard("72")):
        with pytest.raises(UnknownDomino, match=f"{back}.*it is the back of {front}") as refusal:
            tiles[back]
        assert refusal.value.code == "unknown_domino"
    own = TileSet("own", (Tile(front, None, "RRRRRRR", "GGGGGGG", None),))
    for tiles, name in ((own, back), (SET, "CGBR"), (SET, "XGBRY"), (SET, "")):
        with pytest.raises(UnknownDomino) as refusal:
            tiles[name]
        assert "back" not in str(refusal.value)


def test_fingerprints_differ_by_dominoes_and_order() -> None:
    one, two = Tile("A", None, "RRRRRRR", "GGGGGGG", None), Tile("B", None, "R" * 7, "G" * 7, None)
    text = b"A RRRRRRR GGGGGGG\nB RRRRRRR GGGGGGG\n"
    assert TileSet("x", (one, two)).fingerprint == sha256(text).hexdigest()
    assert TileSet("y", (one, two)).fingerprint == TileSet("x", (one, two)).fingerprint
    assert TileSet("x", (two, one)).fingerprint != TileSet("x", (one, two)).fingerprint
    assert standard("72").identity == SetIdentity("72", standard("72").fingerprint)
    assert TileSet("x", (one, two)).identity.name == "own"


def test_the_fingerprint_of_the_set_never_changes() -> None:
    """If this fails, the records that people own can no longer be read."""
    assert SET.fingerprint == "ac33db47745847ed9f6390433a8c0db4f12dbf454c2b35b06bc806eab258585a"
    assert (
        standard("72").fingerprint
        == "2a681553e367920551e925befcec9a5fc611b3be854a871ff84efb4ca448fda1"
    )


def test_a_set_finds_dominoes_by_name() -> None:
    assert "PRYGB" in SET
    assert "PRYGB" not in standard("72")
    assert "prygb" not in SET
    assert 7 not in SET
    assert SET.names[0] == SET.tiles[0].name
    with pytest.raises(UnknownDomino) as refusal:
        standard("72")["PRYGB"]
    assert refusal.value.code == "unknown_domino"
    assert "PRYGB" in str(refusal.value)


def test_standard_sets_by_name() -> None:
    assert load("120") == standard("120") == standard()
    assert load("72") == standard("72")
    assert standard("72") != standard("120")
    assert {standard("120"): 1}[standard()] == 1
    for name in ("", "121", "PRYGB", "set.txt", "json"):
        with pytest.raises(BadSet) as refusal:
            load(name)
        assert refusal.value.code == "unknown_set"
    with pytest.raises(BadSet) as refusal:
        standard("73")
    assert refusal.value.code == "unknown_set"


# --- Sets from a file -----------------------------------------------------------------------

A = {"name": "A", "recto": "YGYYRRR", "verso": "GBGGYBB"}
B = {"name": "B", "recto": "RRRRRRR", "verso": "BBBBBBB"}
C = {"name": "C", "recto": "RYGGRYG", "verso": "YYGBRYG", "figure": "own"}


def write(folder: Path, name: str, content: str | bytes) -> str:
    path = folder / name
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return str(path)


def json_lines(*rows: Any) -> str:
    """A list with each domino on its own line, the first on line 2."""
    return "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n"


def csv_lines(*rows: dict[str, str], columns: str = "name,recto,verso") -> str:
    """The first domino is on line 2."""
    lines = [columns]
    lines += [",".join(row.get(column, "") for column in columns.split(",")) for row in rows]
    return "\n".join(lines) + "\n"


def refused(source: str) -> BadSet:
    with pytest.raises(BadSet) as refusal:
        load(source)
    assert refusal.value.code == "bad_set"
    assert source in str(refusal.value)
    assert len(str(refusal.value).splitlines()) == 1
    return refusal.value


def test_load_json(tmp_path: Path) -> None:
    tiles = load(write(tmp_path, "mine.json", json_lines(A, B, C)))
    assert tiles.name == "mine"
    assert tiles.names == ("A", "B", "C")
    assert tiles["A"] == Tile("A", None, "YGYYRRR", "GBGGYBB", 1)
    assert tiles["B"] == Tile("B", None, "RRRRRRR", "BBBBBBB", None)
    assert tiles["C"].figure == "own"


def test_load_csv(tmp_path: Path) -> None:
    tiles = load(write(tmp_path, "mine.csv", csv_lines(A, B)))
    assert tiles.names == ("A", "B")
    assert tiles["A"] == Tile("A", None, "YGYYRRR", "GBGGYBB", 1)


def test_load_csv_with_columns_in_another_order_and_a_figure(tmp_path: Path) -> None:
    text = csv_lines(C, columns="figure,verso,name,recto")
    assert load(write(tmp_path, "mine.csv", text)).tiles == (
        Tile("C", "own", "RYGGRYG", "YYGBRYG", None),
    )


@pytest.mark.parametrize("suffix", ["json", "csv", "JSON", "Csv"])
def test_load_the_standard_set_from_a_file(tmp_path: Path, suffix: str) -> None:
    rows = [
        {"name": t.name, "recto": t.recto, "verso": t.verso, "figure": t.figure or ""}
        for t in SET.tiles
    ]
    if suffix.lower() == "json":
        text = json.dumps(rows)
    else:
        file = io.StringIO()
        writer = csv.DictWriter(file, ["name", "recto", "verso", "figure"])
        writer.writeheader()
        writer.writerows(rows)
        text = file.getvalue()
    assert load(write(tmp_path, f"copy.{suffix}", text)) == SET


@pytest.mark.parametrize(("suffix", "text"), [("json", json_lines(A)), ("csv", csv_lines(A))])
def test_load_with_byte_order_mark_and_windows_line_ends(
    tmp_path: Path, suffix: str, text: str
) -> None:
    content = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    assert load(write(tmp_path, f"mine.{suffix}", content)).names == ("A",)


@pytest.mark.parametrize("suffix", ["json", "csv"])
def test_a_duplicate_name_is_refused_with_both_lines(tmp_path: Path, suffix: str) -> None:
    text = json_lines(A, B, A) if suffix == "json" else csv_lines(A, B, A)
    message = str(refused(write(tmp_path, f"mine.{suffix}", text)))
    assert "line 4" in message
    assert "line 2" in message
    assert "name A" in message


BAD_ROWS: dict[str, tuple[dict[str, str], str]] = {
    "six colours": (B | {"recto": "RRRRRR"}, "not 6"),
    "eight colours": (B | {"verso": "RRRRRRRR"}, "not 8"),
    "unknown colour": (B | {"verso": "RRRXRRR"}, "'X'"),
    "lower case": (B | {"recto": "RRRrRRR"}, "'r'"),
    "no name": (B | {"name": ""}, "name"),
    "no recto": (B | {"recto": ""}, "recto"),
    "a name with a sign": (B | {"name": "B+1"}, "'B+1'"),
    "a name with an accent": (B | {"name": "É"}, "name"),
    "a long name": (B | {"name": "B" * 21}, "name"),
}


@pytest.mark.parametrize("suffix", ["json", "csv"])
@pytest.mark.parametrize(("row", "words"), BAD_ROWS.values(), ids=BAD_ROWS.keys())
def test_a_bad_domino_is_refused_with_its_line(
    tmp_path: Path, suffix: str, row: dict[str, str], words: str
) -> None:
    text = json_lines(A, row, C) if suffix == "json" else csv_lines(A, row, C)
    message = str(refused(write(tmp_path, f"mine.{suffix}", text)))
    assert "line 3:" in message
    assert words in message


@pytest.mark.parametrize("key", ["name", "recto", "verso"])
def test_a_missing_column_is_refused(tmp_path: Path, key: str) -> None:
    columns = ",".join(column for column in ("name", "recto", "verso") if column != key)
    message = str(refused(write(tmp_path, "mine.csv", csv_lines(A, columns=columns))))
    assert "line 1:" in message
    assert key in message


@pytest.mark.parametrize("key", ["name", "recto", "verso"])
def test_a_missing_key_is_refused_with_its_line(tmp_path: Path, key: str) -> None:
    row = {k: v for k, v in B.items() if k != key}
    message = str(refused(write(tmp_path, "mine.json", json_lines(A, row))))
    assert "line 3:" in message
    assert key in message


def test_a_short_csv_line_is_refused_with_its_line(tmp_path: Path) -> None:
    message = str(refused(write(tmp_path, "mine.csv", csv_lines(A) + "B,RRRRRRR\n")))
    assert "line 3:" in message
    assert "verso" in message


@pytest.mark.parametrize("row", [None, 7, "A", [], ["A", "RRRRRRR", "RRRRRRR"], True])
def test_a_json_entry_that_is_no_object_is_refused(tmp_path: Path, row: object) -> None:
    assert "line 3:" in str(refused(write(tmp_path, "mine.json", json_lines(A, row))))


@pytest.mark.parametrize("value", [7, None, ["R"] * 7, {"R": 7}, True])
@pytest.mark.parametrize("key", ["name", "recto", "verso"])
def test_a_json_value_that_is_no_text_is_refused(tmp_path: Path, key: str, value: object) -> None:
    text = json_lines(A, {**B, key: value})
    message = str(refused(write(tmp_path, "mine.json", text)))
    assert "line 3:" in message
    assert key in message


@pytest.mark.parametrize("document", ["{}", "7", '"A"', "null", json.dumps(A), "nonsense"])
def test_a_json_document_that_is_no_list_is_refused(tmp_path: Path, document: str) -> None:
    assert "line 3:" in str(refused(write(tmp_path, "mine.json", "\n\n" + document)))


def test_json_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    whole = json_lines(A, B).rstrip()
    for length in range(len(whole)):
        cut = whole[:length]
        message = str(refused(write(tmp_path, "mine.json", cut)))
        assert any(f"line {n}:" in message for n in range(1, cut.count("\n") + 2)), message


def test_json_cut_off_names_the_line(tmp_path: Path) -> None:
    in_second_domino = json_lines(A, B)[: json_lines(A).index("}") + 10]
    assert "line 3:" in str(refused(write(tmp_path, "mine.json", in_second_domino)))


@pytest.mark.parametrize(
    "text",
    [
        json_lines(A).rstrip() + "\n\nmore",
        json_lines(A).rstrip() + "\n\n" + json_lines(B),
        json_lines(A).rstrip() + "\n\n]",
    ],
)
def test_trailing_text_is_refused_with_its_line(tmp_path: Path, text: str) -> None:
    assert "line 5:" in str(refused(write(tmp_path, "mine.json", text)))


def test_a_missing_comma_is_refused_with_its_line(tmp_path: Path) -> None:
    text = f"[\n{json.dumps(A)}\n{json.dumps(B)}\n]"
    assert "line 3:" in str(refused(write(tmp_path, "mine.json", text)))


def test_a_comma_too_many_is_refused_with_its_line(tmp_path: Path) -> None:
    """It is no JSON: other programs would refuse the file."""
    text = f"[\n{json.dumps(A)},\n{json.dumps(B)},\n]"
    message = str(refused(write(tmp_path, "mine.json", text)))
    assert "line 3:" in message or "line 4:" in message


@pytest.mark.parametrize("suffix", ["json", "csv"])
def test_text_that_is_not_utf_8_is_refused_with_its_line(tmp_path: Path, suffix: str) -> None:
    text = json_lines(A, B, C) if suffix == "json" else csv_lines(A, B, C)
    lines = text.encode().split(b"\n")
    lines[2] = lines[2].replace(b"BBB", b"B\xe9B")  # on line 3
    message = str(refused(write(tmp_path, f"mine.{suffix}", b"\n".join(lines))))
    assert "UTF-8" in message
    assert "line 3" in message


@pytest.mark.parametrize("suffix", ["json", "csv"])
@pytest.mark.parametrize("content", [b"", b"\n", b"  \n \n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(tmp_path: Path, suffix: str, content: bytes) -> None:
    assert "line" in str(refused(write(tmp_path, f"mine.{suffix}", content)))


@pytest.mark.parametrize(
    ("name", "content"), [("a.json", "[]"), ("a.json", " [ \n ] "), ("a.csv", csv_lines())]
)
def test_a_set_without_dominoes_is_refused(tmp_path: Path, name: str, content: str) -> None:
    assert "no domino" in str(refused(write(tmp_path, name, content)))


def test_a_quote_that_never_ends_is_refused_with_its_line(tmp_path: Path) -> None:
    text = csv_lines(A) + '"B,RRRRRRR,RRRRRRR\n'
    assert "line 3:" in str(refused(write(tmp_path, "a.csv", text)))


def test_a_bad_quote_among_the_columns_is_refused_with_its_line(tmp_path: Path) -> None:
    assert "line 1:" in str(refused(write(tmp_path, "a.csv", '"name"x,recto,verso\n')))


def test_text_after_a_quote_is_refused_with_its_line(tmp_path: Path) -> None:
    text = csv_lines(A) + '"B"more,RRRRRRR,RRRRRRR\n'
    assert "line 3:" in str(refused(write(tmp_path, "a.csv", text)))


def test_a_set_is_as_large_as_the_table_takes(tmp_path: Path) -> None:
    rows = [B | {"name": f"B{i}"} for i in range(MAX_DOMINOES + 1)]
    assert len(load(write(tmp_path, "a.csv", csv_lines(*rows[:-1])))) == MAX_DOMINOES
    assert str(MAX_DOMINOES) in str(refused(write(tmp_path, "b.csv", csv_lines(*rows))))


@pytest.mark.parametrize("suffix", ["json", "csv"])
def test_a_file_that_is_too_large_is_refused(tmp_path: Path, suffix: str) -> None:
    path = write(tmp_path, f"a.{suffix}", b" " * (MAX_FILE_BYTES + 1))
    with pytest.raises(BadInput, match=f"more than {MAX_FILE_BYTES} bytes"):
        load(path)


@pytest.mark.parametrize("content", ["[" * 100_000, '{"a":' * 10_000, "[" + "9" * 100_000 + "]"])
def test_deep_or_huge_json_is_refused(tmp_path: Path, content: str) -> None:
    refused(write(tmp_path, "a.json", content))
    refused(write(tmp_path, "b.json", "[" + content))


def test_a_long_file_of_nonsense_is_refused_at_once(tmp_path: Path) -> None:
    """The time grows with the length of the file, not with its square."""
    source = write(tmp_path, "a.json", "[" + "1," * 150_000 + "1]")
    start = time.process_time()
    refused(source)
    assert time.process_time() - start < 2


def test_a_figure_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """Half a surrogate pair, which no UTF-8 file and no terminal takes."""
    text = '[{"name": "A", "recto": "RRRRRRR", "verso": "RRRRRRR", "figure": "\\ud800"}]'
    assert "line 1:" in str(refused(write(tmp_path, "a.json", text)))


@pytest.mark.parametrize("name", ["missing.json", "missing.csv", "."])
def test_a_file_that_cannot_be_read_is_bad_input(tmp_path: Path, name: str) -> None:
    source = tmp_path / name
    if name == ".":
        source = tmp_path / "folder.json"
        source.mkdir()
    with pytest.raises(BadInput) as refusal:
        load(str(source))
    assert refusal.value.code == "unreadable_file"
    assert str(source) in str(refusal.value)


@pytest.mark.parametrize("source", ["a\0b.json", "\ud800.csv", "a" * 5000 + ".json"])
def test_a_name_that_no_file_can_have_is_bad_input(source: str) -> None:
    with pytest.raises(BadInput):
        load(source)


# --- Fuzz -----------------------------------------------------------------------------------

_VALUES: st.SearchStrategy[object] = st.sampled_from(
    ["RRRRRRR", "YGYYRRR", "A", "B", "RRRRRR", "x", "", None, 7, [], "\ud800"]
)
_ROWS = st.dictionaries(st.sampled_from(["name", "recto", "verso", "figure"]), _VALUES)
_GOOD_ROWS = st.fixed_dictionaries(
    {
        "name": st.text(alphabet="AB1", min_size=1, max_size=3),
        "recto": st.text(alphabet="RYGB", min_size=7, max_size=7),
        "verso": st.text(alphabet="RYGB", min_size=7, max_size=7),
    },
    optional={"figure": st.text(max_size=5) | st.just("\ud800")},
)


@st.composite
def almost_sets(draw: st.DrawFn) -> bytes:
    """JSON or CSV of good and bad rows, then perhaps spoilt at one place."""
    rows = draw(st.lists(_ROWS | _GOOD_ROWS, max_size=4))
    if draw(st.booleans()):
        content = json.dumps(rows, indent=draw(st.sampled_from([None, 1]))).encode()
    else:
        lines = ["name,recto,verso,figure"]
        lines += [",".join(str(v) for v in row.values()) for row in rows]
        content = "\r\n".join(lines).encode("utf-8", "surrogatepass")
    at = draw(st.integers(0, len(content)))
    spoil = draw(st.sampled_from([b"", b"", b"\xff", b"\0", b'"', b",", b"]", b"\n", b"\r", b"{"]))
    cut = draw(st.sampled_from([0, 0, 1, 5]))
    return content[:at] + spoil + content[at + cut :]


def set_or_refusal(source: str) -> TileSet | DalapapaError:
    try:
        return load(source)
    except DalapapaError as refusal:
        return refusal


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=300) | almost_sets(), suffix=st.sampled_from(["json", "csv"]))
@example(content=b"[1" + b"0" * 5000 + b"]", suffix="json")
@example(content=b"name,recto,verso\nA,RRRRRRR,RRRRRRR,more\n", suffix="csv")
@example(content=b"name,recto,verso\n" + b"A" * 140_000, suffix="csv")
@example(content=b"\xff\xfe[\x00]\x00", suffix="json")
def test_fuzz_any_bytes_are_a_set_or_refused(tmp_path: Path, content: bytes, suffix: str) -> None:
    source = write(tmp_path, f"fuzz.{suffix}", content)
    found = set_or_refusal(source)
    if isinstance(found, DalapapaError):
        assert found.code == "bad_set"
        assert str(found).startswith(source)
        assert len(str(found).splitlines()) == 1
        str(found).encode("utf-8")  # can be shown anywhere
    else:
        assert len(set(found.names)) == len(found) > 0
        assert all(len(face) == 7 and set(face) <= set("RYGB") for face in faces(found))
        for tile in found.tiles:
            f"{tile.name} {tile.figure}".encode()
