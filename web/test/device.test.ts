/** The tables of this device (web/engine): what is stored before it is sent, several tabs, and workers that end. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DeviceTables, type SessionListener } from "../engine/device.ts";
import { TableHost } from "../engine/table-host.ts";
import type { Effects, FromTables, Line, ToTables, Write } from "../engine/table-messages.ts";
import { FORMAT, type StoredTable, type TableStore } from "../engine/table-store.ts";
import type { FromServer, TableMessage } from "../src/net/protocol.ts";

// -- the worker that hosts -----------------------------------------------------------------------------------------

class FakeStore implements TableStore {
  tables = new Map<string, { table: StoredTable; log: Line[] }>();
  writes: Write[][] = [];
  fails = false;
  /** What happened, in its order. */
  order: string[] = [];

  async load(id: string) {
    return this.tables.get(id) ?? null;
  }
  async write(writes: readonly Write[]) {
    await Promise.resolve();
    if (this.fails) throw new DOMException("full", "QuotaExceededError");
    this.order.push("stored");
    this.writes.push([...writes]);
  }
  async delete(ids: readonly string[]) {
    if (this.fails) throw new DOMException("broken", "UnknownError");
    for (const id of ids) this.tables.delete(id);
  }
  async merge(writes: readonly Write[]) {
    if (this.fails) throw new DOMException("full", "QuotaExceededError");
    return writes.map(({ id }) => id);
  }
}

const write = (number: number): Write => ({
  id: "device-1",
  log: [{ number }],
  summary: { id: "device-1", state: "here" },
});
const pong: FromServer = { type: "pong", id: "p", now: 0, version: 0 };

function startHost(answer: (event: { type: string; [field: string]: unknown }) => Effects) {
  const store = new FakeStore();
  const sent: FromTables[] = [];
  const host = new TableHost(
    (text) => JSON.stringify(answer(JSON.parse(text).event)),
    store,
    (message) => {
      store.order.push(message.type);
      sent.push(message);
    },
    () => 1000,
  );
  return { host, store, sent };
}

test("a message is sent after its entry is stored, and one event after the other", async () => {
  let events = 0;
  const { host, store } = startHost(() => ({ writes: [write(++events)], sent: [{ session: "s", message: pong }] }));
  host.take({ type: "close", session: "s" });
  host.take({ type: "close", session: "s" });
  await host.settled();
  assert.deepEqual(store.order, ["stored", "sent", "stored", "sent"]);
});

test("with a full storage the game goes on, and all is stored when there is room again", async () => {
  let events = 0;
  const { host, store, sent } = startHost(() => ({
    writes: [write(++events)],
    sent: [{ session: "s", message: pong }],
  }));
  store.fails = true;
  host.take({ type: "close", session: "s" });
  host.take({ type: "close", session: "s" });
  await host.settled();
  assert.deepEqual(
    sent.map((message) => (message.type === "storage" ? message.trouble : message.type)),
    ["full", "sent", "sent"],
  );
  store.fails = false;
  host.take({ type: "close", session: "s" });
  await host.settled();
  assert.deepEqual(
    store.writes.map((writes) => writes.flatMap(({ log }) => log.map(({ number }) => number))),
    [[1, 2, 3]],
  );
  assert.deepEqual(sent.at(-2), { type: "storage", trouble: null });
});

test("a table is loaded when it is asked for, and a newer format is not guessed at", async () => {
  const loads: unknown[] = [];
  let loaded = false;
  const { host, store } = startHost((event) => {
    if (event.type === "load") {
      loads.push(event);
      loaded = true;
      return {};
    }
    return loaded ? {} : { load: "device-1" };
  });
  const stored: StoredTable = { id: "device-1", table: "T", summary: write(1).summary, format: FORMAT, engine: "1" };
  for (const format of [FORMAT, FORMAT + 1]) {
    store.tables.set("device-1", { table: { ...stored, format }, log: [{ number: 1 }] });
    loaded = false;
    host.take({ type: "open", session: "s", table: "device-1" });
    await host.settled();
  }
  store.tables.clear();
  loaded = false;
  host.take({ type: "open", session: "s", table: "device-1" });
  await host.settled();
  const asked = { type: "load", id: "device-1" };
  assert.deepEqual(loads, [{ ...asked, table: "T", log: [{ number: 1 }] }, { ...asked, table: null }, asked]);
});

