"""Check names and comments of Python and of the client against the rules of docs/glossary.md.

The documentation is checked, too, and the English texts for players, with a few more words of their
own.

    python scripts/check_words.py              fail on new words to avoid, long modules, ...
    python scripts/check_words.py --update     write the present counts into words.toml

`words.toml` lists the words, the exceptions, and for older code how often each package may still
use them. These ceilings may fall and must not rise; texts and documentation have none. Standard
library only. That an exported name of the client stands once is checked beside its imports
(`web/test/rooms.test.ts`).
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
CONFIG = Path(__file__).with_name("words.toml")
FOLDERS = ("src/dalapapa", "tests", "benchmarks", "scripts")
SOURCE = "src/dalapapa"
PLAYER_TEXTS = (
    "src/dalapapa/rulebook/*.en.md",
    "src/dalapapa/texts/en.json",
    "web/src/texts/*/en.json",
    "web/src/games/*/texts/en.json",
)
DOCUMENTATION = ("*.md", "docs/**/*.md", "web/README.md")
CLIENT_FOLDERS = ("web/src", "web/test")
CLIENT_SUFFIXES = (".ts", ".tsx", ".css")

MAX_MODULE_LINES = 500
MAX_SUBJECT_LENGTH = 72

GENERATED = "# Written by `check_words.py --update`: these numbers may fall, and must not rise.\n"


CLIENT_FUNCTION = re.compile(
    r"^(?:export )?"
    r"(?:(?:async )?function\*? ([a-z]\w*)|const ([a-z]\w*) = (?:async )?\([^=]*\)[^=]*=>)",
    re.MULTILINE,
)
"""A function at the top level of a module of the client."""

ELLIPTIC = re.compile(r'^ *"""((?:Of|Until|Beyond|Between)\b)', re.MULTILINE)
"""A docstring that continues the name of a constant instead of saying what it is."""


JSON_KEY = re.compile(r'"[^"]*":')
"""The name of a text, which players never see."""

CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.MULTILINE | re.DOTALL)
"""Code in the documentation, whose names are checked where they are defined."""


class Place(NamedTuple):
    """Where a word to avoid is used; a line number of 0 means the name of the file."""

    path: str
    line: int
    word: str


class Findings(NamedTuple):
    """What the files contain at present."""

    words: list[Place]
    duplicate_classes: dict[str, list[str]]
    duplicate_functions: dict[str, list[str]]
    participles: list[Place]
    client_participles: list[Place]
    elliptic: list[Place]
    long_modules: dict[str, int]
    texts: list[Place]


def compile_words(words: Sequence[str]) -> re.Pattern[str]:
    """Match words alone, and as parts of `snake_case`, `CamelCase` and `UPPER_CASE` names."""
    plain = [word for word in words if " " not in word]
    phrases = [word for word in words if " " in word]
    separate = "|".join(form for word in plain for form in (word, word.capitalize(), word.upper()))
    capitalized = "|".join(word.capitalize() for word in plain)
    spaced = "|".join(f"[{word[0]}{word[0].upper()}]{word[1:]}" for word in phrases)
    forms = []
    if plain:
        forms += [
            rf"(?<![A-Za-z])(?:{separate})(?![a-z])",
            rf"(?<=[a-z0-9])(?:{capitalized})(?![a-z])",
        ]
    if phrases:
        forms.append(rf"\b(?:{spaced})\b")
    return re.compile("|".join(forms))


def find_words(path: str, text: str, pattern: re.Pattern[str]) -> Iterator[Place]:
    """List the uses of the words in the name and the text of a file."""
    for match in pattern.finditer(Path(path).stem):
        yield Place(path, 0, match[0].lower())
    for match in pattern.finditer(text):
        yield Place(path, text.count("\n", 0, match.start()) + 1, match[0].lower())


def list_functions(text: str) -> Iterator[str]:
    """List the functions that a module exports; overloads count once."""
    statements = ast.parse(text).body
    functions = (s for s in statements if isinstance(s, ast.FunctionDef | ast.AsyncFunctionDef))
    yield from dict.fromkeys(s.name for s in functions if not s.name.startswith("_"))


def is_participle(word: str, irregular: Sequence[str]) -> bool:
    """Whether a word ends like a regular participle, or is in the list."""
    return word in irregular or (word.endswith("ed") and not word.endswith("eed"))


