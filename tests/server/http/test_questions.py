"""Questions: what they answer and refuse, and that no other request waits for them."""

from __future__ import annotations

import asyncio
import json
import operator
import os
import random
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from functools import partial
from itertools import pairwise
from typing import Any, get_args, get_type_hints
from xml.etree import ElementTree

import msgspec
import pytest
from click.testing import CliRunner
from msgspec.structs import asdict

from dalapapa import rulebook
from dalapapa.bots.arena import BotSeats, play_game
from dalapapa.cli import commands
from dalapapa.client import Server
from dalapapa.core.errors import DalapapaError
from dalapapa.core.notation import Laying, parse_position
from dalapapa.core.tiles import standard
from dalapapa.drawing import PALETTES, Style
from dalapapa.games import REGISTRY, find_game
from dalapapa.games.bag import fill_bag
from dalapapa.games.moves import Lay, Undo
from dalapapa.hosting import protocol, replays, seat_answers
from dalapapa.hosting.replays import GameReplay, replay_record
from dalapapa.kernel.table import Table
from dalapapa.record import Player, Recorder, dump, load
from dalapapa.server.schemas import PictureStyle
from dalapapa.server.traffic.limits import ConcurrencyLimit
from dalapapa.server.workers.pool import MAX_ATTEMPTS, Job, LostWorker, Worker, Workers
from dalapapa.texts import LANGUAGES
from tests.support import serving
from tests.support.serving import PATIENCE, LateClock, conforms, in_thread, running, served
from tests.support.waiting import run_other_tasks, wait_until

pytestmark = pytest.mark.anyio

POSITION = "PRYGB+0@0,0 BYRGB+0@0,-1"
HARD: dict[str, Any] = {"width": 8, "height": 10, "pile": 2, "faces": "recto", "count": 100}
"""Takes the solver for ever."""
refusal = partial(serving.refusal, kind=DalapapaError)
"""Of the server, or of a worker itself."""
SOON = 60
"""Seconds that nothing takes, even on a machine that has much else to do."""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with in_thread(solver_seconds=0.2) as url:
        yield url


@pytest.fixture
async def server(url: str) -> AsyncIterator[Server]:
    async with Server(url) as server:
        yield server


def printed(*words: str) -> Any:
    """What a command prints."""
    result = CliRunner().invoke(commands, [*words, "--json"])
    assert result.exit_code == 0
    return json.loads(result.stdout)


def late_position(seed: str = "late") -> tuple[str, list[str]]:
    """A table that is rather full, and dominoes that are not on it."""
    game = REGISTRY["classic"]
    recorder, _ = play_game(game, ("greedy", "greedy"), game.parse_options({"target": 120}), seed)
    state: Any = recorder.moves[-1][1].state
    table: Table = state.table
    laid = {laying.tile for laying in table.layings}
    return " ".join(map(str, table.layings)), [n for n in table.tiles.names if n not in laid]


# -- positions -----------------------------------------------------------------------------------


async def test_legal_layings(server: Server) -> None:
    position, free = late_position()
    found = await server.ask("POST", "/legal", position=position, tiles=free[:3])
    assert list(found) == free[:3]
    for name in free[:3]:
        bare = [
            {**answer, "groups": [{k: v for k, v in g.items() if k != "discs"}
                                for g in answer["groups"]]}
            for answer in found[name]
        ]  # fmt: skip
        assert bare == printed("legal", "--position", position, "--tile", name)
    assert sum(len(answer["groups"]) for answer in found[free[0]]) > 5
    for answer in found[free[0]]:
        table = Table([*parse_position(position), Laying.parse(answer["laying"])])
        closed = {group.discs: group for group in table.groups() if group.closed}
        for group in answer["groups"]:
            true = closed[tuple(map(tuple, group["discs"]))]
            assert (group["colour"], group["size"]) == (true.colour, true.size)
    empty = await server.ask("POST", "/legal", tiles=["CRYGB"], set="72")
    assert len(empty["CRYGB"]) == 8


async def test_groups(server: Server) -> None:
    position, _ = late_position()
    found = await server.ask("POST", "/groups", position=position)
    assert found == printed("groups", "--position", position)
    assert await server.ask("POST", "/groups") == []


async def test_the_best_turn(server: Server) -> None:
    position, free = late_position()
    found = await server.ask("POST", "/best", position=position, hand=free[:2], top=3)
    assert found == printed(
        "best", "--position", position, "--hand", ",".join(free[:2]), "--top", "3"
    )
    assert len(await server.ask("POST", "/best", hand=["CRYGB"])) == 1