test("an event loads all tables that it concerns, and an unreadable one counts as damaged", async () => {
  const loaded: unknown[] = [];
  const { host, store, sent } = startHost((event) => {
    if (event.type === "load") {
      if (event.table === "too large") return { refused: { code: "too_long", message: "No.", status: 422 } };
      loaded.push([event.id, event.table]);
      return {};
    }
    const load = ["device-1", "device-2"][loaded.length];
    return load === undefined ? { replies: [{ id: 7, answer: "both" }] } : { load };
  });
  const summary = write(1).summary;
  store.tables.set("device-2", {
    table: { id: "", table: "too large", summary, format: FORMAT, engine: "1" },
    log: [],
  });
  host.take({ type: "request", id: 7, method: "POST", path: "/tables/device-1/rematch" });
  await host.settled();
  assert.deepEqual(loaded, [
    ["device-1", undefined],
    ["device-2", null],
  ]);
  assert.deepEqual(sent, [{ type: "reply", id: 7, answer: "both" }]);
});

test("bots and clocks go on after an event that was refused", async () => {
  await new Promise<void>((ticked) => {
    const { host } = startHost((event) => {
      if (event.type === "tick") ticked();
      if (event.type === "request") return { refused: { code: "malformed", message: "No.", status: 422 } };
      return event.type === "close" ? { wake_at: 1005 } : {};
    });
    host.take({ type: "close", session: "s" });
    host.take({ type: "request", id: 7, method: "GET", path: "/" });
  });
});

test("a table is deleted before its reply leaves, and what was to be stored of it is forgotten", async () => {
  let effects: Effects = { writes: [write(1)] };
  const { host, store, sent } = startHost(() => effects);
  store.fails = true;
  host.take({ type: "close", session: "s" });
  await host.settled();
  effects = { deleted: ["device-1"], replies: [{ id: 7 }] };
  host.take({ type: "request", id: 7, method: "DELETE", path: "/tables/device-1" });
  await host.settled();
  const reply = sent.at(-1);
  assert(reply?.type === "reply" && reply.error?.code === "no_storage");
  store.fails = false;
  host.take({ type: "request", id: 7, method: "DELETE", path: "/tables/device-1" });
  await host.settled();
  assert.deepEqual(sent.at(-1), { type: "reply", id: 7 });
  assert.deepEqual(store.writes, [], "it was deleted");
});

test("tables of a file are stored together, and read again where they are open", async () => {
  const events: { type: string; id?: unknown }[] = [];
  const { host, store, sent } = startHost((event) => {
    events.push({ type: event.type, id: event.id });
    return {};
  });
  host.take({ type: "import", id: 3, tables: [write(1)] });
  await host.settled();
  await host.settled();
  assert.deepEqual(sent, [{ type: "reply", id: 3, answer: ["device-1"] }]);
  assert.deepEqual(events, [{ type: "load", id: "device-1" }]);
  store.fails = true;
  host.take({ type: "import", id: 4, tables: [write(1)] });
  await host.settled();
  const reply = sent.at(-1);
  assert(reply?.type === "reply" && reply.error?.code === "no_storage");
});

test("a host ends that learns that another one has stored the same entry", async () => {
  const { host, store, sent } = startHost(() => ({ writes: [write(1)], sent: [{ session: "s", message: pong }] }));
  store.write = async () => {
    throw new DOMException("there is one", "ConstraintError");
  };
  host.take({ type: "close", session: "s" });
  await host.settled();
  assert.deepEqual(
    sent.map(({ type }) => type),
    ["fatal"],
  );
});

