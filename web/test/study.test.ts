import assert from "node:assert/strict";
import { test } from "node:test";
import { SET_120, SET_72 } from "../src/data.ts";
import { parsePosition, printLaying } from "../src/geometry.ts";
import { speak } from "../src/i18n.ts";
import type { Moment, ReplayDocument } from "../src/net/study.ts";
import { blocks } from "../src/panels/markdown.tsx";
import {
  analysisHash,
  readHash,
  solverHash,
  parseStanding,
  findUnknownDominoes,
  unpackPosition,
} from "../src/panels/study-link.ts";
import { readPath } from "../src/shell/router.ts";
import { withoutOrders } from "../src/state/analysis.ts";
import { framePlaces } from "../src/state/frames.ts";
import { Replay } from "../src/state/replay.ts";

const moment = (scores: number[], event?: Record<string, unknown>): Moment =>
  ({
    events: event ? [event] : [],
    view: { game: "classic", phase: "play", table: "", scores, turn: [] },
    hands: [["PRYGB"], []],
  }) as unknown as Moment;

const GAME = {
  game: "classic",
  options: { target: 60 },
  players: [{ name: "Ann" }, { name: "novice 2", program: "novice" }],
  start: moment([0, 0]),
  steps: [
    moment([7, 0]),
    moment([7, 0], { event: "turn_ended", player: 0, turn_points: 7 }),
    moment([7, 3]),
    moment([7, 3], { event: "turn_ended", player: 1, turn_points: 3 }),
  ],
  turns: [
    { player: 0, first: 0, last: 1, points: 7, lost: 0, best: { layings: ["PRYGB+0@0,0"], points: 7 } },
    { player: 1, first: 2, last: 3, points: 3, lost: 5, best: { layings: ["PRYBG+0@2,0"], points: 8 } },
  ],
  outcome: { scores: [7, 3], winners: [0], reason: "target" },
} as unknown as ReplayDocument;

test("a replay has a position more than moves, and a curve for each player", () => {
  const replay = new Replay(GAME);
  assert.equal(replay.last, 4);
  assert.deepEqual(replay.curves(), [
    [0, 7, 7, 7, 7],
    [0, 0, 0, 3, 3],
  ]);
  assert.equal(replay.eventful, true);
  assert.deepEqual(replay.counts(99), [7, 3], "beyond the end is the end");
});

test("programs are called as at the table, in every language", async () => {
  const replay = new Replay(GAME);
  for (const spoken of ["de", "en"] as const) {
    await speak(spoken);
    assert.deepEqual(replay.names, ["Ann", "Pia"]);
  }
});

test("the coach is asked about the game as it stands", () => {
  const view = { game: "classic", phase: "play", table: "", scores: [7, 3, 5], turn: [], active: 1 };
  const document = {
    ...GAME,
    options: { target: 90, first: 0 },
    start: { events: [], view, hands: null },
  } as unknown as ReplayDocument;
  assert.deepEqual(new Replay(document).standing(0), { scores: [3, 5, 7], target: 90, began: 2 });
  assert.equal(new Replay({ ...document, game: "auction" }).standing(0), undefined);
});

test("what a turn missed is measured against the best one", () => {
  const replay = new Replay(GAME);
  assert.deepEqual(
    replay.turns.map(({ missed }) => missed),
    [0, 5],
  );
  const { finest, ...rest } = replay.player(1);
  assert.deepEqual(rest, { turns: 1, perfect: 0, missed: 5 });
  assert.equal(finest?.points, 3);
});

test("what a bot has played for a person is no praise for anyone", () => {
  const [turn, other] = GAME.turns;
  const [laid, ...rest] = GAME.steps;
  const move = { player: 0, move: "lay" };
  const byBot = {
    ...GAME,
    steps: [{ ...laid, move, cause: "program" }, ...rest],
    turns: [{ ...turn, stand_in: true }, other],
  } as unknown as ReplayDocument;
  const replay = new Replay(byBot);
  assert.deepEqual(replay.player(0), { turns: 0, perfect: 0, missed: 0, finest: null });
  assert.deepEqual(replay.standIn(0), { count: 1, all: 1 });
  assert.equal(replay.standIn(1), null, "a bot in its own seat stands in for no one");
  assert.equal(new Replay(GAME).standIn(0), null);
  // Who has laid may leave the end of the turn to the clock.
  const ended = { ...GAME, steps: [{ ...laid, move: { player: 0, move: "end" }, cause: "time" }] };
  assert.equal(new Replay(ended as unknown as ReplayDocument).standIn(0), null);
});

test("a position belongs to the turn that is played there", () => {
  const replay = new Replay(GAME);
  assert.deepEqual(
    [0, 1, 2, 3].map((position) => replay.turnAt(position)?.number),
    [1, 1, 2, 2],
  );
  assert.equal(replay.turnAt(4), null);
  assert.equal(replay.turnFrom(0, 1), 2);
  assert.equal(replay.turnFrom(3, 1), 4);
  assert.equal(replay.turnFrom(3, -1), 2);
  assert.equal(replay.turnFrom(2, -1), 0);
});