def find_participles(path: str, text: str, irregular: Sequence[str]) -> Iterator[Place]:
    """List the functions whose name begins with a participle; a property may be one."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        first = node.name.strip("_").partition("_")[0]
        is_property = any("property" in ast.unparse(one) for one in node.decorator_list)
        if is_participle(first, irregular) and not is_property:
            yield Place(path, node.lineno, node.name)


def find_client_participles(path: str, text: str, irregular: Sequence[str]) -> Iterator[Place]:
    """List the functions whose name is a participle, alone or with a preposition (`laidBy`).

    Before a noun it is an adjective (`earnedPoints`).
    """
    for match in CLIENT_FUNCTION.finditer(text):
        name = match[1] or match[2]
        alone = re.sub(r"(?:After|At|Back|By|From|In|Of|Out)$", "", name)
        if alone.islower() and is_participle(alone, irregular):
            yield Place(path, text.count("\n", 0, match.start()) + 1, name)


def find_duplicates(homes: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Select the names that more than one module exports."""
    return {name: paths for name, paths in sorted(homes.items()) if len(paths) > 1}


def find_in_player_texts(root: Path, config: Mapping[str, Any]) -> Iterator[Place]:
    """List the words to avoid in the English texts for players."""
    pattern = compile_words([*config["words"], *config.get("player_words", {})])
    for file in sorted(found for glob in PLAYER_TEXTS for found in root.glob(glob)):
        path, text = file.relative_to(root).as_posix(), file.read_text(encoding="utf-8")
        exceptions = config.get("allow", {}).get(path, [])
        places = find_words(path, JSON_KEY.sub("", text), pattern)
        yield from (place for place in places if place.word not in exceptions)


def find_in_documentation(root: Path, config: Mapping[str, Any]) -> Iterator[Place]:
    """List the words to avoid in the prose of the documentation."""
    pattern = compile_words(list(config["words"]))
    for file in sorted(found for glob in DOCUMENTATION for found in root.glob(glob)):
        path, text = file.relative_to(root).as_posix(), file.read_text(encoding="utf-8")
        exceptions = config.get("allow", {}).get(path, [])
        prose = CODE.sub(lambda code: "\n" * code[0].count("\n"), text)
        places = find_words(path, prose, pattern)
        yield from (place for place in places if place.word not in exceptions)


def examine(root: Path, config: Mapping[str, Any]) -> Findings:
    """Read all files once and collect everything that has a rule."""
    pattern = compile_words(list(config["words"]))
    allowed: Mapping[str, list[str]] = config.get("allow", {})
    words: list[Place] = []
    registered = tuple(config.get("duplicate_functions", {}).get("registered", []))
    classes: defaultdict[str, list[str]] = defaultdict(list)
    functions: defaultdict[str, list[str]] = defaultdict(list)
    participles: list[Place] = []
    elliptic: list[Place] = []
    irregular = config.get("function_names", {}).get("participles", [])
    long_modules: dict[str, int] = {}
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*.py")):
            path, text = file.relative_to(root).as_posix(), file.read_text(encoding="utf-8")
            exceptions = allowed.get(path, [])
            words += [p for p in find_words(path, text, pattern) if p.word not in exceptions]
            if folder != SOURCE:
                continue
            for name in re.findall(r"^class ([A-Za-z]\w*)", text, re.MULTILINE):
                classes[name].append(path)
            for name in list_functions(text) if not path.startswith(registered) else ():
                functions[name].append(path)
            elliptic += [
                Place(path, text.count("\n", 0, match.start()) + 1, match[1])
                for match in ELLIPTIC.finditer(text)
            ]
            if not path.startswith(f"{SOURCE}/kernel/"):
                participles += find_participles(path, text, irregular)
            lines = text.count("\n")
            if lines > MAX_MODULE_LINES and not path.startswith(f"{SOURCE}/kernel/"):
                long_modules[path] = lines
    client_participles: list[Place] = []
    for path, text in read_client(root):
        exceptions = allowed.get(path, [])
        words += [p for p in find_words(path, text, pattern) if p.word not in exceptions]
        if path.startswith("web/src/"):
            client_participles += find_client_participles(path, text, irregular)
        if (lines := text.count("\n")) > MAX_MODULE_LINES:
            long_modules[path] = lines
    duplicates = find_duplicates(classes), find_duplicates(functions)
    texts = [*find_in_player_texts(root, config), *find_in_documentation(root, config)]
    return Findings(
        words,
        *duplicates,
        participles,
        client_participles,
        elliptic,
        long_modules,
        texts,
    )


