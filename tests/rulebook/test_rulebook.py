"""The rulebook: every page in every language, and figures that the table confirms."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path as File
from typing import Any

import pytest

from dalapapa.core import geometry
from dalapapa.core.errors import IllegalLaying, NotFound
from dalapapa.core.figures import NAMED_FIGURES
from dalapapa.core.notation import Laying, parse_position
from dalapapa.core.points import DISC_POINTS, SECOND_DOMINO_CHARGE, Earned, Group
from dalapapa.core.tiles import TileSet, standard
from dalapapa.drawing import Style, find_clashes
from dalapapa.games import REGISTRY
from dalapapa.games.puzzle.rules import MIN_CELLS
from dalapapa.kernel.table import Table
from dalapapa.printing.figures import figure as printed
from dalapapa.printing.sheet import BLACK, RED, WHITE, Path
from dalapapa.rulebook import GAMES, figures, page
from dalapapa.server.http.menu import describe_own_game
from dalapapa.texts import LANGUAGES

ROOT = File(__file__).parents[2]
FIGURES = figures()
CAPTION = re.compile(r"!\[([^\]]+)\]\(figure:([a-z0-9-]+)\)")
EVERY_PAGE = [(game, language) for game in GAMES for language in LANGUAGES]
PLAYERS = {
    "classic": (2, 4, 7), "auction": (2, 4, 12), "conquest": (2, 4, 7), "gone": (2, 6, 4, 8),
    "puzzle": (2, 10), "arlequin": (1, 3), "alex": (2, 10), "72": (2, 4, 6),
}  # fmt: skip
"""Players and ages as in the rules."""

MINUTES = {"classic": (30, 60), "gone": (5,), "puzzle": (10,), "72": (30,)}
"""As the author gives them: of the classic game for three at 60 points; of the others they vary.

