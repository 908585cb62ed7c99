"""The vocabulary check of `make lint` (`scripts/check_words.py`)."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.support.scripting import script

checker = script("check_words")

CONFIG: dict[str, Any] = {
    "words": {"murmur": "speak", "is blank": "is empty"},
    "allow": {"src/dalapapa/games/chorus.py": ["murmur"]},
}


def write_module(root: Path, path: str, text: str) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("murmur", 1),
        ("# They murmur, and murmur.", 2),
        ("MURMUR_COUNT = 1", 1),
        ("def _murmur_twice(): ...", 1),
        ("class HasMurmurs: ...", 0),
        ("class HasMurmur: ...", 1),
        ("class MurmurBox: ...", 1),
        ("murmured = demurmur", 0),
        ("The line is blank.", 1),
        ("value is Blank", 0),
    ],
)
def test_words_are_found_in_names_and_sentences(text: str, count: int) -> None:
    pattern = checker.compile_words(list(CONFIG["words"]))
    assert len(list(checker.find_words("a.py", text, pattern))) == count


def test_a_word_in_a_file_name_counts() -> None:
    pattern = checker.compile_words(["murmur"])
    assert list(checker.find_words("tests/test_murmur.py", "", pattern)) == [
        ("tests/test_murmur.py", 0, "murmur")
    ]


def test_a_word_is_reported_with_its_place_and_advice(tmp_path: Path) -> None:
    write_module(tmp_path, "src/dalapapa/games/race.py", "x = 1\n# A murmur.\n")
    write_module(tmp_path, "src/dalapapa/games/chorus.py", "murmur = 1\n")
    found = checker.examine(tmp_path, CONFIG)
    assert list(checker.check(found, CONFIG)) == [
        "src/dalapapa/games: 1 words to avoid, 0 at most:",
        "  src/dalapapa/games/race.py:2: 'murmur': speak",
    ]


def test_texts_for_players_have_words_of_their_own(tmp_path: Path) -> None:
    english = '{\n  "robot": "A robot",\n  "murmur": "x"\n}'
    write_module(tmp_path, "web/src/texts/home/en.json", english)
    write_module(tmp_path, "web/src/texts/home/de.json", '{\n  "robot": "robot"\n}')
    write_module(tmp_path, "src/dalapapa/rulebook/gone.en.md", "A tip\n\nMurmur.\n")
    config = {**CONFIG, "player_words": {"robot": "bot"}}
    assert list(checker.check(checker.examine(tmp_path, config), config)) == [
        "src/dalapapa/rulebook/gone.en.md:3: 'murmur': speak",
        "web/src/texts/home/en.json:2: 'robot': bot",
    ]
    config["allow"] = {"web/src/texts/home/en.json": ["robot"]}
    assert len(list(checker.check(checker.examine(tmp_path, config), config))) == 1


def test_the_prose_of_the_documentation_is_checked_but_not_its_code(tmp_path: Path) -> None:
    page = "# Page\n\n```sh\nmurmur\n```\n\nThe field `murmur`.\nPlayers murmur.\n"
    write_module(tmp_path, "docs/play/page.md", page)
    write_module(tmp_path, "README.md", "Murmur\n")
    assert list(checker.check(checker.examine(tmp_path, CONFIG), CONFIG)) == [
        "README.md:1: 'murmur': speak",
        "docs/play/page.md:8: 'murmur': speak",
    ]
    config = {**CONFIG, "allow": {"README.md": ["murmur"]}}
    assert len(list(checker.check(checker.examine(tmp_path, config), config))) == 1


def test_a_package_may_stay_at_its_ceiling_but_not_rise(tmp_path: Path) -> None:
    write_module(tmp_path, "tests/test_race.py", "# A murmur.\n")
    config = {**CONFIG, "ceilings": {"tests": 1}}
    assert not list(checker.check(checker.examine(tmp_path, config), config))
    write_module(tmp_path, "tests/test_turns.py", "# A murmur.\n")
    assert list(checker.check(checker.examine(tmp_path, config), config))


def test_a_class_name_must_be_unique_in_the_package(tmp_path: Path) -> None:
    write_module(tmp_path, "src/dalapapa/a.py", "class Choir: ...\nclass _Private: ...\n")
    write_module(tmp_path, "src/dalapapa/b.py", "class Choir: ...\nclass _Private: ...\n")
    found = checker.examine(tmp_path, CONFIG)
    assert list(checker.check(found, CONFIG)) == [
        "The class Choir exists 2 times: src/dalapapa/a.py, src/dalapapa/b.py"
    ]
    assert not list(checker.check(found, {**CONFIG, "duplicate_classes": {"names": ["Choir"]}}))


def test_a_function_name_must_be_unique_unless_it_is_registered_or_allowed(tmp_path: Path) -> None:
    text = "def sing(): ...\nasync def sing(): ...\ndef _hum(): ...\n"
    write_module(tmp_path, "src/dalapapa/a.py", text)
    assert not list(checker.check(checker.examine(tmp_path, CONFIG), CONFIG))
    write_module(tmp_path, "src/dalapapa/cli/b.py", text)
    found = checker.examine(tmp_path, CONFIG)
    assert list(checker.check(found, CONFIG)) == [
        "The function sing exists 2 times: src/dalapapa/a.py, src/dalapapa/cli/b.py"
    ]
    for exception in ({"allow": ["sing"]}, {"registered": ["src/dalapapa/cli/"]}):
        config = {**CONFIG, "duplicate_functions": exception}
        assert not list(checker.check(checker.examine(tmp_path, config), config))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("def stored(): ...", "stored"),
        ("async def _sung_twice(): ...", "_sung_twice"),
        ("class A:\n    def stored_lines(self): ...", "stored_lines"),
        ("class A:\n    @property\n    def stored(self): ...", None),
        ("class A:\n    @cached_property\n    def sung(self): ...", None),
        ("def feed_all(): ...", None),
        ("def store(): ...", None),
    ],
)
def test_a_function_is_not_named_by_a_participle(
    text: str, name: str | None, tmp_path: Path
) -> None:
    config = {**CONFIG, "function_names": {"participles": ["sung"]}}
    write_module(tmp_path, "src/dalapapa/a.py", text)
    write_module(tmp_path, "src/dalapapa/kernel/b.py", "def stored_rows(): ...\n")
    found = [place.word for place in checker.examine(tmp_path, config).participles]
    assert found == ([] if name is None else [name])
    lines = list(checker.check(checker.examine(tmp_path, config), config))
    assert [": name the function by a verb" in line for line in lines] == [True] * len(found)
    allowed = {**config, "function_names": {"participles": ["sung"], "allow": [name]}}
    assert not list(checker.check(checker.examine(tmp_path, allowed), allowed))


def test_a_docstring_says_what_it_describes(tmp_path: Path) -> None:
    text = 'X = 1\n"""Of a file."""\nY = 2\n"""Offline use."""\nZ = "Of a text."\n'
    write_module(tmp_path, "src/dalapapa/a.py", text)
    assert list(checker.check(checker.examine(tmp_path, CONFIG), CONFIG)) == [
        "src/dalapapa/a.py:2: a docstring must not begin with 'Of': say what it describes"
    ]


def test_only_modules_of_the_kernel_may_be_long(tmp_path: Path) -> None:
    for path in ("kernel/solver.py", "server/store.py"):
        write_module(tmp_path, f"src/dalapapa/{path}", "pass\n" * 501)
    found = checker.examine(tmp_path, CONFIG)
    path = "src/dalapapa/server/store.py"
    assert list(checker.check(found, CONFIG)) == [f"{path}: 501 lines, 500 at most"]
    assert not list(checker.check(found, {**CONFIG, "long_modules": {path: 501}}))


def test_the_client_is_checked_by_folder_without_its_texts(tmp_path: Path) -> None:
    write_module(tmp_path, "web/src/board/camera.ts", "// A murmur.\n" * 501)
    write_module(tmp_path, "web/src/board/texts/en.json", '{"murmur": "murmur"}\n')
    write_module(tmp_path, "web/src/style/main.css", ".murmur {}\n")
    write_module(tmp_path, "web/test/murmur.test.ts", "\n")
    write_module(tmp_path, "web/engine/murmur.ts", "murmur();\n")
    found = checker.examine(tmp_path, CONFIG)
    config = {**CONFIG, "ceilings": {"web/src/board": 501}}
    assert list(checker.check(found, config)) == [
        "web/src/style: 1 words to avoid, 0 at most:",
        "  web/src/style/main.css:1: 'murmur': speak",
        "web/test: 1 words to avoid, 0 at most:",
        "  web/test/murmur.test.ts:0: 'murmur': speak",
        "web/src/board/camera.ts: 501 lines, 500 at most",
    ]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("export function stored(): void {}", "stored"),
        ("async function sungBy(name: string) {}", "sungBy"),
        ("export const stored = ({ rows }: Rows): Row[] => rows;", "stored"),
        ("export const stored = signal(0);", None),
        ("export function storedRows() {}", None),
        ("export function feed() {}", None),
        ("export function store() {}", None),
        ("  const stored = (row: Row) => row;", None),
    ],
)
def test_a_function_of_the_client_is_not_named_by_a_participle_alone(
    text: str, name: str | None, tmp_path: Path
) -> None:
    config = {**CONFIG, "function_names": {"participles": ["sung"]}}
    write_module(tmp_path, "web/src/board/a.ts", f"{text}\n")
    found = checker.examine(tmp_path, config)
    assert [place.word for place in found.client_participles] == ([] if name is None else [name])
    lines = list(checker.check(found, config))
    assert [": name the function by a verb" in line for line in lines] == [True] * len(lines)
    allowed = {**config, "client_function_names": {"allow": [name]}}
    assert not list(checker.check(found, allowed))


def test_update_writes_ceilings_that_the_check_accepts(tmp_path: Path) -> None:
    for name in "ab":
        write_module(tmp_path, f"src/dalapapa/{name}/x.py", "class Choir: ...  # murmur\n" * 501)
    path = tmp_path / "words.toml"
    path.write_text('[words]\nmurmur = "speak"\n')
    for _ in range(2):
        found = checker.examine(tmp_path, tomllib.loads(path.read_text()))
        checker.write_ceilings(path, found)
    config = tomllib.loads(path.read_text())
    assert config["ceilings"] == {"src/dalapapa/a": 501, "src/dalapapa/b": 501}
    assert not list(checker.check(checker.examine(tmp_path, config), config))


def test_long_commit_subjects_are_reported_and_a_missing_repository_is_not(tmp_path: Path) -> None:
    assert not list(checker.check_subjects(["server: split the registry from live tables"]))
    assert len(list(checker.check_subjects(["x" * 73, "x" * 72]))) == 1
    assert checker.list_new_subjects(tmp_path / "missing") == []


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_only_commits_outside_of_main_are_checked(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    git("commit", "-q", "--allow-empty", "-m", "old")
    assert checker.list_new_subjects(tmp_path) == [], "there is no origin yet"
    git("update-ref", "refs/remotes/origin/main", "HEAD")
    git("commit", "-q", "--allow-empty", "-m", "new\n\nA body.")
    assert checker.list_new_subjects(tmp_path) == ["new"]


def test_this_repository_passes() -> None:
    config = tomllib.loads(checker.CONFIG.read_text(encoding="utf-8"))
    assert not list(checker.check(checker.examine(checker.ROOT, config), config))
