/** The log: a line for each turn, and nothing of what was taken back. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { gameOf } from "../src/games/general.ts";
import { speak } from "../src/i18n.ts";
import type { GameEvent } from "../src/net/open.ts";
import { writeLines } from "../src/panels/log.tsx";
import type { LogEntry } from "../src/state/table-store.ts";
import { sinceLastTurn } from "../src/state/turn-lines.ts";

const NAMES = ["Ann", "Bob", "Cleo"];

const laid = (player: number, laying: string, contacts: number, charge = 0, scores = true): GameEvent => ({
  event: "laid",
  player,
  laying,
  earned: { contacts, groups: [] },
  charge,
  scores,
});
const ended = (player: number): GameEvent[] => [
  { event: "turn_ended", player, turn_points: 1 },
  { event: "drew", player, count: 2, tiles: null },
];

const logOf = (...moves: (GameEvent | GameEvent[])[]): LogEntry[] =>
  moves.map((events, i) => ({ version: i + 1, events: [events].flat() }));

/** From the newest to the oldest. */
const linesOf = (game: string, ...moves: (GameEvent | GameEvent[])[]) =>
  writeLines(logOf(...moves), NAMES, gameOf(game));
const textsOf = (game: string, ...moves: (GameEvent | GameEvent[])[]) =>
  linesOf(game, ...moves).map(({ text }) => text);

before(() => speak("en"));

test("a turn of two dominoes is one line with its sum, the newest first", () => {
  const lines = linesOf(
    "classic",
    laid(0, "DRYGB+0@0,0", 0, 0, false),
    laid(1, "ZBGRY+0@2,0", 1, 0, false),
    laid(0, "PGBYR+0@4,0", 3),
    laid(0, "CRYGB+0@6,0", 4, 4),
    ended(0),
    laid(1, "BGRYB+0@8,0", 2),
  );
  assert.deepEqual(
    lines.map(({ text }) => text),
    ["Bob, +2: 2 discs", "Ann, +6: 3 discs; 4 discs, extra domino −4", "Bob lays: 1 disc", "Ann lays a domino"],
  );
  assert.deepEqual(lines[1]!.layings, ["PGBYR+0@4,0", "CRYGB+0@6,0"]);
  assert.deepEqual(
    lines.map(({ player }) => player),
    [1, 0, 1, 0],
  );
  assert.deepEqual([lines[1]!.first, lines[1]!.last], [3, 5]);
});

test("the last round is announced only if it is still to come", () => {
  const reached = { event: "target_reached", player: 1, score: 61 };
  const outcome = { event: "ended", outcome: { scores: [12, 61], winners: [1], reason: "target" } };
  const [end] = ended(1);
  assert.deepEqual(textsOf("classic", laid(1, "PGBYR+0@4,0", 3), [end!, reached]), [
    "Bob, +4: 3 discs · Bob reaches 61 points: last round!",
  ]);
  assert.deepEqual(textsOf("classic", laid(1, "PGBYR+0@4,0", 3), [end!, reached, outcome]), [
    "The game is over",
    "Bob, +4: 3 discs · Bob reaches 61 points",
  ]);
});

test("who leaves, is replaced and returns has a line, also within a turn", () => {
  const texts = textsOf(
    "classic",
    laid(0, "PGBYR+0@4,0", 3),
    { event: "left_table", player: 0 },
    laid(0, "CRYGB+0@6,0", 4, 4),
    ended(0),
    { event: "stood_in", player: 1, by: 2 },
    { event: "came_back", player: 0 },
  );
  assert.deepEqual(texts, [
    "Ann is back and plays on",
    "Cleo lets a bot play for Bob",
    "Ann, +2: 4 discs, extra domino −4",
    "Ann leaves the game: a bot plays on",
    "Ann, +4: 3 discs",
  ]);
});

test("what was taken back is in no line, nor is the undoing", () => {
  const undone = { event: "undone", player: 0, laying: "PGBYR+0@4,0", points: -4 };
  assert.deepEqual(textsOf("classic", laid(0, "PGBYR+0@4,0", 3), undone, laid(0, "PGBYR+1@4,0", 1), ended(0)), [
    "Ann, +1: 1 disc",
  ]);
  assert.deepEqual(textsOf("classic", laid(0, "PGBYR+0@4,0", 3), undone), []);
  // The same laying once more, and this time it stays.
  assert.deepEqual(textsOf("classic", laid(0, "PGBYR+0@4,0", 3), undone, laid(0, "PGBYR+0@4,0", 3)), [
    "Ann, +4: 3 discs",
  ]);
  const lost = { event: "marks_lost", players: [1], discs: [[1, 1]] };
  const marked = { event: "marked", player: 0, disc: [2, 1] };
  const unmarked = { event: "unmarked", player: 0, disc: [2, 1] };
  assert.deepEqual(
    textsOf(
      "conquest",
      [laid(0, "PGBYR+0@4,0", 3), lost],
      marked,
      unmarked,
      undone,
      laid(0, "CRYGB+0@6,0", 1),
      marked,
      ended(0),
    ),
    ["Ann, +1: 1 disc · Ann puts a mark on a group"],
  );
  const paid = { event: "tokens_moved", player: 0, tokens: -1 };
  const first = laid(0, "PGBYR+0@4,0", 1, 0, false);
  assert.deepEqual(
    textsOf("72", [first, paid], [undone, { ...paid, tokens: 1 }], [laid(0, "CRYGB+0@6,0", 2, 0, false)], ended(0)),
    ["Ann lays: 2 connections"],
  );
});