test("what Python cannot read is refused, and the end of Python is reported once", async () => {
  const refused = { code: "malformed", message: "No.", status: 422 };
  const first = startHost(() => ({ refused }));
  first.host.take({ type: "request", id: 7, method: "GET", path: "/" });
  first.host.take({ type: "say", session: "s", message: { type: "ping", id: "p" } });
  await first.host.settled();
  const message = { type: "refused", code: "malformed", message: "No.", id: "p" };
  assert.deepEqual(first.sent, [
    { type: "reply", id: 7, error: refused },
    { type: "sent", session: "s", message },
  ]);
  const second = startHost(() => {
    throw new RangeError("Maximum call stack size exceeded");
  });
  second.host.take({ type: "close", session: "s" });
  second.host.take({ type: "close", session: "s" });
  await second.host.settled();
  assert.deepEqual(second.sent, [{ type: "fatal", reason: "Maximum call stack size exceeded" }]);
});

// -- tabs ----------------------------------------------------------------------------------------------------------

interface LockRequest {
  use: () => unknown;
  reject: (error: Error) => void;
}

/** The locks of a browser: each has one holder, and others who wait. */
class FakeLocks {
  private readonly queues = new Map<string, LockRequest[]>();

  request(name: string, options: LockOptions | (() => unknown), granted?: () => unknown) {
    const { signal, steal } = typeof options === "function" ? ({} as LockOptions) : options;
    const use = typeof options === "function" ? options : granted!;
    const queue = this.queues.get(name) ?? [];
    this.queues.set(name, queue);
    return new Promise((_, reject) => {
      const request = { use, reject };
      if (steal) {
        queue.shift()?.reject(new DOMException("stolen", "AbortError"));
        queue.unshift(request);
      } else queue.push(request);
      if (queue[0] === request) queueMicrotask(use);
      signal?.addEventListener("abort", () => {
        if (queue[0] === request) return;
        queue.splice(queue.indexOf(request), 1);
        reject(new DOMException("aborted", "AbortError"));
      });
    });
  }
  /** The first holder is gone. */
  release(name: string) {
    const queue = this.queues.get(name)!;
    queue.shift();
    if (queue[0]) queueMicrotask(queue[0].use);
  }
}

class FakeChannel {
  static open: FakeChannel[] = [];
  isFrozen = false;
  private readonly late: unknown[] = [];
  onmessage: ((event: { data: unknown }) => void) | null = null;
  constructor() {
    FakeChannel.open.push(this);
  }
  postMessage(data: unknown) {
    const copy = structuredClone(data);
    for (const other of FakeChannel.open) if (other !== this) queueMicrotask(() => other.deliver(copy));
  }
  private deliver(data: unknown) {
    if (this.isFrozen) this.late.push(data);
    else this.onmessage?.({ data });
  }
  wake() {
    this.isFrozen = false;
    for (const data of this.late.splice(0)) this.deliver(data);
  }
}

class FakeWorker {
  onmessage: ((event: { data: FromTables }) => void) | null = null;
  onerror: unknown = null;
  taken: ToTables[] = [];
  hasEnded = false;
  hangs = false;
  postMessage(message: ToTables) {
    if (message.type !== "ping") this.taken.push(structuredClone(message));
    else if (!this.hangs) queueMicrotask(() => this.say({ type: "pong" }));
  }
  terminate() {
    this.hasEnded = true;
  }
  say(data: FromTables) {
    this.onmessage?.({ data });
  }
  types() {
    return this.taken.map((message) => (message.type === "say" ? message.message.type : message.type));
  }
}

const NAME = "dalapapa tables";

