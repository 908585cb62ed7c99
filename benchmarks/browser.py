"""Frames of the browser client: a table is panned and zoomed in a real Chromium, by real events.

A mouse or fingers move steadily, 125 times a second, whether the page keeps up or not. In the same
run, a square is moved on an otherwise empty page: a browser without a screen or a graphics card
draws by itself, and has a floor of its own. A frame is what Chromium reports in its trace
(`PipelineReporter`: presented with all that the page has changed, or dropped because it came too
late); work is the processor's time that the page's main thread took for it.
"""

from __future__ import annotations

import asyncio
import importlib
import itertools
import json
import math
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dalapapa.core.tiles import standard
from dalapapa.kernel.table import Table

from .report import Column, Effort, Row, Rows, Section, format_time
from .server import processes

FRAME = 1 / 60
DOMINOES = 120
CATEGORIES = (
    "disabled-by-default-devtools.timeline",  # RunTask
    "disabled-by-default-devtools.timeline.frame",
)
SCREEN = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}
BEAT = 1 / 125
"""Seconds between two reports of a mouse."""
LAP = 120
"""Reports of one gesture: a circle, or zooming in and out."""

Event = tuple[str, dict[str, Any]]
"""An event of a hand: a method of Chromium's protocol and its parameters."""

FLOOR = """<title>Floor</title>
<body style="margin: 0; height: 100vh; touch-action: none">
<div style="width: 40vw; height: 40vw; background: teal; will-change: transform"></div>
<script>
  const square = document.querySelector("div");
  const lies = { x: 0, y: 0, scale: 1 };
  const draw = () =>
    (square.style.transform = `translate(${lies.x}px, ${lies.y}px) scale(${lies.scale})`);
  addEventListener("pointermove", (event) => {
    if (!event.buttons) return;
    [lies.x, lies.y] = [event.clientX / 2, event.clientY / 2];
    draw();
  });
  addEventListener("wheel", (event) => {
    event.preventDefault();
    lies.scale *= Math.exp(-event.deltaY * 0.0015);
    draw();
  }, { passive: false });
</script>"""


def position(seed: str) -> str:
    """All dominoes in one figure, laid at random; `_` stands for a blank, as in links."""
    rng = random.Random(seed)
    table = Table(standard())
    waiting = list(standard().names)
    while waiting:
        rng.shuffle(waiting)
        for name in list(waiting):
            if legal := table.legal(name):
                table.lay(rng.choice(legal))
                waiting.remove(name)
    return "_".join(map(str, table.layings))


def circle(x: float, y: float, reach: float) -> Iterator[tuple[float, float]]:
    for step in range(LAP):
        angle = 2 * math.pi * step / LAP
        yield x + reach * math.sin(angle), y + reach * (1 - math.cos(angle)) / 2


def mouse(x: float, y: float, reach: float) -> Iterator[Event]:
    """Pan in a circle, then turn the wheel there and back."""

    def event(type: str, x: float, y: float, **more: Any) -> Event:
        return "Input.dispatchMouseEvent", {"type": type, "x": x, "y": y, **more}

    held: dict[str, Any] = {"button": "left", "buttons": 1, "clickCount": 1}
    yield event("mousePressed", x, y, **held)
    for at in circle(x, y, reach):
        yield event("mouseMoved", *at, **held)
    yield event("mouseReleased", x, y, button="left", clickCount=1)
    for step in range(LAP):
        yield event("mouseWheel", x, y, deltaX=0, deltaY=-12 if step < LAP / 2 else 12)


def fingers(x: float, y: float, reach: float) -> Iterator[Event]:
    """Pan in a circle with one, then pinch with two."""

    def event(type: str, *points: tuple[float, float]) -> Event:
        touches = [{"x": x, "y": y, "id": id} for id, (x, y) in enumerate(points)]
        return "Input.dispatchTouchEvent", {"type": type, "touchPoints": touches}

    def pinch(x: float, y: float, far: float) -> tuple[tuple[float, float], tuple[float, float]]:
        return (x - far, y), (x + far, y)

    yield event("touchStart", (x, y))
    for at in circle(x, y, reach):
        yield event("touchMove", at)
    yield event("touchEnd")
    yield event("touchStart", *pinch(x, y, reach / 2))
    for step in range(LAP):
        part = math.sin(math.pi * step / LAP)
        yield event("touchMove", *pinch(x, y, reach * (1 + part) / 2))
    yield event("touchEnd")


async def repeat_steadily(session: Any, events: Iterator[Event]) -> None:
    """Tell one event at each beat, without waiting for the page."""
    began = time.perf_counter()
    sends = []
    for number, (method, parameters) in enumerate(events):
        await asyncio.sleep(began + number * BEAT - time.perf_counter())
        sends.append(asyncio.create_task(session.send(method, parameters)))
    await asyncio.gather(*sends)


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
            if state == "STATE_PRESENTED_ALL":
                shown.setdefault(process, []).append(event["ts"] / 1e6)
            elif state == "STATE_DROPPED":
                dropped[process] = dropped.get(process, 0) + 1
    page = max(shown, key=lambda one: len(shown[one]))
    times = sorted(shown[page])
    between = sorted(b - a for a, b in itertools.pairwise(times))
    return {
        "frames": len(times) / (times[-1] - times[0]),
        "p95": at(between, 0.95),
        "p99": at(between, 0.99),
        "late": sum(one > 1.5 * FRAME for one in between) / len(between),
        "dropped": dropped.get(page, 0) / (len(times) + dropped.get(page, 0)),
        **work([event for event in events if event["pid"] == page]),
    }