async def test_the_solver(server: Server) -> None:
    found = await server.ask("POST", "/solve", width=4, height=4, pile=1)
    output = printed("solve", "--pile", "1", "--frame", "4x4")
    del output["seconds"]
    assert found == output
    none = await server.ask("POST", "/solve", width=2, height=2, tiles=["CRYGB", "ZYRBG"],
                            faces="recto", count=100)  # fmt: skip
    assert none["complete"]
    hard = await server.ask("POST", "/solve", **HARD)
    assert not hard["complete"], "it gives up in time"


@pytest.mark.parametrize(
    ("path", "question", "code"),
    [
        ("/legal", {}, "malformed"),
        ("/legal", {"tiles": []}, "malformed"),
        ("/legal", {"tiles": ["CRYGB"] * 11}, "malformed"),
        ("/legal", {"tiles": "CRYGB"}, "malformed"),
        ("/legal", {"tiles": ["x" * 21]}, "malformed"),
        ("/legal", {"tiles": ["XXXXX"]}, "unknown_domino"),
        ("/legal", {"tiles": ["CRYGB", "PRYGB"], "position": POSITION}, "already_laid"),
        ("/legal", {"tiles": ["CRYGB"], "set": "7"}, "malformed"),
        ("/legal", {"tiles": ["CRYGB"], "hand": []}, "malformed"),
        ("/groups", {"position": "x"}, "malformed_laying"),
        ("/groups", {"position": 7}, "malformed"),
        ("/groups", {"position": "x" * 20_001}, "malformed"),
        ("/groups", {"position": "XXXXX+0@0,0"}, "unknown_domino"),
        ("/groups", {"position": "PRYGB+0@5,5"}, "not_at_origin"),
        ("/groups", {"position": POSITION + " CRYGB+0@0,0"}, "overlap"),
        ("/groups", {"position": POSITION + " CRYGB+0@9,9"}, "no_contact"),
        ("/groups", {"position": POSITION, "set": "72"}, "unknown_domino"),
        ("/best", {}, "malformed"),
        ("/best", {"hand": []}, "malformed"),
        ("/best", {"hand": ["CRYGB", "ZYRBG", "ZYBRG"]}, "malformed"),
        ("/best", {"hand": ["CRYGB"] * 2}, "bad_hand"),
        ("/best", {"hand": ["CRYGB"], "top": 101}, "malformed"),
        ("/best", {"hand": ["x" * 21]}, "malformed"),
        ("/best", {"hand": ["XXXXX"]}, "unknown_domino"),
        ("/best", {"hand": ["PRYGB"], "position": POSITION}, "already_laid"),
        ("/best", {"hand": ["CRYGB"], "set": "7"}, "malformed"),
        ("/best", {"hand": ["CRYGB"], "position": "\0"}, "malformed_laying"),
        ("/solve", {"width": 0}, "malformed"),
        ("/solve", {"width": 60, "height": 60}, "bad_frame"),
        ("/solve", {"tiles": ["XXXXX"]}, "unknown_domino"),
        ("/solve", {"tiles": ["CRYGB"] * 501}, "malformed"),
        ("/solve", {"position": "x"}, "malformed_laying"),
        ("/solve", {"faces": "verso"}, "malformed"),
        ("/solve", {"seed": "x" * 65}, "malformed"),
        ("/solve", {"position": "PRYGB+0@0,0", "pile": 2}, "not_offered"),
        ("/replay", {}, "malformed_record"),
        ("/replay", {"format": 1}, "malformed_record"),
    ],
)
async def test_senseless_questions_are_refused(
    server: Server, path: str, question: dict[str, Any], code: str
) -> None:
    assert await refusal(server.ask("POST", path, **question)) == code


@pytest.mark.parametrize(
    ("path", "question"),
    [
        ("/legal", {"tiles": ["CGBRY"]}),
        ("/groups", {"position": "CGBRY+0@0,0"}),
        ("/best", {"hand": ["CGBRY"]}),
        ("/solve", {"tiles": ["CGBRY"]}),
        ("/solve", {"position": "CGBRY+0@0,0"}),
    ],
)
async def test_naming_a_domino_by_its_back_is_refused_with_its_name(
    server: Server, path: str, question: dict[str, Any]
) -> None:
    with pytest.raises(DalapapaError) as caught:
        await server.ask("POST", path, **question)
    assert caught.value.code == "unknown_domino"
    hint = "There is no domino 'CGBRY' in the set 120: it is the back of CRYGB."
    assert str(caught.value).endswith(hint)
    expected = {"name": "CGBRY", "front": "CRYGB"}
    assert {name: caught.value.values.get(name) for name in expected} == expected


