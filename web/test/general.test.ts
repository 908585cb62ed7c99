/** A game by another author, of which this client knows nothing but what the server says. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { OURS } from "../src/data.ts";
import { gameOf } from "../src/games/general.ts";
import { speak } from "../src/i18n.ts";
import type { Moment, ReplayDocument } from "../src/net/study.ts";
import { catalogue, gameName, infoOf, learnGames, pitchOf } from "../src/state/catalogue.ts";
import { Replay } from "../src/state/replay.ts";
import { Session } from "../src/state/session.ts";
import { FakeSocket, message } from "./fake-socket.ts";

const THREE = {
  name: "three",
  players: [2, 4],
  options: [],
  programs: ["random", "greedy"],
  title: "Three",
  description: "Up to three dominoes.",
};
/** A view with nothing but what every game has. */
const BARE = { game: "three", viewer: 0, options: {}, phase: "play", can_undo: false, outcome: null };

/** What the server answers: to the question for layings, and else. */
let legal: unknown;

beforeEach(() => {
  FakeSocket.all = [];
  Object.defineProperty(globalThis, "WebSocket", { value: FakeSocket, configurable: true });
  globalThis.fetch = (async (path: string) => ({
    ok: true,
    json: async () => (path === "/api/legal" ? legal : []),
  })) as unknown as typeof fetch;
});

let session: Session | null = null;
afterEach(() => session?.close());

/** What was asked has been answered, as far as that needs no server. */
async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
}

test("menus have it once the server has named it", async () => {
  await speak("en");
  globalThis.fetch = async () => Promise.reject(new Error("offline"));
  await learnGames();
  assert.deepEqual(catalogue.value, OURS, "a server that cannot be reached names none");
  assert.equal(gameName("three"), "three");
  globalThis.fetch = (async () => ({ ok: true, json: async () => [...OURS, THREE] })) as unknown as typeof fetch;
  await learnGames();
  assert.deepEqual(
    catalogue.value.map(({ name }) => name),
    [...OURS.map(({ name }) => name), "three"],
  );
  assert.deepEqual([gameName("three"), pitchOf("three")], ["Three", "Up to three dominoes."]);
  assert.equal(gameName("classic"), "Classic");
  assert.deepEqual(infoOf("three")!.programs, ["random", "greedy"]);
});

test("a view with hardly any fields breaks nothing", async () => {
  session = new Session("abc");
  FakeSocket.last.accept();
  FakeSocket.last.deliver({ ...message(1, { game: "three" }), views: { 0: BARE }, acting: [] });
  await settle();
  assert.deepEqual(session.acting.value, []);
  assert.deepEqual(
    [session.layings.value, session.staged.value, session.last.value, session.placer.hand.value],
    [[], [], [], []],
  );
  assert.equal(session.covered.value, false);
});

test("its layings show where they go, and no points that the server has not sent", async () => {
  legal = { ZBGRY: [{ laying: "ZBGRY+0@2,0", contacts: 1, disc_points: 1, groups: [], group_points: 0, points: 1 }] };
  session = new Session("abc");
  FakeSocket.last.accept();
  FakeSocket.last.deliver(message(1, { game: "three", hand: ["ZBGRY"] }));
  await settle();
  FakeSocket.last.deliver({
    type: "legal",
    id: FakeSocket.last.sent.at(-1).id,
    version: 1,
    moves: [{ player: 0, move: "lay", laying: "ZBGRY+0@2,0" }],
  });
  await settle();
  const [found] = session.placer.candidates.value.get("ZBGRY")!;
  assert.deepEqual(Object.keys(found!), ["laying"]);
  assert.equal(session.placer.charge.value, 0);
});

test("its replay has no curve where nothing is counted", () => {
  const moment = { events: [], view: BARE, hands: null, acting: [] } as unknown as Moment;
  const replay = new Replay({
    game: "three",
    options: {},
    players: [{ name: "Ann" }, { name: "Bob" }],
    start: moment,
    steps: [moment],
    turns: [],
    outcome: null,
  } satisfies ReplayDocument);
  assert.deepEqual(replay.curves(), [
    [0, 0],
    [0, 0],
  ]);
  assert.equal(replay.eventful, false);
  assert.deepEqual([replay.staged(1), replay.lastTurn(1), replay.layings(1)], [[], [], []]);
  assert.equal(replay.setName, "120");
  assert.equal(gameOf("three").race, null);
});