/** Tabs of one browser; `workers` are all that were started for tables. */
function startBrowser() {
  const locks = new FakeLocks();
  Object.defineProperty(globalThis.navigator, "locks", { value: locks, configurable: true });
  FakeChannel.open = [];
  (globalThis as { BroadcastChannel: unknown }).BroadcastChannel = FakeChannel;
  const workers: FakeWorker[] = [];
  const start = () => {
    workers.push(new FakeWorker());
    return workers.at(-1) as unknown as Worker;
  };
  const think = () => new FakeWorker() as unknown as Worker;
  const looks: (() => void)[] = [];
  globalThis.setInterval = ((look: () => void) => looks.push(look)) as unknown as typeof setInterval;
  return { locks, workers, looks, openTab: () => new DeviceTables(start, think) };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

function makeListener() {
  const heard: string[] = [];
  const listener: SessionListener = {
    tokens: () => ["t"],
    onMessage: (message) => heard.push(message.type),
    onLost: () => heard.push("lost"),
    onEnd: () => heard.push("end"),
  };
  return { heard, listener };
}

const table = { type: "table", version: 1 } as TableMessage;
const move = { type: "move", id: "m", move: { player: 0, move: "end" } } as const;

test("a tab repeats what it wants when the worker is ready, and after the worker has ended", async (context) => {
  context.mock.method(console, "error", () => {});
  const { workers, openTab } = startBrowser();
  const tab = openTab();
  const { heard, listener } = makeListener();
  const session = tab.open("device-1", listener);
  const answer = tab.request("/tables/device-1");
  await settle();
  const [first] = workers;
  assert.deepEqual(first!.taken, [], "it is not ready");
  first!.say({ type: "ready" });
  assert.deepEqual(first!.types(), ["open", "hello", "request"]);
  first!.say({ type: "sent", session: session.id, message: table });
  session.say(move);
  first!.say({ type: "fatal", reason: "a test" });
  assert(first!.hasEnded);
  const second = workers.at(-1)!;
  second.say({ type: "ready" });
  assert.deepEqual(second.types(), ["open", "hello", "request"]);
  second.say({ type: "sent", session: session.id, message: table });
  assert.deepEqual(second.types(), ["open", "hello", "request", "move"], "the move has no answer yet");
  second.say({ type: "sent", session: session.id, message: { type: "accepted", id: "m", version: 2 } });
  const request = second.taken[2] as { id: number };
  second.say({ type: "reply", id: request.id, answer: "here" });
  assert.equal(await answer, "here");
  assert.deepEqual(heard, ["table", "lost", "table", "accepted"]);
});

test("a move that ends every worker is refused at last", async (context) => {
  context.mock.method(console, "error", () => {});
  const { workers, openTab } = startBrowser();
  const tab = openTab();
  const { heard, listener } = makeListener();
  const session = tab.open("device-1", listener);
  await settle();
  session.say(move);
  for (let attempt = 0; attempt < 4; attempt++) {
    const worker = workers.at(-1)!;
    worker.say({ type: "ready" });
    worker.say({ type: "sent", session: session.id, message: table });
    if (worker.types().includes("move")) worker.say({ type: "fatal", reason: "a test" });
  }
  assert.deepEqual(heard, ["table", "lost", "table", "lost", "table", "lost", "table", "refused"]);
});

test("a worker that does not answer is restarted, and nothing is lost", async (context) => {
  context.mock.method(console, "error", () => {});
  const { workers, openTab } = startBrowser();
  const tab = openTab();
  const { heard, listener } = makeListener();
  const session = tab.open("device-1", listener);
  await settle();
  const [first] = workers;
  first!.say({ type: "ready" });
  first!.say({ type: "sent", session: session.id, message: table });
  await settle();
  context.mock.timers.enable({ apis: ["setTimeout"] });
  first!.hangs = true;
  session.say(move);
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second++) context.mock.timers.tick(1_000);
  };
  pass(29);
  assert(!first!.hasEnded);
  pass(1);
  assert(first!.hasEnded);
  const second = workers.at(-1)!;
  second.say({ type: "ready" });
  second.say({ type: "sent", session: session.id, message: table });
  assert.deepEqual(second.types(), ["open", "hello", "move"]);
  assert.deepEqual(heard, ["table", "lost", "table"]);
  await settle();
  pass(60);
  assert(!second.hasEnded, "it answers");
});

test("a worker that loads is not hurried", async (context) => {
  const { workers, openTab } = startBrowser();
  context.mock.timers.enable({ apis: ["setTimeout"] });
  void openTab().request("/tables");
  await settle();
  context.mock.timers.tick(600_000);
  assert(!workers[0]!.hasEnded);
});