async def test_pictures_in_every_style(server: Server) -> None:
    async def drawn(**look: Any) -> str:
        response = await server.http.get("/picture.svg", params={"position": POSITION, **look})
        assert response.status_code == 200
        ElementTree.fromstring(response.text)
        return str(response.text)

    plain = await drawn()
    assert plain == await drawn(shape="rounds", theme="light", symbols=False)
    looks: list[dict[str, Any]] = [
        {"shape": "squares"}, {"shape": "octagons"}, {"palette": "grey"}, {"symbols": True},
        {"theme": "dark"}, {"pieces": "white"}, {"names": True}, {"numbers": "true"},
    ]  # fmt: skip
    assert len({plain, *[await drawn(**look) for look in looks]}) == 1 + len(looks)
    new = await server.create(game="alex", seats=[None, None], host="Ann", guests=["Bob"])
    path = f"/tables/{new['id']}/picture.svg"
    dark = await server.http.get(path, params={"theme": "dark"})
    assert dark.status_code == 200
    assert dark.text != (await server.http.get(path)).text
    for wrong in ("shape=stars", "palette=", "symbols=maybe", "theme=7", "pieces=", "set=1",
                  "cell=4000", "position=&position=x&names"):  # fmt: skip
        assert await refusal(server.ask("GET", f"/picture.svg?{wrong}")) == "malformed", wrong
    assert await refusal(server.ask("GET", f"{path}?theme=7")) == "malformed"


def test_the_style_of_pictures_is_that_of_the_drawing_room() -> None:
    style, look = Style(), asdict(PictureStyle())
    assert look == {name: getattr(style, name) for name in look}
    listed = get_args(get_type_hints(PictureStyle)["palette"])
    assert listed == tuple(PALETTES)


# -- rules ---------------------------------------------------------------------------------------


async def test_rules_in_every_language(server: Server) -> None:
    every = rulebook.figures()
    shown = set()
    for game in rulebook.GAMES:
        for language in LANGUAGES:
            answer = await server.ask("GET", f"/rules/{game}?language={language}")
            assert answer["text"] == rulebook.page(game, language)
            for name, figure in answer["figures"].items():
                assert figure == every[name]
                assert f"(figure:{name})" in answer["text"]
            assert answer["text"].count("(figure:") >= len(answer["figures"])
            shown |= set(answer["figures"])
    assert shown == set(every)
    english = await server.ask("GET", "/rules/classic")
    assert english["text"] == rulebook.page("classic", "en")


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("chess", "unknown_page"),
        ("classic?language=la", "unknown_page"),
        ("classic?language=", "unknown_page"),
        ("..%2Fclassic", "http"),
        ("classic?language=" + "x" * 21, "malformed"),
        ("x" * 21, "malformed"),
        ("%00", "unknown_page"),
    ],
)
async def test_unknown_rules_are_not_found(server: Server, path: str, code: str) -> None:
    assert await refusal(server.ask("GET", f"/rules/{path}")) == code


# -- replays -------------------------------------------------------------------------------------


def simulated(name: str, seed: str, undo: float = 0.2) -> Recorder:
    """A game between bots that change their minds now and then."""
    game = REGISTRY[name]
    players = ("greedy", "random", "greedy")[: max(2, game.seats[0])]
    choices = {"end": "rounds", "rounds": 6} if name == "alex" else {}
    options = game.parse_options(choices)
    programs = BotSeats(game, players, seed)
    rng = random.Random(seed)
    step = game.start(len(players), options, fill_bag(game.tiles(options).names, seed))
    who = [Player("Ann"), *(Player(f"{bot} {n}", bot) for n, bot in enumerate(players[1:], 2))]
    recorder = Recorder(game, options, who, seed, step)
    while game.outcome(step.state) is None:
        move = programs.next_move(step.state)
        step = game.apply(step.state, move)
        recorder.add(move, step)
        again = isinstance(move, Lay) and rng.random() < undo
        if again and game.view(step.state, move.player).can_undo:
            assert move.player is not None
            back = Undo(move.player)
            step = game.apply(step.state, back)
            recorder.add(back, step)
    return recorder


@pytest.mark.parametrize("seed", ["1", "2"])
@pytest.mark.parametrize("name", REGISTRY)
def test_replays_of_records(name: str, seed: str) -> None:
    recorder = simulated(name, seed)
    data = dump(recorder.record())
    record = load(data)
    answer = json.loads(replay_record(data))
    conforms(answer, GameReplay)
    assert answer["game"] == name
    assert answer["players"][0] == {"name": "Ann"}
    assert answer["players"][1]["program"] == "random"
    options = find_game(name).parse_options(record.options)
    assert answer["options"] == json.loads(msgspec.json.encode(options))
    assert record.result is not None
    assert answer["outcome"] == json.loads(msgspec.json.encode(record.result))
    # The record keeps what was taken back, but a replay does not show it.
    stayed: list[dict[str, Any]] = []
    for written in record.moves:
        if written["move"] == "undo":
            stayed.pop()
        else:
            stayed.append(written)
    assert len(answer["steps"]) == len(stayed)
    for written, step in zip(stayed, answer["steps"], strict=True):
        assert set(step) == {"move", "events", "view", "hands", "acting"}
        assert step["move"].items() <= written.items()
    for step in (answer["start"], *answer["steps"]):
        view = step["view"]
        assert (view["viewer"], view["game"]) == (None, name)
        assert "options" not in view
        if step["hands"] is None:
            assert "hand_counts" not in view
        else:
            assert [len(hand) for hand in step["hands"]] == view["hand_counts"]
        assert all(event.get("tiles", ()) is not None for event in step["events"])
    assert answer["steps"][-1]["view"]["outcome"] == answer["outcome"]
    check_turns(name, answer)


