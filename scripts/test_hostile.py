"""Run the fast tests at awkward times, in random order, in an awkward folder, without root.

    make test-hostile                          all scenarios
    make test-hostile ARGS="noon leap-day"     some of them
    make test-hostile ARGS="noon --seed 7"     with the order of an earlier run
    make test-hostile ARGS="noon -- -k store"  with arguments for pytest

Each scenario shifts the clock of all processes by libfaketime; time goes on from there. The tests
run in a clone of HEAD, in a folder whose name has a space, an accent and an apostrophe. If this
process is root, the clone belongs to an unprivileged user who runs the tests. Tests in browsers are
left out: they take most of the time, and their clock is that of the browser.
"""

from __future__ import annotations

import argparse
import os
import pwd
import random
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

ROOT = Path(__file__).parents[1]
FOLDER = "Dalapapa à l'essai"


class Scenario(NamedTuple):
    """When the tests start, in UTC, and in which time zone."""

    start: str
    zone: str = "UTC"


SCENARIOS = {
    "after-midnight": Scenario("2027-01-15 00:10"),
    "before-noon": Scenario("2027-01-15 11:55"),
    "noon": Scenario("2027-01-15 12:05"),
    "before-midnight": Scenario("2027-01-15 23:55"),
    "leap-day": Scenario("2028-02-29 12:00", "Asia/Kolkata"),
    "new-year": Scenario("2027-12-31 23:57", "America/Los_Angeles"),
    # Europe's clocks change at 01:00 UTC, while the tests run.
    "summer-time-begins": Scenario("2027-03-28 00:57", "Europe/Paris"),
    "summer-time-ends": Scenario("2027-10-31 00:57", "Europe/Paris"),
}

DISTURBED_BY_FAKETIME: dict[str, str] = {}
"""Tests that libfaketime disturbs for reasons of its own, with the reason."""


OF_THIS_USER = (
    "MAKE", "MFLAGS", "USER", "LOGNAME", "USERNAME", "MAIL", "XDG_", "PYTHON", "VIRTUAL_ENV",
    "PYTEST_", "COV_", "COVERAGE_", "SUDO_",
)  # fmt: skip
"""How the names of variables begin that belong to this process or its user. With the name of root,
pytest would use the temporary folder of root."""

MAX_CLOCK_ERROR_S = 60


