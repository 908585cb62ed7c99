"""The public library: its names, what newcomers type, and what it says to nonsense."""

from __future__ import annotations

import contextlib
import doctest
import inspect
import io
import pickle
import pydoc
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from copy import copy, deepcopy
from importlib import import_module
from math import inf, nan
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dalapapa
from dalapapa import (
    BadInput,
    DalapapaError,
    FrozenTable,
    IllegalLaying,
    Laying,
    MalformedLaying,
    Match,
    Search,
    Table,
    TileSet,
    UnknownDomino,
    best,
    compare,
    draw,
    load_set,
    make_bot,
    print_pdf,
    read_record,
    solve,
    standard,
)
from dalapapa.drawing import plain_text
from dalapapa.record import dump
from tests.support import interpreted
from tests.support.paths import ROOT

POSITION = "PRYGB+0@0,0 BBGYR-0@0,-1"

assert plain_text  # Loaded, so that the interpreted kernel finds it.


# -- names -----------------------------------------------------------------------------------


def test_the_package_lists_every_public_name_and_loads_none() -> None:
    code = """
import sys, dalapapa
loaded = {name for name in sys.modules if name.startswith(("dalapapa", "msgspec"))}
assert loaded == {"dalapapa"}, loaded
assert set(dalapapa.__all__) <= set(dir(dalapapa))
for name in dalapapa.__all__:
    getattr(dalapapa, name)
for heavy in ("asyncpg", "reportlab", "starlette", "numpy", "uvicorn", "resvg_py"):
    assert heavy not in sys.modules, heavy
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_editors_see_every_public_name() -> None:
    source = Path(dalapapa.__file__).read_text()
    typed = source[source.index("if TYPE_CHECKING:") : source.index("__version__ =")]
    for name in dalapapa.__all__:
        assert name == "__version__" or name in typed
    assert set(dalapapa.__all__) == {*dalapapa._HOME_OF, "__version__"}
    with pytest.raises(AttributeError, match="no attribute 'Tabel'"):
        _ = dalapapa.Tabel  # type: ignore[attr-defined]


def undocumented(kind: type) -> list[str]:
    """Public members of a class that have no explanation."""
    return [
        f"{kind.__name__}.{name}"
        for name, value in vars(kind).items()
        if not name.startswith("_")
        and (inspect.isroutine(value) or isinstance(value, property | staticmethod))
        and not inspect.getdoc(value)
    ]


@pytest.mark.parametrize("name", [name for name in dalapapa.__all__ if name != "__version__"])
def test_every_name_has_a_docstring(name: str) -> None:
    value = getattr(dalapapa, name)
    assert (inspect.getdoc(value) or "").strip()
    if isinstance(value, type):
        assert undocumented(value) == []


def plain_search() -> type[Search]:
    """The class of `search.py` run as ordinary Python."""
    interpreted.interpreted_table()
    found: type[Search] = import_module(f"{interpreted.INTERPRETED}.kernel.search").Search
    return found


def public(value: object) -> set[str]:
    return {name for name in dir(value) if not name.startswith("_")}


def test_compiled_and_interpreted_offer_the_same_names() -> None:
    kind = interpreted.interpreted_table()
    assert public(kind) == public(Table) == public(Table()) == public(kind())
    assert public(plain_search()) == public(Search)
    assert public(Search(Table())) == public(Search)
    for name in public(Table):
        one, other = (inspect.getdoc(getattr(table, name)) or "" for table in (kind, Table))
        assert one in other, name  # The compiled one begins with its signature.


def test_help_shows_what_people_need_and_nothing_of_the_kernel() -> None:
    text = pydoc.plain(pydoc.render_doc(Table))
    for name in ("lay", "take_back", "legal", "best", "groups", "scored", "text", "layings"):
        assert f" {name}" in text
    shown = public(Table)
    kernel = interpreted.interpreted_table()
    fields = set(vars(kernel()))
    assert not fields & shown
    assert not {"place", "unplace", "cover", "become", "roomy", "key_of", "lookup"} & shown


# -- what newcomers type ---------------------------------------------------------------------

GUESSES = """
from dalapapa import Table
Table()
Table("PRYGB+0@0,0")
Table("PRYGB+0@0,0").lay("BBGYR-0@0,-1").points
Table("PRYGB+0@0,0").lay(Laying.parse("BBGYR-0@0,-1"))
Table([Laying("PRYGB", "+", 0, 0, 0)])
Table(["PRYGB+0@0,0"])
Table(standard("72"))
Table(tiles="72")
Table(Table("PRYGB+0@0,0")) == Table("PRYGB+0@0,0")
eval(repr(Table("PRYGB+0@0,0"))) == Table("PRYGB+0@0,0")
eval(repr(Table(tiles="72"))) == Table(tiles="72")
eval(repr(OWN)) == OWN
eval(repr(Table("A+0@0,0", OWN))) == Table("A+0@0,0", tiles=OWN)
eval(repr(Laying.parse("PRYGB+0@0,0"))) == Laying.parse("PRYGB+0@0,0")
str(Table("PRYGB+0@0,0")) == "PRYGB+0@0,0"
Table("PRYGB+0@0,0").take_back()
len(Table("PRYGB+0@0,0").legal()) == 1734
Table("PRYGB+0@0,0").legal("BRYGB")[0] in Table("PRYGB+0@0,0").legal()
Table("PRYGB+0@0,0").legal(standard()["BRYGB"])
[laying.tile for laying in Table("PRYGB+0@0,0")] == ["PRYGB"]
"PRYGB" in Table("PRYGB+0@0,0")
"PRYGB+0@0,0" in Table("PRYGB+0@0,0")
standard()["PRYGB"] in Table("PRYGB+0@0,0")
Table("PRYGB+0@0,0")[-1].cells == ((0, 0), (1, 0))
Table("PRYGB+0@0,0").best("BRYGB CRYGB").points == 4
Table("PRYGB+0@0,0").best(["BRYGB"], top=3)[0] == Table("PRYGB+0@0,0").best(["BRYGB"])
best("PRYGB+0@0,0", "BRYGB")
best(Table("PRYGB+0@0,0"), ["BRYGB", "CRYGB"], top=2)
best("PRYGB+0@0,0", "BRYGB CRYGB", charge=0).points >= best("PRYGB+0@0,0", "BRYGB CRYGB").points
Table("PRYGB+0@0,0").groups()[0].colour == "Y"
Table("PRYGB+0@0,0").is_legal("PBGYR+0@5,5") is False
print(Table("PRYGB+0@0,0").text())
Table("PRYGB+0@0,0")._repr_svg_().startswith("<svg")
len([tile for tile in standard()]) == 120
"PRYGB" in standard() and standard()["PRYGB"] in standard()
[tile.recto for tile in standard("72")][0]
load_set("72") == standard("72")
load_set(Path("b.json")).names == ("A",)
make_bot("medium").choose(Match(seed=1).view(0))
Match()
Match("classic", players=["Ann", "medium"], seed="x").legal[0]
Match(seed=1).play(str(Match(seed=1).legal[0].laying))
Match(seed=1).play(Match(seed=1).legal[0].laying)
Match(seed=1).play({"move": "lay", "laying": str(Match(seed=1).legal[0].laying)})
Match(seed=1).view(0).hand
Match(players=["Ann", "Bob"], seed=1).view("Bob").player == 1
Match(seed=1).view().viewer is None
Match(players=["random", "random"], seed=1).run().winners
Match("classic", ["random", "random"], options={"target": 120, "set": standard("72")}).run()
solve(4, 3).solutions[0]
solve(4, 4, pile=1).complete
draw("PRYGB+0@0,0").startswith("<svg")
draw(Table("PRYGB+0@0,0"), "x.svg", palette="grey", symbols=True)
draw(solve(4, 3).solutions[0], Path("y.svg"))
dalapapa.__version__
""".strip().splitlines()

OWN = TileSet("own", (dalapapa.Tile("A", None, "RRRRRRR", "GGGGGGG", None),))


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    row = '[{"name": "A", "recto": "RRRRRRR", "verso": "GGGGGGG"}]'
    (tmp_path / "b.json").write_text(row)
    return tmp_path


@pytest.mark.usefixtures("in_folder")
def test_common_first_commands_work() -> None:
    assert len(GUESSES) > 50
    known = {name: getattr(dalapapa, name) for name in dalapapa.__all__}
    for guess in GUESSES:
        names = {**known, "Path": Path, "OWN": OWN, "dalapapa": dalapapa}
        with contextlib.redirect_stdout(io.StringIO()):
            if guess.startswith(("from", "print")):
                exec(guess, names)
            else:
                assert eval(guess, names) is not False, guess


REFUSED: list[tuple[Callable[[], object], str, str]] = [
    (lambda: Table("PRYGB"), "malformed_laying", "write it like PRYGB"),
    (lambda: Table("PRYGB+0@1,0"), "not_at_origin", "Laying 1"),
    (lambda: Table("PRYGB+4@0,0"), "malformed_laying", "rotation 0 to 3"),
    (lambda: Table(POSITION).lay("PRYGB+0@5,5"), "already_laid", "is already on the table"),
    (lambda: Table(POSITION).lay("CRYGB+0@0,0"), "overlap", "PRYGB already covers"),
    (lambda: Table(POSITION).lay("CRYGB+0@9,9"), "no_contact", "must touch a domino"),
    (lambda: Table(POSITION).lay("XXXXX+0@1,0"), "unknown_domino", "no domino 'XXXXX'"),
    (lambda: Table().take_back(), "empty", "nothing to take back"),
    (lambda: Table().legal("prygb"), "unknown_domino", "no domino 'prygb'"),
    (lambda: Table().best(["PRYGB", "PRYGB"]), "bad_hand", "two different"),
    (lambda: Table().best("PRYGB BRYGB CRYGB"), "bad_hand", "two different"),
    (lambda: Table().best("PRYGB", top=0), "bad_count", "at least 1"),
    (lambda: Table(tiles="73"), "unknown_set", "choose 120 or 72"),
    (lambda: standard(73), "unknown_set", "no standard set 73: choose 120 or 72"),
    (lambda: best(POSITION, "BRYGB", charge="x"), "bad_charge", "from 0 to 1000, not 'x'"),  # type: ignore[call-overload]
    (lambda: best(POSITION, "BRYGB", charge=10**30), "bad_charge", "from 0 to 1000"),
    (lambda: Table(standard(), standard()), "bad_table", "tiles="),
    (lambda: Table().copy().freeze().lay("PRYGB+0@0,0"), "frozen", "copy()"),
    (lambda: standard()["XXXXX"], "unknown_domino", "the set 120"),
    (lambda: load_set("nowhere.json"), "unreadable_file", "nowhere.json"),
    (lambda: Match("chess"), "unknown_game", "choose one of classic"),
    (lambda: Match(players=["Ann"]), "bad_players", "2 to"),
    (lambda: Match(players="Ann"), "bad_players", "list of names"),
    (lambda: Match(players=["medum", "easy"]), "unknown_bot", "Did you mean 'medium'? A person"),
    (lambda: Match(players=["Medium", "easy"]), "unknown_bot", "Did you mean 'medium'?"),
    (lambda: Match("clasic"), "unknown_game", "Did you mean 'classic'?"),
    (lambda: Match(seconds="1"), "bad_seconds", "a number, 0 or more, not '1'"),  # type: ignore[call-overload]
    (lambda: Match(seconds=nan), "bad_seconds", "not nan"),
    (lambda: make_bot("easy", seconds=inf), "bad_seconds", "not inf"),
    (lambda: compare("easy", "medium", seconds=-1), "bad_seconds", "not -1"),
    (lambda: compare("easy", "medium", players="2"), "bad_players", "whole number, not '2'"),  # type: ignore[arg-type]
    (lambda: solve(4, 4, seconds="1"), "bad_seconds", "not '1'"),  # type: ignore[arg-type]
    (lambda: solve(4, 4, seconds=nan), "bad_seconds", "not nan"),
    (lambda: Match(options={"target": 7}), "bad_target", "60 to 240"),
    (lambda: Match(options={"tarjet": 60}), "unknown_option", "tarjet"),
    (lambda: Match(seed=1).play("ende"), "malformed_move", "is not a move"),
    (lambda: Match(seed=1).play("end"), "must_lay", "Lay a domino first"),
    (lambda: Match(seed=1).play("end", seat=1), "not_your_turn", "not your turn"),
    (lambda: Match(seed=1).play("end", seat="Zoe"), "unknown_viewer", "player 1, player 2"),
    (lambda: Match(seed=1).play("call 6"), "malformed_move", "classic has no such move"),
    (lambda: Match(seed=1).undo(), "nothing_to_undo", "nothing to take back"),
    (lambda: Match(seed=1).step(), "not_your_turn", "turn of a person"),
    (lambda: Match("auction", seed=1).play("decline 7"), "malformed_move", "too many words"),
    (lambda: Match("puzzle", seed=1).play("give_up"), "whose_move", "choose one with seat="),
    (lambda: Match(seed=1).view(7), "unknown_viewer", "no player 7"),
    (lambda: make_bot("meduim"), "unknown_bot", "Did you mean 'medium'?"),
    (lambda: read_record("nowhere.json"), "unreadable_file", "nowhere.json"),
    (lambda: read_record(b"{}"), "malformed_record", "not a record"),
    (lambda: read_record(dump(Match(seed=1).record())), "running", "not over"),
    (lambda: solve(3, 3, count=0), "bad_count", "at least 1"),
    (lambda: solve(8), "bad_frame", "width and height"),
    (lambda: solve(0, 4), "bad_frame", "0 x 4"),
    (lambda: solve(4, 4, pile=9), "bad_tiles", "no pile 9"),
    (lambda: solve(4, 4, ["PRYGB"], pile=1), "bad_tiles", "either"),
    (lambda: solve(2, 1, "XXXXX"), "unknown_domino", "XXXXX"),
    (lambda: draw("PRYGB+0@0,0", "x.gif"), "bad_output", ".svg or .png"),
    (lambda: draw("PRYGB+0@0,0", colour="red"), "unknown_option", "palette"),
    (lambda: draw("PRYGB+0@0,0", groups="some"), "bad_groups", "closed or all"),  # type: ignore[arg-type]
    (lambda: print_pdf("sett"), "unknown_print", "one of"),
    (lambda: print_pdf("set", "x.txt"), "bad_output", ".pdf"),
    (lambda: print_pdf("set", paper="a5"), "unknown_paper", "a4"),
    (lambda: Search(Table()).unplace(), "empty", "nothing to take back"),
    (lambda: Search(Table()).place(-1), "bad_number", "no laying with this number"),
    (lambda: Search(Table(), depth=0), "bad_search", "1 to 500"),
]


@pytest.mark.usefixtures("in_folder")
def test_refusals_give_the_reason() -> None:
    for ask, code, words in REFUSED:
        with pytest.raises(DalapapaError) as refused:
            ask()
        assert (refused.value.code, words in str(refused.value)) == (code, True), refused.value
        assert str(refused.value).endswith((".", "?"))


WRONG: list[Any] = [
    None,
    3,
    2.5,
    b"",
    b"PRYGB+0@0,0",
    [],
    {},
    [None],
    object,
    Laying,
    ("PRYGB",) * 3,
]


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
def test_wrong_types_are_refused_by_type_and_sentence(wrong: Any) -> None:
    match = Match(seed=1)
    asked: list[Callable[[], object]] = [
        lambda: Table().lay(wrong),
        lambda: Table().check(wrong),
        lambda: Table().earned(wrong),
        lambda: Table().can_lay(wrong),
        lambda: match.play(wrong),
        lambda: make_bot(wrong),
        lambda: read_record(wrong),
        lambda: draw(POSITION, wrong or b""),  # type: ignore[arg-type]
        lambda: Match(wrong),
        lambda: match.save(wrong),
        lambda: Search(wrong),
        lambda: Search(Table()).place(wrong),
        lambda: Search(Table()).layings(wrong),
        lambda: standard()[wrong],
        lambda: load_set(wrong),
    ]
    if wrong not in ([], {}):
        asked += [lambda: Table(wrong), lambda: draw(wrong), lambda: Table().best(wrong)]
        asked += [lambda: best(wrong, "PRYGB")]
    if wrong is not None:
        asked += [lambda: Table().legal(wrong), lambda: Table(tiles=wrong)]
        asked += [lambda: match.view(wrong)]
    for ask in asked:
        with pytest.raises(DalapapaError):
            ask()
    assert len(match) == 0
    assert not Table().is_legal(wrong)


# -- tables ----------------------------------------------------------------------------------


def everything(table: Table) -> tuple[object, ...]:
    return repr(table), table.layings, table.groups(), table.free, table.scored("ZYRGB")


NONSENSE = ["PRYGB+0@9,9", "PRYGB", "", "XXXXX+0@0,0", None, 3, b"", "BRYGB+0@0,0", "PRYGB+7@0,0"]


@pytest.mark.parametrize("kind", ["compiled", "interpreted"])
@given(data=st.data())
def test_a_refusal_leaves_a_table_as_it_was(kind: str, data: st.DataObject) -> None:
    table = Table() if kind == "compiled" else interpreted.interpreted_table()()
    for _ in range(data.draw(st.integers(1, 5))):
        names = data.draw(st.lists(st.sampled_from(standard().names[:60]), min_size=1, max_size=2))
        wrong = data.draw(st.sampled_from(NONSENSE))
        number = data.draw(st.integers(0, 10**6))
        before = everything(table)
        action = data.draw(st.sampled_from(["lay", "back", "wrong", "ask", "moved"]))
        try:
            if action == "lay":
                legal = table.legal(names[0])
                table.lay(legal[number % len(legal)])
                continue
            if action == "back":
                table.take_back()
                continue
            if action == "moved":
                table.lay(Laying(names[0], "+", number % 4, number % 7 - 3, number % 5 - 2))
                continue
            if action == "wrong":
                table.lay(wrong)  # type: ignore[arg-type]
                continue
            table.best(names if number % 2 else wrong)  # type: ignore[arg-type]
            table.legal(wrong)  # type: ignore[arg-type]
        except DalapapaError as error:
            assert error.code
            assert everything(table) == before
        except ZeroDivisionError:
            assert not table.legal(names[0])


def test_tables_are_copied_and_pickled_whole() -> None:
    table = Table(POSITION)
    for same in (table.copy(), copy(table), deepcopy(table), pickle.loads(pickle.dumps(table))):
        assert same == table
        same.take_back()
        assert same != table
    frozen = table.copy().freeze()
    with pytest.raises(FrozenTable):
        frozen.lay("CRYGB+0@2,0")
    assert pickle.loads(pickle.dumps(frozen)).frozen
    assert issubclass(FrozenTable, RuntimeError)
    assert issubclass(MalformedLaying, BadInput)
    assert issubclass(UnknownDomino, BadInput)
    assert issubclass(IllegalLaying, DalapapaError)


def test_a_table_in_plain_text() -> None:
    assert Table().text() == "The table is empty."
    assert Table(POSITION).text().splitlines() == [
        "     0   1",
        "   + y + b +",
        "-1 r   R   r",
        "   + Y + Y +",
        " 0 g   Y   r",
        "   + r + r +",
    ]
    clash = [Laying.parse(text) for text in ("PRYGB+0@0,0", "PRYGB+0@2,0")]
    assert plain_text.draw_text(clash, standard()).splitlines()[2] == "0 g   Y   !   Y   r"


def test_points_are_described_in_words() -> None:
    earned = Table("PRYGB+0@0,0").lay("BBGYR-0@0,-1")
    assert str(earned) == "6 points: 2 for 2 contacts, 3 for a yellow group, 1 for a red group"
    turn = Table("PRYGB+0@0,0").best("BRYGB CRYGB")
    assert turn is not None
    assert str(turn) == " ".join(map(str, turn.layings)) + " for 4 points"


@pytest.mark.parametrize("kind", ["compiled", "interpreted"])
def test_a_search_is_a_table_in_numbers(kind: str) -> None:
    table_class, search_class = Table, Search
    if kind == "interpreted":
        table_class = interpreted.interpreted_table()
        search_class = plain_search()
    for position in ("", POSITION):
        table = table_class(position)
        search = search_class(table, depth=2)
        for name in ("CRYGB", "ZYRGB"):
            found = search.layings(name)
            points = {str(search.laying(number)): earned for number, earned in found}
            assert points == {str(at): earned.points for at, earned in table.scored(name)}
            ordered = [str(search.laying(number)) for number in sorted(n for n, _ in found)]
            assert ordered == list(map(str, table.legal(name)))
            number = found[0][0]
            assert search.number(search.laying(number)) == number
            search.place(number)
            table.lay(search.laying(number))
        with pytest.raises(BadInput, match="2 layings deep"):
            search.place(number)
        search.unplace()
        with pytest.raises(IllegalLaying):
            search.place(search_class(table).number(table.legal("PBGYR")[0]) ^ 1 << 24)
        search.unplace()
        assert search.depth == 0
        assert len(table) == (2 if position else 0) + 2


# -- docs and examples ----------------------------------------------------------------------


@pytest.mark.parametrize("name", [*dalapapa.__all__, "dalapapa"])
def test_the_examples_of_docstrings_are_true(name: str) -> None:
    value = dalapapa if name == "dalapapa" else getattr(dalapapa, name)
    names = {one: getattr(dalapapa, one) for one in dalapapa.__all__}
    text = inspect.getdoc(value) or ""
    test = doctest.DocTestParser().get_doctest(text, names, name, None, None)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_page_of_the_library_is_true() -> None:
    found = doctest.testfile(str(ROOT / "docs" / "library.md"), module_relative=False)
    assert found.attempted > 15
    assert found.failed == 0


def test_the_page_names_every_public_name() -> None:
    page = (ROOT / "docs" / "library.md").read_text()
    missing = [name for name in dalapapa.__all__ if not re.search(rf"\b{name}\b", page)]
    assert missing == []


EXAMPLES = {
    "study": ("library.md", "position.svg"),
    "two_programs": ("library.md", "game.json"),
    "own_program": ("bots.md",),
    "puzzle": ("library.md", "solution.svg", "solution.pdf"),
    "learning": ("library.md",),
}
"""The page that shows each example, and the files that it writes."""


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_code_blocks_of_the_docs_run(
    name: str, in_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown_on, *files = EXAMPLES[name]
    source = (ROOT / "examples" / f"{name}.py").read_text()
    page = (ROOT / "docs" / shown_on).read_text()
    code = source.partition('"""\n\n')[2]
    assert len([line for line in code.splitlines() if line]) < 15
    assert code.strip() in page
    quick = source.replace("games=200", "games=4").replace("range(20)", "range(1)")
    quick = quick.replace('"strong"', '"easy"')
    (in_folder / "program.py").write_text(quick)
    runpy.run_path(str(in_folder / "program.py"), run_name="__main__")
    assert capsys.readouterr().out
    for file in files:
        assert (in_folder / file).stat().st_size > 500


def test_sets_and_people_are_named_as_one_would() -> None:
    assert standard(72) == load_set(72) == Table(tiles=72).tiles == standard("72")  # type: ignore[arg-type]
    for name in ("Ann", "eddy", "ramon", "Nora", "Mr Strong"):
        (person, _) = Match(players=[name, "easy"], seed=1).players
        assert person.program is msgspec.UNSET
