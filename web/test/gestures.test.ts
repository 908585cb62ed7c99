import assert from "node:assert/strict";
import { test } from "node:test";
import { Notches, Twist } from "../src/state/gestures.ts";

const wheel = (deltaY: number, deltaMode = 0) => ({ deltaY, deltaMode });

test("one notch of a wheel is one turn, either way, in pixels or in lines", () => {
  const notches = new Notches();
  assert.deepEqual(
    [100, 100, -120, -100].map((delta, i) => notches.add(wheel(delta), 200 * i)),
    [1, 1, -1, -1],
  );
  assert.deepEqual(
    [3, -3].map((delta, i) => new Notches().add(wheel(delta, 1), 500 * i)),
    [1, -1],
  );
});

test("a trackpad adds up, forgets after a pause, and a fling is no whirl", () => {
  const notches = new Notches();
  const slow = Array.from({ length: 12 }, (_, i) => notches.add(wheel(10), 20 * i));
  assert.equal(slow.filter(Boolean).length, 2);
  assert.equal(notches.add(wheel(40), 2000), 0);
  assert.equal(notches.add(wheel(40), 3000), 0);
  assert.equal(notches.add(wheel(-40), 3010), 0, "another direction starts again");
  const fling = Array.from({ length: 10 }, (_, i) => new Notches().add(wheel(0), i));
  assert.deepEqual(new Set(fling), new Set([0]));
  const quick = new Notches();
  assert.equal(Array.from({ length: 10 }, (_, i) => quick.add(wheel(60), 8 * i)).filter(Boolean).length, 1);
  assert.equal(quick.add(wheel(-60), 90), -1, "who turns back at once means it");
});

/** Two fingers about a middle, at an angle in degrees. */
function fingers(degrees: number, apart = 100) {
  const [x, y] = [(Math.cos((degrees * Math.PI) / 180) * apart) / 2, (Math.sin((degrees * Math.PI) / 180) * apart) / 2];
  return [
    { x: 200 - x, y: 200 - y },
    { x: 200 + x, y: 200 + y },
  ] as const;
}

/** The turns that two fingers make on their way through some angles, in degrees. */
function turns(...angles: number[]) {
  const twist = new Twist(...fingers(angles[0]!));
  let [sum, at] = [0, angles[0]!];
  for (const goal of angles.slice(1)) {
    for (; at !== goal; at += Math.sign(goal - at)) sum += twist.move(...fingers(at));
    sum += twist.move(...fingers(goal));
  }
  return sum;
}

test("a quarter turn of two fingers is one turn, both ways, from any angle", () => {
  for (const start of [0, 30, 170, 350]) {
    for (const [degrees, count] of [
      [30, 0],
      [60, 1],
      [90, 1],
      [120, 1],
      [180, 2],
      [270, 3],
      [360, 4],
    ] as const) {
      assert.equal(turns(start, start + degrees), count, `${degrees} degrees from ${start}`);
      assert.equal(turns(start, start - degrees) + 0, 0 - count, `${-degrees} degrees from ${start}`);
    }
  }
});

test("fingers that turn back undo their turns, and those that tremble do not turn to and fro", () => {
  assert.equal(turns(0, 90, 0), 0);
  assert.equal(turns(0, 180, 0), 0);
  assert.equal(turns(0, 90, -90), -1);
  assert.equal(turns(0, 42, 36, 44, 38, 42), 1);
  assert.equal(turns(0, 132, 126, 134), 2);
});

test("who zooms does not turn, and who turns does not zoom", () => {
  const zoom = new Twist(...fingers(0));
  assert.equal(zoom.move(...fingers(5, 150)), 0);
  assert.equal(zoom.kind, "zoom");
  assert.equal(zoom.move(...fingers(90, 150)), 0);
  const turn = new Twist(...fingers(0));
  assert.equal(turn.move(...fingers(45)), 1);
  turn.move(...fingers(50, 300));
  assert.equal(turn.kind, "turn");
});