def main() -> None:
    """Prepare the clone, run the scenarios, and print their results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenarios", nargs="*", choices=[[], *SCENARIOS], metavar="SCENARIO")
    parser.add_argument("--seed", type=int, help="the seed of the order of tests; default: random")
    own, rest = split_arguments(sys.argv[1:])
    chosen = parser.parse_args(own)
    seed = chosen.seed if chosen.seed is not None else random.SystemRandom().randrange(10**6)
    results: dict[str, bool] = {}
    # A process that a test has left may still write while the folder is removed.
    with tempfile.TemporaryDirectory(
        prefix="dalapapa-hostile-", ignore_cleanup_errors=True
    ) as folder:
        library = copy_libfaketime(Path(folder))
        clone = Path(folder, FOLDER)
        run(["git", "clone", "--quiet", "--no-local", os.fspath(ROOT), os.fspath(clone)], {})
        user = unprivileged_user(Path(folder))
        targets = [".stamps/dev", ".stamps/kernel", ".stamps/web"]
        run(["make", "--silent", f"PYTHON={find_python(user)}", *targets], user, cwd=clone)
        for name in chosen.scenarios or SCENARIOS:
            results[name] = run_tests(clone, library, user, name, seed, rest)
            print(f"== {name}: {'passed' if results[name] else 'FAILED'}", flush=True)
        print("\nScenario             Result   Seed")
        for name, passed in results.items():
            print(f"{name:20} {'passed' if passed else 'FAILED':8} {seed}", flush=True)
    if not all(results.values()):
        sys.exit(1)


def split_arguments(words: list[str]) -> tuple[list[str], list[str]]:
    """Split arguments for this script from those for pytest, which follow `--`."""
    at = words.index("--") if "--" in words else len(words)
    return words[:at], words[at + 1 :]


def unprivileged_user(folder: Path) -> dict[str, Any]:
    """Give a folder to an ordinary user; return `subprocess` options to act as that user."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(OF_THIS_USER)
    }
    environment["HOME"] = os.fspath(folder)
    options: dict[str, Any] = {"env": environment, "umask": 0o077}
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        for path in (folder, *folder.rglob("*")):
            os.chown(path, nobody.pw_uid, nobody.pw_gid, follow_symlinks=False)
        options |= {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    return options


def find_python(options: dict[str, Any]) -> str:
    """Return a Python that the user may run: the one of root may lie in a closed folder."""
    for program in (Path(sys.base_prefix, "bin", "python3"), "/usr/bin/python3"):
        check = [program, "-c", "import ensurepip, sys; sys.exit(sys.version_info < (3, 11))"]
        try:
            if not subprocess.run(check, **options, cwd="/", check=False).returncode:
                return os.fspath(program)
        except OSError:
            continue
    sys.exit("There is no Python 3.11 or newer that an ordinary user may run.")


def run(command: list[str], options: dict[str, Any], **more: Any) -> None:
    """Run a command as the user; exit if it fails."""
    done = subprocess.run(command, **options, **more, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed with exit code {done.returncode}.")


def run_tests(
    clone: Path, library: Path, user: dict[str, Any], name: str, seed: int, rest: list[str]
) -> bool:
    """Run the tests in one scenario; return whether they passed."""
    scenario = SCENARIOS[name]
    print(f"\n== {name}: {scenario.start} UTC, TZ={scenario.zone}, --shuffle={seed}", flush=True)
    start = datetime.fromisoformat(scenario.start).replace(tzinfo=UTC)
    deselected = [f"--deselect={test}" for test in DISTURBED_BY_FAKETIME]
    command = [
        os.fspath(clone / ".venv/bin/python"), "-m", "pytest", "-q", "-n", "auto",
        "--dist", "worksteal", "--ignore=tests/browser", f"--shuffle={seed}", *deselected, *rest,
    ]  # fmt: skip
    environment = {
        **user["env"],
        "TZ": scenario.zone,
        "LD_PRELOAD": os.fspath(library),
        # An offset, and not a time: every process would start at that time again.
        "FAKETIME": f"{start.timestamp() - time.time():+.0f}s",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    options = {**user, "env": environment, "cwd": clone}
    check_clock(options, start, scenario.zone)
    return not subprocess.run(command, **options, check=False).returncode


def check_clock(options: dict[str, Any], start: datetime, zone: str) -> None:
    """Exit if the processes of a scenario do not have its time and its time zone."""
    python = os.fspath(options["cwd"] / ".venv/bin/python")
    code = "import time; print(time.time(), time.strftime('%z'))"
    done = subprocess.run([python, "-c", code], **options, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"Python does not run with libfaketime:\n{done.stderr}")
    shown, offset = done.stdout.split()
    if abs(float(shown) - start.timestamp()) > MAX_CLOCK_ERROR_S:
        sys.exit(f"libfaketime has no effect: it should be {start}, and {done.args[0]} shows "
                 f"{datetime.fromtimestamp(float(shown), UTC)}.")  # fmt: skip
    try:
        expected = f"{start.astimezone(ZoneInfo(zone)):%z}"
    except ZoneInfoNotFoundError:
        sys.exit(f"The time zone {zone} is unknown here: install the package tzdata of the system.")
    if offset != expected:
        sys.exit(f"TZ={zone} has no effect: the offset should be {expected}, and it is {offset}.")


def copy_libfaketime(folder: Path) -> Path:
    """Copy the library from `requirements/hostile.lock` to where the user may read it."""
    try:
        import libfaketime
    except ImportError:
        sys.exit("libfaketime is missing. Run `make test-hostile`, which installs it.")
    package = Path(libfaketime.__file__).parent
    installed = sorted(package.rglob("libfaketime.so.1"))
    if not installed:
        sys.exit(f"There is no libfaketime.so.1 in {package}: it works on Linux only.")
    copied = Path(shutil.copy(installed[0], folder))
    copied.chmod(0o755)
    return copied


if __name__ == "__main__":
    main()
