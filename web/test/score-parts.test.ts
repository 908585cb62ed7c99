/** Where the points of a game come from, how places are ordered, and what a bot's face says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gameOf } from "../src/games/general.ts";
import { parseLaying } from "../src/geometry.ts";
import type { GameEvent } from "../src/net/open.ts";
import { findMood, findNews } from "../src/panels/seat-face.tsx";
import type { Candidate } from "../src/state/placement.ts";
import { orderCandidates, rankCandidates } from "../src/state/placer.ts";
import { splitScore } from "../src/state/score-parts.ts";
import type { LogEntry } from "../src/state/table-store.ts";

const laid = (player: number, laying: string, contacts: number, groups: number[] = [], charge = 0): GameEvent => ({
  event: "laid",
  player,
  laying,
  earned: { contacts, groups: groups.map((size) => ({ colour: "R", size, discs: [] })) },
  charge,
  scores: true,
});

const logOf = (...events: GameEvent[]): LogEntry[] => events.map((one, i) => ({ version: i + 1, events: [one] }));

const LAID = [laid(0, "PRYGB+0@0,0", 4, [5]), laid(1, "BYRGB+0@0,-1", 2), laid(0, "DRYGB+0@2,0", 1, [], 4)];

test("the points of Conquest are those of layings and of marks", () => {
  const log = logOf(...LAID, { event: "mark_counted", player: 0, colour: "R", points: 5, score: 13 });
  const parts = splitScore(log, gameOf("conquest"), 0, 13);
  assert.deepEqual(
    parts.map(({ kind, points }) => [kind, points]),
    [
      ["discs", 7],
      ["groups", 5],
      ["charge", -4],
      ["mark_counted", 5],
    ],
  );
});

test("what was taken back counts nothing, and what is unknown is said", () => {
  const log = logOf(...LAID, { event: "undone", player: 0, laying: "DRYGB+0@2,0" });
  const parts = splitScore(log, gameOf("classic"), 0, 14);
  assert.deepEqual(
    parts.map(({ kind, points }) => [kind, points]),
    [
      ["discs", 6],
      ["groups", 5],
      ["other", 3],
    ],
  );
  assert.deepEqual(splitScore(log, gameOf("classic"), 1, 2), [], "one part is no news");
  assert.deepEqual(splitScore([], gameOf("alex"), 0, 7), []);
});

test("an order of places that says nothing about their points", () => {
  const places = ["PRYGB+0@3,0", "PRYGB+0@0,-2", "PRYGB-1@0,0"].map((text, points) => ({
    laying: parseLaying(text),
    scored: { points, contacts: 1, groups: [] },
  })) as unknown as Candidate[];
  const rows = (found: readonly { laying: { x: number; y: number } }[]) => found.map(({ laying: { x, y } }) => [x, y]);
  assert.deepEqual(rows(orderCandidates(places)), [
    [0, -2],
    [0, 0],
    [3, 0],
  ]);
  assert.deepEqual(rows(rankCandidates(places))[0], [0, 0]);
});

test("a face thinks, and minds good layings", () => {
  assert.equal(findNews(logOf(...LAID)), null);
  const news = findNews(logOf(laid(1, "PRYGB+0@0,0", 5)));
  assert.equal(news, 1);
  assert.equal(findMood(1, true, news), "happy");
  assert.equal(findMood(0, true, news), "annoyed");
  assert.equal(findMood(0, true, null), "thinking");
  assert.equal(findMood(0, false, null), undefined);
  assert.equal(findMood(0, true, null, [1]), "annoyed");
  assert.equal(findMood(1, false, news, [1]), "happy");
});
