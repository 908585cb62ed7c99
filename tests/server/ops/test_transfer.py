"""`dalapapa export` and `import`: all tables out and in again, or one line and nothing done.

What does not need a file of SQLite takes the URLs of its databases, so that PostgreSQL can be
tried by the same functions: `round_trip`, `one_moment`.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Callable
from contextlib import aclosing
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dalapapa.client import Server
from dalapapa.core.errors import BadInput, Unavailable
from dalapapa.core.tiles import SetIdentity
from dalapapa.hosting.entries import Sat
from dalapapa.hosting.stored import StoredEntry
from dalapapa.server.ops import export
from dalapapa.server.ops.export import ExportResult, ImportResult, export_tables, import_tables
from dalapapa.server.storage.store import Store
from tests.support.command_line import run as command
from tests.support.filled_stores import (
    OWNER,
    TABLES,
    fill_store,
    make_stored_table,
    read_lobby,
    read_store,
)
from tests.support.serving import PATIENCE, first, running


def sqlite(folder: Path, name: str = "tables.db") -> str:
    return f"sqlite+aiosqlite:///{folder / name}"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What `export` writes of `TABLES`."""
    folder = tmp_path_factory.mktemp("file")
    fill_store(sqlite(folder))
    asyncio.run(export_tables(sqlite(folder), str(folder / "all")))
    return (folder / "all").read_bytes()


# -- on any database -------------------------------------------------------------------------


def round_trip(source: str, target: str, folder: Path) -> None:
    """An import into an empty database of any kind restores everything."""
    fill_store(source)
    out, again = folder / "out", folder / "again"
    assert asyncio.run(export_tables(source, str(out))) == ExportResult(len(TABLES), 0)
    assert asyncio.run(import_tables(target, str(out))) == ImportResult(len(TABLES), 0)
    assert asyncio.run(export_tables(target, str(again))) == ExportResult(len(TABLES), 0)
    assert again.read_bytes() == out.read_bytes()
    assert sorted(read_store(target), key=lambda kept: kept[0].id) == [
        (t, log) for t, _, log in TABLES
    ]
    assert read_lobby(target) == read_lobby(source) != []
    # Once more: nothing comes in twice, and what has gone on meanwhile stays.
    assert asyncio.run(import_tables(target, str(out))) == ImportResult(0, len(TABLES))
    assert len(read_store(target)) == len(TABLES)


def one_moment(url: str) -> None:
    """What happens while all tables are read is not among them."""
    fill_store(url)

    async def go() -> None:
        store, other = Store(url), Store(url)
        await store.open()
        await other.open()
        seen: dict[str, int] = {}
        async with aclosing(store.read_all()) as found:
            async for one in found:
                assert isinstance(one, tuple)
                table, log = one
                if not seen:
                    late = StoredEntry(1, 5000, Sat(0, "Late", OWNER))
                    assert await other.append("empty", late, "waiting")
                    await other.create(
                        make_stored_table("zzz", 1, TABLES[0][0].settings, "2"), "waiting", []
                    )
                seen[table.id] = len(log)
        assert seen == {table.id: len(log) for table, _, log in TABLES}
        assert await other.count() == len(TABLES) + 1
        await store.close()
        await other.close()

    asyncio.run(go())


def test_an_import_restores_everything(tmp_path: Path) -> None:
    assert {phase for _, phase, _ in TABLES} == {"waiting", "playing", "over"}
    round_trip(sqlite(tmp_path, "a.db"), sqlite(tmp_path, "b.db"), tmp_path)


def test_an_export_shows_one_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dalapapa.server.storage.store.MAX_TABLES_PER_READ", 2)
    one_moment(sqlite(tmp_path))


def test_an_import_keeps_tables_that_have_gone_on(tmp_path: Path, file: bytes) -> None:
    (tmp_path / "all").write_bytes(file)
    stored, phase, log = next(kept for kept in TABLES if len(kept[2]) > 10)
    fill_store(sqlite(tmp_path), [(stored, phase, log[:7])])
    came = asyncio.run(import_tables(sqlite(tmp_path), str(tmp_path / "all")))
    assert came == ImportResult(len(TABLES) - 1, 1)
    assert {t.id: log for t, log in read_store(sqlite(tmp_path))}[stored.id] == log[:7]