def check_turns(name: str, answer: dict[str, Any]) -> None:
    """The turns follow each other, are worth what they brought, and never more than the best."""
    turns, steps = answer["turns"], answer["steps"]
    if name in ("puzzle", "arlequin"):
        assert turns == []
        return
    if name in ("gone", "72"):
        check_layings(name, answer)
        return
    assert turns[-1]["last"] == len(steps) - 1
    for one, other in pairwise(turns):
        assert other["first"] == one["last"] + 1
    moments = [answer["start"], *steps]
    sums: Counter[int] = Counter()
    for turn in turns:
        before = moments[turn["first"]]
        table = Table.parse(before["view"]["table"], standard(answer["options"]["set"]))
        hand = before["view"]["drawn"] if name == "alex" else before["hands"][turn["player"]]
        best = table.best_turns(hand, 1)
        assert turn["best"] == (best[0].to_json() if best else None)
        assert turn["points"] <= (best[0].points if best else 0)
        counted = turn["announced"] if name == "alex" else turn["points"]
        assert turn["lost"] == (best[0].points - counted if best else 0)
        sums[turn["player"]] += counted
        laid = [e for step in steps[turn["first"] : turn["last"] + 1] for e in step["events"]
                if e["event"] == "laid"]  # fmt: skip
        assert all(event["player"] == turn["player"] for event in laid) or name == "alex"
    for step in steps:
        for event in step["events"]:
            if event["event"] in ("paid", "mark_counted"):
                sums[event["player"]] += event["points"]
            elif event["event"] == "punished" and event["mistake"] == 2:
                sums[event["player"]] -= event["announced"]
    assert [sums[player] for player in range(len(answer["players"]))] == answer["outcome"]["scores"]
    if name == "alex":
        began = [e for moment in moments for e in moment["events"] if e["event"] == "round_began"]
        assert len(turns) == len(began)
        assert all(turn["points"] >= turn["announced"] for turn in turns)
    else:
        ended = [e for step in steps for e in step["events"]
                 if e["event"] in ("turn_ended", "passed")]  # fmt: skip
        assert [turn["player"] for turn in turns] == [event["player"] for event in ended]
        assert turns[0]["first"] == len(answer["players"]), "after the setup"


def check_layings(name: str, answer: dict[str, Any]) -> None:
    """In Gone and 72 every domino is a choice, beside the one with most discs or cells."""
    moments = [answer["start"], *answer["steps"]]
    chosen: dict[str, int] = {}
    for turn in answer["turns"]:
        before = moments[turn["first"]]
        view = before["view"]
        player = view["active"]
        assert turn["player"] == player
        table = Table.parse(view["table"], standard(answer["options"]["set"]))
        found = [(laying, earned) for tile in before["hands"][player]
                 for laying, earned in table.scored(tile)]  # fmt: skip
        if name == "72" and not view["tokens"][player]:
            found = [one for one in found if one[1].contacts > 1]
        worth = {
            str(laying): earned.contacts if name == "gone" else earned.group_points
            for laying, earned in found
        }
        most = max(worth.values(), default=0)
        assert (turn["best"] is None) == (not worth)
        played = [worth[laying] for laying in turn["layings"]]
        assert turn["points"] == sum(played)
        if turn["best"]:
            assert turn["best"]["points"] == most == worth[turn["best"]["layings"][0]]
            cap = 3 if name == "gone" else most
            assert turn["lost"] == min(most, cap) - min(turn["points"], cap)
        chosen |= dict.fromkeys(turn["layings"], player)
    laid = {event["laying"]: event["player"] for step in answer["steps"] for event in step["events"]
            if event["event"] == "laid" and (name == "gone" or step["view"]["laid"])}  # fmt: skip
    assert chosen.items() == laid.items()
    assert not any(e["event"] == "undone" for step in answer["steps"] for e in step["events"])


