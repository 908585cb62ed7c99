"""Frames of the browser client: a table is panned and zoomed in a real Chromium, by real events.

A table with one domino is measured in the same run: a browser without a screen or a graphics card
draws by itself, and has a floor of its own. A frame is what Chromium tells in its trace
(`PipelineReporter`: presented, or dropped because it came too late); work is what the page's main
thread did for it.
"""

from __future__ import annotations

import importlib
import itertools
import json
import math
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from dalapapa.table import Table
from dalapapa.tiles import standard

from .report import Column, Effort, Row, Rows, Section, in_time
from .server import processes

FRAME = 1 / 60
DOMINOES = 120
CATEGORIES = (
    "disabled-by-default-devtools.timeline",  # RunTask
    "disabled-by-default-devtools.timeline.frame",
)
SCREEN = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}


def position(seed: str) -> str:
    """All dominoes in one figure, laid at random; `_` stands for a blank, as in links."""
    chance = random.Random(seed)
    table = Table(standard())
    waiting = list(standard().names)
    while waiting:
        chance.shuffle(waiting)
        for name in list(waiting):
            if legal := table.legal(name):
                table.lay(chance.choice(legal))
                waiting.remove(name)
    return "_".join(map(str, table.layings))


def gesture(page: Any, seconds: float) -> None:
    """Pan in circles, and zoom in and out, in turns."""
    box = page.locator(".board").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    reach = min(box["width"], box["height"]) / 5
    until = time.perf_counter() + seconds
    for lap in itertools.count():
        page.mouse.move(x, y)
        page.mouse.down()
        for step in range(40):
            angle = 2 * math.pi * step / 40
            page.mouse.move(x + reach * math.sin(angle), y + reach * (1 - math.cos(angle)) / 2)
        page.mouse.up()
        for step in range(20):
            page.mouse.wheel(0, (-1) ** (lap + step // 10) * 60)
        if time.perf_counter() >= until:
            return


def traced(browser: Any, page: Any, seconds: float) -> list[dict[str, Any]]:
    """Chromium's trace of a gesture."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "trace.json")
        browser.start_tracing(page=page, path=path, categories=list(CATEGORIES))
        gesture(page, seconds)
        browser.stop_tracing()
        found: list[dict[str, Any]] = json.loads(path.read_text())["traceEvents"]
        return found


def frames(events: list[dict[str, Any]]) -> Row:
    """How long frames took, in seconds, and how many were too late."""
    # The compositor that draws most is the page's; others belong to the browser itself.
    shown: dict[int, list[float]] = {}
    dropped: dict[int, int] = {}
    states: dict[Any, str] = {}
    for event in sorted(events, key=lambda event: float(event.get("ts", 0))):
        if event["name"] != "PipelineReporter":
            continue
        process, frame = event["pid"], (event["pid"], event["id2"]["local"])
        if event["ph"] == "b":
            states[frame] = event["args"]["frame_reporter"]["state"]
        elif event["ph"] == "e" and (state := states.pop(frame, "")):
            if state.startswith("STATE_PRESENTED"):
                shown.setdefault(process, []).append(event["ts"] / 1e6)
            elif state == "STATE_DROPPED":
                dropped[process] = dropped.get(process, 0) + 1
    page = max(shown, key=lambda one: len(shown[one]))
    times = sorted(shown[page])
    between = sorted(b - a for a, b in itertools.pairwise(times))
    return {
        "frames": len(times) / (times[-1] - times[0]),
        "p50": at(between, 0.5),
        "p95": at(between, 0.95),
        "p99": at(between, 0.99),
        "late": sum(one > 1.5 * FRAME for one in between) / len(between),
        "dropped": dropped.get(page, 0) / (len(times) + dropped.get(page, 0)),
        **work([event for event in events if event["pid"] == page]),
    }


def work(events: list[dict[str, Any]]) -> Row:
    """What the main thread of a page did from one frame to the next, in seconds."""
    starts = [event for event in events if event["name"] == "BeginMainThreadFrame"]
    thread = starts[0]["tid"]
    begun = sorted(event["ts"] for event in starts)
    spent = [0.0] * len(begun)
    number = 0
    tasks = sorted(
        (event["ts"], event.get("dur", 0))
        for event in events
        if event["tid"] == thread and event["name"] == "RunTask"
    )
    for start, duration in tasks:
        while number + 1 < len(begun) and begun[number + 1] <= start + duration:
            number += 1
        spent[number] += duration / 1e6
    spent.sort()
    return {"work p95": at(spent, 0.95), "busy": sum(one > FRAME for one in spent) / len(spent)}


def at(ordered: list[float], part: float) -> float:
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def measure(effort: Effort) -> Rows:
    sys.path[:0] = [os.fspath(Path(__file__).parents[1] / "tests" / "browser")]
    chromium = importlib.import_module("chromium")
    sync_api = importlib.import_module("playwright.sync_api")
    full = position("120 dominoes")
    one = full.split("_")[0]
    lines: dict[str, tuple[str, dict[str, Any]]] = {
        "Table: one domino": (one, {}),
        f"Table: {DOMINOES} dominoes": (full, {}),
        f"Table: {DOMINOES} dominoes with symbols": (full, {"symbols": True}),
        "Telephone: one domino": (one, {"phone": True}),
        f"Telephone: {DOMINOES} dominoes": (full, {"phone": True}),
    }
    rows: Rows = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        processes(f"sqlite:///{folder}/tables.db", 1) as [server],
        sync_api.sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=chromium.find(), args=chromium.ARGUMENTS
        )
        for name, (text, look) in lines.items():
            memory = [{"name": "dalapapa.setting.symbols", "value": "true"}]
            context = browser.new_context(
                base_url=server.url,
                viewport=PHONE if "phone" in look else SCREEN,
                storage_state={
                    "cookies": [],
                    "origins": [
                        {
                            "origin": server.url,
                            "localStorage": memory if "symbols" in look else [],
                        }
                    ],
                },
                service_workers="block",
            )
            page = context.new_page()
            page.goto(f"/analysis#p={text}")
            page.locator(".board").first.wait_for()
            page.locator(".board .domino").nth(text.count("_")).wait_for(state="attached")
            page.wait_for_load_state("networkidle")
            gesture(page, effort.seconds / 4)  # What is made once is made now.
            rows[name] = frames(traced(browser, page, 2 * effort.seconds))
            context.close()
        browser.close()
    return rows


def share(part: float) -> str:
    return f"{100 * part:.1f} %"


P95 = Column("p95", lambda row: in_time(row["p95"]))
SECTION = Section(
    "Browser client: panned and zoomed in Chromium",
    (
        Column("frames a second", lambda row: f"{row['frames']:.0f}"),
        Column("p50", lambda row: in_time(row["p50"])),
        P95,
        Column("p99", lambda row: in_time(row["p99"])),
        Column("late", lambda row: share(row["late"])),
        Column("dropped", lambda row: share(row["dropped"])),
        Column("work p95", lambda row: in_time(row["work p95"])),
        Column("work > 16.7 ms", lambda row: share(row["busy"])),
    ),
    P95,
    measure,
)
