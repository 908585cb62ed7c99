/** The worker that hosts the tables of this device (web/engine): what is stored before it is sent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { TableHost } from "../engine/table-host.ts";
import type { Effects, FromTables, Line, Write } from "../engine/table-messages.ts";
import { FORMAT, type StoredTable, type TableStore } from "../engine/table-store.ts";
import type { FromServer } from "../src/net/protocol.ts";

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