def test_a_game_goes_on_elsewhere(tmp_path: Path) -> None:
    """Exported from a server that runs, imported into another that runs; the token still owns."""
    here, there, out = sqlite(tmp_path, "a.db"), sqlite(tmp_path, "b.db"), str(tmp_path / "out")

    async def go() -> None:
        async with asyncio.timeout(PATIENCE), running(here) as one, running(there) as other:
            async with Server(one) as server:
                new = await server.create(seats=[None, "greedy"], host="Ann", pace=0)
                async with server.watch(new["id"], new["token"]) as seat:
                    for _ in range(5):
                        while not (moves := await seat.legal()):
                            await seat.changed()
                        await seat.move(first(moves))
                    version = seat.version
                    assert (await export_tables(here, out)).tables == 1
            assert await import_tables(there, out) == ImportResult(1, 0)
            async with Server(other) as server, server.watch(new["id"], new["token"]) as seat:
                assert seat.version >= version
                assert seat.yours == [0]
                while seat.table["phase"] == "playing":
                    if moves := await seat.legal():
                        await seat.move(first(moves))
                    else:
                        await seat.changed()

    asyncio.run(go())


# -- what is refused -------------------------------------------------------------------------

Change = Callable[[list[Any]], Any]


def entry_of(kind: str) -> Callable[[list[Any]], dict[str, Any]]:
    """The last entry of a kind in a file."""

    def find(lines: list[Any]) -> dict[str, Any]:
        found: list[dict[str, Any]] = [
            one for line in lines[1:-1] for one in line["log"] if one["entry"]["type"] == kind
        ]
        return found[-1]

    return find


sat, moved, rematched = entry_of("sat"), entry_of("moved"), entry_of("rematched")

WRONG: dict[str, tuple[Change, str]] = {
    "no head": (lambda f: f.pop(0), "bad_tables"),
    "another format": (lambda f: f[0].update(format="dalapapa-tables/2"), "bad_tables"),
    "no end": (lambda f: f.pop(), "bad_tables"),
    "a table less": (lambda f: f.pop(3), "bad_tables"),
    "a table twice": (lambda f: f.insert(2, f[1]), "bad_tables"),
    "more after the end": (lambda f: f.append(f[1]), "bad_tables"),
    "two heads": (lambda f: f.insert(1, f[0]), "bad_tables"),
    "no settings": (lambda f: f[1].pop("settings"), "bad_tables"),
    "an unknown field": (lambda f: f[1].update(more=1), "bad_tables"),
    "an unknown setting": (lambda f: f[1]["settings"].update(more=1), "bad_tables"),
    "more in an entry": (lambda f: sat(f)["entry"].update(x=1), "bad_tables"),
    "another entry": (lambda f: sat(f)["entry"].update(type="x"), "bad_tables"),
    "a program": (lambda f: f[1]["settings"]["seats"][0].update(program="x"), "unknown_bot"),
    "too many seats": (lambda f: f[1]["settings"]["seats"].extend([{}] * 20), "bad_players"),
    "an unknown game": (lambda f: f[1]["settings"].update(game="chess"), "unknown_game"),
    "an option": (lambda f: f[1]["settings"]["options"].update(x=1), "unknown_option"),
    "an id": (lambda f: f[1].update(id="../x"), "bad_tables"),
    "a long id": (lambda f: f[1].update(id="x" * 33), "bad_tables"),
    "a seed": (lambda f: f[1].update(seed="\0"), "bad_tables"),
    "a file of an early version": (lambda f: f[1].pop("set"), "other_set"),
    "other dominoes": (lambda f: f[2]["set"].update(fingerprint="0" * 64), "other_set"),
    "another set": (lambda f: f[1]["set"].update(name="own"), "other_set"),
    "half a set": (lambda f: f[1]["set"].pop("name"), "bad_tables"),
    "a time": (lambda f: f[1].update(created=2**70), "bad_tables"),
    "a number": (lambda f: moved(f).update(number=1), "bad_tables"),
    "an owner": (lambda f: sat(f)["entry"].update(owner="é"), "bad_tables"),
    "a name": (lambda f: sat(f)["entry"].update(name=" "), "bad_name"),
    "a seat": (lambda f: sat(f)["entry"].update(seat=99), "unknown_seat"),
    "a rematch": (lambda f: rematched(f)["entry"].update(table="/"), "bad_tables"),
    "a long mark": (lambda f: moved(f).update(nonce="x" * 65), "bad_tables"),
    "a playerless move": (lambda f: moved(f)["entry"]["move"].pop("player"), "malformed_move"),
    "an unknown player": (lambda f: moved(f)["entry"]["move"].update(player=9), "unknown_player"),
    "an order": (lambda f: f[1]["log"].reverse(), "bad_tables"),
}  # fmt: skip


