"""How strong programs are: the fit, its intervals, and the paired games behind them."""

from __future__ import annotations

import json
import pickle
import shlex
import sys
import xml.etree.ElementTree as ET
from math import log
from pathlib import Path
from random import Random
from statistics import mean, stdev
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalapapa.bots import LEVELS, arena, list_levels
from dalapapa.bots import ladder as ladders
from dalapapa.bots.estimate import POINTS, Meeting, compute_ratings, estimate_mean, estimate_wins
from dalapapa.bots.ladder import (
    Ladder,
    list_wins_against_anchor,
    play_bag,
    play_ladder,
    summarize_ladder,
)
from dalapapa.core.errors import BadInput, BadOptions
from dalapapa.drawing import to_png
from dalapapa.drawing.chart import ChartRow, Panel, draw_chart
from dalapapa.games import REGISTRY, find_game
from dalapapa.games.events import Outcome
from tests.support.paths import ROOT
from tests.support.scripting import script

# -- the fit ----------------------------------------------------------------------------------


def chance(ahead: float, players: int) -> float:
    """To win against others who are `ahead` points of Elo weaker."""
    return float(1 / (1 + (players - 1) * 10 ** (-ahead / 400)))


def pairs(count: int) -> list[tuple[int, int]]:
    return [(one, other) for one in range(count) for other in range(one + 1, min(one + 3, count))]


def played(ahead: float, bags: int, players: int, luck: float, random: Random) -> list[float]:
    """Simulated shares in each bag; `luck` is what the better seat of a bag is worth."""
    shares = []
    for _ in range(bags):
        worth = [luck, -luck, *[0.0] * (players - 2)]
        wins = [random.random() < chance(ahead + bonus, players) for bonus in worth]
        shares.append(sum(wins) / players)
    return shares


@pytest.mark.parametrize("players", [2, 4])
def test_known_strengths_are_found(players: int) -> None:
    strengths = [-700.0, -300.0, 0.0, 60.0, 90.0]
    meetings = [
        Meeting(one, other, [chance(strengths[one] - strengths[other], players)] * 20_000)
        for one, other in pairs(5)
    ]
    found = compute_ratings(5, meetings, anchor=2, players=players)
    assert [rating.value for rating in found] == pytest.approx(strengths, abs=2)
    assert (found[2].low, found[2].value, found[2].high) == (0, 0, 0)
    others = compute_ratings(5, meetings, anchor=0, players=players)
    assert [rating.value for rating in others] == pytest.approx([s + 700 for s in strengths], abs=2)


@pytest.mark.parametrize("players", [2, 3])
def test_intervals_hold_the_truth_as_often_as_they_say(players: int) -> None:
    """19 times in 20: of 240 intervals about 228, and by chance alone hardly ever below 214."""
    strengths = [-600.0, -250.0, 0.0, 40.0, 90.0]
    random = Random(f"{players} players")
    held = 0
    for _ in range(60):
        meetings = [
            Meeting(one, other, played(strengths[one] - strengths[other], 60, players, 0, random))
            for one, other in pairs(5)
        ]
        for strength, rating in zip(
            strengths, compute_ratings(5, meetings, 2, players), strict=True
        ):
            held += strength != 0 and rating.low <= strength <= rating.high
    assert 214 <= held <= 239


@pytest.mark.parametrize("luck", [0, 400])
def test_intervals_of_wins_hold_the_truth_too(luck: float) -> None:
    """Also where the bag decides much, and pairing narrows them."""
    random, ahead, bags = Random(f"luck {luck}"), 120, 80
    truth = (chance(ahead + luck, 2) + chance(ahead - luck, 2)) / 2
    found = [estimate_wins(played(ahead, bags, 2, luck, random)) for _ in range(240)]
    assert 214 <= sum(share.low <= truth <= share.high for share in found) <= 239
    width = sum(share.high - share.low for share in found) / len(found)
    of_games = 2 * 1.96 * (truth * (1 - truth) / (2 * bags)) ** 0.5
    assert width < 0.8 * of_games if luck else width == pytest.approx(of_games, rel=0.05)


def test_winning_every_game_is_not_infinitely_strong() -> None:
    few, many = (compute_ratings(2, [Meeting(0, 1, [1.0] * bags)], 1)[0] for bags in (50, 500))
    assert 0 < few.low < few.value < many.value < 2000
    assert estimate_wins([1.0] * 50).low < estimate_wins([1.0] * 500).low < 1
    assert estimate_wins([1.0] * 50).high == 1


