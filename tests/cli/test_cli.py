"""The command line: the contract of docs/command-line.md, and bad input."""

from __future__ import annotations

import datetime
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dalapapa.cli.games import format_speed
from dalapapa.core.notation import Laying
from dalapapa.core.tiles import standard
from dalapapa.games import REGISTRY
from dalapapa.kernel.table import Table
from tests.support import command_line
from tests.support.command_line import Answer

POSITION = "PRYGB+0@0,0 BYRGB+0@0,-1"
PYTHON = shlex.quote(sys.executable)
"""For scripts of a shell: the path may have spaces."""


Run = Callable[..., Answer]


@pytest.fixture
def run() -> Run:
    return command_line.run


# -- tiles ------------------------------------------------------------------------------------


def test_tiles(run: Run) -> None:
    rows = run("tiles", "--json").json
    assert len(rows) == 120
    assert rows[0] == {
        "name": "PRYGB", "figure": "pyramid", "recto": "YGYYRRR", "verso": "BGBBRGG", "pile": 1,
    }  # fmt: skip
    assert {row["pile"] for row in rows} == {1, 2, 3}
    assert len(run("tiles", "--set", "72", "--json").json) == 72
    text = run("tiles").out.splitlines()
    assert len(text) == 121
    assert text[1].split() == ["PRYGB", "pyramid", "YGYYRRR", "BGBBRGG", "1"]


def test_tiles_checked_against_the_facts(run: Run, tmp_path: Path) -> None:
    facts = run("tiles", "--check", "120", "--json").json
    assert [(one["fact"], one["holds"]) for one in facts] == [(f"F{n}", True) for n in range(1, 7)]
    file = tmp_path / "own.csv"
    file.write_text("name,recto,verso\nA,RRRRRRR,GGGGGGG\nB,YYYYYYY,BBBBBBB\n")
    answer = run("tiles", "--check", str(file))
    assert answer.code == 0, "a set need not be the author's"
    assert "F1  does not hold" in answer.out
    assert "(there are 2)" in answer.out
    assert run("tiles", "--check", "none.csv").code == 2


def test_a_back_is_named_with_its_front(run: Run) -> None:
    for words in (
        ("legal", "--position", "", "--tile", "CGBRY"),
        ("best", "--position", "PRYGB+0@0,0", "--hand", "CGBRY"),
        ("groups", "--position", "CGBRY+0@0,0"),
        ("solve", "--tiles", "CGBRY", "--frame", "2x1"),
    ):
        answer = run(*words)
        assert answer.code == 2
        assert "it is the back of CRYGB" in answer.err