FILES = 7
"""So many of them are wrong files; the others are files with a wrong table."""


def changed(name: str, folder: Path, file: bytes) -> str:
    lines = [json.loads(line) for line in file.splitlines()]
    WRONG[name][0](lines)
    path = folder / "wrong"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return str(path)


@pytest.mark.parametrize("name", list(WRONG)[:FILES])
def test_a_wrong_file_imports_nothing(name: str, tmp_path: Path, file: bytes) -> None:
    path = changed(name, tmp_path, file)
    with pytest.raises(BadInput) as caught:
        asyncio.run(import_tables(sqlite(tmp_path), path))
    assert caught.value.code == WRONG[name][1], caught.value
    assert str(caught.value).startswith(path)
    assert not (tmp_path / "tables.db").exists()


@pytest.mark.parametrize("name", list(WRONG)[FILES:])
def test_a_wrong_table_is_left_out_and_named(name: str, tmp_path: Path, file: bytes) -> None:
    path = changed(name, tmp_path, file)
    with Path(path).open("rb") as stream:
        codes = []
        for line, where in export._tables(stream, path):
            try:
                export._phase(line, where)
            except BadInput as error:
                codes.append(error.code)
    assert codes == [WRONG[name][1]]
    reports: list[str] = []
    came = asyncio.run(import_tables(sqlite(tmp_path), path, reports.append))
    assert came == ImportResult(len(TABLES) - 1, 0, 1)
    assert [one.startswith(f"{path}, line ") for one in reports] == [True]
    assert len(read_store(sqlite(tmp_path))) == len(TABLES) - 1


def test_tables_of_unknown_dominoes_are_left_out_of_exports(tmp_path: Path) -> None:
    """They cannot be opened or imported: the host's own backup comes back without them."""
    (empty,) = [kept for kept in TABLES if kept[0].id == "empty"]
    early = replace(empty[0], id="early", set=None)
    unknown = replace(early, id="unknown", settings=replace(early.settings, game="chess"))
    elsewhere = replace(unknown, id="elsewhere", set=SetIdentity("120", "0" * 64))
    others = [early, unknown, elsewhere, replace(elsewhere, id="other", settings=early.settings)]
    fill_store(sqlite(tmp_path, "a.db"), [empty, *((one, "waiting", []) for one in others)])
    out = tmp_path / "out"
    assert asyncio.run(export_tables(sqlite(tmp_path, "a.db"), str(out))) == ExportResult(2, 3)
    lines = [json.loads(line) for line in out.read_bytes().splitlines()]
    assert [line["id"] for line in lines if line["line"] == "table"] == ["elsewhere", "empty"]


def test_draws_follow_from_the_seed(tmp_path: Path, file: bytes) -> None:
    """With another seed, the moves are not those of this game any more."""
    lines = [json.loads(line) for line in file.splitlines()]
    next(line for line in lines if line.get("id") == "classic-150")["seed"] = "another"
    path = tmp_path / "wrong"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    reports: list[str] = []
    asyncio.run(import_tables(sqlite(tmp_path), str(path), reports.append))
    (line,) = reports
    assert re.search(r"entry \d+: .*hand", line)