def test_pairing_counts_for_nothing_less_and_nothing_more() -> None:
    """Bags that are all even say more than games in which each seat wins as it likes."""
    even, either = (estimate_wins(shares) for shares in ([0.5] * 100, [0.0, 1.0] * 50))
    assert even.value == either.value == 0.5
    assert either.high - either.low == pytest.approx(2 * 1.96 * 0.05, rel=0.02)
    assert even.high - even.low < 0.02


shares = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=2, max_size=30)


@given(shares, st.integers(2, 6))
def test_a_share_lies_in_its_interval(won: list[float], players: int) -> None:
    found = estimate_wins(won, players)
    assert 0 <= found.low <= found.value <= found.high <= 1


@given(shares, shares, shares)
def test_the_fit_does_not_mind_who_is_named_first(
    one: list[float], two: list[float], three: list[float]
) -> None:
    meetings = [Meeting(0, 1, one), Meeting(1, 2, two), Meeting(0, 2, three)]
    turned = [Meeting(m.other, m.one, [1 - share for share in m.shares]) for m in meetings]
    for a, b in zip(compute_ratings(3, meetings), compute_ratings(3, turned), strict=True):
        assert (a.value, a.low, a.high) == pytest.approx((b.value, b.low, b.high), abs=1e-6)


def test_means_and_points() -> None:
    """Of few values the deviation is not well known either: as Student's tables say."""
    widths = {2: 12.706, 3: 4.303, 5: 2.776, 11: 2.228, 101: 1.984}
    for count, width in widths.items():
        values = [float(number) for number in range(count)]
        error = stdev(values) / count**0.5
        found = estimate_mean(values)
        assert found.value == mean(values)
        assert found.high - found.value == found.value - found.low
        assert (found.high - found.value) / error == pytest.approx(
            width, rel=0.12 if count == 2 else 0.01
        )
    assert POINTS * log(10) == pytest.approx(400)


# -- the games --------------------------------------------------------------------------------

QUICK = Ladder("gone", ("novice", "easy", "medium"), games=6)


class Seen(arena.BotSeats):
    """Programs that note who sits where."""

    tables: list[tuple[tuple[str, ...], str]]

    def __init__(self, game: Any, players: tuple[str, ...], seed: str, seconds: float) -> None:
        super().__init__(game, players, seed, seconds)
        Seen.tables.append((players, seed))


@pytest.mark.parametrize("players", [2, 3])
def test_every_bag_is_played_from_every_seat(monkeypatch: pytest.MonkeyPatch, players: int) -> None:
    monkeypatch.setattr(ladders, "BotSeats", Seen)
    Seen.tables = []
    ladder = Ladder("gone", ("novice", "easy"), players=players, games=2 * players)
    (bags,) = play_ladder(ladder, jobs=1)
    assert len(bags) == ladder.bags == 2
    for start in (0, players):
        tables = Seen.tables[start : start + players]
        assert len({seed for _, seed in tables}) == 1
        assert [names.index("novice") for names, _ in tables] == list(range(players))
        assert all(names.count("easy") == players - 1 for names, _ in tables)
    assert Seen.tables[0][1] != Seen.tables[-1][1]


def test_equals_are_exactly_equal() -> None:
    """`greedy` is medium by another name: from both seats, it has half of every bag."""
    for bag in play_ladder(Ladder("classic", ("greedy", "medium"), games=6), jobs=1)[0]:
        assert (bag.share, bag.lead) == (0.5, 0)


@pytest.mark.parametrize(
    ("scores", "winners", "share", "lead"),
    [
        ((7, 3), (), 1 / 2, 0),
        ((7, 7), (0, 1), 1 / 2, 0),
        ((7, 3), (0,), 1 / 2, 0),
        ((7, 3, 7), (0, 2), 1 / 3, (0 - 4 + 0) / 3),
        ((1, 2, 4), (), 1 / 3, (-3 - 2 + 2) / 3),
    ],
)
def test_shared_and_missing_victories_are_shares(
    monkeypatch: pytest.MonkeyPatch,
    scores: tuple[int, ...],
    winners: tuple[int, ...],
    share: float,
    lead: float,
) -> None:
    end = SimpleNamespace(outcome=Outcome(scores, winners, "time"))
    monkeypatch.setattr(arena.BotSeats, "play", lambda *_: end)
    bag = play_bag((Ladder("gone", players=len(scores)), (0, 1), 0))
    assert (bag.share, bag.lead) == pytest.approx((share, lead))


