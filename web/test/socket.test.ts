import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import type { ConnectionState, Refused } from "../src/net/backend.ts";
import { ServerBackend } from "../src/net/server-backend.ts";
import { TableClient } from "../src/net/table-client.ts";
import type { TableMessage } from "../src/net/protocol.ts";
import { asWebSocket, FakeSocket, message } from "./fake-socket.ts";

interface Watched {
  socket: TableClient;
  states: ConnectionState[];
  received: TableMessage[];
  refusals: Refused[];
  late: boolean[];
}

function watch(tokens: string[] = ["T"]): Watched {
  const watched = {
    states: [] as ConnectionState[],
    received: [] as TableMessage[],
    refusals: [] as Refused[],
    late: [] as boolean[],
  };
  const socket = new TableClient(new ServerBackend(asWebSocket), "a b", {
    tokens: () => tokens,
    onTable: (one) => void watched.received.push(one),
    onState: (state, refusal) => {
      watched.states.push(state);
      if (refusal) watched.refusals.push(refusal);
    },
    onLate: (isLate) => void watched.late.push(isLate),
  });
  return { socket, ...watched };
}

function greeted(): Watched {
  const watched = watch();
  FakeSocket.last.accept();
  FakeSocket.last.deliver(message(1));
  return watched;
}

