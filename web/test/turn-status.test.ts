/** What the bar says: whose turn it is, and what may be done. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { gameOf } from "../src/games/general.ts";
import { speak } from "../src/i18n.ts";
import type { Session } from "../src/state/session.ts";
import { statusSeat, turnStatus } from "../src/tables/turn-status.ts";

interface Situation {
  mine?: boolean;
  moves?: string[];
  /** Dominoes on the table, and of the turn under way. */
  lying?: number;
  turn?: number;
  setup?: boolean;
  /** A domino is taken; its ghost waits for the tick. */
  taken?: boolean;
  pinned?: boolean;
  shared?: boolean;
  game?: string;
}

/** As much of a session as the bar asks for. */
function session({
  mine = true,
  moves = [],
  lying = 3,
  turn = 0,
  setup,
  taken,
  pinned,
  shared = false,
  game = "classic",
}: Situation): Session {
  const value = <T>(one: T) => ({ value: one });
  const view = { outcome: null, options: {}, phase: setup ? "setup" : "play", turn: Array(turn).fill({}) };
  return {
    view: value(view),
    requireView: () => view,
    nameOf: (seat: number) => ["Ann", "Ben"][seat],
    table: value({ game, seats: [{ name: "Ann" }, { name: "Ben" }] }),
    game: value(gameOf(game)),
    seat: value(0),
    myTurn: value(mine),
    mayLay: value(mine),
    wanted: value(mine),
    shared: value(shared),
    acting: value([mine ? 0 : 1]),
    charge: value(game === "classic" ? 4 : null),
    layings: value(Array(lying).fill({})),
    moves: value(moves.map((move) => ({ move }))),
    may: (kind: string) => moves.includes(kind),
    placer: { tile: value(taken ? "PGBYR" : null), pinned: value(!!pinned), ghost: value(pinned ? {} : null) },
  } as unknown as Session;
}

const said = (situation: Situation) => turnStatus(session(situation));

before(() => speak("en"));

test("what to do, step by step", () => {
  assert.match(said({ setup: true, lying: 0, moves: ["lay"] }), /table is empty/);
  assert.equal(said({ setup: true, moves: ["lay"] }), "Lay your first domino");
  assert.equal(said({ moves: ["lay"] }), "Your turn: lay a domino");
  assert.equal(said({ moves: ["lay"], taken: true }), "Choose a place for it");
  assert.match(said({ moves: ["lay"], taken: true, pinned: true }), /tick/);
  assert.equal(said({ moves: ["lay", "end"], turn: 1 }), "Lay a second domino (−4) or end the turn");
  assert.equal(said({ moves: ["end"], turn: 2 }), "End the turn, or undo");
  assert.equal(said({ moves: ["pass"] }), "Nothing fits: pass");
});

test("while others play, and before the server has sent what may be done", () => {
  assert.equal(said({ mine: false }), "Ben is playing");
  assert.equal(said({ moves: [] }), "Your turn");
  assert.equal(statusSeat(session({})), 0);
  assert.equal(statusSeat(session({ mine: false })), 1);
});

test("at a shared screen the player is named; a game by others has its own prices", () => {
  assert.equal(said({ shared: true, moves: ["lay"] }), "Ann: Your turn: lay a domino");
  assert.ok(!said({ game: "chess", moves: ["lay", "end"], turn: 1 }).includes("4"));
});
