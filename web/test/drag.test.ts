/** What pointers do to a domino, state by state. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type DragEvent, type DragState, transition } from "../src/state/drag.ts";

const far = { type: "move", distance: 20, isScroll: false } as const;
const swipe = { type: "move", distance: 80, isScroll: true } as const;

/** The states that follow from events, and what is to be done. */
function run(from: DragState["name"], ...events: DragEvent[]): { states: string[]; commands: string[] } {
  let state = (from === "turning" ? { name: from, isGesture: false } : { name: from }) as DragState;
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
  const near = { type: "move", distance: 8, isScroll: false } as const;
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
  const still = { type: "twist", step: 0, isGesture: false } as const;
  const up = { type: "finger-up", isTap: true } as const;
  assert.deepEqual(run("dragging", { type: "finger-down" }, zoom, still, up).commands, []);
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
