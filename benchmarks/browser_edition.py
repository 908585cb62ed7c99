"""The engine in a browser tab: how soon it is ready, and how long its answers take on a page.

The page is served by this machine, so that no time is spent on a network. Cold is the first visit
of an empty profile, warm a later one. Each figure is what the page waits for: the message to the
worker, the work, and the answer. Decisions are taken in the middle of games; the slowest counts.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from dalapapa.edition.logs import GameLog, play_log
from dalapapa.record import EXPLAINED
from tests.support.browser.engine_page import EnginePage, open_engine_page
from tests.support.engine import ask
from tests.support.missing import Missing

from .report import Column, Effort, Row, Rows, Section, format_time

ENGINES = ("chromium", "firefox", "webkit")
VISITS = 3
TURN_GAMES = ("classic", "auction", "conquest", "gone", "72")
QUICK = ("novice", "easy", "medium")
STRONG = ("classic", "conquest", "gone")
EXPERT = ("classic", "conquest")
MOMENTS = (0.35, 0.5, 0.65)
"""The parts of a game after which bots decide."""


DEVICE_GAME = """async (parts) => {
  const began = performance.now();
  const address = (name) => new URL(parts[name], location.href).href;
  const { DeviceTables } = await import(address("device"));
  const start = (name) => () => new Worker(address(name), { type: "module" });
  const device = new DeviceTables(start("tables-worker"), start("worker"));
  const body = { game: "classic", seats: [null, null], host: "Ann", guests: ["Bob"] };
  const { id, token } = await device.request("/tables", { method: "POST", body });
  const ready = performance.now() - began;
  let table;
  let hear = () => {};
  const onMessage = (message) => {
    if (message.type === "table") table = message;
    hear(message);
  };
  const tokens = () => [token];
  const next = (type) => new Promise((resolve) => {
    hear = (message) => message.type === type && resolve();
  });
  const first = next("table");
  const session = device.open(id, { tokens, onMessage, onLost() {}, onEnd() {} });
  await first;
  const moves = [];
  while (table.table.phase === "playing" && moves.length < 60) {
    const seat = table.views["0"].active;
    const { layings, lays, moves: others } = table.may[seat];
    const [offered] = lays ? Object.values(layings).flat() : [];
    const laying = offered && { player: seat, move: "lay", laying: offered.laying };
    const move = laying ?? others.find(({ move }) => move !== "undo");
    const asked = performance.now();
    const accepted = next("accepted");
    session.say({ type: "move", id: `${moves.length}`, move });
    await accepted;
    moves.push(performance.now() - asked);
  }
  return { ready, moves };
}"""
"""Two people play at a table of the device: until a move is stored, and all have its state."""

THINKING_GAME = """async (parts) => {
  const address = (name) => new URL(parts[name], location.href).href;
  const { DeviceTables } = await import(address("device"));
  const start = (name) => () => new Worker(address(name), { type: "module" });
  const device = new DeviceTables(start("tables-worker"), start("worker"));
  const body = { game: "classic", seats: [null, "expert"], host: "Ann", pace: 0 };
  const { id, token } = await device.request("/tables", { method: "POST", body });
  const [frames, answers] = [[], []];
  let table;
  let hear = () => {};
  const onMessage = (message) => {
    if (message.type === "table") table = message;
    hear(message);
  };
  const next = (type) => new Promise((resolve) => {
    hear = (message) => message.type === type && resolve();
  });
  const first = next("table");
  const session = device.open(id, { tokens: () => [token], onMessage, onLost() {}, onEnd() {} });
  await first;
  const thinks = () => table.table.phase === "playing" && !table.acting.includes(0);
  let isOver = false;
  let last = performance.now();
  const look = (now) => {
    if (thinks()) frames.push(now - last);
    last = now;
    if (!isOver) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  const ask = async () => {
    while (!isOver) {
      const [asked, counts] = [performance.now(), thinks()];
      await device.request(`/tables/${id}`);
      if (counts) answers.push(performance.now() - asked);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const asking = ask();
  for (let move = 0; move < 16 && table.table.phase === "playing"; move++) {
    while (thinks()) await next("table");
    const { layings, lays, moves } = table.may[0];
    const [offered] = lays ? Object.values(layings).flat() : [];
    const laying = offered && { player: 0, move: "lay", laying: offered.laying };
    const accepted = next("accepted");
    const chosen = laying ?? moves.find(({ move }) => move !== "undo");
    session.say({ type: "move", id: `${move}`, move: chosen });
    await accepted;
  }
  isOver = true;
  await asking;
  return { frames, answers };
}"""
"""A person plays against an expert: the page's frames and its other questions meanwhile."""


def measure(effort: Effort) -> Rows:
    del effort  # Each figure is of a fixed number of answers.
    rows: Rows = {}
    for name in ENGINES:
        with tempfile.TemporaryDirectory() as folder:
            try:
                with open_engine_page(name, Path(folder)) as page:
                    rows[name] = measure_page(page)
            except Missing as missing:
                print(missing, file=sys.stderr)
    return rows


def measure_page(page: EnginePage) -> Row:
    page.ask("describe")
    row: Row = {"cold": page.ms / 1000, "warm": measure_warm_start(page)}
    record = play_natively("classic")
    row["human"] = measure_moves(page, record)
    row["quick"] = max(measure_decisions(page, TURN_GAMES, QUICK))
    row["strong"] = max(measure_decisions(page, STRONG, ("strong",)))
    row["expert"] = max(measure_decisions(page, EXPERT, ("expert",)))
    device = page.driver.run(DEVICE_GAME, page.parts)
    row["device"] = device["ready"] / 1000
    row["device_move"] = statistics.quantiles(device["moves"], n=20)[-1] / 1000
    beside = page.driver.run(THINKING_GAME, page.parts)
    row["frames"] = statistics.quantiles(beside["frames"], n=20)[-1] / 1000
    row["beside"] = statistics.quantiles(beside["answers"], n=20)[-1] / 1000
    page.ask("review", record=record)
    row["review"] = page.ms / 1000
    row["memory"] = page.driver.run("() => engine.heapBytes")
    return row


def measure_warm_start(page: EnginePage) -> float:
    times = []
    for _ in range(VISITS):
        page.open()
        page.ask("describe")
        times.append(page.ms / 1000)
    return statistics.median(times)


def measure_moves(page: EnginePage, record: str) -> float:
    """The time until a person's move and the view after it are there: 95% are faster."""
    log, moves = read_log(record)
    times = []
    for move in moves:
        log = page.ask("play", log=log, move=move)["log"]
        spent = page.ms
        page.ask("view", log=log, seat=0)
        times.append((spent + page.ms) / 1000)
    return statistics.quantiles(times, n=20)[-1]


def measure_decisions(
    page: EnginePage, games: tuple[str, ...], bots: tuple[str, ...]
) -> Iterator[float]:
    """The times of decisions of bots in the middle of games."""
    for game in games:
        log, moves = read_log(play_natively(game))
        for part in MOMENTS:
            so_far = {**log, "moves": moves[: int(part * len(moves))]}
            (seat, *_) = play_log(msgspec.convert(so_far, GameLog)).to_act
            page.ask("view", log=so_far, seat=seat)  # The engine has seen the moves before.
            for bot in bots:
                page.ask("choose", log=so_far, seat=seat, bot=bot)
                yield page.ms / 1000


def play_natively(game: str) -> str:
    record: str = ask("simulate", game=game, players=["medium", "medium"], seed="benchmark")
    return record


def read_log(record: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The log of a recorded game between people, without its moves, and the moves."""
    written = json.loads(record)
    people = [f"player {seat + 1}" for seat in range(len(written["players"]))]
    moves = [
        {key: value for key, value in move.items() if key not in EXPLAINED}
        for move in written["moves"]
    ]
    log = {name: written[name] for name in ("game", "seed", "options")}
    return {**log, "players": people}, moves


def time_column(title: str, key: str) -> Column:
    return Column(title, lambda row: format_time(row[key]))


COLD = time_column("ready cold", "cold")
SECTION = Section(
    "The engine in a browser tab",
    (
        COLD,
        time_column("warm", "warm"),
        time_column("move p95", "human"),
        time_column("table ready", "device"),
        time_column("its moves p95", "device_move"),
        time_column("novice to medium", "quick"),
        time_column("strong", "strong"),
        time_column("expert", "expert"),
        time_column("frames beside it p95", "frames"),
        time_column("answers beside it p95", "beside"),
        time_column("review", "review"),
        Column("memory", lambda row: f"{row['memory'] / 1e6:.0f} MB"),
    ),
    COLD,
    measure,
)
