/** Requests in the static edition: who answers them, and what needs a server. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Backend, ConnectionState, Refused, RequestOptions } from "../src/net/backend.ts";
import { isTemporary } from "../src/net/retry.ts";
import { StaticBackend } from "../src/net/static-backend.ts";

function begin() {
  const asked: [string, RequestOptions | undefined][] = [];
  const device: Backend = {
    request: async (path, options) => void asked.push([path, options]),
    connect: () => assert.fail("only tables of this device are opened there"),
  };
  return { backend: new StaticBackend(device), asked };
}

test("new tables are on this device, and there are no others", async () => {
  const { backend, asked } = begin();
  const body = { game: "classic", seats: [null, "easy"] };
  await assert.rejects(backend.request("/tables", { body }), { code: "not_loaded" });
  Object.defineProperty(globalThis, "navigator", { value: { locks: {} }, configurable: true });
  Object.assign(globalThis, { indexedDB: {} });
  await backend.request("/tables", { body });
  assert.deepEqual(asked, [["/tables", { body }]]);
  assert.deepEqual(await backend.request("/tables"), []);
  assert.deepEqual(await backend.request("/games"), []);
});

test("a browser without WebAssembly says so, for tables and for questions", async () => {
  const { backend } = begin();
  const { WebAssembly } = globalThis;
  Reflect.deleteProperty(globalThis, "WebAssembly");
  try {
    for (const path of ["/tables", "/best", "/solve"])
      await assert.rejects(backend.request(path, { body: {} }), { code: "not_loaded" });
  } finally {
    Object.assign(globalThis, { WebAssembly });
  }
});

test("rules are files", async () => {
  const { backend } = begin();
  const fetched: string[] = [];
  globalThis.fetch = (async (file: string) => {
    fetched.push(file);
    return { ok: !file.includes("chess"), status: 404, json: async () => ({ text: "# Gone" }) };
  }) as unknown as typeof fetch;
  assert.deepEqual(await backend.request("/rules/gone?language=fr"), { text: "# Gone" });
  assert.deepEqual(fetched, ["/rules/gone.fr.json"]);
  await assert.rejects(backend.request("/rules/chess?language=fr"), { code: "unknown_page", status: 404 });
});

test("what needs a server is refused once and for all", async () => {
  const { backend } = begin();
  for (const path of ["/problem/found?date=2026-11-19", "/challenges/abc", "/notices", "/print/pages?what=set"]) {
    const refusal = await backend.request(path).then(
      () => assert.fail(path),
      (error: Refused) => error,
    );
    assert.equal(refusal.code, "needs_server");
    assert.equal(isTemporary(refusal), false);
  }
  const states: [ConnectionState, string | undefined][] = [];
  const connection = backend.connect("abc", {
    tokens: () => [],
    onMessage: () => assert.fail("no table is there"),
    onState: (state, refusal) => states.push([state, refusal?.code]),
  });
  assert.deepEqual(states, [["refused", "needs_server"]]);
  connection.close();
});