He gives none for 72: that is our own."""

CLOSED = {"fr": "terminé", "en": "closed", "de": "geschlossen", "nl": "gesloten", "es": "cerrado",
          "it": "chius"}  # fmt: skip
DOMINO = {"fr": "domino", "en": "domino", "de": "Stein", "nl": "ste", "es": "ficha",
          "it": "tesser"}  # fmt: skip


def numbers(text: str) -> list[int]:
    return [int(found) for found in re.findall(r"\d+", text)]


def captions(game: str, language: str) -> dict[str, str]:
    """The caption of each figure on a page, by name, in the order of the page."""
    found = CAPTION.findall(page(game, language))
    return {name: caption for caption, name in found}


def word_count(text: str) -> int:
    return sum(any(letter.isalnum() for letter in word) for word in text.split())


def prose(game: str, language: str) -> str:
    """A page without its figures, headings and italic line."""
    lines = page(game, language).splitlines()[4:]
    return "\n".join(line for line in lines if not line.startswith(("#", "!")))


# -- pages ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "language"), EVERY_PAGE)
def test_a_page_has_the_fixed_structure(game: str, language: str) -> None:
    text = page(game, language)
    lines = text.splitlines()
    assert re.fullmatch(r"# \S.*", lines[0])
    assert re.fullmatch(r"\*[^*]+ · [^*]+ · [^*]+\*", lines[2])
    assert lines[1] == lines[3] == lines[5] == ""
    assert lines[4][0].isalpha() or lines[4].startswith("¡")
    assert lines[4].endswith((".", "!")), "the goal is a sentence"
    assert lines[6].startswith("## "), "after one sentence"
    assert sum(line.startswith("# ") for line in lines) == 1
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    for line in lines:
        assert line == line.strip()
        assert not re.search(r"[|<>`_\\]|^#{3}|^\d+\. |^[*+] |^    |---|\[D\]|\t", line), line
        assert line.count("**") % 2 == 0
        assert line.count("*") % 2 == 0
        if "figure:" in line or "](" in line:
            assert CAPTION.fullmatch(line), line
    for before, after in pairwise(lines):
        listed = before.startswith("- ") and after.startswith("- ")
        assert listed or not before or not after, f"one block is one line: {after}"
    for before, after in pairwise(line for line in lines if line):
        assert not (before.startswith("#") and after.startswith("#")), "no empty section"


@pytest.mark.parametrize(("game", "language"), EVERY_PAGE)
def test_a_page_is_short_and_in_its_language(game: str, language: str) -> None:
    text = page(game, language)
    least, most = {"gone": (150, 250), "classic": (250, 650)}.get(game, (250, 600))
    assert least <= word_count(CAPTION.sub("", text)) <= most
    assert all(word_count(caption) <= 35 for caption in captions(game, language).values())
    assert DOMINO[language] in text
    if game in ("classic", "conquest", "72"):
        assert CLOSED[language] in text
    assert "'" not in text
    assert '"' not in text
    if language == "fr":
        assert not re.search(r"[^\u202f][:;!?»](?!\w)", CAPTION.sub(r"\1", text)), "no-break space"
    else:
        assert "\u202f" not in text
        assert not re.search(r" [:;!?]", text)


PIECE = re.compile(r"\bdalapap(?:as?|à|a’s)\b(?! 72)", re.IGNORECASE)


@pytest.mark.parametrize(("game", "language"), EVERY_PAGE)
def test_a_page_says_once_what_the_author_calls_the_pieces(game: str, language: str) -> None:
    assert len(PIECE.findall(page(game, language))) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_classic_page_names_the_readings_that_we_do_not_follow(language: str) -> None:
    german = {"fr": "allemand", "en": "German", "de": "deutsche", "nl": "Duitse", "es": "alemán",
              "it": "tedesco"}  # fmt: skip
    assert german[language] in page("classic", language)


@pytest.mark.parametrize("game", GAMES)
def test_all_languages_say_the_same(game: str) -> None:
    """As far as a program can check: sections, lists, figures, and every number of the rules."""
    shapes, texts, tables, lines = [], [], [], []
    for language in LANGUAGES:
        text = page(game, language)
        kinds = (("#" if line[0] == "#" else line[0] if line[0] in "-!" else "p")
                 for line in text.splitlines() if line)  # fmt: skip
        shapes.append("".join(kinds))
        texts.append(Counter(numbers(prose(game, language))))
        tables.append(list(captions(game, language)))
        lines.append(numbers(text.splitlines()[2]))
    assert len(set(shapes)) == 1, dict(zip(LANGUAGES, shapes, strict=True))
    assert all(text == texts[0] for text in texts), dict(zip(LANGUAGES, texts, strict=True))
    assert all(names == tables[0] for names in tables)
    assert all(line == lines[0] for line in lines)
    assert tuple(lines[0]) == (*PLAYERS[game], *MINUTES.get(game, ()))
    assert tables[0], "every page has a figure"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_alex_page_states_the_times_of_the_options(language: str) -> None:
    options = {option.name: option for option in describe_own_game(REGISTRY["alex"]).options}
    stated = [numbers(line) for line in prose("alex", language).splitlines()]
    for name in ("sandglass", "show"):
        option = options[name]
        times = [option.default, option.least, option.most]
        assert any(found[-3:] == times for found in stated), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_puzzle_page_names_the_figures_and_the_smallest_frame(language: str) -> None:
    labels = json.loads((ROOT / "web/src/texts/print" / f"{language}.json").read_text())
    lines = prose("puzzle", language).splitlines()
    (about,) = (line for line in lines if numbers(line) == [MIN_CELLS, len(standard().names)])
    for figure in NAMED_FIGURES:
        assert labels[f"print_frame_{figure}"] in about


def test_titles_differ_between_games() -> None:
    for language in LANGUAGES:
        titles = {page(game, language).splitlines()[0] for game in GAMES}
        assert len(titles) == len(GAMES)
    for language in LANGUAGES:
        assert page("alex", language).startswith("# Alex\n")
        assert page("arlequin", language).startswith("# Arlequin\n")
        assert page("72", language).startswith("# Dalapapa 72\n")


@pytest.mark.parametrize("wrong", [("chess", "en"), ("classic", "xx"), ("../classic", "en")])
def test_an_unknown_page_is_refused(wrong: tuple[str, str]) -> None:
    with pytest.raises(NotFound) as refused:
        page(*wrong)
    assert refused.value.code == "unknown_page"


# -- figures -------------------------------------------------------------------------------


def test_every_figure_is_defined_and_used() -> None:
    named = {name for game in GAMES for name in captions(game, "en")}
    assert named == set(FIGURES)
    layings = ["allowed-1", "forbidden-1", "allowed-2", "forbidden-2"]
    examples = ["six-groups", "example-1", "example-2"]
    assert list(captions("classic", "en")) == [*layings, *examples]


def test_a_figure_has_one_caption_on_one_page() -> None:
    for language in LANGUAGES:
        found = [name for game in GAMES for _, name in CAPTION.findall(page(game, language))]
        assert len(found) == len(set(found))


def set_of(figure: dict[str, Any]) -> TileSet:
    return standard(figure.get("set", "120"))


def shown(figure: dict[str, Any]) -> list[Laying]:
    """The layings that come on top of the position, in order."""
    single = [figure["laying"]] if figure["laying"] else []
    return [Laying.parse(text) for text in figure.get("turn", single)]


def group_with(groups: list[Group], disc: list[int]) -> Group:
    return next(group for group in groups if tuple(disc) in group.discs)


LAID = [
    name
    for name, figure in FIGURES.items()
    if not {"frame", "tiles", "clashes"}.intersection(figure)
]
FORBIDDEN = [name for name, figure in FIGURES.items() if "clashes" in figure]


@pytest.mark.parametrize("name", LAID)
def test_the_table_confirms_the_figure(name: str) -> None:
    figure = FIGURES[name]
    table = Table.parse(figure["position"], set_of(figure))
    earned = [table.lay(laying) for laying in shown(figure)]
    closes = [[group.colour, group.size] for part in earned for group in part.groups]
    assert closes == figure["closes"]
    if figure["contacts"] is not None:
        assert [part.contacts for part in earned] == [figure["contacts"]]
    if figure["points"] is not None:
        charge = SECOND_DOMINO_CHARGE * (len(earned) - 1)
        assert sum(part.points for part in earned) - charge == figure["points"]
    if figure["closed_sizes"] is not None:
        sizes = sorted(group.size for group in table.groups() if group.closed)
        assert sizes == sorted(figure["closed_sizes"])


@pytest.mark.parametrize("name", FORBIDDEN)
def test_the_table_refuses_the_figure(name: str) -> None:
    """What is forbidden is what is allowed in the figure before it, after half a turn."""
    figure = FIGURES[name]
    allowed = FIGURES[name.replace("forbidden", "allowed")]
    assert (figure["position"], figure["contacts"]) == (allowed["position"], allowed["contacts"])
    (wrong,), (right,) = shown(figure), shown(allowed)
    assert (wrong.tile, wrong.side) == (right.tile, right.side)
    assert wrong.cells == right.cells[::-1]
    table = Table.parse(figure["position"], set_of(figure))
    with pytest.raises(IllegalLaying) as refused:
        table.lay(wrong)
    assert refused.value.code == "clash"
    clashes = find_clashes([*table.layings, wrong], set_of(figure))
    assert len(clashes) == figure["clashes"]
    # Where half-discs meet that of the new domino, rightly or wrongly.
    on_table = {disc for laying in table.layings for disc in edges(laying)}
    assert len(on_table.intersection(edges(wrong))) == figure["contacts"]


@pytest.mark.parametrize(("palette", "colour"), [("classic", RED), ("grey", BLACK)])
def test_a_forbidden_laying_is_crossed_out_in_print(palette: str, colour: str) -> None:
    """By a cross on a light ground, and by its colour where there are colours."""
    for name in FORBIDDEN:
        *_, ground, cross = printed(name, Style(palette=palette)).items
        assert isinstance(ground, Path)
        assert isinstance(cross, Path)
        assert (ground.fill, ground.stroke) == (WHITE, BLACK)
        assert (cross.fill, cross.stroke) == (None, colour)


def test_the_shapes_are_drawn_in_print() -> None:
    for name in ("pyramid", "bridge"):
        dots = [item for item in printed(name, Style()).items if getattr(item, "fill", "") == WHITE]
        assert len(dots) == 2 * 3


def edges(laying: Laying) -> set[geometry.Disc]:
    """The six places of the half-discs of a domino."""
    sides = (geometry.slot_side(laying.x, laying.y, laying.rotation, slot) for slot in range(6))
    return {geometry.edge(*side) for side in sides}


def test_layings_are_shown_for_both_sets() -> None:
    assert len(FORBIDDEN) == 4
    assert all(set_of(FIGURES[name]) == standard("72" if "72" in name else "120")
               for name in FIGURES if name.startswith(("allowed", "forbidden")))  # fmt: skip


@pytest.mark.parametrize(("name", "letter"), [("pyramid", "P"), ("bridge", "B")])
def test_the_dominoes_that_72_leaves_out(name: str, letter: str) -> None:
    """The outline is the colour of the centre; no other domino of the 120 has that shape."""
    figure = FIGURES[name]
    (tile,) = figure["tiles"]
    for side, outline in figure["outline"].items():
        discs = {tuple(disc) for disc in outline}
        assert discs == centre_coloured(tile, side)
        others = {
            other
            for other in standard().names
            if any(centre_coloured(other, any_side) in (discs, turned(discs)) for any_side in "+-")
        }
        assert others == {other for other in standard().names if other.startswith(letter)}
        assert not others.intersection(standard("72").names)
        assert len(others) == OUTLINED


OUTLINED = 24
"""Pyramids, and bridges."""


def centre_coloured(tile: str, side: str) -> set[geometry.Disc]:
    """The discs of a face, on a domino flat on 0,0, that have the colour of its centre."""
    face = standard()[tile].face(side)
    places = [(2, 1), *(geometry.edge(*geometry.slot_side(0, 0, 0, slot)) for slot in range(6))]
    return {place for place, colour in zip(places, face, strict=True) if colour == face[0]}


def turned(discs: set[geometry.Disc]) -> set[geometry.Disc]:
    """The same after half a turn of the domino."""
    return {(4 - x, 2 - y) for x, y in discs}


@pytest.mark.parametrize("name", [name for name in LAID if "hand" in FIGURES[name]])
def test_the_turn_shown_is_the_best(name: str) -> None:
    figure = FIGURES[name]
    table = Table.parse(figure["position"], set_of(figure))
    best = table.best_turn(figure["hand"])
    assert best is not None
    assert [str(laying) for laying in best.layings] == figure["turn"]
    assert best.points == figure["points"]
    parts = [table.lay(laying).points for laying in best.layings]
    assert parts == figure["turn_points"]


def test_the_order_matters_in_alex() -> None:
    figure = FIGURES["alex"]
    table = Table.parse(figure["position"], set_of(figure))
    assert len(table) == 4
    parts: list[Earned] = [table.lay(laying) for laying in reversed(shown(figure))]
    points = sum(part.points for part in parts) - SECOND_DOMINO_CHARGE
    assert points == figure["other_order"] < figure["points"]


def test_labels_name_groups_of_the_stated_size() -> None:
    figure = FIGURES["six-groups"]
    groups = Table.parse(figure["position"], standard()).groups()
    labelled = [group_with(groups, disc) for disc in figure["labels"].values()]
    assert list(figure["labels"]) == list("ABCDEF")
    assert [group.size for group in labelled] == figure["closed_sizes"]
    assert all(group.closed for group in labelled)
    assert len({group.discs for group in labelled}) == 6


def test_the_marked_groups_are_joined() -> None:
    figure = FIGURES["conquest"]
    table = Table.parse(figure["position"], standard())
    before = [group_with(table.groups(), disc) for disc in figure["labels"].values()]
    assert [group.size for group in before] == figure["joins"]["before"]
    assert {group.colour for group in before} == {figure["joins"]["colour"]}
    table.lay(*shown(figure))
    after = [group_with(table.groups(), disc) for disc in figure["labels"].values()]
    assert after[0] == after[1]
    assert after[0].size == figure["joins"]["after"]


def test_gone_begins_with_three_dominoes() -> None:
    assert len(parse_position(FIGURES["gone"]["position"])) == 3


def test_the_frame_is_full_and_every_contact_matches() -> None:
    figure = FIGURES["puzzle"]
    width, height = figure["frame"]
    layings = parse_position(figure["position"])
    cells = Counter(cell for laying in layings for cell in laying.cells)
    assert cells == Counter({(x, y): 1 for x in range(width) for y in range(height)})
    assert len({laying.tile for laying in layings}) == len(layings) == width * height // 2
    halves: dict[geometry.Disc, list[str]] = {}
    for laying in layings:
        face = standard()[laying.tile].face(laying.side)
        for slot in range(6):
            side = geometry.slot_side(laying.x, laying.y, laying.rotation, slot)
            halves.setdefault(geometry.edge(*side), []).append(face[slot + 1])
    contacts = [colours for colours in halves.values() if len(colours) == 2]
    assert len(contacts) == figure["contacts"]
    assert all(one == other for one, other in contacts)
    assert not find_clashes(layings, standard())


def test_one_domino_of_each_pile() -> None:
    figure = FIGURES["arlequin"]
    assert list(figure["labels"].values()) == figure["tiles"]
    for (label, name), partner in zip(figure["labels"].items(), "YRG", strict=True):
        tile = standard()[name]
        assert tile.pile == int(label)
        for side, counted in figure["halves"].items():
            face = tile.recto if side == "+" else tile.verso
            halves = Counter(face + face[0])
            assert [halves["B"], halves[partner]] == counted
            assert sum(counted) == 4


def engine_numbers(name: str, figure: dict[str, Any]) -> list[int]:
    """The numbers of a figure that its caption has to state (each checked above)."""
    match name:
        case "auction" | "alex":
            tail = [figure["other_order"]] if "other_order" in figure else []
            return [*figure["turn_points"], SECOND_DOMINO_CHARGE, figure["points"], *tail]
        case "conquest":
            return [*figure["joins"]["before"], figure["joins"]["after"]]
        case "puzzle":
            width, height = figure["frame"]
            return [width, height, width * height // 2, figure["contacts"]]
        case "arlequin":
            sums = [[*counted, sum(counted)] for counted in figure["halves"].values()]
            return [*map(int, figure["labels"]), *sums[0], *sums[1]]
        case "six-groups":
            return list(figure["closed_sizes"])
        case "pyramid" | "bridge":
            return [OUTLINED]
    if "clashes" in figure:
        all_wrong = figure["contacts"] == figure["clashes"]
        return [] if all_wrong else [figure["contacts"], figure["clashes"]]
    found = [figure["contacts"]]
    if figure["points"] is not None:
        found.append(DISC_POINTS[figure["contacts"]])
    if name == "territory":
        found.append(figure["contacts"] - 2)
    found += [size for _, size in figure["closes"]]
    return found + ([figure["points"]] if figure["points"] is not None else [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_captions_state_the_numbers_of_the_figures(language: str) -> None:
    for game in GAMES:
        for name, caption in captions(game, language).items():
            assert numbers(caption) == engine_numbers(name, FIGURES[name]), caption


def test_the_example_of_the_auction_adds_up() -> None:
    """Bids 4 and 6: the example follows from the figure and the rules."""
    won, bid, matched = FIGURES["auction"]["points"], 6, 4
    for language in LANGUAGES:
        example = next(
            line
            for line in page("auction", language).splitlines()
            if " Ana" in line and "16" in line
        )
        assert numbers(example) == [matched, bid, bid, won, won - bid, matched, matched // 2]