def work(events: list[dict[str, Any]]) -> Row:
    """The processor's time that the main thread took from frame to frame, in seconds."""
    starts = [event for event in events if event["name"] == "BeginMainThreadFrame"]
    thread = starts[0]["tid"]
    begun = sorted(event["ts"] for event in starts)
    spent = [0.0] * len(begun)
    number = 0
    tasks = sorted(
        (event["ts"], event.get("dur", 0), event.get("tdur", 0))
        for event in events
        if event["tid"] == thread and event["name"] == "RunTask"
    )
    for start, duration, taken in tasks:
        while number + 1 < len(begun) and begun[number + 1] <= start + duration:
            number += 1
        spent[number] += taken / 1e6
    spent.sort()
    return {"work p95": at(spent, 0.95), "busy": sum(one > FRAME for one in spent) / len(spent)}


def at(ordered: list[float], part: float) -> float:
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def measure(effort: Effort) -> Rows:
    with (
        tempfile.TemporaryDirectory() as folder,
        processes(f"sqlite:///{folder}/tables.db", 1) as [server],
    ):
        return asyncio.run(measure_pages(server.url, effort.seconds))


async def measure_pages(url: str, seconds: float) -> Rows:
    from tests.support.browser import programs

    playwright = importlib.import_module("playwright.async_api")
    full = position("120 dominoes")
    one = full.split("_")[0]
    screen: dict[str, Any] = {"viewport": SCREEN}
    phone: dict[str, Any] = {"viewport": PHONE, "has_touch": True}
    symbols: dict[str, Any] = {
        "storage_state": {
            "cookies": [],
            "origins": [
                {
                    "origin": url,
                    "localStorage": [{"name": "dalapapa.setting.symbols", "value": "true"}],
                }
            ],
        }
    }
    lines: dict[str, tuple[str, dict[str, Any]]] = {
        "Mouse: a square": ("", screen),
        "Mouse: one domino": (one, screen),
        f"Mouse: {DOMINOES} dominoes": (full, screen),
        f"Mouse: {DOMINOES} with symbols": (full, screen | symbols),
        "Fingers: a square": ("", phone),
        "Fingers: one domino": (one, phone),
        f"Fingers: {DOMINOES} dominoes": (full, phone),
    }
    rows: Rows = {}
    async with playwright.async_playwright() as started:
        browser = await started.chromium.launch(
            executable_path=programs.find_chromium(), args=programs.CHROMIUM_ARGUMENTS
        )
        for name, (text, look) in lines.items():
            context = await browser.new_context(base_url=url, service_workers="block", **look)
            page = await context.new_page()
            await prepare(page, text)
            rows[name] = frames(await trace_gestures(browser, page, look is phone, seconds))
            await context.close()
        await browser.close()
    return rows


async def prepare(page: Any, text: str) -> None:
    """Show a position, or the square without one."""
    if not text:
        await page.set_content(FLOOR)
        return
    await page.goto(f"/analysis#p={text}")
    await page.locator(".board .domino").nth(text.count("_")).wait_for(state="attached")
    await page.wait_for_load_state("networkidle")


async def trace_gestures(
    browser: Any, page: Any, touch: bool, seconds: float
) -> list[dict[str, Any]]:
    """Chromium's trace of gestures that take twice so many seconds."""
    session = await page.context.new_cdp_session(page)
    box = await page.locator(".board, body").last.bounding_box()
    width, height = box["width"], box["height"]
    where = (box["x"] + width / 2, box["y"] + height / 2, min(width, height) / 5)
    hand = fingers if touch else mouse
    await repeat_steadily(session, hand(*where))  # What is made once is made now.
    laps = math.ceil(seconds / (LAP * BEAT))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "trace.json")
        await browser.start_tracing(page=page, path=path, categories=list(CATEGORIES))
        await repeat_steadily(
            session, itertools.chain.from_iterable(hand(*where) for _ in range(laps))
        )
        await browser.stop_tracing()
        found: list[dict[str, Any]] = json.loads(path.read_text())["traceEvents"]
        return found


def share(part: float) -> str:
    return f"{100 * part:.1f} %"


P95 = Column("p95", lambda row: format_time(row["p95"]))
SECTION = Section(
    "Browser client: panned and zoomed in Chromium",
    (
        Column("frames a second", lambda row: f"{row['frames']:.1f}"),
        P95,
        Column("p99", lambda row: format_time(row["p99"])),
        Column("late (> 25 ms)", lambda row: share(row["late"])),
        Column("dropped", lambda row: share(row["dropped"])),
        Column("work p95", lambda row: format_time(row["work p95"])),
        Column("work > 16.7 ms", lambda row: share(row["busy"])),
    ),
    P95,
    measure,
)