test("an auction belongs to the turn that is bought", () => {
  const bought = linesOf(
    "auction",
    { event: "called", player: 1, bid: 2 },
    { event: "followed", player: 0, bid: 2 },
    { event: "left_auction", player: 0 },
    [
      { event: "auction_won", player: 1, bid: 2 },
      { event: "paid", player: 1, points: -2 },
      { event: "paid", player: 0, points: 2 },
    ],
    laid(1, "PGBYR+0@4,0", 3),
    ended(1),
    { event: "declined", player: 0 },
    laid(1, "CRYGB+0@6,0", 2),
  );
  assert.equal(bought.length, 2);
  assert.equal(bought[1]!.player, 1);
  assert.match(bought[1]!.text, /^Bob calls an auction at 2 · .*Bob, \+4: 3 discs$/);
});

test("a round of Alex is one line; a turn that was shown wrongly appears as its punishment", () => {
  const [line, ...rest] = textsOf(
    "alex",
    { event: "round_began", round: 1, drawn: [] },
    { event: "announced", player: 0, announced: 9 },
    [{ event: "showing", player: 0, announced: 9 }],
    laid(0, "PGBYR+0@4,0", 1),
    [
      { event: "undone", player: 0, laying: "PGBYR+0@4,0", points: 0 },
      { event: "punished", player: 0, mistake: 1, announced: 9, points: 0 },
    ],
  );
  assert.deepEqual(rest, []);
  assert.equal(line, "Round 1 · Ann announces 9 · That does not make 9 points. First mistake: Ann sits out a round.");
});

test("in a race every laying has its line; the end has one of its own", () => {
  const framed = (player: number, laying: string) => ({ event: "framed", player, laying, contacts: 1 });
  const lines = linesOf(
    "puzzle",
    { event: "took", player: 0, tile: "PGBYR" },
    framed(0, "PGBYR+0@0,0"),
    framed(0, "CRYGB+0@2,0"),
    [framed(1, "BGRYB+0@0,0"), { event: "ended" }],
  );
  assert.deepEqual(
    lines.map(({ text }) => text),
    ["The game is over", "Bob lays a domino: 1 disc", "Ann lays a domino: 1 disc", "Ann lays a domino: 1 disc"],
  );
  assert.deepEqual(lines[1]!.layings, ["BGRYB+0@0,0"]);
});

test("in Gone a turn goes on while three discs are made, and the line says what is drawn", () => {
  const one = (laying: string, contacts: number) => laid(0, laying, contacts, 0, false);
  assert.deepEqual(
    textsOf(
      "gone",
      one("PGBYR+0@4,0", 3),
      [one("CRYGB+0@6,0", 1), { event: "drew", player: 0, count: 1 }],
      laid(1, "BGRYB+0@8,0", 2, 0, false),
    ),
    ["Bob lays: 2 discs", "Ann lays: 3 discs · Ann lays: 1 disc · Ann draws a domino"],
  );
});

test("what is new since one's own last turn: the others' turns, also while the own one is under way", () => {
  const game = gameOf("classic");
  const log = logOf(
    laid(0, "DRYGB+0@0,0", 1),
    ended(0),
    laid(1, "ZBGRY+0@2,0", 1),
    ended(1),
    laid(2, "PGBYR+0@4,0", 3),
    ended(2),
  );
  const players = (entries: LogEntry[], seat: number | null) =>
    sinceLastTurn(entries, game, seat, 3).map(({ player }) => player);
  assert.deepEqual(players(log, 0), [2, 1]);
  assert.deepEqual(players(log, 1), [2]);
  assert.deepEqual(players(log, null), [2, 1, 0]);
  const mine = [...log, { version: 7, events: [laid(0, "CRYGB+0@6,0", 2)] }];
  assert.deepEqual(players(mine, 0), [2, 1]);
});