def test_a_truncated_file_is_noticed_at_every_place(file: bytes) -> None:
    ends = [n + 1 for n, byte in enumerate(file) if byte == 10]
    for end in (0, 1, *ends[:-1], *[end - 1 for end in ends], *range(7, len(file), 20_011)):
        with pytest.raises(BadInput):
            list(export._tables(BytesIO(file[:end]), "cut"))


ODD = ("null", "true", "-1", "0", "1", "1.5", f"{2**31}", f"{2**53}", f"{2**70}", "[]", "{}",
       "[[]]", '""', '"0"', '"over"', r'"\u0000"', f'"{99 * "é"}"')  # fmt: skip
BYTES = (b"", b"\n", b"\xff", b"9" * 30, b"null", b"[]", b"[" * 2000, b"\\ud800", b'"', b"}")


@given(data=st.data())
def test_random_files_are_refused_without_a_traceback(data: st.DataObject, file: bytes) -> None:
    """Values or bytes changed anywhere: it is read, or refused in one sentence."""
    answer = json.loads(data.draw(st.sampled_from(file.splitlines()[1:-1])))
    for _ in range(data.draw(st.integers(0, 2))):
        place = answer
        while isinstance(place, dict | list) and place:
            keys = list(place) if isinstance(place, dict) else range(len(place))
            key, inside = data.draw(st.sampled_from(keys)), place
            place = place[key]
            if data.draw(st.integers(0, 4)) == 0:
                break
        inside[key] = json.loads(data.draw(st.sampled_from(ODD)))
    changed = json.dumps(answer).encode()
    if data.draw(st.booleans()):
        at = data.draw(st.integers(0, len(changed)))
        new = data.draw(st.sampled_from(BYTES) | st.binary(max_size=3))
        changed = changed[:at] + new + changed[at + data.draw(st.integers(0, 3)) :]
    head, tail = file.splitlines()[0], b'{"line":"end","tables":1}\n'
    try:
        for line, where in export._tables(BytesIO(b"\n".join([head, changed, tail])), "file"):
            phase = export._phase(line, where)
            assert isinstance(line, export.TableLine)
            export._read_stored(line, phase)
    except BadInput as error:
        assert error.code
        assert str(error).startswith("file")


def test_the_length_of_a_line_is_limited(
    tmp_path: Path, file: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "MAX_LINE", 100)
    (tmp_path / "all").write_bytes(file)
    with pytest.raises(BadInput) as caught:
        asyncio.run(import_tables(sqlite(tmp_path), str(tmp_path / "all")))
    assert caught.value.code == "too_large"


def test_marks_that_postgresql_cannot_store_are_left_out(tmp_path: Path, file: bytes) -> None:
    assert b'"mark 1"' in file
    (tmp_path / "all").write_bytes(file.replace(b'"mark 1"', b'"\\u0000"'))
    asyncio.run(import_tables(sqlite(tmp_path), str(tmp_path / "all")))
    logs = [log for _, log in read_store(sqlite(tmp_path)) if log]
    assert all(log[1].nonce is None and log[3].nonce == "mark 3" for log in logs)


# -- whole or not at all ---------------------------------------------------------------------


def test_a_failing_export_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_store(sqlite(tmp_path))
    out = tmp_path / "out"
    out.write_text("yesterday")
    monkeypatch.setattr(Store, "read_all", broken)
    with pytest.raises(Unavailable) as caught:
        asyncio.run(export_tables(sqlite(tmp_path), str(out)))
    assert (caught.value.code, str(caught.value)) == (
        "no_database",
        "The database does not answer: the cable is out.",
    )
    assert out.read_text() == "yesterday"
    assert sorted(path.name for path in tmp_path.glob("*out*")) == ["out"]
    assert not list(tmp_path.glob(".dalapapa-*"))


async def broken(_store: Store) -> Any:
    """A database that is lost after the first table."""
    yield TABLES[0][0], TABLES[0][2]
    raise OSError("the cable is out")