def test_results_do_not_depend_on_processes_engine_or_other_bots(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    summary = summarize_ladder(QUICK, play_ladder(QUICK, jobs=1))
    done: list[int] = []
    assert summarize_ladder(QUICK, play_ladder(QUICK, 2, done.append)) == summary
    assert sum(done) == 3 * 6
    ray = FakeRay()
    monkeypatch.setitem(sys.modules, "ray", ray)
    failures = SimpleNamespace(RayTaskError=ValueError, RayError=OSError)
    monkeypatch.setitem(sys.modules, "ray.exceptions", failures)
    monkeypatch.setattr(ray, "exceptions", failures, raising=False)
    assert summarize_ladder(QUICK, play_ladder(QUICK, 3, engine="ray")) == summary
    assert ray.size == 3
    assert 0 < ray.tasks <= 9
    assert summarize_ladder(QUICK, play_ladder(QUICK, 1, engine="ray")) == summary
    assert ray.size == 3, "a cluster that is there is used as it is"
    two = Ladder("gone", ("novice", "easy"), games=6)
    assert summarize_ladder(two, play_ladder(two, 1))["pairs"] == summary["pairs"][:1]
    other = Ladder("gone", QUICK.programs, games=6, seed="1")
    assert summarize_ladder(other, play_ladder(other, 1))["pairs"] != summary["pairs"]


def test_an_interrupted_ladder_goes_on(tmp_path: Path) -> None:
    summary = summarize_ladder(QUICK, play_ladder(QUICK, jobs=1))
    file = tmp_path / "journal"
    path = str(file)
    assert summarize_ladder(QUICK, play_ladder(QUICK, 1, journal=path)) == summary
    whole = file.read_bytes()
    lines = whole.splitlines(keepends=True)
    assert len(lines) == 1 + 9
    for known, rest in ((0, b""), (4, b""), (4, lines[5][:20]), (9, b"")):
        file.write_bytes(b"".join(lines[: 1 + known]) + rest)
        done: list[int] = []
        assert summarize_ladder(QUICK, play_ladder(QUICK, 2, done.append, journal=path)) == summary
        assert done == [2] * 9
        assert sum(done) == 18
        assert file.read_bytes().count(b"\n") == 10
    impossible = b'{"share":7,"lead":0,"times":[[],[]]}\n'
    lines_of_others = (b"{}\n", b"\xff\n", impossible)
    for wrong in (b"", b"nonsense\n", *(lines[0] + line for line in lines_of_others)):
        file.write_bytes(wrong)
        with pytest.raises(BadInput) as refusal:
            play_ladder(QUICK, 1, journal=path)
        assert refusal.value.code == "other_ladder"
        assert file.read_bytes() == wrong
    file.write_bytes(whole)
    with pytest.raises(BadInput, match="of this ladder"):
        play_ladder(Ladder("gone", QUICK.programs, games=6, seed="1"), 1, journal=path)
    with pytest.raises(BadInput) as refusal:
        play_ladder(QUICK, 1, journal=str(tmp_path / "no" / "journal"))
    assert refusal.value.code == "unwritable_path"


class FakeRay(ModuleType):
    """What we use of Ray: tasks travel as bytes, and are carried out somewhere else."""

    def __init__(self) -> None:
        super().__init__("ray")
        self.size = self.tasks = 0

    def is_initialized(self) -> bool:
        return self.size > 0

    def init(self, num_cpus: int, **_: Any) -> None:
        self.size = num_cpus

    def remote(self, **_: Any) -> Any:
        return lambda work: SimpleNamespace(remote=lambda *task: pickle.dumps((work, task)))

    def put(self, value: Any) -> Any:
        return value

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": float(self.size)}

    def get(self, sent: bytes) -> Any:
        self.tasks += 1
        work, task = pickle.loads(sent)
        return work(*task)


def test_levels_meet_levels_at_most_two_apart() -> None:
    ladder = Ladder("classic")
    assert ladder.programs == tuple(LEVELS)
    assert ladder.pairs == [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (2, 4), (3, 4)]
    assert ladder.programs[ladder.anchor] == "medium"
    assert Ladder("classic", apart=1).pairs == [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert len(Ladder("classic", apart=9).pairs) == 10
    assert Ladder("classic", ("easy", "novice")).anchor == 0


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"programs": ("easy",)}, "bad_levels"),
        ({"programs": ("easy", "medium", "easy")}, "bad_levels"),
        ({"programs": ("easy", "unknown")}, "unknown_bot"),
        ({"programs": ("easy", "exec:")}, "bad_command"),
        ({"programs": ("easy", "exec:no-such-program --fast")}, "cannot_start"),
        ({"players": 1}, "bad_players"),
        ({"players": 7}, "bad_players"),
        ({"games": 5}, "bad_games"),
        ({"games": 2}, "bad_games"),
        ({"players": 3, "games": 8}, "bad_games"),
        ({"options": {"aim": 3}}, "unknown_option"),
        ({"seed": "\n"}, "bad_seed"),
        ({"game": "chess"}, "unknown_game"),
    ],
)
def test_a_ladder_that_cannot_be_played_is_refused(wrong: dict[str, Any], code: str) -> None:
    with pytest.raises(BadOptions) as refusal:
        play_ladder(Ladder(**{"game": "gone", **wrong}))
    assert refusal.value.code == code


