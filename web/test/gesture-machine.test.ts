/** What pointers do to a domino, state by state. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type GestureEvent, type GestureState, pointAt, transition } from "../src/state/gesture-machine.ts";

const far = { type: "move", distance: 20, isScroll: false } as const;
const swipe = { type: "move", distance: 80, isScroll: true } as const;

const BEGINNINGS = {
  pointing: pointAt("domino"),
  dragging: { name: "dragging" },
  turning: { name: "turning", on: "domino", isGesture: false },
  landing: { name: "landing" },
  idle: { name: "idle" },
} satisfies Record<string, GestureState>;
type Beginning = keyof typeof BEGINNINGS;

/** The states that follow from events, and what is to be done. */
function run(from: Beginning, ...events: GestureEvent[]): { states: string[]; commands: string[] } {
  let state: GestureState = BEGINNINGS[from];
  const [states, commands]: [string[], string[]] = [[], []];
  for (const event of events) {
    const next = transition(state, event);
    state = next.state;
    states.push(state.name);
    commands.push(...next.commands.map((one) => (one.do === "turn" ? `turn ${one.step}` : one.do)));
  }
  return { states, commands };
}

const release = (isKnown: boolean, isOnTable: boolean) => ({ type: "release", isKnown, isOnTable }) as const;

test("a press that goes far is a drag; one that does not is a click", () => {
  assert.deepEqual(run("pointing", far, far), { states: ["dragging", "dragging"], commands: ["begin", "follow"] });
  assert.deepEqual(run("pointing", near, release(true, false)), { states: ["pointing", "idle"], commands: ["end"] });
});

test("a swipe in the hand scrolls, and no domino is discarded when the browser takes the pointer", () => {
  const { states, commands } = run("pointing", swipe, swipe, { type: "abandon" });
  assert.deepEqual(states, ["pointing", "pointing", "idle"]);
  assert.deepEqual(commands, ["end"], "nothing is begun, released or sent back");
});

test("a finger that rests drags, even where it may scroll", () => {
  assert.deepEqual(run("pointing", { type: "rest" }, swipe).commands, ["begin", "follow"]);
});

test("a second finger that taps turns once", () => {
  const { states, commands } = run("dragging", { type: "finger-down" }, { type: "finger-up", isTap: true });
  assert.deepEqual([states, commands], [["turning", "dragging"], ["turn 1"]]);
});

test("a second finger that has turned does not turn again when it is lifted nearby", () => {
  const twist = { type: "twist", step: 1, isGesture: true } as const;
  const { states, commands } = run("dragging", { type: "finger-down" }, twist, { type: "finger-up", isTap: true });
  assert.deepEqual([states, commands], [["turning", "turning", "dragging"], ["turn 1"]]);
});

test("nor does one that has zoomed, or that was lost", () => {
  const zoom = { type: "twist", step: 0, isGesture: true } as const;
  const tap = { type: "finger-up", isTap: true } as const;
  assert.deepEqual(run("dragging", { type: "finger-down" }, zoom, still, tap).commands, []);
  assert.deepEqual(run("dragging", { type: "finger-down" }, { type: "finger-up", isTap: false }).commands, []);
});

test("wheel and other button turn, with a second finger down or not", () => {
  const turn = { type: "turn", step: -1 } as const;
  assert.deepEqual(run("dragging", turn, { type: "finger-down" }, turn).commands, ["turn -1", "turn -1"]);
  assert.deepEqual(run("pointing", turn).commands, []);
});

test("a domino that is let go lands at once, unless it is not known yet where it fits", () => {
  for (const from of ["dragging", "turning"] as const) {
    assert.deepEqual(run(from, release(true, true)), { states: ["idle"], commands: ["land"] });
    assert.deepEqual(run(from, release(false, false)), { states: ["idle"], commands: ["land"] });
    const waiting = run(from, release(false, true), far, { type: "known" });
    assert.deepEqual(waiting, { states: ["landing", "landing", "idle"], commands: ["wait", "land"] });
  }
});

test("what is abandoned goes back, once", () => {
  for (const from of ["dragging", "turning", "landing"] as const)
    assert.deepEqual(run(from, { type: "abandon" }, { type: "abandon" }, { type: "known" }), {
      states: ["idle", "idle", "idle"],
      commands: ["return"],
    });
});

// -- on the table ------------------------------------------------------------------------------------

const press = { type: "press", on: "table" } as const;
const near = { type: "move", distance: 8, isScroll: false } as const;
const still = { type: "twist", step: 0, isGesture: false } as const;
const quarter = { type: "twist", step: 1, isGesture: true } as const;
const down = { type: "finger-down" } as const;
const up = { type: "finger-up", isTap: false } as const;
const lift = { type: "lift" } as const;

test("on the table, a press is a click, and one that goes far moves the table", () => {
  assert.deepEqual(run("idle", press, near, lift), { states: ["pointing", "pointing", "idle"], commands: ["click"] });
  const { states, commands } = run("idle", press, near, far, far, lift);
  assert.deepEqual(states, ["pointing", "pointing", "panning", "panning", "idle"]);
  assert.deepEqual(commands, ["pan", "pan", "settle"], "no click");
});

test("a finger that rests looks at a group, and does not click", () => {
  assert.deepEqual(run("idle", press, { type: "rest" }, lift).commands, ["look", "settle"]);
  assert.deepEqual(run("idle", press, { type: "rest" }, far, lift).commands, ["look", "pan", "settle"]);
});

test("two fingers zoom; the one that stays moves the table on", () => {
  const { states, commands } = run("idle", press, down, still, far, near, up, far, lift);
  assert.deepEqual(states.slice(1), ["pinching", "pinching", "pinching", "pinching", "panning", "panning", "idle"]);
  assert.deepEqual(commands, ["pinch", "pinch", "pan", "settle"]);
});

test("a second finger that touched by mistake leaves the click to the first one", () => {
  assert.deepEqual(run("idle", press, down, near, up, lift).commands, ["pinch", "click"]);
});

test("a quarter turn of two fingers turns once: lifting them is no click", () => {
  const { states, commands } = run("idle", press, down, still, quarter, far, near, up, near, lift);
  assert.equal(states.indexOf("turning"), 3);
  assert.deepEqual(states.slice(3), [...Array(5).fill("turning"), "idle"]);
  assert.deepEqual(commands, ["turn 1", "settle"], "neither zoom nor pan nor click");
});

test("the wheel moves the table or turns, also while the table is moved by hand", () => {
  const [scroll, turn] = [{ type: "scroll" }, { type: "turn", step: -1 }] as const;
  assert.deepEqual(run("idle", scroll, turn), { states: ["idle", "idle"], commands: ["scroll", "settle", "turn -1"] });
  assert.deepEqual(run("idle", press, scroll, far, scroll, lift).commands, ["scroll", "pan", "scroll", "settle"]);
  assert.deepEqual(
    run("idle", press, down, quarter, scroll, turn, lift).commands,
    ["turn 1", "settle"],
    "but for twists",
  );
});

test("a lost pointer ends each gesture of the table without a click", () => {
  for (const events of [[press], [press, far], [press, down], [press, down, quarter]]) {
    const { states, commands } = run("idle", ...events, { type: "abandon" }, lift);
    assert.deepEqual([states.at(-1), commands.at(-1)], ["idle", "settle"]);
  }
});
