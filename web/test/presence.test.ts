import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import type { Greeting } from "../src/net/protocol.ts";
import { Presence, GREETINGS, SHOWN } from "../src/state/presence.ts";
import { Session } from "../src/state/session.ts";
import { settings } from "../src/state/settings.ts";
import { keepToken, offeredSeat, seatLink } from "../src/state/storage.ts";
import { FakeSocket, message } from "./fake-socket.ts";

let sent: unknown[] = [];
const line = {
  sendGreeting: async (seat: number, greeting: Greeting) => void sent.push(["say", seat, greeting]),
  remind: async (seat: number) => {
    sent.push(["remind", seat]);
    return true;
  },
};

beforeEach(() => {
  sent = [];
  localStorage.clear();
  settings.greetings.value = true;
});

test("who is here, and how many watch, is what the server sent last", () => {
  const presence = new Presence("abc", line);
  presence.receive({
    type: "company",
    seats: [{ state: "here" }, { state: "away", since: 5, replace: 100 }],
    spectators: 2,
  });
  assert.deepEqual(
    presence.seats.value.map(({ state }) => state),
    ["here", "away"],
  );
  assert.equal(presence.spectators.value, 2);
  assert.equal(presence.replaceIn(0, 50), null);
  assert.equal(presence.replaceIn(1, 50), 50);
  assert.equal(presence.replaceIn(1, 500), 0);
});

test("a greeting is shown for some seconds, a second one takes its place", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const presence = new Presence("abc", line);
  presence.receive({ type: "greeting", seat: 1, greeting: "hello" });
  assert.deepEqual([...presence.bubbles.value], [[1, "hello"]]);
  mock.timers.tick(SHOWN - 1);
  presence.receive({ type: "greeting", seat: 1, greeting: "oops" });
  mock.timers.tick(SHOWN - 1);
  assert.deepEqual([...presence.bubbles.value], [[1, "oops"]]);
  mock.timers.tick(1);
  assert.deepEqual([...presence.bubbles.value], []);
  mock.timers.reset();
});

test("greetings are muted at one table, which is remembered, or everywhere", () => {
  const presence = new Presence("abc", line);
  presence.receive({ type: "greeting", seat: 0, greeting: "hello" });
  presence.mute(true);
  assert.equal(presence.bubbles.value.size, 0);
  presence.receive({ type: "greeting", seat: 1, greeting: "hello" });
  assert.equal(presence.bubbles.value.size, 0);
  assert.equal(new Presence("abc", line).muted.value, true);
  const other = new Presence("other", line);
  assert.equal(other.muted.value, false);
  settings.greetings.value = false;
  other.receive({ type: "greeting", seat: 1, greeting: "hello" });
  assert.equal(other.said.value, null);
  presence.mute(false);
  assert.equal(new Presence("abc", line).muted.value, false);
  presence.close();
});

test("a greeting that this client does not know is passed over", () => {
  const presence = new Presence("abc", line);
  presence.receive({ type: "greeting", seat: 1, greeting: "shout" as never });
  assert.equal(presence.bubbles.value.size, 0);
  assert.equal(GREETINGS.length, 6);
});

test("the session hears of the presence, and says things with the seat's socket", async () => {
  Object.defineProperty(globalThis, "WebSocket", { value: FakeSocket, configurable: true });
  keepToken("abc", "TOKEN", "classic");
  const session = new Session("abc");
  FakeSocket.last.accept();
  FakeSocket.last.deliver(message(0, { active: 1 }, { table: { ...message(0).table, phase: "waiting" } }));
  FakeSocket.last.deliver({ type: "company", seats: [{ state: "here" }, { state: "away" }], spectators: 1 });
  FakeSocket.last.deliver({ type: "reminder", seat: 0, by: 1 });
  assert.equal(session.presence.spectators.value, 1);
  assert.deepEqual(session.presence.reminder.value, { seat: 0, by: 1 });
  const reached = session.presence.remind(1);
  const { id, ...asked } = FakeSocket.last.sent.at(-1);
  assert.deepEqual(asked, { type: "remind", seat: 1 });
  FakeSocket.last.deliver({ type: "done", id, reached: false });
  assert.equal(await reached, false);
  const said = session.presence.say(0, "thanks");
  const refused = FakeSocket.last.sent.at(-1);
  assert.deepEqual([refused.type, refused.greeting], ["greet", "thanks"]);
  FakeSocket.last.deliver({ type: "refused", id: refused.id, code: "too_often", message: "Wait." });
  await assert.rejects(said, { code: "too_often" });
  session.close();
});

test("hands are covered at a shared screen, unless they are open for all", () => {
  Object.defineProperty(globalThis, "WebSocket", { value: FakeSocket, configurable: true });
  for (const hands of ["own", "open"] as const) {
    const session = new Session("abc");
    const sent = message(0, {}, { yours: [0, 1] });
    session.store.message.value = { ...sent, table: { ...sent.table, hands } };
    assert.equal(session.covered.value, hands === "own");
    session.close();
  }
});

test("a link takes a seat along in the part that is not sent", () => {
  const link = seatLink("http://table.test/t/abc", "9K9UrYgBK7CLfmaDpilveA");
  const { pathname, search, hash } = new URL(link);
  assert.equal(pathname + search, "/t/abc");
  assert.equal(offeredSeat(hash), "9K9UrYgBK7CLfmaDpilveA");
  for (const other of [
    "",
    "#",
    "#seat=",
    "#seat=short",
    "#3",
    `#seat=${"x".repeat(65)}`,
    "#seat=9K9UrYgBK7CLfmaDpilveA&x",
  ])
    assert.equal(offeredSeat(other), null);
});
