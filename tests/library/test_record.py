"""Records: written, read again, and never believed."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dalapapa
from dalapapa.bots.arena import play_game
from dalapapa.core.errors import BadRecord, DalapapaError, OtherSet
from dalapapa.core.tiles import SetIdentity, standard
from dalapapa.games import REGISTRY, find_game
from dalapapa.games.bag import hash_seed
from dalapapa.record import dump, load, replay
from tests.support.thoroughness import THOROUGH

SCHEMA = json.loads((Path(dalapapa.__file__).parent / "record.schema.json").read_text())


@cache
def finished() -> bytes:
    game = find_game("classic")
    recorder, _ = play_game(game, ("greedy", "greedy", "random"), game.parse_options({}), "record")
    return dump(recorder.record())


def truth() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(finished())
    return data


def code_of(data: Any) -> str:
    with pytest.raises(DalapapaError) as caught:
        replay(load(json.dumps(data).encode()))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 800, "the input is not repeated at length"
    return caught.value.code


@pytest.mark.parametrize("name", REGISTRY)
def test_records_fit_the_schema(name: str) -> None:
    game = find_game(name)
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for seats in game.seats if THOROUGH else {game.seats[0], game.seats[-1]}:
        bots = ("greedy", "random", "random", "greedy")[:seats]
        recorder, _ = play_game(game, bots, game.parse_options({}), f"schema {seats}")
        jsonschema.validate(json.loads(dump(recorder.record())), SCHEMA)
        recorder.moves = recorder.moves[: len(recorder.moves) // 2]
        running = json.loads(dump(recorder.record()))
        jsonschema.validate(running, SCHEMA)
        assert not {"seed", "draws", "result"} & set(running)


def test_a_record_names_its_dominoes() -> None:
    assert truth()["set"] == {"name": "120", "fingerprint": standard().fingerprint}
    game = find_game("72")
    recorder, _ = play_game(game, ("greedy", "greedy"), game.parse_options({}), "record")
    identity = recorder.record().set
    assert identity == standard("72").identity
    assert identity.fingerprint != standard().fingerprint
    rows = [{"name": n, "recto": "RYGBRYG", "verso": "BGYRBGY"} for n in "ABCDEFGHIJ"]
    classic = find_game("classic")
    options = classic.parse_options({"set": rows})
    recorder, _ = play_game(classic, ("greedy", "greedy"), options, "record")
    own = recorder.record()
    assert own.set == SetIdentity("own", classic.tiles(options).fingerprint)
    assert replay(load(dump(own))).outcome


def test_an_option_of_a_later_version_is_written_only_where_it_differs() -> None:
    game = find_game("auction")
    for chosen, written in (({}, None), ({"auctions": "repeated"}, "repeated")):
        recorder, _ = play_game(game, ("random", "random"), game.parse_options(chosen), "options")
        text = dump(recorder.record())
        assert json.loads(text)["options"].get("auctions") == written
        assert replay(load(text)).outcome is not None


def test_a_record_of_other_dominoes_is_refused() -> None:
    """Under one name there have been two sets: neither is read as the other."""
    early = truth()
    del early["set"]
    with pytest.raises(OtherSet, match="does not name its dominoes"):
        replay(load(json.dumps(early).encode()))
    for wrong in ({"fingerprint": "0" * 64}, {"name": "72"}, {"name": "\x1b" * 500}):
        other = truth()
        other["set"].update(wrong)
        assert code_of(other) == "other_set"
    for malformed in ({"name": None}, {"more": 1}):
        other = truth()
        other["set"].update(malformed)
        assert code_of(other) == "malformed_record"


def test_the_schema_refuses_nonsense() -> None:
    for change in (
        {"format": "dalapapa-record/2"},
        {"commitment": "x"},
        {"more": 1},
        {"moves": [{"player": 0, "move": "lay", "points": 1}]},
        {"moves": [{"player": 0, "move": "end", "points": 0, "laying": "PRYGB+0@0,0"}]},
        {"seed": None},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**truth(), **change}, SCHEMA)
    without = truth()
    del without["seed"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(without, SCHEMA)


def test_a_record_is_text_with_a_move_on_each_line() -> None:
    lines = finished().decode().splitlines()
    assert sum('"move":' in line for line in lines) == len(truth()["moves"])
    assert dump(load(finished())) == finished()


def test_wrong_points_are_found() -> None:
    data = truth()
    number = next(n for n, move in enumerate(data["moves"]) if "parts" in move)
    for key, value in (("points", 99), ("points", True), ("points", None)):
        wrong = copy.deepcopy(data)
        wrong["moves"][number][key] = value
        assert code_of(wrong) == "wrong_points"
    for key in data["moves"][number]["parts"]:
        wrong = copy.deepcopy(data)
        wrong["moves"][number]["parts"][key] = 77
        assert code_of(wrong) == "wrong_parts"
    wrong = copy.deepcopy(data)
    del wrong["moves"][number]["parts"]
    assert code_of(wrong) == "wrong_parts"
    with pytest.raises(BadRecord, match=f"Move {number + 1}:"):
        replay(load(json.dumps(wrong).encode()))


def test_wrong_draws_seed_and_result_are_found() -> None:
    for key, value, code in (
        ("seed", "another", "wrong_seed"),
        ("commitment", hash_seed("another"), "wrong_seed"),
        ("draws", [], "wrong_draws"),
        ("result", None, "wrong_result"),
        ("result", {**truth()["result"], "scores": [60, 0, 0]}, "wrong_result"),
        ("result", {**truth()["result"], "winners": [2]}, "wrong_result"),
        ("result", {**truth()["result"], "reason": "blocked"}, "wrong_result"),
        ("options", {"target": 240, "first": 0, "set": "120"}, "not_over"),
        ("options", {"target": 30}, "bad_target"),
        ("players", [{"name": "alone"}], "bad_players"),
        ("players", [{"name": str(n)} for n in range(5)], "bad_players"),
        ("game", "chess", "unknown_game"),
        ("format", "dalapapa-record/9", "unknown_format"),
    ):
        found = code_of({**truth(), key: value})
        assert code is None or found == code
    moved = truth()
    end = next(move for move in moved["moves"] if "draws" in move)
    end["draws"] = [{"player": end["player"], "tiles": ["PRYGB"]}]
    assert code_of(moved) == "wrong_draws"


def test_another_seed_with_its_own_commitment_is_found() -> None:
    data = {**truth(), "seed": "forged", "commitment": hash_seed("forged")}
    assert code_of(data) == "wrong_draws"


def test_missing_moved_and_added_moves_are_found() -> None:
    for number in range(len(truth()["moves"])):
        data = truth()
        del data["moves"][number]
        code_of(data)
    data = truth()
    data["moves"].append(data["moves"][-1])
    assert code_of(data) == "game_over"
    data = truth()
    data["moves"][0]["player"] = 1
    assert code_of(data) == "not_your_turn"
    data = truth()
    data["moves"][0]["laying"] = "PRYGB+0@0"
    assert code_of(data) == "malformed_laying"
    data = truth()
    data["moves"][0]["surprise"] = 1
    assert code_of(data) == "malformed_move"


@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_file_is_reported_as_such(part: float) -> None:
    data = finished().rstrip()
    with pytest.raises(BadRecord, match="cut off"):
        load(data[: int(len(data) * part)])


def test_large_deep_and_binary_files_are_refused() -> None:
    for data in (
        b" " * 5_000_000,
        b"[" * 100_000,
        b"\xff\xfe\x00",
        b"null",
        b"[]",
        b'{"a":1}',
        b"1",
    ):
        with pytest.raises(BadRecord):
            load(data)


def test_a_running_game_cannot_be_verified_yet() -> None:
    data = truth()
    for key in ("seed", "draws", "result"):
        del data[key]
    for move in data["moves"]:
        move.pop("draws", None)
    assert code_of(data) == "running"


def test_a_game_that_is_not_over_keeps_its_seed() -> None:
    data = truth()
    del data["result"]
    data["moves"] = data["moves"][:-5]
    assert code_of(data) == "not_over"


def test_long_nonsense_is_refused_in_a_short_sentence() -> None:
    long = "x" * 5000
    for wrong, code in (
        ({long: 1}, "malformed_record"),
        ({"game": long}, "unknown_game"),
        ({"options": {"set": long}}, "unknown_set"),
        ({"moves": [{"player": 0, "move": long}]}, "malformed_move"),
    ):
        assert code_of({**truth(), **wrong}) == code


def test_one_spelling_for_each_thing() -> None:
    """What the schema refuses is refused: objects for layings, null for nothing, keys twice."""
    data = truth()
    data["moves"][0]["laying"] = {"tile": "PRYGB", "side": "+", "rotation": 0, "x": 0, "y": 0}
    assert code_of(data) == "malformed_move"
    data = truth()
    end = next(move for move in data["moves"] if move["move"] == "end")
    end["parts"] = None
    assert code_of(data) == "wrong_parts"
    data = truth()
    data["players"][0]["program"] = None
    assert code_of(data) == "malformed_record"
    twice = finished().replace(b'"game": "classic"', b'"game": "chess", "game": "classic"')
    with pytest.raises(BadRecord, match="twice"):
        load(twice)
    assert load(b"\xef\xbb\xbf" + finished()) == load(finished())


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_damaged_records_never_break_the_reader(data: st.DataObject) -> None:
    """Change one thing anywhere in the file: it is refused with a sentence, or still true."""
    text = bytearray(finished())
    kind = data.draw(st.sampled_from(["byte", "cut", "double", "drop"]))
    at = data.draw(st.integers(0, len(text) - 1))
    if kind == "byte":
        text[at] = data.draw(st.integers(0, 255))
    elif kind == "cut":
        del text[at:]
    elif kind == "double":
        text[at:at] = text[at : at + data.draw(st.integers(1, 200))]
    else:
        del text[at : at + data.draw(st.integers(1, 200))]
    try:
        replayed = replay(load(bytes(text)))
    except DalapapaError as error:
        assert "\n" not in str(error)
    else:
        assert list(replayed.outcome.scores) == truth()["result"]["scores"]


@settings(max_examples=200)
@given(st.binary(max_size=200))
def test_any_bytes_are_refused_with_a_sentence(data: bytes) -> None:
    with pytest.raises(BadRecord):
        load(data)
