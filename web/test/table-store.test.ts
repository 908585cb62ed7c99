/** What is new at a table: decided once, for sounds, motion and announcements. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { type EntryNews, TableStore } from "../src/state/table-store.ts";
import { message } from "./fake-socket.ts";

let store: TableStore;
let heard: string[] = [];
let history: { version: number; events: object[] }[] = [];

const passed = (version: number) => ({ version, events: [{ event: "passed", player: 0 }] });
const settle = async () => {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
};

async function receive(version: number): Promise<void> {
  store.receive(message(version, {}, { events: passed(version).events }));
  await settle();
}

const hear = ({ entry, live }: EntryNews) => void heard.push(`${entry.version}${live ? " live" : ""}`);

beforeEach(async () => {
  heard = [];
  history = [passed(2), passed(3)];
  globalThis.fetch = (async () => ({ ok: true, json: async () => history })) as unknown as typeof fetch;
  store = new TableStore("abc");
  store.onEntry(hear);
  await receive(3);
});

const versions = () => store.log.value.map(({ version }) => version);

test("what was there at first is no news", () => {
  assert.deepEqual(versions(), [2, 3]);
  assert.deepEqual(heard, []);
  assert.equal(store.latest.value, null);
});

test("each entry is heard once, also if it is received twice", async () => {
  await receive(4);
  await receive(4);
  await receive(5);
  assert.deepEqual(heard, ["4 live", "5 live"]);
  assert.deepEqual(versions(), [2, 3, 4, 5]);
});

test("a few entries that were skipped still happen; after an absence, they are only reported", async () => {
  history = [2, 3, 4, 5, 6].map(passed);
  await receive(6);
  assert.deepEqual(heard, ["4 live", "5 live", "6 live"]);
  heard = [];
  history = [2, 3, 4, 5, 6, 7, 8, 9, 10].map(passed);
  await receive(10);
  assert.deepEqual(heard, ["7", "8", "9", "10"]);
});

test("a listener hears of an entry when what follows from it can be read", async () => {
  const seen: number[] = [];
  const stop = store.onEntry(({ entry }) => void seen.push(entry.version, store.message.value!.version));
  await receive(4);
  stop();
  await receive(5);
  assert.deepEqual(seen, [4, 4]);
});

test("waiting for a version ends when it comes, or when the table is left", async () => {
  const reached: number[] = [];
  void store.waitFor(3).then(() => reached.push(3));
  void store.waitFor(4).then(() => reached.push(4));
  void store.waitFor(9).then(() => reached.push(9));
  await receive(4);
  assert.deepEqual(reached, [3, 4]);
  store.close();
  await settle();
  assert.deepEqual(reached, [3, 4, 9]);
});