FIRST_MOVE = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "hello"}', flush=True)
    elif message["type"] == "view":
        move = {"type": "move", "id": message["id"], "move": message["moves"][0]}
        print(json.dumps(move), flush=True)
"""


def test_a_command_takes_part(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """It makes the first move of the list, never fails, and loses to a level that looks."""
    program = tmp_path / "first.py"
    program.write_text(FIRST_MOVE)
    name = f"exec:{shlex.join([sys.executable, '-I', str(program)])}"
    (bags,) = play_ladder(Ladder("gone", (name, "medium"), games=4, seconds=5), jobs=1)
    assert [bag.share for bag in bags] == [0, 0]
    assert capfd.readouterr().err == ""


def test_times_are_printed_on_request() -> None:
    met = play_ladder(QUICK, jobs=1)
    assert "turn_mean" not in json.dumps(summarize_ladder(QUICK, met))
    for program in summarize_ladder(QUICK, met, times=True)["programs"]:
        assert 0 < program["turn_mean"] <= program["turn_longest"]


# -- the picture ------------------------------------------------------------------------------


def test_a_chart_describes_everything_in_words() -> None:
    rows = (
        ChartRow("strong", 85.4, 40, 131),
        ChartRow("a & b", -1234, -1500, -990),
        ChartRow("medium", 0, 0, 0),
    )
    svg = draw_chart([Panel("classic", "2 players", rows)] * 3, "Elo", columns=2)
    tree = ET.fromstring(svg)
    name = "{http://www.w3.org/2000/svg}"
    description = tree.findtext(f"{name}desc") or ""
    assert description.count("strong +85 (+40 to +131), a & b -1234 (-1500 to -990), medium 0") == 3
    assert len(tree.findall(f"{name}g[@class='panel']")) == 3
    bars = [bar.get("cx") for bar in tree.iter(f"{name}circle")]
    assert float(bars[1] or 0) < float(bars[2] or 0) < float(bars[0] or 0)
    assert to_png(svg).startswith(b"\x89PNG")


def test_a_long_name_leaves_room_for_the_bars() -> None:
    name = f"exec:{'x' * 300} mine.py"
    svg = draw_chart(
        [Panel("gone", "", (ChartRow(name, 0, -50, 50), ChartRow("easy", 5, 5, 5)))], "Elo"
    )
    assert name in svg
    one, other = ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}circle")
    assert 200 < float(one.get("cx") or 0) < float(other.get("cx") or 0) < 560


@pytest.mark.parametrize("value", [0.0, 3.0, -4000.0, 1e6])
def test_a_chart_of_one_value(value: float) -> None:
    svg = draw_chart([Panel("gone", "", (ChartRow("one", value, value, value),))], "Elo")
    (dot,) = ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}circle")
    assert 0 < float(dot.get("cx") or 0) < 560


# -- the committed ladder ---------------------------------------------------------------------


def test_the_page_and_the_picture_are_made_from_the_figures() -> None:
    made = script("write_ladder")
    figures = made.read()
    assert list(figures) == list(REGISTRY)
    for game, figure in figures.items():
        levels = list_levels(find_game(game))
        assert [program["name"] for program in figure["programs"]] == list(levels)
        assert set(list_wins_against_anchor(figure)) == set(levels) - {"medium", "child"}
    assert made.PAGE.read_text() == made.page(figures), "run `make docs`"
    assert made.PICTURE.read_text() == made.picture(figures), "run `make docs`"


@pytest.mark.parametrize("game", REGISTRY)
def test_no_level_is_stronger_than_the_next_one(game: str) -> None:
    """As measured: a game whose expert is no better than strong has none."""
    elos = [program["elo"] for program in script("write_ladder").read()[game]["programs"]]
    assert len(elos) >= 4
    assert elos == sorted(elos)


def test_the_page_names_every_protocol_field() -> None:
    summary = summarize_ladder(QUICK, play_ladder(QUICK, jobs=1), times=True)
    page = (ROOT / "docs" / "ladder.md").read_text()
    for name in (*summary, *summary["programs"][0], *summary["pairs"][0]):
        assert f"`{name}`" in page, name


def test_wins_against_the_anchor() -> None:
    pair = {"one": "easy", "other": "medium", "wins": 0.1}
    figures = {
        "anchor": "medium",
        "pairs": [pair, {"one": "medium", "other": "expert", "wins": 0.4}],
    }
    assert list_wins_against_anchor(figures) == {"easy": 0.1, "expert": 0.6}