def test_tiles_of_another_set(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "own.csv"
    file.write_text("name,recto,verso\nA,RRRRRRR,GGGGGGG\nB,YYYYYYY,BBBBBBB\n")
    rows = run("tiles", "--set", str(file), "--json").json
    assert [row["name"] for row in rows] == ["A", "B"]
    assert rows[0]["figure"] is None
    assert "A" in run("tiles", "--set", str(file)).out
    found = run("legal", "--set", str(file), "--position", "", "--tile", "A", "--json").json
    assert len(found) == 8
    file.write_text("name,recto,verso\nA,RRRRRRR,GGGGGGG\nB,YYYYYY,BBBBBBB\n")
    assert "line 3" in run("tiles", "--set", str(file)).refusal


# -- legal, best, groups ----------------------------------------------------------------------


def test_legal(run: Run) -> None:
    rows = run("legal", "--position", POSITION, "--tile", "DRYGB", "--json").json
    assert rows
    assert rows == sorted(rows, key=lambda row: (-row["points"], row["laying"]))
    for row in rows:
        assert list(row) == [
            "laying", "contacts", "disc_points", "groups", "group_points", "points",
        ]  # fmt: skip
        assert row["points"] == row["disc_points"] + row["group_points"]
        assert row["group_points"] == sum(group["size"] for group in row["groups"])
        Table.parse(f"{POSITION} {row['laying']}", standard())
    top = run("legal", "--position", "PRYGB+0@0,0", "--tile", "BYRGB", "--json").json[0]
    assert top == {
        "laying": "BYRGB+0@0,-1", "contacts": 2, "disc_points": 2,
        "groups": [{"colour": "Y", "size": 3}, {"colour": "R", "size": 1}],
        "group_points": 4, "points": 6,
    }  # fmt: skip
    words = run("legal", "--position", "PRYGB+0@0,0", "--tile", "BYRGB").out.splitlines()[0]
    assert words == "   6  BYRGB+0@0,-1         2 discs 2, closes yellow 3, closes red 1"


def test_legal_on_the_empty_table(run: Run) -> None:
    rows = run("legal", "--position", "", "--tile", "DRYGB", "--json").json
    assert [row["laying"] for row in rows] == [
        f"DRYGB{side}{rotation}@0,0" for side in "+-" for rotation in range(4)
    ]
    assert {(row["contacts"], row["disc_points"]) for row in rows} == {(0, 0)}


def test_positions_come_from_standard_input_too(run: Run) -> None:
    words = ("groups", "--position", "-", "--json")
    text = POSITION.replace(" ", "\n\t ").encode() + b"\n"
    assert run(*words, stdin=text).json == run("groups", "--position", POSITION, "--json").json
    assert run(*words, stdin=b"").json == []
    assert run(*words, stdin=b"\xef\xbb\xbf" + text).json
    assert "UTF-8" in run(*words, stdin=b"\xff\xfe").refusal
    assert "4000000" in run(*words, stdin=b" " * 4_000_001).refusal


def test_best(run: Run) -> None:
    for hand in (["DRYGB"], ["DRYGB", "ZGBRY"]):
        words = ["best", "--position", POSITION, "--hand", *hand]
        one = run(*words, "--json").json
        many = run(*words, "--top", "7", "--json").json
        assert len(one) == 1
        assert len(many) == 7
        assert many[0] == one[0]
        points = [turn["points"] for turn in many]
        assert points == sorted(points, reverse=True)
        table = Table.parse(POSITION, standard())
        net = sum(table.lay(Laying.parse(text)).points for text in one[0]["layings"])
        assert net - 4 * (len(one[0]["layings"]) - 1) == one[0]["points"]
        assert one[0]["layings"][0] in run(*words).out
    assert run("best", "--position", POSITION, "--hand", "DRYGB,ZGBRY", "--json").json == one
    twice = ["--hand", "ZGBRY", "--hand", "DRYGB"]
    assert run("best", "--position", POSITION, *twice, "--json").json == one


def test_best_on_the_empty_table(run: Run) -> None:
    """The centre of a bridge is a closed group as soon as it is laid (rules 0, Group)."""
    bridge = ["best", "--position", "", "--hand", "BRYGB", "--json"]
    assert run(*bridge).json == [{"layings": ["BRYGB+0@0,0"], "points": 1}]
    assert [turn["points"] for turn in run(*bridge, "--top", "9").json] == [1] * 8
    both = run("best", "--position", "", "--hand", "BRYGB", "PRYGB", "--top", "9999", "--json").json
    table = Table(standard())
    for turn in both[::37]:
        points = [table.lay(Laying.parse(text)).points for text in turn["layings"]]
        assert sum(points) - 4 * (len(points) - 1) == turn["points"]
        for _ in points:
            table.take_back()


def test_nothing_can_be_laid(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "own.json"
    file.write_text(
        '[{"name":"A","recto":"RRRRRRR","verso":"RRRRRRR"},\n'
        '{"name":"B","recto":"GGGGGGG","verso":"GGGGGGG"}]'
    )
    words = ("--set", str(file), "--position", "A+0@0,0")
    assert run("best", *words, "--hand", "B", "--json").json == []
    assert run("best", *words, "--hand", "B").out == "Nothing can be laid.\n"
    assert run("legal", *words, "--tile", "B", "--json").json == []
    assert run("legal", *words, "--tile", "B").out == "B cannot be laid.\n"


def test_groups(run: Run) -> None:
    rows = run("groups", "--position", POSITION, "--json").json
    assert rows == [
        {"colour": "Y", "size": 3, "closed": True, "discs": [[1, 0], [2, 1], [3, 0]]},
        {"colour": "R", "size": 1, "closed": True, "discs": [[2, -1]]},
    ]
    words = run("groups", "--position", POSITION).out.splitlines()
    assert words[0].split() == ["3", "yellow", "closed", "1,0", "2,1", "3,0"]
    assert run("groups", "--position", "").out == "The table is empty.\n"


# -- bad input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("NOPE0+0@0,0", "unknown_domino"),
        ("PRYGB+0@0,0 PRYGB+0@2,0", "already_laid"),
        ("PRYGB+4@0,0", "malformed_laying"),
        ("PRYGB", "malformed_laying"),
        ("prygb+0@0,0", "unknown_domino"),
        ("PRYGB+0@0,0,0", "malformed_laying"),
        ("PRYGB+0@0,0;", "malformed_laying"),
        ("PRYGB+0@00,0", "malformed_laying"),
        ("PRYGB+0@-0,0", "malformed_laying"),
        ("PRYGB+0@٣,0", "malformed_laying"),
        ("PRYGB+0@99999999999999999999999,0", "malformed_laying"),
        ("PRYGB+0@1,0", "not_at_origin"),
        ("PRYGB+0@0,0 DRYGB+0@1,0", "overlap"),
        ("PRYGB+0@0,0 DRYGB+0@9,9", "no_contact"),
        ("PRYGB+0@0,0 DRYGB+0@999999,-999999", "no_contact"),
        ("PRYGB+0@0,0 BRYGB+0@2,0", "clash"),
    ],
)
def test_bad_positions(run: Run, position: str, words: str) -> None:
    number = len(position.split())
    for command in (["groups"], ["legal", "--tile", "ZRYGB"], ["best", "--hand", "ZRYGB"]):
        line = run(*command, "--position", position, "--json").refusal
        assert line.startswith(f"Error ({words}): Laying {number}: ")