def test_a_file_of_simulated_records_is_replayed(tmp_path: Any) -> None:
    printed("simulate", "--players", "greedy,greedy", "--games", "2", "--records", str(tmp_path))
    for path in tmp_path.iterdir():
        answer = json.loads(replay_record(path.read_bytes()))
        check_turns("classic", answer)
        for turn in answer["turns"]:
            assert turn["points"] == turn["best"]["points"], "which is what greedy is"


async def test_a_record_is_verified_before_it_is_shown(server: Server) -> None:
    data = dump(simulated("classic", "truth").record())

    async def asked(data: bytes) -> str:
        response = await server.http.post("/replay", content=data)
        if response.status_code == 200:
            assert response.json() == json.loads(replay_record(data))
            return "ok"
        assert response.status_code < 500
        code: str = response.json()["code"]
        return code

    assert await asked(data) == "ok"
    record = json.loads(data)
    for wrong, code in (
        (b"", "malformed_record"),
        (b"[]", "malformed_record"),
        (b"\xff", "malformed_record"),
        (data[:-20], "malformed_record"),
        (b"[" * 100_000, "malformed_record"),
        (json.dumps({**record, "seed": "another"}).encode(), "wrong_seed"),
        (json.dumps({**record, "moves": record["moves"][1:]}).encode(), None),
        (json.dumps({**record, "moves": record["moves"][:-1]}).encode(), "not_over"),
        (json.dumps({**record, "format": "x"}).encode(), "unknown_format"),
        (json.dumps({**record, "game": "chess"}).encode(), "unknown_game"),
        (json.dumps({k: v for k, v in record.items() if k not in ("seed", "draws", "result")})
         .encode(), "running"),
    ):  # fmt: skip
        found = await asked(wrong)
        assert found != "ok"
        assert code in (found, None), wrong[:40]


def test_the_length_of_a_replay_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    data = dump(simulated("classic", "long").record())
    monkeypatch.setattr(replays, "MAX_REPLAY_BYTES", 10_000)
    with pytest.raises(DalapapaError) as caught:
        replay_record(data)
    assert caught.value.code == "too_hard"


async def test_the_replay_of_a_table(server: Server) -> None:
    new = await server.create(
        game="puzzle", seats=[None, None], host="Ann", spectators="none", countdown=0
    )
    path, ann = f"/tables/{new['id']}/replay", new["token"]
    assert await refusal(server.ask("GET", path)) == "no_spectators"
    assert await refusal(server.ask("GET", path, ann)) == "not_begun"
    await server.sit(new["id"], 1, "Bob")
    assert await refusal(server.ask("GET", path, ann)) == "not_over"
    assert await refusal(server.ask("GET", path)) == "no_spectators"
    before = LateClock().now() - 2  # A table has its own steady time.
    for move in ({"move": "take", "tile": "PRYGB"}, {"move": "give_up"}):
        made = {"player": 0, **move}
        await server.ask("POST", f"/tables/{new['id']}/moves", ann, move=made)
    answer = await server.ask("GET", path)
    assert answer == await server.ask("GET", path, ann), "it is over: everybody may look"
    assert answer["players"] == [{"name": "Ann"}, {"name": "Bob"}]
    assert [step["cause"] for step in answer["steps"]] == ["player", "player"]
    assert before <= answer["steps"][1]["at"] <= LateClock().now()
    assert answer["steps"][0]["view"]["held"] == ["PRYGB", None]
    assert (answer["start"]["hands"], answer["turns"]) == (None, [])
    assert answer["outcome"] == {"scores": [0, 0], "winners": [1], "reason": "given_up"}
    record = await server.record(new["id"])
    of_record = (await server.http.post("/replay", content=record)).json()
    for step in answer["steps"]:
        del step["cause"], step["at"]
    assert answer.pop("begins") <= LateClock().now()
    assert answer.pop("hints") == [0, 0]
    assert answer == of_record
    assert await refusal(server.ask("GET", "/tables/nowhere/replay")) == "unknown_table"


async def test_a_table_of_bots_is_replayed_with_its_turns(server: Server) -> None:
    new = await server.create(seats=["greedy", "greedy"], pace=0)
    async with server.watch(new["id"]) as viewer, asyncio.timeout(SOON):
        while viewer.table["phase"] != "over":
            await viewer.changed()
    answer = await server.ask("GET", f"/tables/{new['id']}/replay")
    assert {step["cause"] for step in answer["steps"]} == {"program"}
    check_turns("classic", answer)