const lay = { player: 0, move: "lay", laying: "DRYGB+0@0,0" };
/** Lets settled promises run their callbacks. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

beforeEach(() => {
  FakeSocket.all = [];
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.restoreAll();
  mock.method(Math, "random", () => 0.5);
});

test("says hello with the tokens, and is online when the table message has arrived", () => {
  const { states, received } = watch(["T", "U"]);
  const socket = FakeSocket.last;
  assert.equal(socket.url, "ws://table.test/api/tables/a%20b/socket");
  assert.deepEqual(socket.sent, []);
  socket.accept();
  assert.deepEqual(socket.sent, [{ type: "hello", tokens: ["T", "U"], with: ["moves", "company"] }]);
  assert.deepEqual(states, ["connecting"]);
  socket.deliver(message(7));
  assert.deepEqual(states, ["connecting", "online"]);
  assert.equal(received[0]!.version, 7);
});

test("comes back with longer and longer pauses, and at once after a success", () => {
  const { states } = greeted();
  const pauses: number[] = [];
  for (let i = 0; i < 8; i++) {
    FakeSocket.last.drop();
    const count = FakeSocket.all.length;
    let pause = 0;
    while (FakeSocket.all.length === count) {
      mock.timers.tick(50);
      pause += 50;
    }
    pauses.push(pause);
  }
  assert.deepEqual(pauses, [250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
  assert.equal(states.at(-1), "reconnecting");
  FakeSocket.last.accept();
  FakeSocket.last.deliver(message(2));
  assert.equal(states.at(-1), "online");
  FakeSocket.last.drop(1012);
  mock.timers.tick(250);
  assert.equal(FakeSocket.last.readyState, 0);
});

test("the pauses differ from browser to browser", () => {
  greeted();
  mock.method(Math, "random", () => 0);
  FakeSocket.last.drop();
  mock.timers.tick(125);
  assert.equal(FakeSocket.all.length, 2);
});

test("a move is answered by its version", async () => {
  const { socket } = greeted();
  const answer = socket.move(lay);
  const { id, ...sent } = FakeSocket.last.sent.at(-1);
  assert.deepEqual(sent, { type: "move", move: lay });
  FakeSocket.last.deliver(message(2));
  FakeSocket.last.deliver({ type: "accepted", id, version: 2 });
  assert.equal(await answer, 2);
});

test("a move without an answer is sent again, with the same id, until there is one", async () => {
  const { socket } = greeted();
  const answer = socket.move(lay);
  const first = FakeSocket.last.sent.at(-1);
  for (const pause of [250, 500]) {
    FakeSocket.last.drop();
    mock.timers.tick(pause);
    FakeSocket.last.accept();
    assert.equal(FakeSocket.last.sent.length, 1, "hello comes first, and is answered");
    if (pause === 250) {
      FakeSocket.last.drop();
      mock.timers.tick(500);
      FakeSocket.last.accept();
    }
    FakeSocket.last.deliver(message(2));
    assert.deepEqual(FakeSocket.last.sent.at(-1), first);
  }
  FakeSocket.last.deliver({ type: "accepted", id: first.id, version: 2 });
  assert.equal(await answer, 2);
  FakeSocket.last.drop();
  mock.timers.tick(10_000);
  FakeSocket.last.accept();
  FakeSocket.last.deliver(message(2));
  assert.deepEqual(
    FakeSocket.last.sent.map(({ type }) => type),
    ["hello"],
    "an answered move is not sent again",
  );
});

test("a move that is made while there is no connection waits for one", async () => {
  const { socket } = watch();
  const answer = socket.move(lay);
  FakeSocket.last.accept();
  FakeSocket.last.deliver(message(1));
  const { type, id } = FakeSocket.last.sent.at(-1);
  assert.equal(type, "move");
  FakeSocket.last.deliver({ type: "accepted", id, version: 2 });
  assert.equal(await answer, 2);
});

test("ids differ, also from those of another tab", () => {
  const ids = new Set<string>();
  for (const random of [0.1, 0.7]) {
    mock.method(Math, "random", () => random);
    const { socket } = greeted();
    for (let i = 0; i < 3; i++) {
      void socket.move(lay).catch(() => undefined);
      ids.add(FakeSocket.last.sent.at(-1).id);
    }
    socket.close();
  }
  assert.equal(ids.size, 6);
});

test("a refusal is an error with a code, and changes nothing else", async () => {
  const { socket, states } = greeted();
  const answer = socket.move(lay);
  FakeSocket.last.deliver({
    type: "refused",
    id: FakeSocket.last.sent.at(-1).id,
    code: "not_your_turn",
    message: "It is not your turn.",
  });
  await assert.rejects(
    answer,
    (error: Refused) => error.code === "not_your_turn" && error.message === "It is not your turn.",
  );
  assert.equal(states.at(-1), "online");
});

test("legal moves of a seat; answers come in any order", async () => {
  const { socket } = greeted();
  const [one, other] = [socket.listMoves(0), socket.listMoves(1)];
  const [first, second] = FakeSocket.last.sent.slice(-2);
  assert.deepEqual([first.seat, second.seat], [0, 1]);
  FakeSocket.last.deliver({ type: "legal", id: second.id, version: 1, moves: [] });
  FakeSocket.last.deliver({ type: "legal", id: first.id, version: 1, moves: [lay] });
  FakeSocket.last.deliver({ type: "legal", id: first.id, version: 1, moves: [] });
  assert.deepEqual((await one).moves, [lay]);
  assert.deepEqual((await other).moves, []);
});

test("a table that does not exist is not asked for again", () => {
  const { states, refusals } = watch();
  FakeSocket.last.accept();
  FakeSocket.last.deliver({ type: "refused", code: "unknown_table", message: "There is no such table." });
  FakeSocket.last.drop(4400);
  mock.timers.tick(60_000);
  assert.equal(FakeSocket.all.length, 1);
  assert.equal(states.at(-1), "refused");
  assert.equal(refusals[0]!.code, "unknown_table");
});

test("silence is asked about, and a dead connection is given up", () => {
  const { states } = greeted();
  mock.timers.tick(15_000);
  assert.equal(FakeSocket.last.sent.at(-1).type, "ping");
  FakeSocket.last.deliver({ type: "pong", id: "ping", now: 0, version: 1 });
  mock.timers.tick(14_000);
  assert.equal(FakeSocket.last.sent.filter(({ type }) => type === "ping").length, 1);
  mock.timers.tick(1_000);
  mock.timers.tick(6_000);
  assert.equal(states.at(-1), "reconnecting");
  mock.timers.tick(250);
  assert.equal(FakeSocket.all.length, 2);
  FakeSocket.last.accept();
  FakeSocket.last.deliver(message(1));
  assert.equal(states.at(-1), "online");
});

test("greeting again uses the tokens as they are then", () => {
  const tokens: string[] = [];
  const { socket } = watch(tokens);
  FakeSocket.last.accept();
  FakeSocket.last.deliver(message(1));
  tokens.push("NEW");
  socket.greet();
  mock.timers.tick(250);
  FakeSocket.last.accept();
  assert.deepEqual(FakeSocket.last.sent, [{ type: "hello", tokens: ["NEW"], with: ["moves", "company"] }]);
});

test("what an old connection still says is not heard", () => {
  const { received, socket } = greeted();
  const old = FakeSocket.last;
  socket.greet();
  mock.timers.tick(250);
  assert.notEqual(FakeSocket.last, old);
  old.deliver(message(9));
  assert.deepEqual(
    received.map(({ version }) => version),
    [1],
  );
});

test("leaving ends everything", async () => {
  const { socket, states } = greeted();
  const answer = socket.move(lay);
  socket.close();
  await assert.rejects(answer, (error: Refused) => error.code === "closed");
  mock.timers.tick(60_000);
  await settle();
  assert.equal(FakeSocket.all.length, 1);
  assert.equal(states.at(-1), "online");
});

// -- a line that loses, doubles and overtakes --------------------------------------------------------

const sent = (type: string) => FakeSocket.last.sent.filter((one) => one.type === type);

test("what was lost on an open line is sent again, with growing pauses, and the client says so", async () => {
  const { socket, late } = greeted();
  const answer = socket.move(lay);
  const moves = () => sent("move").length;
  mock.timers.tick(2_900);
  assert.deepEqual([moves(), late], [1, []]);
  mock.timers.tick(100);
  assert.deepEqual([moves(), late], [2, [true]]);
  mock.timers.tick(5_900);
  assert.equal(moves(), 2);
  mock.timers.tick(100);
  assert.equal(moves(), 3);
  assert.equal(new Set(sent("move").map(({ id }) => id)).size, 1, "the server carries the same id out once");
  FakeSocket.last.deliver(message(2));
  FakeSocket.last.deliver({ type: "accepted", id: sent("move")[0].id, version: 2 });
  assert.equal(await answer, 2);
  assert.deepEqual(late, [true, true, false]);
  mock.timers.tick(60_000);
  assert.equal(moves(), 3);
});

test("what is refused for the moment is asked again a little later", async () => {
  const { socket } = greeted();
  const answer = socket.move(lay);
  const [{ id }] = sent("move");
  FakeSocket.last.deliver({ type: "refused", id, code: "too_fast", message: "Too fast: wait a moment." });
  mock.timers.tick(400);
  assert.equal(sent("move").length, 2);
  FakeSocket.last.deliver({ type: "refused", id, code: "busy", message: "Ask again in a moment." });
  mock.timers.tick(400);
  FakeSocket.last.deliver({ type: "accepted", id, version: 1 });
  assert.equal(await answer, 1);
});

test("an answer that comes twice is heard once, and one that comes later than another changes nothing", async () => {
  const { socket } = greeted();
  const answer = socket.move(lay);
  const [{ id }] = sent("move");
  FakeSocket.last.deliver(message(2));
  FakeSocket.last.deliver({ type: "accepted", id, version: 2 });
  FakeSocket.last.deliver({ type: "accepted", id, version: 2 });
  FakeSocket.last.deliver({ type: "refused", id, code: "not_your_turn", message: "It is not your turn." });
  assert.equal(await answer, 2);
});

test("a table that was overtaken is not shown", () => {
  const { received } = greeted();
  for (const version of [3, 2, 3, 4]) FakeSocket.last.deliver(message(version));
  assert.deepEqual(
    received.map(({ version }) => version),
    [1, 3, 3, 4],
  );
  // Another connection starts again, with any version.
  FakeSocket.last.drop();
  mock.timers.tick(250);
  FakeSocket.last.accept();
  FakeSocket.last.deliver(message(2));
  assert.equal(received.at(-1)!.version, 2);
});

test("a client that has missed messages connects again", () => {
  for (const answer of [
    { type: "accepted", id: "x", version: 5 },
    { type: "pong", id: "ping", now: 0, version: 5 },
  ]) {
    const { states, received } = greeted();
    FakeSocket.last.deliver(answer);
    assert.equal(states.at(-1), "reconnecting");
    mock.timers.tick(250);
    FakeSocket.last.accept();
    FakeSocket.last.deliver(message(5));
    assert.equal(states.at(-1), "online");
    assert.equal(received.at(-1)!.version, 5);
  }
});

test("a hello without an answer is sent again", () => {
  watch();
  FakeSocket.last.accept();
  mock.timers.tick(10_000);
  mock.timers.tick(250);
  assert.equal(FakeSocket.all.length, 2);
  // Nor is a connection waited for that does not come about.
  mock.timers.tick(10_000);
  mock.timers.tick(500);
  assert.equal(FakeSocket.all.length, 3);
});