def test_a_clash_says_which_half_disc_meets_what(run: Run) -> None:
    line = run("groups", "--position", "PRYGB+0@0,0 BRYGB+0@2,0").refusal
    assert "yellow half-disc W (the west of cell 2,0)" in line
    assert "red half-disc E of PRYGB" in line


@pytest.mark.parametrize(
    "words",
    [
        ["legal", "--position", "", "--tile", "NOPE"],
        ["legal", "--position", "", "--tile", ""],
        ["legal", "--position", "PRYGB+0@0,0", "--tile", "PRYGB"],
        ["legal", "--position", ""],
        ["legal", "--tile", "PRYGB"],
        ["legal", "--position", "", "--tile", "PRYGB", "more"],
        ["best", "--position", ""],
        ["best", "--position", "", "--hand", "PRYGB", "PRYGB"],
        ["best", "--position", "", "--hand", "PRYGB", "DRYGB", "ZRYGB"],
        ["best", "--position", "", "--hand", ","],
        ["best", "--position", "", "--hand", "PRYGB", "--top", "0"],
        ["best", "--position", "", "--hand", "PRYGB", "--top", "x"],
        ["best", "--position", "PRYGB+0@0,0", "--hand", "PRYGB"],
        ["tiles", "--set", "73"],
        ["tiles", "--set", "/no/such/file.json"],
        ["tiles", "--set", "."],
        ["tiles", "--nonsense"],
        ["nonsense"],
        ["--nonsense"],
        ["replay"],
        ["replay", "/no/such/file"],
        ["replay", "."],
        ["replay", "a\0b"],
        ["simulate", "--players", "greedy"],
        ["simulate", "--players", "greedy,greedy,greedy,greedy,greedy"],
        ["simulate", "--players", ""],
        ["simulate", "--players", "greedy,unknown"],
        ["simulate", "--players", "greedy,greedy", "--game", "chess"],
        ["simulate", "--players", "greedy,greedy", "--target", "59"],
        ["simulate", "--players", "greedy,greedy", "--target", "241"],
        ["simulate", "--players", "greedy,greedy", "--games", "0"],
        ["simulate", "--players", "greedy,greedy", "--jobs", "0"],
        ["simulate", "--players", "greedy,greedy", "--set", "nope"],
        ["simulate", "--players", "greedy,greedy", "--records", "/dev/null/x"],
        ["simulate"],
        ["ladder", "--levels", "easy"],
        ["ladder", "--levels", ""],
        ["ladder", "--levels", "easy,unknown"],
        ["ladder", "--levels", "easy,easy"],
        ["ladder", "--games", "7"],
        ["ladder", "--games", "0"],
        ["ladder", "--players", "1"],
        ["ladder", "--players", "5"],
        ["ladder", "--jobs", "-1"],
        ["ladder", "--apart", "0"],
        ["ladder", "--game", "chess"],
        ["ladder", "--option", "aim=60"],
        ["ladder", "-o", "ladder.gif"],
        ["ladder", "-o", "/no/such/folder/ladder.svg"],
        ["ladder", "--seconds", "nan"],
        ["draw", "--position", "", "-o", "picture.gif"],
        ["draw", "--position", "", "-o", "/no/such/folder/picture.svg"],
        ["draw", "--position", "", "-o", "x.svg", "--palette", "pink"],
        ["draw", "--position", "", "-o", "x.svg", "--shape", "hearts"],
        ["draw", "--position", "", "-o", "x.svg", "--cell", "0"],
        ["draw", "--position", "", "-o", "x.svg", "--ghost", "nothing"],
        ["draw", "--position", ""],
        ["simulate", "--players", "greedy,greedy", "--records", ""],
        ["play", "--port", "99999"],
        ["play", "--host", "not an address", "--no-browser"],
        ["play", "--host", "not an address", "--port", "0", "--no-browser"],
    ],
    ids=" ".join,
)
def test_wrong_use_is_one_line_and_code_2(
    run: Run, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(*words).refusal
    assert not list(tmp_path.iterdir()), "nothing half done is left behind"


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet="PRYGBDZC+-0123@, \n;é", max_size=40) | st.text(max_size=40))
def test_any_position_text_is_answered(run: Run, text: str) -> None:
    answer = run("groups", "--json", "--position", text.strip("-"))
    assert answer.code in (0, 2)
    if answer.code == 2:
        assert answer.refusal


