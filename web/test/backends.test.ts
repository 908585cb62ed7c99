/** Which backend answers for a table: the one that this browser has noted, or that has the table. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { OwnTableEntry } from "../src/net/api.ts";
import { type Backend, type ConnectionListener, Refused } from "../src/net/backend.ts";
import { CombinedBackend } from "../src/net/backends.ts";
import { DeviceBackend, noteTables } from "../src/net/device-backend.ts";
import { listOwnTables } from "../src/net/own-tables.ts";
import type { FromServer } from "../src/net/protocol.ts";

/** A host with some tables. */
class FakeHost implements Backend {
  asked: string[] = [];
  isAway = false;

  constructor(
    private readonly name: string,
    readonly tables: readonly string[],
  ) {}

  #check(id: string): void {
    if (this.isAway) throw new Refused("offline", "");
    if (!this.tables.includes(id)) throw new Refused("unknown_table", "");
  }

  async request(path: string, { body }: { body?: unknown } = {}): Promise<unknown> {
    this.asked.push(path);
    if (path === "/own-tables") {
      if (this.isAway) throw new Refused("offline", "");
      const { tables } = body as { tables: { id: string }[] };
      return tables.map(({ id }) => ({ id, state: this.tables.includes(id) ? "here" : "removed", host: this.name }));
    }
    this.#check(path.split("/")[2] ?? "");
    return this.name;
  }

  connect(id: string, listener: ConnectionListener) {
    this.asked.push(`connect ${id}`);
    try {
      this.#check(id);
      listener.onMessage({ type: "greeting", seat: 0, greeting: this.name } as unknown as FromServer);
    } catch (error) {
      if ((error as Refused).code === "offline") listener.onState("reconnecting");
      else listener.onState("refused", error as Refused);
    }
    return { send() {}, greet() {}, close: () => void this.asked.push(`close ${id}`) };
  }
}

let server: FakeHost;
let device: FakeHost;
let backend: CombinedBackend;

beforeEach(() => {
  localStorage.clear();
  Object.defineProperty(globalThis, "navigator", { value: { locks: {} }, configurable: true });
  Object.assign(globalThis, { indexedDB: {} });
  Object.assign(document, { getElementById: (id: string) => (id === "engine" ? { content: "/engine/" } : null) });
  server = new FakeHost("server", ["abc"]);
  device = new FakeHost("device", ["def", "device-ghi"]);
  const onDevice = new DeviceBackend(
    async () => device,
    async () => [...device.tables],
  );
  backend = new CombinedBackend(server, onDevice);
});

/** What a page hears of a table. */
async function connect(id: string): Promise<string[]> {
  const heard: string[] = [];
  backend.connect(id, {
    tokens: () => [],
    onMessage: (message) => heard.push((message as unknown as { greeting: string }).greeting),
    onState: (state, refusal) => heard.push(refusal?.code ?? state),
  });
  await new Promise((done) => setImmediate(done));
  return heard;
}

test("a table that is noted is on this device by any id", async () => {
  noteTables(["def"]);
  assert.equal(await backend.request("/tables/def"), "device");
  assert.equal(await backend.request("/tables/abc/history"), "server");
  assert.deepEqual(await connect("def"), ["connecting", "device"]);
  assert.deepEqual(server.asked, ["/tables/abc/history"]);
});

test("a challenge whose link contains its game is read by this device", async () => {
  assert.equal(await backend.request("/challenges/device-ghi"), "device");
  assert.equal(await backend.request("/challenges/abc"), "server");
});

test("a table of a server is not looked for on this device", async () => {
  assert.equal(await backend.request("/tables/abc"), "server");
  assert.deepEqual(await connect("abc"), ["server"]);
  assert.deepEqual(device.asked, []);
  assert.equal(localStorage.getItem("dalapapa.device-tables"), null);
});

for (const isAway of [false, true]) {
  test(`an old link finds its table on this device${isAway ? " without the server" : ""}`, async () => {
    server.isAway = isAway;
    assert.equal(await backend.request("/tables/device-ghi"), "device");
    assert.deepEqual(JSON.parse(localStorage.getItem("dalapapa.device-tables") ?? ""), ["def", "device-ghi"]);
    localStorage.clear();
    const heard = await connect("def");
    assert.equal(heard.at(-1), "device");
    assert.ok(server.asked.includes("close def"));
  });
}

test("a table that no host has is refused", async () => {
  assert.deepEqual(await connect("xyz"), ["unknown_table"]);
  await assert.rejects(backend.request("/tables/xyz"), { code: "unknown_table" });
});

test("the list of one's tables finds those that were not noted", async () => {
  const seats = ["abc", "def", "xyz"].map((id) => ({ id, token: "t" }));
  const list = async () =>
    Object.fromEntries(
      ((await listOwnTables(seats, backend)) as (OwnTableEntry & { host: string })[]).map(({ id, state, host }) => [
        id,
        `${state} ${host}`,
      ]),
    );
  const all = { abc: "here server", def: "here device", xyz: "removed server" };
  assert.deepEqual(await list(), all);
  assert.deepEqual(await list(), all, "once they are noted");
  server.isAway = true;
  localStorage.clear();
  assert.deepEqual(await list(), { def: "here device" });
});

test("notes outlive new tables, and lose those that are deleted", () => {
  noteTables(["a", "b"]);
  noteTables(["c"], "a");
  const reloaded = new DeviceBackend();
  assert.deepEqual(
    ["a", "b", "c"].map((id) => reloaded.owns(id)),
    [false, true, true],
  );
});