def test_a_failing_import_leaves_the_database(tmp_path: Path, file: bytes) -> None:
    """Even when the second reading finds something else than the first."""
    fill_store(sqlite(tmp_path), TABLES[:2])
    before = read_store(sqlite(tmp_path))

    async def go() -> None:
        store = Store(sqlite(tmp_path))
        await store.open()

        def many() -> Any:
            yield from TABLES[2:6]
            raise BadInput("Changed meanwhile.")

        with pytest.raises(BadInput):
            await store.restore(many())
        await store.close()

    asyncio.run(go())
    assert read_store(sqlite(tmp_path)) == before


def test_unreadable_lines_are_reported(tmp_path: Path) -> None:
    async def spoil() -> None:
        store = Store(sqlite(tmp_path))
        await store.open()
        async with store.engine.begin() as connection:
            await connection.exec_driver_sql("UPDATE entries SET entry = '{}' WHERE number = 2")
        await store.close()

    fill_store(sqlite(tmp_path))
    asyncio.run(spoil())
    reports: list[str] = []
    done = asyncio.run(export_tables(sqlite(tmp_path), str(tmp_path / "out"), reports.append))
    long = [table.id for table, _, log in TABLES if len(log) >= 2]
    assert done == ExportResult(len(TABLES) - len(long), 0, len(long))
    assert [line.split()[0] for line in reports] == long
    assert all("entry 2: " in line for line in reports)
    again = asyncio.run(import_tables(sqlite(tmp_path, "b.db"), str(tmp_path / "out")))
    assert again == ImportResult(done.tables, 0)


# -- the commands ----------------------------------------------------------------------------


def test_the_commands(tmp_path: Path) -> None:
    fill_store(sqlite(tmp_path, "a.db"), TABLES[:3])
    here, there, out = f"sqlite:///{tmp_path}/a.db", f"sqlite:///{tmp_path}/b.db", f"{tmp_path}/out"
    assert command("export", "--database", here, out) == (0, f"{out}: 3 tables\n", "")
    assert os.stat(out).st_mode & 0o777 == 0o600, "seeds of running games are secret"
    answer = command("import", "--database", there, out)
    assert answer == (0, "3 new tables; 0 unchanged\n", "")
    answer = command("import", "--database", there, "-", stdin=Path(out).read_bytes())
    assert answer == (0, "0 new tables; 3 unchanged\n", "")


def test_the_database_in_the_data_folder_is_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "dalapapa").mkdir()
    fill_store(sqlite(tmp_path / "dalapapa"), TABLES[:1])
    assert command("export", f"{tmp_path}/out")[:2] == (0, f"{tmp_path}/out: 1 table\n")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("export", "--database", "sqlite:///{}/none.db", "{}/out"), "no_database"),
        (("export", "--database", "mysql://x", "{}/out"), "bad_database"),
        (("export", "--database", "sqlite:///{}/a.db", "{}"), "unwritable_path"),
        (("export", "--database", "sqlite:///{}/a.db", "{}/no/out"), "unwritable_path"),
        (("export", "--database", "sqlite:///{}/a.db"), "usage"),
        (("import", "--database", "sqlite:///{}/b.db", "{}/none"), "unreadable_file"),
        (("import", "--database", "sqlite:///{}/b.db", "{}"), "unreadable_file"),
        (("import", "--database", "sqlite:///{}/b.db", "{}/a.db"), "bad_tables"),
        (("import", "--database", "sqlite:///{}/b.db", "-"), "bad_tables"),
        (("import", "--database", "sqlite:///{}/no/b.db", "{}/empty"), "no_database"),
    ],
)
def test_wrong_use_is_one_line(words: tuple[str, ...], code: str, tmp_path: Path) -> None:
    fill_store(sqlite(tmp_path, "a.db"), TABLES[:1])
    (tmp_path / "empty").write_text(
        '{"line":"head","format":"dalapapa-tables/1"}\n{"line":"end","tables":0}\n'
    )
    status, out, err = command(*[word.format(tmp_path) for word in words])
    assert (status, out) == (2, "")
    assert err.startswith(f"Error ({code}): ")
    assert err.count("\n") == 1
    assert not list(tmp_path.glob(".dalapapa-*"))
    assert not (tmp_path / "b.db").exists()
    assert not (tmp_path / "none.db").exists()