test("a second tab follows the first one, and hosts when that is closed", async () => {
  const { locks, workers, openTab } = startBrowser();
  openTab();
  await settle();
  workers[0]!.say({ type: "ready" });
  const follower = openTab();
  const { heard, listener } = makeListener();
  const session = follower.open("device-1", listener);
  await settle();
  assert.equal(workers.length, 1);
  assert.deepEqual(workers[0]!.types(), ["open", "hello"]);
  workers[0]!.say({ type: "sent", session: session.id, message: table });
  await settle();
  FakeChannel.open.shift(); // The first tab is closed.
  locks.release(NAME);
  await settle();
  assert.equal(workers.length, 2);
  workers[1]!.say({ type: "ready" });
  assert.deepEqual(workers[1]!.types(), ["open", "hello"]);
  workers[1]!.say({ type: "sent", session: session.id, message: table });
  assert.deepEqual(heard, ["table", "lost", "table"]);
});

test("a tab that is looked at takes over from one that is frozen, which follows when it is woken", async () => {
  const { workers, looks, openTab } = startBrowser();
  const first = openTab();
  const { heard: heardFirst, listener: firstListener } = makeListener();
  const own = first.open("device-1", firstListener);
  await settle();
  workers[0]!.say({ type: "ready" });
  workers[0]!.say({ type: "sent", session: own.id, message: table });
  const second = openTab();
  const { heard, listener } = makeListener();
  const session = second.open("device-1", listener);
  await settle();
  workers[0]!.say({ type: "sent", session: session.id, message: table });
  const look = async (times: number) => {
    for (let i = 0; i < times; i++) {
      looks[1]!();
      await settle();
    }
  };
  await look(20);
  assert.equal(workers.length, 1, "it answers");
  const [frozen] = FakeChannel.open;
  frozen!.isFrozen = true;
  session.say(move);
  await look(3);
  assert.equal(workers.length, 1, "it may only be slow");
  Object.assign(document, { visibilityState: "hidden" });
  await look(5);
  assert.equal(workers.length, 1, "no one looks at this tab");
  Object.assign(document, { visibilityState: "visible" });
  await look(4);
  assert.equal(workers.length, 2);
  assert(workers[0]!.hasEnded, "as soon as its tab runs again");
  workers[1]!.say({ type: "ready" });
  assert.deepEqual(workers[1]!.types().slice(0, 2), ["open", "hello"]);
  workers[1]!.say({ type: "sent", session: session.id, message: table });
  assert(workers[1]!.types().includes("move"), "its answer was lost");
  frozen!.wake();
  await settle();
  const opened = workers[1]!.taken.flatMap((message) => (message.type === "open" ? [message.session] : []));
  assert.deepEqual(opened, [session.id, own.id]);
  workers[1]!.say({ type: "sent", session: own.id, message: table });
  await settle();
  assert.deepEqual(heard, ["table", "lost", "table"]);
  assert.equal(heardFirst.at(-1), "table");
  assert.equal(heardFirst.filter((type) => type === "lost").length, 1);
});

test("the sessions of a closed tab are closed", async () => {
  const { locks, workers, openTab } = startBrowser();
  openTab();
  await settle();
  workers[0]!.say({ type: "ready" });
  const session = openTab().open("device-1", makeListener().listener);
  await settle();
  FakeChannel.open.pop();
  locks.release(`${NAME} ${session.id.split(" ")[0]}`);
  await settle();
  assert.deepEqual(workers[0]!.taken.at(-1), { type: "close", session: session.id });
});

test("an engine that cannot be loaded is one refusal, and is tried again", async () => {
  const { workers, openTab } = startBrowser();
  const tab = openTab();
  await settle();
  const { heard, listener } = makeListener();
  tab.open("device-1", listener);
  const answer = tab.request("/tables").catch((error) => error.code);
  workers[0]!.say({ type: "not_loaded", reason: "a test" });
  assert.equal(await answer, "not_loaded");
  assert.deepEqual(heard, ["refused", "end"]);
  void tab.request("/tables");
  assert.equal(workers.length, 2);
});