def read_client(root: Path) -> Iterator[tuple[str, str]]:
    """Read the modules, tests and style sheets of the client, with their paths."""
    for folder in CLIENT_FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in CLIENT_SUFFIXES:
                yield file.relative_to(root).as_posix(), file.read_text(encoding="utf-8")


def package_of(path: str) -> str:
    """The part of the repository whose ceiling a file counts for."""
    parts = path.split("/")
    if path.startswith((f"{SOURCE}/", "web/src/")):
        return "/".join(parts[:3]) if len(parts) > 3 else "/".join(parts[:2])
    return "/".join(parts[:2]) if parts[0] == "web" else parts[0]


def check(found: Findings, config: Mapping[str, Any]) -> Iterator[str]:
    """Describe, in a line for each, what is above its ceiling."""
    ceilings: Mapping[str, int] = config.get("ceilings", {})
    for package, count in sorted(Counter(package_of(p.path) for p in found.words).items()):
        ceiling = ceilings.get(package, 0)
        if count > ceiling:
            yield f"{package}: {count} words to avoid, {ceiling} at most:"
            for place in found.words:
                if package_of(place.path) == package:
                    advice = config["words"][place.word]
                    yield f"  {place.path}:{place.line}: {place.word!r}: {advice}"
    advice = {**config["words"], **config.get("player_words", {})}
    for path, line, word in found.texts:
        yield f"{path}:{line}: {word!r}: {advice[word]}"
    known = config.get("duplicate_classes", {}).get("names", [])
    for name, paths in found.duplicate_classes.items():
        if name not in known:
            yield f"The class {name} exists {len(paths)} times: {', '.join(paths)}"
    allowed = config.get("duplicate_functions", {}).get("allow", [])
    for name, paths in found.duplicate_functions.items():
        if name not in allowed:
            yield f"The function {name} exists {len(paths)} times: {', '.join(paths)}"
    for section, places in (
        ("function_names", found.participles),
        ("client_function_names", found.client_participles),
    ):
        allowed = config.get(section, {}).get("allow", [])
        for path, line, name in places:
            if name not in allowed:
                yield f"{path}:{line}: {name}: name the function by a verb"
    for path, line, word in found.elliptic:
        yield f"{path}:{line}: a docstring must not begin with {word!r}: say what it describes"
    for path, lines in found.long_modules.items():
        limit = config.get("long_modules", {}).get(path, MAX_MODULE_LINES)
        if lines > limit:
            yield f"{path}: {lines} lines, {limit} at most"


def list_new_subjects(root: Path) -> list[str]:
    """List the subjects of commits that are not on origin/main; none without git or origin."""
    command = ["git", "log", "--no-merges", "--format=%s", "origin/main..HEAD"]
    try:
        result = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    except OSError:
        return []
    return result.stdout.splitlines() if result.returncode == 0 else []


def check_subjects(subjects: Sequence[str]) -> Iterator[str]:
    """Describe the commit subjects that are too long."""
    for subject in subjects:
        if len(subject) > MAX_SUBJECT_LENGTH:
            yield f"A commit subject has {len(subject)} of {MAX_SUBJECT_LENGTH} letters: {subject}"


def write_ceilings(path: Path, found: Findings) -> None:
    """Replace the ceilings at the end of the configuration by the present counts."""
    counts = sorted(Counter(package_of(place.path) for place in found.words).items())
    lines = ["[ceilings]", *(f'"{package}" = {count}' for package, count in counts)]
    names = "".join(f'\n  "{name}",' for name in found.duplicate_classes)
    lines += ["", "[duplicate_classes]", f"names = [{names}\n]" if names else "names = []"]
    lines += ["", "[long_modules]"]
    lines += [f'"{module}" = {count}' for module, count in found.long_modules.items()]
    kept = path.read_text(encoding="utf-8").partition(GENERATED)[0].rstrip("\n")
    path.write_text("\n".join((kept, "", GENERATED.rstrip("\n"), *lines, "")), encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """Print every violation; the result is the exit code."""
    config = tomllib.loads(CONFIG.read_text(encoding="utf-8"))
    found = examine(ROOT, config)
    if "--update" in arguments:
        write_ceilings(CONFIG, found)
        return 0
    violations = [*check(found, config), *check_subjects(list_new_subjects(ROOT))]
    print("\n".join(violations) if violations else "Words, classes and modules: all checks passed.")
    return int(bool(violations))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