# -- the socket ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", REGISTRY)
def test_layings_of_one_domino_are_those_among_all_moves(name: str) -> None:
    recorder = simulated(name, "layings")
    game = REGISTRY[name]
    states = [step.state for _, step in recorder.moves][:: max(1, len(recorder.moves) // 12)]
    found = 0
    for state in (recorder.start.state, *states):
        for seat in range(state.players):
            view = game.view(state, seat)
            moves = [move for move in game.legal_moves(view) if isinstance(move, Lay)]
            for tile in [*{move.laying.tile for move in moves}][:3]:
                own = [move for move in moves if move.laying.tile == tile]
                assert game.legal_layings(view, tile) == own
                assert json.loads(seat_answers.list_moves(name, view, tile))[0]["laying"] == str(
                    own[0].laying
                )
                found += len(own)
            other = {*game.tiles(view.options).names} - {move.laying.tile for move in moves}
            for tile in (*sorted(other)[:2], "XXXXX", ""):
                assert game.legal_layings(view, tile) == []
    assert found


async def test_legal_moves_of_one_domino(server: Server) -> None:
    for game in ("classic", "arlequin"):
        new = await server.create(game=game, seats=[None, None], host="Ann", guests=["Bob"])
        async with server.watch(new["id"], new["token"]) as viewer:
            every = await viewer.legal(0)
            assert len(every) > 20_000 or game == "classic"
            tile = every[0]["laying"].partition("+")[0]
            own = [move for move in every if move.get("laying", "").startswith(tile)]
            assert await viewer.legal(0, tile) == own
            assert await viewer.legal(0, "XXXXX") == []
            assert await viewer.legal(1, tile) == []
    for wrong in (7, "x" * 65, [tile]):
        with pytest.raises(DalapapaError, match="This is not a message"):
            protocol.read_message(
                json.dumps({"type": "legal", "id": "1", "seat": 0, "tile": wrong})
            )


# -- compressed answers --------------------------------------------------------------------------


def send(worker: Worker, what: signal.Signals) -> None:
    assert worker.process.pid is not None
    os.kill(worker.process.pid, what)


async def test_long_answers_are_compressed_for_clients_that_accept_it(server: Server) -> None:
    for path in ("/games", "/rules/classic", "/picture.svg?position=PRYGB%2B0@0,0"):
        zipped = await server.http.get(path, headers={"Accept-Encoding": "gzip"})
        whole = await server.http.get(path, headers={"Accept-Encoding": "identity"})
        assert zipped.headers["content-encoding"] == "gzip"
        assert "content-encoding" not in whole.headers
        assert int(zipped.headers["content-length"]) < len(whole.content) / 2
        assert zipped.content == whole.content
        for response in (zipped, whole):
            assert response.headers["vary"] == "Accept-Encoding"
            assert response.headers["x-content-type-options"] == "nosniff"
            assert response.headers["cache-control"] == "no-store"
    for path in ("/rules/chess", "/picture.png"):
        response = await server.http.get(path, headers={"Accept-Encoding": "gzip"})
        assert "content-encoding" not in response.headers


async def test_compression_works_behind_the_connection_limits() -> None:
    clock = LateClock()
    clock.stand()
    async with (
        served(clock=clock, requests_per_second=1, requests_at_once=2) as here,
        Server(here.url) as server,
    ):
        found = [await server.http.get("/games") for _ in range(3)]
        assert [response.status_code for response in found] == [200, 200, 429]
        assert found[2].headers["Retry-After"]
        assert found[2].json()["code"] == "too_fast"
    async with running() as url, Server(url) as server:
        body = json.dumps({"position": "x" * 300_000})
        response = await server.http.post("/groups", content=body)
        assert (response.status_code, response.json()["code"]) == (413, "too_long")

        async def pieces() -> AsyncIterator[bytes]:
            for _ in range(30):
                yield b'{"moves": "' + b"x" * 10_000

        response = await server.http.post("/replay", content=pieces())
        assert response.status_code == 413


# -- workers -------------------------------------------------------------------------------------


@pytest.fixture
async def workers() -> AsyncIterator[Workers]:
    workers = Workers(1, PATIENCE)
    yield workers
    workers.close()


async def test_workers_run_jobs_in_other_processes(workers: Workers) -> None:
    there = await workers.ask(os.getpid)
    assert there != os.getpid()
    assert await workers.ask(os.getpid) == there, "it does one job after the other"
    assert await workers.ask(operator.add, 1, 2) == 3
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        await workers.ask(operator.truediv, 1, 0)
    assert await refusal(workers.ask(Laying.parse, "x")) == "malformed_laying"
    assert await workers.ask(os.getpid) == there


async def test_a_job_may_have_its_own_time_limit(workers: Workers) -> None:
    """The error says for the log why its worker ended."""
    with pytest.raises(LostWorker) as too_long:
        await workers.ask(time.sleep, 1000, time_limit_s=0.5)
    with pytest.raises(LostWorker) as died:
        await workers.ask(os._exit, 1)
    reasons = [error.value.reason for error in (too_long, died)]
    assert reasons == ["it took too long", "it ended its process"]
    assert workers.time_limit_s == PATIENCE


async def test_a_job_runs_although_all_idle_workers_were_killed() -> None:
    """They are more than the workers that a job may lose."""
    workers = Workers(MAX_ATTEMPTS + 1, PATIENCE)
    try:
        jobs = [workers.ask(time.sleep, 0.1) for _ in range(workers.size)]
        await asyncio.gather(*jobs)
        killed = set(workers.processes)
        for worker in killed:
            worker.process.kill()
            worker.process.join()
        assert await workers.ask(operator.add, 1, 2) == 3
        assert not killed & workers.processes
    finally:
        workers.close()


async def test_an_endless_job_ends_with_its_worker(workers: Workers) -> None:
    before = await workers.ask(os.getpid)
    workers.time_limit_s = 1
    assert await refusal(workers.ask(time.sleep, 1000)) == "too_hard"
    workers.time_limit_s = PATIENCE
    assert await workers.ask(os.getpid) != before
    assert len(workers.processes) == 1
    with pytest.raises(ProcessLookupError):
        os.kill(before, 0)


async def test_workers_that_die_are_replaced(workers: Workers) -> None:
    before = await workers.ask(os.getpid)
    os.kill(before, signal.SIGKILL)
    assert await workers.ask(os.getpid) != before, "asked again, of another"
    assert await refusal(workers.ask(os._exit, 1)) == "too_hard", "it kills whom one asks"
    assert await workers.ask(operator.add, 1, 2) == 3


async def test_the_queue_of_workers_is_bounded() -> None:
    workers = Workers(1, SOON, ConcurrencyLimit(3))
    try:
        jobs = [asyncio.create_task(workers.ask(time.sleep, 1000)) for _ in range(3)]
        await run_other_tasks()
        assert workers.pending == 3
        assert await refusal(workers.ask(os.getpid)) == "busy"
        await wait_until(lambda: workers.processes, "a worker")
        jobs[2].cancel()
        await wait_until(lambda: workers.pending == 2, "two jobs")
    finally:
        workers.close()
    ended = await asyncio.gather(*jobs, return_exceptions=True)
    assert [getattr(one, "code", None) for one in ended[:2]] == ["busy"] * 2, "the server stops"
    assert isinstance(ended[2], asyncio.CancelledError)
    assert workers.pending == 0
    assert not workers.processes


class HeldJobs(Workers):
    """Workers whose jobs begin and end when the test says so; no process starts."""

    def __init__(self, slots: ConcurrencyLimit) -> None:
        super().__init__(1, SOON, slots)
        self.begun: list[str] = []
        self._futures: list[asyncio.Future[None]] = []

    def submit(self, job: Job) -> Any:
        self.begun.append(job.args[0])
        self._futures.append(asyncio.get_running_loop().create_future())
        return self._futures[-1]

    def begin(self, address: str, name: str) -> asyncio.Task[Any]:
        return asyncio.create_task(self.ask(print, name, address=address))

    async def finish_one(self) -> None:
        self._futures[-1].set_result(None)
        await run_other_tasks(5)


async def test_the_queue_alternates_between_addresses() -> None:
    """Who asks first with ten questions does not delay others by ten."""
    held = HeldJobs(ConcurrencyLimit(20, 10))
    asked = [held.begin("flood", f"flood {n}") for n in range(5)]
    await run_other_tasks(5)
    asked += [held.begin("ann", "ann"), held.begin("bob", "bob 0"), held.begin("bob", "bob 1")]
    await run_other_tasks(5)
    for _ in asked:
        await held.finish_one()
    # The second question of the flood waited before the others came.
    expected = ["flood 0", "flood 1", "ann", "bob 0", "flood 2", "bob 1", "flood 3", "flood 4"]
    assert held.begun == expected
    await asyncio.gather(*asked)
    assert held.pending == 0
    held.close()


async def test_an_address_with_many_questions_does_not_block_others() -> None:
    held = HeldJobs(ConcurrencyLimit(5, 3))
    floods = [held.begin(where, f"{where} {n}") for where in ("one", "two") for n in range(3)]
    people = [held.begin(f"person {n}", f"person {n}") for n in range(4)]
    await run_other_tasks(5)
    refused = [task for task in (*floods, *people) if task.done()]
    for task in refused:
        assert await refusal(task) == "busy"
    assert floods[5] in refused, "the other flood has only one place more"
    # The newest questions of the floods gave way, until each flood had one place.
    assert [task for task in floods if task not in refused] == [floods[0], floods[3]]
    assert [task for task in people if task not in refused] == people[:3]
    assert held.pending == 5
    for _ in range(5):
        await held.finish_one()
    assert held.begun == ["one 0", "two 0", "person 0", "person 1", "person 2"]
    await asyncio.gather(floods[0], floods[3], *people[:3])
    assert held.pending == 0
    held.close()


@pytest.mark.skipif(not hasattr(os, "nice"), reason="Unix has it")
async def test_question_workers_have_a_low_priority() -> None:
    async with served() as here:
        questions = here.services.questions
        own = os.getpriority(os.PRIO_PROCESS, 0)
        for workers in (questions.quick, questions.solver):
            assert not workers.processes, "until the first request"
            assert await workers.ask(os.getpriority, os.PRIO_PROCESS, 0) == min(own + 10, 19)
        programs = here.tables.bots.workers
        assert await programs.ask(os.getpriority, os.PRIO_PROCESS, 0) == own
        processes = [worker.process for one in (questions.quick, questions.solver, programs)
                     for worker in one.processes]  # fmt: skip
    assert len(processes) == 3
    assert not any(process.is_alive() for process in processes)


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="Unix has it")
async def test_other_requests_do_not_wait_for_the_solver() -> None:
    """It is stopped in the middle of its work; everything else goes on."""
    async with served(solver_at_once=8, solver_seconds=0.1) as here, Server(here.url) as server:
        solver = here.services.questions.solver
        await server.ask("POST", "/solve", width=4, height=4)
        (worker,) = solver.processes
        solver.time_limit_s = PATIENCE  # However slow the rest of the test is.
        send(worker, signal.SIGSTOP)
        asked = [asyncio.create_task(server.ask("POST", "/solve", **HARD)) for _ in range(8)]
        await wait_until(lambda: solver.pending == 8, "8 jobs of the solver")
        assert await refusal(server.ask("POST", "/solve", **HARD)) == "busy"
        response = await server.http.post("/solve", json=HARD)
        assert response.status_code == 503
        assert (await server.http.get(here.url + "/health")).text == "ok\n"
        assert await server.ask("POST", "/groups", position=POSITION)
        assert await server.ask("POST", "/legal", position=POSITION, tiles=["CRYGB"])
        new = await server.create(seats=["random", None], host="Ann", pace=0)
        async with server.watch(new["id"], new["token"]) as ann, asyncio.timeout(SOON):
            while ann.views["1"]["phase"] == "setup":
                if moves := await ann.legal():
                    await ann.move(moves[0])
                else:
                    await ann.changed()
        assert not any(task.done() for task in asked)
        send(worker, signal.SIGCONT)
        found = await asyncio.gather(*asked)
        assert all(not one["complete"] for one in found)
        assert solver.pending == 0


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="Unix has it")
async def test_questions_of_clients_that_have_left_are_dropped() -> None:
    """A job keeps its slot until it is done: leaving does not give a client a second one."""
    async with served() as here, Server(here.url) as server:
        solver = here.services.questions.solver
        await server.ask("POST", "/solve", width=4, height=4)
        (worker,) = solver.processes
        solver.time_limit_s = PATIENCE  # However slow the rest of the test is.
        send(worker, signal.SIGSTOP)
        async with Server(here.url) as other:
            asked = [asyncio.create_task(other.ask("POST", "/solve", **HARD)) for _ in range(3)]
            # The first one is begun: a job that only waits can be taken back.
            await wait_until(
                lambda: solver.pending == 3 and not solver.idle, "3 jobs of the solver"
            )
            for task in asked:
                task.cancel()
            await asyncio.gather(*asked, return_exceptions=True)
        await wait_until(lambda: solver.pending == 1, "one job of the solver")
        send(worker, signal.SIGCONT)
        await wait_until(lambda: solver.pending == 0, "a solver without jobs")


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="Unix has it")
async def test_one_address_cannot_fill_a_queue() -> None:
    async with (
        served(solver_at_once=10, share_an_address=0.25, solver_seconds=0.1) as here,
        Server(here.url) as server,
        Server(here.url) as family,
    ):
        solver = here.services.questions.solver
        await server.ask("POST", "/solve", width=4, height=4)
        (worker,) = solver.processes
        solver.time_limit_s = PATIENCE  # However slow the rest of the test is.
        send(worker, signal.SIGSTOP)
        family.http.headers["X-Forwarded-For"] = "192.0.2.1"
        asked = [
            asyncio.create_task(who.ask("POST", "/solve", **HARD))
            for who in (server, server, family, family)
        ]
        await wait_until(lambda: solver.pending == 4, "4 jobs of the solver")
        for who in (server, family):
            response = await who.http.post("/solve", json=HARD)
            assert (response.status_code, response.json()["code"]) == (429, "too_many")
            assert int(response.headers["Retry-After"]) > 0
        assert await server.ask("POST", "/groups", position=POSITION), "another queue"
        send(worker, signal.SIGCONT)
        assert len(await asyncio.gather(*asked)) == 4
        assert not (await server.ask("POST", "/solve", **HARD))["complete"]