test("Arlequin's frame lies once something reaches beyond the upright one", () => {
  const at = (...frames: string[][]): Moment[] =>
    frames.map(
      (frame) =>
        ({ events: [], hands: null, view: { game: "arlequin", frames: [frame], given_up: [] } }) as unknown as Moment,
    );
  const race = (...frames: string[][]) => {
    const [start, ...steps] = at(...frames);
    return new Replay({ ...GAME, game: "arlequin", options: {}, turns: [], start: start!, steps });
  };
  const [upright, lying] = [
    { width: 8, height: 10 },
    { width: 10, height: 8 },
  ];
  assert.deepEqual(race([], ["PRYGB+0@6,0"]).frame(0, 0), upright);
  assert.deepEqual(race([], ["PRYGB+0@7,0"]).frame(0, 0), lying, "as it will be begun");
  assert.deepEqual(race(["PRYGB+0@7,0"], []).frame(0, 0), lying);
  assert.deepEqual(race(["PRYGB+0@7,0"], ["PRYGB+1@0,8"]).frame(0, 0), lying, "and begun again the other way");
});

test("a link holds a position, and a plus stays a plus", () => {
  const position = "PRYGB+0@0,0 BRYGB-3@-2,1";
  const hash = analysisHash({ position, hand: ["CRYGB", "ZRYGB"], set: "72" });
  assert.equal(hash, "#p=PRYGB+0@0,0_BRYGB-3@-2,1&h=CRYGB,ZRYGB&s=72");
  const { p, h, s } = readHash(hash);
  assert.equal(unpackPosition(p), position);
  assert.deepEqual([h, s], ["CRYGB,ZRYGB", "72"]);
  assert.equal(
    unpackPosition(readHash("#p=PRYGB%2B0%400%2C0%20BRYGB-3%40-2%2C1").p),
    position,
    "as other programs write it",
  );
  assert.deepEqual(readHash("#p=%E0%A4%A"), {}, "a link that was cut in half");
  const game = { scores: [31, -2, 8], target: 120, began: 2 };
  const { g } = readHash(analysisHash({ position, hand: [], set: "120", game }));
  assert.deepEqual(parseStanding(g), game);
  for (const wrong of [undefined, "", "1,2,60", "1,2,60,2", "1,2,7,0", "a,2,60,0", "1,2,3,4,5,60,0"]) {
    assert.deepEqual(parseStanding(wrong), { scores: [0, 0], target: 60, began: 0 });
  }
  assert.equal(solverHash({ width: 4, height: 6, pile: 2 }), "#w=4&h=6&pile=2");
});

test("a domino fits into a frame where it overlaps and clashes with nothing", () => {
  const frame = { width: 2, height: 2 };
  assert.equal(framePlaces("PRYGB", frame, [], SET_120, ["+"]).length, 8);
  const lying = parsePosition("PRYGB+0@0,0");
  const places = framePlaces("PRYBG", frame, lying, SET_120, ["+", "-"]).map(({ laying }) => printLaying(laying));
  assert.ok(places.length > 0);
  assert.ok(
    places.every((text) => text.endsWith(",1")),
    "only the free row is left",
  );
});

test("a page of the rulebook is read line by line", () => {
  const read = blocks("# Title\n\n*facts*\n\n## Part\n\n- one\n- **two**\n\n![A picture](figure:six)\n\n## Next\n");
  assert.deepEqual(read, [
    { kind: "title", text: "Title" },
    { kind: "paragraph", text: "*facts*" },
    { kind: "heading", text: "Part", id: "part-1" },
    { kind: "list", items: ["one", "**two**"] },
    { kind: "figure", caption: "A picture", name: "six" },
    { kind: "heading", text: "Next", id: "part-2" },
  ]);
});

test("a turn in both orders is one of the best turns, as in the better order", () => {
  const turn = (points: number, ...layings: string[]) => ({ points, layings });
  const [both, swapped, single, other] = [turn(9, "A", "B"), turn(8, "B", "A"), turn(7, "A"), turn(6, "A", "C")];
  assert.deepEqual(withoutOrders([both, swapped, single, other]), [both, single, other]);
});

test("a link says which dominoes this set does not have", () => {
  assert.deepEqual(findUnknownDominoes({ position: "PRYGB+0@0,0_XRYGB-1@2,-1", tiles: "QRYGB,PRYBG" }, SET_120), [
    "XRYGB",
    "QRYGB",
  ]);
  assert.deepEqual(findUnknownDominoes({ position: "CGBRY+0@0,0" }, SET_120), [], "a back is known by its front");
  assert.deepEqual(findUnknownDominoes({}, SET_120), []);
  assert.deepEqual(findUnknownDominoes({ tiles: "PRYGB" }, SET_72), ["PRYGB"]);
});

test("an address is read, however it is written", () => {
  assert.deepEqual(readPath("/t/abc"), { name: "t", argument: "abc" });
  assert.deepEqual(readPath("/"), { name: "", argument: "" });
  assert.deepEqual(readPath("/t/a%2Fb"), { name: "t", argument: "a/b" });
  assert.equal(readPath("/t/%E0%A4%A"), null);
});
