import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { parseLaying, printLaying } from "../src/geometry.ts";
import { Lesson } from "../src/lesson/lesson.ts";
import { LESSON_STEPS } from "../src/lesson/steps.ts";
import type { Scored } from "../src/net/api.ts";

const scored = (laying: string, contacts: number, points = contacts): Scored => ({
  laying,
  contacts,
  disc_points: points,
  groups: [],
  group_points: 0,
  points,
});
const number = (name: string) => LESSON_STEPS.findIndex((step) => step.name === name);
const hand = (name: string) => LESSON_STEPS[number(name)]!.hand;

let asked: { position: string; tiles: string[] }[] = [];
let legal: Record<string, Scored[]> = {};
let online = true;
let lesson: Lesson;

async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
}

async function begin(name: string, answer: Record<string, Scored[]>): Promise<void> {
  legal = answer;
  lesson.begin(number(name));
  await settle();
}

async function lay(laying: string): Promise<void> {
  lesson.lay(parseLaying(laying));
  await settle();
}

beforeEach(() => {
  asked = [];
  legal = {};
  online = true;
  globalThis.fetch = (async (_: string, { body }: any) => {
    if (!online) throw new TypeError("no network");
    const question = JSON.parse(body);
    asked.push(question);
    return {
      ok: true,
      json: async () => Object.fromEntries(question.tiles.map((tile: string) => [tile, legal[tile] ?? []])),
    };
  }) as unknown as typeof fetch;
  lesson = new Lesson();
});

afterEach(() => lesson.close());

test("a laying that is not enough can be taken back; one that is ends the step", async () => {
  const [tile] = hand("discs");
  await begin("discs", { [tile!]: [scored(`${tile}-2@2,1`, 3, 4), scored(`${tile}-2@-1,0`, 1)] });
  await lay(`${tile}-2@-1,0`);
  assert.equal(lesson.poor.value, true);
  assert.equal(lesson.done.value, false);
  assert.deepEqual(lesson.placer.hand.value, []);
  await lesson.move({ move: "undo" });
  await settle();
  assert.equal(lesson.poor.value, false);
  assert.deepEqual(lesson.placer.hand.value, [tile]);
  await lay(`${tile}-2@2,1`);
  assert.equal(lesson.done.value, true);
  assert.equal(lesson.points.value, 4);
  assert.equal(lesson.view.value.can_undo, false);
});

test("the mistake lies there already and is taken back first", async () => {
  const [tile] = hand("undo");
  await begin("undo", { [tile!]: [scored(`${tile}-3@1,2`, 3, 4)] });
  assert.equal(lesson.staged.value.length, 1);
  assert.equal(lesson.corrected.value, false);
  await lesson.move({ move: "undo" });
  await settle();
  assert.equal(lesson.corrected.value, true);
  await lay(`${tile}-3@1,2`);
  assert.equal(lesson.done.value, true);
});

test("two dominoes: the second costs four, and the turn is ended by hand", async () => {
  const [first, second] = hand("both");
  await begin("both", { [first!]: [scored(`${first}+2@-1,-2`, 3, 12)], [second!]: [scored(`${second}+2@-2,0`, 2, 8)] });
  await lay(`${first}+2@-1,-2`);
  assert.deepEqual(asked.at(-1)!.tiles, [second]);
  assert.ok(asked.at(-1)!.position.endsWith(` ${first}+2@-1,-2`));
  assert.equal(lesson.placer.charge.value, 4);
  assert.equal(lesson.may("end"), false);
  await lay(`${second}+2@-2,0`);
  assert.equal(lesson.points.value, 16);
  assert.equal(lesson.done.value, false);
  assert.equal(lesson.may("end"), true);
  await lesson.move({ move: "end" });
  assert.equal(lesson.done.value, true);
});

test("a hint shows a laying that is enough, even if another one earns more", async () => {
  const [tile] = hand("over");
  await begin("over", { [tile!]: [scored(`${tile}+0@-2,0`, 1, 9), scored(`${tile}-3@0,-1`, 3, 4)] });
  await lesson.hint();
  assert.equal(printLaying(lesson.placer.ghost.value!.laying), `${tile}-3@0,-1`);
});

test("points are not shown before they are explained", async () => {
  const [tile] = hand("match");
  await begin("match", { [tile!]: [scored(`${tile}+0@-1,1`, 1, 2)] });
  assert.equal(lesson.placer.candidates.value.get(tile!)![0]!.scored, undefined);
});

test("where answers break off it says so, and goes on when they are whole again", async () => {
  const { fetch } = globalThis;
  globalThis.fetch = (async () => ({
    ok: true,
    json: () => Promise.reject(new SyntaxError("It ends too early.")),
  })) as any;
  const [tile] = hand("match");
  await begin("match", { [tile!]: [scored(`${tile}+0@-1,1`, 1)] });
  assert.equal(lesson.trouble.value?.code, "offline");
  globalThis.fetch = fetch;
  await lesson.refresh();
  assert.equal(lesson.trouble.value, null);
  assert.deepEqual(lesson.placer.hand.value, [tile]);
});

test("it needs no server", async () => {
  online = false;
  const [tile] = hand("match");
  await begin("match", {});
  assert.equal(lesson.trouble.value, null);
  assert.ok(lesson.placer.candidates.value.get(tile!)!.length > 1);
});

test("after the last step there is none", () => {
  lesson.begin(LESSON_STEPS.length);
  assert.equal(lesson.step.value, null);
});

test("a hint that is asked for before the layings are known comes with them", async () => {
  const [tile] = hand("discs");
  legal = { [tile!]: [scored(`${tile}-2@2,1`, 3, 4)] };
  lesson.begin(number("discs"));
  const hinted = lesson.hint();
  assert.equal(lesson.placer.ghost.value, null);
  await hinted;
  assert.equal(printLaying(lesson.placer.ghost.value!.laying), `${tile}-2@2,1`);
});

test("a hint for a step that was skipped meanwhile is not shown", async () => {
  const [tile] = hand("discs");
  legal = { [tile!]: [scored(`${tile}-2@2,1`, 3, 4)] };
  lesson.begin(number("discs"));
  const hinted = lesson.hint();
  lesson.begin(number("over"));
  await hinted;
  assert.equal(lesson.placer.ghost.value, null);
});
