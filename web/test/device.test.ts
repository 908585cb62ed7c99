/** The tables of this device in several tabs (web/engine): which one hosts them, and workers that end. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DeviceTables, type SessionListener } from "../engine/device.ts";
import type { FromTables, ToTables } from "../engine/table-messages.ts";
import type { TableMessage } from "../src/net/protocol.ts";

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

test("a browser without workers refuses tables", async () => {
  startBrowser();
  const fail = (): never => {
    throw new DOMException("Workers are not allowed.", "SecurityError");
  };
  const tab = new DeviceTables(fail, fail);
  await settle();
  const { heard, listener } = makeListener();
  tab.open("device-1", listener);
  assert.deepEqual(heard, ["refused", "end"]);
  await assert.rejects(tab.request("/tables"), { code: "not_loaded" });
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