# -- simulate, replay -------------------------------------------------------------------------


def test_simulate(run: Run, tmp_path: Path) -> None:
    words = ("simulate", "--game", "classic", "--players", "greedy,random", "--games", "30")
    result = run(*words, "--seed", "7", "--json").json
    assert result["games"] == 30
    assert result["wins"] == [30, 0]
    assert result["score_mean"][0] >= 60 > result["score_mean"][1]
    assert run(*words, "--seed", "7", "--jobs", "2", "--json").json == result
    assert run(*words, "--seed", "8", "--json").json != result
    text = run(*words, "--seed", "7").out
    assert "greedy" in text
    assert "100.0%" in text


@pytest.mark.parametrize(
    ("count", "seconds", "text"),
    [
        (100, 1.6, "62 games a second"),
        (10, 4.0, "2.5 games a second"),
        (10, 10.0, "1 game in 1.0 s"),
        (1, 4.2, "1 game in 4.2 s"),
        (2, 3600.0, "1 game in 1800 s"),
        (1, 0.0, "1000000 games a second"),
    ],
)
def test_the_speed_of_slow_games_is_not_zero(count: int, seconds: float, text: str) -> None:
    assert format_speed(count, seconds) == text


def test_records_of_a_simulation_replay(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "records"
    words = ["simulate", "--players", "greedy,greedy,random", "--games", "3", "--target", "61"]
    result = run(*words, "--records", str(folder), "--json").json
    files = sorted(folder.iterdir())
    assert len(files) == 3
    wins = [0, 0, 0]
    for file in files:
        again = run("replay", str(file), "--json").json
        assert set(again) >= {"game", "players", "moves", "scores", "winners"}
        assert run("replay", "-", "--json", stdin=file.read_bytes()).json == again
        assert max(again["scores"]) >= 61
        for seat in again["winners"]:
            wins[seat] += 1
    assert wins == result["wins"]
    text = run("replay", str(files[0])).out
    assert "Verified: " in text
    assert "charge 4" in text
    data = files[0].read_bytes()
    files[0].write_bytes(data[: len(data) // 2])
    line = run("replay", str(files[0])).refusal
    assert files[0].name in line
    assert "cut off" in line
    record = json.loads(data)
    record["moves"][-2]["points"] += 1
    files[0].write_text(json.dumps(record))
    assert f"Move {len(record['moves']) - 1}:" in run("replay", str(files[0])).refusal
    record["players"][0]["name"] = "a\nVerified: b won.\x1b[31m"
    files[0].write_text(json.dumps({**record, "moves": json.loads(data)["moves"]}))
    lines = run("replay", str(files[0])).out.splitlines()
    assert sum(line.startswith("Verified") for line in lines) == 1
    assert not any("\x1b" in line for line in lines)


def test_a_full_disk_leaves_no_half_written_record(tmp_path: Path) -> None:
    """A limit of 4 blocks for a file: the record does not fit, and nothing of it stays."""
    # Python 3.11 would also truncate compiled modules, which then break all later processes.
    words = f"{PYTHON} -B -m dalapapa simulate --players random,random --games 3"
    script = f"ulimit -f 4; {words} --records records"
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "classic-000000.json" in done.stderr
    assert list((tmp_path / "records").iterdir()) == []


def test_options_of_a_game(run: Run) -> None:
    words = ["simulate", "--players", "greedy,greedy", "--games", "2", "--json"]
    assert run(*words, "--option", "target=90").json == run(*words, "--target", "90").json
    for wrong in ("target", "=3", "target=x", "target=59", "aim=60", "set=[[[[", "first=9"):
        assert run(*words, "--option", wrong).refusal
    gone = ["simulate", "--game", "gone", "--players", "random,random", "--games", "1", "--json"]
    assert run(*gone, "--option", "ages=[4,8]", "--option", 'names=["Anna","Bob"]').json
    assert "not [3,9]" in run(*gone, "--option", "ages=[3,9]").refusal


@pytest.mark.parametrize("name", REGISTRY)
def test_every_game_is_simulated_recorded_and_replayed(run: Run, tmp_path: Path, name: str) -> None:
    """With every number of players, random and greedy ones."""
    for count in REGISTRY[name].seats:
        bots = ",".join(["greedy", "random"] * 5).split(",")[:count]
        folder = tmp_path / str(count)
        result = run(
            "simulate", "--game", name, "--players", ",".join(bots), "--games", "2", "--records",
            str(folder), "--json",
        ).json  # fmt: skip
        assert len(result["wins"]) == count
        for path in sorted(folder.iterdir()):
            result = run("replay", str(path), "--json").json
            assert result["game"] == name
            assert len(result["players"]) == count
            assert "Verified" in run("replay", str(path)).out


def test_games_lists_what_can_be_agreed_on(run: Run) -> None:
    listed = run("games", "--json").json
    assert [entry["name"] for entry in listed] == list(REGISTRY)
    for entry in listed:
        (alone,) = run("games", entry["name"], "--json").json
        assert alone == entry
        shown = run("games", entry["name"]).out
        for option in entry["options"]:
            assert option["description"] in shown
    assert "choose one of" in run("games", "chess").refusal


def test_ray_is_asked_for_if_it_is_missing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    words = ["simulate", "--players", "greedy,greedy", "--games", "1", "--engine", "ray"]
    assert 'pip install ".[ray]"' in run(*words).refusal


def test_a_simulation_with_another_set(run: Run) -> None:
    words = ["simulate", "--players", "greedy,greedy", "--games", "2", "--set", "72", "--json"]
    assert run(*words).json["options"]["set"] == "72"
    words = ["simulate", "--game", "72", "--players", "greedy,greedy", "--games", "1", "--json"]
    assert run(*words, "--set", "120").json != run(*words).json
    twice = run(*words, "--target", "60", "--option", "target=70")
    assert "either --target or --option target" in twice.refusal


# -- ladder -----------------------------------------------------------------------------------


def test_ladder(run: Run, tmp_path: Path) -> None:
    words = ["ladder", "--levels", "random,medium", "--games", "12", "--option", "target=61"]
    result = run(*words, "--jobs", "1", "--json").json
    assert list(result) == [
        "game", "players", "options", "seed", "seconds", "games", "anchor", "programs", "pairs",
    ]  # fmt: skip
    assert [list(program) for program in result["programs"]] == [
        ["name", "elo", "elo_interval"]
    ] * 2
    (pair,) = result["pairs"]
    assert list(pair) == ["one", "other", "wins", "wins_interval", "lead", "lead_interval"]
    assert (result["options"], result["anchor"], result["games"]) == ({"target": 61}, "medium", 12)
    assert (pair["wins"], result["programs"][1]["elo"]) == (0, 0)
    assert result["programs"][0]["elo"] < -300
    assert run(*words, "--jobs", "2", "--json").json == result
    assert run(*words, "--seed", "1", "--json").json != result


def test_a_ladder_for_people(run: Run, tmp_path: Path) -> None:
    files = [tmp_path / f"ladder.{ending}" for ending in ("svg", "png", "json")]
    outputs = [word for file in files for word in ("-o", str(file))]
    words = ["ladder", "--game", "gone", "--levels", "novice,easy", "--players", "3"]
    text = run(*words, "--games", "6", "--times", *outputs).out
    for shown in ("novice - easy", "6 games for each pair", "3 players", "Elo", "longest"):
        assert shown in text
    svg, png, figures = (file.read_bytes() for file in files)
    assert b"novice" in svg
    assert png.startswith(b"\x89PNG")
    assert json.loads(figures)["programs"][0]["turn_mean"] > 0


# -- draw -------------------------------------------------------------------------------------


def test_draw(run: Run, tmp_path: Path) -> None:
    svg, png = tmp_path / "a.svg", tmp_path / "a.PNG"
    words = ["draw", "--position", POSITION, "--groups", "all", "--last", "2", "--symbols"]
    run(*words, "-o", str(svg))
    run(*words, "-o", str(png), "--ghost", "BRYGB+0@2,0")
    assert svg.read_text().startswith("<svg")
    assert png.read_bytes().startswith(b"\x89PNG")
    run("draw", "--position", "", "-o", str(svg))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.PNG", "a.svg"]


# -- the program as a whole -------------------------------------------------------------------


def shell(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dalapapa", *words], capture_output=True, text=True, check=False,
        timeout=60, **more,
    )  # fmt: skip


def test_the_program_runs_on_its_own() -> None:
    done = shell("best", "--position", POSITION, "--hand", "DRYGB", "ZGBRY", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)[0]["points"] >= 0
    refused = shell("groups", "--position", "?")
    assert refused.returncode == 2
    assert refused.stdout == ""
    assert refused.stderr.count("\n") == 1
    assert "dalapapa, version" in shell("--version").stdout
    assert "simulate" in shell().stdout
    for command in ("tiles", "legal", "best", "groups", "replay", "simulate", "draw", "play"):
        assert "Usage: dalapapa" in shell(command, "--help").stdout


def in_shell(script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script of bash in an environment that says nothing about Python and the locale."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("LC_", "PYTHON")) or name == "PYTHONPATH"
    }
    return subprocess.run(
        ["bash", "-c", script], capture_output=True, encoding="utf-8", check=False, timeout=60,
        env={**inherited, "LANG": "", **environment},
    )  # fmt: skip


def refuses(done: subprocess.CompletedProcess[str]) -> bool:
    """Whether a command has ended with code 2 and one line."""
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done
    return done.stderr.startswith("Error (")


@pytest.mark.parametrize(
    "words",
    [
        "groups --position - <&-",
        "replay $'\\xff'",
        "groups --position $'\\xff'",
        "simulate --players random,random --games 1 --seed $'\\xff'",
        "play --no-browser --host $'\\xff' --port 0",
    ],
)
def test_closed_input_and_broken_names_are_refused_in_one_line(words: str) -> None:
    """Closed standard input, names that are not UTF-8: one line each."""
    assert refuses(in_shell(f"{PYTHON} -m dalapapa {words}"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", ["tiles", "", "--help", "draw --position= -o -"])
def test_output_to_a_full_disk_ends_with_code_2(words: str) -> None:
    """Python would end with 120 if the flush at exit failed, unless output is unbuffered."""
    for environment in ({}, {"PYTHONUNBUFFERED": "1"}):
        done = in_shell(f"{PYTHON} -m dalapapa {words} > /dev/full", **environment)
        assert refuses(done)
        silent = in_shell(f"{PYTHON} -m dalapapa {words} > /dev/full 2> /dev/full", **environment)
        assert silent.returncode == 2


@pytest.mark.skipif(
    not __file__.isascii(), reason="there, Python cannot read the path of an editable package"
)
@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C"},
        {"LC_ALL": "C", "PYTHONUTF8": "0"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
    ],
    ids=str,
)
def test_a_locale_without_utf8_changes_nothing(environment: dict[str, str], tmp_path: Path) -> None:
    """Arguments, file names and output are UTF-8 in all locales."""
    picture = tmp_path / "Łódź é.svg"
    words = "simulate --players random,random --games 1 --seed Łé --json"
    done = in_shell(
        f"{PYTHON} -m dalapapa {words} && "
        f"{PYTHON} -m dalapapa draw --position '' -o {shlex.quote(str(picture))}",
        **environment,
    )
    assert (done.returncode, done.stderr) == (0, "")
    result, line = done.stdout.splitlines()
    assert json.loads(result)["seed"] == "Łé"
    assert line == f"{picture}: 0 dominoes"
    assert picture.exists()


def test_letters_that_an_encoding_lacks_are_escaped() -> None:
    words = "simulate --players random,random --games 1 --seed Łx --json"
    done = in_shell(f"{PYTHON} -m dalapapa {words}", PYTHONIOENCODING="latin-1", LC_ALL="C.UTF-8")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["seed"] == "Łx"


@pytest.fixture
def no_temporary_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if none of the folders that Python tries could be written to."""
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: ["/no/such/folder"])


@pytest.mark.usefixtures("no_temporary_folder")
def test_without_a_temporary_folder_nothing_is_half_done(run: Run, tmp_path: Path) -> None:
    database, copy, other = (tmp_path / name for name in ("tables.db", "copy", "other.db"))
    file = tmp_path / "tables.json"
    file.write_text('{"line":"head","format":"dalapapa-tables/1"}\n{"line":"end","tables":0}\n')
    assert run("import", str(file), f"--database=sqlite:///{database}").code == 0
    assert run("backup", f"sqlite:///{database}", str(copy)).code == 0
    before = sorted(tmp_path.iterdir())
    words = ("import", "-", f"--database=sqlite:///{other}")
    assert "set TMPDIR" in run(*words, stdin=file.read_bytes()).refusal
    assert "set TMPDIR" in run("restore", str(copy), f"sqlite:///{database}").refusal
    assert sorted(tmp_path.iterdir()) == before
    assert run("print", "scores", "-o", str(tmp_path / "scores.pdf")).code == 0


@pytest.mark.parametrize("year", [1, 1970, 2038, 2107, 9999])
def test_a_clock_that_is_wrong_by_years(
    run: Run, year: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class WrongDate(datetime.date):
        @classmethod
        def today(cls) -> WrongDate:
            return cls(year, 1, 1)

    monkeypatch.setattr(datetime, "date", WrongDate)
    assert run("problem", "--json").json["date"] == f"{year:04}-01-01"


def test_a_clock_that_python_cannot_read_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> float:
        raise OverflowError("timestamp too large to convert to C _PyTime_t")

    monkeypatch.setattr(time, "time", fail)
    monkeypatch.setattr(time, "perf_counter", fail)
    words = ("simulate", "--players", "random,random", "--games", "1")
    assert "The clock of this machine shows an impossible date" in run(*words).refusal


def test_tables_of_a_clock_that_was_wrong_are_listed(run: Run, tmp_path: Path) -> None:
    database = f"--database=sqlite:///{tmp_path / 'tables.db'}"
    head, end = '{"line":"head","format":"dalapapa-tables/1"}', '{"line":"end","tables":2}'
    dominoes = {"name": "120", "fingerprint": standard().fingerprint}
    tables: list[dict[str, Any]] = [
        {
            "line": "table", "id": f"table-{created}", "created": created, "seed": "s", "log": [],
            "settings": {"game": "classic", "seats": [{}, {}]}, "set": dominoes,
        }
        for created in (0, 2**53 - 1)
    ]  # fmt: skip
    text = "\n".join([head, *map(json.dumps, tables), end, ""])
    assert "2 new tables" in run("import", "-", database, stdin=text.encode()).out
    listed = run("admin", "list", database).out
    assert "1970-01-01 00:00" in listed
    assert "9007199254740991 ms after 1970" in listed
    assert "created: 9007199254740991 ms" in run(
        "admin", "inspect", database, f"table-{2**53 - 1}"
    ).out  # fmt: skip


def test_a_closed_pipe_ends_it_quietly() -> None:
    script = f"{PYTHON} -m dalapapa tiles | head -n 1"
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout.startswith("name")
    assert done.stderr == ""


def on_a_terminal(words: list[str]) -> tuple[bytes, bytes]:
    """Run a program with a pseudo-terminal as stderr; its stdout, and what the terminal showed."""
    leader, follower = os.openpty()
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=follower) as process:
        os.close(follower)
        shown = b""
        while True:
            try:
                part = os.read(leader, 4096)
            except OSError:  # The other end is closed.
                break
            if not part:
                break
            shown += part
        assert process.stdout is not None
        output = process.stdout.read()
    os.close(leader)
    return output, shown


def test_a_progress_bar_shows_on_a_terminal_only() -> None:
    """On a pseudo-terminal the bar appears; piped, stderr stays empty."""
    words = [sys.executable, "-m", "dalapapa", "simulate", "--players", "greedy,greedy"]
    words += ["--games", "200", "--json"]
    result, shown = on_a_terminal(words)
    assert json.loads(result)["games"] == 200
    assert b"/200" in shown
    piped = subprocess.run(words, capture_output=True, check=True, timeout=120)
    assert piped.stderr == b""


# -- solve ------------------------------------------------------------------------------------


def test_solve_a_pile(run: Run) -> None:
    result = run("solve", "--pile", "2", "--json").json
    assert list(result) == ["solutions", "complete", "nodes", "exhausted", "seconds"]
    assert result["complete"] is True
    (layout,) = result["solutions"]
    layings = [Laying.parse(text) for text in layout]
    assert {laying.tile for laying in layings} == {
        tile.name for tile in standard().tiles if tile.pile == 2
    }
    assert {cell for laying in layings for cell in laying.cells} == {
        (x, y) for x in range(8) for y in range(10)
    }
    again = run("solve", "--pile", "2", "--frame", "8x10", "--seed", "0", "--json").json
    assert again["solutions"] == result["solutions"]
    other = run("solve", "--pile", "2", "--frame", "10x8", "--seed", "x", "--json").json
    assert max(Laying.parse(text).x for text in other["solutions"][0]) >= 8
    # The text for people is a position, which can be given back.
    words = run("solve", "--pile", "2").out
    lines, sentence = words.split("\n\n")
    assert lines.split() == layout
    assert sentence.startswith("1 solution found (")
    part = " ".join(layout[:30])
    result = run("solve", "--pile", "2", "--position", part, "--json").json
    assert set(layout[:30]) <= set(result["solutions"][0])
    assert run("solve", "--pile", "2", "--position", "-", "--json", stdin=part.encode()).json[
        "solutions"
    ] == result["solutions"]  # fmt: skip


def test_solve_with_named_dominoes(run: Run) -> None:
    words = ["solve", "--tiles", "PRYGB,BYRGB", "--frame", "2x2"]
    result = run(*words, "--count", "1000", "--json").json
    assert result["complete"] is True
    assert result["solutions"]
    many = len(result["solutions"])
    assert f"There are only {many} solutions (" in run(*words, "--count", "1000").out
    assert "2 solutions found (" in run(*words, "--count", "2").out
    recto = run(*words, "--count", "1000", "--faces", "recto", "--json").json["solutions"]
    both = [one for one in result["solutions"] if all("+" in text for text in one)]
    assert sorted(recto) == sorted(both)
    result = run("solve", "--tiles", "PRYGB, BYRGB", "--frame", "1x4", "--json").json
    assert len(result["solutions"]) == 1
    first = find_first_solution(run, words)
    result = run(*words, "--position", " ".join(first), "--json").json
    assert result["solutions"] == [first]


def find_first_solution(run: Run, words: list[str]) -> list[str]:
    first: list[str] = run(*words, "--json").json["solutions"][0]
    return first


def test_solve_says_that_there_is_no_solution(run: Run) -> None:
    words = ["solve", "--tiles", "PRYGB", "--frame", "2x2"]
    assert run(*words).out == "There is no solution.\n"
    result = run(*words, "--json").json
    assert result["solutions"] == []
    assert result["complete"] is True
    words = ["solve", "--pile", "1", "--position", "PRYGB+0@1,0 DRYGB+1@0,1"]
    assert run(*words).out == "There is no solution.\n"


def test_solve_gives_up(run: Run) -> None:
    names = ",".join(standard().names)
    words = ["solve", "--tiles", names, "--frame", "12x20", "--faces", "recto", "--seconds", "0"]
    result = run(*words, "--json").json
    assert result["solutions"] == []
    assert result["complete"] is False
    assert "No solutions found, but the search did not finish (1024 partial" in run(*words).out


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        ("--frame 2x2", "bad_tiles", "either --pile or --tiles"),
        ("--pile 1 --tiles PRYGB", "bad_tiles", "either --pile or --tiles"),
        ("--pile 4", "usage", "4"),
        ("--tiles PRYGB", "bad_frame", "--frame WxH"),
        ("--pile 1 --set 72", "bad_frame", "--frame WxH"),
        ("--tiles , --frame 2x2", "bad_tiles", "at least one domino"),
        ("--tiles UNKNOWN --frame 2x2", "unknown_domino", "UNKNOWN"),
        ("--tiles PRYGB --set 72 --frame 2x1", "unknown_domino", "PRYGB"),
        ("--tiles PRYGB,DRYGB,PRYGB --frame 2x2", "bad_tiles", "PRYGB 2 times"),
        ("--pile 1 --frame 0x0", "bad_frame", "0 x 0"),
        ("--pile 1 --frame 0x5", "bad_frame", "0 x 5"),
        ("--pile 1 --frame 3x3", "bad_frame", "odd"),
        ("--pile 1 --frame 80", "bad_frame", "'80'"),
        ("--pile 1 --frame -8x10", "bad_frame", "'-8x10'"),
        ("--pile 1 --frame 8x10x2", "bad_frame", "8x10x2"),
        ("--pile 1 --frame 99999999x99999998", "bad_frame", "99999999 x 99999998"),
        ("--pile 1 --frame 9999999999999x2", "bad_frame", "must look like 8x10"),
        ("--pile 1 --position PRYGB+0@7,0", "outside_frame", "Laying 1: PRYGB+0@7,0: cell 8,0"),
        ("--pile 1 --position PRYGB+0@0,0,", "malformed_laying", "Laying 1"),
        ("--pile 2 --position PRYGB+0@0,0", "not_offered", "PRYGB+0@0,0: this domino is not"),
        ("--pile 1 --position PRYGB-0@0,0 --faces recto", "wrong_face", "recto"),
        ("--pile 1 --faces verso", "usage", "verso"),
        ("--pile 1 --count 0", "usage", "0"),
        ("--pile 1 --seed \udcff", "bad_seed", "printable"),
        ("--pile 1 --seconds nan", "bad_seconds", "--seconds"),
        ("--pile 1 --seconds -1", "usage", "-1"),
    ],
)
def test_solve_refuses(run: Run, words: str, code: str, reason: str) -> None:
    line = run("solve", *words.split()).refusal
    assert line.startswith(f"Error ({code}): ")
    assert reason in line


def test_a_time_that_is_no_number_names_its_option(run: Run) -> None:
    line = run("play", "--no-browser", "--drain", "nan").refusal
    assert line.strip() == "Error (bad_seconds): --drain must be a number of seconds."


def test_solve_with_a_set_that_has_no_piles(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "own.csv"
    file.write_text("name,recto,verso\nA,RRRRRRR,GGGGGGG\nB,RRRRRRR,BBBBBBB\n")
    assert "no pile 1" in run("solve", "--pile", "1", "--set", str(file)).refusal
    words = ["solve", "--tiles", "A,B", "--frame", "2x2", "--set", str(file), "--count", "99"]
    assert len(run(*words, "--json").json["solutions"]) == 2 * 2 * 2 * 2
    words = ["solve", "--tiles", "A", "--frame", "2x1", "--faces", "recto", "--count", "99"]
    assert "There are only 2 solutions" in run(*words, "--set", str(file)).out


def test_solve_shows_its_progress_on_a_terminal_only() -> None:
    names = ",".join(standard().names)
    words = [sys.executable, "-m", "dalapapa", "solve", "--tiles", names, "--frame", "12x20"]
    words += ["--faces", "recto", "--seconds", "0.5", "--json"]
    result, shown = on_a_terminal(words)
    assert json.loads(result)["complete"] is False
    assert b"partial layouts" in shown
    piped = subprocess.run(words, capture_output=True, check=True, timeout=120)
    assert piped.stderr == b""
